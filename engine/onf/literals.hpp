// What statements compute from numbers that are known: constants and branches. Internal to the
// engine.
//
//   var x; if 0 == 0 { x = 1 } else { x = y }; let z = x + 1   =>   let x = 1; let z = 2
#pragma once

#include <functional>
#include <map>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

class Literals {
 public:
  // The variable is this number or truth value from here on.
  void set(VariableId variable, Expr value) { known_.insert_or_assign(variable, std::move(value)); }
  const Expr* find(VariableId variable) const;
  // If the statement makes a constant that comes to one, it is known from here on.
  void note_constant(const Statement& statement);

  // Gives each expression to `rename`, which puts in what is known and folds it, in the order in
  // which they are computed, and takes the branches of conditions that come to a truth value.
  // Constants and variables that are set to numbers are known behind that, until something is
  // assigned to them in a branch that is not decided, or in a loop. Linear in each branch.
  void through(Statements& body, const std::function<void(Expr&)>& rename);

 private:
  void forget_assigned(const Statements& body);
  void note(const Statement& statement);
  Statements decided(If branch, const std::function<void(Expr&)>& rename,
                     term::LocationId location);

  std::map<VariableId, Expr> known_;
};

}  // namespace rhopsi::onf
