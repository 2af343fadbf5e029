// Derivations for readers: each step in its surroundings, and why a rule did not apply.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "engine/term/theory.hpp"
#include "frontend/driver/session.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

struct ExplainRequest {
  std::string callable;             // empty: all
  std::optional<std::size_t> step;  // its number, from 1 in the whole derivation
  std::string why_not;              // a rule; empty: the steps are shown
  std::string position;             // "body.0.1"; empty: wherever the rule could start
};

// The steps that led to the theory, of a session that records them, numbered from 1 through all
// transformations: before => after, with the redex marked and what stands around it, its condition
// and who decided it; refusals between them. Or, for a rule, why it is not applied to what a
// transformation that has it ended with (to what stood before `step`, if that is given). Nothing
// where a name, a step or a position does not exist (E0803, E0853, E0854). Linear in the steps,
// each of which takes the length of its way from the root; what is printed of a term is cut at some
// hundred bytes.
std::optional<std::string> explain(Session& session, const term::Theory& theory,
                                   const ExplainRequest& request, syntax::Diagnostics& diagnostics);

// With --no-assume: an error for each applied rule whose condition is assumed (E0852).
void report_assumed(Session& session, const term::Theory& theory, syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
