// Values of terms that are met again while the variables in them are unchanged.
//
// Inside the loop over a schedule's elements, psi(ix, e) with a whole array e is met once
// per element; e is evaluated once, since no variable in it has changed.
#pragma once

#include <unordered_map>
#include <vector>

#include "backends/reference/value.hpp"
#include "engine/term/store.hpp"

namespace rhopsi::reference {

class Memo {
 public:
  explicit Memo(const term::Store& store) : store_(store) {}

  // The free variables of a term, computed once per term.
  const std::vector<term::SymbolId>& free_variables(term::TermId term);

  // The value kept for these values of the free variables, or null.
  const Value* find(term::TermId term, const std::vector<Value>& variables) const;

  // Keeps a value; the oldest of a term goes where it has too many.
  void keep(term::TermId term, std::vector<Value> variables, Value value);

  void clear() { entries_.clear(); }

 private:
  struct Entry {
    std::vector<Value> variables;
    Value value;
  };
  struct Entries {
    std::vector<Entry> entries;
    std::size_t next = 0;
  };

  const term::Store& store_;
  std::unordered_map<term::TermId, std::vector<term::SymbolId>> free_variables_;
  std::unordered_map<term::TermId, Entries> entries_;
};

}  // namespace rhopsi::reference
