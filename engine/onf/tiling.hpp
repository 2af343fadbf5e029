// Do boxes cover an array's indices, each index once? Internal to the engine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/onf/ranges.hpp"

namespace rhopsi::onf {

struct Span {
  Affine low;
  Affine high;  // exclusive
};
using Region = std::vector<Span>;  // a span per axis

struct Tiling {
  enum class Verdict { covers, part, wrong, unknown } verdict;
  std::string reason;  // where it is wrong, or a part
};

// Empty boxes do not count. What ends at the smaller or greater of two is looked at for each.
Tiling tile(const Ranges& ranges, const Region& whole, std::vector<Region> boxes);

}  // namespace rhopsi::onf
