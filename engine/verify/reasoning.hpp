// What is known of a case, and what follows from it. Internal to this folder.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/verify/case.hpp"
#include "engine/verify/claim_proof.hpp"

namespace rhopsi::verify {

// How one case went.
struct CaseResult {
  enum class Kind : std::uint8_t { nothing_said, proved, refuted, stuck };
  Kind kind = Kind::proved;
  Theories theories = Theories::all();
  std::string reason;
  smt::Counterexample counterexample = {};  // refuted by the solver
};

// An integer that takes few values.
struct Split {
  Open open;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

// Integers that hypotheses leave as many values are tried one by one.
inline constexpr std::int64_t most_values = 6;

class Reasoning {
 public:
  Reasoning(const moa::Library& library, Case made, const smt::ProverLimits& solver,
            const ProofLimits& limits);

  using End = std::optional<CaseResult>;
  static CaseResult nothing_said() { return {CaseResult::Kind::nothing_said, {}, {}}; }
  static CaseResult stuck(std::string reason);

  moa::Expressions& expressions() { return expressions_; }
  moa::Place& place() { return case_.place; }
  const moa::Limits& reduction() const { return reduction_; }
  const moa::Vector& hypotheses() const { return hypotheses_; }
  const smt::Prover& prover() const { return prover_; }

  // The solver is asked for no other theories: in those the claim has failed before.
  void ask_only(Theories theories) { asked_ = theories; }

  void assume(moa::ExprId condition);
  void assume(const moa::NormalForm& form);  // what had to be taken for granted for it
  bool contradicts() const;
  // That the predicate has a value, and is true. Something: how the case ends.
  End assume_true(term::TermId predicate);
  // Of an expression that is assumed to have a value.
  CaseResult without_value(const moa::Problem& problem);

  // False: `result` says why it was not shown.
  bool prove(const moa::Vector& hypotheses, moa::ExprId goal, const std::string& what,
             CaseResult& result);
  bool same(const moa::Vector& hypotheses, moa::ExprId left, moa::ExprId right,
            const std::string& what, CaseResult& result);

  // That no integer within it is divided by 0, as far as its value is asked for.
  moa::ExprId divided_well(moa::ExprId value);
  // Has anything that was assumed or asked a meaning of integers that is not that of reals?
  bool other_of_integers() const { return other_of_integers_; }

  // 0 <= index < length
  void add_range(moa::Vector& hypotheses, moa::ExprId index, moa::ExprId length);

  // An integer of the case that takes at most so many values.
  std::optional<Split> narrow_range(std::int64_t values = most_values);
  // The same with the help of the solver, and more values.
  std::optional<Split> search_range();

 private:
  smt::Answer shown(const moa::Vector& hypotheses, moa::ExprId goal);
  smt::Answer shown_each(moa::Vector hypotheses, moa::ExprId goal);
  std::optional<moa::ExprId> of_remainder(const moa::Node& goal);
  std::optional<bool> decided(const moa::Vector& hypotheses, moa::ExprId goal);
  bool take(const smt::Answer& answer, const std::string& what, CaseResult& result);
  bool is_real(moa::ExprId id) const;
  void look_at(moa::ExprId asked);
  std::optional<Split> stated_range() const;

  const moa::Library& library_;
  Case case_;
  moa::Expressions& expressions_;
  smt::Prover prover_;
  moa::Limits reduction_;
  moa::Vector hypotheses_;
  Theories asked_ = Theories::all();
  bool other_of_integers_ = false;
};

}  // namespace rhopsi::verify
