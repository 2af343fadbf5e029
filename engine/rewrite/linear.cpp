#include "engine/rewrite/linear.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace rhopsi::rewrite {

namespace {

// Beyond this many inequalities an elimination gives up.
constexpr std::size_t most_inequalities = 400;

bool scaled_sum(std::int64_t left, std::int64_t right, std::int64_t factor, std::int64_t& out) {
  std::int64_t product = 0;
  return !__builtin_mul_overflow(right, factor, &product) &&
         !__builtin_add_overflow(left, product, &out);
}

std::int64_t divide_up(std::int64_t value, std::int64_t positive) {
  const std::int64_t quotient = value / positive;
  return value % positive > 0 ? quotient + 1 : quotient;
}

// The tightest constant for each combination of unknowns.
class Elimination {
 public:
  // Returns false when the inequality alone cannot hold.
  bool add(const Linear& form) {
    if (form.is_constant()) return form.constant <= 0;
    std::int64_t divisor = 0;
    for (const auto& [unknown, coefficient] : form.terms) {
      if (coefficient == std::numeric_limits<std::int64_t>::min()) return true;
      divisor = std::gcd(divisor, coefficient);
    }
    Terms terms = form.terms;
    for (auto& term : terms) term.second /= divisor;
    const std::int64_t constant = divide_up(form.constant, divisor);
    auto [place, inserted] = forms_.try_emplace(std::move(terms), constant);
    if (!inserted) place->second = std::max(place->second, constant);
    return true;
  }

  // Is there no solution, for certain?
  bool infeasible() {
    while (!forms_.empty() && forms_.size() <= most_inequalities) {
      if (!eliminate(cheapest())) return true;
    }
    return false;
  }

 private:
  using Terms = std::vector<std::pair<Unknown, std::int64_t>>;

  // The unknown whose elimination makes the fewest inequalities.
  Unknown cheapest() const {
    std::map<Unknown, std::pair<std::size_t, std::size_t>> signs;
    for (const auto& [terms, constant] : forms_) {
      for (const auto& [unknown, coefficient] : terms) {
        auto& [upper, lower] = signs[unknown];
        ++(coefficient > 0 ? upper : lower);
      }
    }
    return std::ranges::min_element(
               signs, {},
               [](const auto& entry) { return entry.second.first * entry.second.second; })
        ->first;
  }

  bool eliminate(Unknown unknown) {
    std::vector<std::pair<Linear, std::int64_t>> upper;
    std::vector<std::pair<Linear, std::int64_t>> lower;
    for (auto place = forms_.begin(); place != forms_.end();) {
      auto found = std::ranges::find(place->first, unknown, &Terms::value_type::first);
      if (found == place->first.end()) {
        ++place;
        continue;
      }
      const std::int64_t coefficient = found->second;
      (coefficient > 0 ? upper : lower)
          .emplace_back(Linear{place->first, place->second},
                        coefficient > 0 ? coefficient : -coefficient);
      place = forms_.erase(place);
    }
    for (const auto& [above, above_factor] : upper) {
      for (const auto& [below, below_factor] : lower) {
        const std::int64_t divisor = std::gcd(above_factor, below_factor);
        auto scaled = add_scaled(Linear{}, above, below_factor / divisor);
        if (scaled) scaled = add_scaled(*scaled, below, above_factor / divisor);
        // Leaving an inequality out only makes the system easier to satisfy.
        if (scaled && !add(*scaled)) return false;
        if (forms_.size() > most_inequalities) return true;
      }
    }
    return true;
  }

  std::map<Terms, std::int64_t> forms_;
};

}  // namespace

Linear linear_constant(std::int64_t value) { return {{}, value}; }

Linear linear_unknown(Unknown unknown) { return {{{unknown, 1}}, 0}; }

std::optional<Linear> add_scaled(const Linear& left, const Linear& right, std::int64_t factor) {
  Linear sum;
  if (!scaled_sum(left.constant, right.constant, factor, sum.constant)) return std::nullopt;
  auto a = left.terms.begin();
  auto b = right.terms.begin();
  while (a != left.terms.end() || b != right.terms.end()) {
    const bool use_a = a != left.terms.end() && (b == right.terms.end() || a->first <= b->first);
    const bool use_b = b != right.terms.end() && (a == left.terms.end() || b->first <= a->first);
    const Unknown unknown = use_a ? a->first : b->first;
    std::int64_t coefficient = 0;
    if (!scaled_sum(use_a ? a->second : 0, use_b ? b->second : 0, factor, coefficient)) {
      return std::nullopt;
    }
    if (coefficient != 0) sum.terms.emplace_back(unknown, coefficient);
    if (use_a) ++a;
    if (use_b) ++b;
  }
  return sum;
}

std::vector<Unknown> Inequalities::connected(const Linear& form) const {
  std::set<Unknown> reached;
  for (const auto& [unknown, coefficient] : form.terms) reached.insert(unknown);
  const auto touches = [&](const Linear& other) {
    return std::ranges::any_of(other.terms,
                               [&](const auto& term) { return reached.contains(term.first); });
  };
  std::vector<const Linear*> rest;
  for (const Linear& other : forms_) rest.push_back(&other);
  for (bool grown = true; grown;) {
    const auto reached_now = std::stable_partition(
        rest.begin(), rest.end(), [&](const Linear* other) { return !touches(*other); });
    grown = reached_now != rest.end();
    for (auto other = reached_now; other != rest.end(); ++other) {
      for (const auto& [unknown, coefficient] : (*other)->terms) reached.insert(unknown);
    }
    rest.erase(reached_now, rest.end());
  }
  return {reached.begin(), reached.end()};
}

bool Inequalities::entail(const Linear& form) const {
  if (form.is_constant() && form.constant <= 0) return true;
  // form <= 0 follows when form >= 1 leads nowhere.
  auto negated = add_scaled(linear_constant(1), form, -1);
  if (!negated) return false;
  Elimination elimination;
  if (!elimination.add(*negated)) return true;
  const std::vector<Unknown> relevant = connected(form);
  for (const Linear& other : forms_) {
    const bool used =
        other.is_constant() || std::ranges::binary_search(relevant, other.terms.front().first);
    if (used && !elimination.add(other)) return true;
  }
  return elimination.infeasible();
}

}  // namespace rhopsi::rewrite
