// Scalar expressions of forms that are made by hand.
#pragma once

#include <cstdint>
#include <utility>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

inline const Representation int64_type{Representation::Kind::scalar, Scalar::int64, {}};
inline const Representation boolean_type{Representation::Kind::scalar, Scalar::boolean, {}};

inline Expr integer(std::int64_t value) {
  Expr e;
  e.kind = Expr::Kind::integer;
  e.type = int64_type;
  e.integer = value;
  return e;
}
inline Expr variable(VariableId id) {
  Expr e;
  e.kind = Expr::Kind::variable;
  e.type = int64_type;
  e.variable = id;
  return e;
}
inline Expr apply(ScalarFunction function, Expr left, Expr right) {
  Expr e;
  e.kind = Expr::Kind::apply;
  e.type = function >= ScalarFunction::less && function <= ScalarFunction::or_ ? boolean_type
                                                                               : int64_type;
  e.function = function;
  e.operands = {std::move(left), std::move(right)};
  return e;
}

}  // namespace rhopsi::onf
