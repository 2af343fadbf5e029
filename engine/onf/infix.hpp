// How scalar functions are written where expressions are infix: in messages and normal forms.
#pragma once

#include <string>
#include <string_view>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// How tight an expression is: it stands in parentheses within what is tighter.
enum class Tightness {
  loosest,
  implication,
  disjunction,
  conjunction,
  comparison,
  sum,
  product,
  prefix,
  atom
};
constexpr Tightness tighter(Tightness than) {
  return static_cast<Tightness>(static_cast<int>(than) + 1);
}

// A function of two arguments that groups to the left.
struct InfixOperator {
  ScalarFunction function;
  std::string_view spelling;
  Tightness tightness;
};
// Nothing for what is written as a call, or in front of its argument.
const InfixOperator* infix_operator(ScalarFunction function);

// As expressions of the language call it; name_of() where they have no name for it.
std::string called(ScalarFunction function);

// An expression for messages to who wrote the program, with as few parentheses as keep its meaning.
// An element is `u[i + 1, j]`, a length `shape(u)[0]`. Linear in its size.
std::string infix(const Module& module, const Function& function, const Expr& expression);

}  // namespace rhopsi::onf
