#include "engine/rewrite/reals.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "engine/rewrite/evaluate.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

using term::Arithmetic;
using term::SymbolKind;
using term::TermId;

namespace {

constexpr int deepest_range = 100;
// Terms whose parts are shared may be far larger than they look.
constexpr std::size_t most_work = 100'000;

bool is_equality(Arithmetic meaning) {
  return meaning == Arithmetic::equal || meaning == Arithmetic::not_equal;
}

bool orders_reals(Arithmetic meaning) { return meaning >= Arithmetic::real_less; }

// The number that a literal is in a run of that type, between two where the way of rounding could
// matter. Nothing for one beyond the type.
template <class T>
std::optional<std::pair<T, T>> literal_ends(const term::Symbol& head) {
  T low{};
  T high{};
  if (head.kind == SymbolKind::real_literal) {
    low = high = static_cast<T>(head.real);
    if constexpr (sizeof(T) < sizeof(double)) {
      const T once = std::strtof(head.name.c_str(), nullptr);
      low = std::min(low, once);
      high = std::max(high, once);
    }
  } else {
    constexpr std::int64_t exact = 1LL << std::numeric_limits<T>::digits;
    low = high = static_cast<T>(head.integer);
    if (head.integer > exact || head.integer < -exact) {
      low = std::nextafter(low, -std::numeric_limits<T>::infinity());
      high = std::nextafter(high, std::numeric_limits<T>::infinity());
    }
  }
  if (!std::isfinite(low) || !std::isfinite(high)) return std::nullopt;
  return std::pair{low, high};
}

}  // namespace

bool compares_reals(const term::Store& store, const term::Interpretation& interpretation,
                    TermId term) {
  if (store.head(term).kind != SymbolKind::predicate) return false;
  const auto children = store.children(term);
  if (children.size() != 2) return false;
  const Arithmetic meaning = meaning_of(store, interpretation, store.symbol(term));
  if (orders_reals(meaning)) return true;
  return is_equality(meaning) && interpretation.real &&
         interpretation.real(store.sort(children[0]));
}

bool mentions_reals(const term::Store& store, const term::Interpretation& interpretation,
                    TermId term, std::size_t limit) {
  bool found = false;
  std::size_t nodes = 0;
  term::for_each_subterm(store, term, [&](TermId part) {
    if (found || ++nodes > limit) return false;
    found = compares_reals(store, interpretation, part);
    return !found;
  });
  return found && nodes <= limit;
}

RealFacts::Relation RealFacts::relation(TermId comparison) const {
  const auto children = store_.children(comparison);
  switch (meaning_of(store_, interpretation_, store_.symbol(comparison))) {
    case Arithmetic::real_less:
      return {children[0], children[1], Arithmetic::less};
    case Arithmetic::real_less_equal:
      return {children[0], children[1], Arithmetic::less_equal};
    case Arithmetic::real_greater:
      return {children[1], children[0], Arithmetic::less};
    case Arithmetic::real_greater_equal:
      return {children[1], children[0], Arithmetic::less_equal};
    case Arithmetic::equal:
      return {children[0], children[1], Arithmetic::equal};
    default:
      return {children[0], children[1], Arithmetic::not_equal};
  }
}

void RealFacts::assume(TermId comparison, bool positive) {
  const auto [left, right, kind] = relation(comparison);
  if (kind == Arithmetic::less || kind == Arithmetic::less_equal) {
    const bool strict = kind == Arithmetic::less;
    if (positive) {
      facts_.push_back({left, right, strict, false});
    } else {
      facts_.push_back({right, left, !strict, true});
    }
  } else if (positive == (kind == Arithmetic::equal)) {
    facts_.push_back({left, right, false, false});
    facts_.push_back({right, left, false, false});
  }
}

bool RealFacts::proves(TermId comparison, bool positive) const {
  work_ = 0;
  const auto [left, right, kind] = relation(comparison);
  if (kind == Arithmetic::less || kind == Arithmetic::less_equal) {
    const bool strict = kind == Arithmetic::less;
    return positive ? holds(left, right, strict) : holds(right, left, !strict);
  }
  if (positive == (kind == Arithmetic::equal)) {
    return holds(left, right, false) && holds(right, left, false);
  }
  return holds(left, right, true) || holds(right, left, true);
}

bool RealFacts::holds(TermId left, TermId right, bool strict) const {
  const Step step = by_ranges(left, right);
  if (step == Step::less || (step == Step::less_equal && !strict)) return true;
  if (!strict && term::alpha_equal(store_, left, right) && is_number(left)) return true;
  return reaches(left, right, strict);
}

// A way from left to right, each step of which is a fact or is seen by bounds.
bool RealFacts::reaches(TermId left, TermId right, bool strict) const {
  if (facts_.empty()) return false;
  const std::size_t count = std::min(facts_.size(), most_facts);
  const auto meets = [&](TermId one, TermId other) {
    if (term::alpha_equal(store_, one, other)) return Step::less_equal;
    return by_ranges(one, other);
  };
  // From the right side of one fact to the left side of another.
  std::vector<std::vector<Step>> between(count, std::vector<Step>(count));
  for (std::size_t from = 0; from < count; ++from) {
    for (std::size_t to = 0; to < count; ++to) {
      between[from][to] = meets(facts_[from].right, facts_[to].left);
    }
  }
  // Of the right sides of facts: how they compare with `left`, as far as that is known.
  std::vector<Step> known(count, Step::none);
  const auto improve = [&](std::size_t k, Step before) {
    const Step step = by_fact(facts_[k]);
    if (before == Step::none || step == Step::none) return false;
    const Step whole = std::max(before, step);
    if (whole <= known[k]) return false;
    known[k] = whole;
    return true;
  };
  for (std::size_t k = 0; k < count; ++k) improve(k, meets(left, facts_[k].left));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t from = 0; from < count; ++from) {
      if (known[from] == Step::none) continue;
      for (std::size_t to = 0; to < count; ++to) {
        if (between[from][to] == Step::none) continue;
        changed = improve(to, std::max(known[from], between[from][to])) || changed;
      }
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (known[k] == Step::none) continue;
    const Step last = meets(facts_[k].right, right);
    if (last == Step::none) continue;
    if (!strict || std::max(known[k], last) == Step::less) return true;
  }
  return false;
}

RealFacts::Step RealFacts::by_fact(const Fact& fact) const {
  if (fact.if_numbers && !(is_number(fact.left) && is_number(fact.right))) return Step::none;
  return fact.strict ? Step::less : Step::less_equal;
}

RealFacts::Step RealFacts::by_ranges(TermId left, TermId right) const {
  const auto in = [&]<class T>(T) {
    const auto low = range<T>(left, true, 0);
    const auto high = low ? range<T>(right, true, 0) : std::nullopt;
    if (!high || low->high > high->low) return Step::none;
    return low->high < high->low ? Step::less : Step::less_equal;
  };
  const Step doubles = in(double{});
  return doubles == Step::none ? doubles : std::min(doubles, in(float{}));
}

// What stands in a comparison that holds is one.
bool RealFacts::is_number(TermId term) const {
  const bool compared = std::ranges::any_of(facts_, [&](const Fact& fact) {
    return !fact.if_numbers && (term::alpha_equal(store_, fact.left, term) ||
                                term::alpha_equal(store_, fact.right, term));
  });
  return compared || (range<double>(term, true, 0) && range<float>(term, true, 0));
}

template <class T>
std::optional<RealFacts::Range<T>> RealFacts::range(TermId term, bool with_facts, int depth) const {
  if (depth > deepest_range || ++work_ > most_work) return std::nullopt;
  const term::Symbol& head = store_.head(term);
  if (head.kind == SymbolKind::integer_literal || head.kind == SymbolKind::real_literal) {
    const auto ends = literal_ends<T>(head);
    if (!ends) return std::nullopt;
    return Range<T>{ends->first, ends->second};
  }
  auto found = range_of_call<T>(term, with_facts, depth);
  if (!with_facts) return found;
  const auto bounded = range_of_atom<T>(term, depth);
  if (!found || !bounded) return found ? found : bounded;
  return Range<T>{std::max(found->low, bounded->low), std::min(found->high, bounded->high)};
}

template <class T>
std::optional<RealFacts::Range<T>> RealFacts::range_of_call(TermId term, bool with_facts,
                                                            int depth) const {
  if (store_.head(term).kind != SymbolKind::function) return std::nullopt;
  const term::SymbolId symbol = store_.symbol(term);
  const auto children = store_.children(term);
  if (children.empty()) {
    const auto definition = definition_of(interpretation_, symbol);
    return definition ? range<T>(*definition, with_facts, depth + 1) : std::nullopt;
  }
  const Arithmetic meaning = meaning_of(store_, interpretation_, symbol);
  if (!term::is_of_reals(meaning) || children.size() > 2) return std::nullopt;
  const auto a = range<T>(children[0], with_facts, depth + 1);
  if (!a) return std::nullopt;
  if (children.size() == 1) {
    if (meaning == Arithmetic::real_negate) return Range<T>{-a->high, -a->low};
    if (meaning != Arithmetic::real_absolute) return std::nullopt;
    if (a->low >= 0) return a;
    const T far = std::max(-a->low, a->high);
    return Range<T>{a->high <= 0 ? -a->high : T{0}, far};
  }
  const auto b = range<T>(children[1], with_facts, depth + 1);
  if (!b) return std::nullopt;
  const auto infinite = [](const Range<T>& range) {
    return std::isinf(range.low) || std::isinf(range.high);
  };
  const auto has_zero = [](const Range<T>& range) { return range.low <= 0 && range.high >= 0; };
  const auto of_ends = [&](auto operation) {
    const T ends[] = {operation(a->low, b->low), operation(a->low, b->high),
                      operation(a->high, b->low), operation(a->high, b->high)};
    const auto [low, high] = std::ranges::minmax(ends);
    return Range<T>{low, high};
  };
  switch (meaning) {
    // An infinity and its opposite have no sum.
    case Arithmetic::real_add:
    case Arithmetic::real_subtract: {
      if (infinite(*a) && infinite(*b)) return std::nullopt;
      if (meaning == Arithmetic::real_add) return Range<T>{a->low + b->low, a->high + b->high};
      return Range<T>{a->low - b->high, a->high - b->low};
    }
    case Arithmetic::real_multiply:
      if ((infinite(*a) && has_zero(*b)) || (infinite(*b) && has_zero(*a))) return std::nullopt;
      return of_ends([](T x, T y) { return x * y; });
    case Arithmetic::real_divide:
      if (has_zero(*b) || (infinite(*a) && infinite(*b))) return std::nullopt;
      return of_ends([](T x, T y) { return x / y; });
    case Arithmetic::real_minimum:
      return Range<T>{std::min(a->low, b->low), std::min(a->high, b->high)};
    case Arithmetic::real_maximum:
      return Range<T>{std::max(a->low, b->low), std::max(a->high, b->high)};
    default:
      return std::nullopt;
  }
}

// By the facts that compare it with a constant. With one alone the other end is open.
template <class T>
std::optional<RealFacts::Range<T>> RealFacts::range_of_atom(TermId term, int depth) const {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  Range<T> found{-infinity, infinity};
  bool known = false;
  for (std::size_t k = 0; k < std::min(facts_.size(), most_facts); ++k) {
    const Fact& fact = facts_[k];
    if (fact.if_numbers) continue;
    if (term::alpha_equal(store_, fact.left, term)) {
      known = true;
      const auto bound = range<T>(fact.right, false, depth + 1);
      if (bound) found.high = std::min(found.high, bound->high);
    }
    if (term::alpha_equal(store_, fact.right, term)) {
      known = true;
      const auto bound = range<T>(fact.left, false, depth + 1);
      if (bound) found.low = std::max(found.low, bound->low);
    }
  }
  if (!known) return std::nullopt;
  return found;
}

}  // namespace rhopsi::rewrite
