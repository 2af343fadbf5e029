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

// What an axiom says of an operation.
struct DefinedCase {
  const Axiom* axiom;
  Claim claim;
  Subject subject;
  bool defines = true;

  // What its left side is about, in order.
  std::vector<SymbolId> arguments() const {
    std::vector<SymbolId> all = subject.parameters;
    if (subject.index) all.push_back(*subject.index);
    return all;
  }
};

// Where one has no condition, the other one's.
std::optional<TermId> joint_condition(term::Store& store, const std::optional<TermId>& first,
                                      const std::optional<TermId>& second) {
  if (!first || !second) return first ? first : second;
  return term::conjunction(store, *first, *second);
}

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
                 first.claim.condition.has_value(),
                 second.claim.condition.has_value(),
                 first.axiom->parameters,
                 {}};
  for (const SymbolId each : second.axiom->parameters) {
    const bool renamed = renaming.contains(each);
    const bool known = std::ranges::find(made.parameters, each) != made.parameters.end();
    if (!renamed && !known) made.parameters.push_back(each);
  }
  made.claim.name = second.claim.name;
  made.claim.location = second.claim.location;
  std::optional<TermId> condition = second.claim.condition;
  if (condition) condition = term::substitute(store, *condition, renaming);
  made.claim.condition = joint_condition(store, first.claim.condition, condition);
  made.claim.left = *first.claim.right;
  made.claim.right = term::substitute(store, *second.claim.right, renaming);
  return made;
}

// Pairs what is said of the same, in the order in which it was said.
class AgreementFinder {
 public:
  AgreementFinder(term::Store& store, const Knowledge& knowledge, const onf::PrimitiveTable& table)
      : store_(store), library_(store, knowledge.theory, table) {}

  void add(const Axiom& axiom, bool defines) {
    for (Claim& claim : term::claims_of(store_, axiom)) {
      if (!claim.right) continue;
      auto subject = moa::subject_of(library_.contents(), claim.left);
      if (!subject) continue;
      auto& earlier = cases_[{subject->operation, subject->part}];
      DefinedCase made{&axiom, std::move(claim), std::move(*subject), defines};
      for (const DefinedCase& each : earlier) {
        if (!are_asked(each, made)) continue;
        if (auto agreement = agreement_of(store_, each, made)) {
          found_.push_back(std::move(*agreement));
        }
      }
      earlier.push_back(std::move(made));
    }
  }

  std::vector<Agreement> take() { return std::move(found_); }

 private:
  bool are_asked(const DefinedCase& first, const DefinedCase& second) const {
    const bool cases = first.claim.condition && second.claim.condition;
    if (first.defines && second.defines) return cases;
    if (cases || !first.defines) return false;
    if (!first.claim.condition) return second.claim.condition && !is_law(first);
    return !is_law(second);
  }

  // Of the operation with itself.
  bool is_law(const DefinedCase& said) const {
    const auto called = term::operations_in(store_, *said.claim.right);
    return std::ranges::find(called, said.subject.operation) != called.end();
  }

  term::Store& store_;
  const moa::Library library_;
  std::map<std::pair<SymbolId, Subject::Part>, std::vector<DefinedCase>> cases_;
  std::vector<Agreement> found_;
};

}  // namespace

std::vector<Agreement> agreements(term::Store& store, const Knowledge& knowledge,
                                  const onf::PrimitiveTable& table) {
  AgreementFinder finder(store, knowledge, table);
  for (const Axiom& axiom : knowledge.theory.axioms) finder.add(axiom, true);
  for (const Axiom* axiom : knowledge.open) {
    if (!axiom->theorem) finder.add(*axiom, false);
  }
  return finder.take();
}

}  // namespace rhopsi::verify
