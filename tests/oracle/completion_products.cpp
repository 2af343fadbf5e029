// Calls with several arrays, and operations on cells.
#include <algorithm>

#include "tests/oracle/completion.hpp"

namespace rhopsi::oracle {
namespace {

Shape small_shape(Builder& builder, std::int64_t least, std::int64_t most) {
  Shape shape(static_cast<std::size_t>(between(builder, least, most)));
  for (std::int64_t& length : shape) {
    length = between(builder, builder.choice().once_in(12) ? 0 : 1, 3);
  }
  return shape;
}

// The same shape, or a number for an array or the other way round.
Shape matching(Builder& builder, const Shape& shape) {
  if (shape.empty() && builder.choice().once_in(2)) return small_shape(builder, 0, 3);
  return builder.choice().once_in(4) ? Shape{} : shape;
}

void complete_pointwise(Builder& builder, Call& call) {
  Shape common;
  for (const auto& argument : call.arguments) {
    if (argument) common = std::get<Array>(argument->value).shape;
  }
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (call.has(i)) continue;
    const Shape shape = matching(builder, common);
    call.set(i, builder.of_shape(shape));
    if (!shape.empty()) common = shape;
  }
}

void complete_outer(Builder& builder, Call& call) {
  const std::size_t there = call.has(0) ? 0 : 1;
  const std::int64_t most = std::min<std::int64_t>(3, 6 - call.array(there).rank());
  call.set(1 - there, builder.of_shape(small_shape(builder, 0, most)));
}

void complete_inner(Builder& builder, Call& call) {
  const std::size_t there = call.has(0) ? 0 : 1;
  const Shape& shape = call.array(there).shape;
  require(!shape.empty(), "an inner product needs axes");
  const std::int64_t most = std::min<std::int64_t>(2, 7 - std::ssize(shape));
  Shape other = small_shape(builder, 0, most);
  if (there == 0) {
    other.insert(other.begin(), shape.back());
  } else {
    other.push_back(shape.front());
  }
  call.set(1 - there, builder.of_shape(other));
}

// The rank of cells of `array` that the operation can work on.
std::int64_t cell_rank(Builder& builder, const Call& call, std::int64_t rank) {
  const Range range = range_at(call.operation, 0);
  return between(builder, range.low, std::min(range.high + 1, rank));
}

void complete_cells(Builder& builder, Call& call) {
  if (call.has(0)) {
    const bool vectors = call.operation.name == "omega_grade_up";
    const std::int64_t rank = vectors ? 1 : cell_rank(builder, call, call.array(0).rank());
    call.arguments[1] = builder.integer(rank);
  } else {
    const std::int64_t rank = call.integer(1);
    call.set(0, builder.of_shape(small_shape(builder, rank, rank + 2)));
  }
}

// A shape for the cells of the other operand. `left` tells which of them is there.
Shape other_cell(Builder& builder, const Call& call, const Shape& cell, bool left) {
  if (call.operation.name == "omega_outer_mul") return small_shape(builder, 0, 1);
  if (call.operation.name != "omega_matmul") return matching(builder, cell);
  require(!cell.empty(), "an inner product needs axes");
  Shape other = small_shape(builder, 0, 1);
  if (left) {
    other.insert(other.begin(), cell.back());
  } else {
    other.push_back(cell.front());
  }
  return other;
}

// Frames agree at their inner ends.
Shape other_frame(Builder& builder, const Shape& frame) {
  if (builder.choice().once_in(3)) return joined(small_shape(builder, 1, 1), frame);
  return {frame.begin() + between(builder, 0, std::ssize(frame)), frame.end()};
}

void complete_pairs_of_cells(Builder& builder, Call& call) {
  const bool nothing = !call.has(0) && !call.has(1);
  if (nothing) {
    const std::size_t rank_at = call.has(2) ? 2 : 3;
    const std::int64_t rank = call.integer(rank_at);
    call.set(rank_at - 2, builder.of_shape(small_shape(builder, rank, rank + 1)));
  }
  const std::size_t there = call.has(0) ? 0 : 1;
  const Shape& shape = call.array(there).shape;
  if (!call.has(there + 2)) {
    call.arguments[there + 2] = builder.integer(cell_rank(builder, call, std::ssize(shape)));
  }
  const auto cut = shape.end() - call.integer(there + 2);
  const Shape cell = other_cell(builder, call, Shape(cut, shape.end()), there == 0);
  const Shape frame = other_frame(builder, Shape(shape.begin(), cut));
  call.set(1 - there, builder.of_shape(joined(frame, cell)));
  call.arguments[3 - there] = builder.integer(std::ssize(cell));
}

}  // namespace

bool complete_products(Builder& builder, Call& call) {
  const std::string& name = call.operation.name;
  const std::string& parameters = call.operation.parameters;
  if (name.starts_with("outer_")) {
    complete_outer(builder, call);
  } else if (name.starts_with("inner_") || name == "matmul") {
    complete_inner(builder, call);
  } else if (parameters == "An") {
    complete_cells(builder, call);
  } else if (parameters == "AAnn") {
    complete_pairs_of_cells(builder, call);
  } else if (parameters == "AA" || parameters == "AAA") {
    complete_pointwise(builder, call);
  } else {
    return false;
  }
  return true;
}

}  // namespace rhopsi::oracle
