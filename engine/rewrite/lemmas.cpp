#include "engine/rewrite/lemmas.hpp"

#include <algorithm>
#include <utility>

#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

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
  if (may_help(condition)) {
    const Verdict cheap = cheap_.decide(store, condition, facts, interpretation);
    if (cheap.answer == Answer::proved) return cheap;
    if (auto verdict = by_lemmas(condition, facts, interpretation)) return *verdict;
  }
  return oracle_.decide(store, condition, facts, interpretation);
}

term::Interpretation LemmaOracle::settled(const term::Store& store, TermId condition,
                                          const term::Interpretation& interpretation) const {
  return oracle_.settled(store, condition, interpretation);
}

void LemmaOracle::account(term::Derivation& derivation) const {
  derivation.lemmas = lemmas_;
  for (term::Step& step : derivation.steps) {
    if (!step.condition) continue;
    const auto found = uses_.find({*step.condition, step.verdict.decider});
    if (found != uses_.end()) step.lemmas = found->second;
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
  Verdict verdict{Answer::proved, "", ""};
  std::vector<term::LemmaUse> uses;
  std::vector<TermId> known(facts.begin(), facts.end());
  for (TermId part : term::conjuncts(store_, condition)) {
    if (cheap_.decide(store_, part, known, interpretation).answer != Answer::proved) {
      auto use = instance(part, known, interpretation);
      if (!use) return std::nullopt;
      verdict.decider += (uses.empty() ? "lemma " : ", ") + lemmas_[use->lemma].name;
      uses.push_back(std::move(*use));
    }
    known.push_back(part);
  }
  uses_.insert_or_assign({condition, verdict.decider}, std::move(uses));
  return verdict;
}

std::optional<term::LemmaUse> LemmaOracle::instance(TermId statement,
                                                    std::span<const TermId> facts,
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

}  // namespace rhopsi::rewrite
