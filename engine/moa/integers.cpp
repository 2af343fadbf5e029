#include "engine/moa/integers.hpp"

#include <algorithm>
#include <utility>

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;
using Function = ScalarFunction;

std::int64_t wrapped(std::uint64_t value) { return static_cast<std::int64_t>(value); }
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return wrapped(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t times(std::int64_t a, std::int64_t b) {
  return wrapped(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

void collect(const Expressions& expressions, ExprId id, std::int64_t factor, Sum& into) {
  const Node& node = expressions[id];
  if (node.kind == Kind::integer) {
    into.constant = plus(into.constant, times(factor, node.integer));
    return;
  }
  if (node.kind == Kind::apply && !node.kept) {
    switch (node.function) {
      case Function::add:
      case Function::subtract:
        collect(expressions, node.operands[0], factor, into);
        collect(expressions, node.operands[1],
                node.function == Function::add ? factor : times(factor, -1), into);
        return;
      case Function::negate:
        return collect(expressions, node.operands[0], times(factor, -1), into);
      case Function::multiply:
        if (const auto by = expressions.constant(node.operands[1])) {
          return collect(expressions, node.operands[0], times(factor, *by), into);
        }
        break;
      default:
        break;
    }
  }
  into.terms.emplace_back(id, factor);
}

// What is multiplied by 0 stays if evaluating it may be an error.
void normalise(const Expressions& expressions, Sum& sum) {
  std::ranges::sort(sum.terms, {}, &std::pair<ExprId, std::int64_t>::first);
  std::vector<std::pair<ExprId, std::int64_t>> merged;
  for (const auto& [term, factor] : sum.terms) {
    if (!merged.empty() && merged.back().first == term) {
      merged.back().second = plus(merged.back().second, factor);
    } else {
      merged.emplace_back(term, factor);
    }
  }
  std::erase_if(merged, [&](const auto& entry) {
    return entry.second == 0 && !expressions.may_fail(entry.first);
  });
  sum.terms = std::move(merged);
}

}  // namespace

Sum sum_of(const Expressions& expressions, ExprId expression) {
  Sum sum;
  collect(expressions, expression, 1, sum);
  normalise(expressions, sum);
  return sum;
}

Sum add_scaled(const Sum& left, const Sum& right, std::int64_t factor) {
  Sum sum = left;
  sum.constant = plus(sum.constant, times(factor, right.constant));
  for (const auto& [term, coefficient] : right.terms) {
    const auto at =
        std::ranges::lower_bound(sum.terms, term, {}, &std::pair<ExprId, std::int64_t>::first);
    if (at != sum.terms.end() && at->first == term) {
      at->second = plus(at->second, times(factor, coefficient));
      if (at->second == 0) sum.terms.erase(at);
    } else if (const std::int64_t product = times(factor, coefficient); product != 0) {
      sum.terms.insert(at, {term, product});
    }
  }
  return sum;
}

std::optional<Sum> exactly_scaled(const Sum& left, const Sum& right, std::int64_t factor) {
  const auto holds = [&](std::int64_t a, std::int64_t b) {
    std::int64_t product = 0, unused = 0;
    return !__builtin_mul_overflow(factor, b, &product) &&
           !__builtin_add_overflow(a, product, &unused);
  };
  if (!holds(left.constant, right.constant)) return std::nullopt;
  for (const auto& [term, coefficient] : right.terms) {
    const auto at = std::ranges::find(left.terms, term, &std::pair<ExprId, std::int64_t>::first);
    if (!holds(at == left.terms.end() ? 0 : at->second, coefficient)) return std::nullopt;
  }
  return add_scaled(left, right, factor);
}

std::int64_t euclidean_remainder(std::int64_t value, std::int64_t divisor) {
  if (divisor == -1) return 0;
  const std::int64_t remainder = value % divisor;
  if (remainder >= 0) return remainder;
  return divisor < 0 ? remainder - divisor : remainder + divisor;
}

std::int64_t nearest_remainder(std::int64_t value, std::int64_t divisor) {
  constexpr std::int64_t far = std::int64_t{1} << 60;
  const std::int64_t remainder = euclidean_remainder(value, divisor);
  if (remainder <= far) return remainder;
  return divisor > 0 ? remainder - divisor : remainder + divisor;
}

std::int64_t euclidean_quotient(std::int64_t value, std::int64_t divisor) {
  if (divisor == -1) return times(value, -1);
  const std::int64_t quotient = value / divisor;
  if (value % divisor >= 0) return quotient;
  return divisor < 0 ? quotient + 1 : quotient - 1;
}

ExprId Expressions::add(ExprId left, ExprId right) {
  return apply(ScalarFunction::add, {left, right});
}
ExprId Expressions::subtract(ExprId left, ExprId right) {
  return apply(ScalarFunction::subtract, {left, right});
}
ExprId Expressions::multiply(ExprId left, ExprId right) {
  return apply(ScalarFunction::multiply, {left, right});
}

namespace {

std::optional<std::int64_t> folded(Function function, std::int64_t a, std::int64_t b) {
  switch (function) {
    case Function::multiply:
      return times(a, b);
    case Function::divide:
      if (b == 0) return std::nullopt;
      return euclidean_quotient(a, b);
    case Function::modulo:
      if (b == 0) return std::nullopt;
      return euclidean_remainder(a, b);
    case Function::minimum:
      return std::min(a, b);
    case Function::maximum:
      return std::max(a, b);
    default:
      return std::nullopt;
  }
}

// (x mod s + y) mod s == (x + y) mod s, and multiples of s fall away.
Sum reduced_modulo(const Expressions& expressions, const Sum& sum, ExprId divisor) {
  const auto by = expressions.constant(divisor);
  Sum result;
  result.constant = by ? nearest_remainder(sum.constant, *by) : sum.constant;
  bool again = false;
  for (const auto& [term, factor] : sum.terms) {
    const Node& node = expressions[term];
    const bool removable = !expressions.may_fail(term) && !expressions.reads(term);
    if (by && factor % *by == 0 && removable) continue;
    if (term == divisor && removable) continue;
    const bool nested = node.kind == Kind::apply && node.function == Function::modulo &&
                        !node.kept && node.operands[1] == divisor && !expressions.reads(term);
    if (nested) {
      result = add_scaled(result, sum_of(expressions, node.operands[0]), factor);
      again = true;
    } else {
      result = add_scaled(result, Sum{{{term, factor}}, 0}, 1);
    }
  }
  return again ? reduced_modulo(expressions, result, divisor) : result;
}

}  // namespace

namespace {

// value / divisor, or value itself with the divisor 1.
struct Quotient {
  ExprId value;
  std::int64_t divisor;
};

Quotient quotient_of(const Expressions& expressions, ExprId term) {
  const Node& node = expressions[term];
  if (node.kind == Kind::apply && node.type == Scalar::int64 && node.function == Function::divide) {
    const auto by = expressions.constant(node.operands[1]);
    if (by && *by > 0) return {node.operands[0], *by};
  }
  return {term, 1};
}

// (x / (a * c)) * (f * c) + ((x / a) mod c) * f == (x / a) * f
bool recombine(Expressions& expressions, Sum& sum) {
  for (const auto& [remainder, factor] : sum.terms) {
    const Node& node = expressions[remainder];
    if (node.kind != Kind::apply || node.function != Function::modulo) continue;
    const auto c = expressions.constant(node.operands[1]);
    if (!c || *c <= 0) continue;
    const Quotient inner = quotient_of(expressions, node.operands[0]);
    for (const auto& [quotient, multiple] : sum.terms) {
      const Quotient outer = quotient_of(expressions, quotient);
      if (outer.value != inner.value || outer.divisor != times(inner.divisor, *c) ||
          multiple != times(factor, *c)) {
        continue;
      }
      const Sum whole = sum_of(expressions, node.operands[0]);
      const auto scale = factor;
      std::erase_if(sum.terms, [r = remainder, q = quotient](const auto& entry) {
        return entry.first == r || entry.first == q;
      });
      sum = add_scaled(sum, whole, scale);
      return true;
    }
  }
  return false;
}

}  // namespace

ExprId expression_of(Expressions& expressions, const Sum& given) {
  Sum sum = given;
  while (sum.terms.size() > 1 && recombine(expressions, sum)) {
  }
  return expressions.sum(sum.terms, sum.constant);
}

ExprId Expressions::binary(ScalarFunction function, ExprId left, ExprId right) {
  Node node;
  node.kind = Kind::apply;
  node.function = function;
  node.operands = {left, right};
  return intern(std::move(node));
}

// A positive term first where there is one; the constant last.
ExprId Expressions::sum(const std::vector<std::pair<ExprId, std::int64_t>>& terms,
                        std::int64_t constant) {
  const auto scaled = [&](ExprId term, std::int64_t factor) {
    return factor == 1 ? term : binary(Function::multiply, term, integer(factor));
  };
  std::optional<ExprId> total;
  const auto include = [&](ExprId term, std::int64_t factor) {
    if (!total && factor == -1) {
      Node node;
      node.kind = Kind::apply;
      node.function = Function::negate;
      node.operands = {term};
      total = intern(std::move(node));
    } else if (!total) {
      total = scaled(term, factor);
    } else if (factor < 0 && factor != INT64_MIN) {
      total = binary(Function::subtract, *total, scaled(term, -factor));
    } else {
      total = binary(Function::add, *total, scaled(term, factor));
    }
  };
  for (const auto& [term, factor] : terms) {
    if (factor > 0) include(term, factor);
  }
  if (!total && constant > 0 && !terms.empty()) total = integer(std::exchange(constant, 0));
  for (const auto& [term, factor] : terms) {
    if (factor <= 0) include(term, factor);
  }
  if (!total) return integer(constant);
  if (constant == 0) return *total;
  if (constant < 0 && constant != INT64_MIN) {
    return binary(Function::subtract, *total, integer(-constant));
  }
  return binary(Function::add, *total, integer(constant));
}

ExprId Expressions::integer_operation(ScalarFunction function, std::vector<ExprId> operands) {
  const ExprId left = operands[0];
  const auto a = constant(left);
  switch (function) {
    case Function::negate:
      return expression_of(*this, add_scaled({}, sum_of(*this, left), -1));
    case Function::add:
    case Function::subtract: {
      Node whole;
      whole.kind = Kind::apply;
      whole.function = function;
      whole.operands = operands;
      return expression_of(*this, sum_of(*this, intern(std::move(whole))));
    }
    case Function::absolute:
      if (a) return integer(*a < 0 ? times(*a, -1) : *a);
      break;
    default:
      break;
  }
  if (operands.size() == 2) {
    const auto b = constant(operands[1]);
    if (a && b) {
      if (const auto value = folded(function, *a, *b)) return integer(*value);
    }
    if (function == Function::multiply) return product(left, operands[1]);
    if (function == Function::modulo && (!b || *b != 0) && !reads(left)) {
      if (b && (*b == 1 || *b == -1) && !may_fail(left)) return integer(0);
      const Sum sum = reduced_modulo(*this, sum_of(*this, left), operands[1]);
      const auto reduced = expression_of(*this, sum);
      if (const auto value = constant(reduced); value && b) {
        return integer(euclidean_remainder(*value, *b));
      }
      if (!may_fail(left) || may_fail(reduced)) operands[0] = reduced;
    }
    if (function == Function::divide && b == 1) return left;
    if (function == Function::divide && b == -1 && !reads(left)) {
      return integer_operation(Function::negate, {left});
    }
    if ((function == Function::minimum || function == Function::maximum)) {
      if (left == operands[1]) return left;
    }
  }
  Node node;
  node.kind = Kind::apply;
  node.function = function;
  node.operands = std::move(operands);
  return intern(std::move(node));
}

ExprId Expressions::product(ExprId left, ExprId right) {
  if (constant(left)) std::swap(left, right);
  if (const auto by = constant(right)) {
    Sum none;
    Sum scaled = add_scaled(none, sum_of(*this, left), *by);
    if (*by == 0 && may_fail(left)) return binary(Function::multiply, left, right);
    std::erase_if(scaled.terms, [](const auto& entry) { return entry.second == 0; });
    return expression_of(*this, scaled);
  }
  if (right < left) std::swap(left, right);
  return binary(Function::multiply, left, right);
}

}  // namespace rhopsi::moa
