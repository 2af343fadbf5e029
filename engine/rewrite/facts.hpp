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

// Says which facts a construct gives to its parts. Facts are kept per term, so that
// the same place yields the same handles again.
class FactSource {
 public:
  // Guards and order predicates are taken from `target` as it is now.
  FactSource(const Context& context, const term::Theory& target);

  // Facts below are about this callable's body from here on.
  void enter(const term::Callable& callable);
  // The body holds this term too from here on: what it assigns is no longer constant.
  void add_assigned(term::TermId term);

  // What the callable's guard says; empty inside the guard itself.
  void from_callable(std::vector<term::TermId>& out) const;
  // What `parent` says to its child number `child`.
  void from_parent(term::TermId parent, std::uint32_t child, std::vector<term::TermId>& out);
  // What the evaluation of the call `term` presupposes: its operation's guard.
  void from_operation(term::TermId term, std::vector<term::TermId>& out);

  // The guards of the operations that the pattern names inside the redex `term`: they are all
  // evaluated when the redex is. Stops at constructs and connectives of predicates, which
  // may leave parts out.
  void from_pattern(term::TermId pattern, term::TermId term, std::vector<term::TermId>& out);

  // What a proof that uses the fact rests on.
  term::Basis basis(term::TermId fact) const;

 private:
  struct Guard {
    std::vector<term::SymbolId> parameters;
    term::TermId condition;
  };
  struct Order {
    std::optional<term::SymbolId> less;
    std::optional<term::SymbolId> less_equal;
  };

  bool connects_predicates(term::SymbolId symbol) const;
  bool stable(term::TermId fact) const;
  void add_stable(term::TermId fact, std::vector<term::TermId>& out) const;
  void from_condition(term::TermId parent, std::uint32_t child, std::vector<term::TermId>& out);
  void from_block(term::TermId block, std::uint32_t child, std::vector<term::TermId>& out);
  void index_range(term::SymbolId index, std::optional<term::TermId> low, term::TermId high,
                   bool needs_stable, std::vector<term::TermId>& out);
  term::TermId negation(term::TermId condition);
  term::TermId equation(term::TermId declaration);
  std::optional<term::TermId> relation(std::optional<term::SymbolId> predicate, term::TermId left,
                                       term::TermId right);

  term::Store& store_;
  std::unordered_map<term::SymbolId, Guard> guards_;
  std::map<term::SortId, Order> orders_;
  std::optional<term::TermId> own_guard_;
  std::unordered_set<term::SymbolId> assigned_;
  std::unordered_map<term::TermId, term::TermId> negations_;
  std::unordered_map<term::TermId, term::TermId> equations_;
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

  // The facts for a term below the top's current child (for the root: without frames).
  const std::vector<term::TermId>& facts();
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
  std::vector<term::TermId> facts_;
  std::vector<std::size_t> starts_;  // facts_ below frame d begin at starts_[d]
  bool has_base_ = false;
};

}  // namespace rhopsi::rewrite
