#include "engine/moa/unfolding.hpp"

#include <algorithm>
#include <map>

#include "engine/term/operations.hpp"

namespace rhopsi::moa {

using term::SymbolId;
using term::SymbolKind;
using term::TermId;

namespace {

constexpr double largest = 4000;  // nodes, as a tree
constexpr int deepest = 32;       // definitions within definitions

struct Definition {
  const std::vector<SymbolId>& parameters;
  TermId right;
  const term::Callable& callable;
};

// Both in the same order.
term::Substitution substitution_of(const std::vector<SymbolId>& parameters,
                                   const std::vector<TermId>& arguments) {
  term::Substitution substitution;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    substitution.emplace(parameters[k], arguments[k]);
  }
  return substitution;
}

class Unfolding {
 public:
  Unfolding(const Library& library, const Place& place, const Limits& limits)
      : whole_(library),
        library_(library.contents()),
        store_(library_.store),
        place_(place),
        limits_(limits) {}

  TermId run(TermId term, int depth) {
    if (const auto found = known_.find(term); found != known_.end()) return found->second;
    const TermId made = compute(term, depth);
    known_.emplace(term, made);
    known_.emplace(made, made);
    return made;
  }

  double size(TermId term) {
    if (const auto found = sizes_.find(term); found != sizes_.end()) return found->second;
    double sum = 1;
    for (TermId child : children(term)) sum += size(child);
    sizes_.emplace(term, sum);
    return sum;
  }

 private:
  std::vector<TermId> children(TermId term) const {
    const auto found = store_.children(term);
    return {found.begin(), found.end()};
  }

  TermId compute(TermId term, int depth) {
    if (store_.head(term).kind != SymbolKind::function || depth > deepest) return term;
    const std::vector<TermId> before = children(term);
    std::vector<TermId> arguments;
    double nodes = 1;
    for (TermId child : before) {
      arguments.push_back(run(child, depth));
      nodes += size(arguments.back());
    }
    if (nodes > largest) return term;
    const SymbolId symbol = store_.symbol(term);
    const term::LocationId location = store_.location(term);
    const auto definition = definition_of(symbol);
    if (!definition || !is_certain(definition->callable, arguments)) {
      return arguments == before ? term : store_.make(symbol, arguments, {}, location);
    }
    const auto substitution = substitution_of(definition->parameters, arguments);
    return run(term::instantiate(store_, definition->right, substitution, location), depth + 1);
  }

  // Without the call nothing would ask for its guard.
  bool is_certain(const term::Callable& callable, const std::vector<TermId>& arguments) const {
    if (!callable.guard) return true;
    const TermId guard =
        term::instantiate(store_, *callable.guard, substitution_of(callable.parameters, arguments));
    if (!has_only_variables_of(store_, place_, guard)) return false;
    const auto form = require(whole_, guard, "", store_.location(guard), place_, limits_);
    return form && form->assumptions.empty();
  }

  // What Reduction would take.
  std::optional<Definition> definition_of(SymbolId symbol) const {
    const bool has_own = library_.primitive(symbol) != nullptr ||
                         library_.shapes.contains(symbol) || library_.elements.contains(symbol);
    if (has_own || !library_.is_array(store_[symbol].result)) return std::nullopt;
    const auto callable = library_.callables.find(symbol);
    if (callable == library_.callables.end()) return std::nullopt;
    if (const auto found = library_.meanings.find(symbol); found != library_.meanings.end()) {
      const Equation& first = found->second.front();
      if (first.condition) return std::nullopt;
      return Definition{first.parameters, first.right, *callable->second};
    }
    if (!callable->second->body) return std::nullopt;
    // Its shape and its elements, as axioms give them elsewhere; or with variables of its own.
    const TermId body = *callable->second->body;
    if (store_.is(body, term::Control::forall) || store_.is(body, term::Control::block)) {
      return std::nullopt;
    }
    return Definition{callable->second->parameters, *callable->second->body, *callable->second};
  }

  const Library& whole_;
  const Library::Contents& library_;
  term::Store& store_;
  const Place& place_;
  const Limits& limits_;
  std::map<TermId, TermId> known_;
  std::map<TermId, double> sizes_;
};

}  // namespace

bool has_only_variables_of(const term::Store& store, const Place& place, TermId term) {
  return std::ranges::all_of(term::free_variables(store, term), [&](SymbolId variable) {
    return std::ranges::any_of(place.meanings,
                               [&](const auto& meaning) { return meaning.first == variable; });
  });
}

TermId unfolded(const Library& library, TermId expression, const Place& place,
                const Limits& limits) {
  Unfolding unfolding(library, place, limits);
  const TermId made = unfolding.run(expression, 0);
  return unfolding.size(made) > largest ? expression : made;
}

}  // namespace rhopsi::moa
