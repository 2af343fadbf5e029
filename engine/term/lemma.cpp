#include "engine/term/lemma.hpp"

#include <algorithm>

#include "engine/term/operations.hpp"

namespace rhopsi::term {

namespace {

TermId statement_of(Store& store, const Claim& claim) {
  if (!claim.right) return claim.left;
  const SortId sort = store.sort(claim.left);
  const Builtin relation = sort == store.predicate_sort() ? Builtin::iff : Builtin::equal;
  return store.make(builtin_symbol(store, relation, sort), {claim.left, *claim.right});
}

}  // namespace

std::vector<Lemma> lemmas_of(Store& store, const Theory& theory) {
  std::vector<Lemma> out;
  for (const Axiom& axiom : theory.axioms) {
    for (const Claim& claim : claims_of(store, axiom)) {
      if (claim.right && !axiom.theorem) continue;  // a rule
      for (TermId statement : conjuncts(store, statement_of(store, claim))) {
        if (store.head(statement).kind != SymbolKind::predicate) continue;
        const std::vector<SymbolId> variables = free_variables(store, statement);
        const auto bound = [&](SymbolId each) {
          return std::ranges::find(variables, each) != variables.end();
        };
        const bool fits =
            !claim.condition || std::ranges::all_of(free_variables(store, *claim.condition), bound);
        if (!fits) continue;
        out.push_back({claim.name, variables, statement, claim.condition, claim.location});
      }
    }
  }
  return out;
}

}  // namespace rhopsi::term
