// The interface through which side conditions are decided.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/term/store.hpp"

namespace rhopsi::term {

// What an operation means to a decider, where it means anything.
enum class Arithmetic {
  none,
  add,
  subtract,
  negate,
  multiply,
  divide,  // Euclidean on integers
  modulo,  // Euclidean
  minimum,
  maximum,
  absolute,
  length,  // the number of components of a vector
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  and_,
  or_,
  not_,
  implies,
  iff,
  true_,
  false_,
  // The same on numbers that are computed with rounding, in the type of the run.
  real_add,
  real_subtract,
  real_negate,
  real_multiply,
  real_divide,
  real_minimum,
  real_maximum,
  real_absolute,
  real_less,
  real_less_equal,
  real_greater,
  real_greater_equal,
};

constexpr bool is_of_reals(Arithmetic meaning) { return meaning >= Arithmetic::real_add; }

// The two functions that tell an array apart, and the one that tells a vector apart.
enum class ArrayFunction {
  none,
  shape,      // of an array: the lengths of its axes
  element,    // (index, array)
  component,  // (vector, number)
};

// Meaning of an operation symbol on numbers, and the defining term of a nullary
// operation with a body (`one() = 1`). A run-time parameter has neither.
struct Interpretation {
  std::function<Arithmetic(SymbolId)> arithmetic;
  std::function<std::optional<TermId>(SymbolId)> definition;
  std::function<ArrayFunction(SymbolId)> array_function = {};
  // Are the values of a sort reals, which `==` compares as the run's type does, and one of which is
  // not equal to itself?
  std::function<bool(SortId)> real = {};
};

// What a proof rests on, beside the construct around the place and what is proved: nothing; what
// the guard of the callable or an `assert` says, which is tested where the program comes there;
// the guard of an operation that the program calls there, or a lemma: nothing has shown them.
enum class Basis { context, entry_check, assumed };

// An instance of a lemma (lemma.hpp) of those that there are.
struct LemmaUse {
  std::size_t lemma = 0;
  std::vector<TermId> binding;  // of its variables, in their order
};

// A part of a condition, and of what is known, that `after` has come to stand for wherever it was
// outside of binders (rewrite/shapes.hpp).
struct Unfolding {
  std::optional<std::size_t> law;  // the equation that says so; none: what vectors and `if` mean
  std::vector<TermId> binding;     // of the law's variables, in their order
  TermId before;
  TermId after;
};

struct Verdict {
  enum class Answer { proved, refuted, unknown };
  Answer answer = Answer::unknown;
  std::string decider;                // "constant", "interval", "fact"; who gave up, for unknown
  std::string detail;                 // a counterexample, or what could not be decided
  Basis basis = Basis::context;       // proved: the least that is enough
  std::vector<LemmaUse> lemmas = {};  // proved: what it is an instance of, where a lemma was needed
  std::vector<Unfolding> unfoldings = {};  // proved: of a condition with these put in, in order
};

class ConditionOracle {
 public:
  virtual ~ConditionOracle() = default;
  // Is `condition` true whenever all `facts` are? Both are predicates without
  // pattern variables; free variables are universally quantified integers.
  virtual Verdict decide(const Store& store, TermId condition, std::span<const TermId> facts,
                         const Interpretation& interpretation) = 0;
  // Where an answer on this condition put something in the place of an operation without a meaning:
  // the interpretation with that in place. Otherwise the same.
  virtual Interpretation settled(const Store&, TermId /*condition*/,
                                 const Interpretation& interpretation) const {
    return interpretation;
  }
};

}  // namespace rhopsi::term
