// Calls replaced by the bodies of what they call.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/term/operations.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::rewrite {

// Unfolds calls to the functions and predicates of `theory` that have bodies,
// transitively. What reaches itself through calls stays a call, and so do arrays and index
// vectors given by their elements (`forall`), and operations without parameters, which are
// named constants, unless the term itself calls them.
class Unfolder {
 public:
  // Bodies that `theory` gets later are seen; bodies that change later are not.
  Unfolder(term::Store& store, const term::Theory& theory) : store_(store), theory_(theory) {}

  // Iterative. Linear in the result, for each function between.
  term::TermId unfold(term::TermId term);
  // What the calls replaced by the last unfold() presuppose, where they are certain to be
  // evaluated: the guards of what they call, about their arguments. A condition may mention
  // variables that the unfolded term binds.
  const std::vector<term::TermId>& conditions() const { return conditions_; }
  // Calls replaced so far.
  std::uint64_t count() const { return count_; }

 private:
  struct Form {
    std::vector<term::SymbolId> parameters;
    term::TermId body;
    std::vector<term::TermId> conditions;  // of every call, about the parameters
  };
  struct Frame;

  bool is_table(term::TermId body) const;
  const term::Callable* unfoldable(term::SymbolId symbol) const;
  std::vector<term::SymbolId> callees_of(term::TermId term) const;
  void prepare(term::TermId term);
  bool reaches_itself(term::SymbolId symbol) const;
  term::TermId expand(term::TermId term);
  bool certain(const Frame& frame) const;
  term::TermId replaced(const Form& form, std::span<const term::TermId> arguments, bool certain);
  void without_variables(term::TermId block, std::size_t first);

  term::Store& store_;
  const term::Theory& theory_;
  std::unordered_map<term::SymbolId, std::optional<Form>> forms_;  // absent value: stays a call
  std::unordered_set<term::SymbolId> direct_;                      // called by the term itself
  std::vector<term::TermId> conditions_;
  std::uint64_t count_ = 0;
};

// A value block that only binds variables, each once, and ends in its value: that value, and
// what the variables stand for, without the variables.
struct StraightLine {
  term::TermId value;
  term::Substitution bindings;
};
// Nothing for any other term.
std::optional<StraightLine> straight_line(term::Store& store, term::TermId block);
bool has_statements(const term::Store& store, term::TermId term);

}  // namespace rhopsi::rewrite
