#include <algorithm>
#include <functional>

#include "engine/term/operations.hpp"
#include "engine/term/rule.hpp"
#include "engine/term/sequence.hpp"

namespace rhopsi::term {

namespace {

struct Assertion {
  TermId predicate;
  LocationId location{};
};

// Walks one axiom: bindings are inlined into what follows them, assertions and the
// reasons why some give no rule are collected.
class AxiomReader {
 public:
  AxiomReader(Store& store, const Axiom& axiom, RuleSet& out)
      : store_(store), axiom_(axiom), out_(out) {}

  void read() {
    for (Claim& claim : claims()) read_claim(std::move(claim));
  }

  std::vector<Claim> claims() {
    collect();
    std::vector<Claim> all;
    for (std::size_t i = 0; i < assertions_.size(); ++i) {
      std::string name = axiom_.name;
      if (assertions_.size() > 1) name += "#" + std::to_string(i + 1);
      all.push_back(claim_of(assertions_[i], std::move(name)));
    }
    return all;
  }

 private:
  // The statements in order, nested blocks opened, bindings substituted away.
  void collect() {
    Substitution bindings;
    std::vector<TermId> pending{axiom_.body};
    while (!pending.empty()) {
      const TermId next = pending.back();
      pending.pop_back();
      if (store_.is(next, Control::block)) {
        const auto children = store_.children(next);
        pending.insert(pending.end(), children.rbegin(), children.rend());
      } else if (store_.is(next, Control::declare) || store_.is(next, Control::assign)) {
        const auto children = store_.children(next);
        if (children.size() < 2) continue;
        const SymbolId variable = store_.symbol(children[0]);
        bindings[variable] = substitute(store_, children[1], bindings);
      } else if (store_.is(next, Control::assert_)) {
        const LocationId own = store_.location(next);
        assertions_.push_back({substitute(store_, store_.children(next)[0], bindings),
                               own == LocationId{} ? axiom_.location : own});
      } else if (!store_.is(next, Control::skip)) {
        // An axiom written as an expression, or a construct that asserts nothing.
        if (store_.sort(next) == store_.predicate_sort()) {
          assertions_.push_back({substitute(store_, next, bindings), axiom_.location});
        } else {
          problem(RuleProblem::Kind::not_an_equation,
                  "`" + to_string(store_, next) + "` asserts nothing", store_.location(next));
        }
      }
    }
  }

  Claim claim_of(const Assertion& assertion, std::string name) {
    TermId predicate = assertion.predicate;
    std::optional<TermId> condition = axiom_.guard;
    while (builtin(store_, store_.symbol(predicate)) == Builtin::implies) {
      condition = conjoin(condition, store_.children(predicate)[0]);
      predicate = store_.children(predicate)[1];
    }
    Claim claim{std::move(name), condition, predicate, std::nullopt, assertion.location};
    const Builtin relation = builtin(store_, store_.symbol(predicate));
    if (relation == Builtin::equal || relation == Builtin::iff) {
      claim.left = store_.children(predicate)[0];
      claim.right = store_.children(predicate)[1];
    }
    return claim;
  }

  void read_claim(Claim claim) {
    if (!claim.right) {
      problem(RuleProblem::Kind::not_an_equation,
              "`" + to_string(store_, claim.left) + "` is no equation", claim.location);
      return;
    }
    add_rule(std::move(claim.name), claim.left, *claim.right, claim.condition, claim.location);
  }

  void add_rule(std::string name, TermId left, TermId right, std::optional<TermId> condition,
                LocationId location) {
    if (store_.is_variable(left)) {
      problem(RuleProblem::Kind::left_is_variable,
              "the left side is the variable `" + to_string(store_, left) +
                  "`, which matches everything",
              location);
      return;
    }
    if (alpha_equal(store_, left, right)) {
      problem(RuleProblem::Kind::same_sides, "both sides are `" + to_string(store_, left) + "`",
              location);
      return;
    }
    const std::vector<SymbolId> in_left = free_variables(store_, left);
    if (!bound_by(in_left, right, RuleProblem::Kind::unbound_right, "right side", location)) return;
    if (condition && !bound_by(in_left, *condition, RuleProblem::Kind::unbound_condition,
                               "condition", location)) {
      return;
    }
    if (is_sequence(store_, left)) {
      if (auto detail = sequence_problem(store_, left, right)) {
        problem(RuleProblem::Kind::sequence, std::move(*detail), location);
        return;
      }
    }
    out_.rules.push_back({std::move(name), in_left, left, right, condition, location});
  }

  bool bound_by(const std::vector<SymbolId>& in_left, TermId term, RuleProblem::Kind kind,
                const std::string& part, LocationId location) {
    std::string unbound;
    for (SymbolId variable : free_variables(store_, term)) {
      if (std::ranges::find(in_left, variable) != in_left.end()) continue;
      unbound += (unbound.empty() ? "`" : ", `") + store_[variable].name + "`";
    }
    if (unbound.empty()) return true;
    problem(kind, "the left side does not bind " + unbound + " of the " + part, location);
    return false;
  }

  std::optional<TermId> conjoin(std::optional<TermId> left, TermId right) {
    if (!left) return right;
    return store_.make(builtin_symbol(store_, Builtin::and_, store_.predicate_sort()),
                       {*left, right});
  }

  void problem(RuleProblem::Kind kind, std::string detail, LocationId location) {
    out_.problems.push_back({kind, axiom_.name, std::move(detail), location});
  }

  Store& store_;
  const Axiom& axiom_;
  RuleSet& out_;
  std::vector<Assertion> assertions_;
};

}  // namespace

std::vector<TermId> terms_of(const Claim& claim) {
  std::vector<TermId> terms{claim.left};
  if (claim.right) terms.push_back(*claim.right);
  if (claim.condition) terms.push_back(*claim.condition);
  return terms;
}

std::vector<Claim> claims_of(Store& store, const Axiom& axiom) {
  RuleSet unused;
  return AxiomReader(store, axiom, unused).claims();
}

RuleSet rules_of(Store& store, const Theory& theory) {
  std::vector<const Axiom*> ordered;
  for (const Axiom& axiom : theory.axioms) ordered.push_back(&axiom);
  std::ranges::stable_sort(ordered, std::less<>{},
                           [](const Axiom* axiom) -> const std::string& { return axiom->name; });
  RuleSet out;
  for (const Axiom* axiom : ordered) AxiomReader(store, *axiom, out).read();
  return out;
}

}  // namespace rhopsi::term
