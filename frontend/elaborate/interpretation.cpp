// How a theory's operations read to a decider.
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "engine/term/operations.hpp"
#include "frontend/elaborate/elaborate.hpp"

namespace rhopsi::elaborate {

namespace {

using Definitions = std::unordered_map<term::SymbolId, term::TermId>;

term::Arithmetic meaning(term::Builtin builtin) {
  switch (builtin) {
    case term::Builtin::equal:
      return term::Arithmetic::equal;
    case term::Builtin::not_equal:
      return term::Arithmetic::not_equal;
    case term::Builtin::and_:
      return term::Arithmetic::and_;
    case term::Builtin::or_:
      return term::Arithmetic::or_;
    case term::Builtin::not_:
      return term::Arithmetic::not_;
    case term::Builtin::implies:
      return term::Arithmetic::implies;
    case term::Builtin::iff:
      return term::Arithmetic::iff;
    case term::Builtin::true_:
      return term::Arithmetic::true_;
    case term::Builtin::false_:
      return term::Arithmetic::false_;
    case term::Builtin::none:
      return term::Arithmetic::none;
  }
  return term::Arithmetic::none;
}

// Unfolding must end: constants that are defined through themselves are left out.
class Unfoldable {
 public:
  Unfoldable(const term::Store& store, const Definitions& definitions)
      : store_(store), definitions_(definitions) {}

  bool ends(term::SymbolId symbol) {
    const auto body = definitions_.find(symbol);
    if (body == definitions_.end()) return true;
    const auto [place, inserted] = known_.try_emplace(symbol, false);  // false while it runs
    if (!inserted) return place->second;
    bool good = true;
    for (term::SymbolId each : operations_in(store_, body->second)) good = ends(each) && good;
    known_[symbol] = good;
    return good;
  }

 private:
  const term::Store& store_;
  const Definitions& definitions_;
  std::unordered_map<term::SymbolId, bool> known_;
};

}  // namespace

term::Interpretation interpretation_of(const term::Store& store, const term::Theory& theory,
                                       const term::ExternalTable& table) {
  std::unordered_map<term::SymbolId, term::Arithmetic> bound;
  std::unordered_map<term::SymbolId, term::ArrayFunction> array_functions;
  std::unordered_set<term::SortId> reals;
  Definitions bodies;
  for (const term::Callable& callable : theory.callables) {
    if (callable.external) {
      const auto meaning = table.arithmetic(store, *callable.external, callable.symbol);
      bound.emplace(callable.symbol, meaning);
      const auto& parameters = store[callable.symbol].parameters;
      if (term::is_of_reals(meaning)) reals.insert(parameters.begin(), parameters.end());
      const auto found = table.array_function(store, *callable.external, callable.symbol);
      if (found != term::ArrayFunction::none) array_functions.emplace(callable.symbol, found);
    } else if (callable.body && callable.parameters.empty() &&
               store[callable.symbol].kind == term::SymbolKind::function) {
      bodies.emplace(callable.symbol, *callable.body);
    }
  }
  Definitions definitions;
  Unfoldable unfoldable(store, bodies);
  for (const auto& [symbol, body] : bodies) {
    if (unfoldable.ends(symbol)) definitions.emplace(symbol, body);
  }
  term::Interpretation interpretation;
  interpretation.arithmetic = [&store, bound = std::move(bound)](term::SymbolId symbol) {
    if (const auto found = bound.find(symbol); found != bound.end()) return found->second;
    return meaning(term::builtin(store, symbol));
  };
  interpretation.definition =
      [definitions = std::move(definitions)](term::SymbolId symbol) -> std::optional<term::TermId> {
    const auto found = definitions.find(symbol);
    if (found == definitions.end()) return std::nullopt;
    return found->second;
  };
  interpretation.array_function = [functions = std::move(array_functions)](term::SymbolId symbol) {
    const auto found = functions.find(symbol);
    return found == functions.end() ? term::ArrayFunction::none : found->second;
  };
  interpretation.real = [reals = std::move(reals)](term::SortId sort) {
    return reals.contains(sort);
  };
  return interpretation;
}

}  // namespace rhopsi::elaborate
