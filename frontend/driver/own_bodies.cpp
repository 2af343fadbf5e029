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

  std::map<LinePlace, std::vector<OwnBody>> find() {
    for (const term::Derived& derived : theory_.derivations) {
      if (!derived->record) continue;
      std::set<std::size_t> used;
      for (const term::Step& step : derived->steps) {
        if (!step.applied) continue;
        used.insert(step.rule_index);
        if (step.with) used.insert(*step.with);
      }
      told_.clear();
      for (const term::Rule& rule : derived->record->rules) {
        told_.insert(subject_of(rule, derived->record->interpretation));
      }
      for (const std::size_t rule : used) use(derived, derived->record->rules[rule]);
    }
    return std::move(found_);
  }

 private:
  void use(const term::Derived& derived, const term::Rule& rule) {
    const term::SymbolId subject = subject_of(rule, derived->record->interpretation);
    const term::SymbolId now = now_called(derived, subject);
    if (derived->kind == "implement") {
      implemented_.insert({rule.location, now});
      given_.insert(now);
      return;
    }
    if (!implemented_.contains({rule.location, now})) add(derived, rule, subject, subject);
    for (const term::SymbolId each : spoken_of(rule)) {
      const bool given = given_.contains(now_called(derived, each));
      if (each != subject && !given) add(derived, rule, each, subject);
    }
  }

  void add(const term::Derived& derived, const term::Rule& rule, term::SymbolId operation,
           term::SymbolId subject) {
    const term::Callable* callable = callable_of(derived, operation);
    if (callable == nullptr || !callable->body) return;
    const term::Callable* about = callable_of(derived, subject);
    const bool defined_by_it = implemented_.contains({rule.location, now_called(derived, subject)});
    OwnBody body{store_[operation].name, callable->origin,
                 derived->rules,         line_place(store_, callable->location),
                 operation == subject,   defined_by_it || about == nullptr || !about->concrete()};
    auto& bodies = found_[line_place(store_, rule.location)];
    if (std::ranges::find(bodies, body.place, &OwnBody::place) == bodies.end()) {
      bodies.push_back(std::move(body));
    }
  }

  static const term::Callable* callable_of(const term::Derived& derived, term::SymbolId symbol) {
    const auto& callables = derived->record->callables;
    const auto found = std::ranges::find(callables, symbol, &term::Callable::symbol);
    return found == callables.end() ? nullptr : &*found;
  }

  std::set<term::SymbolId> spoken_of(const term::Rule& rule) const {
    std::set<term::SymbolId> operations;
    for (const term::TermId side : {rule.left, rule.right}) {
      for (term::SymbolId each : term::operations_in(store_, side)) operations.insert(each);
    }
    if (!rule.condition) return operations;
    for (term::SymbolId each : term::operations_in(store_, *rule.condition)) {
      const bool any_value = store_[each].parameters.empty() && !told_.contains(each);
      if (!any_value) operations.insert(each);
    }
    return operations;
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
  std::set<term::SymbolId> given_;  // a body, by any axiom
  std::set<term::SymbolId> told_;   // the subjects of the rules at hand
  std::map<LinePlace, std::vector<OwnBody>> found_;
};

}  // namespace

std::map<LinePlace, std::vector<OwnBody>> own_bodies(term::Store& store,
                                                     const term::Theory& theory) {
  return OwnBodies(store, theory).find();
}

}  // namespace rhopsi::driver
