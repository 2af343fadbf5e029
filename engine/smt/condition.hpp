// Conditions over terms as formulas of Z3. Internal to this folder.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <z3++.h>

#include "engine/rewrite/evaluate.hpp"
#include "engine/term/oracle.hpp"

namespace rhopsi::smt {

// The terms of one question, encoded with the names of symbols numbered in the order in which they
// are met, so that equal questions about other variables have the same text.
class ConditionEncoding {
 public:
  ConditionEncoding(z3::context& context, const term::Store& store,
                    const term::Interpretation& interpretation,
                    std::span<const term::TermId> terms);

  // Of a predicate.
  z3::expr truth(term::TermId term);

  // The names that have been given, with their sorts.
  const std::string& signature() const { return signature_; }

  // Numbers for the unknowns, where all of them are integers or truth values.
  std::optional<rewrite::Assignment> read(const z3::model& model) const;

 private:
  void collect_integers(std::span<const term::TermId> terms);
  bool is_integer(term::TermId term) const;
  z3::sort sort_of(term::TermId term);
  std::string sort_name(term::TermId term) const;
  z3::expr encode(term::TermId term, int depth);
  std::optional<z3::expr> interpreted(term::TermId term, int depth);
  std::optional<z3::expr> logical(term::Arithmetic meaning, const std::vector<z3::expr>& operands);
  std::optional<z3::expr> numeric(term::Arithmetic meaning, const std::vector<z3::expr>& operands);
  z3::expr unknown(term::TermId term, int depth);
  z3::expr opaque(term::TermId term);
  std::string symbol_name(term::SymbolId symbol);

  z3::context& context_;
  const term::Store& store_;
  const term::Interpretation& interpretation_;
  std::set<term::SortId> integers_;
  std::unordered_map<term::TermId, z3::expr> made_;
  std::unordered_map<term::SymbolId, std::string> names_;
  std::vector<std::pair<term::TermId, z3::expr>> opaque_;  // binders and blocks
  std::vector<std::pair<term::SymbolId, z3::expr>> constants_;
  bool only_constants_ = true;
  std::string signature_;
};

}  // namespace rhopsi::smt
