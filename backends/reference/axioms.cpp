#include "backends/reference/axioms.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "backends/reference/error.hpp"
#include "backends/reference/failure.hpp"

namespace rhopsi::reference {

using onf::Primitive;
using term::Callable;
using term::SortId;
using term::SymbolId;
using term::TermId;

namespace {

// Consequences, not definitions; a rule has the name of its axiom, `#k` behind it.
std::set<std::string> names_of_theorems(const term::Theory& theory) {
  std::set<std::string> names;
  for (const term::Axiom& axiom : theory.axioms) {
    if (axiom.theorem) names.insert(axiom.name);
  }
  return names;
}

}  // namespace

Axioms::Axioms(const term::Store& store, const term::Theory& theory,
               const onf::PrimitiveTable& table)
    : store_(store), theory_(theory), table_(table) {
  for (const Callable& callable : theory.callables) {
    Operation& operation = operations_[callable.symbol];
    operation.callable = &callable;
    if (callable.body) {
      operation.equations.push_back(
          {callable.parameters, {}, *callable.body, {}, callable.location});
    }
    if (!callable.external || foreign(callable)) continue;
    if (auto found = onf::primitive_of(store, theory, callable, table)) {
      const std::string& name = store[callable.symbol].name;
      if (found->kind == Primitive::Kind::shape) shape_name_ = name;
      if (found->kind == Primitive::Kind::load) element_name_ = name;
      primitives_.emplace(callable.symbol, std::move(*found));
    }
  }
}

void Axioms::read_rules(term::Store& store) {
  const std::set<std::string> theorems = names_of_theorems(theory_);
  for (const term::Rule& rule : rules_of(store, theory_).rules) {
    if (!theorems.contains(rule.name.substr(0, rule.name.find('#')))) read(rule);
  }
}

const Operation* Axioms::find(SymbolId symbol) const {
  const auto found = operations_.find(symbol);
  return found == operations_.end() ? nullptr : &found->second;
}

const Primitive* Axioms::primitive(SymbolId symbol) const {
  const auto found = primitives_.find(symbol);
  return found == primitives_.end() ? nullptr : &found->second;
}

const onf::Representation& Axioms::representation(SortId sort) {
  const auto known = representations_.find(sort);
  if (known != representations_.end()) return known->second;
  auto found = representation_of(store_, theory_, sort, table_);
  if (!found || found->kind == onf::Representation::Kind::opaque) {
    fail(codes::representation,
         fmt::format("The type `{}` has no values here: it is bound to no external type of the "
                     "backend.",
                     store_.name(sort)));
  }
  return representations_.emplace(sort, std::move(*found)).first->second;
}

// The arguments of a call, if they are variables and each is another one.
std::optional<std::vector<SymbolId>> Axioms::distinct_variables(TermId call) const {
  std::vector<SymbolId> variables;
  for (TermId argument : store_.children(call)) {
    const SymbolId variable = store_.symbol(argument);
    if (!store_.is_variable(argument) || std::ranges::count(variables, variable) > 0) {
      return std::nullopt;
    }
    variables.push_back(variable);
  }
  return variables;
}

void Axioms::read(const term::Rule& rule) {
  const Primitive* root = primitive(store_.symbol(rule.left));
  const auto arguments = store_.children(rule.left);
  const auto add = [&](TermId call, std::vector<Clause> Operation::*clauses,
                       std::optional<SymbolId> index) {
    const auto operation = operations_.find(store_.symbol(call));
    auto parameters = distinct_variables(call);
    if (operation == operations_.end() || !parameters) return;
    if (index && std::ranges::count(*parameters, *index) > 0) return;
    (operation->second.*clauses)
        .push_back({std::move(*parameters), index, rule.right, rule.condition, rule.location});
  };
  if (root == nullptr) {
    add(rule.left, &Operation::equations, {});
  } else if (root->kind == Primitive::Kind::shape) {
    add(arguments[0], &Operation::shapes, {});
  } else if (root->kind == Primitive::Kind::load && arguments.size() == 2 &&
             store_.is_variable(arguments[0])) {
    add(arguments[1], &Operation::elements, store_.symbol(arguments[0]));
  }
}

}  // namespace rhopsi::reference
