// Calls along an axis.
#include <algorithm>

#include "tests/oracle/completion.hpp"

namespace rhopsi::oracle {
namespace {

std::int64_t ones(const Array& mask) {
  require(mask.rank() == 1 && holds(mask, Elements::mask), "a mask is needed");
  return std::count_if(mask.elements.begin(), mask.elements.end(), truth_of);
}

std::int64_t beyond(const Array& places) {
  std::int64_t most = -1;
  for (const std::int64_t place : integers_of(places)) {
    require(0 <= place && place < 12, "a place is outside");
    most = std::max(most, place);
  }
  return most + 1;
}

// How long the axis has to be for the arguments that are there.
std::int64_t length_for(Builder& builder, const Call& call) {
  const std::string& name = call.operation.name;
  if (name == "take" || name == "drop") {
    return (call.has(2) ? std::abs(call.integer(2)) : 0) + between(builder, 0, 2);
  }
  if (name == "lift") return (call.has(2) ? call.integer(2) : 1) * between(builder, 0, 3);
  if (name == "pad_reflect") {
    const std::int64_t l = call.has(2) ? call.integer(2) : 0;
    const std::int64_t r = call.has(3) ? call.integer(3) : 0;
    return std::max(l, r) + between(builder, 1, 3);
  }
  if (name == "rotate" || name == "pad_circular" || name == "pad_edge") {
    return between(builder, 1, 4);
  }
  if (name == "gather" && call.has(2)) return beyond(call.array(2)) + between(builder, 0, 2);
  if (name == "compress" && call.has(2)) return call.array(2).length(0);
  if (name == "expand" && call.has(2)) return ones(call.array(2));
  return between(builder, 0, 4);
}

Operand array_for(Builder& builder, const Call& call) {
  Shape shape = builder.some_shape(call.axis + 1);
  shape[static_cast<std::size_t>(call.axis)] = length_for(builder, call);
  return builder.of_shape(shape);
}

Operand mask_for(Builder& builder, std::int64_t length, std::int64_t count) {
  std::vector<std::int64_t> mask(static_cast<std::size_t>(length), 0);
  require(count <= length, "too many ones");
  while (std::count(mask.begin(), mask.end(), 1) < count) {
    mask[static_cast<std::size_t>(between(builder, 0, length - 1))] = 1;
  }
  return builder.vector_of(mask);
}

std::int64_t divisor(Builder& builder, std::int64_t length) {
  std::vector<std::int64_t> divisors;
  for (std::int64_t q = 1; q <= std::max<std::int64_t>(length, 3); ++q) {
    if (length % q == 0) divisors.push_back(q);
  }
  return builder.choice().of(divisors);
}

// The argument at `i` where the axis has this length.
void fill(Builder& builder, Call& call, std::size_t i, std::int64_t length) {
  const std::string& name = call.operation.name;
  if (name == "take" || name == "drop") {
    call.arguments[i] = builder.integer(between(builder, -length, length));
  } else if (name == "rotate") {
    call.arguments[i] = builder.integer(between(builder, -7, 7));
  } else if (name == "lift") {
    call.arguments[i] = builder.integer(divisor(builder, length));
  } else if (name == "pad_reflect") {
    call.arguments[i] = builder.integer(between(builder, 0, length - 1));
  } else if (name.starts_with("pad_") && i < 4) {
    call.arguments[i] = builder.integer(between(builder, 0, builder.choice().once_in(4) ? 5 : 2));
  } else if (name == "pad_constant") {
    call.set(i, builder.of_shape({}));
  } else if (name == "gather") {
    std::vector<std::int64_t> places(
        static_cast<std::size_t>(length == 0 ? 0 : between(builder, 0, 4)));
    for (std::int64_t& place : places) place = between(builder, 0, length - 1);
    call.set(i, builder.vector_of(places));
  } else if (name == "compress") {
    call.set(i, builder.of_shape({length}, Elements::mask));
  } else {  // expand
    call.set(i, mask_for(builder, length + between(builder, 0, 2), length));
  }
}

// The other operand of a cat.
void complete_cat(Builder& builder, Call& call) {
  const std::size_t there = call.has(0) ? 0 : 1;
  Shape shape = call.array(there).shape;
  require(call.axis < std::ssize(shape), "there is no such axis");
  shape[static_cast<std::size_t>(call.axis)] = between(builder, 0, 3);
  call.set(1 - there, builder.of_shape(shape));
  call.arguments[2] = builder.axis_of(call.operand(0), call.axis);
}

// A second axis of the same length.
void complete_two_axes(Builder& builder, Call& call) {
  const Array& a = call.array(0);
  require_axis(a, call.axis);
  std::vector<std::int64_t> others;
  for (std::int64_t axis = 0; axis < a.rank(); ++axis) {
    if (axis != call.axis && a.length(axis) == a.length(call.axis)) others.push_back(axis);
  }
  require(!others.empty(), "lengths differ");
  call.arguments[1] = builder.axis_of(call.operand(0), call.axis);
  call.arguments[2] = builder.axis_of(call.operand(0), builder.choice().of(others));
}

}  // namespace

bool complete_along_axis(Builder& builder, Call& call) {
  const std::string& parameters = call.operation.parameters;
  const std::size_t place = parameters.find('x');
  if (place == std::string::npos) return false;
  if (call.operation.name == "cat") {
    complete_cat(builder, call);
    return true;
  }
  if (parameters == "Axx") {
    complete_two_axes(builder, call);
    return true;
  }
  if (!call.has(0)) call.set(0, array_for(builder, call));
  require_axis(call.array(0), call.axis);
  call.arguments[place] = builder.axis_of(call.operand(0), call.axis);
  for (std::size_t i = place + 1; i < parameters.size(); ++i) {
    if (!call.has(i)) fill(builder, call, i, call.array(0).length(call.axis));
  }
  return true;
}

}  // namespace rhopsi::oracle
