#include "engine/verify/divisors.hpp"

#include <unordered_map>

namespace rhopsi::verify {

using moa::Expressions;
using moa::ExprId;
using moa::Node;
using moa::Scalar;
using moa::ScalarFunction;

namespace {

bool is_of_reals(Scalar type) { return type == Scalar::float32 || type == Scalar::float64; }

class DivisorConditions {
 public:
  explicit DivisorConditions(Expressions& expressions) : expressions_(expressions) {}

  ExprId of(ExprId value) {
    if (!expressions_.may_fail(value)) return expressions_.boolean(true);
    if (const auto found = known_.find(value); found != known_.end()) return found->second;
    const ExprId made = made_of(expressions_[value]);
    known_.emplace(value, made);
    return made;
  }

 private:
  ExprId both(ExprId left, ExprId right) {
    return expressions_.apply(ScalarFunction::and_, {left, right});
  }
  ExprId where(ExprId condition, ExprId then) {
    return expressions_.apply(ScalarFunction::implies, {condition, then});
  }
  ExprId negation(ExprId condition) {
    return expressions_.apply(ScalarFunction::not_, {condition});
  }

  ExprId made_of(const Node& node) {
    switch (node.kind) {
      case Node::Kind::select: {
        const ExprId condition = node.operands[0];
        const ExprId sides = both(where(condition, of(node.operands[1])),
                                  where(negation(condition), of(node.operands[2])));
        return both(of(condition), sides);
      }
      case Node::Kind::fold: {
        const ExprId all = expressions_.fold(ScalarFunction::and_, node.variable, node.operands[0],
                                             of(node.operands[1]));
        return both(of(node.operands[0]), all);
      }
      default:
        return is_connective(node) ? connected(node) : applied(node);
    }
  }

  ExprId connected(const Node& node) {
    const ExprId left = node.operands[0];
    const bool disjunction = node.function == ScalarFunction::or_;
    return both(of(left), where(disjunction ? negation(left) : left, of(node.operands[1])));
  }

  ExprId applied(const Node& node) {
    ExprId all = expressions_.boolean(true);
    for (ExprId each : node.operands) all = both(all, of(each));
    if (node.kind != Node::Kind::apply || !divides(node)) return all;
    const ExprId valued =
        expressions_.apply(ScalarFunction::not_equal, {node.operands[1], expressions_.integer(0)});
    return both(all, valued);
  }

  Expressions& expressions_;
  std::unordered_map<ExprId, ExprId> known_;
};

}  // namespace

bool is_other_of_integers(const Expressions& expressions, ExprId id) {
  const Node& node = expressions[id];
  if (node.kind != Node::Kind::apply) return false;
  const bool of_reals = is_of_reals(expressions[node.operands[0]].type);
  switch (node.function) {
    case ScalarFunction::divide:
    case ScalarFunction::modulo:
      return of_reals;
    case ScalarFunction::convert:
      return of_reals && !is_of_reals(node.type);
    default:
      return false;
  }
}

ExprId divided_well(Expressions& expressions, ExprId value) {
  return DivisorConditions(expressions).of(value);
}

}  // namespace rhopsi::verify
