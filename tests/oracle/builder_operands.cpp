// Operands of a shape that is given: an operation is chosen, and what it has to be applied to.
#include <algorithm>

#include "tests/oracle/builder.hpp"

namespace rhopsi::oracle {
namespace {

Argument argument(const Operand& operand) { return {operand.tree, operand.value}; }

Shape inserted(Shape shape, std::int64_t axis, std::int64_t length) {
  shape.insert(shape.begin() + axis, length);
  return shape;
}

Shape with_length(Shape shape, std::int64_t axis, std::int64_t length) {
  shape.at(static_cast<std::size_t>(axis)) = length;
  return shape;
}

}  // namespace

std::optional<Operand> Builder::known_of_shape(const Shape& shape) const {
  for (const Operand& known : made_) {
    if (known.value.shape == shape && depth(known.tree) <= depth_) return known;
  }
  return std::nullopt;
}

Operand Builder::of_shape(const Shape& shape, Elements elements) {
  require(std::ssize(shape) <= 6 && product(shape) <= 240, "too large");
  if (elements == Elements::any && choice_.once_in(6)) {
    if (auto known = known_of_shape(shape)) return *known;
  }
  if (depth_ <= 0 || choice_.once_in(2)) return leaf(shape, elements);
  --depth_;
  std::optional<Operand> made;
  try {
    made = call_of_shape(shape, elements);
  } catch (const Violation&) {  // too large on the way
  }
  ++depth_;
  return made && made->value.shape == shape && holds(made->value, elements) ? *made
                                                                            : leaf(shape, elements);
}

std::optional<Operand> Builder::call_of_shape(const Shape& shape, Elements elements) {
  const std::int64_t rank = std::ssize(shape);
  const std::int64_t axis = rank == 0 ? 0 : choice_.between(0, int(rank) - 1);
  const std::int64_t length = rank == 0 ? 0 : shape[std::size_t(axis)];
  const Argument place{literal(axis), axis};
  const auto of = [&](const Shape& other) { return argument(of_shape(other, elements)); };
  const auto make = [&](const std::string& name, const std::string& parameters,
                        const std::vector<Argument>& arguments) {
    return call(operation(name, parameters), arguments);
  };
  const auto longer = [&](int most) {
    return with_length(shape, axis, length + choice_.between(0, most));
  };
  const bool wide = elements == Elements::any;
  switch (choice_.between(rank == 0 ? 8 : 0, 13)) {
    case 0:
      return make("reverse", "Ax", {of(shape), place});
    case 1:
      return make("rotate", "Axn", {of(shape), place, integer(choice_.between(-4, 4))});
    case 2:
      return make("take", "Axn",
                  {of(longer(2)), place, integer(choice_.once_in(2) ? length : -length)});
    case 3: {
      const Argument whole = of(longer(2));
      const std::int64_t more = std::get<Array>(whole.value).length(axis) - length;
      return make("drop", "Axn", {whole, place, integer(choice_.once_in(2) ? more : -more)});
    }
    case 4: {
      const std::int64_t first = choice_.between(0, int(length));
      const Argument left = of(with_length(shape, axis, first));
      return make("cat", "AAx", {left, of(with_length(shape, axis, length - first)), place});
    }
    case 5:
      return make("transpose", "A", {of({shape.rbegin(), shape.rend()})});
    case 6: {
      if (length < 2) return std::nullopt;
      const std::int64_t before = choice_.between(0, 1);
      return make(
          choice_.once_in(2) ? "pad_circular" : "pad_edge", "Axnn",
          {of(with_length(shape, axis, length - 1)), place, integer(before), integer(1 - before)});
    }
    case 7: {
      if (rank < 2 || axis + 1 == rank) return std::nullopt;
      const std::int64_t q = shape[std::size_t(axis) + 1];
      Shape merged = with_length(shape, axis, length * q);
      merged.erase(merged.begin() + axis + 1);
      return make("lift", "Axn", {of(merged), place, integer(q)});
    }
    case 8:
      return make("reshape", "Ap", {of(factors_of(product(shape))), index(shape)});
    case 9: {
      const std::int64_t count = choice_.between(1, 3);
      const Argument cells = of(inserted(shape, 0, count));
      return make("psi", "pA", {index({choice_.between(0, int(count) - 1)}), cells});
    }
    case 10:
      return make(wide ? "sum" : "maximum", "Ax", {of(inserted(shape, axis, 2)), place});
    case 11:
      if (!wide) return std::nullopt;
      return make(choice_.once_in(2) ? "-_" : "abs", "A", {of(shape)});
    case 12:
      if (!wide) return std::nullopt;
      return make(choice_.once_in(2) ? "_+_" : "_*_", "AA", {of(shape), of({})});
    default:
      if (!wide) return std::nullopt;
      return make(choice_.once_in(2) ? "_-_" : "min", "AA", {of(shape), of(shape)});
  }
}

}  // namespace rhopsi::oracle
