// Bounded rewriting with Magnolia's pass semantics, and `implement`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/term/oracle.hpp"
#include "engine/term/rule.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::term {

// One application of a rule (or one condition that kept it from applying).
struct Step {
  std::string rule;
  LocationId rule_location{};
  SymbolId callable{};             // whose body (or guard) was rewritten
  std::uint64_t pass = 0;          // from 1, per callable
  std::vector<std::uint32_t> position;
  TermId before;                   // the redex
  TermId after;                    // the contractum; equal to before if refused
  std::optional<TermId> condition; // instantiated
  Verdict verdict;                 // proved, or why it was refused
  bool applied = true;
};

struct CallableRun {
  SymbolId callable{};
  std::uint64_t passes = 0;  // passes that changed something
  std::uint64_t steps = 0;   // rule applications
  enum class Stop { normal_form, pass_bound, step_bound, size_bound };
  Stop stop = Stop::normal_form;
};

struct Derivation {
  std::string kind;          // "rewrite" or "implement"
  std::string rules;         // name of the concept, for messages
  std::uint64_t bound = 0;   // passes asked for
  std::vector<CallableRun> runs;
  std::map<std::string, std::uint64_t> applications;  // per rule, applied steps only
  std::vector<Step> steps;   // in order; refusals are recorded once per rule and redex
};

}  // namespace rhopsi::term

namespace rhopsi::rewrite {

// Limits beyond the passes that the program asked for; hitting one leaves a valid
// program and the reason in CallableRun::stop.
struct Limits {
  std::uint64_t steps = 10'000'000;
  std::size_t term_size = 50'000'000;
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
// without descending into what it replaced. `passes` bounds the passes per callable.
// Facts for conditions: the callable's guard, the conditions of enclosing `if`s, the
// ranges of enclosing `for`, `fold` and `forall` indices, the guards of enclosing
// operations whose arguments are in scope, asserts that precede in the block.
// A rule whose right side contains statements replaces an expression only where the
// order of evaluation is kept.
term::Derivation rewrite(const Context& context, term::Theory& target,
                         const term::RuleSet& rules, std::uint64_t passes);

// `implement generator in target`: each equation of the generator whose left side
// is a call with distinct variables to a function without a body in `target` (or not
// declared there) becomes that function's definition; calls on the right side to
// functions with bodies in `target` are unfolded (see docs/language.md).
// Adds the function to `target` when it is missing. Returns what it did; equations
// that cannot be used are reported in `problems`.
struct ImplementProblem {
  std::string message;
  term::LocationId location{};
};
term::Derivation implement(const Context& context, const term::Theory& generator,
                           term::Theory& target, std::vector<ImplementProblem>& problems);

}  // namespace rhopsi::rewrite
