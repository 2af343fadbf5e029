// Bodies that axioms give.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/check/comparison.hpp"

namespace rhopsi::check {

// Checks definitions against their axioms, with the operations that are known when all are made.
class Definitions {
 public:
  Definitions(Terms& terms, const Derivation& derivation);

  // What is wrong, or nothing. A body is the axiom's right side about the parameters, where calls
  // to functions with bodies may stand for these: both are unfolded and compared.
  std::optional<std::string> problem(const Definition& definition);

 private:
  std::optional<std::string> problem_with_array(const Definition& definition, const Axiom& shape,
                                                const Axiom& element);
  // The values of the axiom's variables that make its call `f(x, y)` that of the definition.
  std::optional<Values> parameters_of(const Definition& definition, const Axiom& axiom,
                                      TermId call) const;
  bool equal(TermId expected, TermId body, SymbolId defined);
  // With all calls to what has a body unfolded, but for `defined` and what is under way; nothing
  // where it grows too large.
  std::optional<TermId> unfold(TermId term, SymbolId defined);
  std::optional<TermId> unfolded(TermId call, std::span<const TermId> arguments);
  std::optional<TermId> without_variables(TermId block);

  Terms& terms_;
  const term::Store& store_;
  const Derivation& derivation_;
  std::unordered_map<SymbolId, const Operation*> operations_;
  std::vector<SymbolId> under_way_;
  std::unordered_map<TermId, TermId> done_;
  std::size_t made_ = 0;
};

}  // namespace rhopsi::check
