// Statements of the body of a nest, as expressions of its element.
//
//   if c then { t := a + 1; x := t * t } else { x := b }   =>   if c then (a + 1) * (a + 1) else b
#pragma once

#include <map>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// What some elements of a nest ask for, at the places where they do, and what branches assign as a
// choice: schedules find what is computed twice.
class WhereAsked {
 public:
  // Takes the value of a Lazy, of a constant Let, or of an If whose branches assign the same
  // variables once each and do nothing else; moves from the statement. False: it does something
  // else, or a value has more than 1000 parts. Nothing of this object is of use then.
  bool put(Statement& statement) { return put(statement, nullptr); }

  // Puts the values in for the variables that have one. Linear in what is made.
  void substitute(Expr& whole) const;

 private:
  // What branches assign, by variable.
  using Assigned = std::map<VariableId, Expr>;

  bool put(Statements& body, Assigned* assigned);
  bool put(Statement& statement, Assigned* assigned);
  bool put(If& branch);
  bool put(VariableId variable, Expr value);

  std::map<VariableId, Expr> values_;
};

}  // namespace rhopsi::onf
