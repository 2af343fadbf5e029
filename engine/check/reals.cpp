#include "engine/check/reals.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <limits>

#include "engine/term/store.hpp"

namespace rhopsi::check {

using term::Arithmetic;
using term::SymbolKind;

namespace {

constexpr int deepest_end = 100;

// Both ways of rounding where there are two: by way of 64 bits, and at once.
template <class T>
std::optional<std::pair<T, T>> ends_of_literal(const term::Symbol& literal) {
  const double wide = std::strtod(literal.name.c_str(), nullptr);
  T one = static_cast<T>(wide);
  T other = sizeof(T) == sizeof(float) ? std::strtof(literal.name.c_str(), nullptr) : one;
  if (literal.kind == SymbolKind::integer_literal) {
    one = other = static_cast<T>(literal.integer);
    if (std::abs(one) >= std::ldexp(T{1}, std::numeric_limits<T>::digits)) {
      one = std::nextafter(one, -std::numeric_limits<T>::infinity());
      other = std::nextafter(other, std::numeric_limits<T>::infinity());
    }
  }
  if (!std::isfinite(one) || !std::isfinite(other)) return std::nullopt;
  return std::pair{std::min(one, other), std::max(one, other)};
}

// Of results at the corners; nothing where one of them is no number.
template <class T>
std::optional<std::pair<T, T>> around(std::initializer_list<T> corners) {
  for (const T corner : corners) {
    if (std::isnan(corner)) return std::nullopt;
  }
  return std::pair{std::min(corners), std::max(corners)};
}

}  // namespace

bool RealJudge::compares(TermId term) const {
  const term::Symbol& head = store_.head(term);
  if (head.kind != SymbolKind::predicate || store_.children(term).size() != 2) return false;
  const Arithmetic what = meaning_.of(store_.symbol(term));
  if (what == Arithmetic::equal || what == Arithmetic::not_equal) {
    return meaning_.real(store_.sort(store_.children(term)[0]));
  }
  return what == Arithmetic::real_less || what == Arithmetic::real_less_equal ||
         what == Arithmetic::real_greater || what == Arithmetic::real_greater_equal;
}

RealJudge::Comparison RealJudge::read(TermId term) const {
  const TermId left = store_.children(term)[0];
  const TermId right = store_.children(term)[1];
  const Arithmetic what = meaning_.of(store_.symbol(term));
  const bool turned = what == Arithmetic::real_greater || what == Arithmetic::real_greater_equal;
  return {turned ? right : left, turned ? left : right,
          what == Arithmetic::equal || what == Arithmetic::not_equal,
          what == Arithmetic::real_less || what == Arithmetic::real_greater,
          what == Arithmetic::not_equal};
}

// That an order does not hold says nothing: there may be no numbers.
void RealJudge::learn(TermId comparison, bool positive) {
  const Comparison read_off = read(comparison);
  if (read_off.equality) {
    if (positive == read_off.negated) return;
    known_.push_back({read_off.left, read_off.right, false});
    known_.push_back({read_off.right, read_off.left, false});
  } else if (positive) {
    known_.push_back({read_off.left, read_off.right, read_off.strict});
  }
}

bool RealJudge::shown(TermId comparison, bool positive) {
  work_ = 0;
  const auto [left, right, equality, strict, negated] = read(comparison);
  const auto at_most = [&](TermId low, TermId high, bool less) {
    return below(low, high, less, with_known_ ? longest_chain : 0);
  };
  if (!equality) return positive ? at_most(left, right, strict) : at_most(right, left, !strict);
  if (positive != negated) return at_most(left, right, false) && at_most(right, left, false);
  return at_most(left, right, true) || at_most(right, left, true);
}

std::optional<bool> RealJudge::value(TermId comparison) {
  with_known_ = false;
  std::optional<bool> found;
  if (shown(comparison, true)) {
    found = true;
  } else if (shown(comparison, false)) {
    found = false;
  }
  with_known_ = true;
  return found;
}

bool RealJudge::below(TermId low, TermId high, bool strict, int statements) {
  if (++work_ > most_work) return false;
  const int known = apart(low, high);
  if (known == 2 || (known == 1 && !strict)) return true;
  if (!strict && same(store_, low, high) && number(low)) return true;
  if (statements == 0) return false;
  return std::ranges::any_of(known_, [&](const Statement& statement) {
    const bool here = same(store_, low, statement.low);
    const int first = here ? 1 : apart(low, statement.low);
    if (first == 0) return false;
    // The rest need not be strict where this is.
    const bool more = strict && !statement.strict && first != 2;
    return (!more && same(store_, statement.high, high)) ||
           below(statement.high, high, more, statements - 1);
  });
}

template <class T>
int RealJudge::apart(TermId low, TermId high) {
  const auto one = ends<T>(low, with_known_, 0);
  const auto other = one ? ends<T>(high, with_known_, 0) : std::nullopt;
  if (!other || one->second > other->first) return 0;
  return one->second < other->first ? 2 : 1;
}

int RealJudge::apart(TermId low, TermId high) {
  return std::min(apart<double>(low, high), apart<float>(low, high));
}

bool RealJudge::number(TermId term) {
  return ends<double>(term, with_known_, 0) && ends<float>(term, with_known_, 0);
}

template <class T>
RealJudge::Ends<T> RealJudge::ends(TermId term, bool learned, int depth) {
  if (depth > deepest_end || ++work_ > most_work) return std::nullopt;
  const SymbolKind kind = store_.head(term).kind;
  if (kind == SymbolKind::integer_literal || kind == SymbolKind::real_literal) {
    return ends_of_literal<T>(store_.head(term));
  }
  Ends<T> found = computed<T>(term, learned, depth);
  if (!learned) return found;
  constexpr T infinity = std::numeric_limits<T>::infinity();
  for (const Statement& statement : known_) {
    const bool is_low = same(store_, statement.low, term);
    if (!is_low && !same(store_, statement.high, term)) continue;
    if (!found) found = std::pair{-infinity, infinity};
    // By constants alone, so that no two terms bound each other in a circle.
    const Ends<T> end = ends<T>(is_low ? statement.high : statement.low, false, depth + 1);
    if (!end) continue;
    if (is_low) {
      found->second = std::min(found->second, end->second);
    } else {
      found->first = std::max(found->first, end->first);
    }
  }
  return found;
}

template <class T>
RealJudge::Ends<T> RealJudge::computed(TermId term, bool learned, int depth) {
  if (store_.head(term).kind != SymbolKind::function) return std::nullopt;
  const auto children = store_.children(term);
  if (children.empty()) {
    const auto body = meaning_.body(store_.symbol(term));
    return body ? ends<T>(*body, learned, depth + 1) : std::nullopt;
  }
  const Arithmetic what = meaning_.of(store_.symbol(term));
  if (!term::is_of_reals(what) || children.size() > 2) return std::nullopt;
  const Ends<T> left = ends<T>(children[0], learned, depth + 1);
  const Ends<T> right =
      left && children.size() == 2 ? ends<T>(children[1], learned, depth + 1) : left;
  if (!left || !right) return std::nullopt;
  const auto [a, b] = *left;
  const auto [c, d] = *right;
  if (children.size() == 1) {
    if (what == Arithmetic::real_negate) return around<T>({-a, -b});
    if (what != Arithmetic::real_absolute) return std::nullopt;
    const bool has_zero = a < 0 && b > 0;
    return around<T>({has_zero ? T{0} : std::abs(a), std::abs(a), std::abs(b)});
  }
  // Between an infinite end and a zero, or between two infinite ends, there may be no number.
  const bool left_ends = std::isinf(a) || std::isinf(b);
  const bool right_ends = std::isinf(c) || std::isinf(d);
  const bool left_zero = a <= 0 && b >= 0;
  const bool right_zero = c <= 0 && d >= 0;
  switch (what) {
    case Arithmetic::real_minimum:
      return std::pair{std::min(a, c), std::min(b, d)};
    case Arithmetic::real_maximum:
      return std::pair{std::max(a, c), std::max(b, d)};
    case Arithmetic::real_add:
      if (left_ends && right_ends) return std::nullopt;
      return around<T>({a + c, b + d});
    case Arithmetic::real_subtract:
      if (left_ends && right_ends) return std::nullopt;
      return around<T>({a - d, b - c});
    case Arithmetic::real_multiply:
      if ((left_ends && right_zero) || (right_ends && left_zero)) return std::nullopt;
      return around<T>({a * c, a * d, b * c, b * d});
    case Arithmetic::real_divide:
      if (right_zero || (left_ends && right_ends)) return std::nullopt;
      return around<T>({a / c, a / d, b / c, b / d});
    default:
      return std::nullopt;
  }
}

}  // namespace rhopsi::check
