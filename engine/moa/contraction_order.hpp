// The order of the binary products of a contraction with the fewest operations. Internal to this
// folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rhopsi::moa {

using IndexSet = std::uint64_t;  // bit k: index k

// Operands and products of two of them, parts before what they are part of; the last is all.
struct OrderNode {
  struct Parts {
    std::size_t left;
    std::size_t right;
  };
  std::optional<Parts> parts;  // places in the order
  std::size_t operand = 0;     // where there are no parts
  IndexSet summed = 0;         // over these it is summed then
  IndexSet kept = 0;           // on these it depends after that
};
using Order = std::vector<OrderNode>;

inline constexpr std::size_t most_ordered_operands = 10;

// `operands` are the indices that each depends on, `summed` those of the contraction. Counted are
// multiplications and additions, each intermediate computed once. Exact, by dynamic programming
// over sets of operands: O(3^n). At least one and at most most_ordered_operands operands.
Order cheapest_order(std::span<const IndexSet> operands, IndexSet summed,
                     std::span<const double> lengths);

}  // namespace rhopsi::moa
