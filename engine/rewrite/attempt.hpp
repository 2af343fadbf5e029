// Why a rule does not apply at a place.
#pragma once

#include <optional>
#include <string>

#include "engine/rewrite/rewriter.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

struct Attempt {
  enum class Outcome {
    no_match,         // the left side has another operation, construct or number there
    wrong_sort,       // a variable of the left side, or an operation of that name, has other sorts
    different_again,  // a variable occurs twice and stands for two different terms
    bound_variable,   // a variable would stand for a term of a variable bound within the redex
    no_change,        // the right side is what stands there
    effects,          // statements have no place there, or a variable would be changed
    refuted,          // the condition is false there
    unknown,          // the condition is open there
    applies,
  };
  Outcome outcome = Outcome::no_match;
  // Where the match ended: from the redex; what is wanted there, and what there is.
  term::Position stopped;
  std::optional<term::TermId> wanted;
  std::optional<term::TermId> found;
  std::optional<term::TermId> condition;  // instantiated
  term::Verdict verdict;
};

// What becomes of the rule at a position of the callable's body (or guard), which it has, with the
// facts of that place; `target` is the theory as the run found it. Asks the oracle about the
// condition, and where it is not proved about its parts.
Attempt attempt(const Context& context, const term::Theory& target, const term::Callable& callable,
                const term::Rule& rule, bool in_guard, const term::Position& position);

// Is the one headed by an operation or a literal that is called as the other's is, with as many
// arguments, and has other sorts?
bool is_overload(const term::Store& store, term::TermId one, term::TermId other);

}  // namespace rhopsi::rewrite
