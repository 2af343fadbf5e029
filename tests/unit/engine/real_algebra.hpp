// A signature over reals, and what its terms are in either type of a run.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/unit/engine/algebra.hpp"

namespace rhopsi::test {

struct RealAlgebra : Algebra {
  SortId reals = store.sort("Real");
  SymbolId real_function(std::string_view name, std::size_t arity, Arithmetic arithmetic) {
    return meaning(function(name, std::vector<SortId>(arity, reals), reals), arithmetic);
  }
  SymbolId order(std::string_view name, Arithmetic arithmetic) {
    return meaning(predicate(name, {reals, reals}), arithmetic);
  }
  const SymbolId plus = real_function("_+_", 2, Arithmetic::real_add);
  const SymbolId minus = real_function("_-_", 2, Arithmetic::real_subtract);
  const SymbolId opposite = real_function("-_", 1, Arithmetic::real_negate);
  const SymbolId times = real_function("_*_", 2, Arithmetic::real_multiply);
  const SymbolId over = real_function("_/_", 2, Arithmetic::real_divide);
  const SymbolId least = real_function("min", 2, Arithmetic::real_minimum);
  const SymbolId greatest = real_function("max", 2, Arithmetic::real_maximum);
  const SymbolId size = real_function("abs", 1, Arithmetic::real_absolute);
  const SymbolId below = order("_<_", Arithmetic::real_less);
  const SymbolId at_most = order("_<=_", Arithmetic::real_less_equal);
  const SymbolId above = order("_>_", Arithmetic::real_greater);
  const SymbolId at_least = order("_>=_", Arithmetic::real_greater_equal);

  SymbolId unknown(std::string_view name) { return store.fresh_variable(name, reals, false); }
  TermId literal(std::string_view spelling) {
    const bool real = spelling.find_first_of(".e") != spelling.npos;
    return make(real ? store.real_literal(spelling, reals)
                     : store.integer_literal(std::stoll(std::string(spelling)), reals));
  }
  term::Interpretation interpretation() {
    term::Interpretation made = Algebra::interpretation();
    made.real = [this](SortId sort) { return sort == reals; };
    return made;
  }
};

template <class T>
using Point = std::map<SymbolId, T>;

// What the reference evaluator computes.
template <class T>
T value_at(RealAlgebra& a, TermId term, const Point<T>& point) {
  const term::Symbol& head = a.store.head(term);
  if (head.kind == SymbolKind::integer_literal) return static_cast<T>(head.integer);
  if (head.kind == SymbolKind::real_literal) {
    if constexpr (sizeof(T) == sizeof(float)) return std::strtof(head.name.c_str(), nullptr);
    return static_cast<T>(std::strtod(head.name.c_str(), nullptr));
  }
  const SymbolId symbol = a.store.symbol(term);
  if (head.kind == SymbolKind::variable) return point.at(symbol);
  const T x = value_at(a, a.store.children(term)[0], point);
  if (symbol == a.opposite) return -x;
  if (symbol == a.size) return std::fabs(x);
  const T y = value_at(a, a.store.children(term)[1], point);
  if (symbol == a.plus) return x + y;
  if (symbol == a.minus) return x - y;
  if (symbol == a.times) return x * y;
  if (symbol == a.over) return x / y;
  if (symbol == a.least) return y < x ? y : x;
  return x < y ? y : x;
}

template <class T>
bool holds_at(RealAlgebra& a, TermId condition, const Point<T>& point) {
  const SymbolId symbol = a.store.symbol(condition);
  const auto part = [&](std::size_t k) { return a.store.children(condition)[k]; };
  switch (term::builtin(a.store, symbol)) {
    case Builtin::and_:
      return holds_at(a, part(0), point) && holds_at(a, part(1), point);
    case Builtin::or_:
      return holds_at(a, part(0), point) || holds_at(a, part(1), point);
    case Builtin::not_:
      return !holds_at(a, part(0), point);
    default:
      break;
  }
  const T x = value_at(a, part(0), point);
  const T y = value_at(a, part(1), point);
  if (symbol == a.below) return x < y;
  if (symbol == a.at_most) return x <= y;
  if (symbol == a.above) return x > y;
  if (symbol == a.at_least) return x >= y;
  return (term::builtin(a.store, symbol) == Builtin::equal) == (x == y);
}

// Random comparisons, with literals at which rounding shows, and connectives of them.
struct RealBox {
  RealAlgebra& algebra;
  std::mt19937 random;
  std::vector<SymbolId> variables;

  std::uint32_t below(std::uint32_t bound) { return random() % bound; }
  TermId literal() {
    constexpr std::array spellings{"0.0",  "1.0",      "0.1",      "0.5",  "0.3",   "0.2", "2",
                                   "16.0", "16777217", "16777216", "1e38", "1e-40", "1",   "3"};
    return algebra.literal(spellings[below(spellings.size())]);
  }
  TermId term(int depth) {
    if (depth == 0 || below(3) == 0) {
      return below(2) == 0
                 ? literal()
                 : algebra.make(variables[below(static_cast<std::uint32_t>(variables.size()))]);
    }
    const std::array binary{algebra.plus, algebra.minus, algebra.times,
                            algebra.over, algebra.least, algebra.greatest};
    const std::uint32_t which = below(binary.size() + 2);
    if (which == binary.size()) return algebra.make(algebra.opposite, {term(depth - 1)});
    if (which > binary.size()) return algebra.make(algebra.size, {term(depth - 1)});
    const TermId left = term(depth - 1);
    return algebra.make(binary[which], {left, term(depth - 1)});
  }
  TermId comparison(int depth) {
    const TermId left = term(depth);
    const TermId right = below(2) == 0 ? literal() : term(depth);
    const std::array orders{algebra.below, algebra.at_most, algebra.above, algebra.at_least};
    const std::uint32_t which = below(orders.size() + 2);
    if (which == orders.size()) return algebra.equal(left, right);
    if (which > orders.size()) return algebra.builtin(Builtin::not_equal, {left, right});
    return algebra.make(orders[which], {left, right});
  }
  TermId condition(int depth) {
    const std::uint32_t which = below(6);
    if (depth == 0 || which > 2) return comparison(depth);
    const TermId left = condition(depth - 1);
    if (which == 0) return algebra.builtin(Builtin::not_, {left});
    const Builtin connective = which == 1 ? Builtin::and_ : Builtin::or_;
    return algebra.builtin(connective, {left, condition(depth - 1)});
  }

  // A point where the facts hold and the condition does not, among values at the ends of the type.
  template <class T>
  bool fails_somewhere(TermId condition, const std::vector<TermId>& facts) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    const std::array<T, 19> values{T(0),
                                   -T(0),
                                   T(1),
                                   T(0.1),
                                   T(0.3),
                                   T(0.5),
                                   T(-0.5),
                                   T(2),
                                   T(-1),
                                   T(16),
                                   T(1e-40),
                                   T(-1e-40),
                                   T(1e38),
                                   T(-1e38),
                                   T(3),
                                   T(16777216),
                                   -T(2),
                                   +infinity,
                                   std::numeric_limits<T>::quiet_NaN()};
    Point<T> point;
    for (const T x : values) {
      for (const T y : values) {
        point[variables[0]] = x;
        point[variables[1]] = y;
        const bool given =
            std::ranges::all_of(facts, [&](TermId fact) { return holds_at(algebra, fact, point); });
        if (given && !holds_at(algebra, condition, point)) return true;
      }
    }
    return false;
  }
  bool fails_in_a_run(TermId condition, const std::vector<TermId>& facts) {
    return fails_somewhere<double>(condition, facts) || fails_somewhere<float>(condition, facts);
  }
};

}  // namespace rhopsi::test
