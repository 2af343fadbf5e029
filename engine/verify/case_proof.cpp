#include "engine/verify/case_proof.hpp"

namespace rhopsi::verify {

using moa::ExprId;
using moa::Vector;
using term::Claim;
using term::TermId;

namespace {

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
            Case made, const smt::ProverLimits& solver, const ProofLimits& limits)
      : library_(library),
        claim_(claim),
        invariants_(invariants),
        known_(library, std::move(made), solver, limits) {}

  // Nothing: the case is to be split.
  CaseResult run() {
    if (const auto end = assume_condition()) return *end;
    if (const auto end = left_side()) return *end;
    if ((split_ = known_.narrow_range())) return {};
    if (!claim_.right) return prove_truth();
    return right_side();
  }

  // Refuted: by numbers that meet the condition, and give the left side a value.
  CaseResult find() {
    if (auto end = assume_condition()) return std::move(*end);
    if (auto end = left_side()) return std::move(*end);
    if ((split_ = known_.narrow_range())) return {};
    for (std::int64_t least : {2, 1, 0}) {
      Vector hypotheses = known_.hypotheses();
      for (ExprId each : lengths()) {
        hypotheses.push_back(known_.expressions().apply(
            moa::ScalarFunction::less_equal, {known_.expressions().integer(least), each}));
      }
      CaseResult result;
      known_.prove(hypotheses, known_.expressions().boolean(false), "it may hold", result);
      if (result.kind == CaseResult::Kind::refuted) return result;
    }
    return Reasoning::nothing_said();
  }

  // Set by run() and find() where an integer takes few values that are known, in place of a result.
  const std::optional<Split>& split() const { return split_; }
  Reasoning& known() { return known_; }

 private:
  using End = Reasoning::End;

  End assume_condition() {
    for (const Claim& each : invariants_) {
      if (const auto end = known_.assume_true(each.left)) return end;
    }
    if (claim_.condition) return known_.assume_true(*claim_.condition);
    return std::nullopt;
  }

  bool is_array(TermId side) const {
    return library_.contents().is_array(library_.contents().store.sort(side));
  }

  tl::expected<Side, moa::Problem> reduced(TermId side) {
    Side made;
    if (!is_array(side)) {
      auto numbers = reduce_numbers(library_, side, known_.place(), known_.reduction());
      if (!numbers) return tl::unexpected(numbers.error());
      for (const auto& each : numbers->form.assumptions) made.needs.push_back(each.condition);
      made.values = std::move(numbers->values);
      return made;
    }
    const auto element =
        reduce_element(library_, side, known_.place(), index_, inside_, known_.reduction());
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

  // Those of the axes of all arrays.
  Vector lengths() {
    Vector found;
    const auto& leaves = known_.place().leaves;
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      for (std::size_t axis = 0; axis < leaves[leaf].rank(); ++axis) {
        found.push_back(known_.expressions().extent(static_cast<moa::LeafId>(leaf),
                                                    static_cast<std::uint32_t>(axis)));
      }
    }
    return found;
  }

  End left_side() {
    auto side = reduced(claim_.left);
    if (!side) return known_.without_value(side.error());
    left_ = std::move(*side);
    for (ExprId each : left_.needs) known_.assume(each);
    const std::size_t outside = outside_of(left_);
    for (std::size_t k = 0; k < outside; ++k) known_.assume(known_.divided_well(left_.values[k]));
    if (left_.array) left_.inside_needs.push_back(known_.divided_well(left_.values.back()));
    if (known_.contradicts()) return Reasoning::nothing_said();
    inside_ = left_.inside_needs;
    return std::nullopt;
  }

  // The first values: lengths, or all that there are. The last one is an element.
  static std::size_t outside_of(const Side& side) {
    return side.array ? side.values.size() - 1 : side.values.size();
  }

  CaseResult prove_truth() {
    CaseResult result;
    known_.prove(known_.hypotheses(), left_.values[0], "it does not hold", result);
    return result;
  }

  CaseResult right_side() {
    const auto side = reduced(*claim_.right);
    if (!side) {
      return Reasoning::stuck("the right side: " + side.error().message);
    }
    if (side->values.size() != left_.values.size()) {
      return {CaseResult::Kind::refuted, {}, "the two sides have different ranks"};
    }
    CaseResult result;
    const Vector& outside = known_.hypotheses();
    for (ExprId each : side->needs) {
      if (!known_.prove(outside, each, "the right side may have no value", result)) return result;
    }
    const std::string no_value = "the right side may divide an integer by 0";
    const std::size_t lengths = outside_of(left_);
    for (std::size_t k = 0; k < lengths; ++k) {
      const ExprId valued = known_.divided_well(side->values[k]);
      if (!known_.prove(outside, valued, no_value, result)) return result;
    }
    for (std::size_t k = 0; k < lengths; ++k) {
      const std::string what =
          left_.array ? "the lengths of axis " + std::to_string(k) + " differ" : "they differ";
      if (!known_.same(outside, left_.values[k], side->values[k], what, result)) return result;
    }
    if (!left_.array) return result;
    Vector hypotheses = outside;
    hypotheses.insert(hypotheses.end(), inside_.begin(), inside_.end());
    for (std::size_t k = 0; k < lengths; ++k) {
      known_.add_range(hypotheses, known_.expressions().variable(index_[k]), left_.values[k]);
    }
    for (ExprId each : side->inside_needs) {
      if (!known_.prove(hypotheses, each, "an element of the right side may have no value",
                        result)) {
        return result;
      }
    }
    const ExprId valued = known_.divided_well(side->values.back());
    if (!known_.prove(hypotheses, valued, no_value, result)) return result;
    known_.same(hypotheses, left_.values.back(), side->values.back(), "the elements differ",
                result);
    return result;
  }

  const moa::Library& library_;
  const Claim& claim_;
  const std::vector<Claim>& invariants_;
  Reasoning known_;
  Vector inside_;
  std::vector<moa::VariableId> index_;
  Side left_;
  std::optional<Split> split_;
};

}  // namespace

CaseOutcome outcome_of(CaseResult result, std::optional<Split> split, Reasoning& known) {
  CaseOutcome outcome;
  outcome.result = std::move(result);
  outcome.split = std::move(split);
  if (!outcome.split && outcome.result.kind == CaseResult::Kind::stuck) {
    outcome.split = known.search_range();
  }
  outcome.spent = known.prover().spent();
  outcome.queries = known.prover().queries();
  outcome.out_of_time = known.prover().out_of_time();
  outcome.other_of_integers = known.other_of_integers();
  return outcome;
}

CaseOutcome prove_case(const moa::Library& library, const Claim& claim,
                       const std::vector<Claim>& invariants, Case made,
                       const smt::ProverLimits& solver, const ProofLimits& limits, Theories asked) {
  CaseProof proof(library, claim, invariants, std::move(made), solver, limits);
  proof.known().ask_only(asked);
  CaseResult result = proof.run();
  return outcome_of(std::move(result), proof.split(), proof.known());
}

CaseOutcome find_case(const moa::Library& library, const Claim& claim,
                      const std::vector<Claim>& invariants, Case made,
                      const smt::ProverLimits& solver, const ProofLimits& limits) {
  CaseProof proof(library, claim, invariants, std::move(made), solver, limits);
  CaseResult result = proof.find();
  CaseOutcome outcome = outcome_of(std::move(result), proof.split(), proof.known());
  if (!outcome.split && outcome.result.kind == CaseResult::Kind::stuck) {
    outcome.result = Reasoning::nothing_said();
  }
  return outcome;
}

}  // namespace rhopsi::verify
