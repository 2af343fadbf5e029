// Conditions over numbers by plain arithmetic.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/check/facts.hpp"
#include "engine/check/reals.hpp"

namespace rhopsi::check {

// Knows constants, sums and differences, and that inequalities may be added up: at most
// `most_facts` of them for one conclusion. Of connectives it knows all that follows from their
// parts, so that whatever is a fact, or is made of facts and constants, is decided here. Of reals
// it knows what reals.hpp says. What else there is, is taken as it stands.
class Judge {
 public:
  Judge(const Terms& terms, std::span<const Operation> operations);
  Judge(const Judge&) = delete;  // its parts ask it
  Judge& operator=(const Judge&) = delete;

  // The value of a truth value or an integer without unknowns; nothing where there is none, or
  // where 64 bits do not hold it.
  std::optional<std::int64_t> value(TermId term);

  // Does the condition follow from the facts? False says nothing.
  bool follows(TermId condition, std::span<const Fact> facts);
  // Does its negation?
  bool excluded(TermId condition, std::span<const Fact> facts);
  // Numbers, as "k = 8", for which all facts are true and the condition is false: it does not
  // follow. Small ones and those that stand there are tried, 2000 at most; nothing where none of
  // them is one, or where something has no value that is computed here.
  std::optional<std::string> counterexample(TermId condition, std::span<const Fact> facts);

 private:
  class Trial;
  // A sum of terms with factors and a number; as a statement: it is at most 0.
  struct Form {
    std::map<TermId, std::int64_t> factors;
    std::int64_t constant = 0;
  };
  struct Known {
    std::vector<std::pair<TermId, bool>> statements;
    std::vector<Form> forms;
  };

  struct Side {
    TermId term;
    bool positive;
  };

  term::Arithmetic meaning(SymbolId symbol) const;
  std::optional<std::int64_t> compute(TermId term, int depth);
  std::optional<std::int64_t> apply(term::Arithmetic meaning, TermId term, int depth);
  std::optional<std::int64_t> by_one_side(term::Arithmetic what, std::optional<std::int64_t> first,
                                          TermId right, int depth);
  std::optional<Form> form(TermId term, int depth);
  std::optional<Form> difference(TermId left, TermId right, std::int64_t more);
  // The forms that are at most 0 where the comparison holds; nothing for other predicates.
  std::optional<std::vector<Form>> comparison(TermId term, bool positive);
  std::vector<Form> strictly_apart(TermId left, TermId right);
  Known learned(std::span<const Fact> facts);
  void learn(TermId statement, bool positive, Known& known, int depth);
  bool shown(TermId condition, bool positive, Known& known, int depth);
  // One of the two: the second is looked at where the first does not hold.
  bool shown_either(const Side& first, const Side& second, Known& known, int depth);
  bool shown_same(TermId left, TermId right, bool positive, Known& known, int depth);
  bool at_most_zero(const Form& form, const std::vector<Form>& known, int facts);

  const term::Store& store_;
  std::unordered_map<SymbolId, const Operation*> operations_;
  std::set<term::SortId> integers_;
  std::set<term::SortId> real_sorts_;
  RealJudge reals_;
  std::unordered_map<TermId, std::optional<std::int64_t>> values_;
  std::size_t work_ = 0;
};

}  // namespace rhopsi::check
