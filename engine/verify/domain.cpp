#include "engine/verify/domain.hpp"

#include "engine/moa/library.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::verify {

using moa::Subject;
using term::SymbolId;
using term::TermId;

namespace {

// The variables of a rule, or of an operation, by those of the claim.
term::Substitution renaming(term::Store& store, const std::vector<SymbolId>& from,
                            const std::vector<SymbolId>& to) {
  term::Substitution values;
  for (std::size_t k = 0; k < from.size(); ++k) values[from[k]] = store.make(to[k], {});
  return values;
}

}  // namespace

std::vector<Domain> domains_of(const moa::Library& library, const term::Claim& claim) {
  const moa::Library::Contents& contents = library.contents();
  const auto subject = moa::subject_of(contents, claim.left);
  if (!subject || !claim.right) return {};
  term::Store& store = contents.store;
  const bool array = contents.is_array(store[subject->operation].result);
  if (!array) return {};
  Domain domain;
  domain.operation = subject->operation;
  domain.right = *claim.right;
  if (claim.condition) domain.conditions.push_back(*claim.condition);
  const auto callable = contents.callables.find(subject->operation);
  if (callable != contents.callables.end() && callable->second->guard) {
    domain.guard =
        term::substitute(store, *callable->second->guard,
                         renaming(store, callable->second->parameters, subject->parameters));
  }
  if (subject->part != Subject::Part::element) {
    domain.part = subject->part == Subject::Part::shape ? Domain::Part::shape : Domain::Part::array;
    return {domain};
  }
  domain.index = subject->index;
  std::vector<Domain> domains;
  const auto shapes = contents.shapes.find(subject->operation);
  if (shapes == contents.shapes.end()) return {};
  for (const moa::Equation& each : shapes->second) {
    const auto values = renaming(store, each.parameters, subject->parameters);
    Domain made = domain;
    made.shape = term::substitute(store, each.right, values);
    if (each.condition) made.conditions.push_back(term::substitute(store, *each.condition, values));
    domains.push_back(std::move(made));
    if (!each.condition) break;  // it holds always
  }
  return domains;
}

}  // namespace rhopsi::verify
