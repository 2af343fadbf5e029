// Side conditions of rules, decided by Z3 where cheaper means give up.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/term/oracle.hpp"

namespace rhopsi::smt {

struct OracleLimits {
  std::chrono::milliseconds query{500};
  std::chrono::milliseconds run{20'000};  // of all queries together
};

// What has been asked so far.
struct OracleUse {
  std::uint64_t queries = 0;   // of the solver
  std::uint64_t repeated = 0;  // answered as an equal one before
  std::uint64_t stated = 0;    // facts of the questions that the solver was asked
  std::uint64_t kept = 0;      // of these: stated already, for the question before
  std::uint64_t gave_up = 0;   // undecided because of a limit
  std::uint64_t failed = 0;    // or because the solver failed
  // Or because it ended without an answer before its limits, and what it said of that last.
  std::uint64_t incomplete = 0;
  std::string incompleteness;
  std::chrono::milliseconds spent{0};
};

// For whoever reads: one line for each way in which conditions were left open.
std::vector<std::string> why_undecided(const OracleUse& use);

// For tests: called in place of the solver; what it throws is taken for what the solver has
// thrown. Nothing: the solver is asked.
using OracleInterference = std::function<std::optional<term::Verdict>()>;

// Asks `cheap` first, and the solver where that says unknown. Integers are those of mathematics,
// `/` and `%` Euclidean; whatever has no arithmetic meaning is an unknown function of its
// arguments, binders constants that are equal up to the names of bound variables. Proved means that
// the condition holds for all such functions and numbers. Refuted is said only where the solver's
// numbers make every fact true and the condition false when they are put in (rewrite::evaluate).
// What the limits leave open is unknown, with the reason; nothing else depends on the clock. Equal
// questions, up to the names of variables, are asked once; what a question's facts have in common
// with those of the one before, in their order, the solver is told once. Verdicts name the decider:
// the cheap one's, or "Z3".
class Oracle final : public term::ConditionOracle {
 public:
  // `cheap` must outlive this.
  explicit Oracle(term::ConditionOracle& cheap, OracleLimits limits = {},
                  OracleInterference interference = {});
  ~Oracle() override;

  term::Verdict decide(const term::Store& store, term::TermId condition,
                       std::span<const term::TermId> facts,
                       const term::Interpretation& interpretation) override;

  const OracleUse& use() const { return use_; }

 private:
  struct Question;
  term::Verdict ask(const Question& question);
  term::Verdict solve(const Question& question);

  term::ConditionOracle& cheap_;
  OracleLimits limits_;
  OracleInterference interference_;
  OracleUse use_;
  struct Solver;
  std::unique_ptr<Solver> solver_;  // made with the first question
  bool stale_ = false;              // to be made anew
  std::unordered_map<std::string, term::Verdict> known_;
};

// "4.8.12": Z3's own.
std::string solver_version();

}  // namespace rhopsi::smt
