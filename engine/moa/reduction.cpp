#include "engine/moa/reduction.hpp"

#include <algorithm>

#include "engine/onf/print.hpp"

namespace rhopsi::moa {

using term::Control;
using term::LocationId;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;

const Value* Environment::find(SymbolId variable) const {
  for (const Environment* scope = this; scope != nullptr; scope = scope->parent) {
    for (auto it = scope->values.rbegin(); it != scope->values.rend(); ++it) {
      if (it->first == variable) return &it->second;
    }
  }
  return nullptr;
}

Reduction::Reduction(const Library::Contents& library, NormalForm& form, const Limits& limits)
    : library_(library),
      store_(library.store),
      form_(form),
      expressions_(*form.expressions),
      limits_(limits),
      nodes_(form.expressions->count()),
      facts_(*form.expressions),
      types_(library) {}

void Reduction::fail(const char* code, std::string message, std::string advice,
                     LocationId location) const {
  throw Failure{{code, std::move(message), std::move(advice), location, false}};
}

void Reduction::undefined(const char* code, std::string message, LocationId location) const {
  throw Failure{{code, std::move(message), {}, location, path_.empty() && rounds_ == 0}};
}

std::string Reduction::name(SymbolId symbol) const { return store_[symbol].name; }

ArrayPointer Reduction::make(ArrayValue value) {
  value.id = arrays_++;
  return std::make_shared<const ArrayValue>(std::move(value));
}

ArrayPointer Reduction::leaf(LeafId id) {
  const Leaf& leaf = form_.leaves[number(id)];
  ArrayValue value;
  value.leaf = id;
  value.element = promoted(leaf.element, Scalar::boolean);
  value.shape = leaf.lengths;
  for (std::uint32_t axis = 0; axis < leaf.rank() && leaf.lengths.empty(); ++axis) {
    const auto known = leaf.shape[axis];
    value.shape.push_back(known ? expressions_.integer(*known) : expressions_.extent(id, axis));
  }
  return make(std::move(value));
}

void Reduction::constant(SymbolId operation, Value value) {
  constants_.insert_or_assign(operation, std::move(value));
}

void Reduction::store(std::span<const TermId> terms, LeafId id, const Vector& shape) {
  ArrayValue value;
  value.leaf = id;
  value.element = promoted(form_.leaves[number(id)].element, Scalar::boolean);
  value.shape = shape;
  const ArrayPointer array = make(std::move(value));
  for (TermId term : terms) stored_.emplace(term, array);
}

Scalar Reduction::type_of(const Value& value) const {
  if (const ExprId* number = std::get_if<ExprId>(&value)) return expressions_[*number].type;
  const ArrayPointer* array = std::get_if<ArrayPointer>(&value);
  return array != nullptr ? (*array)->element : Scalar::int64;
}

TypeScope Reduction::types_in(const Environment& environment) const {
  TypeScope types;
  if (environment.parent != nullptr) types = types_in(*environment.parent);
  for (const auto& [variable, value] : environment.values) {
    types.emplace_back(variable, type_of(value));
  }
  return types;
}

// What is written into each other may be reduced into each other: of that there is an end.
void Reduction::allow_depth_of(TermId term) {
  constexpr std::size_t rules_each = 8;
  std::size_t deepest = 0;
  std::vector<std::pair<TermId, std::size_t>> work{{term, 1}};
  while (!work.empty()) {
    const auto [each, depth] = work.back();
    work.pop_back();
    deepest = std::max(deepest, depth);
    for (TermId child : store_.children(each)) work.emplace_back(child, depth + 1);
  }
  limits_.depth += rules_each * deepest;
}

ArrayPointer Reduction::array(TermId term, const Environment& environment) {
  if (depth_ == 0) allow_depth_of(term);
  return std::get<ArrayPointer>(evaluate(term, environment));
}

ExprId Reduction::scalar(TermId term, const Environment& environment) {
  const Value value = evaluate(term, environment);
  if (const ExprId* found = std::get_if<ExprId>(&value)) return *found;
  fail("E0532", "a number is needed here", "", store_.location(term));
}

Vector Reduction::vector(TermId term, const Environment& environment) {
  Value value = evaluate(term, environment);
  if (Vector* found = std::get_if<Vector>(&value)) return std::move(*found);
  fail("E0532", "an index vector is needed here", "", store_.location(term));
}

Vector Reduction::numbers(TermId term, const Environment& environment) {
  allow_depth_of(term);
  Value value = evaluate(term, environment);
  if (const ExprId* number = std::get_if<ExprId>(&value)) return {*number};
  if (Vector* found = std::get_if<Vector>(&value)) return std::move(*found);
  fail("E0532", "a number is needed here", "", store_.location(term));
}

Value Reduction::evaluate(TermId term, const Environment& environment) {
  if (!stored_.empty()) {
    if (const auto found = stored_.find(term); found != stored_.end()) return found->second;
  }
  if (++depth_ > limits_.depth) {
    fail("E0533",
         "the rules did not come to an end within the depth of " + std::to_string(limits_.depth),
         "a rule may lead back to itself", store_.location(term));
  }
  const auto* here = static_cast<const char*>(__builtin_frame_address(0));
  const auto used = static_cast<std::size_t>(here < stack_base_ ? stack_base_ - here : 0);
  if (used > limits_.stack_bytes) {
    fail("E0533", "the expression is nested too deeply to be reduced", "split the expression",
         store_.location(term));
  }
  if (expressions_.count() - nodes_ > limits_.nodes) {
    fail("E0533", "the normal form has more than " + std::to_string(limits_.nodes) + " nodes",
         "split the expression", store_.location(term));
  }
  ++form_.evaluations;
  Value value = evaluate_head(term, environment);
  --depth_;
  return value;
}

Value Reduction::evaluate_head(TermId term, const Environment& environment) {
  const term::Symbol& head = store_.head(term);
  switch (head.kind) {
    case SymbolKind::variable: {
      if (const Value* value = environment.find(store_.symbol(term))) return *value;
      fail("E0532", "`" + head.name + "` has no value here", "", store_.location(term));
    }
    case SymbolKind::integer_literal:
    case SymbolKind::real_literal:
      return literal(term);
    case SymbolKind::function:
    case SymbolKind::predicate:
      return call(term, environment);
    case SymbolKind::control:
      break;
    case SymbolKind::procedure:
      fail("E0532", "an array expression calls no procedures", "", store_.location(term));
  }
  switch (head.control) {
    case Control::vector_:
      return listed(term, environment);
    case Control::if_:
      return branch(term, environment);
    case Control::fold:
      return fold(term, environment);
    case Control::forall:
      return forall(term, environment);
    case Control::block:
      return block(term, environment);
    default:
      fail("E0532", "this statement has no place in an expression", only_values,
           store_.location(term));
  }
}

// A literal of an array sort is an array of rank 0.
Value Reduction::literal(TermId term) {
  const term::Symbol& head = store_.head(term);
  const onf::Representation* found = library_.representation(head.result);
  if (found == nullptr) {
    fail("E0532", "literals of the type " + store_.name(head.result) + " have no value here", "",
         store_.location(term));
  }
  ExprId value{};
  if (head.kind == SymbolKind::integer_literal) {
    value = expressions_.integer(head.integer);
    if (!found->promotes) value = expressions_.converted(value, found->scalar);
  } else {
    value = expressions_.real(head.real,
                              found->scalar == Scalar::float32 ? Scalar::float32 : Scalar::float64);
  }
  if (found->kind != onf::Representation::Kind::array) return value;
  ArrayValue array;
  array.kind = ArrayValue::Kind::listed;
  array.components = {value};
  array.element = expressions_[value].type;
  return make(std::move(array));
}

Value Reduction::listed(TermId term, const Environment& environment) {
  Vector components;
  const std::size_t count = store_.children(term).size();
  for (std::size_t k = 0; k < count; ++k) {
    components.push_back(scalar(store_.children(term)[k], environment));
  }
  const onf::Representation* found = library_.representation(store_.sort(term));
  if (found != nullptr && found->kind == onf::Representation::Kind::index) return components;
  ArrayValue array;
  array.kind = ArrayValue::Kind::listed;
  array.shape = {expressions_.integer(static_cast<std::int64_t>(count))};
  if (found != nullptr && !found->promotes) {
    for (ExprId& value : components) value = expressions_.converted(value, found->scalar);
  }
  array.element = types_.of(term, types_in(environment));
  array.components = std::move(components);
  return make(std::move(array));
}

ExprId Reduction::element(const ArrayPointer& array, const Vector& index) {
  const Key key{array->id, context_, index};
  if (const auto found = elements_.find(key); found != elements_.end()) return found->second;
  const ExprId result = expressions_.converted(computed_element(array, index), array->element);
  elements_.emplace(key, result);
  return result;
}

// 0 <= index < count
ExprId Reduction::below(ExprId index, ExprId count) {
  return expressions_.apply(
      ScalarFunction::and_,
      {expressions_.apply(ScalarFunction::less_equal, {expressions_.integer(0), index}),
       expressions_.apply(ScalarFunction::less, {index, count})});
}

// An element that is asked for by its index. Loads are tested where they are made; what computes an
// element of any other array takes the index for one of its own. What a rule asks for exists where
// the element does that the rule is about, which is what a proof of the rule says.
ExprId Reduction::accessed(const ArrayPointer& array, const Vector& index,
                           const Environment& environment, LocationId location) {
  const bool load = array->kind == ArrayValue::Kind::leaf && !ends_early_;
  const bool tested = (load && !limits_.own_accesses) || environment.is_of_rule();
  for (std::size_t axis = 0; !tested && axis < std::min(index.size(), array->shape.size());
       ++axis) {
    const ExprId length = array->shape[axis];
    const ExprId inside = below(index[axis], length);
    if (facts_.decide(inside) == true) continue;
    Complaint complaint("the index ");
    complaint.tell(index[axis], shown(index[axis]))
        .say(" is out of range on axis " + std::to_string(axis) + " of an array of length ")
        .tell(length, shown(length));
    demand(inside, complaint, location, of_components);
  }
  return element(array, index);
}

std::optional<ExprId> Reduction::known_element(const Leaf& leaf, const Vector& index) const {
  if (leaf.elements.empty()) return std::nullopt;
  std::size_t place = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    const auto at = expressions_.constant(index[axis]);
    if (!at || *at < 0 || *at >= *leaf.shape[axis]) return std::nullopt;
    place = place * static_cast<std::size_t>(*leaf.shape[axis]) + static_cast<std::size_t>(*at);
  }
  return leaf.elements[place];
}

ExprId Reduction::computed_element(const ArrayPointer& array, const Vector& index) {
  if (index.size() != array->shape.size()) {
    undefined("E0531",
              "an index of " + std::to_string(index.size()) + " components is no total index of " +
                  "an array with " + std::to_string(array->shape.size()) + " axes",
              array->location);
  }
  switch (array->kind) {
    case ArrayValue::Kind::leaf:
      if (const auto known = known_element(form_.leaves[number(array->leaf)], index)) return *known;
      return expressions_.load(array->leaf, form_.leaves[number(array->leaf)].element, index);
    case ArrayValue::Kind::listed:
      return index.empty() ? array->components[0] : chosen(array->components, index[0]);
    case ArrayValue::Kind::choice: {
      const auto part = [&](std::size_t k) {
        return under(array->condition, k == 0,
                     [&] { return element(std::get<ArrayPointer>(array->arguments[k]), index); });
      };
      const ExprId then = part(0);
      return expressions_.select(array->condition, then, part(1));
    }
    case ArrayValue::Kind::tabled: {
      Environment inner;
      inner.parent = array->environment.get();
      if (library_.is_vector(store_[array->symbol].result)) {
        inner.values.emplace_back(array->symbol, index);
      } else {
        inner.values.emplace_back(array->symbol, index[0]);
      }
      return scalar(array->body, inner);
    }
    case ArrayValue::Kind::folded:
      return folded_element(*array, index);
    case ArrayValue::Kind::call:
      break;
  }
  const auto found = by_rules(library_.elements, array->symbol, array->arguments, &index);
  if (!found) {
    no_rule(library_.element_name + "(" + name(array->symbol) + ")",
            library_.elements.contains(array->symbol), array->location);
  }
  return std::get<ExprId>(*found);
}

// options[at], where `at` is known to lie within them.
ExprId Reduction::chosen(const Vector& options, ExprId at) {
  if (const auto known = expressions_.constant(at)) {
    if (*known >= 0 && *known < static_cast<std::int64_t>(options.size())) {
      return options[static_cast<std::size_t>(*known)];
    }
  }
  // No index reaches an array without elements; its elements count as 0.
  if (options.empty()) return expressions_.integer(0);
  ExprId result = options.back();
  for (std::size_t k = options.size() - 1; k-- > 0;) {
    const ExprId here = expressions_.apply(
        ScalarFunction::equal, {at, expressions_.integer(static_cast<std::int64_t>(k))});
    const auto known = facts_.decide(here);
    result = expressions_.select(known ? expressions_.boolean(*known) : here, options[k], result);
  }
  return result;
}

ExprId Reduction::component(const Vector& vector, ExprId at, LocationId location) {
  const auto known = expressions_.constant(at);
  const auto count = static_cast<std::int64_t>(vector.size());
  if (known && (*known < 0 || *known >= count)) {
    const std::string message = "an index vector of " + std::to_string(count) +
                                " components has no component " + std::to_string(*known);
    // In a branch that the run may never take it is no error yet.
    if (is_reached()) undefined(of_components, message, location);
    test_on_entry(expressions_.boolean(false), message, location, of_components);
    return expressions_.integer(0);
  }
  if (!known) {
    const ExprId inside = below(at, expressions_.integer(count));
    Complaint complaint("an index vector of " + std::to_string(count) +
                        " components has no component ");
    complaint.tell(at, shown(at));
    if (facts_.decide(inside) != true) demand(inside, complaint, location, of_components);
  }
  return chosen(vector, at);
}

}  // namespace rhopsi::moa
