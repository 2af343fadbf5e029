// The operators, in one table for the grammar and the printer.
#pragma once

#include <string_view>

namespace rhopsi::syntax {

// Level 1 binds tightest. Every binary operator associates to the left.
struct BinaryOperator {
  std::string_view spelling;
  int level;
};

inline constexpr BinaryOperator binary_operators[] = {
    {"*", 1},   {"/", 1},   {"%", 1},  {"+", 2},  {"-", 2},  {"<<", 3},  {">>", 3},
    {"..", 4},  {"<", 5},   {">", 5},  {">=", 5}, {"<=", 5}, {"==", 5},  {"!=", 5},
    {"===", 5}, {"!==", 5}, {"&&", 6}, {"||", 7}, {"=>", 8}, {"<=>", 8},
};

inline constexpr int range_level = 4;    // of `..`
inline constexpr int loosest_level = 8;  // of `=>`
inline constexpr std::string_view prefix_operators = "+-!~";

// The operator written `spelling`, or null.
constexpr const BinaryOperator* find_binary_operator(std::string_view spelling) {
  for (const BinaryOperator& candidate : binary_operators) {
    if (candidate.spelling == spelling) return &candidate;
  }
  return nullptr;
}

constexpr bool is_prefix_operator(std::string_view spelling) {
  return spelling.size() == 1 && prefix_operators.find(spelling[0]) != std::string_view::npos;
}

// The operator between the underscores of `_op_`, or null where `name` is none.
constexpr const BinaryOperator* binary_operator_of_name(std::string_view name) {
  if (name.size() < 3 || name.front() != '_' || name.back() != '_') return nullptr;
  return find_binary_operator(name.substr(1, name.size() - 2));
}

// Whether `name` is `op_` for a prefix operator.
constexpr bool is_prefix_operator_name(std::string_view name) {
  return name.size() == 2 && name[1] == '_' && is_prefix_operator(name.substr(0, 1));
}

// Whether `name` is a symbol name of a declaration: `_+_`, `-_`, `_=_`.
constexpr bool is_symbol_name(std::string_view name) {
  return name == "_=_" || binary_operator_of_name(name) != nullptr || is_prefix_operator_name(name);
}

}  // namespace rhopsi::syntax
