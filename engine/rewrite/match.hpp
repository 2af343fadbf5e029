// One-sided matching of a rule's left side against a term.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/term/operations.hpp"
#include "engine/term/rule.hpp"

namespace rhopsi::rewrite {

// Matches one pattern. Typed, syntactic, up to the names of bound variables: a
// pattern variable binds any term of its sort, its second occurrence only an equal
// one. It binds no term that mentions a variable bound inside the redex: moved out of
// its binder, such a term would mean nothing.
//
// Keeps its buffers between calls; the store must outlive it.
class Matcher {
 public:
  Matcher(const term::Store& store, std::span<const term::SymbolId> variables);

  // Does `pattern` match all of `subject`? Time is linear in the pattern, plus the
  // comparison of what repeated variables bind and the search for bound variables in
  // what is bound below a binder.
  bool match(term::TermId pattern, term::TermId subject);

  // After match() succeeded: is `term`, with the variables replaced, `subject` itself?
  bool instance_is(term::TermId term, term::TermId subject);

  // The same for the statements of the block `pattern` and those in a row in the block `subject`,
  // from number `first` on, which has so many: what they declare there they declare here.
  bool match_sequence(term::TermId pattern, term::TermId subject, std::size_t first);
  // After that: are the statements of `block` these `length` statements themselves?
  bool instance_is_sequence(term::TermId block, term::TermId subject, std::size_t first,
                            std::size_t length);

  // What the last successful match bound.
  term::Substitution binding() const;
  // The same in the order of the variables, which have all been bound.
  const std::vector<term::TermId>& values() const { return bound_terms_; }

 private:
  bool run(term::TermId pattern, term::TermId subject);
  bool run_sequence(term::TermId pattern, term::TermId subject, std::size_t first);
  bool finish();
  bool match_variable(std::size_t variable, term::TermId subject);
  bool match_bound(term::SymbolId pattern, term::SymbolId subject) const;
  bool escapes(term::TermId subject) const;

  struct Pair {
    term::TermId pattern;
    term::TermId subject;
    bool close = false;  // ends the scope of the last opened binder
  };

  const term::Store& store_;
  std::vector<term::SymbolId> variables_;
  std::vector<term::TermId> bound_terms_;
  std::vector<bool> is_bound_;
  std::vector<Pair> work_;
  std::vector<std::pair<term::SymbolId, term::SymbolId>> scope_;  // innermost last
  std::vector<std::size_t> scope_starts_;
};

}  // namespace rhopsi::rewrite
