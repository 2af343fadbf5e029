// Applying one rule at one place.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "engine/rewrite/candidates.hpp"
#include "engine/rewrite/facts.hpp"
#include "engine/rewrite/record.hpp"

namespace rhopsi::rewrite {

// May a contextual rule fire, and why (not)?
struct Decision {
  std::optional<term::TermId> condition;
  term::Verdict verdict{term::Verdict::Answer::proved, "", ""};
  bool allowed() const { return verdict.answer == term::Verdict::Answer::proved; }
};

// The rules of one set, with what is known of where they match and of their conditions.
class Firing {
 public:
  // All must outlive this. `first` is the number of the first rule in what is recorded.
  Firing(const Context& context, FactSource& facts, std::span<const term::Rule> rules,
         Record& record, std::size_t first = 0);

  std::span<const term::Rule> rules() const { return rules_; }
  Candidates& candidates() { return candidates_; }
  const Candidates& candidates() const { return candidates_; }

  // What the rule makes of `term`, which stands at the end of `path`: nothing where it does not
  // match, would change nothing or may not be applied, or where a bound is reached
  // (Record::exhausted). The step is recorded.
  std::optional<term::TermId> contract(std::uint32_t rule, term::TermId term, Path& path);

  // Whether the contextual rule may be applied; follows candidates().changes(rule, term), whose
  // binding it uses. Decided once for the same redex and facts.
  Decision decide(std::uint32_t rule, term::TermId term, Path& path);

  // Notes why the rule was not applied, and keeps for the derivation what was so noted for the
  // rules before number `rule`; the rest is forgotten.
  void refuse(std::uint32_t rule, term::TermId term, const Path& path, const Decision& decision);
  void keep_refusals(std::uint32_t rule);

 private:
  struct Refusal {
    std::uint32_t rule;
    term::Step step;
  };

  term::Verdict verdict_on(term::TermId condition, const std::vector<term::TermId>& facts);
  term::LocationId place_of(std::uint32_t rule, term::TermId redex) const;
  term::Step step_at(std::uint32_t rule, term::TermId term, const Path& path,
                     const Decision& decision) const;

  const Context& context_;
  term::Store& store_;
  FactSource& facts_;
  std::span<const term::Rule> rules_;
  Candidates candidates_;
  Record& record_;
  std::size_t first_;
  std::map<std::tuple<std::uint32_t, term::TermId, std::vector<term::TermId>>, Decision> decisions_;
  std::vector<Refusal> refusals_;
};

}  // namespace rhopsi::rewrite
