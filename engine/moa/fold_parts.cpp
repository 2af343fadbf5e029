#include "engine/moa/fold_parts.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "engine/moa/facts.hpp"
#include "engine/moa/integers.hpp"

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;
using Function = ScalarFunction;

// Parts of a fold, and of the folds around it together: each is an element of its own.
constexpr std::size_t most_parts = 4;
constexpr std::size_t most_elements = 16;
// Nodes of one element that are looked at.
constexpr std::size_t most_nodes = 20'000;

class FoldSplitter {
 public:
  FoldSplitter(const NormalForm& form, const std::vector<Assumption>& assumed,
               const std::vector<ExprId>& known)
      : form_(form), expressions_(*form.expressions), facts_(*form.expressions) {
    for (const Assumption& assumption : assumed) facts_.assume(assumption.condition);
    for (ExprId fact : known) facts_.assume(fact);
  }

  ExprId split(const Piece& piece) {
    const auto is_fold = [&](ExprId id) { return expressions_[id].kind == Kind::fold; };
    if (!expressions_.any(piece.element, is_fold)) return piece.element;
    return within([&] {
      for (std::size_t axis = 0; axis < piece.box.size(); ++axis) {
        facts_.range(form_.indices[axis], piece.box[axis].low, piece.box[axis].high);
      }
      return walk(piece.element);
    });
  }

 private:
  using Made = std::unordered_map<ExprId, ExprId>;

  template <class Body>
  ExprId within(const Body& body) {
    const Facts::Mark mark = facts_.mark();
    Made outer = std::exchange(made_, {});
    const ExprId result = body();
    made_ = std::move(outer);
    facts_.restore(mark);
    return result;
  }

  // The expression with the folds in it split, and, in what a fold computes, without what facts
  // decide. Outside of folds nothing else changes: boxes are split there.
  ExprId walk(ExprId id) {
    const Node node = expressions_[id];
    if (node.operands.empty()) return id;
    if (const auto found = made_.find(id); found != made_.end()) return found->second;
    const ExprId result = node.kind == Kind::fold ? walk_fold(node) : walk_operands(id, node);
    made_.emplace(id, result);
    return result;
  }

  ExprId walk_operands(ExprId id, const Node& node) {
    if (within_fold_) {
      if (const auto known = decided(id, node)) return *known;
    }
    std::vector<ExprId> operands;
    for (ExprId operand : node.operands) operands.push_back(walk(operand));
    if (within_fold_ && is_remainder(node)) return facts_.modulo(operands[0], operands[1]);
    if (within_fold_ && is_quotient(node)) return facts_.divide(operands[0], operands[1]);
    if (operands == node.operands) return id;
    const ExprId result = expressions_.with_operands(id, std::move(operands));
    const auto known = within_fold_ ? decided(result, expressions_[result]) : std::nullopt;
    return known.value_or(result);
  }

  std::optional<ExprId> decided(ExprId id, const Node& node) {
    if (node.type != Scalar::boolean || node.kind != Kind::apply || expressions_.reads(id)) {
      return std::nullopt;
    }
    const auto known = facts_.decide(id);
    return known ? std::optional(expressions_.boolean(*known)) : std::nullopt;
  }

  bool is_remainder(const Node& node) const { return is_division(node, Function::modulo); }
  bool is_quotient(const Node& node) const { return is_division(node, Function::divide); }
  bool is_division(const Node& node, Function function) const {
    return node.kind == Kind::apply && node.type == Scalar::int64 && node.function == function &&
           !node.kept && !expressions_.reads(node.operands[0]) &&
           !expressions_.reads(node.operands[1]);
  }

  ExprId walk_fold(const Node& node) {
    const ExprId count = walk(node.operands[0]);
    const ExprId body = within([&] {
      facts_.range(node.variable, expressions_.integer(0), count);
      const bool outer = std::exchange(within_fold_, true);
      std::size_t left = most_parts;
      const ExprId parts = in_parts(node.operands[1], node.variable, left);
      within_fold_ = outer;
      return parts;
    });
    return expressions_.fold(node.function, node.variable, count, body);
  }

  // `left`: how many more parts the fold may have, this one included.
  ExprId in_parts(ExprId given, VariableId variable, std::size_t& left) {
    const ExprId element = walk(given);
    if (left < 2 || elements_ * 2 > most_elements) return element;
    std::size_t nodes = 0;
    const bool large = expressions_.any(element, [&](ExprId) { return ++nodes > most_nodes; });
    if (large) return element;
    for (ExprId place : places(element, variable)) {
      const ExprId index = expressions_.variable(variable);
      const ExprId below = expressions_.apply(Function::less, {index, place});
      if (facts_.decide(below)) continue;
      if (!settles(element, below)) continue;
      --left;
      elements_ *= 2;
      const ExprId first = under(below, true, element, variable, left);
      const ExprId rest = under(below, false, element, variable, left);
      elements_ /= 2;
      return expressions_.select(below, first, rest);
    }
    return element;
  }

  ExprId under(ExprId condition, bool positive, ExprId element, VariableId variable,
               std::size_t& left) {
    return within([&] {
      facts_.assume(condition, positive);
      return in_parts(element, variable, left);
    });
  }

  // Does it leave fewer conditions, quotients and remainders on both sides?
  bool settles(ExprId element, ExprId condition) {
    const std::size_t open = open_places(element);
    const auto fewer = [&](bool positive) {
      const ExprId part = within([&] {
        facts_.assume(condition, positive);
        return walk(element);
      });
      return open_places(part) < open;
    };
    return fewer(true) && fewer(false);
  }

  std::size_t open_places(ExprId element) const {
    std::size_t count = 0;
    expressions_.any(element, [&](ExprId id) {
      if (is_open(expressions_[id])) ++count;
      return false;
    });
    return count;
  }

  bool is_open(const Node& node) const {
    return is_remainder(node) || is_quotient(node) || compares(node);
  }

  bool compares(const Node& node) const {
    return node.kind == Kind::apply && node.type == Scalar::boolean && node.operands.size() == 2 &&
           expressions_[node.operands[0]].type == Scalar::int64 &&
           !expressions_.reads(node.operands[0]) && !expressions_.reads(node.operands[1]);
  }

  // Where along the fold a condition may change or a remainder begin anew, from the root.
  std::vector<ExprId> places(ExprId element, VariableId variable) {
    std::set<VariableId> inner;
    std::vector<ExprId> open;
    expressions_.any(element, [&](ExprId id) {
      const Node& node = expressions_[id];
      if (node.kind == Kind::fold) inner.insert(node.variable);
      if (is_open(node)) open.push_back(id);
      return false;
    });
    std::vector<ExprId> found;
    for (ExprId id : open) {
      const Node node = expressions_[id];
      compares(node) ? add_of_condition(node, variable, inner, found)
                     : add_of_remainder(node, variable, inner, found);
    }
    return found;
  }

  // factor * index + rest, where no fold within the element binds what the rest mentions.
  struct Affine {
    std::int64_t factor;
    Sum rest;
  };

  std::optional<Affine> affine(const Sum& sum, VariableId variable,
                               const std::set<VariableId>& inner) {
    const ExprId index = expressions_.variable(variable);
    Affine form{0, Sum{{}, sum.constant}};
    for (const auto& [term, factor] : sum.terms) {
      if (term == index) {
        form.factor = factor;
      } else if (is_free(term, variable, inner)) {
        form.rest.terms.emplace_back(term, factor);
      } else {
        return std::nullopt;
      }
    }
    if (form.factor == 0 || !is_moderate(form.factor, 60) || !is_moderate(sum.constant, 60)) {
      return std::nullopt;
    }
    return form;
  }

  bool is_free(ExprId term, VariableId variable, const std::set<VariableId>& inner) const {
    if (expressions_.reads(term) || expressions_.may_fail(term)) return false;
    return !expressions_.any(term, [&](ExprId id) {
      const Node& node = expressions_[id];
      const bool bound = node.kind == Kind::variable &&
                         (node.variable == variable || inner.contains(node.variable));
      return bound || node.kind == Kind::fold;
    });
  }

  // The least index at which factor * index + rest < bound does not hold any more, or begins to.
  std::optional<ExprId> crossing(const Affine& form, const Sum& bound) {
    const Sum rest = add_scaled(form.rest, bound, -1);
    if (!is_moderate(rest.constant, 60)) return std::nullopt;
    if (rest.terms.empty()) {
      const std::int64_t r = rest.constant;
      return expressions_.integer(form.factor > 0 ? ceiling_quotient(-r, form.factor)
                                                  : euclidean_quotient(r, -form.factor) + 1);
    }
    if (form.factor != 1 && form.factor != -1) return std::nullopt;
    Sum place = add_scaled({}, rest, -form.factor);
    if (form.factor == -1) place.constant += 1;
    return expression_of(expressions_, place);
  }

  void add(std::optional<ExprId> place, std::vector<ExprId>& found) {
    if (place && std::ranges::find(found, *place) == found.end()) found.push_back(*place);
  }

  void add_of_condition(const Node& node, VariableId variable, const std::set<VariableId>& inner,
                        std::vector<ExprId>& found) {
    const auto difference = exactly_scaled(sum_of(expressions_, node.operands[0]),
                                           sum_of(expressions_, node.operands[1]), -1);
    const auto form = difference ? affine(*difference, variable, inner) : std::nullopt;
    if (!form) return;
    switch (node.function) {
      case Function::less:
        return add(crossing(*form, {}), found);
      case Function::less_equal:
        return add(crossing(*form, Sum{{}, 1}), found);
      case Function::equal:
      case Function::not_equal:
        add(crossing(*form, {}), found);
        return add(crossing(*form, Sum{{}, 1}), found);
      default:
        return;
    }
  }

  // At the multiples of the divisor that are crossed: at 0, and once on either side.
  void add_of_remainder(const Node& node, VariableId variable, const std::set<VariableId>& inner,
                        std::vector<ExprId>& found) {
    const auto form = affine(sum_of(expressions_, node.operands[0]), variable, inner);
    const ExprId divisor = node.operands[1];
    const auto by = expressions_.constant(divisor);
    if (!form || !is_free(divisor, variable, inner) ||
        (by && (*by <= 1 || !is_moderate(*by, 60)))) {
      return;
    }
    const Bounds range = facts_.bounds(node.operands[0]);
    if (by && range.low && range.high) {
      const std::int64_t first = euclidean_quotient(*range.low, *by);
      const std::int64_t last = euclidean_quotient(*range.high, *by);
      if (last - first >= static_cast<std::int64_t>(most_parts)) return;
      for (std::int64_t q = first + 1; q <= last; ++q) {
        add(crossing(*form, Sum{{}, q * *by}), found);
      }
      return;
    }
    const Sum length = sum_of(expressions_, divisor);
    for (std::int64_t times : {0, 1}) add(crossing(*form, add_scaled({}, length, times)), found);
  }

  const NormalForm& form_;
  Expressions& expressions_;
  Facts facts_;
  Made made_;  // under the facts that hold now
  bool within_fold_ = false;
  std::size_t elements_ = 1;
};

}  // namespace

void split_folds(Plan& plan, const std::vector<ExprId>& known) {
  const std::vector<Assumption> assumed = plan.stages.front().form.assumptions;
  for (Stage& stage : plan.stages) {
    FoldSplitter splitter(stage.form, assumed, known);
    for (Piece& piece : stage.form.pieces) piece.element = splitter.split(piece);
  }
}

}  // namespace rhopsi::moa
