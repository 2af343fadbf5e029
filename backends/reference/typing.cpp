#include "backends/reference/typing.hpp"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "backends/reference/numbers.hpp"
#include "backends/reference/scalars.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::reference {

using onf::Representation;
using onf::Scalar;
using onf::ScalarFunction;
using term::Control;
using term::Symbol;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;
using Form = Representation::Kind;

namespace {

constexpr Type truth_type{Form::scalar, Scalar::boolean};

}  // namespace

Type joined(Type left, Type right) {
  if (left == right) return left;
  if (left.form != right.form) {
    fail(codes::internal, fmt::format("{} stands beside {}.", describe(left), describe(right)));
  }
  return {left.form, promoted(left.scalar, right.scalar)};
}

std::string describe(Type type) {
  return describe(Representation{type.form, type.scalar, {}, false});
}

NodeId Typing::add(Node node) {
  nodes_.push_back(std::move(node));
  return static_cast<NodeId>(nodes_.size() - 1);
}

NodeId Typing::variable(std::size_t slot, Type type, TermId term) {
  Node node{.kind = Node::Kind::variable, .type = type};
  node.slot = slot;
  node.term = term;
  return add(std::move(node));
}

NodeId Typing::in_type(NodeId id, Type type) {
  const Node& from = (*this)[id];
  if (from.type == type) return id;
  if (from.type.form != type.form) {
    fail(codes::representation,
         fmt::format("{} stands where {} is needed.", describe(from.type), describe(type)));
  }
  Node node{.kind = Node::Kind::convert, .type = type};
  node.operands = {id};
  node.term = from.term;
  return add(std::move(node));
}

NodeId Typing::in_sort(NodeId id, term::SortId sort) {
  const Representation& values = axioms_.representation(sort);
  return values.promotes ? id : in_type(id, {values.kind, values.scalar});
}

NodeId Typing::node(TermId term, Scope& scope) {
  watch_.check_stack();
  const term::LocationId outer = watch_.enter(store_.location(term));
  const NodeId id = compute(term, scope);
  watch_.leave(outer);
  return id;
}

NodeId Typing::compute(TermId term, Scope& scope) {
  switch (store_.head(term).kind) {
    case SymbolKind::variable:
      return read(store_.symbol(term), scope, term);
    case SymbolKind::integer_literal:
    case SymbolKind::real_literal:
      return literal(term);
    case SymbolKind::control:
      return control(term, scope);
    default: {
      std::vector<NodeId> operands;
      for (TermId argument : store_.children(term)) operands.push_back(node(argument, scope));
      return call(store_.symbol(term), std::move(operands), term);
    }
  }
}

NodeId Typing::truth(TermId term, Scope& scope) { return in_type(node(term, scope), truth_type); }

NodeId Typing::integer(TermId term, Scope& scope) {
  return in_type(node(term, scope), integer_type);
}

// A counter counts in int64, whatever its sort.
NodeId Typing::read(SymbolId symbol, const Scope& scope, TermId term) {
  const auto found = scope.variables.find(symbol);
  if (found == scope.variables.end()) {
    fail(codes::unset,
         fmt::format("The variable `{}` is read before it is set.", store_[symbol].name));
  }
  const auto [slot, type] = found->second;
  return in_sort(variable(slot, type, term), store_[symbol].result);
}

namespace {

Type type_of_any(const Value& value) {
  if (std::holds_alternative<Index>(value)) return index_type;
  if (const Array* array = std::get_if<Array>(&value)) {
    return {Form::array, widened(array->element)};
  }
  return {Form::scalar, widened(type_of(value))};
}

}  // namespace

Type Typing::type_of_value(const Value& value, term::SortId sort) {
  const Representation& wanted = axioms_.representation(sort);
  const Type given = type_of_any(value);
  const bool fits =
      given.form == wanted.kind && (wanted.promotes || given.scalar == widened(wanted.scalar));
  if (fits) return given;
  fail(codes::arguments, fmt::format("A value of type `{}` has to be {}; {} is given.",
                                     store_.name(sort), describe(wanted), describe(value)));
}

Type Typing::type_of_sort(term::SortId sort) {
  const Representation& values = axioms_.representation(sort);
  return {values.kind, values.scalar};
}

NodeId Typing::literal(TermId term) {
  const Symbol& head = store_.head(term);
  const Representation& values = axioms_.representation(head.result);
  const bool whole = head.kind == SymbolKind::integer_literal;
  if (values.kind == Form::index) {
    fail(codes::representation,
         fmt::format("The number {} stands where an index is needed.", head.name));
  }
  Value value = whole ? Value(head.integer) : Value(head.real);
  Scalar type = whole ? Scalar::int64 : Scalar::float64;
  if (!values.promotes) type = values.scalar;
  // Rounded once, from the spelling, as a compiler would.
  if (!whole && type == Scalar::float32) value = std::strtof(head.name.c_str(), nullptr);
  value = convert(value, type);
  if (values.kind == Form::array) {
    Elements elements = make_elements(type, 1);
    set_element(elements, 0, value);
    value = make_array({}, std::move(elements));
  }
  Node node{.kind = Node::Kind::constant, .type = {values.kind, type}};
  node.constant = std::move(value);
  node.term = term;
  return add(std::move(node));
}

NodeId Typing::control(TermId term, Scope& scope) {
  switch (store_.head(term).control) {
    case Control::if_: {
      const auto parts = store_.children(term);
      const NodeId condition = truth(parts[0], scope);
      const NodeId then = node(parts[1], scope);
      return choose(condition, then, node(parts[2], scope), term);
    }
    case Control::fold:
      return fold(term, scope);
    case Control::forall:
      return forall(term, scope);
    case Control::vector_:
      return vector(term, scope);
    case Control::block:
      return block(term, scope);
    default:
      fail(codes::no_meaning, fmt::format("The statement `{}` has no meaning in an expression.",
                                          to_string(store_, term)));
  }
}

NodeId Typing::choose(NodeId condition, NodeId then, NodeId otherwise, TermId term) {
  const Type type = joined((*this)[then].type, (*this)[otherwise].type);
  Node node{.kind = Node::Kind::choose, .type = type};
  node.operands = {condition, in_type(then, type), in_type(otherwise, type)};
  node.term = term;
  return add(std::move(node));
}

// The function of scalars that an operation is, if it is one.
std::optional<ScalarFunction> Typing::scalar_function(SymbolId operation) const {
  const onf::Primitive* primitive = axioms_.primitive(operation);
  if (primitive == nullptr) return onf::builtin_function(store_, operation);
  if (primitive->kind != onf::Primitive::Kind::scalar) return std::nullopt;
  return primitive->function;
}

std::optional<Value> Typing::unit(SymbolId operation, Scalar type) const {
  const auto function = scalar_function(operation);
  return function ? unit_of(*function, type) : std::nullopt;
}

NodeId Typing::fold(TermId term, Scope& scope) {
  const auto parts = store_.children(term);
  const SymbolId counter = store_.bound(term)[0];
  const SymbolId operation = store_.head(term).operation;
  Node fold{.kind = Node::Kind::fold, .type = {}};
  fold.term = term;
  const NodeId count = integer(parts[0], scope);
  fold.slot = scope.add(counter, integer_type);
  const std::size_t so_far = scope.slots;  // before the slots of folds in the element
  scope.slots += 2;
  const NodeId element = node(parts[1], scope);

  // The narrowest type that holds the elements and what they are folded to. Connectives make
  // truth values of whatever they are given.
  const auto function = scalar_function(operation);
  const bool logical = function == ScalarFunction::and_ || function == ScalarFunction::or_;
  fold.type = logical ? truth_type : (*this)[element].type;
  for (;;) {
    const NodeId both =
        call(operation, {variable(so_far, fold.type), variable(so_far + 1, fold.type)}, term);
    const Type wider = logical ? fold.type : joined(fold.type, (*this)[both].type);
    if (wider == fold.type) {
      fold.operands = {count, in_type(element, fold.type), in_type(both, fold.type)};
      break;
    }
    fold.type = wider;
  }
  if (fold.type.form == Form::scalar) {
    // The smallest of no truth values is 1, the greatest 0.
    const bool least = function == ScalarFunction::minimum;
    const bool extreme = least || function == ScalarFunction::maximum;
    const bool truths = extreme && (*this)[element].type == truth_type && fold.type != truth_type;
    fold.constant =
        truths ? convert(Value(least), fold.type.scalar) : unit(operation, fold.type.scalar);
  }
  return in_sort(add(std::move(fold)), store_.sort(term));
}

NodeId Typing::forall(TermId term, Scope& scope) {
  const auto parts = store_.children(term);
  const SymbolId variable = store_.bound(term)[0];
  const Representation result = axioms_.representation(store_.sort(term));
  Node forall{.kind = result.kind == Form::scalar ? Node::Kind::all : Node::Kind::build,
              .type = {}};
  forall.term = term;
  forall.by_index = axioms_.representation(store_[variable].result).kind == Form::index;
  const NodeId bound = node(parts[0], scope);
  if (forall.by_index && (*this)[bound].type.form != Form::index) {
    fail(codes::representation, "The bound of an index is a vector of lengths.");
  }
  forall.slot = scope.add(variable, forall.by_index ? index_type : integer_type);
  const bool outside = std::exchange(in_element_, in_element_ || result.kind == Form::array);
  const NodeId body = node(parts[1], scope);
  in_element_ = outside;
  if (result.kind == Form::scalar) {
    forall.type = truth_type;
  } else if (result.kind == Form::index) {
    forall.type = index_type;
  } else {
    forall.type = {Form::array, result.promotes ? (*this)[body].type.scalar : result.scalar};
  }
  forall.operands = {bound, in_type(body, {Form::scalar, forall.type.scalar})};
  for (SymbolId free : term::free_variables(store_, term)) {
    const auto found = scope.variables.find(free);
    if (found != scope.variables.end()) forall.free_slots.push_back(found->second.first);
  }
  return add(std::move(forall));
}

NodeId Typing::vector(TermId term, Scope& scope) {
  const Representation values = axioms_.representation(store_.sort(term));
  if (values.kind == Form::scalar) {
    fail(codes::representation, fmt::format("A vector stands where a value of type `{}` is needed.",
                                            store_.name(store_.sort(term))));
  }
  std::vector<NodeId> components;
  Type type{Form::scalar, Scalar::int64};
  for (TermId component : store_.children(term)) {
    components.push_back(node(component, scope));
    type = components.size() == 1 ? (*this)[components[0]].type
                                  : joined(type, (*this)[components.back()].type);
  }
  if (!values.promotes) type.scalar = values.scalar;
  if (values.kind == Form::index) type.scalar = Scalar::int64;
  Node vector{.kind = Node::Kind::vector, .type = {values.kind, type.scalar}};
  for (NodeId component : components) vector.operands.push_back(in_type(component, type));
  vector.term = term;
  return add(std::move(vector));
}

}  // namespace rhopsi::reference
