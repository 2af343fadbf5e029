#include "engine/moa/faults.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_set>
#include <utility>

#include "engine/moa/facts.hpp"

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;
using Function = ScalarFunction;

class FaultSearch {
 public:
  FaultSearch(const NormalForm& form, std::span<const ExprId> facts)
      : form_(form), expressions_(*form.expressions), facts_(*form.expressions) {
    for (ExprId fact : facts) facts_.assume(fact);
  }

  std::optional<Problem> assumptions() {
    for (const Assumption& assumption : form_.assumptions) {
      visit(assumption.condition);
      if (found_) return std::move(found_);
      if (!fails(assumption.condition)) continue;
      return Problem{assumption.code, assumption.message, {}, assumption.location};
    }
    for (ExprId length : form_.shape) visit(length);
    return std::move(found_);
  }

  std::optional<Problem> values(std::span<const ExprId> values) {
    for (const bool corners : {false, true}) {
      corners_ = corners;
      seen_.clear();
      for (ExprId value : values) visit(value);
      if (!open_) break;
    }
    return std::move(found_);
  }

  std::optional<Problem> pieces() {
    for (const Piece& piece : form_.pieces) {
      const bool some = std::ranges::all_of(piece.box, [&](const Interval& interval) {
        return certain(Function::less, interval.low, interval.high);
      });
      if (some) look_at(piece);
      if (found_) break;
    }
    return std::move(found_);
  }

 private:
  // At all indices at once first: mostly nothing is open then.
  void look_at(const Piece& piece) {
    open_ = false;
    corners_ = false;
    element(piece, piece.box);
    if (found_ || !open_) return;
    corners_ = true;
    const std::size_t corners = std::size_t{1} << piece.box.size();
    for (std::size_t corner = 0; corner < corners && !found_ && left_ > 0; ++corner) {
      std::vector<Interval> box;
      for (std::size_t axis = 0; axis < piece.box.size(); ++axis) {
        box.push_back(end_of(piece.box[axis], (corner >> axis & 1) != 0));
        at_.emplace_back(form_.indices[axis], box.back().low);
      }
      element(piece, box);
      at_.clear();
    }
  }

  // The one index at an end of the interval.
  Interval end_of(const Interval& interval, bool last) {
    const ExprId one = expressions_.integer(1);
    if (last) return {expressions_.subtract(interval.high, one), interval.high};
    return {interval.low, expressions_.add(interval.low, one)};
  }

  void element(const Piece& piece, const std::vector<Interval>& box) {
    const Facts::Mark mark = facts_.mark();
    for (std::size_t axis = 0; axis < box.size(); ++axis) {
      facts_.range(form_.indices[axis], box[axis].low, box[axis].high);
    }
    seen_.clear();
    visit(piece.element);
    facts_.restore(mark);
  }

  void visit(ExprId id) {
    if (found_ || left_ == 0 || !seen_.insert(id).second) return;
    --left_;
    const Node& node = expressions_[id];
    // Of these the first operand alone is certainly computed.
    if (node.kind == Kind::select || is_connective(node)) return visit(node.operands[0]);
    if (node.kind == Kind::fold) return fold(node);
    for (ExprId operand : node.operands) visit(operand);
    if (found_) return;
    if (node.kind == Kind::load) load(node);
    if (node.kind == Kind::apply && divides(node)) divisor(id, node);
  }

  void fold(const Node& node) {
    const ExprId zero = expressions_.integer(0);
    visit(node.operands[0]);
    if (!certain(Function::less, zero, node.operands[0])) return;
    const Interval all{zero, node.operands[0]};
    if (!corners_) return fold_element(node, all);
    // What decides a connective is the last that is computed.
    const bool may_stop = node.function == Function::and_ || node.function == Function::or_;
    for (const bool last : {false, true}) {
      if (last && may_stop) break;
      at_.emplace_back(node.variable, end_of(all, last).low);
      const std::unordered_set<ExprId> seen = seen_;
      fold_element(node, end_of(all, last));
      if (!last) seen_ = seen;
      at_.pop_back();
    }
  }

  void fold_element(const Node& node, const Interval& interval) {
    const Facts::Mark mark = facts_.mark();
    facts_.range(node.variable, interval.low, interval.high);
    visit(node.operands[1]);
    facts_.restore(mark);
  }

  void load(const Node& node) {
    const Leaf& leaf = form_.leaves[number(node.leaf)];
    const ExprId zero = expressions_.integer(0);
    for (std::uint32_t axis = 0; axis < node.operands.size(); ++axis) {
      const ExprId index = node.operands[axis];
      const ExprId length = length_of(node.leaf, leaf, axis);
      if (certain(Function::less, index, zero) || certain(Function::less_equal, length, index)) {
        found_ = Problem{"E0609",
                         "the index " + to_string(form_, index) + " is out of range on axis " +
                             std::to_string(axis) + " of " + leaf.name + ", which has length " +
                             to_string(form_, length) + where(index),
                         {}};
        return;
      }
      open_ = open_ || !certain(Function::less_equal, zero, index) ||
              !certain(Function::less, index, length);
    }
  }

  ExprId length_of(LeafId id, const Leaf& leaf, std::uint32_t axis) {
    if (leaf.shape[axis]) return expressions_.integer(*leaf.shape[axis]);
    return leaf.lengths.empty() ? expressions_.extent(id, axis) : leaf.lengths[axis];
  }

  void divisor(ExprId id, const Node& node) {
    const ExprId equal =
        expressions_.apply(Function::equal, {node.operands[1], expressions_.integer(0)});
    const auto zero = facts_.decide(equal);
    open_ = open_ || !zero;
    if (zero != true) return;
    found_ = Problem{"E0612", "division by zero: " + to_string(form_, id) + where(id), {}};
  }

  // ", where i = 2 and j = 0": of the indices that the expression mentions, if it is looked at
  // there.
  std::string where(ExprId expression) {
    std::string text;
    for (const auto& [variable, value] : at_) {
      if (!expressions_.mentions(expression, variable)) continue;
      text += (text.empty() ? ", where " : " and ") + expressions_.name(variable) + " = " +
              to_string(form_, value);
    }
    return text;
  }

  // A condition, or one on all indices below a count at the first or the last of them.
  bool fails(ExprId condition) {
    if (left_ == 0) return false;
    --left_;
    if (facts_.decide(condition) == false) return true;
    const Node& node = expressions_[condition];
    if (node.kind != Kind::fold || node.function != Function::and_) return false;
    const Interval all{expressions_.integer(0), node.operands[0]};
    if (!certain(Function::less, all.low, all.high)) return false;
    return std::ranges::any_of(std::array{false, true}, [&](bool last) {
      const ExprId index = end_of(all, last).low;
      return fails(expressions_.substitute(node.operands[1], node.variable, index));
    });
  }

  bool certain(Function function, ExprId left, ExprId right) {
    return facts_.decide(expressions_.apply(function, {left, right})) == true;
  }

  const NormalForm& form_;
  Expressions& expressions_;
  Facts facts_;
  std::unordered_set<ExprId> seen_;
  bool open_ = false;                              // something may be wrong at some index
  bool corners_ = false;                           // one index after the other is looked at alone,
  std::vector<std::pair<VariableId, ExprId>> at_;  // which is this
  std::size_t left_ = 50'000;
  std::optional<Problem> found_;
};

}  // namespace

std::optional<Problem> certain_fault(const NormalForm& form, std::span<const ExprId> facts) {
  return FaultSearch(form, facts).assumptions();
}

std::optional<Problem> certain_fault(const Plan& plan, std::span<const ExprId> facts) {
  for (const Stage& stage : plan.stages) {
    FaultSearch search(stage.form, facts);
    if (auto found = search.assumptions()) return found;
    if (auto found = search.pieces()) return found;
  }
  return std::nullopt;
}

std::optional<Problem> certain_fault(const Numbers& numbers, std::span<const ExprId> facts) {
  FaultSearch search(numbers.form, facts);
  if (auto found = search.assumptions()) return found;
  return search.values(numbers.values);
}

}  // namespace rhopsi::moa
