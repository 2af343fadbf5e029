// New names for the sorts and operations of a theory, and what terms become by them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "engine/term/store.hpp"

namespace rhopsi::term {

// What one renaming of a module says. All of it holds at once, so that swaps work.
struct Renaming {
  std::map<std::string, std::string> names;  // of operations, old -> new
  std::map<SortId, SortId> sorts;            // of the module, old -> new
  // The predicates of the language (theory.hpp) that the module declares: the others keep their
  // names.
  std::set<SymbolId> declared;

  bool operator==(const Renaming& other) const = default;
};

// Puts the new names into symbols and terms. A variable or literal of a sort with a new name
// becomes one of that sort; the same symbol becomes the same one wherever it stands, bound or free.
class Renamer {
 public:
  // Both have to outlive it.
  Renamer(Store& store, const Renaming& renaming) : store_(store), renaming_(renaming) {}

  SortId sort(SortId old) const;
  SymbolId symbol(SymbolId old);
  // Linear in the subterms that it has not seen before. Places stay.
  TermId term(TermId old);
  // From here on `old` becomes `renamed`, in terms too that were seen before.
  void set(SymbolId old, SymbolId renamed);

 private:
  SymbolId make(SymbolId old);
  TermId make(TermId old);

  Store& store_;
  const Renaming& renaming_;
  std::unordered_map<SymbolId, SymbolId> symbols_;
  std::unordered_map<TermId, TermId> terms_;
};

}  // namespace rhopsi::term
