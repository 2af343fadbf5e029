// Bounded rewriting with Magnolia's pass semantics, and `implement`.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/rewrite/derivation.hpp"
#include "engine/rewrite/strategy.hpp"
#include "engine/term/oracle.hpp"
#include "engine/term/rule.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::rewrite {

// Limits beyond the passes that the program asked for; hitting one leaves a valid
// program and the reason in CallableRun::stop. The defaults end rules that run away
// within seconds and a few GB.
struct Limits {
  std::uint64_t steps = 10'000'000;          // those that a failing strategy takes back included
  std::size_t term_size = 2'000'000;         // of a body with its guard, before a pass or step
  std::size_t terms_made = 20'000'000;       // by one `rewrite`: terms are not freed meanwhile
  std::size_t bytes = std::size_t{4} << 30;  // of all terms of the store, and of recorded steps
  std::optional<std::chrono::milliseconds> time;  // of one `rewrite`; looked at now and then
};

struct Context {
  term::Store& store;
  term::ConditionOracle& oracle;
  term::Interpretation interpretation;
  Limits limits;
  bool record_steps = true;
};

// `rewrite target with rules passes`: rewrites the bodies and guards of all
// callables of `target` in place. One pass takes the first rule, in the rule set's
// order, that changes anything, and applies it to all its outermost matches at once,
// without descending into what it replaced; an instance of the left side that equals its
// right side is no match. `passes` bounds the passes per callable.
// Facts for conditions: the callable's guard, the conditions of enclosing `if`s, the
// ranges of enclosing `for`, `fold` and `forall` indices, the guards of enclosing
// operations whose arguments are in scope, asserts that precede in the block.
// A fact is about the values that variables had where it was found: what is assigned between it
// and the redex is followed (facts.hpp). Where that is a branch, a loop or a call, values that a
// variable may not have refute nothing: the condition is undecided then.
//
// A rule whose right side contains statements replaces an expression by a value block.
// A value block has no effect outside itself, so this keeps the meaning wherever the
// expression was evaluated as a statement's own operand; it is refused inside the body
// of a fold or forall (it would run once per element), inside guards, asserts and the
// conditions of `if` and `while` (which are predicates without statements), and where
// the right side would change a variable that it does not declare.
//
// A pass is linear in the changed part of a body, the terms above it included, plus, for
// conditional rules, in the parts where their left sides match. The caller names the result's
// `rules` and keeps it in `target.derivations`.
term::Derivation rewrite(const Context& context, term::Theory& target, const term::RuleSet& rules,
                         std::uint64_t passes);

// `rewrite target with rules by strategy bound`: applies the strategy to the body of each
// callable and then to its guard. `bound` bounds the applications of rules, for each callable
// separately; those that a failing part of the strategy takes back do not count. What the
// strategies mean is said in strategy.hpp. Conditions, statements and limits are as above.
// The names in the strategy have to be names of `rules` and of `target` (names_in); one that
// is not selects nothing.
//
// The time is linear in the terms that the strategy looks at: the traversals look at a term once,
// and `innermost` and `outermost` at every contractum once more. Each application rebuilds
// nothing above its redex but for `outermost`, which rebuilds as many terms above it as the
// left sides are high, and all of them where a left side is not linear, a rule has a condition or
// statements, or its right side may equal its left one.
term::Derivation rewrite(const Context& context, term::Theory& target, const term::RuleSet& rules,
                         const Strategy& strategy, std::uint64_t bound);

// `implement generator in target`: each equation of the generator whose left side
// is a call with distinct variables to a function without a body in `target` (or not
// declared there) becomes that function's definition; calls on the right side to
// functions with bodies in `target` are unfolded (see docs/language.md).
// Adds the function to `target` when it is missing. Returns what it did; equations
// that cannot be used are reported in `problems`.
//
// Unfolding is transitive. A nullary function is a named constant and stays a call unless
// the axiom itself calls it, and so does a function that reaches itself. A callee whose body binds
// variables once and ends in `value` becomes one expression; any other value block is inserted as a
// block. An equation whose right side is itself a call of the function (commutativity) is no
// definition. Functions of `target` that are bound to externals are left alone.
//
// The guards of the calls that are unfolded go to the function's guard, instantiated, where the
// calls are certain to be evaluated and the guards speak of nothing but its parameters; what
// the guard implies by itself (GuardWriter) is left out.
struct ImplementProblem {
  std::string message;
  term::LocationId location{};
};
term::Derivation implement(const Context& context, const term::Theory& generator,
                           term::Theory& target, std::vector<ImplementProblem>& problems);

// Adds to `to` the types and callables of `from` that occur in the bodies and guards of
// `to` and are missing there, and those that their own guards and bodies need. External
// bindings and bodies are kept; a callable without either is abstract in `to`.
void import_declarations(const term::Store& store, const term::Theory& from, term::Theory& to);

}  // namespace rhopsi::rewrite
