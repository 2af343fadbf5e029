#include "tests/oracle/evaluation.hpp"

#include <algorithm>

namespace rhopsi::oracle {
namespace {

Value literal_value(const Expression& literal, Sort sort) {
  if (literal.kind == Expression::Kind::vector) {
    if (sort == Sort::index) return literal.components;
    if (sort == Sort::array) return vector(literal.components);
  } else {
    if (sort == Sort::integer) return integer_of(literal.number);
    if (sort == Sort::array) return scalar(literal.number);
  }
  throw std::invalid_argument("a literal of another sort");
}

// Can the tree have a value of the sort?
bool fits(const Tree& tree, Sort sort) {
  switch (tree->kind) {
    case Expression::Kind::input:
      return sort == Sort::array;
    case Expression::Kind::number:
      return sort != Sort::index;
    case Expression::Kind::vector:
      return sort != Sort::integer;
    default:
      return find_operation(*tree, sort) != nullptr;
  }
}

}  // namespace

Sort sort_of_parameter(char letter) {
  if (letter == 'A') return Sort::array;
  return letter == 'p' ? Sort::index : Sort::integer;
}

const Operation* find_operation(const Expression& call, Sort sort) {
  for (const Operation& each : operations()) {
    if (each.name != call.name || each.result != sort ||
        each.parameters.size() != call.arguments.size()) {
      continue;
    }
    const bool all = std::equal(each.parameters.begin(), each.parameters.end(),
                                call.arguments.begin(), [](char letter, const Tree& argument) {
                                  return fits(argument, sort_of_parameter(letter));
                                });
    if (all) return &each;
  }
  return nullptr;
}

const Operation& operation_of(const Expression& call, Sort sort) {
  const Operation* found = find_operation(call, sort);
  if (found == nullptr) throw std::invalid_argument("no operation " + call.name);
  return *found;
}

Value evaluate(const Tree& tree, const Inputs& inputs, Sort sort) {
  if (tree->kind == Expression::Kind::input) {
    if (sort != Sort::array) throw std::invalid_argument("an input is an array");
    return inputs.at(tree->name);
  }
  if (tree->kind != Expression::Kind::call) return literal_value(*tree, sort);
  const Operation& operation = operation_of(*tree, sort);
  std::vector<Value> values;
  for (std::size_t i = 0; i < tree->arguments.size(); ++i) {
    values.push_back(
        evaluate(tree->arguments[i], inputs, sort_of_parameter(operation.parameters[i])));
  }
  return operation.meaning(values);
}

Array evaluate(const Tree& tree, const Inputs& inputs) {
  return std::get<Array>(evaluate(tree, inputs, Sort::array));
}

}  // namespace rhopsi::oracle
