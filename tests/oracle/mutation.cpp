#include "tests/oracle/mutation.hpp"

#include <vector>

#include "tests/oracle/evaluation.hpp"

namespace rhopsi::oracle {
namespace {

// Literals where an integer or an index vector stands.
void collect(const Tree& tree, Sort sort, std::vector<Tree>& literals) {
  if (tree->kind == Expression::Kind::call) {
    const Operation& operation = operation_of(*tree, sort);
    for (std::size_t i = 0; i < tree->arguments.size(); ++i) {
      collect(tree->arguments[i], sort_of_parameter(operation.parameters[i]), literals);
    }
  } else if (sort != Sort::array) {
    literals.push_back(tree);
  }
}

std::int64_t other(std::int64_t number, property::Choice& choice) {
  switch (choice.between(0, 4)) {
    case 0:
      return number + 1;
    case 1:
      return number - 1;
    case 2:
      return number + 7;
    case 3:
      return -number - 1;
    default:
      return 0;
  }
}

Tree changed(const Expression& old, property::Choice& choice) {
  if (old.kind == Expression::Kind::number) {
    return literal(other(std::get<std::int64_t>(old.number), choice));
  }
  std::vector<std::int64_t> components = old.components;
  const int last = int(components.size()) - 1;
  const int how = choice.between(0, 3);
  if (how == 0 || components.empty()) {
    components.push_back(choice.between(0, 2));
  } else if (how == 1) {
    components.erase(components.begin() + choice.between(0, last));
  } else {
    std::int64_t& component = components[std::size_t(choice.between(0, last))];
    component = other(component, choice);
  }
  return literal(std::move(components));
}

}  // namespace

std::optional<Tree> mutated(const Tree& tree, property::Choice& choice) {
  std::vector<Tree> literals;
  collect(tree, Sort::array, literals);
  if (literals.empty()) return std::nullopt;
  const Tree& literal = choice.of(literals);
  return replaced(tree, literal, changed(*literal, choice));
}

}  // namespace rhopsi::oracle
