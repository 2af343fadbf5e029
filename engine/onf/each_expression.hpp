// The expressions of statements, wherever they stand.
#pragma once

#include <algorithm>
#include <type_traits>
#include <variant>

#include "engine/onf/form.hpp"
#include "engine/onf/scalar_size.hpp"

namespace rhopsi::onf {

// Calls `visit` with every expression of the statements, whole and not its operands, and `form`
// with what each statement is, before. Of a pipeline the stages are nests like others. `Body`:
// Statements, const or not. Linear.
template <class Body, class Form, class Visit>
void each_in(Body& body, const Form& form, const Visit& visit) {
  const auto inside = [&](auto& statements) { each_in(statements, form, visit); };
  const auto nest = [&](auto& s) {
    if (s.box) {
      for (auto& interval : *s.box) visit(interval.low), visit(interval.high);
    }
    inside(s.body);
    visit(s.element);
    for (auto& output : s.also) visit(output.element);
  };
  for (auto& statement : body) {
    std::visit(
        [&](auto& s) {
          using S = std::decay_t<decltype(s)>;
          form(s);
          if constexpr (std::is_same_v<S, Nest>) {
            nest(s);
          } else if constexpr (std::is_same_v<S, Pipeline>) {
            for (auto& stage : s.stages) form(stage.nest), nest(stage.nest);
          } else {
            if constexpr (requires { visit(s.count); }) visit(s.count);
            if constexpr (requires { visit(s.low); }) visit(s.low), visit(s.high);
            if constexpr (std::is_same_v<S, While>) {
              inside(s.before);
              visit(s.bound);
            }
            if constexpr (requires { visit(s.condition); }) visit(s.condition);
            if constexpr (std::is_same_v<S, If>) {
              inside(s.then);
              inside(s.otherwise);
            } else if constexpr (requires { inside(s.body); }) {
              inside(s.body);
            }
            if constexpr (requires { visit(s.element); }) visit(s.element);
            if constexpr (std::is_same_v<S, Let> || std::is_same_v<S, Return>) {
              if (s.value) visit(*s.value);
            } else if constexpr (requires { visit(s.value); }) {
              visit(s.value);
            }
            if constexpr (requires { s.operands.front(); }) {
              for (auto& operand : s.operands) visit(operand);
            }
            if constexpr (std::is_same_v<S, Check>) {
              for (auto& number : s.numbers) visit(number);
            }
            if constexpr (std::is_same_v<S, Call>) visit(s.call);
          }
        },
        statement.form);
  }
}

// Calls `visit` with the expression and then with all that are in it.
template <class E, class Visit>
void each_part(E& e, const Visit& visit) {
  visit(e);
  for (auto& operand : e.operands) each_part(operand, visit);
}

// Calls `visit` with every expression of the nest's body and elements, whole. Linear.
template <class Visit>
void each_of(const Nest& nest, const Visit& visit) {
  each_in(
      nest.body, [](const auto&) {}, visit);
  visit(nest.element);
  for (const Nest::Output& output : nest.also) visit(output.element);
}

// Calls `visit` with every load of them. Linear.
template <class Visit>
void each_load(const Nest& nest, const Visit& visit) {
  each_of(nest, [&](const Expr& whole) {
    each_part(whole, [&](const Expr& e) {
      if (e.kind == Expr::Kind::load) visit(e);
    });
  });
}

// Is the expression this function of two others?
inline bool applies(const Expr& e, ScalarFunction function) {
  return e.kind == Expr::Kind::apply && e.function == function && e.operands.size() == 2;
}

// Is its first operand alone computed wherever it is? That one says which others are.
inline bool is_lazy(const Expr& e) {
  if (e.kind == Expr::Kind::if_) return true;
  return e.kind == Expr::Kind::apply &&
         (e.function == ScalarFunction::and_ || e.function == ScalarFunction::or_ ||
          e.function == ScalarFunction::implies);
}

// Is it a real number that has been an integer, and before that a real number, `e.operands[0]` of
// its operand?
inline bool is_through_integer(const Expr& e) {
  const auto converts = [](const Expr& one, bool to_real) {
    return one.kind == Expr::Kind::apply && one.function == ScalarFunction::convert &&
           is_real(one.type.scalar) == to_real && is_real(one.operands[0].type.scalar) != to_real;
  };
  return converts(e, true) && converts(e.operands[0], false) &&
         e.operands[0].type.scalar != Scalar::boolean;
}

// Does the expression name an array?
inline bool names_view(const Expr& e) {
  return e.kind == Expr::Kind::load || e.kind == Expr::Kind::view || e.kind == Expr::Kind::length;
}

// Does the expression, or one that is in it? Linear.
inline bool names_views(const Expr& e) {
  return names_view(e) || std::ranges::any_of(e.operands, names_views);
}

// Is the expression computed of literals alone, or, where `named`, of these and of variables?
// Linear.
inline bool is_arithmetic(const Expr& e, bool named) {
  const bool itself = e.kind == Expr::Kind::integer || e.kind == Expr::Kind::real ||
                      e.kind == Expr::Kind::boolean || e.kind == Expr::Kind::apply ||
                      (named && e.kind == Expr::Kind::variable);
  return itself && std::ranges::all_of(
                       e.operands, [&](const Expr& part) { return is_arithmetic(part, named); });
}

}  // namespace rhopsi::onf
