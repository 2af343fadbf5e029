// What an expression means: the operation of each call, carried out on the arguments' values.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <variant>

#include "tests/oracle/expression.hpp"

namespace rhopsi::oracle {

enum class Sort : std::uint8_t { array, integer, index };
using Value = std::variant<Array, std::int64_t, Shape>;  // in the order of Sort

// One form of an operation: of the same name there may be several.
struct Operation {
  std::string name;
  std::string parameters;  // A array, n integer, x axis, p index vector
  Sort result = Sort::array;
  std::function<Value(std::span<const Value>)> meaning;
};

// Every operation that expressions may be made of.
const std::vector<Operation>& operations();
Sort sort_of_parameter(char letter);

// Throws Violation where the expression has no value, std::invalid_argument where it is none.
Array evaluate(const Tree& tree, const Inputs& inputs);
Value evaluate(const Tree& tree, const Inputs& inputs, Sort sort);

// The form of a call's operation whose result has that sort, if there is one.
const Operation* find_operation(const Expression& call, Sort sort);
const Operation& operation_of(const Expression& call, Sort sort);

}  // namespace rhopsi::oracle
