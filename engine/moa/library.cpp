#include "engine/moa/library.hpp"

#include <algorithm>

namespace rhopsi::moa {

using onf::Primitive;
using onf::Representation;
using term::Rule;
using term::Store;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;

namespace {

// The arguments of a call if they are distinct variables.
std::optional<std::vector<SymbolId>> distinct_variables(const Store& store,
                                                        std::span<const TermId> arguments) {
  std::vector<SymbolId> found;
  for (TermId argument : arguments) {
    const SymbolId variable = store.symbol(argument);
    const bool repeated = std::ranges::find(found, variable) != found.end();
    if (!store.is_variable(argument) || repeated) return std::nullopt;
    found.push_back(variable);
  }
  return found;
}

// Rules whose left side has another form are laws: they say what is equal, not what is meant.
void file(Library::Contents& contents, const Rule& rule) {
  auto subject = subject_of(contents, rule.left);
  if (!subject) return;
  Equation equation;
  equation.name = rule.name;
  equation.index = subject->index;
  equation.parameters = std::move(subject->parameters);
  equation.right = rule.right;
  equation.condition = rule.condition;
  equation.location = rule.location;
  Equations& where = subject->part == Subject::Part::shape     ? contents.shapes
                     : subject->part == Subject::Part::element ? contents.elements
                                                               : contents.meanings;
  where[subject->operation].push_back(std::move(equation));
}

void describe_sorts(Library::Contents& contents, const onf::PrimitiveTable& table) {
  for (const term::Type& type : contents.theory.types) {
    if (const auto found =
            onf::representation_of(contents.store, contents.theory, type.sort, table)) {
      contents.representations.emplace(type.sort, *found);
    }
  }
  const term::SortId predicate = contents.store.predicate_sort();
  contents.representations[predicate] = {Representation::Kind::scalar, Scalar::boolean, {}, false};
}

}  // namespace

const Primitive* Library::Contents::primitive(SymbolId symbol) const {
  const auto found = primitives.find(symbol);
  return found == primitives.end() ? nullptr : &found->second;
}

const Representation* Library::Contents::representation(term::SortId sort) const {
  const auto found = representations.find(sort);
  return found == representations.end() ? nullptr : &found->second;
}

bool Library::Contents::is_array(term::SortId sort) const {
  const Representation* found = representation(sort);
  return found != nullptr && found->kind == Representation::Kind::array;
}

bool Library::Contents::is_vector(term::SortId sort) const {
  const Representation* found = representation(sort);
  return found != nullptr && found->kind == Representation::Kind::index;
}

std::optional<Subject> subject_of(const Library::Contents& contents, TermId left) {
  const Store& store = contents.store;
  Subject subject;
  TermId call = left;
  if (const Primitive* primitive = contents.primitive(store.symbol(left))) {
    const std::span<const TermId> children = store.children(left);
    if (primitive->kind == Primitive::Kind::shape) {
      subject.part = Subject::Part::shape;
      call = children[0];
    } else if (primitive->kind == Primitive::Kind::load && children.size() == 2) {
      if (!store.is_variable(children[0])) return std::nullopt;
      subject.part = Subject::Part::element;
      subject.index = store.symbol(children[0]);
      call = children[1];
    } else {
      return std::nullopt;
    }
  }
  const SymbolKind kind = store.head(call).kind;
  if (kind != SymbolKind::function && kind != SymbolKind::predicate) return std::nullopt;
  subject.operation = store.symbol(call);
  auto parameters = distinct_variables(store, store.children(call));
  if (!parameters) return std::nullopt;
  if (subject.index && std::ranges::find(*parameters, *subject.index) != parameters->end()) {
    return std::nullopt;
  }
  subject.parameters = std::move(*parameters);
  return subject;
}

Library::Library(Store& store, const term::Theory& theory, const onf::PrimitiveTable& table) {
  const term::RuleSet rules = term::rules_of(store, theory);
  contents_ =
      std::unique_ptr<Contents>(new Contents{store, theory, {}, {}, {}, {}, {}, {}, {}, {}});
  describe_sorts(*contents_, table);
  for (const term::Callable& callable : theory.callables) {
    contents_->callables.emplace(callable.symbol, &callable);
    if (auto primitive = onf::primitive_of(store, theory, callable, table)) {
      if (primitive->kind == Primitive::Kind::shape) {
        contents_->shape_name = store[callable.symbol].name;
      } else if (primitive->kind == Primitive::Kind::load) {
        contents_->element_name = store[callable.symbol].name;
      }
      contents_->primitives.emplace(callable.symbol, std::move(*primitive));
    }
  }
  for (const Rule& rule : rules.rules) file(*contents_, rule);
}

Library::~Library() = default;

}  // namespace rhopsi::moa
