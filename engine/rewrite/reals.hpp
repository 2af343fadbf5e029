// Comparisons of real numbers, as every type that a run may have compares them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/term/oracle.hpp"

namespace rhopsi::rewrite {

// Is the term a comparison of two reals: by an operation on them, or `==` and `!=` of their sort?
bool compares_reals(const term::Store& store, const term::Interpretation& interpretation,
                    term::TermId term);

// Does such a comparison stand anywhere in the term? Looks at no more than `limit` nodes, and takes
// a larger term for one that has none.
bool mentions_reals(const term::Store& store, const term::Interpretation& interpretation,
                    term::TermId term, std::size_t limit);

// Comparisons of reals that hold, and what follows from them.
//
// A real is a number of float32 or float64, whichever the run has, or of both in one program: what
// is said to hold holds in either. Bounds of a term go through its operations end by end, computed
// with the rounding of each type: rounding is monotone, so that the computed ends bound what the
// program computes. Besides that comparisons are chained (`a <= b` and `b < c` give `a < c`).
// Nothing is said where a value may be no number (NaN): not even that it equals itself.
class RealFacts {
 public:
  RealFacts(const term::Store& store, const term::Interpretation& interpretation)
      : store_(store), interpretation_(interpretation) {}

  // The comparison holds, or does not.
  void assume(term::TermId comparison, bool positive);

  // Does the comparison hold (or fail to) wherever the facts hold? False says nothing. Quadratic in
  // the facts, of which at most `most_facts` are looked at.
  bool proves(term::TermId comparison, bool positive) const;

  // For what is assumed for a while.
  std::size_t count() const { return facts_.size(); }
  void truncate(std::size_t count) { facts_.resize(count); }

  static constexpr std::size_t most_facts = 64;

 private:
  // left < right, or left <= right.
  struct Fact {
    term::TermId left;
    term::TermId right;
    bool strict;
    bool if_numbers;  // holds where both sides are numbers
  };
  // What a comparison says of two terms.
  struct Relation {
    term::TermId left;
    term::TermId right;
    term::Arithmetic kind;  // less, less_equal, equal or not_equal
  };
  template <class T>
  struct Range {
    T low;
    T high;
  };
  enum class Step { none, less_equal, less };

  Relation relation(term::TermId comparison) const;
  bool holds(term::TermId left, term::TermId right, bool strict) const;
  bool reaches(term::TermId left, term::TermId right, bool strict) const;
  Step by_ranges(term::TermId left, term::TermId right) const;
  Step by_fact(const Fact& fact) const;
  bool is_number(term::TermId term) const;

  template <class T>
  std::optional<Range<T>> range(term::TermId term, bool with_facts, int depth) const;
  template <class T>
  std::optional<Range<T>> range_of_call(term::TermId term, bool with_facts, int depth) const;
  template <class T>
  std::optional<Range<T>> range_of_atom(term::TermId term, int depth) const;

  const term::Store& store_;
  const term::Interpretation& interpretation_;
  std::vector<Fact> facts_;
  mutable std::size_t work_ = 0;  // of the question at hand
};

}  // namespace rhopsi::rewrite
