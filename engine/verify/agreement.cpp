#include "engine/verify/agreement.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "engine/moa/library.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::verify {

using moa::Subject;
using term::Axiom;
using term::Claim;
using term::SymbolId;
using term::TermId;

namespace {

// One case of a definition.
struct DefinedCase {
  const Axiom* axiom;
  Claim claim;
  Subject subject;

  // What its left side is about, in order.
  std::vector<SymbolId> arguments() const {
    std::vector<SymbolId> all = subject.parameters;
    if (subject.index) all.push_back(*subject.index);
    return all;
  }
};

std::optional<Agreement> agreement_of(term::Store& store, const DefinedCase& first,
                                      const DefinedCase& second) {
  const std::vector<SymbolId> names = first.arguments();
  const std::vector<SymbolId> others = second.arguments();
  if (names.size() != others.size()) return std::nullopt;
  if (term::alpha_equal(store, *first.claim.right, *second.claim.right, names, others)) {
    return std::nullopt;
  }
  term::Substitution renaming;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (store[names[i]].result != store[others[i]].result) return std::nullopt;
    renaming.emplace(others[i], store.make(names[i], {}));
  }
  Agreement made{first.axiom,
                 second.axiom,
                 second.claim.location,
                 first.claim.location,
                 second.claim.left,
                 first.axiom->parameters,
                 {}};
  for (const SymbolId each : second.axiom->parameters) {
    const bool renamed = renaming.contains(each);
    const bool known = std::ranges::find(made.parameters, each) != made.parameters.end();
    if (!renamed && !known) made.parameters.push_back(each);
  }
  made.claim.name = second.claim.name;
  made.claim.location = second.claim.location;
  made.claim.condition = term::conjunction(
      store, *first.claim.condition, term::substitute(store, *second.claim.condition, renaming));
  made.claim.left = *first.claim.right;
  made.claim.right = term::substitute(store, *second.claim.right, renaming);
  return made;
}

}  // namespace

std::vector<Agreement> agreements(term::Store& store, const Knowledge& knowledge,
                                  const onf::PrimitiveTable& table) {
  const moa::Library library(store, knowledge.theory, table);
  std::map<std::pair<SymbolId, Subject::Part>, std::vector<DefinedCase>> cases;
  std::vector<Agreement> found;
  for (const Axiom& axiom : knowledge.theory.axioms) {
    for (Claim& claim : term::claims_of(store, axiom)) {
      if (!claim.condition || !claim.right) continue;
      auto subject = moa::subject_of(library.contents(), claim.left);
      if (!subject) continue;
      auto& earlier = cases[{subject->operation, subject->part}];
      DefinedCase made{&axiom, std::move(claim), std::move(*subject)};
      for (const DefinedCase& each : earlier) {
        if (auto agreement = agreement_of(store, each, made))
          found.push_back(std::move(*agreement));
      }
      earlier.push_back(std::move(made));
    }
  }
  return found;
}

}  // namespace rhopsi::verify
