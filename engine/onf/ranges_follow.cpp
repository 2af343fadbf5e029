// What follows from what is known.
#include <algorithm>
#include <set>

#include "engine/onf/ranges.hpp"

namespace rhopsi::onf {

namespace {

// Facts that follow from one by another.
constexpr int most_implied = 4;

// The comparison that holds where this one does not.
std::optional<ScalarFunction> negation(ScalarFunction function) {
  switch (function) {
    case ScalarFunction::less:
      return ScalarFunction::greater_equal;
    case ScalarFunction::less_equal:
      return ScalarFunction::greater;
    case ScalarFunction::greater:
      return ScalarFunction::less_equal;
    case ScalarFunction::greater_equal:
      return ScalarFunction::less;
    case ScalarFunction::equal:
      return ScalarFunction::not_equal;
    case ScalarFunction::not_equal:
      return ScalarFunction::equal;
    default:
      return std::nullopt;
  }
}

}  // namespace

void Ranges::assume_at_most(const Affine& low, const Affine& high) {
  compare(ScalarFunction::less_equal, low, high);
}

void Ranges::assume_elements(const Expr& low, const Expr& high) {
  const auto first = affine(low), end = affine(high);
  const auto count = first && end ? difference(*end, *first) : std::nullopt;
  if (count) add_implied(difference(*count, {1, {}}), facts_, most_implied);
}

Range Ranges::range(const Affine& value) const {
  Range sum{value.constant, value.constant};
  for (const auto& [atom, coefficient] : value.terms) {
    sum = plus(sum, scaled(atoms_[atom].range, coefficient));
  }
  return sum;
}

Range Ranges::range(const Expr& value) {
  const auto known = affine(value);
  return known ? range(*known) : Range{};
}

std::optional<std::int64_t> Ranges::least(const Affine& value) const {
  for (const auto& [atom, coefficient] : value.terms) {
    if (!atoms_[atom].counts) return std::nullopt;
  }
  const Range known = range(value);
  if (known.low == Range::lowest) return std::nullopt;
  return known.low;
}

bool Ranges::not_negative(const Affine& value) const {
  if (follows_from(value, facts_)) return true;
  const bool cases = std::ranges::any_of(
      value.terms, [&](const auto& term) { return choices_.contains(term.first); });
  if (!cases) return false;
  std::vector<Affine> known = facts_;
  return follows_by_cases(value, known, 3);
}

bool Ranges::not_zero(const Expr& value) {
  const auto known = affine(value);
  const auto above = known ? difference(*known, {1, {}}) : std::nullopt;
  const auto below = known ? difference({-1, {}}, *known) : std::nullopt;
  return (above && not_negative(*above)) || (below && not_negative(*below));
}

bool Ranges::at_most(const Expr& left, const Expr& right) {
  const auto low = affine(left), high = affine(right);
  const auto gap = low && high ? difference(*high, *low) : std::nullopt;
  return gap && not_negative(*gap);
}

std::optional<bool> Ranges::decided(const Expr& condition) {
  if (condition.kind == Expr::Kind::variable) {
    const auto found = conditions_.find(condition.variable);
    return found == conditions_.end() ? std::nullopt : decided(Expr(found->second));
  }
  if (condition.kind != Expr::Kind::apply) return std::nullopt;
  const auto part = [&](std::size_t k) -> const Expr& { return condition.operands[k]; };
  const bool both = condition.function == ScalarFunction::and_;
  if (condition.function == ScalarFunction::not_) {
    const auto holds = decided(part(0));
    return holds ? std::optional(!*holds) : std::nullopt;
  }
  if (both || condition.function == ScalarFunction::or_) {
    const auto left = decided(part(0)), right = decided(part(1));
    if (left == !both || right == !both) return !both;
    return left && right ? left : std::nullopt;
  }
  if (condition.operands.size() != 2 || !is_integer(part(0))) return std::nullopt;
  const auto order = [&](const Expr& least, const Expr& greatest,
                         std::int64_t by) -> std::optional<bool> {
    const auto low = affine(least), high = affine(greatest);
    const auto gap = low && high ? difference(*high, *low) : std::nullopt;
    const auto above = gap ? difference(*gap, {by, {}}) : std::nullopt;
    if (above && not_negative(*above)) return true;
    const auto below = gap ? difference({by - 1, {}}, *gap) : std::nullopt;
    return below && not_negative(*below) ? std::optional(false) : std::nullopt;
  };
  switch (condition.function) {
    case ScalarFunction::less:
      return order(part(0), part(1), 1);
    case ScalarFunction::less_equal:
      return order(part(0), part(1), 0);
    case ScalarFunction::greater:
      return order(part(1), part(0), 1);
    case ScalarFunction::greater_equal:
      return order(part(1), part(0), 0);
    default:
      return std::nullopt;
  }
}

// Bounds of atoms are put in their place, those made last first: they mention earlier ones only.
// What is left without a fact goes to `rests`: if one of these is not negative, so is the value.
bool Ranges::follows(const Affine& value, const std::vector<Affine>& known, int substitutions,
                     std::vector<Affine>* rests) const {
  if (range(value).low >= 0) return true;
  if (value.terms.empty()) return false;
  if (rests != nullptr) {
    for (const Affine& fact : known) {
      auto rest = difference(value, fact);
      if (rest && rest->terms.size() <= value.terms.size()) rests->push_back(std::move(*rest));
    }
  }
  if (substitutions == 0) return false;
  for (auto term = value.terms.rbegin(); term != value.terms.rend(); ++term) {
    const auto& [atom, coefficient] = *term;
    const auto& bounds = coefficient > 0 ? atoms_[atom].lows : atoms_[atom].highs;
    for (const Affine& bound : bounds) {
      const auto without = combined(value, of_atom(atom), -coefficient);
      const auto replaced = without ? combined(*without, bound, coefficient) : std::nullopt;
      if (replaced && follows(*replaced, known, substitutions - 1, rests)) return true;
    }
    const auto replaced = without_quotient(value, atom, coefficient);
    if (replaced && follows(*replaced, known, substitutions - 1, rests)) return true;
    if (!bounds.empty() || replaced) break;
  }
  return false;
}

// If it is not negative, the value is not, where the atom is q = v / c: an integer x is not
// negative if c x + c - 1 is not, and c q is at most v and at least v - c + 1.
std::optional<Affine> Ranges::without_quotient(const Affine& value, std::uint32_t atom,
                                               std::int64_t coefficient) const {
  const auto found = quotients_.find(atom);
  if (found == quotients_.end()) return std::nullopt;
  const auto& [dividend, by] = found->second;
  const auto without = combined(value, of_atom(atom), -coefficient);
  const auto scaled = without ? combined({by - 1, {}}, *without, by) : std::nullopt;
  const auto end = coefficient > 0 ? difference(dividend, {by - 1, {}}) : std::optional(dividend);
  return scaled && end ? combined(*scaled, *end, coefficient) : std::nullopt;
}

// Of what is left without one fact, and without another one, and so on: least facts first.
bool Ranges::follows_from(const Affine& value, const std::vector<Affine>& known) const {
  constexpr int most_facts = 4;
  constexpr std::size_t many = 256;
  std::vector<Affine> values{value}, rests;
  std::set<Affine> seen{value};
  for (int facts = 0; !values.empty(); ++facts) {
    if (facts > 2 && seen.size() > many) return false;
    rests.clear();
    for (const Affine& each : values) {
      if (follows(each, known, most_substitutions, facts < most_facts ? &rests : nullptr))
        return true;
    }
    std::erase_if(rests, [&](const Affine& rest) { return !seen.insert(rest).second; });
    values.swap(rests);
  }
  return false;
}

// Adds what is not negative, and what is not either because of that: c times it, where it holds the
// quotient q = v / c, with what c q is at most, or at least; and where it holds the smaller or the
// greater of two, with these.
void Ranges::add_implied(const std::optional<Affine>& fact, std::vector<Affine>& known,
                         int most) const {
  if (!fact || fact->terms.empty() || most == 0) return;
  known.push_back(*fact);
  for (auto term = fact->terms.rbegin(); term != fact->terms.rend(); ++term) {
    const auto& [atom, coefficient] = *term;
    const auto without = combined(*fact, of_atom(atom), -coefficient);
    if (!without) return;
    if (const auto found = quotients_.find(atom); found != quotients_.end()) {
      const auto& [dividend, by] = found->second;
      const auto scaled = combined({}, *without, by);
      const auto end =
          coefficient > 0 ? std::optional(dividend) : difference(dividend, {by - 1, {}});
      if (scaled && end) add_implied(combined(*scaled, *end, coefficient), known, most - 1);
      return;
    }
    if (!extremes_.contains(atom)) continue;
    for (const Affine& bound : coefficient > 0 ? atoms_[atom].highs : atoms_[atom].lows)
      add_implied(combined(*without, bound, coefficient), known, most - 1);
    return;
  }
}

// What bounds the atoms of a value: a counter that is in it is within its loop.
void Ranges::add_bounds(const Affine& value, std::vector<Affine>& known) const {
  for (const auto& [atom, coefficient] : value.terms) {
    for (const Affine& low : atoms_[atom].lows)
      add_implied(difference(of_atom(atom), low), known, most_implied);
    for (const Affine& high : atoms_[atom].highs)
      add_implied(difference(high, of_atom(atom)), known, most_implied);
    if (const auto found = quotients_.find(atom); found != quotients_.end())
      add_bounds(found->second.value, known);
  }
}

// What is chosen last is taken apart first: it may be of what was chosen before.
bool Ranges::follows_by_cases(const Affine& value, std::vector<Affine>& known, int choices) const {
  if (follows_from(value, known)) return true;
  if (choices == 0) return false;
  for (auto term = value.terms.rbegin(); term != value.terms.rend(); ++term) {
    const auto& [atom, coefficient] = *term;
    const auto found = choices_.find(atom);
    if (found == choices_.end()) continue;
    const auto without = combined(value, of_atom(atom), -coefficient);
    for (const std::size_t k : {0, 1}) {
      const auto& [values, facts] = found->second;
      const auto replaced = without ? combined(*without, values[k], coefficient) : std::nullopt;
      if (!replaced) return false;
      const std::size_t before = known.size();
      known.insert(known.end(), facts[k].begin(), facts[k].end());
      // Each of two extremes has its bounds anyway, but a value that is chosen those of its case.
      add_bounds(values[k], known);
      if (extremes_.contains(atom)) add_bounds(values[1 - k], known);
      const bool holds = follows_by_cases(*replaced, known, choices - 1);
      known.resize(before);
      if (!holds) return false;
    }
    return true;
  }
  return false;
}

void Ranges::compare(ScalarFunction function, const Affine& left, const Affine& right) {
  // small + by <= large
  const auto add = [&](const Affine& small, const Affine& large, std::int64_t by) {
    const auto gap = difference(large, small);
    const auto fact = gap ? difference(*gap, {by, {}}) : std::nullopt;
    if (fact && !fact->terms.empty()) facts_.push_back(*fact);
  };
  switch (function) {
    case ScalarFunction::less:
      return add(left, right, 1);
    case ScalarFunction::less_equal:
      return add(left, right, 0);
    case ScalarFunction::greater:
      return add(right, left, 1);
    case ScalarFunction::greater_equal:
      return add(right, left, 0);
    case ScalarFunction::equal:
      add(left, right, 0);
      return add(right, left, 0);
    case ScalarFunction::not_equal: {
      const auto above = difference(left, right), below = difference(right, left);
      if (above && follows_from(*above, facts_)) return add(right, left, 1);
      if (below && follows_from(*below, facts_)) return add(left, right, 1);
      return;
    }
    default:
      return;
  }
}

void Ranges::assume(const Expr& condition, bool holds) {
  if (condition.kind == Expr::Kind::variable) {
    const auto found = conditions_.find(condition.variable);
    if (found != conditions_.end()) assume(Expr(found->second), holds);
    return;
  }
  if (condition.kind != Expr::Kind::apply) return;
  if (condition.function == ScalarFunction::not_) return assume(condition.operands[0], !holds);
  const bool both = condition.function == (holds ? ScalarFunction::and_ : ScalarFunction::or_);
  if (both) {
    for (const Expr& part : condition.operands) assume(part, holds);
    return;
  }
  if (condition.operands.size() != 2 || !is_integer(condition.operands[0])) return;
  const auto function = holds ? std::optional(condition.function) : negation(condition.function);
  const auto left = affine(condition.operands[0]), right = affine(condition.operands[1]);
  if (function && left && right) compare(*function, *left, *right);
}

}  // namespace rhopsi::onf
