#include "engine/verify/claim_proof.hpp"

#include <algorithm>
#include <functional>

#include "engine/term/operations.hpp"
#include "engine/verify/case_proof.hpp"
#include "engine/verify/numbers.hpp"

namespace rhopsi::verify {

using term::Claim;
using term::SymbolId;
using term::TermId;

namespace {

// What is proved at each rank.
struct Asked {
  std::vector<TermId> terms;            // that it speaks of
  std::optional<SymbolId> index = {};   // which has as many components as each case says
  std::vector<SymbolId> integers = {};  // those of its unknowns that promote
  std::function<CaseOutcome(const std::vector<Claim>& invariants, Case made,
                            const smt::ProverLimits& solver, Theories asked)>
      prove = {};
};

class RankedProof {
 public:
  RankedProof(const moa::Library& library, Asked asked, const ProofLimits& limits)
      : library_(library), asked_(std::move(asked)), limits_(limits) {}

  // False: a sort of which no values are known.
  bool find_unknowns(const std::vector<SymbolId>& parameters,
                     const std::vector<const term::Axiom*>& invariants) {
    std::vector<SymbolId> symbols = parameters;
    for (SymbolId each : operations(invariants)) {
      if (is_unknown_value(each)) symbols.push_back(each);
    }
    for (SymbolId symbol : symbols) {
      if (symbol == asked_.index) {
        verdict_.most_axes = limits_.ranks.most;
        continue;
      }
      const auto unknown = unknown_of(library_.contents(), symbol);
      if (!unknown) {
        verdict_.reason = "nothing is known of the type " +
                          library_.contents().store.name(library_.contents().store[symbol].result);
        return false;
      }
      unknowns_.push_back(*unknown);
      if (unknown->promotes) {
        verdict_.promoting.push_back(symbol);
        const bool integer = std::ranges::find(asked_.integers, symbol) != asked_.integers.end();
        if (integer) unknowns_.back().type = moa::Scalar::int64;
      }
      if (is_ranked(*unknown)) verdict_.most_axes = limits_.ranks.most;
    }
    return true;
  }

  void add_invariants(const std::vector<const term::Axiom*>& axioms) {
    term::Store& store = library_.contents().store;
    for (const term::Axiom* axiom : axioms) {
      for (const Claim& claim : term::claims_of(store, *axiom)) {
        TermId whole = claim.left;
        if (claim.right) {
          const SymbolId equal =
              term::builtin_symbol(store, term::Builtin::equal, store.sort(claim.left));
          whole = store.make(equal, {claim.left, *claim.right});
        }
        if (claim.condition) continue;
        for (const Unknown& unknown : unknowns_) {
          const SymbolId parameter = axiom->parameters[0];
          if (store[parameter].result != store[unknown.symbol].result) continue;
          const TermId value = store.make(unknown.symbol, {});
          invariants_.push_back(
              {claim.name, {}, term::substitute(store, whole, {{parameter, value}}), {}, {}});
        }
      }
    }
  }

  Verdict run() {
    verdict_.outcome = Outcome::proved;
    choose(0, Choices(unknowns_.size()));
    if (verdict_.outcome == Outcome::proved && verdict_.cases == 0) {
      verdict_.outcome = Outcome::unknown;
      verdict_.says_nothing = true;
      verdict_.reason = "it says nothing: there is no case in which its left side has a value";
    }
    return verdict_;
  }

  Verdict without_proof() { return verdict_; }

 private:
  static bool is_ranked(const Unknown& unknown) {
    return unknown.kind == Unknown::Kind::array || unknown.kind == Unknown::Kind::vector;
  }

  bool is_unknown_value(SymbolId symbol) const {
    const auto& contents = library_.contents();
    if (!contents.store[symbol].parameters.empty()) return false;
    const term::Callable* callable = contents.theory.find(symbol);
    if (callable == nullptr || callable->concrete()) return false;
    if (contents.shapes.contains(symbol) || contents.meanings.contains(symbol)) return false;
    return term::builtin(contents.store, symbol) == term::Builtin::none;
  }

  // Those of the claim, of what is assumed, and of their definitions.
  std::vector<SymbolId> operations(const std::vector<const term::Axiom*>& invariants) const {
    std::vector<TermId> terms = asked_.terms;
    for (const term::Axiom* axiom : invariants) terms.push_back(axiom->body);
    return operations_behind(library_.contents(), terms);
  }

  bool over() const { return verdict_.outcome != Outcome::proved; }

  void choose(std::size_t next, Choices choices) {
    if (over()) return;
    if (next == unknowns_.size()) return decide(choices);
    if (!is_ranked(unknowns_[next])) return choose(next + 1, std::move(choices));
    for (std::size_t rank = limits_.ranks.least; rank <= limits_.ranks.most; ++rank) {
      choices[next].rank = rank;
      choose(next + 1, choices);
    }
  }

  void split_at(const Split& split, const Choices& choices) {
    for (std::int64_t value = split.low; value <= split.high && !over(); ++value) {
      Choices fixed = choices;
      auto& values = fixed[split.open.unknown].values;
      values.resize(std::max(values.size(), split.open.component + 1));
      values[split.open.component] = value;
      decide(fixed);
    }
  }

  void decide(const Choices& choices) {
    if (++tried_ > limits_.cases) {
      verdict_.outcome = Outcome::unknown;
      verdict_.reason = "more than " + std::to_string(limits_.cases) + " cases";
      return;
    }
    smt::ProverLimits solver = limits_.solver;
    solver.run -= spent_;
    Case made = make_case(library_.contents(), unknowns_, choices);
    Case known;  // what a counterexample is read by
    known.open = made.open;
    known.numbers = made.numbers;
    const CaseOutcome outcome =
        asked_.prove(invariants_, std::move(made), solver, verdict_.theories);
    spent_ += outcome.spent;
    verdict_.queries += outcome.queries;
    verdict_.out_of_time += outcome.out_of_time;
    verdict_.other_of_integers = verdict_.other_of_integers || outcome.other_of_integers;
    if (outcome.split) return split_at(*outcome.split, choices);
    const CaseResult& result = outcome.result;
    if (result.kind == CaseResult::Kind::nothing_said) return;
    ++verdict_.cases;
    verdict_.theories &= result.theories;
    if (result.kind == CaseResult::Kind::proved) return;
    verdict_.outcome =
        result.kind == CaseResult::Kind::refuted ? Outcome::refuted : Outcome::unknown;
    verdict_.reason = result.reason;
    verdict_.situation.text = describe(library_.contents().store, unknowns_, choices);
    if (verdict_.outcome == Outcome::refuted) {
      verdict_.model = model_of(unknowns_, choices, known, result.counterexample);
      if (asked_.index) add_index(outcome.index, result.counterexample);
    }
  }

  void add_index(const std::vector<moa::VariableId>& index, const smt::Counterexample& values) {
    std::vector<std::int64_t> components;
    for (moa::VariableId each : index) {
      const auto value = values.variables.find(each);
      components.push_back(value == values.variables.end() ? 0 : value->second);
    }
    verdict_.model.numbers.emplace_back(*asked_.index, std::move(components));
  }

  const moa::Library& library_;
  Asked asked_;
  const ProofLimits& limits_;
  std::vector<Unknown> unknowns_;
  std::vector<Claim> invariants_;
  Verdict verdict_;
  std::size_t tried_ = 0;
  std::chrono::milliseconds spent_{0};
};

Verdict proved(RankedProof proof, const std::vector<SymbolId>& parameters,
               const std::vector<const term::Axiom*>& invariants) {
  if (!proof.find_unknowns(parameters, invariants)) return proof.without_proof();
  proof.add_invariants(invariants);
  return proof.run();
}

}  // namespace

Verdict prove(const moa::Library& library, const std::vector<SymbolId>& parameters,
              const Claim& claim, const std::vector<const term::Axiom*>& invariants,
              const ProofLimits& limits, const std::vector<SymbolId>& integers) {
  Asked asked{term::terms_of(claim)};
  asked.integers = integers;
  asked.prove = [&](const std::vector<Claim>& given, Case made, const smt::ProverLimits& solver,
                    Theories theories) {
    return prove_case(library, claim, given, std::move(made), solver, limits, theories);
  };
  return proved(RankedProof(library, std::move(asked), limits), parameters, invariants);
}

Model find_values(const moa::Library& library, const std::vector<SymbolId>& parameters,
                  const Claim& claim, const std::vector<const term::Axiom*>& invariants,
                  const ProofLimits& limits) {
  Asked asked{term::terms_of(claim)};
  asked.prove = [&](const std::vector<Claim>& given, Case made, const smt::ProverLimits& solver,
                    Theories) {
    return find_case(library, claim, given, std::move(made), solver, limits);
  };
  return proved(RankedProof(library, std::move(asked), limits), parameters, invariants).model;
}

Verdict prove(const moa::Library& library, const std::vector<SymbolId>& parameters,
              const Domain& domain, const std::vector<const term::Axiom*>& invariants,
              const ProofLimits& limits) {
  Asked asked{domain.conditions, domain.index};
  asked.terms.push_back(domain.right);
  if (domain.guard) asked.terms.push_back(*domain.guard);
  if (domain.shape) asked.terms.push_back(*domain.shape);
  asked.prove = [&](const std::vector<Claim>& given, Case made, const smt::ProverLimits& solver,
                    Theories) {
    return prove_domain(library, domain, given, std::move(made), solver, limits);
  };
  return proved(RankedProof(library, std::move(asked), limits), parameters, invariants);
}

}  // namespace rhopsi::verify
