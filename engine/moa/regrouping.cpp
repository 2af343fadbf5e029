#include "engine/moa/regrouping.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "engine/moa/facts.hpp"

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;
// Where an index lies, wherever it is mentioned.
using Ranges = std::map<VariableId, Interval>;

// The indices of a piece and those of all folds within it; nothing where two folds share one.
std::optional<Ranges> ranges_of(const NormalForm& form, const Piece& piece) {
  Expressions& expressions = *form.expressions;
  Ranges ranges;
  for (std::size_t axis = 0; axis < piece.box.size(); ++axis) {
    ranges.emplace(form.indices[axis], piece.box[axis]);
  }
  bool clear = true;
  const ExprId zero = expressions.integer(0);
  expressions.any(piece.element, [&](ExprId id) {
    const Node& node = expressions[id];
    if (node.kind != Kind::fold) return false;
    const auto [place, fresh] = ranges.try_emplace(node.variable, Interval{zero, node.operands[0]});
    clear = clear && (fresh || place->second.high == node.operands[0]);
    return false;
  });
  if (!clear) return std::nullopt;
  return ranges;
}

// One contraction, and what may become of the form that holds it.
class Candidate {
 public:
  Candidate(const NormalForm& form, const FoundContraction& found,
            const std::vector<Assumption>& known, const StoredShapes& stored, const Limits& limits)
      : form_(form),
        expressions_(*form.expressions),
        found_(found),
        known_(known),
        stored_(stored),
        limits_(limits) {}

  // The best of all orders that can be computed; nothing where none is better than the one written.
  std::optional<Regrouped> best() {
    if (!prepare()) return std::nullopt;
    order_ = cheapest_order(operands_, summed_, lengths_);
    std::set<std::size_t> stored;
    Regrouped best = make(stored);
    for (std::size_t node = 0; node < order_.size(); ++node) {
      if (!is_worth_storing(node)) continue;
      stored.insert(node);
      Regrouped more = make(stored);
      if (weight(more) < weight(best) && is_safe(more)) {
        more.choices = best.choices;
        more.choices.push_back(choice(best, more));
        best = std::move(more);
      } else {
        stored.erase(node);
      }
    }
    if (weight(best) >= cost_of(form_).weighted(limits_)) return std::nullopt;
    return best;
  }

 private:
  double weight(const Regrouped& made) const { return made.cost.weighted(limits_); }

  // The indices as bits; false where the value might depend on the order.
  bool prepare() {
    const Contraction& contraction = found_.contraction;
    if (contraction.operands.size() > most_ordered_operands) return false;
    auto ranges = ranges_of(form_, form_.pieces[found_.piece]);
    if (!ranges) return false;
    ranges_ = std::move(*ranges);
    for (const Contraction::Index& index : contraction.summed) {
      if (expressions_.may_fail(index.count) || expressions_.reads(index.count)) return false;
      ranges_.insert_or_assign(index.variable, Interval{expressions_.integer(0), index.count});
    }
    // A product is stored with its axes as its operands have them.
    for (ExprId operand : contraction.operands) number_indices(operand);
    for (const Contraction::Index& index : contraction.summed) {
      number_indices(expressions_.variable(index.variable));
      number_indices(index.count);
    }
    if (indices_.size() > std::numeric_limits<IndexSet>::digits) return false;
    for (const Contraction::Index& index : contraction.summed) summed_ |= bit(index.variable);
    for (ExprId operand : contraction.operands) {
      IndexSet set = indices_of(operand);
      if (operands_.empty()) set |= mentioned_nowhere();
      operands_.push_back(set);
      if (!never_fails(operand, set)) return false;
    }
    for (VariableId variable : indices_) lengths_.push_back(length(variable));
    return true;
  }

  // From left to right.
  void number_indices(ExprId expression) {
    std::vector<ExprId> work{expression};
    std::set<ExprId> seen;
    while (!work.empty()) {
      const ExprId id = work.back();
      work.pop_back();
      if (!seen.insert(id).second) continue;
      const Node& node = expressions_[id];
      const bool index = node.kind == Kind::variable && ranges_.contains(node.variable);
      if (index && !is_numbered(node.variable)) indices_.push_back(node.variable);
      work.insert(work.end(), node.operands.rbegin(), node.operands.rend());
    }
  }

  IndexSet mentioned_in(ExprId expression) const {
    IndexSet set = 0;
    for (VariableId variable : indices_) {
      if (expressions_.mentions(expression, variable)) set |= bit(variable);
    }
    return set;
  }

  // Those that it mentions, and those that say how far one of them goes: a sum over it depends on
  // them too.
  IndexSet indices_of(ExprId operand) const {
    IndexSet set = mentioned_in(operand);
    for (const Contraction::Index& index : found_.contraction.summed) {
      if ((set & bit(index.variable)) != 0) set |= mentioned_in(index.count);
    }
    return set;
  }

  // Over these the same is summed again and again.
  IndexSet mentioned_nowhere() const {
    IndexSet set = 0;
    for (const Contraction::Index& index : found_.contraction.summed) {
      const bool mentioned = std::ranges::any_of(found_.contraction.operands, [&](ExprId operand) {
        return expressions_.mentions(operand, index.variable);
      });
      if (!mentioned) set |= bit(index.variable) | mentioned_in(index.count);
    }
    return set;
  }

  bool is_numbered(VariableId variable) const {
    return std::ranges::find(indices_, variable) != indices_.end();
  }

  IndexSet bit(VariableId variable) const {
    return IndexSet{1} << (std::ranges::find(indices_, variable) - indices_.begin());
  }

  ExprId length_of(const Interval& range) {
    Facts facts(expressions_);
    for (const Assumption& assumption : known_) facts.assume(assumption.condition);
    return facts.maximum(expressions_.integer(0), expressions_.subtract(range.high, range.low));
  }

  double length(VariableId variable) {
    NormalForm probe = blank();
    probe.shape.push_back(length_of(ranges_.at(variable)));
    return volume_of(probe);
  }

  NormalForm blank() const {
    NormalForm form;
    form.expressions = form_.expressions;
    form.leaves = form_.leaves;
    form.parameters = form_.parameters;
    return form;
  }

  // In other orders it is computed where it was not, for instance for no elements of another
  // operand: at any of its own indices that must be possible.
  bool never_fails(ExprId operand, IndexSet set) const {
    NormalForm probe = blank();
    probe.element = expressions_[operand].type;
    Piece piece{{}, operand};
    for (std::size_t k = 0; k < indices_.size(); ++k) {
      if ((set >> k & 1) == 0) continue;
      probe.indices.push_back(indices_[k]);
      piece.box.push_back(ranges_.at(indices_[k]));
    }
    probe.pieces.push_back(std::move(piece));
    return cannot_fail(probe, known_, stored_);
  }

  // A sum that is asked for again for each value of indices that it does not depend on.
  bool is_worth_storing(std::size_t place) const {
    const OrderNode& node = order_[place];
    const bool whole = place + 1 == order_.size();
    if (node.summed == 0 && !whole && limits_.allocation >= 0) return false;
    for (std::size_t k = 0; k < indices_.size(); ++k) {
      if ((node.kept >> k & 1) == 0) continue;
      const Interval& range = ranges_.at(indices_[k]);
      for (ExprId bound : {range.low, range.high}) {
        if (expressions_.reads(bound) || expressions_.may_fail(bound)) return false;
        for (const auto& [variable, unused] : ranges_) {
          if (expressions_.mentions(bound, variable)) return false;
        }
      }
    }
    return true;
  }

  Regrouped make(const std::set<std::size_t>& stored) {
    Regrouped made{form_, {}, {}, {}, order_, {}};
    std::vector<ExprId> values;
    for (std::size_t place = 0; place < order_.size(); ++place) {
      const ExprId value = value_of(order_[place], values, made);
      values.push_back(stored.contains(place) ? store(order_[place], value, made) : value);
    }
    for (const NormalForm& stage : made.stages) made.cost += stored_cost(stage);
    Piece& piece = made.form.pieces[found_.piece];
    piece.element = expressions_.changed(piece.element, [&](ExprId id, auto) {
      return id == found_.expression ? std::optional(values.back()) : std::nullopt;
    });
    made.cost += cost_of(made.form);
    return made;
  }

  ExprId value_of(const OrderNode& node, const std::vector<ExprId>& values, Regrouped& made) {
    ExprId value = node.parts
                       ? expressions_.multiply(values[node.parts->left], values[node.parts->right])
                       : found_.contraction.operands[node.operand];
    const auto& summed = found_.contraction.summed;
    for (std::size_t k = summed.size(); k-- > 0;) {
      if ((node.summed & bit(summed[k].variable)) == 0) continue;
      value = expressions_.fold(ScalarFunction::add, summed[k].variable, summed[k].count, value);
      made.sums.push_back(value);
    }
    return value;
  }

  // value, for all its indices, as an array with an axis for each of them; the element of that.
  ExprId store(const OrderNode& node, ExprId value, Regrouped& made) {
    NormalForm stage = blank();
    stage.leaves = made.form.leaves;
    stage.element = expressions_[value].type;
    Piece piece;
    Vector components;
    for (std::size_t k = 0; k < indices_.size(); ++k) {
      if ((node.kept >> k & 1) == 0) continue;
      const Interval& range = ranges_.at(indices_[k]);
      const VariableId index = expressions_.make_variable(index_name(stage.rank()));
      value = expressions_.substitute(value, indices_[k],
                                      expressions_.add(expressions_.variable(index), range.low));
      components.push_back(expressions_.subtract(expressions_.variable(indices_[k]), range.low));
      stage.indices.push_back(index);
      stage.shape.push_back(length_of(range));
      piece.box.push_back({expressions_.integer(0), stage.shape.back()});
    }
    piece.element = value;
    stage.pieces.push_back(std::move(piece));
    const auto leaf = static_cast<LeafId>(made.form.leaves.size());
    Leaf array{"", stage.element, {}, {}, stage.shape};
    for (ExprId length : stage.shape) array.shape.push_back(expressions_.constant(length));
    made.form.leaves.push_back(std::move(array));
    made.stages.push_back(std::move(stage));
    return expressions_.load(leaf, made.stages.back().element, components);
  }

  bool is_safe(const Regrouped& made) const {
    StoredShapes shapes = stored_;
    const double largest = largest_of(form_);
    for (std::size_t k = 0; k < made.stages.size(); ++k) {
      const NormalForm& stage = made.stages[k];
      if (!may_be_stored(stage, largest, limits_)) return false;
      if (!cannot_fail(stage, known_, shapes)) return false;
      shapes.emplace(static_cast<LeafId>(form_.leaves.size() + k), stage.shape);
    }
    return stays_within(made.form, known_, shapes);
  }

  Choice choice(const Regrouped& before, const Regrouped& after) const {
    const Cost own = stored_cost(after.stages.back());
    return {rounded(own.operations), rounded(own.stores),
            rounded(before.cost.operations - after.cost.operations + own.operations)};
  }

  const NormalForm& form_;
  Expressions& expressions_;
  const FoundContraction& found_;
  const std::vector<Assumption>& known_;
  const StoredShapes& stored_;
  const Limits& limits_;
  Ranges ranges_;
  std::vector<VariableId> indices_;
  std::vector<IndexSet> operands_;
  std::vector<double> lengths_;
  IndexSet summed_ = 0;
  Order order_;
};

}  // namespace

std::optional<Regrouped> regrouped(const NormalForm& form, const FoundContraction& found,
                                   const std::vector<Assumption>& known, const StoredShapes& stored,
                                   const Limits& limits) {
  return Candidate(form, found, known, stored, limits).best();
}

std::string order_text(const Order& order, const std::vector<std::string>& operands) {
  std::vector<std::string> texts;
  for (const OrderNode& node : order) {
    if (!node.parts) {
      texts.push_back(operands[node.operand]);
      continue;
    }
    const std::string text = texts[node.parts->left] + " * " + texts[node.parts->right];
    texts.push_back(texts.size() + 1 == order.size() ? text : "(" + text + ")");
  }
  return texts.back();
}

}  // namespace rhopsi::moa
