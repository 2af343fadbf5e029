#include "engine/rewrite/widths.hpp"

#include <algorithm>
#include <utility>

#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

using term::Interpretation;
using term::SymbolId;
using term::TermId;
using term::Verdict;

namespace {

bool proved(const Verdict& verdict) { return verdict.answer == Verdict::Answer::proved; }

}  // namespace

Interpretation with_width(term::Store& store, const Interpretation& interpretation, SymbolId width,
                          std::int64_t number) {
  Interpretation changed = interpretation;
  const TermId value = store.make(store.integer_literal(number, store[width].result), {});
  changed.definition = [definition = interpretation.definition, width,
                        value](SymbolId symbol) -> std::optional<TermId> {
    if (symbol == width) return value;
    return definition ? definition(symbol) : std::nullopt;
  };
  return changed;
}

WidthFinder::WidthFinder(term::Store& store, term::ConditionOracle& oracle,
                         std::vector<SymbolId> widths)
    : store_(store), oracle_(oracle), widths_(std::move(widths)) {}

std::optional<SymbolId> WidthFinder::width_in(TermId condition) const {
  std::optional<SymbolId> found;
  for (SymbolId each : term::operations_in(store_, condition)) {
    if (std::ranges::find(widths_, each) == widths_.end()) continue;
    if (found) return std::nullopt;
    found = each;
  }
  return found;
}

Verdict WidthFinder::decide(const term::Store& store, TermId condition,
                            std::span<const TermId> facts, const Interpretation& interpretation) {
  Verdict asked = oracle_.decide(store, condition, facts, interpretation);
  if (!active() || proved(asked)) return asked;
  const auto width = width_in(condition);
  if (!width || (interpretation.definition && interpretation.definition(*width))) return asked;
  const auto verdict_for = [&](std::int64_t number) {
    return oracle_.decide(store, condition, facts,
                          with_width(store_, interpretation, *width, number));
  };
  std::int64_t below = -1;  // does not do
  std::int64_t least = 0;
  Verdict verdict = verdict_for(least);
  while (!proved(verdict)) {
    if (least == greatest_width) return asked;
    below = std::exchange(least, least == 0 ? 1 : 2 * least);
    verdict = verdict_for(least);
  }
  while (below + 1 < least) {
    const std::int64_t middle = below + (least - below) / 2;
    Verdict other = verdict_for(middle);
    (proved(other) ? least : below) = middle;
    if (proved(other)) verdict = std::move(other);
  }
  Found& found = found_.try_emplace(condition, Found{*width, 0, {}}).first->second;
  found.least = std::max(found.least, least);
  found.facts.emplace_back(facts.begin(), facts.end());
  verdict.detail = store[*width].name + "() = " + std::to_string(least);
  return verdict;
}

Interpretation WidthFinder::settled(const term::Store&, TermId condition,
                                    const Interpretation& interpretation) const {
  const auto found = found_.find(condition);
  if (found == found_.end()) return interpretation;
  return with_width(store_, interpretation, found->second.width, found->second.least);
}

std::vector<term::WidthNeed> WidthFinder::needs(const term::Derivation& derivation) const {
  std::vector<term::WidthNeed> needs;
  for (const term::Step& step : derivation.steps) {
    if (!step.applied || !step.condition) continue;
    const auto found = found_.find(*step.condition);
    if (found == found_.end()) continue;
    needs.push_back({found->second.width, found->second.least, step, found->second.facts});
  }
  return needs;
}

std::optional<std::int64_t> common_width(term::Store& store, term::ConditionOracle& oracle,
                                         const Interpretation& interpretation,
                                         const std::vector<term::WidthNeed>& needs) {
  std::int64_t least = 0;
  for (const term::WidthNeed& need : needs) least = std::max(least, need.least);
  for (std::int64_t width = least; width <= greatest_width; ++width) {
    const bool all = std::ranges::all_of(needs, [&](const term::WidthNeed& need) {
      const Interpretation known = with_width(store, interpretation, need.width, width);
      return std::ranges::all_of(need.facts, [&](const std::vector<TermId>& facts) {
        return proved(oracle.decide(store, *need.step.condition, facts, known));
      });
    });
    if (all) return width;
  }
  return std::nullopt;
}

}  // namespace rhopsi::rewrite
