#include "engine/verify/case_proof.hpp"

#include <algorithm>
#include <array>

#include "engine/moa/facts.hpp"
#include "engine/verify/radix.hpp"

namespace rhopsi::verify {

using moa::Expressions;
using moa::ExprId;
using moa::ScalarFunction;
using moa::Vector;
using smt::Answer;
using term::Claim;
using term::TermId;

namespace {

constexpr std::array theories_tried{smt::Theory::ring, smt::Theory::field, smt::Theory::ieee};
// Integers that the hypotheses leave as many values are tried one by one.
constexpr std::int64_t most_values = 6;
constexpr std::int64_t farthest = 8;

// What a side of the claim is: numbers, or the shape and an element of an array.
struct Side {
  Vector values;
  bool array = false;
  Vector needs;         // what has to hold so that it has a value
  Vector inside_needs;  // so that the element has one
};

class CaseProof {
 public:
  CaseProof(const moa::Library& library, const Claim& claim, const std::vector<Claim>& invariants,
            Case made, smt::ProverLimits solver, const ProofLimits& limits)
      : library_(library),
        claim_(claim),
        invariants_(invariants),
        case_(std::move(made)),
        expressions_(*case_.place.expressions),
        prover_(expressions_, solver, limits.interference) {
    reduction_.assume_defined = true;
    reduction_.of_rule = true;
    reduction_.nodes = 50'000;
  }

  CaseResult run() {
    if (const auto end = assume_condition()) return *end;
    if (const auto end = left_side()) return *end;
    if ((split_ = narrow_range(most_values))) return {};
    if (!claim_.right) return prove_truth();
    return right_side();
  }

  // Set by run() where an integer takes few values that are known, in place of a result.
  const std::optional<Split>& split() const { return split_; }
  // The same with the help of the solver.
  std::optional<Split> search_range();

  const smt::Prover& prover() const { return prover_; }

 private:
  std::optional<Split> stated_range() const;

  using End = std::optional<CaseResult>;

  static CaseResult nothing_said() { return {CaseResult::Kind::nothing_said, {}, {}}; }
  static CaseResult stuck(std::string reason) {
    return {CaseResult::Kind::stuck, {}, std::move(reason)};
  }

  // Of a side that is assumed to have a value.
  CaseResult without_value(const moa::Problem& problem) {
    if (problem.undefined) return nothing_said();
    for (ExprId each : problem.assumed) assume(each);
    return stuck(problem.message);
  }

  void assume(ExprId condition) {
    if (expressions_.constant(condition) == 1) return;
    hypotheses_.push_back(condition);
    case_.place.facts.push_back(condition);
  }
  bool contradicts() const {
    return std::ranges::any_of(hypotheses_, [&](ExprId each) {
      const auto known = expressions_.constant(each);
      return known && *known == 0;
    });
  }

  End assume_true(TermId predicate) {
    const auto numbers = reduce_numbers(library_, predicate, case_.place, reduction_);
    if (!numbers) return without_value(numbers.error());
    for (const moa::Assumption& each : numbers->form.assumptions) assume(each.condition);
    assume(numbers->values[0]);
    if (contradicts()) return nothing_said();
    return std::nullopt;
  }

  End assume_condition() {
    for (const Claim& each : invariants_) {
      if (const auto end = assume_true(each.left)) return end;
    }
    if (claim_.condition) return assume_true(*claim_.condition);
    return std::nullopt;
  }

  bool is_array(TermId side) const {
    return library_.contents().is_array(library_.contents().store.sort(side));
  }

  tl::expected<Side, moa::Problem> reduced(TermId side) {
    Side made;
    if (!is_array(side)) {
      auto numbers = reduce_numbers(library_, side, case_.place, reduction_);
      if (!numbers) return tl::unexpected(numbers.error());
      for (const auto& each : numbers->form.assumptions) made.needs.push_back(each.condition);
      made.values = std::move(numbers->values);
      return made;
    }
    const auto element = reduce_element(library_, side, case_.place, index_, inside_, reduction_);
    if (!element) return tl::unexpected(element.error());
    const auto& assumptions = element->form.assumptions;
    for (std::size_t k = 0; k < assumptions.size(); ++k) {
      (k < element->shape_assumptions ? made.needs : made.inside_needs)
          .push_back(assumptions[k].condition);
    }
    made.array = true;
    made.values = element->form.shape;
    made.values.push_back(element->value);
    return made;
  }

  End left_side() {
    auto side = reduced(claim_.left);
    if (!side) return without_value(side.error());
    left_ = std::move(*side);
    for (ExprId each : left_.needs) assume(each);
    if (contradicts()) return nothing_said();
    inside_ = left_.inside_needs;
    return std::nullopt;
  }

  CaseResult prove_truth() {
    CaseResult result;
    prove(hypotheses_, left_.values[0], "it does not hold", result);
    return result;
  }

  CaseResult right_side() {
    const auto side = reduced(*claim_.right);
    if (!side) {
      return stuck("the right side: " + side.error().message);
    }
    if (side->values.size() != left_.values.size()) {
      return {CaseResult::Kind::refuted, {}, "the two sides have different ranks"};
    }
    CaseResult result;
    for (ExprId each : side->needs) {
      if (!prove(hypotheses_, each, "the right side may have no value", result)) return result;
    }
    const std::size_t lengths = left_.array ? left_.values.size() - 1 : left_.values.size();
    for (std::size_t k = 0; k < lengths; ++k) {
      const std::string what =
          left_.array ? "the lengths of axis " + std::to_string(k) + " differ" : "they differ";
      if (!same(hypotheses_, left_.values[k], side->values[k], what, result)) return result;
    }
    if (!left_.array) return result;
    Vector hypotheses = hypotheses_;
    hypotheses.insert(hypotheses.end(), inside_.begin(), inside_.end());
    for (std::size_t k = 0; k < lengths; ++k) {
      const ExprId index = expressions_.variable(index_[k]);
      hypotheses.push_back(
          expressions_.apply(ScalarFunction::less_equal, {expressions_.integer(0), index}));
      hypotheses.push_back(expressions_.apply(ScalarFunction::less, {index, left_.values[k]}));
    }
    for (ExprId each : side->inside_needs) {
      if (!prove(hypotheses, each, "an element of the right side may have no value", result)) {
        return result;
      }
    }
    same(hypotheses, left_.values.back(), side->values.back(), "the elements differ", result);
    return result;
  }

  bool take(const Answer& answer, const std::string& what, CaseResult& result) {
    if (answer.kind == Answer::Kind::proved) return true;
    const bool refuted = answer.kind == Answer::Kind::refuted;
    result.kind = refuted ? CaseResult::Kind::refuted : CaseResult::Kind::stuck;
    result.reason = refuted ? what : what + "? " + answer.reason;
    result.counterexample = answer.counterexample;
    return false;
  }

  // Facts first: they are cheap.
  std::optional<bool> decided(const Vector& hypotheses, ExprId goal) {
    moa::Facts facts(expressions_);
    for (ExprId each : hypotheses) facts.assume(each);
    return facts.decide(goal);
  }

  bool prove(const Vector& hypotheses, ExprId goal, const std::string& what, CaseResult& result) {
    if (decided(hypotheses, goal) == true) return true;
    Radix radix(expressions_, hypotheses);
    if (radix.holds(goal)) return true;
    return take(prover_.prove(hypotheses, radix.normalised(goal), smt::Theory::any), what, result);
  }

  bool same(const Vector& hypotheses, ExprId left, ExprId right, const std::string& what,
            CaseResult& result) {
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
    const bool elements = expressions_.any(left, [&](ExprId id) { return is_real(id); }) ||
                          expressions_.any(right, [&](ExprId id) { return is_real(id); });
    for (smt::Theory theory : theories_tried) {
      // What holds in a ring holds in a field.
      if (!elements || (theory == smt::Theory::field && holds.holds_in(smt::Theory::ring)))
        continue;
      const Answer answer = prover_.prove_same(hypotheses, left, right, theory);
      if (answer.kind == Answer::Kind::proved) holds.add(theory);
    }
    if (holds.holds_in(smt::Theory::ring)) holds.add(smt::Theory::field);
    if (holds.empty()) return take(first, what, result);
    result.theories &= holds;
    if (!result.theories.empty()) return true;
    result.kind = CaseResult::Kind::stuck;
    result.reason = "its parts hold in different theories only";
    return false;
  }

  bool is_real(ExprId id) const {
    const moa::Scalar type = expressions_[id].type;
    return type == moa::Scalar::float64 || type == moa::Scalar::float32;
  }

  std::optional<Split> narrow_range(std::int64_t values) {
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

  const moa::Library& library_;
  const Claim& claim_;
  const std::vector<Claim>& invariants_;
  Case case_;
  Expressions& expressions_;
  smt::Prover prover_;
  moa::Limits reduction_;
  Vector hypotheses_;
  Vector inside_;
  std::vector<moa::VariableId> index_;
  Side left_;
  std::optional<Split> split_;
};

// |v| <= c and the like, which the solver need not be asked.
std::optional<Split> CaseProof::stated_range() const {
  for (ExprId hypothesis : hypotheses_) {
    const moa::Node& node = expressions_[hypothesis];
    const bool order =
        node.kind == moa::Node::Kind::apply &&
        (node.function == ScalarFunction::less_equal || node.function == ScalarFunction::less);
    if (!order) continue;
    const auto most = expressions_.constant(node.operands[1]);
    const moa::Node& inner = expressions_[node.operands[0]];
    if (!most || inner.kind != moa::Node::Kind::apply ||
        inner.function != ScalarFunction::absolute) {
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

std::optional<Split> CaseProof::search_range() {
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

}  // namespace

CaseOutcome prove_case(const moa::Library& library, const Claim& claim,
                       const std::vector<Claim>& invariants, Case made,
                       const smt::ProverLimits& solver, const ProofLimits& limits) {
  CaseProof proof(library, claim, invariants, std::move(made), solver, limits);
  CaseOutcome outcome;
  outcome.result = proof.run();
  outcome.split = proof.split();
  if (!outcome.split && outcome.result.kind == CaseResult::Kind::stuck) {
    outcome.split = proof.search_range();
  }
  outcome.spent = proof.prover().spent();
  outcome.queries = proof.prover().queries();
  return outcome;
}

}  // namespace rhopsi::verify
