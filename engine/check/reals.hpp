// Comparisons of reals by plain arithmetic.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "engine/check/comparison.hpp"
#include "engine/term/oracle.hpp"

namespace rhopsi::check {

// Reals are numbers of 32 or 64 bits, and a statement on them is shown where it is in both: by ends
// between which a term lies, which every operation takes to its own with its rounding, and by
// at most `longest_chain` statements in a row. What may be no number is not compared.
class RealJudge {
 public:
  struct Meaning {
    std::function<term::Arithmetic(SymbolId)> of;
    std::function<std::optional<TermId>(SymbolId)> body;  // of a named constant
    std::function<bool(term::SortId)> real;
  };

  RealJudge(const term::Store& store, Meaning meaning)
      : store_(store), meaning_(std::move(meaning)) {}

  bool compares(TermId term) const;
  // The comparison is one that holds, or one that does not.
  void learn(TermId comparison, bool positive);
  bool shown(TermId comparison, bool positive);
  // Without what was learned.
  std::optional<bool> value(TermId comparison);

  std::size_t known() const { return known_.size(); }
  void forget(std::size_t known) { known_.resize(known); }

 private:
  static constexpr int longest_chain = 4;
  static constexpr std::size_t most_work = 100'000;

  struct Statement {  // low < high, or low <= high
    TermId low;
    TermId high;
    bool strict;
  };
  template <class T>
  using Ends = std::optional<std::pair<T, T>>;
  struct Comparison {
    TermId left;
    TermId right;
    bool equality;
    bool strict;   // of an order
    bool negated;  // `!=`
  };

  Comparison read(TermId term) const;
  bool below(TermId low, TermId high, bool strict, int statements);
  // 2: less; 1: at most; 0: neither is known.
  template <class T>
  int apart(TermId low, TermId high);
  int apart(TermId low, TermId high);
  bool number(TermId term);
  template <class T>
  Ends<T> ends(TermId term, bool learned, int depth);
  template <class T>
  Ends<T> computed(TermId term, bool learned, int depth);

  const term::Store& store_;
  Meaning meaning_;
  std::vector<Statement> known_;
  bool with_known_ = true;
  std::size_t work_ = 0;
};

}  // namespace rhopsi::check
