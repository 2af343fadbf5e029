// The arguments of a call that are missing, chosen to fit those that are there.
#pragma once

#include "tests/oracle/builder.hpp"

namespace rhopsi::oracle {

struct Call {
  const Operation& operation;
  std::int64_t axis;  // wanted, where the operation has one
  std::vector<std::optional<Argument>> arguments;

  bool has(std::size_t i) const { return arguments[i].has_value(); }
  const Array& array(std::size_t i) const { return std::get<Array>(arguments[i]->value); }
  std::int64_t integer(std::size_t i) const { return std::get<std::int64_t>(arguments[i]->value); }
  const Shape& index(std::size_t i) const { return std::get<Shape>(arguments[i]->value); }
  Operand operand(std::size_t i) const { return {arguments[i]->tree, array(i)}; }
  void set(std::size_t i, const Operand& operand) {
    arguments[i] = Argument{operand.tree, operand.value};
  }
};

// Violations, here and in the call that is made of it, mean that nothing fitted.
void complete(Builder& builder, Call& call);

// By groups of operations; false if the operation is of another one.
bool complete_structure(Builder& builder, Call& call);
bool complete_along_axis(Builder& builder, Call& call);
bool complete_slice(Builder& builder, Call& call);
bool complete_products(Builder& builder, Call& call);

// A choice; none is a violation.
std::int64_t between(Builder& builder, std::int64_t low, std::int64_t high);

// What an operand at this parameter has to hold for the operation.
Elements elements_at(const Operation& operation, std::size_t slot);

// The integers that are of use at a parameter.
struct Range {
  std::int64_t low;
  std::int64_t high;
};
Range range_at(const Operation& operation, std::size_t slot);

}  // namespace rhopsi::oracle
