// Integer terms as linear forms over what cannot be taken apart.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/rewrite/evaluate.hpp"
#include "engine/rewrite/linear.hpp"

namespace rhopsi::rewrite {

// What an unknown of a linear form stands for. Equal terms get the same unknown:
// sums up to order, opaque terms up to the names of bound variables.
struct UnknownTerm {
  enum class Kind {
    opaque,    // a variable, a call, ...: nothing is known of it
    product,   // of `factors`, two or more
    quotient,  // Euclidean, of left and right
    remainder,
    minimum,
    maximum,
    absolute,  // of left
  };
  Kind kind = Kind::opaque;
  std::vector<Unknown> factors;
  Linear left;
  Linear right;
};

class Linearizer {
 public:
  Linearizer(const term::Store& store, const term::Interpretation& interpretation)
      : store_(store), interpretation_(interpretation) {}

  // The form of an integer term. What does not fit a form (nested too deep, beyond 64
  // bits, not linear) becomes an unknown of its own.
  Linear form(term::TermId term, int depth = 0);

  // In order of creation: the parts of an unknown precede it.
  const std::vector<UnknownTerm>& unknowns() const { return unknowns_; }
  // The quotient and the remainder of the same division, made on demand.
  Unknown unknown(UnknownTerm::Kind kind, const Linear& left, const Linear& right);

 private:
  std::optional<Linear> interpreted(term::TermId term, int depth);
  std::optional<Linear> product(const Linear& left, const Linear& right);
  std::optional<Linear> division(UnknownTerm::Kind kind, const Linear& left, const Linear& right);
  Unknown monomial(std::vector<Unknown> factors);
  Unknown opaque(term::TermId term);
  Unknown add(UnknownTerm unknown);
  std::size_t hash(term::TermId term);

  const term::Store& store_;
  const term::Interpretation& interpretation_;
  std::vector<UnknownTerm> unknowns_;
  std::map<std::string, Unknown> by_key_;
  std::unordered_map<std::size_t, std::vector<std::pair<term::TermId, Unknown>>> opaque_;
  std::unordered_map<term::TermId, std::size_t> hashes_;
  std::unordered_map<term::TermId, Linear> forms_;  // shared terms are read once
};

}  // namespace rhopsi::rewrite
