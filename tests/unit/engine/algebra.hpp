// A small signature over integers and arrays for the tests of the engine.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/rewrite/interval_oracle.hpp"
#include "engine/rewrite/rewriter.hpp"
#include "engine/term/operations.hpp"
#include "engine/term/rule.hpp"

namespace rhopsi::test {

using term::Arithmetic;
using term::Builtin;
using term::Control;
using term::Mode;
using term::SortId;
using term::Store;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;

struct Algebra {
  Store store;
  SortId integer = store.sort("Int");
  SortId array = store.sort("Array");
  std::unordered_map<SymbolId, Arithmetic> meanings;
  std::unordered_map<SymbolId, TermId> definitions;
  rewrite::IntervalOracle oracle;

  // --- symbols
  SymbolId function(std::string_view name, std::vector<SortId> parameters, SortId result) {
    return store.operation(SymbolKind::function, name, parameters, result);
  }
  SymbolId function(std::string_view name, std::size_t arity = 1) {
    return function(name, std::vector<SortId>(arity, integer), integer);
  }
  SymbolId predicate(std::string_view name, std::vector<SortId> parameters) {
    return store.operation(SymbolKind::predicate, name, parameters, store.predicate_sort());
  }
  SymbolId meaning(SymbolId symbol, Arithmetic arithmetic) {
    meanings[symbol] = arithmetic;
    return symbol;
  }
  SymbolId variable(std::string_view name) { return store.fresh_variable(name, integer, false); }

  const SymbolId add = meaning(function("_+_", 2), Arithmetic::add);
  const SymbolId subtract = meaning(function("_-_", 2), Arithmetic::subtract);
  const SymbolId negate = meaning(function("-_", 1), Arithmetic::negate);
  const SymbolId multiply = meaning(function("_*_", 2), Arithmetic::multiply);
  const SymbolId divide = meaning(function("_/_", 2), Arithmetic::divide);
  const SymbolId modulo = meaning(function("_%_", 2), Arithmetic::modulo);
  const SymbolId minimum = meaning(function("min", 2), Arithmetic::minimum);
  const SymbolId maximum = meaning(function("max", 2), Arithmetic::maximum);
  const SymbolId absolute = meaning(function("abs", 1), Arithmetic::absolute);
  const SymbolId less = meaning(predicate("_<_", {integer, integer}), Arithmetic::less);
  const SymbolId less_equal =
      meaning(predicate("_<=_", {integer, integer}), Arithmetic::less_equal);

  // --- terms
  TermId make(SymbolId symbol, std::initializer_list<TermId> children = {}) {
    return store.make(symbol, children);
  }
  TermId number(std::int64_t value) { return make(store.integer_literal(value, integer)); }
  TermId builtin(Builtin which, std::initializer_list<TermId> children) {
    const SortId operand =
        children.size() == 0 ? store.predicate_sort() : store.sort(*children.begin());
    return make(term::builtin_symbol(store, which, operand), children);
  }
  TermId equal(TermId left, TermId right) { return builtin(Builtin::equal, {left, right}); }
  TermId both(TermId left, TermId right) { return builtin(Builtin::and_, {left, right}); }
  TermId control(Control which, SortId sort, std::vector<TermId> children,
                 std::vector<SymbolId> bound = {}, SymbolId operation = {}) {
    return store.make(store.control(which, sort, operation), children, bound);
  }
  TermId statement(Control which, std::vector<TermId> children, std::vector<SymbolId> bound = {}) {
    return control(which, store.statement_sort(), std::move(children), std::move(bound));
  }
  TermId fold(SymbolId operation, SymbolId index, TermId count, TermId element) {
    return control(Control::fold, store[operation].result, {count, element}, {index}, operation);
  }
  TermId choose(TermId condition, TermId then, TermId otherwise) {
    return control(Control::if_, store.sort(then), {condition, then, otherwise});
  }

  // --- theories
  term::Axiom axiom(std::string name, std::vector<TermId> statements) {
    term::Axiom made;
    made.name = std::move(name);
    made.body = statement(Control::block, std::move(statements));
    return made;
  }
  TermId assertion(TermId predicate) { return statement(Control::assert_, {predicate}); }
  term::Axiom equation(std::string name, TermId left, TermId right) {
    return axiom(std::move(name), {assertion(equal(left, right))});
  }
  static term::Callable callable(SymbolId symbol, std::vector<SymbolId> parameters = {}) {
    term::Callable made;
    made.symbol = symbol;
    made.parameters = std::move(parameters);
    return made;
  }
  // A theory with one function `f(): Int` of that body, and the order predicates.
  term::Theory program(TermId body) {
    term::Theory theory;
    theory.kind = term::ModuleKind::program;
    term::Callable entry = callable(function("entry", 0));
    entry.body = body;
    theory.callables.push_back(entry);
    theory.callables.push_back(callable(less, {variable("a"), variable("b")}));
    theory.callables.push_back(callable(less_equal, {variable("a"), variable("b")}));
    return theory;
  }
  term::RuleSet rules(std::vector<term::Axiom> axioms) {
    term::Theory theory;
    theory.axioms = std::move(axioms);
    return term::rules_of(store, theory);
  }

  term::Interpretation interpretation() {
    return {[this](SymbolId symbol) {
              auto found = meanings.find(symbol);
              return found == meanings.end() ? Arithmetic::none : found->second;
            },
            [this](SymbolId symbol) -> std::optional<TermId> {
              auto found = definitions.find(symbol);
              return found == definitions.end() ? std::nullopt : std::optional(found->second);
            }};
  }
  rewrite::Context context() { return {store, oracle, interpretation(), {}, true}; }

  term::Derivation rewrite(term::Theory& target, const term::RuleSet& rules,
                           std::uint64_t passes = 1000) {
    return rewrite::rewrite(context(), target, rules, passes);
  }
  TermId rewritten(TermId body, const term::RuleSet& rules, std::uint64_t passes = 1000) {
    term::Theory theory = program(body);
    rewrite(theory, rules, passes);
    return *theory.callables.front().body;
  }
  std::string text(TermId term) const { return term::to_string(store, term); }
};

}  // namespace rhopsi::test
