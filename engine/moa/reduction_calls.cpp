// Calls: by the kind of a primitive, by rules, by bodies.
#include <algorithm>

#include "engine/moa/reduction.hpp"

namespace rhopsi::moa {

using onf::Primitive;
using term::Callable;
using term::LocationId;
using term::SymbolId;
using term::TermId;

std::vector<Value> Reduction::arguments_of(TermId term, const Environment& environment) {
  std::vector<Value> values;
  const std::size_t count = store_.children(term).size();
  values.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    values.push_back(evaluate(store_.children(term)[k], environment));
  }
  return values;
}

Value Reduction::call(TermId term, const Environment& environment) {
  const SymbolId symbol = store_.symbol(term);
  if (const auto found = constants_.find(symbol); found != constants_.end()) return found->second;
  if (const Primitive* found = library_.primitive(symbol)) {
    return primitive(*found, term, environment);
  }
  const term::Builtin known = term::builtin(store_, symbol);
  if (known != term::Builtin::none) return builtin(known, term, environment);
  return applied(symbol, arguments_of(term, environment), store_.location(term));
}

Value Reduction::applied(SymbolId symbol, std::vector<Value> arguments, LocationId location) {
  const auto callable = library_.callables.find(symbol);
  if (callable != library_.callables.end()) {
    check_guard(*callable->second, arguments, location);
  }
  if (library_.is_array(store_[symbol].result)) {
    return array_call(symbol, std::move(arguments), location);
  }
  return meaning(symbol, std::move(arguments), location);
}

// The first rule about the operation whose condition is certain.
std::optional<Value> Reduction::by_rules(const Equations& equations, SymbolId symbol,
                                         std::span<const Value> arguments, const Vector* index) {
  const auto found = equations.find(symbol);
  if (found == equations.end()) return std::nullopt;
  for (const Equation& equation : found->second) {
    Environment environment;
    for (std::size_t k = 0; k < equation.parameters.size(); ++k) {
      environment.values.emplace_back(equation.parameters[k], arguments[k]);
    }
    if (index != nullptr) environment.values.emplace_back(*equation.index, *index);
    if (equation.condition) {
      const ExprId condition = scalar(*equation.condition, environment);
      if (facts_.decide(condition) != true) continue;
    }
    const auto [place, fresh] = uses_.try_emplace(equation.name, form_.uses.size());
    if (fresh) form_.uses.push_back({equation.name, equation.location, 0});
    ++form_.uses[place->second].count;
    return evaluate(equation.right, environment);
  }
  return std::nullopt;
}

Value Reduction::array_call(SymbolId symbol, std::vector<Value> arguments, LocationId location) {
  const auto shape = by_rules(library_.shapes, symbol, arguments, nullptr);
  if (!shape) {
    // An operation may be defined by another one.
    if (!library_.elements.contains(symbol)) return meaning(symbol, std::move(arguments), location);
    no_rule(shape_of(symbol), location);
  }
  ArrayValue value;
  value.kind = ArrayValue::Kind::call;
  value.symbol = symbol;
  std::vector<Scalar> types;
  for (const Value& argument : arguments) types.push_back(type_of(argument));
  value.element = types_.of_call(symbol, types);
  value.arguments = std::move(arguments);
  value.shape = std::get<Vector>(*shape);
  value.location = location;
  return make(std::move(value));
}

Value Reduction::meaning(SymbolId symbol, std::vector<Value> arguments, LocationId location) {
  if (auto found = by_rules(library_.meanings, symbol, arguments, nullptr)) {
    return std::move(*found);
  }
  const auto callable = library_.callables.find(symbol);
  if (callable != library_.callables.end() && callable->second->body) {
    Environment environment;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      environment.values.emplace_back(callable->second->parameters[k], std::move(arguments[k]));
    }
    return evaluate(*callable->second->body, environment);
  }
  no_rule(library_.is_array(store_[symbol].result) ? shape_of(symbol) : name(symbol), location);
}

std::string Reduction::shape_of(SymbolId symbol) const {
  return library_.shape_name + "(" + name(symbol) + ")";
}

void Reduction::no_rule(const std::string& subject, LocationId location) const {
  fail("E0530", "no rule for " + subject,
       "state what it is in an axiom, for variables as arguments: of an array, `assert " +
           library_.shape_name + "(f(x)) == ...` and `assert " + library_.element_name +
           "(p, f(x)) == ...`; a rule with a condition needs that to be certain",
       location);
}

ExprId Reduction::apply(ScalarFunction function, std::span<const ExprId> operands,
                        const onf::Representation& result) {
  switch (function) {
    case ScalarFunction::convert:
      // A number that promotes keeps what it is converted from.
      return result.promotes ? operands[0] : expressions_.converted(operands[0], result.scalar);
    case ScalarFunction::divide:
      return facts_.divide(operands[0], operands[1]);
    case ScalarFunction::modulo:
      return facts_.modulo(operands[0], operands[1]);
    case ScalarFunction::absolute: {
      const ExprId zero = expressions_.integer(0);
      const bool integer = expressions_[operands[0]].type == Scalar::int64;
      const bool certain = integer && facts_.decide(expressions_.apply(
                                          ScalarFunction::less_equal, {zero, operands[0]})) == true;
      if (certain) return operands[0];
      break;
    }
    case ScalarFunction::minimum:
    case ScalarFunction::maximum:
      if (expressions_[operands[0]].type == Scalar::int64 &&
          expressions_[operands[1]].type == Scalar::int64) {
        return function == ScalarFunction::minimum ? facts_.minimum(operands[0], operands[1])
                                                   : facts_.maximum(operands[0], operands[1]);
      }
      break;
    default:
      break;
  }
  return expressions_.apply(function, operands, result.scalar);
}

// A number that does not promote has the one type of its sort.
ExprId Reduction::represented(ExprId value, term::SortId sort) {
  const onf::Representation* found = library_.representation(sort);
  if (found == nullptr || found->promotes) return value;
  return expressions_.converted(value, promoted(found->scalar, Scalar::boolean));
}

Value Reduction::primitive(const Primitive& primitive, TermId term,
                           const Environment& environment) {
  const LocationId location = store_.location(term);
  const std::vector<Value> arguments = arguments_of(term, environment);
  const auto callable = library_.callables.find(store_.symbol(term));
  if (callable->second->guard) check_guard(*callable->second, arguments, location);
  switch (primitive.kind) {
    case Primitive::Kind::scalar: {
      std::vector<ExprId> operands;
      for (const Value& argument : arguments) operands.push_back(std::get<ExprId>(argument));
      const ExprId value = represented(
          apply(primitive.function, operands, *library_.representation(store_.sort(term))),
          store_.sort(term));
      if (expressions_[value].type != Scalar::boolean) return value;
      if (const auto known = facts_.decide(value)) return expressions_.boolean(*known);
      return value;
    }
    case Primitive::Kind::load:
      if (arguments.size() == 2 && std::holds_alternative<Vector>(arguments[0])) {
        return element(std::get<ArrayPointer>(arguments[1]), std::get<Vector>(arguments[0]));
      } else {
        Vector index;
        for (std::size_t k = 0; k + 1 < arguments.size(); ++k) {
          index.push_back(std::get<ExprId>(arguments[k]));
        }
        return element(std::get<ArrayPointer>(arguments.back()), index);
      }
    case Primitive::Kind::shape:
      return std::get<ArrayPointer>(arguments[0])->shape;
    case Primitive::Kind::length:
      return expressions_.integer(static_cast<std::int64_t>(std::get<Vector>(arguments[0]).size()));
    case Primitive::Kind::component:
      return component(std::get<Vector>(arguments[0]), std::get<ExprId>(arguments[1]), location);
    default:
      no_rule(name(store_.symbol(term)), location);
  }
}

}  // namespace rhopsi::moa
