#include "engine/rewrite/lemmas.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

namespace {

constexpr std::string_view named = "lemma ";

}  // namespace

using term::TermId;
using term::Verdict;
using Answer = Verdict::Answer;

LemmaOracle::LemmaOracle(term::Store& store, term::ConditionOracle& oracle,
                         std::vector<term::Lemma> lemmas)
    : store_(store), oracle_(oracle), lemmas_(std::move(lemmas)) {
  for (std::size_t i = 0; i < lemmas_.size(); ++i) {
    matchers_.emplace_back(store_, lemmas_[i].variables);
    by_predicate_[store_.symbol(lemmas_[i].statement)].push_back(i);
  }
}

Verdict LemmaOracle::decide(const term::Store& store, TermId condition,
                            std::span<const TermId> facts,
                            const term::Interpretation& interpretation) {
  Verdict verdict = oracle_.decide(store, condition, facts, interpretation);
  if (verdict.answer != Answer::unknown || !may_help(condition)) return verdict;
  return by_lemmas(condition, facts, interpretation).value_or(verdict);
}

term::Interpretation LemmaOracle::settled(const term::Store& store, TermId condition,
                                          const term::Interpretation& interpretation) const {
  return oracle_.settled(store, condition, interpretation);
}

void LemmaOracle::account(term::Derivation& derivation) const {
  derivation.lemmas = lemmas_;
  for (term::Step& step : derivation.steps) {
    if (!step.condition || !is_by_lemma(step.verdict)) continue;
    step.lemmas = uses_.at({*step.condition, step.verdict.decider});
  }
}

bool LemmaOracle::may_help(TermId condition) const {
  if (lemmas_.empty()) return false;
  const auto parts = term::conjuncts(store_, condition);
  return std::ranges::any_of(
      parts, [&](TermId each) { return by_predicate_.contains(store_.symbol(each)); });
}

std::optional<Verdict> LemmaOracle::by_lemmas(TermId condition, std::span<const TermId> facts,
                                              const term::Interpretation& interpretation) {
  Verdict verdict{Answer::proved, "", "", term::Basis::assumed};
  std::vector<term::LemmaUse> uses;
  std::vector<TermId> known(facts.begin(), facts.end());
  for (TermId part : term::conjuncts(store_, condition)) {
    if (cheap_.decide(store_, part, known, interpretation).answer != Answer::proved) {
      auto use = instance(part, known, interpretation);
      if (!use) return std::nullopt;
      verdict.decider += (uses.empty() ? std::string(named) : ", ") + lemmas_[use->lemma].name;
      uses.push_back(std::move(*use));
    }
    known.push_back(part);
  }
  if (uses.empty()) return std::nullopt;
  // The first one is of all facts that a redex has, see Firing::verdict_on.
  uses_.try_emplace({condition, verdict.decider}, std::move(uses));
  return verdict;
}

std::optional<term::LemmaUse> LemmaOracle::instance(TermId statement, std::span<const TermId> facts,
                                                    const term::Interpretation& interpretation) {
  const auto found = by_predicate_.find(store_.symbol(statement));
  if (found == by_predicate_.end()) return std::nullopt;
  for (std::size_t number : found->second) {
    const term::Lemma& lemma = lemmas_[number];
    Matcher& matcher = matchers_[number];
    if (!matcher.match(lemma.statement, statement)) continue;
    if (lemma.condition) {
      const TermId condition = term::substitute(store_, *lemma.condition, matcher.binding());
      const Verdict verdict = cheap_.decide(store_, condition, facts, interpretation);
      if (verdict.answer != Answer::proved) continue;
    }
    return term::LemmaUse{number, matcher.values()};
  }
  return std::nullopt;
}

bool is_by_lemma(const Verdict& verdict) {
  return verdict.answer == Answer::proved && verdict.decider.starts_with(named);
}

}  // namespace rhopsi::rewrite
