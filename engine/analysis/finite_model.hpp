// Finite algebras that keep two terms apart, so that these have no reduct in common. (Aoto 2013.)
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/analysis/system.hpp"

namespace rhopsi::analysis {

// Elements 0 .. size - 1; a value for every tuple of arguments, the last argument fastest.
struct FiniteModel {
  std::size_t size = 0;
  std::map<int, std::vector<std::size_t>> tables;
  // Whether what counts is that the one term's reducts have values at most its own and the other's
  // at least its own. If not, it is that rules hold as equations.
  bool ordered = false;
};

// The rules that some reduct of one of the terms may be rewritten by: those of whose left side all
// symbols are in the terms or in right sides of such rules. Nothing if one of them has variables on
// its right side only, for which anything may be put.
std::optional<Rules> reachable_rules(const TermBank& bank, const Rules& rules, Term first,
                                     Term second);

// Whether the model keeps the terms, without variables, apart. With equations: all rules that are
// reachable from either hold, and the terms have different values. Ordered: no value becomes
// smaller where an argument becomes larger, no rule reachable from the first term raises a value,
// none reachable from the second lowers one, and the value of the first is smaller.
bool separates(const TermBank& bank, const Rules& rules, Term first, Term second,
               const FiniteModel& model);

// Looks among models of 2 to `largest` elements; nothing where tables or rules are too large to
// try.
std::optional<FiniteModel> find_separating_model(const TermBank& bank, const Rules& rules,
                                                 Term first, Term second, bool ordered,
                                                 std::size_t largest, const Deadline& deadline);

Proof describe(const TermBank& bank, const FiniteModel& model);

}  // namespace rhopsi::analysis
