#include "frontend/driver/own_bodies.hpp"

#include <algorithm>
#include <set>

#include "engine/term/derivation.hpp"
#include "engine/term/operations.hpp"
#include "engine/term/renaming.hpp"

namespace rhopsi::driver {

namespace {

LinePlace line_place(const term::Store& store, term::LocationId location) {
  const term::Location& place = store[location];
  return {place.file, place.line};
}

class OwnBodies {
 public:
  OwnBodies(term::Store& store, const term::Theory& theory) : store_(store), theory_(theory) {}

  std::map<LinePlace, OwnBody> find() {
    for (const term::Derived& derived : theory_.derivations) {
      if (!derived->record) continue;
      std::set<std::size_t> used;
      for (const term::Step& step : derived->steps) {
        if (!step.applied) continue;
        used.insert(step.rule_index);
        if (step.with) used.insert(*step.with);
      }
      for (const std::size_t rule : used) use(derived, derived->record->rules[rule]);
    }
    return std::move(found_);
  }

 private:
  void use(const term::Derived& derived, const term::Rule& rule) {
    const term::SymbolId subject = subject_of(rule, derived->record->interpretation);
    const auto axiom_of_it = std::pair(rule.location, now_called(derived, subject));
    if (derived->kind == "implement") {
      implemented_.insert(axiom_of_it);
      return;
    }
    const auto& callables = derived->record->callables;
    const auto callable = std::ranges::find(callables, subject, &term::Callable::symbol);
    if (callable == callables.end() || !callable->body || implemented_.contains(axiom_of_it)) {
      return;
    }
    found_.try_emplace(line_place(store_, rule.location),
                       OwnBody{store_[subject].name, callable->origin, derived->rules,
                               line_place(store_, callable->location)});
  }

  // What the axiom tells the value, the shape or the elements of.
  term::SymbolId subject_of(const term::Rule& rule, const term::Interpretation& meanings) const {
    const term::SymbolId head = store_.symbol(rule.left);
    const auto function =
        meanings.array_function ? meanings.array_function(head) : term::ArrayFunction::none;
    const bool observes =
        function == term::ArrayFunction::shape || function == term::ArrayFunction::element;
    return observes ? store_.symbol(store_.children(rule.left).back()) : head;
  }

  term::SymbolId now_called(const term::Derived& derived, term::SymbolId symbol) const {
    for (const auto& renaming : derived.renamings) {
      symbol = term::Renamer(store_, *renaming).symbol(symbol);
    }
    return symbol;
  }

  term::Store& store_;
  const term::Theory& theory_;
  std::set<std::pair<term::LocationId, term::SymbolId>> implemented_;
  std::map<LinePlace, OwnBody> found_;
};

}  // namespace

std::map<LinePlace, OwnBody> own_bodies(term::Store& store, const term::Theory& theory) {
  return OwnBodies(store, theory).find();
}

}  // namespace rhopsi::driver
