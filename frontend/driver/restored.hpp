// Terms of an analysis, put back.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/term/store.hpp"
#include "engine/term/theory.hpp"
#include "frontend/driver/analysis_rules.hpp"

namespace rhopsi::driver {

// Terms of the analysis as terms of the theory; variables of both go together.
class Restored {
 public:
  Restored(term::Store& store, const AnalysisRules& system) : store_(store), system_(system) {}

  std::optional<term::TermId> of(analysis::Term term) {
    const analysis::TermBank& bank = system_.bank;
    if (bank.is_variable(term)) return store_.make(variable(bank.variable_of(term)));
    const auto origin = system_.origins.find(bank.head(term));
    if (origin == system_.origins.end()) return std::nullopt;
    std::vector<term::TermId> children;
    for (analysis::Term each : bank.arguments(term)) {
      const auto child = of(each);
      if (!child) return std::nullopt;
      children.push_back(*child);
    }
    return store_.make(origin->second, children);
  }

  std::optional<term::TermId> conjunction(const std::vector<analysis::Term>& terms) {
    std::optional<term::TermId> all;
    for (analysis::Term each : terms) {
      const auto one = of(each);
      if (!one) return std::nullopt;
      all = all ? term::conjunction(store_, *all, *one) : *one;
    }
    return all;
  }

  const std::vector<term::SymbolId>& variables() const { return variables_; }

 private:
  term::SymbolId variable(int number) {
    const auto known = known_.find(number);
    if (known != known_.end()) return known->second;
    const auto sort = static_cast<term::SortId>(system_.bank.variable_sort(number));
    const auto made = store_.fresh_variable(system_.bank.variable_name(number), sort);
    known_.emplace(number, made);
    variables_.push_back(made);
    return made;
  }

  term::Store& store_;
  const AnalysisRules& system_;
  std::unordered_map<int, term::SymbolId> known_;
  std::vector<term::SymbolId> variables_;
};

}  // namespace rhopsi::driver
