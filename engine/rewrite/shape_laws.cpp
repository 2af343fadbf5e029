#include "engine/rewrite/shape_laws.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/rewrite/evaluate.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

using term::Arithmetic;
using term::ArrayFunction;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;

ShapeSymbols::ShapeSymbols(const term::Store& store, std::span<const term::Callable> callables,
                           const term::Interpretation& interpretation) {
  if (!interpretation.array_function) return;
  for (const term::Callable& callable : callables) {
    const SymbolId symbol = callable.symbol;
    const auto& parameters = store[symbol].parameters;
    switch (interpretation.array_function(symbol)) {
      case ArrayFunction::shape:
        shapes.insert(symbol);
        arrays.insert(parameters[0]);
        vectors.insert(store[symbol].result);
        break;
      case ArrayFunction::component:
        components.insert(symbol);
        integers.insert(store[symbol].result);
        break;
      default:
        break;
    }
    if (callable.concrete() && !callable.by_rule && !callable.from_axioms) given.insert(symbol);
    const Arithmetic meaning = meaning_of(store, interpretation, symbol);
    if (meaning == Arithmetic::length) lengths.insert(symbol);
    if (meaning == Arithmetic::less) orders[parameters[0]].less = symbol;
    if (meaning == Arithmetic::less_equal) orders[parameters[0]].less_equal = symbol;
  }
}

namespace {

// Picks the equations of one theory that are laws.
class LawFinder {
 public:
  LawFinder(const term::Store& store, const ShapeSymbols& symbols,
            const term::Interpretation& interpretation)
      : store_(store), symbols_(symbols), interpretation_(interpretation) {}

  bool is_law(const term::Rule& rule) {
    if (rule.condition || store_.head(rule.left).kind != SymbolKind::function) return false;
    const bool of_shape = symbols_.shapes.contains(store_.symbol(rule.left));
    const TermId call = of_shape ? store_.children(rule.left)[0] : rule.left;
    if (!is_general(rule, call)) return false;
    const SymbolId operation = store_.symbol(call);
    if (symbols_.given.contains(operation) || mentions(rule.right, operation) ||
        (!of_shape && !is_function(rule, operation))) {
      return false;
    }
    return seen_.insert({of_shape, operation}).second;
  }

 private:
  // f(x1, ..., xn), n > 0, with distinct variables.
  bool is_general(const term::Rule& rule, TermId call) const {
    const auto arguments = store_.children(call);
    if (store_.head(call).kind != SymbolKind::function || arguments.empty()) return false;
    std::unordered_set<SymbolId> seen;
    return std::ranges::all_of(arguments, [&](TermId argument) {
      const SymbolId variable = store_.symbol(argument);
      return store_.is_variable(argument) && seen.insert(variable).second &&
             std::ranges::count(rule.variables, variable) > 0;
    });
  }

  // Of arrays or vectors, and no operation of which something is known already.
  bool is_function(const term::Rule& rule, SymbolId operation) const {
    const term::Symbol& symbol = store_[operation];
    if (interpretation_.array_function(operation) != ArrayFunction::none ||
        meaning_of(store_, interpretation_, operation) != Arithmetic::none) {
      return false;
    }
    const bool of_vectors = std::ranges::any_of(symbol.parameters, [&](term::SortId sort) {
      return symbols_.arrays.contains(sort) || symbols_.vectors.contains(sort);
    });
    if (!of_vectors) return false;
    if (symbols_.vectors.contains(symbol.result) || symbols_.arrays.contains(symbol.result)) {
      return true;
    }
    return symbols_.integers.contains(symbol.result) && !store_.is(rule.right, term::Control::fold);
  }

  bool mentions(TermId term, SymbolId operation) const {
    const auto all = term::operations_in(store_, term);
    return std::ranges::find(all, operation) != all.end();
  }

  const term::Store& store_;
  const ShapeSymbols& symbols_;
  const term::Interpretation& interpretation_;
  std::set<std::pair<bool, SymbolId>> seen_;
};

}  // namespace

std::vector<term::Rule> shape_laws(term::Store& store, const ShapeSymbols& symbols,
                                   const term::Interpretation& interpretation,
                                   std::span<const term::Axiom> axioms) {
  std::vector<term::Rule> laws;
  LawFinder finder(store, symbols, interpretation);
  term::Theory stated;  // one at a time: rules have an order of their own
  for (const term::Axiom& axiom : axioms) {
    if (axiom.theorem) continue;
    stated.axioms.assign({axiom});
    for (term::Rule& rule : term::rules_of(store, stated).rules) {
      if (finder.is_law(rule)) laws.push_back(std::move(rule));
    }
  }
  return laws;
}

LawIndex::LawIndex(const term::Store& store, const ShapeSymbols& symbols,
                   std::span<const term::Rule> laws) {
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const TermId left = laws[i].left;
    if (symbols.shapes.contains(store.symbol(left))) {
      shapes.emplace(store.symbol(store.children(left)[0]), i);
    } else if (symbols.arrays.contains(store.sort(left))) {
      arrays.emplace(store.symbol(left), i);
    } else if (symbols.vectors.contains(store.sort(left))) {
      vectors.emplace(store.symbol(left), i);
    } else {
      numbers.emplace(store.symbol(left), i);
    }
  }
}

}  // namespace rhopsi::rewrite
