#include "engine/moa/contraction.hpp"

#include <algorithm>

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;
using Function = ScalarFunction;

class Collecting {
 public:
  Collecting(Expressions& expressions, Scalar type) : expressions_(expressions), type_(type) {}

  bool is_sum(ExprId id) const {
    const Node& node = expressions_[id];
    return node.kind == Kind::fold && node.function == Function::add && node.type == type_;
  }

  void sum(ExprId id) {
    const Node node = expressions_[id];
    VariableId variable = node.variable;
    ExprId body = node.operands[1];
    // A square of a sum has its fold twice.
    if (is_summed(variable)) {
      variable = expressions_.make_variable(expressions_.name(variable));
      body = expressions_.substitute(body, node.variable, expressions_.variable(variable));
    }
    made_.summed.push_back({variable, node.operands[0]});
    factors(body);
  }

  Contraction finish() {
    std::vector<Contraction::Index> ordered;
    for (ExprId operand : made_.operands) {
      for (const Contraction::Index& index : made_.summed) {
        const auto is_there = [&](const auto& other) { return other.variable == index.variable; };
        if (std::ranges::any_of(ordered, is_there)) continue;
        if (expressions_.mentions(operand, index.variable)) ordered.push_back(index);
      }
    }
    for (const Contraction::Index& index : made_.summed) {
      const auto is_there = [&](const auto& other) { return other.variable == index.variable; };
      if (std::ranges::none_of(ordered, is_there)) ordered.push_back(index);
    }
    made_.summed = std::move(ordered);
    return std::move(made_);
  }

 private:
  void factors(ExprId id) {
    const Node node = expressions_[id];
    if (node.kind == Kind::apply && node.function == Function::multiply && node.type == type_) {
      factors(node.operands[0]);
      factors(node.operands[1]);
    } else if (is_sum(id) && !mentions_summed(node.operands[0])) {
      sum(id);
    } else {
      made_.operands.push_back(id);
    }
  }

  bool is_summed(VariableId variable) const {
    return std::ranges::any_of(made_.summed,
                               [&](const auto& index) { return index.variable == variable; });
  }

  bool mentions_summed(ExprId expression) const {
    return std::ranges::any_of(made_.summed, [&](const auto& index) {
      return expressions_.mentions(expression, index.variable);
    });
  }

  Expressions& expressions_;
  Scalar type_;
  Contraction made_;
};

}  // namespace

std::optional<Contraction> contraction_of(Expressions& expressions, ExprId expression,
                                          Regrouping regrouping) {
  const Scalar type = expressions[expression].type;
  const bool allowed =
      type == Scalar::int64 || (regrouping == Regrouping::also_reals &&
                                (type == Scalar::float32 || type == Scalar::float64));
  Collecting collecting(expressions, type);
  if (!allowed || !collecting.is_sum(expression)) return std::nullopt;
  collecting.sum(expression);
  return collecting.finish();
}

bool has_orders(const Expressions& expressions, const Contraction& contraction) {
  if (contraction.operands.size() < 2) return false;
  return std::ranges::any_of(contraction.operands, [&](ExprId operand) {
    return std::ranges::any_of(contraction.summed, [&](const Contraction::Index& index) {
      return !expressions.mentions(operand, index.variable);
    });
  });
}

}  // namespace rhopsi::moa
