// Conditions as they are built: connectives, comparisons, choices.
#include <cstdint>
#include <utility>

#include "engine/moa/expression.hpp"
#include "engine/moa/integers.hpp"

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;

template <class Number>
bool compared(ScalarFunction function, Number left, Number right) {
  switch (function) {
    case ScalarFunction::less:
      return left < right;
    case ScalarFunction::less_equal:
      return left <= right;
    case ScalarFunction::greater:
      return left > right;
    case ScalarFunction::greater_equal:
      return left >= right;
    case ScalarFunction::equal:
      return left == right;
    default:
      return left != right;
  }
}

}  // namespace

ExprId Expressions::connective(ScalarFunction function, std::vector<ExprId> operands) {
  for (ExprId& operand : operands) operand = converted(operand, Scalar::boolean);
  const ExprId left = operands[0];
  const auto known = constant(left);
  if (function == ScalarFunction::not_) {
    if (known) return boolean(*known == 0);
    if (const auto opposite = negated(left)) return *opposite;
  } else {
    const ExprId right = operands[1];
    const auto other = constant(right);
    if (function == ScalarFunction::implies) {
      return connective(ScalarFunction::or_, {connective(ScalarFunction::not_, {left}), right});
    }
    if (function == ScalarFunction::iff) {
      if (known) return *known != 0 ? right : connective(ScalarFunction::not_, {right});
      if (other) return *other != 0 ? left : connective(ScalarFunction::not_, {left});
      return comparison(ScalarFunction::equal,
                        {converted(left, Scalar::int64), converted(right, Scalar::int64)});
    }
    const bool neutral = function == ScalarFunction::and_;
    if (known && (*known != 0) == neutral) return right;
    if (other && (*other != 0) == neutral) return left;
    if (known && !may_fail(right)) return left;
    if (other && !may_fail(left)) return right;
    if (left == right) return left;
    if (neutral) {
      if (const auto point = only_one(left, right)) return *point;
    }
  }
  Node node;
  node.kind = Kind::apply;
  node.function = function;
  node.type = Scalar::boolean;
  node.operands = std::move(operands);
  return intern(std::move(node));
}

// c <= d and d < c + 1: d is c. So a part of one element, as `update` changes it, is one.
std::optional<ExprId> Expressions::only_one(ExprId left, ExprId right) {
  const Node& low = (*this)[left];
  const Node& high = (*this)[right];
  if (low.kind != Kind::apply || low.function != ScalarFunction::less_equal ||
      high.kind != Kind::apply || high.function != ScalarFunction::less ||
      low.operands[1] != high.operands[0] || (*this)[high.operands[0]].type != Scalar::int64)
    return std::nullopt;
  const auto first = constant(low.operands[0]), end = constant(high.operands[1]);
  if (!first || !end || *end != *first + 1) return std::nullopt;
  return comparison(ScalarFunction::equal, {high.operands[0], low.operands[0]});
}

// The opposite of a condition where it is one operation.
std::optional<ExprId> Expressions::negated(ExprId condition) {
  const Node node = (*this)[condition];
  if (node.kind != Kind::apply) return std::nullopt;
  const bool integers =
      node.operands.size() == 2 && (*this)[node.operands[0]].type == Scalar::int64;
  switch (node.function) {
    case ScalarFunction::not_:
      return node.operands[0];
    case ScalarFunction::equal:
      return comparison(ScalarFunction::not_equal, node.operands);
    case ScalarFunction::not_equal:
      return comparison(ScalarFunction::equal, node.operands);
    case ScalarFunction::less:  // not of reals: a NaN is neither
      if (integers) return comparison(ScalarFunction::greater_equal, node.operands);
      return std::nullopt;
    case ScalarFunction::less_equal:
      if (integers) return comparison(ScalarFunction::greater, node.operands);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// A truth value that was made a number and is compared with one.
std::optional<ExprId> Expressions::compared_truth(ScalarFunction function, ExprId left,
                                                  ExprId right) {
  const Node& node = (*this)[left];
  const Node& other = (*this)[right];
  std::optional<double> value;
  if (other.kind == Kind::integer) value = static_cast<double>(other.integer);
  if (other.kind == Kind::real) value = other.real;
  const bool converts = node.kind == Kind::apply && node.function == ScalarFunction::convert;
  if (!value || !converts || (*this)[node.operands[0]].type != Scalar::boolean) {
    return std::nullopt;
  }
  const ExprId truth = node.operands[0];
  if (*value != 0 && *value != 1) return std::nullopt;
  const bool positive = (function == ScalarFunction::equal) == (*value == 1);
  return positive ? truth : connective(ScalarFunction::not_, {truth});
}

// Integer comparisons are brought to `<`, `==` and `!=` of two different expressions.
ExprId Expressions::comparison(ScalarFunction function, std::vector<ExprId> operands) {
  using F = ScalarFunction;
  Node node;
  node.kind = Kind::apply;
  node.type = Scalar::boolean;
  if (function == F::equal || function == F::not_equal) {
    if (const auto found = compared_truth(function, operands[0], operands[1])) return *found;
    if (const auto found = compared_truth(function, operands[1], operands[0])) return *found;
  }
  if ((*this)[operands[0]].type == Scalar::int64) {
    if (function == F::greater || function == F::greater_equal) {
      std::swap(operands[0], operands[1]);
      function = function == F::greater ? F::less : F::less_equal;
    }
    const auto left = constant(operands[0]);
    const auto right = constant(operands[1]);
    if (left && right) return boolean(compared(function, *left, *right));
    const Sum difference = sum_of(*this, subtract(operands[0], operands[1]));
    const bool exact = operands[0] == operands[1] || (!reads(operands[0]) && !reads(operands[1]));
    // Which one is greater a difference that wraps does not tell.
    std::int64_t unused = 0;
    const bool wraps = function != F::equal && function != F::not_equal &&
                       __builtin_sub_overflow(sum_of(*this, operands[0]).constant,
                                              sum_of(*this, operands[1]).constant, &unused);
    if (difference.terms.empty() && exact && !wraps) {
      return boolean(compared(function, difference.constant, std::int64_t{0}));
    }
  } else if ((*this)[operands[0]].kind == Kind::real && (*this)[operands[1]].kind == Kind::real) {
    return boolean(compared(function, (*this)[operands[0]].real, (*this)[operands[1]].real));
  }
  node.function = function;
  node.operands = std::move(operands);
  return intern(std::move(node));
}

ExprId Expressions::select(ExprId condition, ExprId then, ExprId otherwise) {
  condition = converted(condition, Scalar::boolean);
  Scalar type = promoted((*this)[then].type, (*this)[otherwise].type);
  then = converted(then, type);
  otherwise = converted(otherwise, type);
  if (const auto known = constant(condition)) return *known != 0 ? then : otherwise;
  if (then == otherwise && !may_fail(condition)) return then;
  if (type == Scalar::int64 && constant(then) == 1 && constant(otherwise) == 0) {
    return converted(condition, type);
  }
  Node node;
  node.kind = Kind::select;
  node.type = type;
  node.operands = {condition, then, otherwise};
  return intern(std::move(node));
}

}  // namespace rhopsi::moa
