#include "engine/moa/plan.hpp"

#include <algorithm>

#include "engine/moa/fold_parts.hpp"
#include "engine/moa/ordering.hpp"
#include "engine/moa/storing.hpp"

namespace rhopsi::moa {

namespace {

// Greedy, those first that cost most alone: where one of them is stored, trying others is cheap.
Chosen choose(Storing& storing, double plain) {
  std::vector<std::pair<double, std::size_t>> promising;
  for (std::size_t k = 0; k < storing.candidates(); ++k) {
    if (storing.promises(k)) promising.emplace_back(-storing.weight(storing.own_cost(k, {})), k);
  }
  std::ranges::sort(promising);
  Chosen chosen;
  double best = plain;
  for (const auto& [unused, candidate] : promising) {
    const Chosen more = with(chosen, candidate);
    const auto cost = storing.cost(more);
    if (!cost || storing.weight(*cost) >= best || !storing.safe(more)) continue;
    chosen = more;
    best = storing.weight(*cost);
  }
  // Some have become useless by those that came later: a sum, by a multiple of it.
  storing.allow(2 * chosen.size());
  for (std::size_t candidate : Chosen(chosen)) {
    const Chosen fewer = without(chosen, candidate);
    const auto cost = fewer.empty() ? std::nullopt : storing.cost(fewer);
    if (!cost || storing.weight(*cost) > best || !storing.safe(fewer)) continue;
    chosen = fewer;
    best = storing.weight(*cost);
  }
  return chosen;
}

Choice choice_of(Storing& storing, const Chosen& chosen, std::size_t candidate, double plain) {
  const Cost own = storing.own_cost(candidate, chosen);
  const auto all = storing.cost(chosen);
  const auto rest = storing.cost(without(chosen, candidate));
  const double before = rest ? rest->operations : plain;
  const double after = all ? all->operations : 0;
  return {rounded(own.operations), rounded(own.stores), rounded(before - after + own.operations)};
}

tl::expected<Plan, Problem> best_plan(const Library& library, term::TermId expression,
                                      const Place& place, const Limits& limits) {
  auto plain = reduce(library, expression, place, limits);
  if (!plain) return tl::unexpected(std::move(plain.error()));
  const Cost cost = cost_of(*plain);
  const double weight = cost.weighted(limits);
  if (limits.trials == 0 || weight <= limits.allocation) return Plan(std::move(*plain));
  std::vector<Assumption> known = plain->assumptions;
  for (ExprId fact : place.facts) known.push_back({fact, {}, {}});

  Storing storing(library, expression, place, *plain, limits);
  const Chosen chosen = choose(storing, weight);
  auto stored = chosen.empty() ? std::nullopt : storing.plan(chosen);
  Plan regrouped = ordered(Plan(std::move(*plain)), known, limits);
  if (!stored) return regrouped;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    stored->stages[k].choice = choice_of(storing, chosen, chosen[k], cost.operations);
  }
  Plan both = ordered(*stored, known, limits);
  return weight_of(regrouped, limits) <= weight_of(both, limits) ? regrouped : both;
}

}  // namespace

tl::expected<Plan, Problem> plan(const Library& library, term::TermId expression,
                                 std::vector<Leaf> leaves, const Limits& limits) {
  return plan(library, expression, place_of(std::move(leaves)), limits);
}

// Folds are split last: orders of contractions are found where they are whole.
tl::expected<Plan, Problem> plan(const Library& library, term::TermId expression,
                                 const Place& place, const Limits& limits) {
  auto made = best_plan(library, expression, place, limits);
  if (made) split_folds(*made, place.facts);
  return made;
}

}  // namespace rhopsi::moa
