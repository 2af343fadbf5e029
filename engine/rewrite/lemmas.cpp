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
  Verdict verdict = oracle_.decide(store, condition, facts, interpretation);
  if (verdict.answer != Answer::unknown || !may_help(condition)) return verdict;
  missing_.clear();
  if (auto proof = by_lemmas(condition, facts, interpretation)) return *std::move(proof);
  if (!missing_.empty()) verdict.detail += (verdict.detail.empty() ? "" : "; ") + missing_;
  return verdict;
}

term::Interpretation LemmaOracle::settled(const term::Store& store, TermId condition,
                                          const term::Interpretation& interpretation) const {
  return oracle_.settled(store, condition, interpretation);
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
  std::vector<TermId> known(facts.begin(), facts.end());
  for (TermId part : term::conjuncts(store_, condition)) {
    if (cheap_.decide(store_, part, known, interpretation).answer != Answer::proved) {
      auto use = instance(part, known, interpretation);
      if (!use) return std::nullopt;
      const std::string& name = lemmas_[use->lemma].name;
      if (verdict.lemmas.empty() || lemmas_[verdict.lemmas.back().lemma].name != name) {
        verdict.decider += (verdict.lemmas.empty() ? "lemma " : ", ") + name;
      }
      verdict.lemmas.push_back(std::move(*use));
    }
    known.push_back(part);
  }
  if (verdict.lemmas.empty()) return std::nullopt;
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
      if (verdict.answer != Answer::proved) {
        missing_ = "the lemma " + lemma.name + " says so where `" +
                   term::to_string(store_, condition) + "`";
        continue;
      }
    }
    return term::LemmaUse{number, matcher.values()};
  }
  return std::nullopt;
}

}  // namespace rhopsi::rewrite
