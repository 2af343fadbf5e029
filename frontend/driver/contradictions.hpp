// Axioms that say differently what one operation is.
#pragma once

#include <string>
#include <vector>

#include "frontend/driver/session.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

// Of the shape, or of the element, of one operation the evaluators take one axiom. A second one
// that could not be proved to say the same, in a few seconds, is a warning with both places
// (E0344), and so are two definitions by cases, of a value too, that could not be proved to say the
// same where the conditions of both hold. Nothing is said of axioms that are equal up to the names
// of variables, and of theorems. Where files are named, one of the two axioms
// has to stand in one of them.
void report_contradictions(Session& session, const term::Theory& theory,
                           syntax::Diagnostics& diagnostics,
                           const std::vector<std::string>& files = {});

}  // namespace rhopsi::driver
