// What is known at a place in a body: the facts that side conditions may use.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/rewrite/rewriter.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

// What is known at a place.
struct Known {
  std::vector<term::TermId> facts;
  // Variables whose values come from statements that were not followed: the facts may leave open
  // values of them that they never have, and only some of which go with values of others.
  std::vector<term::SymbolId> open;
  // Variables of what was left out: they may have fewer values than the facts leave.
  std::vector<term::SymbolId> loose;
  // One of `open` that something left out is about: of no variable is all known.
  std::optional<term::SymbolId> unsaid;

  friend auto operator<=>(const Known&, const Known&) = default;
};

// What is known of variables that are assigned somewhere, along the way to a place.
class Changing {
 public:
  const Known& now() const { return levels_.empty() ? nothing_ : levels_.back().second; }
  // The same, to be changed for what is below that level of the way and not for what is above.
  Known& at_level(std::size_t level);
  // Nothing holds any more that was said below that level.
  void forget(std::size_t level);

 private:
  Known nothing_;
  std::vector<std::pair<std::size_t, Known>> levels_;
};

// Where facts are put: those that hold everywhere below, and those about variables that change.
struct Gathering {
  std::vector<term::TermId>& constant;
  Changing& changing;
  std::size_t level;

  const Known& now() const { return changing.now(); }
  Known& known() { return changing.at_level(level); }
};

// Says which facts a construct gives to its parts. Facts are kept per term, so that
// the same place yields the same handles again.
//
// A fact about a variable that is assigned later stays one about the value that it had: where `x`
// is assigned, `x` becomes `x'` in all that is known, a variable of its own for each assignment,
// and `x = x + 1` adds `x == x' + 1`. What a branch, a loop or a call assigns is not followed.
class FactSource {
 public:
  // Guards and order predicates are taken from `target` as it is now.
  FactSource(const Context& context, const term::Theory& target);

  // Facts below are about this callable's body from here on.
  void enter(const term::Callable& callable);
  // `after`, with statements, has come into the body in the place of `before`: of a variable that
  // it assigns from outside, and they did not, nothing is known any more.
  void replaced(std::span<const term::TermId> before, term::TermId after);

  // What the callable's guard says; empty inside the guard itself.
  void from_callable(Gathering out);
  // What `parent` says to its child number `child`.
  void from_parent(term::TermId parent, std::uint32_t child, Gathering out);
  // What the evaluation of the call `term` presupposes: its operation's guard.
  void from_operation(term::TermId term, std::vector<term::TermId>& out);

  // From what is known where the redex `term` of the left side `pattern` stands, what its condition
  // may rest on. With `first` the pattern is statements in a row, and `term` the block in which
  // they stand from that number on. What statements of the redex change is not known in their
  // midst, of which the condition may speak; an expression's operations are all evaluated when it
  // is.
  void from_redex(term::TermId pattern, term::TermId term, std::optional<std::size_t> first,
                  Known& known);

  // A refutation of the condition whose values may be none that the program has there is none:
  // it becomes unknown, and its words say so. So it is where something that is known there is about
  // a variable whose values were not followed, whatever the condition is about: which values the
  // others have with it is not known. What only says what a variable is that nothing else mentions
  // rules out nothing. A condition whose negation follows from what is known stays refuted.
  term::Verdict confirmed(const Context& context, term::TermId condition, const Known& known,
                          term::Verdict verdict);

  // Leaves out what mentions a variable of which nothing is known any more.
  void without_replaced(Known& known) const;

  // What a proof that uses the fact rests on.
  term::Basis basis(term::TermId fact) const;

 private:
  void within_statement(term::TermId redex, Known& known);
  void within_statements(term::TermId redex, std::size_t first, std::size_t length, Known& known);
  // The guards of the operations that the pattern names inside the redex `term`. Stops at
  // constructs and connectives of predicates, which may leave parts out.
  void from_pattern(term::TermId pattern, term::TermId term, std::vector<term::TermId>& out);

  struct Guard {
    std::vector<term::SymbolId> parameters;
    term::TermId condition;
  };
  struct Order {
    std::optional<term::SymbolId> less;
    std::optional<term::SymbolId> less_equal;
  };

  bool connects_predicates(term::SymbolId symbol) const;
  bool mentions(term::TermId fact, const std::unordered_set<term::SymbolId>& variables) const;
  void add(term::TermId fact, Gathering& out) const;
  void from_condition(term::TermId parent, std::uint32_t child, Gathering& out);
  void from_block(term::TermId block, std::uint32_t child, Gathering& out);
  void from_statement(term::TermId block, std::uint32_t number, Gathering& out);
  void from_far_statement(term::TermId block, std::uint32_t number,
                          std::unordered_set<term::SymbolId>& lost, Gathering& out);
  void from_loop(term::TermId loop, std::uint32_t child, Gathering& out);
  void index_range(term::SymbolId index, std::optional<term::TermId> low, term::TermId high,
                   Gathering& out);
  // What is known of variables that are assigned (changing.cpp). A place is a term of the way with
  // a number of its own in it.
  using Place = std::pair<term::TermId, std::size_t>;
  const std::vector<term::SymbolId>& changed_in(term::TermId term);
  void assign(Place place, term::TermId statement, Gathering& out);
  void lose(Place place, std::span<const term::SymbolId> variables, Gathering& out);
  void lose(Place place, std::span<const term::SymbolId> variables, Known& known);
  std::optional<term::SymbolId> make_former(Place place, term::SymbolId variable, bool wanted,
                                            Known& known);
  term::TermId about_former(term::TermId fact, term::SymbolId variable, term::SymbolId former);
  void bound_number(Known& known) const;
  void leave_out(term::TermId fact, Known& known) const;
  void leave_out_tests(term::TermId statement, Gathering& out);
  term::TermId before_loop(Place place, term::TermId end, Gathering& out);
  // A fact by its variables; `defines` one that it says the value of.
  struct Mention {
    std::vector<term::SymbolId> variables;
    std::optional<term::SymbolId> defines;
  };
  std::vector<Mention> restricting(const std::vector<term::SymbolId>& of_condition,
                                   const Known& known) const;
  std::optional<term::SymbolId> not_followed(term::TermId condition, const Known& known) const;
  term::TermId negation(term::TermId condition);
  term::TermId equation(term::TermId variable, term::TermId value);
  std::optional<term::TermId> relation(std::optional<term::SymbolId> predicate, term::TermId left,
                                       term::TermId right);

  term::Store& store_;
  std::unordered_map<term::SymbolId, Guard> guards_;
  std::map<term::SortId, Order> orders_;
  std::optional<term::TermId> own_guard_;
  std::unordered_set<term::SymbolId> assigned_;
  std::unordered_set<term::SymbolId> replaced_;  // assigned where a rule has put statements
  std::unordered_map<term::TermId, std::vector<term::SymbolId>> changed_;
  std::unordered_map<term::TermId, bool> tests_;  // does the statement hold an assertion?
  std::map<std::pair<Place, term::SymbolId>, term::SymbolId> formers_;
  std::map<std::pair<term::TermId, term::SymbolId>, term::TermId> about_formers_;
  std::unordered_map<term::TermId, term::TermId> negations_;
  std::map<std::pair<term::SymbolId, term::TermId>, term::TermId> equations_;
  std::unordered_map<term::TermId, term::TermId> presupposed_;
  std::unordered_map<term::TermId, term::Basis> bases_;  // of those that are not `context`
  std::map<std::tuple<term::SymbolId, term::TermId, term::TermId>, term::TermId> relations_;
};

// The way from the root of a body to a place, with the facts that hold there,
// computed when they are asked for.
class Path {
 public:
  // `in_guard`: the root is a guard, where the callable's own guard is no fact and
  // statements have no place.
  Path(const term::Store& store, FactSource& source, bool in_guard);

  std::size_t depth() const { return frames_.size(); }
  bool in_guard() const { return in_guard_; }
  term::TermId top() const { return frames_.back().term; }
  // The number of the top's current child.
  std::uint32_t child() const { return frames_.back().next - 1; }
  void push(term::TermId term);
  void pop();
  // The top's current child is number `child` from here on.
  void go_to(std::uint32_t child);
  // The next child of the top, or nothing after the last.
  std::optional<term::TermId> next_child();

  // What is known of a term below the top's current child (for the root: without frames).
  Known known();
  // May a value block stand at the top's current child?
  bool allows_statements() const;
  // The way to the top's current child, from frame number `from` on.
  term::Position position(std::size_t from = 0) const;

 private:
  struct Frame {
    term::TermId term;
    std::uint32_t next = 0;         // the current child is next - 1
    bool allows_statements = true;  // where this term stands
  };

  void forget(std::size_t depth);

  const term::Store& store_;
  FactSource& source_;
  bool in_guard_;
  std::vector<Frame> frames_;
  std::vector<term::TermId> facts_;  // that hold everywhere below
  Changing changing_;
  std::vector<std::size_t> starts_;  // facts_ below frame d begin at starts_[d]
  bool has_base_ = false;
};

}  // namespace rhopsi::rewrite
