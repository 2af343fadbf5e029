// The types of elements, from the rules alone: what an operation's elements are for arguments of
// given types, whichever branches an `if` takes and however long the axes are.
//
//   cat(A, B, 0) of int64 and float64  =>  float64, also where no element is from B
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engine/moa/expression.hpp"
#include "engine/moa/library.hpp"

namespace rhopsi::moa {

// Types of what variables stand for: of an array that of its elements, of an index vector int64.
using TypeScope = std::vector<std::pair<term::SymbolId, Scalar>>;

class ElementTypes {
 public:
  explicit ElementTypes(const Library::Contents& library)
      : library_(library), store_(library.store) {}

  // Of the values of a term; variables that the scope lacks count as int64.
  Scalar of(term::TermId term, const TypeScope& scope);
  // Of what an operation gives.
  Scalar of_call(term::SymbolId symbol, const std::vector<Scalar>& arguments);

 private:
  Scalar of_application(term::TermId term, const TypeScope& scope);
  Scalar of_control(term::TermId term, const TypeScope& scope);
  Scalar of_fold(term::TermId term, const TypeScope& scope);
  Scalar of_block(term::TermId term, TypeScope scope);
  Scalar of_rules(term::SymbolId symbol, const std::vector<Scalar>& arguments);
  Scalar of_literal(const term::Symbol& literal) const;

  // An operation that is defined through itself has the narrowest type that its rules agree to,
  // looked for from below.
  struct Entry {
    Scalar type = Scalar::boolean;
    bool complete = false;
    bool assumed = false;  // asked for before it was complete
  };
  using Key = std::pair<term::SymbolId, std::vector<Scalar>>;

  const Library::Contents& library_;
  const term::Store& store_;
  std::map<Key, Entry> known_;
  std::vector<Key> order_;  // of `known_`, as they were begun
};

}  // namespace rhopsi::moa
