// What is done in each round, taken apart: the one call, and the numbers in front of it and behind.
// Internal to this folder.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "engine/schedule/each_call.hpp"

namespace rhopsi::schedule {

// The arguments of a function that are written what rows were folded to (onf::RowFold).
std::vector<std::size_t> rows_given(const onf::Function& callee);

class RoundBody {
  using Expr = onf::Expr;
  using Statement = onf::Statement;
  using Statements = onf::Statements;
  using VariableId = onf::VariableId;

 public:
  RoundBody(const onf::Module& module, const Round& round);
  // Those of scopes among the others.
  const Statements& statements() const { return body_; }
  // As called_each_time (each_call.hpp).
  std::optional<EachCall> called() const;
  // Do statements stand behind the call?
  bool has_behind(const Expr& call) const;
  // Of each statement, whether it stands in front of it then: it declares rows, tests what is the
  // same in all rounds, or sets what the call is given, or what any of that is computed from.
  std::vector<bool> in_front(const Expr& call) const;
  // Does the body declare the variable, and not change it behind the call?
  bool keeps(VariableId variable) const;
  // Has it to be done in each round?
  bool is_done_each_time(const Statement& statement) const;

 private:
  std::set<onf::ViewId> rows_of(const Expr& call) const;
  // Does it declare these, or is it a fold of them?
  bool is_of_rows(const Statement& statement, const std::set<onf::ViewId>& rows) const;
  // What is in front names nothing of the rows, and what is behind nothing that changes in front.
  std::optional<EachCall> with_behind(const Statement& only, const Expr& call) const;
  static bool traps(const Statement& statement);
  std::optional<EachCall> each_call(const Statement& statement, const Expr& call) const;
  // A number that the callee changes: no other statement knows it, nor another operand.
  bool is_for_the_call(const Statement& statement, const Expr& operand) const;
  // Computed from numbers, by what gives the same from the same.
  bool is_number(const Expr& whole) const;
  // But for its operands.
  bool is_pure(const Expr& e) const;
  bool is_of_numbers(const Statement& statement) const;
  const onf::Module& module_;
  const Expr* condition_;
  Statements body_;
  std::set<VariableId> changed_;
};

}  // namespace rhopsi::schedule
