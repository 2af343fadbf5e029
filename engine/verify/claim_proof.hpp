// A claim, proved at each rank of its arrays and each length of its vectors.
//
//   reverse(reverse(A, axis), axis) == A
//     A of rank 1 and axis = 0, A of rank 2 and axis = 0, A of rank 2 and axis = 1, ...
//
// Lengths, indices and elements stay unknown. Both sides are reduced to a shape and an element at
// an index of components, by the definitions alone; what is asked then is whether the extents are
// equal, whether the elements are, and whether the right side has a value wherever the left one
// has one.
#pragma once

#include <vector>

#include "engine/moa/reduce.hpp"
#include "engine/smt/prover.hpp"
#include "engine/term/rule.hpp"
#include "engine/verify/domain.hpp"
#include "engine/verify/verdict.hpp"

namespace rhopsi::verify {

struct Ranks {
  std::size_t least = 0;  // of arrays; vectors are as long
  std::size_t most = 4;
};

struct ProofLimits {
  Ranks ranks;
  smt::ProverLimits solver;
  std::size_t cases = 20'000;  // of one claim
  smt::Interference interference;
};

// `library` holds the definitions; `parameters` are the axiom's. The invariants are axioms with
// one parameter, which hold of every value of its sort. Numbers that promote, and elements of
// arrays of them, are real numbers, but for those of `integers`: these are integers without bounds,
// whose
// `/` is Euclidean and has no value where the divisor is 0.
Verdict prove(const moa::Library& library, const std::vector<term::SymbolId>& parameters,
              const term::Claim& claim, const std::vector<const term::Axiom*>& invariants,
              const ProofLimits& limits, const std::vector<term::SymbolId>& integers = {});

// The lengths and numbers of values for which the condition of the claim holds and its left side
// has a value, as far as the solver knows these; empty where none were found. Ranks are tried in
// ascending order, and the first that has such values is taken.
Model find_values(const moa::Library& library, const std::vector<term::SymbolId>& parameters,
                  const term::Claim& claim, const std::vector<const term::Axiom*>& invariants,
                  const ProofLimits& limits);

// A proof of a definition: that it stays within the arrays that it reads wherever it has to have a
// value, and that what it calls may be called there.
Verdict prove(const moa::Library& library, const std::vector<term::SymbolId>& parameters,
              const Domain& domain, const std::vector<const term::Axiom*>& invariants,
              const ProofLimits& limits);

}  // namespace rhopsi::verify
