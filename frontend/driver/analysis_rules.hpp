// The axioms of a theory as a first-order rewriting system, and what is remarkable in them.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/analysis/arithmetic.hpp"
#include "engine/analysis/system.hpp"
#include "engine/term/oracle.hpp"
#include "engine/term/rule.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::driver {

// How the variables that binders bind become constants.
enum class BoundVariables {
  one_per_sort,    // every rewriting step of the theory is one of the system: for termination
  one_per_binder,  // equal terms of one rule are equal up to bound variables: for critical pairs
};

struct AnalysisRules {
  analysis::TermBank bank;
  analysis::Rules rules;                                  // in the order of term::RuleSet::rules
  std::vector<std::optional<analysis::Term>> conditions;  // of each rule
  std::vector<bool> binders;                              // which rules have one on the right side
  bool binder_on_left = false;
  // Whether a rule has a condition.
  bool conditional() const {
    return std::ranges::any_of(conditions, [](const auto& each) { return each.has_value(); });
  }
  // What symbols mean on integers and truth values, as far as anything is known of them.
  analysis::Arithmetic arithmetic;
  // What symbols are in the theory, but for binders and bound variables.
  std::unordered_map<int, term::SymbolId> origins;
};

// Sorts are kept: a variable stands for terms of its sort.
void first_order(const term::Store& store, const std::vector<term::Rule>& rules,
                 const term::Interpretation& interpretation, BoundVariables bound,
                 AnalysisRules& out);

// Is it proved that the predicates do not hold together? None: no.
bool exclude_each_other(term::Store& store, term::ConditionOracle& oracle,
                        const term::Interpretation& interpretation,
                        const std::vector<term::TermId>& predicates);

// One line each, with the places of the rules: left sides that overlap, rules that can never fire
// because an earlier one takes every term or because their condition holds nowhere, overloads that
// only a cast tells apart, axioms that give no rule.
std::vector<std::string> lint(term::Store& store, const term::Theory& theory,
                              const term::RuleSet& rules,
                              const term::Interpretation& interpretation, AnalysisRules& system);

}  // namespace rhopsi::driver
