// Rewrite rules as plain data, and how axioms become rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/term/theory.hpp"

namespace rhopsi::term {

// left -> right where `condition` (absent: unconditional) is proved. `variables`
// are the pattern variables: exactly the axiom's parameters that occur in left.
//
// Where left is a block of statements, the rule is about a sequence: its statements in a row within
// any block, in whose place those of right come, a block too. A variable that left changes stands
// for a variable of the program, different from every other and from what the others mention; the
// others stand for values, which the statements do not change.
struct Rule {
  std::string
      name;  // the axiom's name; `#k` follows for its k-th assertion (from 1) where it has several
  std::vector<SymbolId> variables;
  TermId left;
  TermId right;
  std::optional<TermId> condition;
  LocationId location{};  // of the assertion
};

// What an assertion says of all values of its axiom's parameters: where the condition (absent:
// everywhere) holds, left is right, or is true if there is no right side.
struct Claim {
  std::string name;  // as that of a rule
  std::optional<TermId> condition;
  TermId left;
  std::optional<TermId> right;
  LocationId location{};
};

// Its sides and its condition, as far as there are any.
std::vector<TermId> terms_of(const Claim& claim);

// One per assertion, in order; leading `var` bindings inlined, the axiom's guard conjoined to
// the condition.
std::vector<Claim> claims_of(Store& store, const Axiom& axiom);

// Why an assertion gives no rule.
struct RuleProblem {
  enum class Kind {
    not_an_equation,    // informational: `assert f(a) != g(a)`, a predicate, ...
    left_is_variable,   // error
    unbound_right,      // error: a variable of the right side not in the left
    unbound_condition,  // error
    sequence,           // error: statements that cannot stand for each other everywhere
    same_sides,         // informational: l and r are equal, the rule would loop
  };
  Kind kind;
  std::string axiom;
  std::string detail;
  LocationId location{};
};

struct RuleSet {
  std::vector<Rule> rules;  // ordered by axiom name (bytewise), then by assertion
  std::vector<RuleProblem> problems;
};

// Every `assert l == r` and `assert c => l == r` of the theory's axioms (theorems
// too), leading `var` bindings inlined, the axiom's guard conjoined to the
// condition. On predicates `l <=> r` counts as `l == r`. Source: language.md 1
// ("rewrite"), 2.2; P3 paper, section 2.1.1.
RuleSet rules_of(Store& store, const Theory& theory);

}  // namespace rhopsi::term
