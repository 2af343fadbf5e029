#include "tests/property/expressions.hpp"

namespace rhopsi::property {

std::string Expressions::binary(const std::string& left, const std::string& right) {
  static const std::vector<std::string> operations = {"+", "-", "*", "+", "-", "min", "max"};
  const std::string operation = choice_.of(operations);
  if (operation.size() > 1) return operation + "(" + left + ", " + right + ")";
  return "(" + left + " " + operation + " " + right + ")";
}

std::string Expressions::rotated(const std::string& operand) {
  const int axis = choice_.between(0, rank_ - 1);
  const int offset = choice_.between(-largest_offset_, largest_offset_);
  return "rotate(" + operand + ", " + std::to_string(axis) + ", " + std::to_string(offset) + ")";
}

std::string Expressions::call(const Function& function, const Scope& scope, int depth) {
  std::string text = function.name + "(";
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    if (i > 0) text += ", ";
    text += function.parameters[i] == 'a' ? array(scope, depth) : real(scope, depth);
  }
  return text + ")";
}

std::string Expressions::real(const Scope& scope, int depth) {
  static const std::vector<std::string> leaves = {"0.5", "2", "1.25", "-0.75", "p()", "q()"};
  if (depth <= 0 || choice_.once_in(3)) {
    if (!scope.reals.empty() && choice_.once_in(2)) return choice_.of(scope.reals);
    return choice_.of(leaves);
  }
  if (!scope.scalar_functions.empty() && choice_.once_in(3)) {
    return call(choice_.of(scope.scalar_functions), scope, depth - 1);
  }
  switch (choice_.between(0, 3)) {
    case 0:
      return "abs(" + real(scope, depth - 1) + ")";
    case 1:
      return "(-" + choice_.of(std::vector<std::string>{"p()", "q()"}) + ")";
    default:
      break;
  }
  const std::string left = real(scope, depth - 1);
  return binary(left, real(scope, depth - 1));
}

std::string Expressions::condition(const Scope& scope) {
  static const std::vector<std::string> comparisons = {" < ", " <= ", " > ", " >= "};
  std::string left = real(scope, 1);
  left += choice_.of(comparisons);
  return left + real(scope, 0);
}

std::string Expressions::array(const Scope& scope, int depth) {
  if (depth <= 0) return choice_.of(scope.arrays);
  if (!scope.array_functions.empty() && choice_.once_in(4)) {
    return call(choice_.of(scope.array_functions), scope, depth - 2);
  }
  const std::string first = array(scope, depth - 1);
  switch (choice_.between(0, 11)) {
    case 0:
      return binary(real(scope, 1), first);
    case 1:
      return binary(first, real(scope, 1));
    case 2:
      return "abs(" + first + ")";
    case 3:
      return "(-" + first + ")";
    case 4:
    case 5:
    case 6:
      return rotated(first);
    case 7:
      return rotated(rotated(choice_.of(scope.arrays)));
    case 8: {
      const std::string chosen = condition(scope);
      return "(if " + chosen + " then " + first + " else " + array(scope, depth - 1) + ")";
    }
    default:
      return binary(first, array(scope, depth - 1));
  }
}

}  // namespace rhopsi::property
