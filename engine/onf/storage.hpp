// Of the operational form: what blocks store, pads included, and views of them. Included by
// form.hpp.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/onf/expression.hpp"

namespace rhopsi::onf {

// The stored box of one axis is [-low, n + high), n the symbolic extent of that axis.
enum class Outside : std::uint8_t { undefined, circular };
struct StoredAxis {
  std::int64_t low = 0;
  std::int64_t high = 0;
  Outside outside = Outside::undefined;  // what the part outside [0, n) holds when fresh
};

// No axis is longer, of arrays without elements neither.
inline constexpr std::int64_t greatest_length = std::int64_t{1} << 56;

struct Block {
  Scalar element = Scalar::float64;
  std::vector<StoredAxis> box;  // one per axis of the domain
  // A shape of its own, instead of the domain's and its pads: the length of each axis, in
  // variables that are set before the block is allocated. An argument's is its contract.
  std::optional<std::vector<Expr>> extents = std::nullopt;
  // Of such a shape: so many indices of the last axis lie together, with all of the other axes, and
  // behind them the next ones (in_blocks.hpp). 0: rows lie behind one another.
  std::int64_t in_blocks = 0;
  // Of an argument that is never written, or of what a RowFold writes, for each axis of the domain:
  // are elements that differ in nothing but their index there the same one, and stored once? Empty:
  // no axis is like that.
  std::vector<bool> broadcast = {};
  // Has it one element along each row? A load of it may have any index there.
  bool same_along_rows() const { return !broadcast.empty() && broadcast.back(); }
};

// One link of a view's chain: component a of the index becomes start[a] + stride[a] * i[a].
struct IndexFunction {
  std::vector<std::int64_t> start;
  std::vector<std::int64_t> stride;
};

struct View {
  std::string name;
  BlockId block{};
  std::vector<IndexFunction> chain;  // empty: the identity
  bool parameter = false;            // its block comes from the caller
  bool temporary = false;            // made by lowering, named once
  term::LocationId location{};
};

// What a pad holds of one axis: [-low, 0) and [n, n + high).
struct Margin {
  std::int64_t low = 0;
  std::int64_t high = 0;
  friend auto operator<=>(const Margin&, const Margin&) = default;
};
// What a pad holds. Without corners only where one index at most is outside its axis.
struct Halo {
  std::vector<Margin> axes;
  bool corners = false;
  friend bool operator==(const Halo&, const Halo&) = default;
};

}  // namespace rhopsi::onf
