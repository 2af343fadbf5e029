// Whether critical pairs join once integer arithmetic is taken for granted.
#pragma once

#include <string>
#include <unordered_map>

#include "engine/analysis/system.hpp"
#include "engine/term/oracle.hpp"
#include "frontend/driver/analysis_rules.hpp"

namespace rhopsi::driver {

// A text that is the same for two terms if polynomial arithmetic on integers makes them equal: sums
// and products are in an order of their own, however deep they stand.
std::string canonical(const AnalysisRules& system, analysis::Term term);

// How many critical pairs of the rules that have neither conditions nor binders join so, and normal
// forms of those that do not.
analysis::Proof modulo_arithmetic(AnalysisRules& system);

}  // namespace rhopsi::driver
