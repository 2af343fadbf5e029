// Why a rule did not fire, in the words of the rule.
#pragma once

#include <span>
#include <string>

#include "engine/rewrite/rewriter.hpp"
#include "engine/term/operations.hpp"
#include "engine/term/rule.hpp"

namespace rhopsi::rewrite {

// "needs -padding() <= o; fails for i = 0, o = -2, padding() = 1": the first part of the rule's
// condition that does not hold at the redex, and what the rule's variables and the part's constants
// are in a case that the facts allow; of a condition that was not decided the first part that was
// not, with the decider's words. `verdict` is what the oracle has said of the whole, which is not
// proved. Asks the oracle about each part.
std::string refusal(const Context& context, const term::Rule& rule,
                    const term::Substitution& binding, std::span<const term::TermId> facts,
                    const term::Verdict& verdict);

}  // namespace rhopsi::rewrite
