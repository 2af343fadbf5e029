#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "backends/reference/numbers.hpp"
#include "backends/reference/typing.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::reference {

using onf::Primitive;
using onf::Representation;
using onf::Scalar;
using onf::ScalarFunction;
using term::SymbolId;
using term::TermId;
using Form = Representation::Kind;

namespace {

bool is_comparison(ScalarFunction function) {
  return function >= ScalarFunction::less && function <= ScalarFunction::not_equal;
}

}  // namespace

std::string Typing::name(SymbolId symbol) const { return "`" + to_string(store_, symbol) + "`"; }

NodeId Typing::call(SymbolId symbol, std::vector<NodeId> operands, TermId term) {
  if (const Primitive* primitive = axioms_.primitive(symbol)) {
    return external(*primitive, symbol, std::move(operands), term);
  }
  const Operation* operation = axioms_.find(symbol);
  const bool defined = operation != nullptr && !operation->equations.empty();
  if (const auto function = onf::builtin_function(store_, symbol); function && !defined) {
    return apply(*function, std::move(operands), {}, true, term);
  }
  if (operation == nullptr) {
    fail(codes::no_meaning, fmt::format("{} is not declared.", name(symbol)));
  }
  if (context_ != nullptr && axioms_.foreign(*operation->callable)) {
    return left_to_context(*operation->callable, std::move(operands), term);
  }
  std::vector<Type> types;
  for (NodeId operand : operands) types.push_back((*this)[operand].type);
  Node node{.kind = Node::Kind::call, .type = {}};
  node.instance = instance(symbol, types);
  node.type = (*this)[node.instance].result;
  node.operands = std::move(operands);
  node.term = term;
  return add(std::move(node));
}

// The value has the type `result`, unless that promotes.
NodeId Typing::apply(ScalarFunction function, std::vector<NodeId> operands, Type result,
                     bool promotes, TermId term) {
  if (function == ScalarFunction::select) {
    const Type truth{Form::scalar, Scalar::boolean};
    return choose(in_type(operands[0], truth), operands[1], operands[2], term);
  }
  Node node{.kind = Node::Kind::apply, .type = {}};
  const std::vector<Scalar> integers(operands.size(), Scalar::int64);
  std::vector<Scalar> types;
  for (NodeId operand : operands) {
    const Type type = (*this)[operand].type;
    if (type.form != Form::scalar) node.kind = Node::Kind::same;
    types.push_back(type.scalar);
  }
  const bool compares = function == ScalarFunction::equal || function == ScalarFunction::not_equal;
  if (node.kind == Node::Kind::same && !compares) {
    fail(codes::representation,
         fmt::format("`{}` applies a function of scalars to an index or an array.",
                     to_string(store_, term)));
  }
  if (node.kind == Node::Kind::same) {
    const Type type = joined((*this)[operands[0]].type, (*this)[operands[1]].type);
    for (NodeId& operand : operands) operand = in_type(operand, type);
  }
  node.type.scalar = result_type(function, types);
  node.function = function;
  node.operands = std::move(operands);
  node.term = term;
  node.exact = node.kind == Node::Kind::apply && !promotes && result.form == Form::scalar &&
               result.scalar == Scalar::int64;
  const bool compares_integers = is_comparison(function) && types == integers;
  node.wide = in_element_ && node.kind == Node::Kind::apply && (node.exact || compares_integers);
  const NodeId id = add(std::move(node));
  return promotes ? id : in_type(id, result);
}

NodeId Typing::external(const Primitive& primitive, SymbolId symbol, std::vector<NodeId> operands,
                        TermId term) {
  const Representation result = axioms_.representation(store_[symbol].result);
  Node node{.kind = Node::Kind::shape, .type = {result.kind, result.scalar}};
  node.term = term;
  switch (primitive.kind) {
    case Primitive::Kind::scalar:
      if (primitive.function != ScalarFunction::convert) {
        return apply(primitive.function, std::move(operands), node.type, result.promotes, term);
      }
      return result.promotes ? operands[0] : in_type(operands[0], node.type);
    case Primitive::Kind::load:
      return element(std::move(operands), term);
    case Primitive::Kind::shape:
      node.type = index_type;
      break;
    case Primitive::Kind::length:
      node.kind = Node::Kind::length;
      node.type = integer_type;
      break;
    case Primitive::Kind::component:
      node.kind = Node::Kind::component;
      node.type = integer_type;
      operands[1] = in_type(operands[1], integer_type);
      break;
    case Primitive::Kind::parameter:
    case Primitive::Kind::pointwise:
    case Primitive::Kind::whole_array:
      if (context_ == nullptr) return no_expression(symbol);
      return left_to_context(*axioms_.find(symbol)->callable, std::move(operands), term);
    case Primitive::Kind::index:
      if (primitive.spelling == "make_index") {
        node.kind = Node::Kind::vector;
        break;
      }
      [[fallthrough]];
    default:
      return no_expression(symbol);
  }
  node.operands = std::move(operands);
  return in_sort(add(std::move(node)), store_[symbol].result);
}

NodeId Typing::no_expression(SymbolId symbol) const {
  fail(codes::primitive,
       fmt::format("{} works on the domain of a run; arrays here have shapes of their own.",
                   name(symbol)));
}

NodeId Typing::left_to_context(const term::Callable& callable, std::vector<NodeId> operands,
                               TermId term) {
  Node node{.kind = Node::Kind::external, .type = type_of_sort(store_[callable.symbol].result)};
  node.callable = &callable;
  node.operands = std::move(operands);
  node.term = term;
  return add(std::move(node));
}

// psi(p, A), or psi(i, j, A).
NodeId Typing::element(std::vector<NodeId> operands, TermId term) {
  const NodeId array = operands.back();
  if ((*this)[operands[0]].type.form != Form::index) {
    operands.pop_back();
    Node index{.kind = Node::Kind::vector, .type = index_type};
    for (NodeId operand : operands) index.operands.push_back(in_type(operand, integer_type));
    index.term = term;
    operands = {add(std::move(index)), array};
  }
  Node node{.kind = Node::Kind::element, .type = {Form::scalar, (*this)[array].type.scalar}};
  node.operands = std::move(operands);
  node.term = term;
  return add(std::move(node));
}

// The clauses of an operation for arguments of these types. The type of a result that promotes is
// that of the clauses; where an operation is defined through itself, the narrowest type that the
// clauses agree to is looked for from below.
InstanceId Typing::instance(SymbolId symbol, const std::vector<Type>& arguments) {
  const auto known = known_.find({symbol, arguments});
  if (known != known_.end()) {
    Instance& found = instances_[static_cast<std::size_t>(known->second)];
    found.assumed = found.assumed || !found.complete;
    return known->second;
  }
  const Representation result = axioms_.representation(store_[symbol].result);
  Type type{result.kind, result.promotes ? Scalar::boolean : result.scalar};
  const std::size_t nodes = nodes_.size();
  const std::size_t first = instances_.size();
  for (;;) {
    const auto id = static_cast<InstanceId>(first);
    instances_.push_back(
        {.operation = axioms_.find(symbol), .arguments = arguments, .result = type});
    known_.emplace(Key{symbol, arguments}, id);
    fill(id);
    Instance& filled = instances_[first];
    filled.complete = true;
    if (filled.result == type || !filled.assumed) {
      const Type settled = filled.result;
      settle(filled.elements, {Form::scalar, settled.scalar});
      settle(instances_[first].equations, settled);
      return id;
    }
    // Whatever was typed by the assumption goes.
    type = filled.result;
    forget_from(first);
    nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(nodes), nodes_.end());
  }
}

void Typing::forget_from(std::size_t first) {
  std::erase_if(known_,
                [&](const auto& entry) { return static_cast<std::size_t>(entry.second) >= first; });
  instances_.erase(instances_.begin() + static_cast<std::ptrdiff_t>(first), instances_.end());
}

void Typing::forget_incomplete() {
  in_element_ = false;
  const auto incomplete = std::ranges::find(instances_, false, &Instance::complete);
  forget_from(static_cast<std::size_t>(incomplete - instances_.begin()));
}

void Typing::fill(InstanceId id) {
  // A copy, since operations that the clauses call make instances of their own.
  Instance filled = (*this)[id];
  const Operation& operation = *filled.operation;
  const Representation result = axioms_.representation(store_[operation.callable->symbol].result);
  filled.slots = filled.arguments.size() + 1;
  if (operation.callable->guard) {
    const Clause guard{operation.callable->parameters, {}, *operation.callable->guard, {}, {}};
    filled.guard = clause(guard, filled.arguments, filled.slots).value;
  }
  const auto read = [&](const std::vector<Clause>& clauses, std::vector<TypedClause>& typed) {
    for (const Clause& each : clauses) {
      const bool of_element = &typed == &filled.elements;
      typed.push_back(clause(each, filled.arguments, filled.slots, of_element));
      const Type type = (*this)[typed.back().value].type;
      if (&typed != &filled.shapes && result.promotes) {
        filled.result.scalar = promoted(filled.result.scalar, type.scalar);
      }
    }
  };
  // What has a shape and elements needs no equation; those that it satisfies besides may well
  // lead in a circle.
  if (operation.tabulated() || operation.equations.empty()) {
    read(operation.shapes, filled.shapes);
    read(operation.elements, filled.elements);
  } else {
    read(operation.equations, filled.equations);
  }
  filled.assumed = (*this)[id].assumed;
  instances_[static_cast<std::size_t>(id)] = std::move(filled);
}

TypedClause Typing::clause(const Clause& clause, const std::vector<Type>& arguments,
                           std::size_t& slots, bool of_element) {
  watch_.check_stack();
  const bool outside = std::exchange(in_element_, of_element);
  const term::LocationId outer = watch_.enter(clause.location);
  Scope scope;
  for (std::size_t i = 0; i < arguments.size(); ++i) scope.add(clause.parameters[i], arguments[i]);
  if (clause.index) {
    scope.add(*clause.index, index_type);
  } else {
    ++scope.slots;
  }
  TypedClause typed;
  if (clause.condition) typed.condition = node(*clause.condition, scope);
  typed.value = node(clause.value, scope);
  slots = std::max(slots, scope.slots);
  in_element_ = outside;
  watch_.leave(outer);
  return typed;
}

// All values in one type.
void Typing::settle(std::vector<TypedClause>& clauses, Type type) {
  for (TypedClause& each : clauses) each.value = in_type(each.value, type);
}

}  // namespace rhopsi::reference
