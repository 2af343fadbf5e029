#include "engine/verify/knowledge.hpp"

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
using term::Store;
using term::SymbolId;
using term::TermId;
using term::Theory;

namespace {

// The signature of both, what is concrete before what is not.
Theory united(const Theory& theory, const Theory* library) {
  Theory whole;
  whole.name = theory.name;
  whole.types = theory.types;
  whole.callables = theory.callables;
  if (library == nullptr) return whole;
  for (const term::Type& type : library->types) {
    const auto same = [&](const term::Type& each) { return each.sort == type.sort; };
    const auto found = std::ranges::find_if(whole.types, same);
    if (found == whole.types.end()) {
      whole.types.push_back(type);
    } else if (!found->external) {
      *found = type;
    }
  }
  for (const term::Callable& callable : library->callables) {
    term::Callable* found = whole.find(callable.symbol);
    if (found == nullptr) {
      whole.callables.push_back(callable);
    } else if (!found->concrete() && (callable.concrete() || !found->guard)) {
      *found = callable;
    }
  }
  return whole;
}

class Sorting {
 public:
  Sorting(Store& store, const Theory& signature, const onf::PrimitiveTable& table)
      : store_(store), library_(store, signature, table), signature_(signature) {}

  // Takes the axiom as a definition if it is one.
  bool take(const Axiom& axiom) {
    if (axiom.theorem) return false;
    std::vector<Entry> entries;
    for (const Claim& claim : term::claims_of(store_, axiom)) {
      const auto subject = moa::subject_of(library_.contents(), claim.left);
      if (!subject || !claim.right) return false;
      const Entry entry{{subject->operation, subject->part}, claim.condition.has_value()};
      if (!is_free(entry) || goes_round(subject->operation, *claim.right)) return false;
      entries.push_back(entry);
    }
    if (entries.empty()) return false;
    for (const Entry& entry : entries) taken_.insert_or_assign(entry.place, entry.conditional);
    return true;
  }

  const moa::Library::Contents& contents() const { return library_.contents(); }

 private:
  struct Entry {
    std::pair<SymbolId, Subject::Part> place;
    bool conditional = false;
  };

  // An operation that is itself without end, as in f(a, b) == f(b, a), is not defined by that.
  bool goes_round(SymbolId operation, TermId right) const {
    const auto called = term::operations_in(store_, right);
    return std::ranges::find(called, operation) != called.end() && !has_branch(right);
  }
  bool has_branch(TermId term) const {
    if (store_.is(term, term::Control::if_)) return true;
    const auto children = store_.children(term);
    return std::ranges::any_of(children, [&](TermId child) { return has_branch(child); });
  }

  // Has nothing been said of this yet? Definitions by cases all have conditions.
  bool is_free(const Entry& entry) const {
    const auto [operation, part] = entry.place;
    const term::Callable* callable = signature_.find(operation);
    if (callable == nullptr || callable->concrete()) return false;
    const auto same = taken_.find(entry.place);
    if (same != taken_.end()) return same->second && entry.conditional;
    const bool means = taken_.contains({operation, Subject::Part::meaning});
    const bool tells = taken_.contains({operation, Subject::Part::shape}) ||
                       taken_.contains({operation, Subject::Part::element});
    return part == Subject::Part::meaning ? !tells : !means;
  }

  Store& store_;
  moa::Library library_;
  const Theory& signature_;
  std::map<std::pair<SymbolId, Subject::Part>, bool> taken_;
};

// Shapes and elements first, so that an equation about an operation that has these has to follow.
std::vector<const Axiom*> by_kind(Store& store, const moa::Library::Contents& contents,
                                  const Theory& theory) {
  std::vector<const Axiom*> ordered;
  for (const Axiom& axiom : theory.axioms) ordered.push_back(&axiom);
  const auto is_equation = [&](const Axiom* axiom) {
    const auto claims = term::claims_of(store, *axiom);
    if (claims.empty()) return true;
    const auto subject = moa::subject_of(contents, claims.front().left);
    return !subject || subject->part == Subject::Part::meaning;
  };
  std::ranges::stable_sort(ordered, std::less<>{}, is_equation);
  return ordered;
}

using Places = std::set<std::pair<std::string, term::LocationId>>;

// What the library defines is defined by it, whatever another theory says of it.
Places add_library(Store& store, Knowledge& knowledge, Sorting& sorting, const Theory* library) {
  Places added;
  if (library == nullptr) return added;
  for (const Axiom* axiom : by_kind(store, sorting.contents(), *library)) {
    if (!sorting.take(*axiom)) continue;
    knowledge.theory.axioms.push_back(*axiom);
    added.emplace(axiom->name, axiom->location);
  }
  return added;
}

}  // namespace

Knowledge knowledge_of(Store& store, const Theory& theory, const Theory* library,
                       const onf::PrimitiveTable& table) {
  Knowledge knowledge;
  knowledge.theory = united(theory, library);
  const Theory signature = knowledge.theory;
  Sorting sorting(store, signature, table);
  const Places added = add_library(store, knowledge, sorting, library);
  std::set<const Axiom*> definitions;
  for (const Axiom* axiom : by_kind(store, sorting.contents(), theory)) {
    if (added.contains({axiom->name, axiom->location})) definitions.insert(axiom);
    if (definitions.contains(axiom) || !sorting.take(*axiom)) continue;
    definitions.insert(axiom);
    knowledge.theory.axioms.push_back(*axiom);
  }
  for (const Axiom& axiom : theory.axioms) {
    (definitions.contains(&axiom) ? knowledge.definitions : knowledge.open).push_back(&axiom);
  }
  return knowledge;
}

Knowledge knowledge_of_model(Store& store, const Theory& model, const Theory& specification,
                             const Theory* library, const onf::PrimitiveTable& table) {
  Knowledge knowledge = knowledge_of(store, model, library, table);
  knowledge.definitions.clear();
  for (const Axiom* axiom : std::exchange(knowledge.open, {})) {
    if (axiom->parameters.size() == 1) knowledge.invariants.push_back(axiom);
  }
  for (const Axiom& axiom : specification.axioms) knowledge.open.push_back(&axiom);
  return knowledge;
}

std::vector<SymbolId> undefined_operations(Store& store, const Knowledge& knowledge,
                                           const onf::PrimitiveTable& table, const Claim& claim) {
  std::set<SymbolId> defined;
  const moa::Library library(store, knowledge.theory, table);
  for (const auto* equations :
       {&library.contents().shapes, &library.contents().elements, &library.contents().meanings}) {
    for (const auto& [operation, rules] : *equations) defined.insert(operation);
  }
  std::vector<SymbolId> found;
  const auto look = [&](term::TermId side) {
    for (SymbolId operation : term::operations_in(store, side)) {
      const term::Callable* callable = knowledge.theory.find(operation);
      const bool known = defined.contains(operation) ||
                         library.contents().primitive(operation) != nullptr ||
                         (callable != nullptr && callable->body) ||
                         term::builtin(store, operation) != term::Builtin::none;
      if (known || store[operation].parameters.empty()) continue;
      if (std::ranges::find(found, operation) == found.end()) found.push_back(operation);
    }
  };
  look(claim.left);
  if (claim.right) look(*claim.right);
  if (claim.condition) look(*claim.condition);
  return found;
}

}  // namespace rhopsi::verify
