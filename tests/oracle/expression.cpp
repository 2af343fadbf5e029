#include "tests/oracle/expression.hpp"

#include <algorithm>

namespace rhopsi::oracle {
namespace {

Tree made(Expression expression) { return std::make_shared<Expression>(std::move(expression)); }

template <class Item, class Text>
std::string listed(const std::vector<Item>& items, const Text& text) {
  std::string list;
  for (const Item& item : items) {
    if (!list.empty()) list += ", ";
    list += text(item);
  }
  return list;
}

bool is_operator(const Expression& expression) {
  return expression.kind == Expression::Kind::call && expression.name.find('_') == 0;
}

bool is_prefix(const Expression& expression) {
  return expression.kind == Expression::Kind::call && expression.name.size() == 2 &&
         expression.name[1] == '_';
}

bool is_negative(const Expression& expression) {
  return expression.kind == Expression::Kind::number && to_string(expression.number)[0] == '-';
}

// As an operand of an operator.
std::string operand(const Tree& tree) {
  const std::string text = to_string(tree);
  const bool simple = !is_operator(*tree) && !is_prefix(*tree) && !is_negative(*tree);
  return simple ? text : "(" + text + ")";
}

std::string call_text(const Expression& call) {
  if (is_prefix(call)) return call.name.substr(0, 1) + operand(call.arguments[0]);
  if (is_operator(call)) {
    return operand(call.arguments[0]) + " " + call.name.substr(1, call.name.size() - 2) + " " +
           operand(call.arguments[1]);
  }
  return call.name + "(" +
         listed(call.arguments, [](const Tree& argument) { return to_string(argument); }) + ")";
}

// Reals need a point, or they would be read as integers.
std::string number_text(const Number& number) {
  std::string text = to_string(number);
  const bool whole = text.find_first_of(".e") == std::string::npos;
  if (type_of(number) == Type::real && whole) text += ".0";
  return text;
}

}  // namespace

Tree input(std::string name) {
  return made({Expression::Kind::input, std::move(name), {}, {}, {}});
}

Tree literal(std::int64_t number) { return made({Expression::Kind::number, {}, {}, {}, number}); }

Tree literal(double number) { return made({Expression::Kind::number, {}, {}, {}, number}); }

Tree literal(std::vector<std::int64_t> components) {
  return made({Expression::Kind::vector, {}, {}, std::move(components), {}});
}

Tree call(std::string name, std::vector<Tree> arguments) {
  return made({Expression::Kind::call, std::move(name), std::move(arguments), {}, {}});
}

std::string to_string(const Tree& tree) {
  switch (tree->kind) {
    case Expression::Kind::input:
      return tree->name;
    case Expression::Kind::number:
      return number_text(tree->number);
    case Expression::Kind::vector:
      return "[" + listed(tree->components, [](std::int64_t c) { return std::to_string(c); }) + "]";
    default:
      return call_text(*tree);
  }
}

int depth(const Tree& tree) {
  int deepest = 0;
  for (const Tree& argument : tree->arguments) deepest = std::max(deepest, depth(argument));
  return tree->kind == Expression::Kind::call ? deepest + 1 : 0;
}

std::vector<Tree> calls(const Tree& tree) {
  std::vector<Tree> found;
  if (tree->kind == Expression::Kind::call) found.push_back(tree);
  for (const Tree& argument : tree->arguments) {
    const std::vector<Tree> below = calls(argument);
    found.insert(found.end(), below.begin(), below.end());
  }
  return found;
}

Tree replaced(const Tree& tree, const Tree& part, const Tree& replacement) {
  if (tree == part) return replacement;
  Expression copy = *tree;
  for (Tree& argument : copy.arguments) argument = replaced(argument, part, replacement);
  return made(std::move(copy));
}

Tree renamed(const Tree& tree, const std::map<std::string, std::string>& names) {
  Expression copy = *tree;
  if (copy.kind == Expression::Kind::input) copy.name = names.at(copy.name);
  for (Tree& argument : copy.arguments) argument = renamed(argument, names);
  return made(std::move(copy));
}

std::vector<std::string> input_names(const Tree& tree) {
  if (tree->kind == Expression::Kind::input) return {tree->name};
  std::vector<std::string> names;
  for (const Tree& argument : tree->arguments) {
    for (const std::string& name : input_names(argument)) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

Inputs inputs_of(const Tree& tree, const Inputs& inputs) {
  Inputs used;
  for (const std::string& name : input_names(tree)) used.insert(*inputs.find(name));
  return used;
}

std::string to_string(const Inputs& inputs) {
  std::string text;
  for (const auto& [name, array] : inputs) text += name + " = " + to_string(array) + "\n";
  return text;
}

}  // namespace rhopsi::oracle
