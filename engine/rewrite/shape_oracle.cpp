#include "engine/rewrite/shape_oracle.hpp"

#include <algorithm>
#include <utility>

#include "engine/rewrite/shape_unfolder.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

using term::TermId;
using term::Verdict;
using Answer = Verdict::Answer;

namespace {

constexpr std::size_t most_shown = 200;

std::string condition_text(const term::Store& store, TermId term) {
  return "`" + term::to_string(store, term, most_shown) + "`";
}

}  // namespace

ShapeOracle::ShapeOracle(term::Store& store, term::ConditionOracle& oracle,
                         std::span<const term::Callable> callables,
                         const term::Interpretation& interpretation, Laws laws)
    : store_(store),
      oracle_(oracle),
      symbols_(store, callables, interpretation),
      source_(std::move(laws)) {}

void ShapeOracle::load() {
  if (std::exchange(loaded_, true)) return;
  laws_ = source_(symbols_);
  index_ = LawIndex(store_, symbols_, laws_);
}

Verdict ShapeOracle::decide(const term::Store& store, TermId condition,
                            std::span<const TermId> facts,
                            const term::Interpretation& interpretation) {
  Verdict verdict = oracle_.decide(store, condition, facts, interpretation);
  if (verdict.answer != Answer::unknown || symbols_.shapes.empty()) return verdict;
  load();
  ShapeUnfolder unfolder(store_, symbols_, laws_, index_, interpretation);
  unfolder.run(condition, facts, most_unfoldings);
  if (unfolder.steps().empty()) return verdict;
  const std::vector<TermId>& parts = unfolder.conditions();
  TermId whole = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    whole = term::conjunction(store_, whole, parts[i]);
  }
  Verdict other = oracle_.decide(store_, whole, unfolder.facts(), interpretation);
  if (other.answer == Answer::proved) {
    other.unfoldings = unfolder.steps();
    const std::string names = names_of(other.unfoldings);
    if (!names.empty()) other.detail = condition_text(store_, whole) + " by " + names;
    return other;
  }
  // That a component is not there says nothing of the condition.
  if (other.answer == Answer::refuted && parts.size() > 1) {
    other = oracle_.decide(store_, parts.front(), unfolder.facts(), interpretation);
  }
  if (other.answer == Answer::refuted) return other;
  if (whole != condition) verdict.detail += "; by shapes it is " + condition_text(store_, whole);
  return verdict;
}

term::Interpretation ShapeOracle::settled(const term::Store& store, TermId condition,
                                          const term::Interpretation& interpretation) const {
  return oracle_.settled(store, condition, interpretation);
}

std::string ShapeOracle::names_of(std::span<const term::Unfolding> unfoldings) const {
  std::vector<std::string> names;
  for (const term::Unfolding& each : unfoldings) {
    if (!each.law) continue;
    const std::string& name = laws_[*each.law].name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace rhopsi::rewrite
