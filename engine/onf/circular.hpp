// Indices of a nest that go around: (i + c) modulo the length of its axis.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

struct CircularIndex {
  std::size_t axis = 0;
  std::int64_t offset = 0;
};

// Of `(i + c) mod n`: i the nest's index of an axis, c a number, n the length of that axis. Nothing
// for any other expression. For a nest over the domain that has one index per axis.
std::optional<CircularIndex> circular_index(const Nest& nest, const Expr& e);

// The offset of index + c, index - c and, if the nest has it for that axis, (index + c) mod n.
// Nothing for any other expression, also where it is the same number.
std::optional<std::int64_t> offset_from(const Nest& nest, const Expr& e, std::size_t axis);

// How far all such indices of the nest go, by axis: {-least, greatest}. Linear.
std::vector<Margin> circular_reach(const Nest& nest);

// What is wrong with how the nest says that they are computed; empty: nothing.
std::optional<std::string> circular_fault(const Nest& nest);

}  // namespace rhopsi::onf
