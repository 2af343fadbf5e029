#include "engine/moa/outside.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_set>

#include "engine/moa/facts.hpp"

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;
using Function = ScalarFunction;

class Search {
 public:
  explicit Search(const NormalForm& form)
      : form_(form), expressions_(*form.expressions), facts_(*form.expressions) {}

  std::optional<std::string> run() {
    for (const Piece& piece : form_.pieces) {
      const bool some = std::ranges::all_of(piece.box, [&](const Interval& interval) {
        return certain(Function::less, interval.low, interval.high);
      });
      if (!some) continue;
      const Facts::Mark mark = facts_.mark();
      for (std::size_t axis = 0; axis < piece.box.size(); ++axis) {
        facts_.range(form_.indices[axis], piece.box[axis].low, piece.box[axis].high);
      }
      seen_.clear();
      visit(piece.element);
      facts_.restore(mark);
      if (found_) break;
    }
    return found_;
  }

 private:
  void visit(ExprId id) {
    if (found_ || left_ == 0 || !seen_.insert(id).second) return;
    --left_;
    const Node& node = expressions_[id];
    // Of these the first operand alone is certainly computed.
    if (node.kind == Kind::select || is_connective(node)) return visit(node.operands[0]);
    if (node.kind == Kind::fold) return fold(node);
    for (ExprId operand : node.operands) visit(operand);
    if (node.kind == Kind::load && !found_) load(node);
  }

  void fold(const Node& node) {
    const ExprId zero = expressions_.integer(0);
    visit(node.operands[0]);
    if (!certain(Function::less, zero, node.operands[0])) return;
    const Facts::Mark mark = facts_.mark();
    facts_.range(node.variable, zero, node.operands[0]);
    visit(node.operands[1]);
    facts_.restore(mark);
  }

  void load(const Node& node) {
    const Leaf& leaf = form_.leaves[number(node.leaf)];
    for (std::size_t axis = 0; axis < node.operands.size(); ++axis) {
      if (!leaf.shape[axis]) continue;
      const ExprId index = node.operands[axis];
      const ExprId length = expressions_.integer(*leaf.shape[axis]);
      if (!certain(Function::less, index, expressions_.integer(0)) &&
          !certain(Function::less_equal, length, index)) {
        continue;
      }
      found_ = "the index " + to_string(form_, index) + " is out of range on axis " +
               std::to_string(axis) + " of " + leaf.name + ", which has length " +
               std::to_string(*leaf.shape[axis]);
      return;
    }
  }

  bool certain(Function function, ExprId left, ExprId right) {
    return facts_.decide(expressions_.apply(function, {left, right})) == true;
  }

  const NormalForm& form_;
  Expressions& expressions_;
  Facts facts_;
  std::unordered_set<ExprId> seen_;
  std::size_t left_ = 50'000;
  std::optional<std::string> found_;
};

}  // namespace

std::optional<std::string> access_outside(const Plan& plan) {
  for (const Stage& stage : plan.stages) {
    if (auto found = Search(stage.form).run()) return found;
  }
  return std::nullopt;
}

}  // namespace rhopsi::moa
