#include "engine/schedule/polynomial.hpp"

#include <algorithm>
#include <cmath>

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::ScalarFunction;

// Numbers of this size have no rounding in either type of reals.
constexpr double most_exact = 1 << 20;
// And these none in one of them.
constexpr std::int64_t most_coefficient = std::int64_t{1} << 53;

bool is_coefficient(std::int64_t value) {
  return value >= -most_coefficient && value <= most_coefficient;
}

// Of a literal that is a whole number.
std::optional<std::int64_t> whole_number(const Node& node) {
  const Expr& shell = node.shell;
  if (node.kind != Node::Kind::scalar || !is_real(node)) return std::nullopt;
  if (shell.kind == Expr::Kind::integer && std::abs(double(shell.integer)) <= most_exact)
    return shell.integer;
  if (shell.kind == Expr::Kind::real && std::abs(shell.real) <= most_exact &&
      shell.real == std::trunc(shell.real))
    return static_cast<std::int64_t>(shell.real);
  return std::nullopt;
}

Polynomial atom(NodeId id) { return {{{id}, 1}}; }

}  // namespace

std::optional<Polynomial> sum_of(Polynomial a, const Polynomial& b, std::int64_t factor) {
  for (const auto& [monomial, coefficient] : b) {
    std::int64_t& sum = a[monomial];
    std::int64_t more = 0;
    if (__builtin_mul_overflow(coefficient, factor, &more) ||
        __builtin_add_overflow(sum, more, &sum) || !is_coefficient(sum))
      return std::nullopt;
    if (sum == 0) a.erase(monomial);
  }
  return a.size() > most_monomials ? std::nullopt : std::optional(std::move(a));
}

std::optional<Polynomial> product_of(const Polynomial& a, const Polynomial& b) {
  std::optional<Polynomial> made = Polynomial();
  for (const auto& [left, times] : a) {
    for (const auto& [right, coefficient] : b) {
      if (left.size() + right.size() > most_factors) return std::nullopt;
      Monomial both;
      std::ranges::merge(left, right, std::back_inserter(both));
      std::int64_t product = 0;
      if (__builtin_mul_overflow(times, coefficient, &product)) return std::nullopt;
      made = sum_of(std::move(*made), {{std::move(both), product}});
      if (!made) return std::nullopt;
    }
  }
  return made;
}

bool Polynomials::invariant(NodeId id) {
  if (const auto found = invariant_.find(id); found != invariant_.end()) return found->second;
  const Node& node = graph_[id];
  const bool made =
      node.kind == Node::Kind::scalar &&
      std::ranges::all_of(node.operands, [&](NodeId part) { return invariant(part); });
  invariant_.emplace(id, made);
  return made;
}

bool Polynomials::is_sum_or_product(NodeId id) {
  const Node& node = graph_[id];
  if (kept_.contains(id) || node.kind != Node::Kind::scalar ||
      node.shell.kind != Expr::Kind::apply || !is_real(node))
    return false;
  for (const NodeId operand : node.operands) {
    if (graph_[operand].shell.type.scalar != node.shell.type.scalar) return false;
  }
  switch (node.shell.function) {
    case ScalarFunction::add:
    case ScalarFunction::subtract:
    case ScalarFunction::multiply:
    case ScalarFunction::negate:
    case ScalarFunction::plus:
      return true;
    case ScalarFunction::divide:
      return invariant(node.operands[1]);
    default:
      return false;
  }
}

std::optional<Polynomial> Polynomials::of(NodeId id) {
  if (const auto found = known_.find(id); found != known_.end()) return found->second;
  std::optional<Polynomial> made;
  if (const auto number = whole_number(graph_[id])) {
    made = Polynomial();
    if (*number != 0) made->emplace(Monomial(), *number);
  } else if (is_sum_or_product(id)) {
    made = of_operation(id);
  } else {
    made = atom(id);
  }
  return known_[id] = std::move(made);
}

std::optional<Polynomial> Polynomials::of_operation(NodeId id) {
  const Node node = graph_[id];  // inverses are new nodes
  const auto left = of(node.operands[0]);
  if (!left) return std::nullopt;
  if (node.operands.size() == 1)
    return node.shell.function == ScalarFunction::negate ? sum_of({}, *left, -1) : left;
  if (node.shell.function == ScalarFunction::divide) {
    Node one;
    one.shell.kind = Expr::Kind::integer;
    one.shell.type = node.shell.type;
    one.shell.integer = 1;
    Node inverse;
    inverse.shell.kind = Expr::Kind::apply;
    inverse.shell.function = ScalarFunction::divide;
    inverse.shell.type = node.shell.type;
    inverse.operands = {graph_.make(std::move(one)), node.operands[1]};
    const NodeId made = graph_.make(std::move(inverse));
    return product_of(*left, atom(made));
  }
  const auto right = of(node.operands[1]);
  if (!right) return std::nullopt;
  switch (node.shell.function) {
    case ScalarFunction::add:
      return sum_of(*left, *right);
    case ScalarFunction::subtract:
      return sum_of(*left, *right, -1);
    default:
      return product_of(*left, *right);
  }
}

}  // namespace rhopsi::schedule
