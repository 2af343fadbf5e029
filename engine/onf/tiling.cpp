#include "engine/onf/tiling.hpp"

#include <algorithm>
#include <cstdint>

namespace rhopsi::onf {

namespace {

bool at_most(const Ranges& ranges, const Affine& left, const Affine& right) {
  const auto gap = difference(right, left);
  return gap && ranges.not_negative(*gap);
}
bool same(const Ranges& ranges, const Affine& left, const Affine& right) {
  return at_most(ranges, left, right) && at_most(ranges, right, left);
}

bool is_empty(const Ranges& ranges, const Region& box) {
  return std::ranges::any_of(
      box, [&](const Span& span) { return at_most(ranges, span.high, span.low); });
}

bool is_constant(const Region& box) {
  return std::ranges::all_of(
      box, [](const Span& span) { return span.low.terms.empty() && span.high.terms.empty(); });
}

std::string index_text(const std::vector<std::int64_t>& index) {
  std::string text;
  for (const std::int64_t component : index) {
    text += (text.empty() ? "" : ", ") + std::to_string(component);
  }
  return "[" + text + "]";
}

// The first index that both boxes hold.
std::optional<std::vector<std::int64_t>> shared(const Region& a, const Region& b) {
  std::vector<std::int64_t> index;
  for (std::size_t axis = 0; axis < a.size(); ++axis) {
    const std::int64_t low = std::max(a[axis].low.constant, b[axis].low.constant);
    if (low >= std::min(a[axis].high.constant, b[axis].high.constant)) return std::nullopt;
    index.push_back(low);
  }
  return index;
}

// The number of elements, which no array of that many could hold where it overflows.
std::optional<std::int64_t> volume(const Region& box) {
  std::int64_t product = 1;
  for (const Span& span : box) {
    const std::int64_t length = std::max<std::int64_t>(span.high.constant - span.low.constant, 0);
    if (__builtin_mul_overflow(product, length, &product)) return std::nullopt;
  }
  return product;
}

Tiling count(const Region& whole, const std::vector<Region>& boxes) {
  std::int64_t held = 0;
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    for (std::size_t axis = 0; axis < whole.size(); ++axis) {
      const Span& span = boxes[k][axis];
      for (const std::int64_t end : {span.low.constant, span.high.constant - 1}) {
        if (end < whole[axis].low.constant || end >= whole[axis].high.constant) {
          return {Tiling::Verdict::wrong, "are outside of it at index " + std::to_string(end) +
                                              " on axis " + std::to_string(axis)};
        }
      }
    }
    for (std::size_t other = 0; other < k; ++other) {
      if (const auto index = shared(boxes[k], boxes[other])) {
        return {Tiling::Verdict::wrong, "write its element " + index_text(*index) + " twice"};
      }
    }
    const auto size = volume(boxes[k]);
    if (!size || __builtin_add_overflow(held, *size, &held)) return {Tiling::Verdict::unknown, ""};
  }
  const auto wanted = volume(whole);
  if (!wanted) return {Tiling::Verdict::unknown, ""};
  if (held == *wanted) return {Tiling::Verdict::covers, ""};
  return {Tiling::Verdict::wrong,
          "write " + std::to_string(held) + " of its " + std::to_string(*wanted) + " elements"};
}

// Cuts the region in two where no box crosses the cut, until one box is left that is the region.
// Boxes that cover a region cover both parts of any such cut, so no other one need be tried.
class Cutting {
 public:
  explicit Cutting(const Ranges& ranges) : ranges_(ranges) {}

  bool covers(const Region& region, const std::vector<Region>& boxes) const {
    if (boxes.empty()) return is_empty(ranges_, region);
    if (boxes.size() == 1) return equal(region, boxes.front());
    for (std::size_t axis = 0; axis < region.size(); ++axis) {
      for (const Region& box : boxes) {
        for (const Affine* at : {&box[axis].low, &box[axis].high}) {
          const auto sides = cut(region, boxes, axis, *at);
          if (!sides) continue;
          Region left = region, right = region;
          left[axis].high = *at;
          right[axis].low = *at;
          return covers(left, sides->below) && covers(right, sides->above);
        }
      }
    }
    return false;
  }

 private:
  struct Sides {
    std::vector<Region> below, above;
  };

  bool equal(const Region& a, const Region& b) const {
    for (std::size_t axis = 0; axis < a.size(); ++axis) {
      if (!same(ranges_, a[axis].low, b[axis].low) || !same(ranges_, a[axis].high, b[axis].high)) {
        return false;
      }
    }
    return true;
  }

  std::optional<Sides> cut(const Region& region, const std::vector<Region>& boxes, std::size_t axis,
                           const Affine& at) const {
    if (!at_most(ranges_, region[axis].low, at) || !at_most(ranges_, at, region[axis].high)) {
      return std::nullopt;
    }
    Sides sides;
    for (const Region& box : boxes) {
      if (at_most(ranges_, box[axis].high, at)) {
        sides.below.push_back(box);
      } else if (at_most(ranges_, at, box[axis].low)) {
        sides.above.push_back(box);
      } else {
        return std::nullopt;
      }
    }
    if (sides.below.empty() || sides.above.empty()) return std::nullopt;
    return sides;
  }

  const Ranges& ranges_;
};

}  // namespace

Tiling tile(const Ranges& ranges, const Region& whole, std::vector<Region> boxes) {
  std::erase_if(boxes, [&](const Region& box) { return is_empty(ranges, box); });
  if (is_constant(whole) && std::ranges::all_of(boxes, is_constant)) return count(whole, boxes);
  const bool covers = Cutting(ranges).covers(whole, boxes);
  return {covers ? Tiling::Verdict::covers : Tiling::Verdict::unknown, ""};
}

}  // namespace rhopsi::onf
