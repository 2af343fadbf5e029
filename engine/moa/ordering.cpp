#include "engine/moa/ordering.hpp"

#include <algorithm>
#include <set>

#include "engine/moa/regrouping.hpp"

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;

class Ordering {
 public:
  Ordering(const Plan& given, const std::vector<Assumption>& known, const Limits& limits)
      : given_(given),
        expressions_(*given.result().expressions),
        known_(known),
        limits_(limits),
        leaves_(given.leaves()) {}

  Plan run() {
    if (!anything_to_order()) return given_;
    for (std::size_t k = 0; k < leaves_.size(); ++k) now_.push_back(static_cast<LeafId>(k));
    for (const Stage& stage : given_.stages) {
      NormalForm form = relabelled(stage.form);
      form.assumptions.clear();
      order(form);
      add(std::move(form), stage.choice);
      now_.push_back(static_cast<LeafId>(leaves_.size() - 1));
    }
    if (made_.contractions.empty()) return given_;
    made_.stages.back().name = "result";
    made_.stages.front().form.assumptions = given_.stages.front().form.assumptions;
    return std::move(made_);
  }

 private:
  static constexpr int most_contractions = 32;

  bool anything_to_order() {
    return std::ranges::any_of(given_.stages,
                               [&](const Stage& stage) { return next(stage.form).has_value(); });
  }

  // Outermost first: what a contraction takes in is no other one.
  std::optional<FoundContraction> next(const NormalForm& form) {
    const auto regrouping = limits_.reassociate ? Regrouping::also_reals : Regrouping::exact;
    for (std::size_t piece = 0; piece < form.pieces.size(); ++piece) {
      // Handles of what is made meanwhile are greater; operands are met after what holds them.
      std::set<ExprId, std::greater<>> work{form.pieces[piece].element};
      while (!work.empty()) {
        const ExprId id = *work.begin();
        work.erase(work.begin());
        const std::vector<ExprId> operands = expressions_[id].operands;
        work.insert(operands.begin(), operands.end());
        if (expressions_[id].kind != Kind::fold || done_.contains({piece, id})) continue;
        auto contraction = contraction_of(expressions_, id, regrouping);
        if (contraction && has_orders(expressions_, *contraction)) {
          return FoundContraction{piece, id, std::move(*contraction)};
        }
      }
    }
    return std::nullopt;
  }

  void order(NormalForm& form) {
    done_.clear();
    for (int round = 0; round < most_contractions; ++round) {
      auto found = next(form);
      if (!found) return;
      const std::size_t piece = found->piece;
      done_.emplace(piece, found->expression);
      auto best = regrouped(form, *found, known_, shapes_, limits_);
      if (!best) continue;
      note(form, found->contraction, *best);
      for (ExprId sum : best->sums) done_.emplace(piece, sum);
      for (std::size_t k = 0; k < best->stages.size(); ++k) {
        add(std::move(best->stages[k]), best->choices[k]);
      }
      form = std::move(best->form);
      form.leaves = leaves_;
    }
  }

  void note(const NormalForm& form, const Contraction& contraction, const Regrouped& made) {
    const ContractionText text = text_of(form, contraction);
    std::string product;
    for (const std::string& operand : text.operands) {
      product += (product.empty() ? "" : " * ") + operand;
    }
    made_.contractions.push_back(
        {text.indices + " (" + product + ")", order_text(made.order, text.operands),
         rounded(cost_of(form).operations), rounded(made.cost.operations)});
  }

  void add(NormalForm form, const Choice& choice) {
    form.leaves = leaves_;
    const std::string name = fresh_name();
    Leaf leaf{name, form.element, {}, {}, form.shape};
    for (ExprId length : form.shape) leaf.shape.push_back(expressions_.constant(length));
    shapes_.emplace(static_cast<LeafId>(leaves_.size()), form.shape);
    leaves_.push_back(std::move(leaf));
    made_.stages.push_back({name, std::move(form), choice});
  }

  std::string fresh_name() {
    std::string name;
    do {
      name = "t" + std::to_string(++count_);
    } while (std::ranges::find(leaves_, name, &Leaf::name) != leaves_.end());
    return name;
  }

  // Arrays that are stored have moved behind those that are new.
  NormalForm relabelled(const NormalForm& given) {
    NormalForm form = given;
    const auto relabel = [&](ExprId& expression) {
      expression = expressions_.changed(
          expression, [&](ExprId id, std::span<const ExprId> operands) -> std::optional<ExprId> {
            const Node node = expressions_[id];
            if (node.kind != Kind::load && node.kind != Kind::extent) return std::nullopt;
            const LeafId leaf = now_[number(node.leaf)];
            if (leaf == node.leaf) return std::nullopt;
            if (node.kind == Kind::extent) return expressions_.extent(leaf, node.axis);
            return expressions_.load(leaf, node.type, operands);
          });
    };
    std::ranges::for_each(form.shape, relabel);
    for (Piece& piece : form.pieces) {
      for (Interval& interval : piece.box) {
        relabel(interval.low);
        relabel(interval.high);
      }
      relabel(piece.element);
    }
    form.leaves = leaves_;
    return form;
  }

  const Plan& given_;
  Expressions& expressions_;
  const std::vector<Assumption>& known_;
  const Limits& limits_;
  std::vector<Leaf> leaves_;
  std::vector<LeafId> now_;  // of the leaves of the given plan
  StoredShapes shapes_;
  std::set<std::pair<std::size_t, ExprId>> done_;  // contractions of a piece that stay as they are
  Plan made_;
  std::size_t count_ = 0;
};

}  // namespace

double weight_of(const Plan& plan, const Limits& limits) {
  Cost cost = cost_of(plan.result());
  for (std::size_t k = 0; k + 1 < plan.stages.size(); ++k) cost += stored_cost(plan.stages[k].form);
  return cost.weighted(limits);
}

Plan ordered(const Plan& plan, const std::vector<Assumption>& known, const Limits& limits) {
  return Ordering(plan, known, limits).run();
}

}  // namespace rhopsi::moa
