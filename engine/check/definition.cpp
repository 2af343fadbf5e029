#include "engine/check/definition.hpp"

#include <algorithm>

namespace rhopsi::check {

using term::Control;
using term::SymbolKind;

Definitions::Definitions(Terms& terms, const Derivation& derivation)
    : terms_(terms), store_(terms.store()), derivation_(derivation) {
  for (const Operation& operation : derivation.operations) {
    operations_.emplace(operation.symbol, &operation);
  }
}

std::optional<Values> Definitions::parameters_of(const Definition& definition, const Axiom& axiom,
                                                 TermId call) const {
  const auto arguments = store_.children(call);
  if (store_.symbol(call) != definition.callable) return std::nullopt;
  if (arguments.size() != definition.parameters.size()) return std::nullopt;
  Values values;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const SymbolId variable = store_.symbol(arguments[i]);
    const bool free = std::ranges::find(axiom.variables, variable) != axiom.variables.end();
    if (!free || store_[variable].result != store_[definition.parameters[i]].result ||
        !values.emplace(variable, terms_.make(definition.parameters[i])).second) {
      return std::nullopt;
    }
  }
  return values;
}

std::optional<std::string> Definitions::problem(const Definition& definition) {
  std::vector<const Axiom*> axioms;
  for (const std::size_t index : definition.axioms) {
    axioms.push_back(&derivation_.axioms[index]);
    if (axioms.back()->condition) {
      return "the axiom " + axioms.back()->name + " holds under a condition";
    }
  }
  if (axioms.size() == 2) return problem_with_array(definition, *axioms[0], *axioms[1]);
  if (axioms.size() != 1) return "a body comes from one axiom or two";
  const Axiom& axiom = *axioms.front();
  const auto values = parameters_of(definition, axiom, axiom.left);
  if (!values) return "the left side of " + axiom.name + " is no call with these parameters";
  if (is_instance(store_, axiom.right, *values, definition.body)) return std::nullopt;
  const auto right = terms_.substitute(axiom.right, *values);
  if (right && equal(*right, definition.body, definition.callable)) return std::nullopt;
  return "the body is not the right side of " + axiom.name;
}

// shape(f(x)) == s and psi(p, f(x)) == e give forall (p < s) e.
std::optional<std::string> Definitions::problem_with_array(const Definition& definition,
                                                           const Axiom& shape,
                                                           const Axiom& element) {
  const auto array = [&](TermId term) {
    const auto found = operations_.find(store_.symbol(term));
    return found == operations_.end() ? term::ArrayFunction::none : found->second->array;
  };
  if (array(shape.left) != term::ArrayFunction::shape ||
      array(element.left) != term::ArrayFunction::element ||
      store_.children(shape.left).size() != 1 || store_.children(element.left).size() != 2) {
    return "an array has an axiom of its shape and one of its elements";
  }
  const auto of_shape = parameters_of(definition, shape, store_.children(shape.left)[0]);
  auto of_element = parameters_of(definition, element, store_.children(element.left)[1]);
  const TermId index = store_.children(element.left)[0];
  if (!of_shape || !of_element || !store_.is_variable(index) ||
      of_element->contains(store_.symbol(index)) ||
      std::ranges::find(element.variables, store_.symbol(index)) == element.variables.end()) {
    return "the axioms are not about a call with these parameters";
  }
  if (!store_.is(definition.body, Control::forall)) return "the body gives no elements";
  const auto parts = store_.children(definition.body);
  of_element->emplace(store_.symbol(index), terms_.make(store_.bound(definition.body)[0]));
  if (!is_instance(store_, shape.right, *of_shape, parts[0])) {
    return "the shape is not the right side of " + shape.name;
  }
  if (!is_instance(store_, element.right, *of_element, parts[1])) {
    return "the elements are not the right side of " + element.name;
  }
  return std::nullopt;
}

bool Definitions::equal(TermId expected, TermId body, SymbolId defined) {
  made_ = 0;
  done_.clear();
  const auto left = unfold(expected, defined);
  done_.clear();
  const auto right = left ? unfold(body, defined) : std::nullopt;
  return right && same(store_, *left, *right);
}

std::optional<TermId> Definitions::unfold(TermId root, SymbolId defined) {
  constexpr std::size_t most = 1'000'000;
  std::vector<std::pair<TermId, bool>> pending{{root, false}};
  while (!pending.empty()) {
    const auto [term, leave] = pending.back();
    if (done_.contains(term)) {
      pending.pop_back();
      continue;
    }
    if (++made_ > most) return std::nullopt;
    const std::vector<TermId> children(store_.children(term).begin(), store_.children(term).end());
    if (!leave) {
      pending.back().second = true;
      for (TermId child : children) pending.emplace_back(child, false);
      continue;
    }
    pending.pop_back();
    std::vector<TermId> parts;
    for (TermId child : children) parts.push_back(done_.at(child));
    std::optional<TermId> result;
    if (store_.symbol(term) != defined) result = unfolded(term, parts);
    if (!result) {
      const std::vector<SymbolId> bound(store_.bound(term).begin(), store_.bound(term).end());
      result = terms_.make(store_.symbol(term), parts, bound);
    }
    if (const auto value = without_variables(*result)) result = value;
    done_[term] = *result;
  }
  return done_.at(root);
}

// Nothing where the call stays.
std::optional<TermId> Definitions::unfolded(TermId call, std::span<const TermId> arguments) {
  const SymbolId symbol = store_.symbol(call);
  const auto found = operations_.find(symbol);
  if (found == operations_.end() || !found->second->body) return std::nullopt;
  const Operation& operation = *found->second;
  const bool table = store_.is(*operation.body, Control::forall) &&
                     store_.sort(*operation.body) != store_.predicate_sort();
  const bool function =
      store_[symbol].kind == SymbolKind::function || store_[symbol].kind == SymbolKind::predicate;
  constexpr std::size_t deepest = 200;
  if (table || !function || under_way_.size() > deepest ||
      std::ranges::find(under_way_, symbol) != under_way_.end()) {
    return std::nullopt;
  }
  Values values;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    values.emplace(operation.parameters[i], arguments[i]);
  }
  under_way_.push_back(symbol);
  auto outer = std::exchange(done_, {});
  const auto body = unfold(*operation.body, symbol);
  done_ = std::move(outer);
  under_way_.pop_back();
  if (!body) return std::nullopt;
  return terms_.substitute(*body, values);
}

// A block that gives values to variables and ends in its own: that value without the variables.
std::optional<TermId> Definitions::without_variables(TermId block) {
  if (!store_.is(block, Control::block) || store_.sort(block) == store_.statement_sort()) {
    return std::nullopt;
  }
  const std::vector<TermId> statements(store_.children(block).begin(),
                                       store_.children(block).end());
  Values values;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const std::vector<TermId> parts(store_.children(statements[i]).begin(),
                                    store_.children(statements[i]).end());
    if (store_.is(statements[i], Control::value) && i + 1 == statements.size()) {
      return terms_.substitute(parts[0], values);
    }
    if (!store_.is(statements[i], Control::declare) || parts.size() != 2) return std::nullopt;
    const auto initial = terms_.substitute(parts[1], values);
    if (!initial) return std::nullopt;
    values[store_.symbol(parts[0])] = *initial;
  }
  return std::nullopt;
}

}  // namespace rhopsi::check
