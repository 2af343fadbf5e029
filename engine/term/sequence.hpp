// Rules about statements that stand in a row (rule.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/term/rule.hpp"
#include "engine/term/store.hpp"

namespace rhopsi::term {

// Is the left side of a rule a block of statements?
bool is_sequence(const Store& store, TermId left);

// Why statements on the left cannot become those on the right in every program: none on the left,
// something changed that the left side does not change, or a variable that need not have a value
// before and that the right side does not set first. Nothing where they can.
std::optional<std::string> sequence_problem(const Store& store, TermId left, TermId right);

// What a claim about statements says of values: for each variable that the left side changes, that
// both sides leave the same in it if they begin with the same. What is changed are copies, so that
// the claims are about values alone. A claim about values stays as it is.
std::vector<Claim> claims_about_values(Store& store, Claim claim);

// Variables that statements in the term assign or pass to be changed, in order of first occurrence;
// bound ones too. What is shared is looked at once.
std::vector<SymbolId> changed_variables(const Store& store, TermId term);

}  // namespace rhopsi::term
