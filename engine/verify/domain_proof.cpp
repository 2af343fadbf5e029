#include <algorithm>
#include <array>
#include <string_view>

#include "engine/term/operations.hpp"
#include "engine/verify/case_proof.hpp"

namespace rhopsi::verify {

using moa::Assumption;
using moa::ExprId;
using moa::ScalarFunction;
using moa::Vector;
using term::Claim;

namespace {

// What a definition answers for: guards of the operations that it calls, indices of as many
// components as there are axes and within the lengths, lengths that are not negative. That
// something is divided by 0, or that nothing is folded, is no matter of arrays: what it would give
// is not asked for.
constexpr std::array<std::string_view, 4> answered_for{"E0531", "E0608", "E0609", "E0611"};

class DomainProof {
 public:
  DomainProof(const moa::Library& library, const Domain& domain,
              const std::vector<Claim>& invariants, Case made, const smt::ProverLimits& solver,
              const ProofLimits& limits)
      : library_(library),
        domain_(domain),
        invariants_(invariants),
        known_(library, std::move(made), solver, limits) {}

  CaseResult run() {
    for (const Claim& each : invariants_) {
      if (const auto end = known_.assume_true(each.left)) return *end;
    }
    // Conditions may have no value where the guard does not hold, nor before the index is known.
    if (guard_excludes()) return Reasoning::nothing_said();
    if (const auto end = assume_conditions(false)) return *end;
    if (domain_.guard) {
      if (const auto end = assume_guard()) return *end;
    }
    if ((split_ = known_.narrow_range())) return {};
    if (domain_.shape) {
      if (const auto end = assume_index()) return *end;
    }
    if (const auto end = assume_conditions(true)) return *end;
    return domain_.part == Domain::Part::array ? whole_array() : numbers();
  }

  const std::optional<Split>& split() const { return split_; }
  const std::vector<moa::VariableId>& index() const { return index_; }
  Reasoning& known() { return known_; }

 private:
  bool guard_excludes() {
    if (!domain_.guard) return false;
    const auto guard =
        require(library_, *domain_.guard, "", {}, known_.place(), known_.reduction());
    return !guard && guard.error().undefined;
  }

  // Those that mention the index, or the others.
  Reasoning::End assume_conditions(bool of_index) {
    for (const term::TermId each : domain_.conditions) {
      if (mentions_index(each) != of_index) continue;
      if (auto end = known_.assume_true(each)) return end;
    }
    return std::nullopt;
  }

  bool mentions_index(term::TermId condition) const {
    if (!domain_.index || !domain_.shape) return false;
    return term::occurs(library_.contents().store, *domain_.index, condition);
  }

  Reasoning::End assume_guard() {
    const auto guard =
        require(library_, *domain_.guard, "", {}, known_.place(), known_.reduction());
    if (!guard) return known_.without_value(guard.error());
    known_.assume(*guard);
    if (known_.contradicts()) return Reasoning::nothing_said();
    return std::nullopt;
  }

  // Somewhere within the shape.
  Reasoning::End assume_index() {
    const auto shape = reduce_numbers(library_, *domain_.shape, known_.place(), known_.reduction());
    if (!shape) return known_.without_value(shape.error());
    known_.assume(shape->form);
    moa::Expressions& expressions = known_.expressions();
    Vector components;
    Vector ranges;
    for (std::size_t axis = 0; axis < shape->values.size(); ++axis) {
      const std::string& name = library_.contents().store[*domain_.index].name;
      index_.push_back(expressions.make_variable(name + "[" + std::to_string(axis) + "]"));
      components.push_back(expressions.variable(index_.back()));
      known_.add_range(ranges, components.back(), shape->values[axis]);
      known_.place().parameters.push_back(index_.back());
    }
    for (ExprId each : ranges) known_.assume(each);
    known_.place().meanings.emplace_back(*domain_.index, std::move(components));
    if (known_.contradicts()) return Reasoning::nothing_said();
    return std::nullopt;
  }

  static bool is_answered_for(std::string_view code) {
    return std::ranges::find(answered_for, code) != answered_for.end();
  }

  // What certainly has no value is wrong, if there is anything to ask for.
  CaseResult failed(const moa::Problem& problem) {
    if (!problem.undefined) return Reasoning::stuck(problem.message);
    if (!is_answered_for(problem.code)) return Reasoning::nothing_said();
    CaseResult result;
    const ExprId never = known_.expressions().boolean(false);
    const bool empty = known_.prove(known_.hypotheses(), never, problem.message, result);
    return empty ? Reasoning::nothing_said() : result;
  }

  CaseResult numbers() {
    const auto right = reduce_numbers(library_, domain_.right, known_.place(), known_.reduction());
    if (!right) return failed(right.error());
    CaseResult result;
    if (!holds(right->form.assumptions, result)) return result;
    if (domain_.part != Domain::Part::shape) return result;
    moa::Expressions& expressions = known_.expressions();
    for (std::size_t axis = 0; axis < right->values.size(); ++axis) {
      const ExprId some = expressions.apply(ScalarFunction::less_equal,
                                            {expressions.integer(0), right->values[axis]});
      const std::string what = "the length on axis " + std::to_string(axis) + " is negative";
      if (!known_.prove(known_.hypotheses(), some, what, result)) return result;
    }
    return result;
  }

  CaseResult whole_array() {
    const auto right =
        reduce_element(library_, domain_.right, known_.place(), index_, {}, known_.reduction());
    if (!right) return failed(right.error());
    CaseResult result;
    const std::span<const Assumption> all(right->form.assumptions);
    if (!holds(all.first(right->shape_assumptions), result)) return result;
    Vector ranges;
    for (std::size_t axis = 0; axis < right->form.shape.size(); ++axis) {
      known_.add_range(ranges, known_.expressions().variable(index_[axis]),
                       right->form.shape[axis]);
    }
    for (ExprId each : ranges) known_.assume(each);
    index_.clear();  // it is no unknown of the definition
    holds(all.subspan(right->shape_assumptions), result);
    return result;
  }

  // In order: what comes later rests on what was asked for before.
  bool holds(std::span<const Assumption> assumptions, CaseResult& result) {
    for (const Assumption& each : assumptions) {
      if (is_answered_for(each.code) &&
          !known_.prove(known_.hypotheses(), each.condition, each.message, result)) {
        return false;
      }
      known_.assume(each.condition);
    }
    return true;
  }

  const moa::Library& library_;
  const Domain& domain_;
  const std::vector<Claim>& invariants_;
  Reasoning known_;
  std::vector<moa::VariableId> index_;
  std::optional<Split> split_;
};

}  // namespace

CaseOutcome prove_domain(const moa::Library& library, const Domain& domain,
                         const std::vector<Claim>& invariants, Case made,
                         const smt::ProverLimits& solver, const ProofLimits& limits) {
  DomainProof proof(library, domain, invariants, std::move(made), solver, limits);
  CaseResult result = proof.run();
  CaseOutcome outcome = outcome_of(std::move(result), proof.split(), proof.known());
  outcome.index = proof.index();
  return outcome;
}

}  // namespace rhopsi::verify
