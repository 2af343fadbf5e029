#include "engine/verify/reasoning.hpp"

#include <algorithm>
#include <array>

#include "engine/moa/facts.hpp"
#include "engine/verify/divisors.hpp"
#include "engine/verify/fold_facts.hpp"
#include "engine/verify/radix.hpp"

namespace rhopsi::verify {

using moa::ExprId;
using moa::Node;
using moa::ScalarFunction;
using moa::Vector;
using smt::Answer;
using term::TermId;

namespace {

constexpr std::array theories_tried{smt::Theory::ring, smt::Theory::field, smt::Theory::ieee};
constexpr std::int64_t farthest = 8;

}  // namespace

Reasoning::Reasoning(const moa::Library& library, Case made, const smt::ProverLimits& solver,
                     const ProofLimits& limits)
    : library_(library),
      case_(std::move(made)),
      expressions_(*case_.place.expressions),
      prover_(expressions_, solver, limits.interference) {
  reduction_.assume_defined = true;
  reduction_.own_accesses = true;
  reduction_.nodes = 50'000;
}

CaseResult Reasoning::stuck(std::string reason) {
  return {CaseResult::Kind::stuck, {}, std::move(reason)};
}

// ---------------------------------------------------------------- what is known

void Reasoning::look_at(ExprId asked) {
  other_of_integers_ = other_of_integers_ || expressions_.any(asked, [&](ExprId id) {
    return is_other_of_integers(expressions_, id);
  });
}

ExprId Reasoning::divided_well(ExprId value) { return verify::divided_well(expressions_, value); }

void Reasoning::assume(ExprId condition) {
  look_at(condition);
  if (expressions_.constant(condition) == 1) return;
  hypotheses_.push_back(condition);
  case_.place.facts.push_back(condition);
}

void Reasoning::assume(const moa::NormalForm& form) {
  for (const moa::Assumption& each : form.assumptions) assume(each.condition);
}

bool Reasoning::contradicts() const {
  return std::ranges::any_of(hypotheses_, [&](ExprId each) {
    const auto known = expressions_.constant(each);
    return known && *known == 0;
  });
}

CaseResult Reasoning::without_value(const moa::Problem& problem) {
  if (problem.undefined) return nothing_said();
  for (ExprId each : problem.assumed) assume(each);
  return stuck(problem.message);
}

Reasoning::End Reasoning::assume_true(TermId predicate) {
  const auto numbers = reduce_numbers(library_, predicate, case_.place, reduction_);
  if (!numbers) return without_value(numbers.error());
  assume(numbers->form);
  assume(divided_well(numbers->values[0]));
  assume(numbers->values[0]);
  if (contradicts()) return nothing_said();
  return std::nullopt;
}

void Reasoning::add_range(Vector& hypotheses, ExprId index, ExprId length) {
  hypotheses.push_back(
      expressions_.apply(ScalarFunction::less_equal, {expressions_.integer(0), index}));
  hypotheses.push_back(expressions_.apply(ScalarFunction::less, {index, length}));
}

// ---------------------------------------------------------------- what follows

bool Reasoning::take(const Answer& answer, const std::string& what, CaseResult& result) {
  if (answer.kind == Answer::Kind::proved) return true;
  const bool refuted = answer.kind == Answer::Kind::refuted;
  result.kind = refuted ? CaseResult::Kind::refuted : CaseResult::Kind::stuck;
  result.reason = refuted ? what : what + "? " + answer.reason;
  result.counterexample = answer.counterexample;
  return false;
}

// Facts first: they are cheap.
std::optional<bool> Reasoning::decided(const Vector& hypotheses, ExprId goal) {
  moa::Facts facts(expressions_);
  for (ExprId each : hypotheses) facts.assume(each);
  return facts.decide(goal);
}

Answer Reasoning::shown(const Vector& hypotheses, ExprId goal) {
  if (decided(hypotheses, goal) == true) return {Answer::Kind::proved, {}, {}};
  Radix radix(expressions_, hypotheses);
  if (radix.holds(goal)) return {Answer::Kind::proved, {}, {}};
  goal = radix.normalised(goal);
  const Answer answer = prover_.prove(hypotheses, goal, smt::Theory::any);
  if (answer.kind == Answer::Kind::proved) return answer;
  Vector more = facts_of_folds(expressions_, hypotheses, goal);
  if (more.empty()) return answer;
  more.insert(more.end(), hypotheses.begin(), hypotheses.end());
  return prover_.prove(more, goal, smt::Theory::any);
}

// What has to hold so that a remainder lies where the goal says: 0 <= a % n, a % n < n.
std::optional<ExprId> Reasoning::of_remainder(const Node& goal) {
  if (goal.kind != Node::Kind::apply || goal.operands.size() != 2) return std::nullopt;
  const auto divisor = [&](ExprId value) -> std::optional<ExprId> {
    const Node& node = expressions_[value];
    const bool remainder =
        node.kind == Node::Kind::apply && node.function == ScalarFunction::modulo;
    return remainder && node.type == moa::Scalar::int64 ? std::optional(node.operands[1])
                                                        : std::nullopt;
  };
  const ExprId zero = expressions_.integer(0);
  const auto least = divisor(goal.operands[1]);
  const auto most = divisor(goal.operands[0]);
  const bool low = goal.function == ScalarFunction::less_equal && goal.operands[0] == zero && least;
  const bool high = goal.function == ScalarFunction::less && most == goal.operands[1];
  if (!low && !high) return std::nullopt;
  return expressions_.apply(ScalarFunction::less, {zero, low ? *least : *most});
}

// Part by part, a condition on all indices at an index that stands for any.
Answer Reasoning::shown_each(Vector hypotheses, ExprId goal) {
  const Node node = expressions_[goal];
  const bool applied = node.kind == Node::Kind::apply;
  if (applied && node.function == ScalarFunction::and_) {
    for (ExprId part : node.operands) {
      Answer answer = shown_each(hypotheses, part);
      if (answer.kind != Answer::Kind::proved) return answer;
      hypotheses.push_back(part);
    }
    return {Answer::Kind::proved, {}, {}};
  }
  if (applied && node.function == ScalarFunction::implies) {
    hypotheses.push_back(node.operands[0]);
    return shown_each(std::move(hypotheses), node.operands[1]);
  }
  if (node.kind == Node::Kind::fold && node.function == ScalarFunction::and_) {
    const ExprId at = expressions_.variable(expressions_.make_variable("k"));
    add_range(hypotheses, at, node.operands[0]);
    return shown_each(std::move(hypotheses),
                      expressions_.substitute(node.operands[1], node.variable, at));
  }
  if (const auto enough = of_remainder(node)) {
    if (shown(hypotheses, *enough).kind == Answer::Kind::proved) {
      return {Answer::Kind::proved, {}, {}};
    }
  }
  return shown(hypotheses, goal);
}

bool Reasoning::prove(const Vector& hypotheses, ExprId goal, const std::string& what,
                      CaseResult& result) {
  look_at(goal);
  if (decided(hypotheses, goal) == true) return true;
  return take(shown_each(hypotheses, goal), what, result);
}

bool Reasoning::is_real(ExprId id) const {
  const moa::Scalar type = expressions_[id].type;
  return type == moa::Scalar::float64 || type == moa::Scalar::float32;
}

bool Reasoning::same(const Vector& hypotheses, ExprId left, ExprId right, const std::string& what,
                     CaseResult& result) {
  look_at(left);
  look_at(right);
  if (left == right) return true;
  Radix radix(expressions_, hypotheses);
  left = radix.normalised(left);
  right = radix.normalised(right);
  if (left == right) return true;
  const bool integers = expressions_[left].type == moa::Scalar::int64 &&
                        expressions_[right].type == moa::Scalar::int64;
  if (integers &&
      decided(hypotheses, expressions_.apply(ScalarFunction::equal, {left, right})) == true) {
    return true;
  }
  if (integers && radix.equal(left, right)) return true;
  const Answer first = prover_.prove_same(hypotheses, left, right, smt::Theory::any);
  if (first.kind == Answer::Kind::proved) return true;
  Theories holds = Theories::none();
  Answer answer = first;  // of the theory that knows most
  const auto has_reals = [&](ExprId whole) {
    return expressions_.any(whole, [&](ExprId id) { return is_real(id); });
  };
  const bool elements =
      has_reals(left) || has_reals(right) || std::ranges::any_of(hypotheses, has_reals);
  for (smt::Theory theory : theories_tried) {
    if (!asked_.holds_in(theory) || !result.theories.holds_in(theory)) continue;
    // What holds in a ring holds in a field.
    if (!elements || (theory == smt::Theory::field && holds.holds_in(smt::Theory::ring))) continue;
    const Answer found = prover_.prove_same(hypotheses, left, right, theory);
    if (found.kind == Answer::Kind::proved) holds.add(theory);
    const bool values = found.kind == Answer::Kind::refuted && theory != smt::Theory::ieee;
    if (values && first.kind == Answer::Kind::refuted) answer = found;
  }
  if (holds.holds_in(smt::Theory::ring)) holds.add(smt::Theory::field);
  if (holds.empty()) return take(answer, what, result);
  result.theories &= holds;
  if (!result.theories.empty()) return true;
  result.kind = CaseResult::Kind::stuck;
  result.reason = "its parts hold in different theories only";
  return false;
}

// ---------------------------------------------------------------- integers of few values

std::optional<Split> Reasoning::narrow_range(std::int64_t values) {
  moa::Facts facts(expressions_);
  for (ExprId each : hypotheses_) facts.assume(each);
  std::optional<Split> narrowest;
  for (const Open& open : case_.open) {
    const moa::Bounds bounds = facts.bounds(expressions_.variable(open.variable));
    if (!bounds.low || !bounds.high || *bounds.high - *bounds.low >= values) continue;
    if (!narrowest || *bounds.high - *bounds.low < narrowest->high - narrowest->low) {
      narrowest = Split{open, *bounds.low, *bounds.high};
    }
  }
  return narrowest;
}

// |v| <= c and the like, which the solver need not be asked.
std::optional<Split> Reasoning::stated_range() const {
  for (ExprId hypothesis : hypotheses_) {
    const Node& node = expressions_[hypothesis];
    const bool order =
        node.kind == Node::Kind::apply &&
        (node.function == ScalarFunction::less_equal || node.function == ScalarFunction::less);
    if (!order) continue;
    const auto most = expressions_.constant(node.operands[1]);
    const Node& inner = expressions_[node.operands[0]];
    if (!most || inner.kind != Node::Kind::apply || inner.function != ScalarFunction::absolute) {
      continue;
    }
    for (const Open& open : case_.open) {
      if (expressions_.variable(open.variable) == inner.operands[0] && *most <= farthest) {
        return Split{open, -*most, *most};
      }
    }
  }
  return std::nullopt;
}

std::optional<Split> Reasoning::search_range() {
  if (const auto narrow = narrow_range(2 * farthest + 1)) return narrow;
  if (const auto stated = stated_range()) return stated;
  const auto certain = [&](ScalarFunction function, moa::VariableId variable, std::int64_t bound) {
    const ExprId goal = expressions_.apply(
        function, {expressions_.variable(variable), expressions_.integer(bound)});
    return prover_.prove(hypotheses_, goal, smt::Theory::any).kind == Answer::Kind::proved;
  };
  for (const Open& open : case_.open) {
    Split split{open, -farthest, farthest};
    if (!certain(ScalarFunction::less_equal, open.variable, farthest)) continue;
    if (!certain(ScalarFunction::greater_equal, open.variable, -farthest)) continue;
    while (split.low < split.high &&
           certain(ScalarFunction::greater_equal, open.variable, split.low + 1)) {
      ++split.low;
    }
    while (split.low < split.high &&
           certain(ScalarFunction::less_equal, open.variable, split.high - 1)) {
      --split.high;
    }
    return split;
  }
  return std::nullopt;
}

}  // namespace rhopsi::verify
