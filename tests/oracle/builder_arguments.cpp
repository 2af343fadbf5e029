#include <algorithm>

#include "tests/oracle/builder.hpp"

namespace rhopsi::oracle {
namespace {

// `tree`, an integer, plus a number.
Tree shifted(const Tree& tree, std::int64_t by) {
  if (by == 0) return tree;
  return by > 0 ? call("_+_", {tree, literal(by)}) : call("_-_", {tree, literal(-by)});
}

Tree shape_of(const Operand& operand) { return call("shape", {operand.tree}); }

}  // namespace

Argument Builder::integer(std::int64_t value) {
  if (made_.empty() || !choice_.once_in(6)) return {literal(value), value};
  const Operand& known = choice_.of(made_);
  switch (choice_.between(0, 3)) {
    case 0:
      return {shifted(oracle::call("dim", {known.tree}), value - known.value.rank()), value};
    case 1:
      return {shifted(oracle::call("size", {known.tree}), value - product(known.value.shape)),
              value};
    case 2:
      if (known.value.rank() > 0) {
        const std::int64_t axis = choice_.between(0, int(known.value.rank()) - 1);
        return {shifted(oracle::call("at", {shape_of(known), literal(axis)}),
                        value - known.value.length(axis)),
                value};
      }
      [[fallthrough]];
    default:
      return integer_from(leaf({}, Elements::natural), value, value);
  }
}

Argument Builder::index(const Shape& value) {
  if (!choice_.once_in(4)) return {literal(value), value};
  for (const Operand& known : made_) {
    if (known.value.shape == value) return {shape_of(known), value};
    Shape reversed(value.rbegin(), value.rend());
    if (known.value.shape == reversed) {
      return {oracle::call("reverse", {shape_of(known)}), value};
    }
  }
  const auto length = std::ssize(value);
  const auto cut = value.begin() + choice_.between(0, int(length));
  switch (choice_.between(0, 3)) {
    case 0:
      return {oracle::call("join",
                           {literal(Shape(value.begin(), cut)), literal(Shape(cut, value.end()))}),
              value};
    case 1: {
      Shape longer = value;
      longer.push_back(choice_.between(0, 3));
      return {oracle::call("take", {literal(longer), literal(length)}), value};
    }
    case 2: {
      Shape longer = value;
      longer.insert(longer.begin() + (cut - value.begin()), 7);
      return {oracle::call("remove", {literal(longer), literal(cut - value.begin())}), value};
    }
    default:
      return {oracle::call("index", {vector_of(value).tree}), value};
  }
}

Argument Builder::axis_of(const Operand& array, std::int64_t axis) {
  if (!choice_.once_in(10)) return {literal(axis), axis};
  return {shifted(oracle::call("dim", {array.tree}), axis - array.value.rank()), axis};
}

Argument Builder::integer_from(const Operand& x, std::int64_t low, std::int64_t high) {
  require(x.value.rank() == 0, "a scalar is needed");
  const std::int64_t value = integer_of(converted(x.value.elements[0], Type::integer));
  const bool in_range = low <= value && value <= high;
  const std::int64_t wanted = in_range ? value : choice_.between(int(low), int(high));
  require(-1'000'000 < value && value < 1'000'000, "an integer is too large");
  return {shifted(oracle::call("integer", {x.tree}), wanted - value), wanted};
}

Argument Builder::index_from(const Operand& x) {
  return {oracle::call("index", {x.tree}), integers_of(x.value)};
}

}  // namespace rhopsi::oracle
