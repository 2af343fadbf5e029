#include "engine/smt/oracle.hpp"

#include <algorithm>
#include <utility>

#include "engine/rewrite/reals.hpp"
#include "engine/smt/condition.hpp"
#include "engine/smt/watch.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::smt {

using term::TermId;
using term::Verdict;
using Clock = std::chrono::steady_clock;

// One context for all questions. The facts of a question stay stated, each on a level of its own,
// for the next one: questions about one place begin with the same facts.
struct Oracle::Solver {
  Solver() {
    z3::params params(context);
    params.set("random_seed", 1U);
    solver.set(params);
  }

  // States the facts, and returns how many of them were.
  std::size_t state(const z3::expr_vector& facts) {
    unsigned kept = 0;
    while (kept < stated.size() && kept < facts.size() && z3::eq(stated[kept], facts[kept])) ++kept;
    const auto dropped = static_cast<unsigned>(stated.size()) - kept;
    if (dropped > 0) solver.pop(dropped);
    stated.resize(kept, z3::expr(context));
    for (unsigned k = kept; k < facts.size(); ++k) {
      solver.push();
      solver.add(facts[k]);
      stated.push_back(facts[k]);
    }
    return kept;
  }

  z3::context context;
  z3::solver solver{context, z3::solver::simple()};
  std::vector<z3::expr> stated;
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

constexpr const char* no_proof = "it does not follow from what is known";

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
  // To it comparisons of reals are predicates without a meaning: that nothing follows is no news.
  if (asked.detail == no_proof &&
      rewrite::mentions_reals(store, interpretation, condition, most_nodes)) {
    return verdict;
  }
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
    ++use_.failed;
    stale_ = true;
  } catch (const std::exception& failure) {
    verdict = undecided(std::string("the solver failed: ") + failure.what());
    ++use_.failed;
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
  // The facts first, so that equal ones have equal names whatever is asked.
  z3::expr_vector facts(context);
  for (TermId fact : question.facts) facts.push_back(encoding.truth(fact));
  const z3::expr claim = encoding.truth(question.condition);
  std::string key = encoding.signature() + claim.to_string() + "\n";
  for (const z3::expr& fact : facts) key += fact.to_string() + "\n";
  // A refutation names the question's own variables, and is not kept.
  if (const auto found = known_.find(key); found != known_.end()) {
    ++use_.repeated;
    return found->second;
  }

  ++use_.queries;
  const auto left = std::max(limits_.run - use_.spent, std::chrono::milliseconds(1));
  const auto timeout = std::min(limits_.query, left);
  use_.stated += facts.size();
  use_.kept += solver_->state(facts);
  z3::solver& solver = solver_->solver;
  solver.push();
  solver.add(!claim);
  Checked checked = check(context, solver, timeout);
  stale_ = checked.interrupted;
  std::optional<rewrite::Assignment> assignment;
  if (checked.result == z3::sat) assignment = encoding.read(solver.get_model());
  solver.pop();
  switch (checked.result) {
    case z3::unsat:
      return known_[key] = {Verdict::Answer::proved, "Z3", ""};
    case z3::sat:
      break;
    case z3::unknown:
      if (checked.out_of_time) {
        ++use_.gave_up;
      } else {
        ++use_.incomplete;
        use_.incompleteness = checked.reason;
      }
      return undecided(checked.reason);
  }
  if (!assignment) return known_[key] = undecided(no_proof);
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

std::vector<std::string> why_undecided(const OracleUse& use) {
  std::vector<std::string> lines;
  const auto add = [&](std::uint64_t count, const std::string& why) {
    if (count == 0) return;
    lines.push_back(std::to_string(count) + (count == 1 ? " condition was" : " conditions were") +
                    " left undecided " + why);
  };
  add(use.gave_up, "by the solver's limits; --smt-timeout and --smt-run-timeout set them");
  add(use.incomplete,
      "by the solver before its limits (" + use.incompleteness + "): more time would not help");
  add(use.failed, "because the solver failed");
  return lines;
}

}  // namespace rhopsi::smt
