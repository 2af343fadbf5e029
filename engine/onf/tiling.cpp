#include "engine/onf/tiling.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

namespace rhopsi::onf {

namespace {

// Of ends that are extremes 2^most_cases cases are looked at, and so many boxes at once.
constexpr int most_cases = 4;
constexpr std::size_t few = 16;

bool at_most(const Ranges& ranges, const Affine& left, const Affine& right) {
  const auto gap = difference(right, left);
  return gap && ranges.not_negative(*gap);
}

// The order of the ends of boxes, as far as it is known. Hundreds of boxes have few different ends:
// what is known of two is found out once.
class Order {
 public:
  explicit Order(const Ranges& ranges) : ranges_(ranges) {}

  bool at_most(const Affine& left, const Affine& right) {
    auto gap = difference(right, left);
    if (!gap) return false;
    const auto [place, fresh] = not_negative_.try_emplace(std::move(*gap), false);
    if (fresh) place->second = ranges_.not_negative(place->first);
    return place->second;
  }
  bool same(const Affine& left, const Affine& right) {
    return at_most(left, right) && at_most(right, left);
  }
  bool is_empty(const Region& box) {
    return std::ranges::any_of(box, [&](const Span& span) { return at_most(span.high, span.low); });
  }

 private:
  const Ranges& ranges_;
  std::map<Affine, bool> not_negative_;
};

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
  return {Tiling::Verdict::part,
          "write " + std::to_string(held) + " of its " + std::to_string(*wanted) + " elements"};
}

// Cuts the region in two where no box crosses the cut, until one box is left that is the region.
// Boxes that cover a region cover both parts of any such cut, so no other one need be tried.
class Cutting {
 public:
  explicit Cutting(Order& order) : order_(order) {}

  bool covers(const Region& region, const std::vector<Region>& boxes) const {
    if (boxes.empty()) return order_.is_empty(region);
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
      if (!order_.same(a[axis].low, b[axis].low) || !order_.same(a[axis].high, b[axis].high)) {
        return false;
      }
    }
    return true;
  }

  std::optional<Sides> cut(const Region& region, const std::vector<Region>& boxes, std::size_t axis,
                           const Affine& at) const {
    if (!order_.at_most(region[axis].low, at) || !order_.at_most(at, region[axis].high)) {
      return std::nullopt;
    }
    Sides sides;
    for (const Region& box : boxes) {
      if (order_.at_most(box[axis].high, at)) {
        sides.below.push_back(box);
      } else if (order_.at_most(at, box[axis].low)) {
        sides.above.push_back(box);
      } else {
        return std::nullopt;
      }
    }
    if (sides.below.empty() || sides.above.empty()) return std::nullopt;
    return sides;
  }

  Order& order_;
};

// --- ends that are the smaller or the greater of two

bool equal(const Span& a, const Span& b) { return a.low == b.low && a.high == b.high; }

// The value with another one in place of an atom.
std::optional<Affine> with(const Affine& value, std::uint32_t atom, const Affine& other) {
  const auto found =
      std::ranges::find(value.terms, atom, &std::pair<std::uint32_t, std::int64_t>::first);
  if (found == value.terms.end()) return value;
  const std::int64_t factor = found->second;
  const auto without = combined(value, {0, {{atom, 1}}}, -factor);
  return without ? combined(*without, other, factor) : std::nullopt;
}

// Boxes that are to cover a region, in a case of what their ends are: each extreme that is decided
// stands nowhere any more.
class Cases {
 public:
  Cases(const Ranges& ranges, Region whole, std::vector<Region> boxes)
      : ranges_(ranges), whole_(std::move(whole)), boxes_(std::move(boxes)) {}

  // In each of the cases that the extremes leave, of which at most 2^most are looked at.
  bool covered(int most) {
    if (covered()) return true;
    constexpr std::size_t most_decided = 16;
    while (const auto atom = decided_.size() < most_decided ? innermost() : std::nullopt) {
      const auto extreme = decided_operands(*atom);
      if (!extreme) return false;
      const auto& [left, right] = *extreme;
      const bool least = ranges_.extreme(*atom)->least;
      if (at_most(ranges_, left, right)) {
        if (!decide(*atom, least ? left : right)) return false;
      } else if (at_most(ranges_, right, left)) {
        if (!decide(*atom, least ? right : left)) return false;
      } else {
        return most > 0 && in_case(*atom, left, right, least ? left : right, most - 1) &&
               in_case(*atom, right, left, least ? right : left, most - 1);
      }
    }
    return covered();
  }

 private:
  struct Operands {
    Affine left, right;
  };

  bool covered() const {
    Order order(ranges_);
    std::vector<Region> boxes = boxes_;
    std::erase_if(boxes, [&](const Region& box) { return order.is_empty(box); });
    return Cutting(order).covers(whole_, boxes);
  }

  // Where low <= high, so that the extreme is `value`.
  bool in_case(std::uint32_t atom, const Affine& low, const Affine& high, const Affine& value,
               int most) const {
    Cases here = *this;
    here.ranges_.assume_at_most(low, high);
    return here.decide(atom, value) && here.covered(most);
  }

  bool decide(std::uint32_t atom, const Affine& value) {
    ranges_.assume_at_most({0, {{atom, 1}}}, value);
    ranges_.assume_at_most(value, {0, {{atom, 1}}});
    decided_.emplace_back(atom, value);
    const auto replace = [&](Region& region) {
      return std::ranges::all_of(region, [&](Span& span) {
        const auto low = with(span.low, atom, value), high = with(span.high, atom, value);
        if (low && high) span = {*low, *high};
        return low && high;
      });
    };
    return replace(whole_) && std::ranges::all_of(boxes_, replace);
  }

  // The operands of an extreme, with what was decided in place of extremes within.
  std::optional<Operands> decided_operands(std::uint32_t atom) const {
    Operands made{ranges_.extreme(atom)->left, ranges_.extreme(atom)->right};
    for (const auto& [decided, value] : decided_) {
      const auto left = with(made.left, decided, value), right = with(made.right, decided, value);
      if (!left || !right) return std::nullopt;
      made = {*left, *right};
    }
    return made;
  }

  // An extreme of an end that has none within that is not decided.
  std::optional<std::uint32_t> innermost() const {
    std::optional<std::uint32_t> found;
    for (const Region& box : boxes_) {
      for (const Span& span : box) {
        for (const Affine* end : {&span.low, &span.high}) {
          if (!found) found = extreme_in(*end);
        }
      }
    }
    while (found) {
      const auto operands = decided_operands(*found);
      if (!operands) return found;
      auto within = extreme_in(operands->left);
      if (!within) within = extreme_in(operands->right);
      if (!within) return found;
      found = within;
    }
    return found;
  }
  std::optional<std::uint32_t> extreme_in(const Affine& value) const {
    for (const auto& [atom, coefficient] : value.terms) {
      if (ranges_.extreme(atom) != nullptr) return atom;
    }
    return std::nullopt;
  }

  Ranges ranges_;
  Region whole_;
  std::vector<Region> boxes_;
  std::vector<std::pair<std::uint32_t, Affine>> decided_;
};

// The spans of each axis, if the boxes are all their combinations, each once.
std::optional<std::vector<std::vector<Span>>> grid(const std::vector<Region>& boxes,
                                                   std::size_t rank) {
  std::vector<std::vector<Span>> axes(rank);
  std::set<std::vector<std::size_t>> places;
  std::size_t all = 1;
  for (const Region& box : boxes) {
    std::vector<std::size_t> place;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const auto found = std::ranges::find_if(
          axes[axis], [&](const Span& span) { return equal(span, box[axis]); });
      place.push_back(static_cast<std::size_t>(found - axes[axis].begin()));
      if (found == axes[axis].end()) axes[axis].push_back(box[axis]);
    }
    if (!places.insert(place).second) return std::nullopt;
  }
  for (const auto& spans : axes) all *= spans.size();
  if (rank == 0 || all != boxes.size()) return std::nullopt;
  return axes;
}

bool covers_by_axes(const Ranges& ranges, const Region& whole, const std::vector<Region>& boxes) {
  const auto axes = grid(boxes, whole.size());
  if (!axes) return false;
  for (std::size_t axis = 0; axis < whole.size(); ++axis) {
    std::vector<Region> spans;
    for (const Span& span : (*axes)[axis]) spans.push_back({span});
    if (!Cases(ranges, {whole[axis]}, std::move(spans)).covered(most_cases)) return false;
  }
  return true;
}

}  // namespace

Tiling tile(const Ranges& ranges, const Region& whole, std::vector<Region> boxes) {
  const std::vector<Region> all = boxes;
  Order order(ranges);
  std::erase_if(boxes, [&](const Region& box) { return order.is_empty(box); });
  if (is_constant(whole) && std::ranges::all_of(boxes, is_constant)) return count(whole, boxes);
  const bool covers = Cutting(order).covers(whole, boxes) || covers_by_axes(ranges, whole, all) ||
                      (boxes.size() <= few && Cases(ranges, whole, boxes).covered(most_cases));
  return {covers ? Tiling::Verdict::covers : Tiling::Verdict::unknown, ""};
}

}  // namespace rhopsi::onf
