// What is known at a place of a body, read off the term around it.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "engine/check/comparison.hpp"

namespace rhopsi::check {

// Facts with where they come from.
struct Fact {
  TermId condition;
  bool positive = true;  // else its negation holds
  term::Basis basis = term::Basis::context;
  bool changing = false;  // about a variable that is assigned somewhere
};

// Says what holds at a place of the callable at hand: its own guard, the conditions of enclosing
// `if` and `while`, the ranges of indices, assertions and constants before it in a block, and the
// guards of enclosing operations. What was said of a variable before it was assigned is about its
// former value, which is a variable of its own, and `x = e` in a block says that x is e. A variable
// that a rule's statements have come to assign is in no fact.
class Facts {
 public:
  Facts(Terms& terms, std::span<const Operation> operations);

  void enter(const Parts& callable);
  // The step put statements there.
  void replaced(TermId before, TermId after);
  // Does it mention no variable that is assigned? Of others nothing is left out.
  bool settled(TermId term) const { return !mentions(store_, term, assigned_); }

  // For the axiom with that left side at that place; the terms from the root to the redex have
  // been checked to be there.
  std::vector<Fact> at(TermId root, bool in_guard, std::span<const std::uint32_t> position,
                       TermId pattern);

 private:
  void from_parent(TermId parent, std::uint32_t child, std::vector<Fact>& out);
  void from_block(TermId block, std::uint32_t child, std::vector<Fact>& out);
  void from_operation(TermId call, std::vector<Fact>& out);
  void presupposed(TermId pattern, TermId redex, std::vector<Fact>& out);
  void from_statement(TermId block, std::size_t number, std::vector<Fact>& out);
  void from_far_statement(TermId block, std::size_t number, std::set<SymbolId>& lost,
                          std::vector<Fact>& out);
  void from_loop(TermId loop, std::uint32_t child, std::vector<Fact>& out);
  void range(SymbolId index, std::optional<TermId> low, TermId high, std::vector<Fact>& out);
  void add(TermId condition, bool positive, term::Basis basis, std::vector<Fact>& out) const;

  const std::set<SymbolId>& changed_in(TermId term);
  using Place = std::pair<TermId, std::size_t>;
  void assign(Place place, TermId statement, std::vector<Fact>& out);
  void forget(Place place, const std::set<SymbolId>& variables, std::vector<Fact>& out);
  SymbolId former(Place place, SymbolId variable);
  void within(TermId redex, TermId block, std::size_t number, TermId pattern,
              std::vector<Fact>& out);
  bool connects(SymbolId symbol) const;

  struct Order {
    std::optional<SymbolId> less;
    std::optional<SymbolId> less_equal;
  };

  Terms& terms_;
  const term::Store& store_;
  std::unordered_map<SymbolId, const Operation*> guarded_;
  std::map<term::SortId, Order> orders_;
  std::optional<TermId> own_guard_;
  std::set<SymbolId> assigned_;
  std::set<SymbolId> replaced_;  // by a rule's statements that came to assign them
  std::unordered_map<TermId, std::set<SymbolId>> changed_;
  std::map<std::pair<Place, SymbolId>, SymbolId> formers_;
};

// May statements stand at the position? Not in guards and other predicates, nor in what a fold or
// an array computes for each index.
bool allows_statements(const term::Store& store, TermId root, bool in_guard,
                       std::span<const std::uint32_t> position);

}  // namespace rhopsi::check
