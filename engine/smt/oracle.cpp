#include "engine/smt/oracle.hpp"

#include <algorithm>
#include <utility>

#include "engine/smt/condition.hpp"
#include "engine/smt/watch.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::smt {

using term::TermId;
using term::Verdict;
using Clock = std::chrono::steady_clock;

// One context for all questions: each is stated and taken back.
struct Oracle::Solver {
  z3::context context;
  z3::solver solver{context, z3::solver::simple()};
};

struct Oracle::Question {
  const term::Store& store;
  TermId condition;
  std::span<const TermId> facts;
  const term::Interpretation& interpretation;
};

namespace {

// Larger conditions are not asked.
constexpr std::size_t most_nodes = 20'000;

Verdict undecided(std::string reason) {
  return {Verdict::Answer::unknown, "Z3", std::move(reason)};
}

}  // namespace

Oracle::Oracle(term::ConditionOracle& cheap, OracleLimits limits, OracleInterference interference)
    : cheap_(cheap), limits_(limits), interference_(std::move(interference)) {}

Oracle::~Oracle() = default;

Verdict Oracle::decide(const term::Store& store, TermId condition, std::span<const TermId> facts,
                       const term::Interpretation& interpretation) {
  Verdict verdict = cheap_.decide(store, condition, facts, interpretation);
  if (verdict.answer != Verdict::Answer::unknown) return verdict;
  std::size_t size = term::size(store, condition);
  for (TermId fact : facts) size += std::min(term::size(store, fact), most_nodes);
  if (size > most_nodes) return verdict;
  const Verdict asked = ask({store, condition, facts, interpretation});
  if (asked.answer != Verdict::Answer::unknown) return asked;
  return {Verdict::Answer::unknown, asked.decider, verdict.detail + "; " + asked.detail};
}

Verdict Oracle::ask(const Question& question) {
  const auto begin = Clock::now();
  Verdict verdict;
  try {
    if (use_.spent >= limits_.run) {
      verdict = undecided("the solver's time for the whole run is spent");
      ++use_.gave_up;
      return verdict;
    }
    std::optional<Verdict> given;
    if (interference_) given = interference_();
    verdict = given ? *given : solve(question);
  } catch (const z3::exception& failure) {
    verdict = undecided(std::string("the solver failed: ") + failure.msg());
    ++use_.gave_up;
    stale_ = true;
  } catch (const std::exception& failure) {
    verdict = undecided(std::string("the solver failed: ") + failure.what());
    ++use_.gave_up;
    stale_ = true;
  }
  use_.spent += std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  return verdict;
}

Verdict Oracle::solve(const Question& question) {
  if (!solver_ || std::exchange(stale_, false)) solver_ = std::make_unique<Solver>();
  z3::context& context = solver_->context;
  std::vector<TermId> terms(question.facts.begin(), question.facts.end());
  terms.push_back(question.condition);
  ConditionEncoding encoding(context, question.store, question.interpretation, terms);
  z3::expr_vector stated(context);
  stated.push_back(!encoding.truth(question.condition));
  for (TermId fact : question.facts) stated.push_back(encoding.truth(fact));
  std::string key = encoding.signature();
  for (const z3::expr& each : stated) key += each.to_string() + "\n";
  // A refutation names the question's own variables, and is not kept.
  if (const auto found = known_.find(key); found != known_.end()) {
    ++use_.repeated;
    return found->second;
  }

  ++use_.queries;
  const auto left = std::max(limits_.run - use_.spent, std::chrono::milliseconds(1));
  const auto timeout = std::min(limits_.query, left);
  z3::params params(context);
  params.set("random_seed", 1U);
  z3::solver& solver = solver_->solver;
  solver.reset();
  solver.set(params);
  for (const z3::expr& each : stated) solver.add(each);
  Checked checked = check(context, solver, timeout);
  stale_ = checked.interrupted;
  switch (checked.result) {
    case z3::unsat:
      return known_[key] = {Verdict::Answer::proved, "Z3", ""};
    case z3::sat:
      break;
    case z3::unknown:
      ++use_.gave_up;
      return undecided(std::move(checked.reason));
  }
  const auto assignment = encoding.read(solver.get_model());
  if (!assignment) return known_[key] = undecided("it does not follow from what is known");
  const auto value = [&](TermId term) {
    return rewrite::evaluate(question.store, question.interpretation, term, *assignment);
  };
  const bool holds = std::ranges::all_of(question.facts,
                                         [&](TermId fact) { return value(fact).value_or(0) != 0; });
  if (!holds || value(question.condition) != 0) {
    return undecided("the solver's counterexample could not be confirmed");
  }
  const auto unknowns =
      rewrite::unknowns_in(question.store, question.interpretation, terms, most_nodes);
  return {Verdict::Answer::refuted, "Z3",
          rewrite::describe(question.store, question.interpretation, unknowns, *assignment)};
}

std::string solver_version() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

}  // namespace rhopsi::smt
