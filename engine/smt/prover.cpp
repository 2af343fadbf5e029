#include "engine/smt/prover.hpp"

#include <algorithm>

#include "engine/smt/encoding.hpp"
#include "engine/smt/watch.hpp"

namespace rhopsi::smt {

using moa::ExprId;
using Clock = std::chrono::steady_clock;

std::string to_string(Theory theory) {
  switch (theory) {
    case Theory::any:
      return "any";
    case Theory::ring:
      return "ring";
    case Theory::field:
      return "field";
    case Theory::ieee:
      return "ieee";
  }
  return {};
}

struct Prover::Goal {
  ExprId left{};
  std::optional<ExprId> right;  // the same as this; nothing: `left` is true
};

namespace {

Answer unknown(std::string reason, bool out_of_time = false) {
  return {Answer::Kind::unknown, std::move(reason), {}, out_of_time};
}

}  // namespace

Prover::Prover(moa::Expressions& expressions, ProverLimits limits, Interference interference)
    : expressions_(expressions), limits_(limits), interference_(std::move(interference)) {}

Prover::~Prover() = default;

Answer Prover::prove(std::span<const ExprId> hypotheses, ExprId goal, Theory theory) {
  const auto known = expressions_.constant(goal);
  if (known && *known != 0) return {Answer::Kind::proved, {}, {}};
  return ask(hypotheses, {goal, std::nullopt}, theory);
}

Answer Prover::prove_same(std::span<const ExprId> hypotheses, ExprId left, ExprId right,
                          Theory theory) {
  if (left == right) return {Answer::Kind::proved, {}, {}};
  if (expressions_[left].type != expressions_[right].type) {
    return unknown("values of different types");
  }
  return ask(hypotheses, {left, right}, theory);
}

Answer Prover::ask(std::span<const ExprId> hypotheses, const Goal& goal, Theory theory) {
  if (spent_ >= limits_.run) {
    ++out_of_time_;
    return unknown("the time of the run is spent", true);
  }
  ++queries_;
  const auto begin = Clock::now();
  Answer answer;
  try {
    std::optional<Answer> given;
    if (interference_) given = interference_();
    answer = given ? *given : solve(hypotheses, goal, theory);
  } catch (const z3::exception& failure) {
    answer = unknown(std::string("the solver failed: ") + failure.msg());
  } catch (const std::exception& failure) {
    answer = unknown(std::string("the solver failed: ") + failure.what());
  }
  spent_ += std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  out_of_time_ += answer.out_of_time ? 1 : 0;
  return answer;
}

Answer Prover::solve(std::span<const ExprId> hypotheses, const Goal& goal, Theory theory) {
  z3::context context;
  z3::solver solver(context, z3::solver::simple());
  const auto left = std::max(limits_.run - spent_, std::chrono::milliseconds(1));
  const auto timeout = std::min(limits_.query, left);
  z3::params params(context);
  params.set("random_seed", 1U);
  solver.set(params);
  Encoding encoding(context, expressions_, theory);
  for (ExprId hypothesis : hypotheses) solver.add(encoding.encode(hypothesis));
  const z3::expr claim = encoding.encode(goal.left);
  solver.add(goal.right ? claim != encoding.encode(*goal.right) : !claim);
  for (auto facts = encoding.take_facts(); !facts.empty(); facts = encoding.take_facts()) {
    for (const z3::expr& fact : facts) solver.add(fact);
  }
  Checked found = check(context, solver, timeout);
  switch (found.result) {
    case z3::unsat:
      return {Answer::Kind::proved, {}, {}};
    case z3::sat:
      return {Answer::Kind::refuted, {}, encoding.read(solver.get_model())};
    case z3::unknown:
      break;
  }
  return unknown(std::move(found.reason), found.out_of_time);
}

}  // namespace rhopsi::smt
