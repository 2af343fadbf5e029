// Calls with shapes, index vectors and slices.
#include <algorithm>
#include <numeric>

#include "tests/oracle/completion.hpp"

namespace rhopsi::oracle {
namespace {

void require_natural(const Shape& index) {
  for (const std::int64_t component : index) {
    require(0 <= component && component < 10, "a component is of no use");
  }
}

// Lengths that the index is below.
Shape above(Builder& builder, const Shape& index) {
  require_natural(index);
  Shape shape;
  for (const std::int64_t component : index) {
    shape.push_back(component + between(builder, 1, 2));
  }
  return shape;
}

Shape below(Builder& builder, const Shape& shape) {
  Shape index;
  for (const std::int64_t length : shape) {
    require(length > 0, "nothing below 0");
    index.push_back(between(builder, 0, std::min<std::int64_t>(length, 100) - 1));
  }
  return index;
}

void complete_reshape(Builder& builder, Call& call) {
  if (call.has(0)) {
    call.arguments[1] = builder.index(builder.factors_of(product(call.array(0).shape)));
    return;
  }
  require_natural(call.index(1));
  require(product(call.index(1)) <= 240, "too many elements");
  call.set(0, builder.of_shape(builder.factors_of(product(call.index(1)))));
}

void complete_psi(Builder& builder, Call& call) {
  if (call.has(1)) {
    Shape shape = call.array(1).shape;
    shape.resize(static_cast<std::size_t>(between(builder, 0, std::ssize(shape))));
    call.arguments[0] = builder.index(below(builder, shape));
    return;
  }
  Shape shape = above(builder, call.index(0));
  if (builder.choice().once_in(2)) shape.push_back(between(builder, 1, 3));
  call.set(1, builder.of_shape(shape));
}

void complete_transpose(Builder& builder, Call& call) {
  if (call.has(0)) {
    Shape permutation(static_cast<std::size_t>(call.array(0).rank()));
    std::iota(permutation.begin(), permutation.end(), std::int64_t{0});
    for (std::size_t i = permutation.size(); i > 1; --i) {
      std::swap(permutation[i - 1],
                permutation[static_cast<std::size_t>(between(builder, 0, std::int64_t(i) - 1))]);
    }
    call.arguments[1] = builder.index(permutation);
    return;
  }
  Shape shape;
  for (std::size_t i = 0; i < call.index(1).size(); ++i) shape.push_back(between(builder, 1, 3));
  call.set(0, builder.of_shape(shape));
}

void complete_gamma(Builder& builder, Call& call) {
  if (call.has(0)) {
    call.arguments[1] = builder.index(above(builder, call.index(0)));
  } else {
    call.arguments[0] = builder.index(below(builder, call.index(1)));
  }
}

void complete_gamma_inverse(Builder& builder, Call& call) {
  if (call.has(0)) {
    const std::int64_t last = call.integer(0) / 3 + between(builder, 1, 2);
    call.arguments[1] = builder.index({3, last});
    return;
  }
  require_natural(call.index(1));
  require(product(call.index(1)) > 0, "no offset fits");
  call.arguments[0] =
      builder.integer(between(builder, 0, std::min<std::int64_t>(product(call.index(1)), 99) - 1));
}

// Start, count and stride on one axis.
struct Slice {
  std::int64_t start = 0;
  std::int64_t count = 0;
  std::int64_t stride = 1;

  std::int64_t last() const { return start + (count - 1) * stride; }
};

std::size_t rank_of(const Call& call) {
  for (std::size_t i = 0; i < 5; ++i) {
    if (!call.has(i)) continue;
    return i == 0 || i == 4 ? call.array(i).shape.size() : call.index(i).size();
  }
  return 0;
}

// What is there stays as it is; nothing if the rest cannot be chosen.
Slice slice_on(Builder& builder, const Call& call, std::size_t axis) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    Slice slice{call.has(1) ? call.index(1)[axis] : between(builder, 0, 3),
                call.has(2) ? call.index(2)[axis] : between(builder, 0, 3),
                call.has(3) ? call.index(3)[axis] : between(builder, -2, 3)};
    if (call.has(4)) slice.count = call.array(4).shape[axis];
    const bool once = slice.count < 2 || slice.stride != 0;
    const std::int64_t furthest = std::max(slice.start, slice.last());
    const bool inside =
        slice.count == 0 || (std::min(slice.start, slice.last()) >= 0 && furthest < 12 &&
                             (!call.has(0) || furthest < call.array(0).shape[axis]));
    if (once && inside && slice.count >= 0 && slice.count < 12) return slice;
  }
  throw Violation("no slice fits");
}

}  // namespace

bool complete_slice(Builder& builder, Call& call) {
  if (call.operation.name != "update") return false;
  Shape start;
  Shape counts;
  Shape strides;
  Shape shape;
  for (std::size_t axis = 0; axis < rank_of(call); ++axis) {
    const Slice slice = slice_on(builder, call, axis);
    start.push_back(slice.start);
    counts.push_back(slice.count);
    strides.push_back(slice.stride);
    const std::int64_t needed = slice.count == 0 ? 0 : std::max(slice.start, slice.last()) + 1;
    shape.push_back(needed + between(builder, 0, 1));
  }
  if (!call.has(0)) call.set(0, builder.of_shape(shape));
  if (!call.has(4)) call.set(4, builder.of_shape(counts));
  if (!call.has(1)) call.arguments[1] = builder.index(start);
  if (!call.has(2)) call.arguments[2] = builder.index(counts);
  if (!call.has(3)) call.arguments[3] = builder.index(strides);
  return true;
}

bool complete_structure(Builder& builder, Call& call) {
  const std::string& name = call.operation.name;
  if (name == "reshape") {
    complete_reshape(builder, call);
  } else if (name == "psi") {
    complete_psi(builder, call);
  } else if (name == "transpose" && call.arguments.size() == 2) {
    complete_transpose(builder, call);
  } else if (name == "gamma") {
    complete_gamma(builder, call);
  } else if (name == "gamma_inverse") {
    complete_gamma_inverse(builder, call);
  } else {
    return false;
  }
  return true;
}

}  // namespace rhopsi::oracle
