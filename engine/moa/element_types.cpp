#include "engine/moa/element_types.hpp"

#include <algorithm>

#include "engine/term/operations.hpp"

namespace rhopsi::moa {

using onf::Primitive;
using term::Control;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;

Scalar ElementTypes::of(TermId term, const TypeScope& scope) {
  const term::Symbol& head = store_.head(term);
  switch (head.kind) {
    case SymbolKind::variable: {
      const auto found = std::find_if(scope.rbegin(), scope.rend(), [&](const auto& entry) {
        return entry.first == store_.symbol(term);
      });
      return found == scope.rend() ? Scalar::int64 : found->second;
    }
    case SymbolKind::integer_literal:
    case SymbolKind::real_literal:
      return of_literal(head);
    case SymbolKind::control:
      return of_control(term, scope);
    default:
      return of_application(term, scope);
  }
}

Scalar ElementTypes::of_literal(const term::Symbol& literal) const {
  const onf::Representation* found = library_.representation(literal.result);
  if (found != nullptr && !found->promotes) return promoted(found->scalar, Scalar::boolean);
  return literal.kind == SymbolKind::integer_literal ? Scalar::int64 : Scalar::float64;
}

Scalar ElementTypes::of_application(TermId term, const TypeScope& scope) {
  const SymbolId symbol = store_.symbol(term);
  std::vector<Scalar> arguments;
  for (TermId argument : store_.children(term)) arguments.push_back(of(argument, scope));
  const Primitive* primitive = library_.primitive(symbol);
  if (primitive == nullptr) {
    if (term::builtin(store_, symbol) != term::Builtin::none) return Scalar::boolean;
    return of_call(symbol, arguments);
  }
  switch (primitive->kind) {
    case Primitive::Kind::load:
      return arguments.back();
    case Primitive::Kind::scalar: {
      const onf::Representation* result = library_.representation(store_.sort(term));
      if (result != nullptr && !result->promotes) {
        return promoted(result->scalar, Scalar::boolean);
      }
      if (primitive->function == ScalarFunction::convert) return arguments[0];
      return result_type(primitive->function, arguments);
    }
    default:
      return Scalar::int64;
  }
}

Scalar ElementTypes::of_control(TermId term, const TypeScope& scope) {
  const auto parts = store_.children(term);
  switch (store_.head(term).control) {
    case Control::if_: {
      const Scalar then = of(parts[1], scope);
      return promoted(then, of(parts[2], scope));
    }
    case Control::vector_: {
      const onf::Representation* found = library_.representation(store_.sort(term));
      if (found != nullptr && !found->promotes) return promoted(found->scalar, Scalar::boolean);
      Scalar type = parts.empty() ? Scalar::int64 : Scalar::boolean;
      for (TermId part : parts) type = promoted(type, of(part, scope));
      return type;
    }
    case Control::fold:
      return of_fold(term, scope);
    case Control::forall: {
      if (!library_.is_array(store_.sort(term))) return Scalar::int64;
      // Elements of integers are those of an array of reals, too.
      const onf::Representation* found = library_.representation(store_.sort(term));
      if (found != nullptr && !found->promotes) return promoted(found->scalar, Scalar::boolean);
      TypeScope inner = scope;
      inner.emplace_back(store_.bound(term)[0], Scalar::int64);
      return of(parts[1], inner);
    }
    case Control::block:
      return of_block(term, scope);
    default:
      return Scalar::int64;
  }
}

Scalar ElementTypes::of_fold(TermId term, const TypeScope& scope) {
  TypeScope inner = scope;
  inner.emplace_back(store_.bound(term)[0], Scalar::int64);
  const Scalar body = of(store_.children(term)[1], inner);
  const onf::Representation* result = library_.representation(store_.sort(term));
  if (result != nullptr && !result->promotes) return promoted(result->scalar, Scalar::boolean);
  const SymbolId operation = store_.head(term).operation;
  const Primitive* primitive = library_.primitive(operation);
  if (primitive != nullptr && primitive->kind == Primitive::Kind::scalar) {
    return result_type(primitive->function, std::vector{body, body});
  }
  if (term::builtin(store_, operation) != term::Builtin::none) return Scalar::boolean;
  return promoted(body, of_call(operation, {body, body}));
}

Scalar ElementTypes::of_block(TermId term, TypeScope scope) {
  for (TermId statement : store_.children(term)) {
    const auto parts = store_.children(statement);
    if (store_.is(statement, Control::value)) return of(parts[0], scope);
    if (store_.is(statement, Control::declare) && parts.size() == 2) {
      scope.emplace_back(store_.symbol(parts[0]), of(parts[1], scope));
    }
  }
  return Scalar::int64;
}

Scalar ElementTypes::of_call(SymbolId symbol, const std::vector<Scalar>& arguments) {
  const onf::Representation* result = library_.representation(store_[symbol].result);
  if (result == nullptr) return Scalar::int64;
  const bool array = result->kind == onf::Representation::Kind::array;
  if (!result->promotes && !array) return promoted(result->scalar, Scalar::boolean);
  const Key key{symbol, arguments};
  if (const auto found = known_.find(key); found != known_.end()) {
    found->second.assumed = found->second.assumed || !found->second.complete;
    return found->second.type;
  }
  const std::size_t before = order_.size();
  Entry entry;
  for (;;) {
    known_[key] = entry;
    order_.push_back(key);
    const Scalar type = of_rules(symbol, arguments);
    const bool settled = type == entry.type || !known_[key].assumed;
    if (settled) {
      known_[key] = {type, true, false};
      return type;
    }
    // Whatever was found by the assumption goes.
    for (std::size_t k = before; k < order_.size(); ++k) known_.erase(order_[k]);
    order_.resize(before);
    entry.type = type;
  }
}

Scalar ElementTypes::of_rules(SymbolId symbol, const std::vector<Scalar>& arguments) {
  Scalar type = Scalar::boolean;
  const auto add = [&](std::span<const SymbolId> parameters, TermId value) {
    TypeScope scope;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      scope.emplace_back(parameters[k], arguments[k]);
    }
    type = promoted(type, of(value, scope));
  };
  for (const Equations* equations : {&library_.elements, &library_.meanings}) {
    const auto found = equations->find(symbol);
    if (found == equations->end()) continue;
    for (const Equation& equation : found->second) add(equation.parameters, equation.right);
    return type;
  }
  const auto callable = library_.callables.find(symbol);
  if (callable == library_.callables.end() || !callable->second->body) return Scalar::int64;
  add(callable->second->parameters, *callable->second->body);
  return type;
}

}  // namespace rhopsi::moa
