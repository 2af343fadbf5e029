#include "engine/moa/contraction_order.hpp"

#include <bit>
#include <limits>

namespace rhopsi::moa {

namespace {

using OperandSet = std::uint32_t;

class Search {
 public:
  Search(std::span<const IndexSet> operands, IndexSet summed, std::span<const double> lengths)
      : operands_(operands), summed_(summed), lengths_(lengths), best_(std::size_t{1} << count()) {}

  Order run() {
    for (OperandSet set = 1; set < best_.size(); ++set) consider(set);
    Order order;
    build(all(), order);
    return order;
  }

 private:
  struct Best {
    double cost = std::numeric_limits<double>::infinity();
    OperandSet left = 0;  // 0: an operand
    IndexSet kept = 0;
  };

  std::size_t count() const { return operands_.size(); }
  OperandSet all() const { return static_cast<OperandSet>(best_.size() - 1); }

  IndexSet indices(OperandSet set) const {
    IndexSet joined = 0;
    for (std::size_t k = 0; k < count(); ++k) {
      if ((set >> k & 1) != 0) joined |= operands_[k];
    }
    return joined;
  }

  // Those that no other operand depends on are summed as soon as these are multiplied.
  IndexSet summed_within(OperandSet set) const {
    return indices(set) & summed_ & ~indices(all() & ~set);
  }

  double volume(IndexSet set) const {
    double product = 1;
    for (std::size_t k = 0; k < lengths_.size(); ++k) {
      if ((set >> k & 1) != 0) product *= lengths_[k];
    }
    return product;
  }

  void consider(OperandSet set) {
    Best& best = best_[set];
    const IndexSet within = summed_within(set);
    best.kept = indices(set) & ~within;
    if (std::has_single_bit(set)) {
      best.cost = within != 0 ? volume(indices(set)) : 0;
      return;
    }
    // The first operand is in the left part, so that each pair of parts is met once.
    const OperandSet first = set & ~(set - 1);
    for (OperandSet left = (set - 1) & set; left != 0; left = (left - 1) & set) {
      if ((left & first) == 0) continue;
      const Best& a = best_[left];
      const Best& b = best_[set & ~left];
      const IndexSet joined = a.kept | b.kept;
      const double operations = (joined & within) != 0 ? 2 : 1;
      const double cost = a.cost + b.cost + operations * volume(joined);
      if (cost < best.cost) {
        best.cost = cost;
        best.left = left;
      }
    }
  }

  std::size_t build(OperandSet set, Order& order) const {
    const Best& best = best_[set];
    OrderNode node;
    if (best.left == 0) {
      node.operand = static_cast<std::size_t>(std::countr_zero(set));
      node.summed = summed_within(set);
    } else {
      const std::size_t left = build(best.left, order);
      const std::size_t right = build(set & ~best.left, order);
      node.parts = OrderNode::Parts{left, right};
      node.summed = (best_[best.left].kept | best_[set & ~best.left].kept) & summed_within(set);
    }
    node.kept = best.kept;
    order.push_back(node);
    return order.size() - 1;
  }

  std::span<const IndexSet> operands_;
  IndexSet summed_;
  std::span<const double> lengths_;
  std::vector<Best> best_;
};

}  // namespace

Order cheapest_order(std::span<const IndexSet> operands, IndexSet summed,
                     std::span<const double> lengths) {
  return Search(operands, summed, lengths).run();
}

}  // namespace rhopsi::moa
