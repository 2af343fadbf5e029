// From an array expression over a theory to its normal form.
//
// The theory's rules are all that is known of an operation:
//   shape(op(A, k)) == s           its shape                      (left side: kind `shape`)
//   psi(p, op(A, k)) == e          its element at a total index p (left side: kind `load`)
//   f(p, k) == e                   the meaning of any other operation
// with distinct variables as arguments; conditions have to be decided by what is known of shapes
// and indices. Nothing here knows the name of an operation. The rules' own vocabulary - indexing,
// shapes, vectors of integers, scalar functions - is recognised by the kinds of onf::Primitive.
// Ranks are known: those of the leaves are given, others follow from the shape rules.
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "engine/moa/normal_form.hpp"
#include "engine/onf/primitive.hpp"
#include "engine/term/rule.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::moa {

// Why an expression has no normal form.
struct Problem {
  std::string code;     // "E0530"
  std::string message;  // "cat on axis 1 needs equal lengths on axis 0: 3 and 4"
  std::string advice;   // what to do; may be empty
  term::LocationId location{};
};

struct Limits {
  std::size_t nodes = 2'000'000;  // of the form
  std::size_t depth = 1'000;      // of rules within rules
  std::size_t pieces = 64;        // more conditions than that stay conditions
  std::size_t trials = 64;        // reductions that look for what is worth storing (plan.hpp)
  double allocation = 1'000;      // what an array that is stored costs besides its elements, in
                                  // operations; where it is negative all that can be is stored
};

// The rules of a theory, sorted for reduction: made once, used for many expressions. The
// store, theory and table must outlive it.
class Library {
 public:
  Library(term::Store& store, const term::Theory& theory, const onf::PrimitiveTable& table);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  struct Contents;
  const Contents& contents() const { return *contents_; }

 private:
  std::unique_ptr<Contents> contents_;
};

// `expression` has a sort that is represented by an array; its free variables are those of the
// leaves. Domain conditions (guards of operations) are decided: a violated one is a Problem that
// names the numbers, an undecided one an assumption of the form.
tl::expected<NormalForm, Problem> reduce(const Library& library, term::TermId expression,
                                         std::vector<Leaf> leaves, const Limits& limits = {});

}  // namespace rhopsi::moa
