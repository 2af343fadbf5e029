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

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <tl/expected.hpp>

#include "engine/moa/normal_form.hpp"
#include "engine/onf/primitive.hpp"
#include "engine/term/rule.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::moa {

// Why an expression has no normal form: E0530 to E0533, or what the run would report by the same
// code: an operation without a meaning (E0601), a domain condition (E0608), a component that an
// index does not have (E0609), a negative length (E0611), an integer beyond 64 bits (E0613),
// a fold of nothing (E0614).
struct Problem {
  std::string code;     // "E0608"
  std::string message;  // "cat on axis 1 needs equal lengths on axis 0: 3 and 4"
  std::string advice;   // what to do; may be empty
  term::LocationId location{};
  // The expression certainly has no value, whatever is not known: a condition that does not hold,
  // an index of another length than the array has axes. False: reduction could not go on.
  bool undefined = false;
  Vector assumed = {};  // what had been assumed before (NormalForm::assumptions)
};

struct Limits {
  std::size_t nodes = 2'000'000;  // of the form
  std::size_t depth = 1'000;      // of rules within rules, beyond the depth of the expression
  std::size_t stack_bytes = std::size_t{4} << 20;  // of the machine's stack, at most
  std::size_t pieces = 64;                         // more conditions than that stay conditions
  // Remainders by lengths that are not known, as of what goes around the end of an axis, of which
  // pieces are made: more than these stay remainders, since each may double the pieces.
  std::size_t remainders = 64;
  std::size_t trials = 64;      // reductions that look for what is worth storing (plan.hpp)
  double allocation = 1'000;    // what an array that is stored costs besides its elements, in
                                // operations; where it is negative all that can be is stored
  std::size_t stored_axes = 6;  // more than these are not stored
  std::vector<ExprId> stored_shape =
      {};  // nor, if it has any, are arrays with axes of other lengths
  // Contractions may be computed in another order than the one written: always those of
  // integers, and those of reals where this is set, whose last digits then differ (plan.hpp).
  bool reassociate = false;
  // The expression is a side of a rule: indices that it gives to what is computed are not tested.
  bool of_rule = false;
  // Every index that the expression gives to an array is tested, and what functions of numbers and
  // index vectors give on its behalf: what the definition of an array reads is its own concern.
  bool own_accesses = false;
  bool assume_defined = false;  // that a fold without a unit is not empty is an assumption, too
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

// A place in a program where expressions are reduced: what its variables stand for, and what is
// known there. Forms of one program share their expressions and the numbering of their arrays.
struct Place {
  // An array, a number, or an index vector.
  using Meaning = std::variant<LeafId, ExprId, Vector>;

  std::shared_ptr<Expressions> expressions = std::make_shared<Expressions>();
  std::vector<Leaf> leaves;
  std::vector<VariableId> parameters;  // ascending
  // Of variables and of operations without arguments; the last one of a symbol counts.
  std::vector<std::pair<term::SymbolId, Meaning>> meanings;
  std::vector<ExprId> facts;  // conditions that hold
};

// Where these are all the variables.
Place place_of(std::vector<Leaf> leaves);

// The same for an expression of a program.
tl::expected<NormalForm, Problem> reduce(const Library& library, term::TermId expression,
                                         const Place& place, const Limits& limits = {});

// One element of an array, in one expression: the conditions that pieces would be made of stay in
// it. It stands at index variables that range over the shape; `index` holds them, and as many as
// it lacks are made. Assumptions may mention them, those of the shape aside, which come first.
struct Element {
  NormalForm form;  // without pieces
  ExprId value;
  std::size_t shape_assumptions = 0;
};
// `inside` holds of every index within the shape.
tl::expected<Element, Problem> reduce_element(const Library& library, term::TermId expression,
                                              const Place& place, std::vector<VariableId>& index,
                                              const Vector& inside, const Limits& limits = {});

// A number, a condition or an index vector. `form` has neither shape nor pieces.
struct Numbers {
  NormalForm form;
  Vector values;  // of a number one
};
tl::expected<Numbers, Problem> reduce_numbers(const Library& library, term::TermId expression,
                                              const Place& place, const Limits& limits = {});

// What has to be tested so that the condition, a guard of `subject`, holds: the assumptions of a
// form without shape and pieces. A condition that certainly does not hold is a Problem, E0608.
tl::expected<NormalForm, Problem> require(const Library& library, term::TermId condition,
                                          const std::string& subject, term::LocationId location,
                                          const Place& place, const Limits& limits = {});

}  // namespace rhopsi::moa
