// Expressions of the operational form, by what they say.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/onf/expression.hpp"
#include "engine/onf/scalar_size.hpp"

namespace rhopsi::onf {

inline Representation scalar_of(Scalar type) { return {Representation::Kind::scalar, type, {}}; }

// An integer literal, of indices and lengths.
inline Expr integer(std::int64_t value, term::LocationId location = {}) {
  Expr made;
  made.kind = Expr::Kind::integer;
  made.type = scalar_of(Scalar::int64);
  made.location = location;
  made.integer = value;
  return made;
}

// The variable, which is of that type.
inline Expr of_variable(VariableId variable, const Representation& type,
                        term::LocationId location) {
  Expr made = integer(0, location);
  made.kind = Expr::Kind::variable;
  made.variable = variable;
  made.type = type;
  return made;
}

inline Expr truth(bool value, term::LocationId location = {}) {
  Expr made = integer(value ? 1 : 0, location);
  made.kind = Expr::Kind::boolean;
  made.type = scalar_of(Scalar::boolean);
  return made;
}

// 0, or what is not so.
inline Expr zero_of(Scalar type) {
  if (type == Scalar::boolean) return truth(false);
  Expr made = integer(0);
  made.type = scalar_of(type);
  if (is_real(type)) made.kind = Expr::Kind::real;
  return made;
}

// The length of an axis of the domain.
inline Expr extent(std::size_t axis) {
  Expr made = integer(0);
  made.kind = Expr::Kind::extent;
  made.axis = static_cast<int>(axis);
  return made;
}

// A function of scalars, with a result of this type, where the first operand stands.
inline Expr applied(ScalarFunction function, Scalar type, std::vector<Expr> operands) {
  Expr made = integer(0);
  made.kind = Expr::Kind::apply;
  made.type = scalar_of(type);
  if (!operands.empty()) made.location = operands.front().location;
  made.function = function;
  made.operands = std::move(operands);
  return made;
}

}  // namespace rhopsi::onf
