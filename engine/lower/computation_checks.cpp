// Statements that test what can go wrong in the expressions of a normal form.
#include <span>

#include "engine/lower/computation.hpp"

namespace rhopsi::lower {

using moa::Node;
using onf::Expr;
using onf::Scalar;
using onf::ScalarFunction;
using onf::Statements;

namespace {

Expr both(Expr left, Expr right) {
  return apply_expr(ScalarFunction::and_, Scalar::boolean, {std::move(left), std::move(right)});
}

}  // namespace

void Computation::check(Expr condition, const std::string& message, const std::string& code) {
  ranges_.assume(condition);
  emit(onf::Check{std::move(condition), message + place_, code});
}

void Computation::require(Graph& graph, const moa::Assumption& assumption) {
  if (!assumption.claims.empty()) return require_each(assumption);
  require(graph, {assumption.condition, assumption.pieces, assumption.numbers}, assumption.message,
          assumption.code);
}

void Computation::require_each(const moa::Assumption& assumption) {
  std::vector<ExprId> roots{assumption.count};
  for (const moa::Assumption::Claim& claim : assumption.claims) roots.push_back(claim.condition);
  Graph graph(form_, roots, {});
  Expr count = value(graph, assumption.count);
  make_simple(count);
  const onf::VariableId index =
      new_variable(fresh_name(expressions_.name(assumption.index)), Scalar::int64);
  Statements body = aside([&] {
    bind(assumption.index, index, integer_expr(0), count);
    for (const moa::Assumption::Claim& claim : assumption.claims) {
      const std::string message = claim.numbers.empty() ? claim.pieces.front() : assumption.message;
      require(graph, claim, message, assumption.code);
    }
  });
  emit(onf::For{index, integer_expr(0), std::move(count), std::move(body)});
}

void Computation::require(Graph& graph, const moa::Assumption::Claim& claim,
                          const std::string& message, const char* code) {
  Expr condition = value(graph, claim.condition);
  check_exact_condition(condition);
  std::vector<Expr> numbers;
  for (ExprId number : claim.numbers) {
    if (auto found = told(number, claim.condition, condition)) numbers.push_back(std::move(*found));
  }
  check(std::move(condition), message, code);
  if (!numbers.empty() && numbers.size() == claim.numbers.size()) {
    auto& made = std::get<onf::Check>(out_->back().form);
    made.pieces = claim.pieces;
    made.pieces.back() += place_;
    made.numbers = std::move(numbers);
  }
  forget_lazy();
}

// Where `tested` is the condition's value, that of one of the numbers that it compares.
std::optional<Expr> Computation::compared(ExprId number, ExprId condition, const Expr& tested) {
  const Node& node = expressions_[condition];
  if (tested.kind != Expr::Kind::apply || node.kind != Node::Kind::apply ||
      tested.function != node.function || tested.operands.size() != node.operands.size()) {
    return std::nullopt;
  }
  for (std::size_t k = 0; k < node.operands.size(); ++k) {
    if (node.operands[k] == number) return tested.operands[k];
    if (auto found = compared(number, node.operands[k], tested.operands[k])) return found;
  }
  return std::nullopt;
}

// A number that is told where a condition does not hold: it is known, or something that the
// condition compares, or one that can be computed whatever the elements are.
std::optional<Expr> Computation::told(ExprId number, ExprId condition, const Expr& tested) {
  if (const auto known = expressions_.constant(number)) return integer_expr(*known);
  if (auto found = compared(number, condition, tested)) return found;
  Graph graph(form_, std::span(&number, 1), {});
  if (!graph.total(number) || graph.heavy(number)) return std::nullopt;
  return value(graph, number);
}

void Computation::check_divisor(Expr& divisor) {
  if (ranges_.not_zero(divisor)) return;
  make_simple(divisor);
  check(compare_expr(ScalarFunction::not_equal, divisor, integer_expr(0)), "division by zero",
        "E0612");
}

void Computation::check_conversion(Expr& value) {
  make_simple(value);
  const Scalar type = value.type.scalar;
  const double bound = 9223372036854775808.0;
  check(both(compare_expr(ScalarFunction::less_equal, real_expr(-bound, type), value),
             compare_expr(ScalarFunction::less, value, real_expr(bound, type))),
        "a real number that no 64-bit integer is near to", "E0613");
}

// The array is told as the program calls it, whichever of its versions is read.
void Computation::check_index(Expr& index, moa::LeafId leaf, std::size_t axis) {
  const auto length = ranges_.length(leaves_[moa::number(leaf)], axis);
  const Expr last = apply_expr(ScalarFunction::subtract, Scalar::int64, {*length, integer_expr(1)});
  if (ranges_.at_most(integer_expr(0), index) && ranges_.at_most(index, last)) return;
  make_simple(index);
  check(both(compare_expr(ScalarFunction::less_equal, integer_expr(0), index),
             compare_expr(ScalarFunction::less, index, *length)),
        "an index outside of " + form_.leaves[moa::number(leaf)].name + " on axis " +
            std::to_string(axis),
        "E0609");
}

}  // namespace rhopsi::lower
