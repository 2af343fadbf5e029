// Strategies as they are written, to values.
#pragma once

#include <optional>

#include "engine/rewrite/strategy.hpp"
#include "engine/term/rule.hpp"
#include "engine/term/theory.hpp"
#include "frontend/syntax/ast.hpp"

namespace rhopsi::elaborate {

// What a strategy may name.
struct StrategyNames {
  const term::Store& store;
  const term::RuleSet& rules;
  const term::Theory& target;
};

// The strategy; nothing after an error, each of which is reported at its place: an unknown word
// (E0345), arguments that do not fit (E0346), a rule, callable or variable that is not there
// (E0347), an axiom that cannot be turned round (E0348). Without `names` nobody asks what is
// there.
std::optional<rewrite::Strategy> read_strategy(const syntax::StrategyExpr& expression,
                                               const StrategyNames* names,
                                               syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::elaborate
