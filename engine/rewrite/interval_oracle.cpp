#include "engine/rewrite/interval_oracle.hpp"

#include <algorithm>
#include <utility>

#include "engine/rewrite/evaluate.hpp"
#include "engine/rewrite/prover.hpp"
#include "engine/rewrite/reals.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

using term::Interpretation;
using term::Store;
using term::TermId;
using term::Verdict;

namespace {

// A condition in a message; one that is too long to be read is only named.
std::string shown(const Store& store, TermId condition) {
  constexpr std::size_t most_nodes = 400;
  if (term::size(store, condition) > most_nodes) return "the condition";
  return "`" + to_string(store, condition) + "`";
}

// "`-2 >= -pad()` is false, pad() = 1".
std::string closed_counterexample(const Store& store, const Interpretation& interpretation,
                                  TermId condition) {
  constexpr std::size_t most_nodes = 1'000;
  std::string detail = shown(store, condition) + " is false";
  const std::vector<TermId> terms{condition};
  for (term::SymbolId symbol : unknowns_in(store, interpretation, terms, most_nodes).defined) {
    const auto definition = definition_of(interpretation, symbol);
    const auto value = evaluate(store, interpretation, *definition, {});
    if (value) detail += ", " + store[symbol].name + "() = " + std::to_string(*value);
  }
  return detail;
}

std::string name_of(Means means) {
  switch (means) {
    case Means::constant:
      return "constant";
    case Means::fact:
      return "fact";
    case Means::interval:
      return "interval";
  }
  return {};
}

}  // namespace

Verdict IntervalOracle::decide(const Store& store, TermId condition, std::span<const TermId> facts,
                               const Interpretation& interpretation) {
  using Answer = Verdict::Answer;
  if (const auto value = evaluate(store, interpretation, condition, {})) {
    if (*value != 0) return {Answer::proved, "constant", ""};
    return {Answer::refuted, "constant", closed_counterexample(store, interpretation, condition)};
  }
  Prover prover(store, interpretation);
  for (TermId fact : facts) prover.assume(fact);
  if (const auto means = prover.prove(condition)) return {Answer::proved, name_of(*means), ""};
  if (auto found = counterexample(store, interpretation, condition, facts)) {
    return {Answer::refuted, "interval", *found};
  }
  constexpr std::size_t most_nodes = 10'000;
  const bool of_reals = mentions_reals(store, interpretation, condition, most_nodes);
  const std::vector<TermId> terms{condition};
  const bool has_values =
      !of_reals && unknowns_in(store, interpretation, terms, most_nodes).only_integers;
  // Where no values are looked for: what is known to be false is.
  if (!has_values && prover.prove(condition, false)) {
    return {Answer::refuted, "interval",
            shown(store, condition) + " is false by what is known there"};
  }
  std::string open = "could not decide " + shown(store, condition) + " from " +
                     std::to_string(facts.size()) + (facts.size() == 1 ? " fact" : " facts");
  if (of_reals) {
    open += "; of real numbers only bounds and chains of comparisons are known";
  }
  return {Answer::unknown, "interval", std::move(open)};
}

}  // namespace rhopsi::rewrite
