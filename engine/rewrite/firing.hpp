// Applying one rule at one place.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
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

  // Matches the rule, changes it something here, and may it be applied? Then the binding is
  // candidates().matcher(rule). What is refused is noted, if that is wanted.
  std::optional<Decision> find(std::uint32_t rule, term::TermId term, Path& path,
                               bool noting = true);

  // Keeps for the derivation what has been refused for the rules before number `rule`; the rest is
  // forgotten.
  void keep_refusals(std::uint32_t rule);

  // Sequences that begin in this very block before statement number `from` are passed over.
  void begin_at(term::TermId block, std::size_t from) { first_place_ = {block, from}; }
  // The first statement of the sequence that the last `contract` has replaced in this block.
  std::optional<std::size_t> replaced_in(term::TermId block) const;

 private:
  struct Refusal {
    std::uint32_t rule;
    term::Step step;
  };

  // Whether the contextual rule may be applied; follows candidates().changes(rule, term), whose
  // binding it uses. Decided once for the same redex and facts.
  Decision decide(std::uint32_t rule, term::TermId term, Path& path);
  Known known_for(std::uint32_t rule, term::TermId term, Path& path);
  std::size_t length_of(std::uint32_t rule) const;  // of statements in a row
  void refuse(std::uint32_t rule, term::TermId term, const Path& path, const Decision& decision);
  std::optional<std::uint32_t> statement_of(std::uint32_t rule) const;
  term::TermId contractum(std::uint32_t rule, term::TermId term);
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
  // By rule, redex, first statement and what is known.
  std::map<std::tuple<std::uint32_t, term::TermId, std::optional<std::uint32_t>, Known>, Decision>
      decisions_;
  std::pair<term::TermId, std::size_t> first_place_{};
  std::optional<std::pair<term::TermId, std::size_t>> last_place_;
  std::vector<Refusal> refusals_;
};

}  // namespace rhopsi::rewrite
