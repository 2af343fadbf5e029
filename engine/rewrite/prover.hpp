// Proves conditions over numbers from facts.
#pragma once

#include <optional>
#include <vector>

#include "engine/rewrite/linearise.hpp"
#include "engine/rewrite/reals.hpp"

namespace rhopsi::rewrite {

// Means of a proof; that of a whole is the greatest of its parts'.
enum class Means { constant, fact, interval };

class Prover {
 public:
  Prover(const term::Store& store, const term::Interpretation& interpretation)
      : store_(store),
        interpretation_(interpretation),
        linearizer_(store, interpretation),
        reals_(store, interpretation) {}

  // From here on `fact` (or its negation) holds. Facts that cannot be used are kept for
  // comparison only.
  void assume(term::TermId fact, bool positive = true, int depth = 0);

  // A proof of the condition (or of its negation); "nothing" says nothing.
  std::optional<Means> prove(term::TermId condition, bool positive = true, int depth = 0);

 private:
  struct Statement {
    term::TermId term;
    bool positive;
  };
  // What is assumed inside a proof is dropped when its part is done.
  struct Mark {
    std::size_t statements;
    std::size_t inequalities;
    std::size_t disequalities;
    std::size_t reals;
  };

  Mark mark() const;
  void restore(const Mark& mark);

  bool is_fact(term::TermId condition, bool positive) const;
  std::optional<Means> prove_comparison(term::TermId condition, term::Arithmetic meaning,
                                        bool positive);
  std::optional<Means> prove_both(term::TermId left, bool left_positive, term::TermId right,
                                  bool right_positive, int depth);
  std::optional<Means> prove_either(term::TermId left, bool left_positive, term::TermId right,
                                    bool right_positive, int depth);
  std::optional<Means> prove_same(term::TermId left, term::TermId right, bool positive, int depth);
  void assume_comparison(term::TermId fact, term::Arithmetic meaning, bool positive);

  // left - right as a form.
  std::optional<Linear> difference(term::TermId left, term::TermId right);
  void at_most_zero(const std::optional<Linear>& form);
  void equal_to_zero(const std::optional<Linear>& form);
  bool holds_at_most_zero(const std::optional<Linear>& form, int splits);

  // Adds what follows about products, divisions, minima ... that occur.
  void saturate();
  void saturate_unknown(Unknown unknown);
  void saturate_product(Unknown unknown);
  void saturate_division(Unknown unknown);
  void saturate_division_by_constant(Unknown unknown);
  void saturate_choice(Unknown unknown);
  bool split(const Linear& form, int splits);
  bool at_least(const Linear& form, std::int64_t bound);
  bool is_at_most_zero(const std::optional<Linear>& form) const;
  bool less_equal(const Linear& left, const Linear& right);

  const term::Store& store_;
  const term::Interpretation& interpretation_;
  Linearizer linearizer_;
  Inequalities inequalities_;
  std::vector<Statement> statements_;
  std::vector<Linear> disequalities_;
  RealFacts reals_;
  std::size_t saturated_unknowns_ = 0;
  std::size_t saturated_inequalities_ = 0;
};

}  // namespace rhopsi::rewrite
