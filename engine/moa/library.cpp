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

namespace {

// How often a term reads elements of a variable. Each answer is nothing where that may be any
// number of times.
class Reads {
 public:
  explicit Reads(const Library::Contents& contents) : contents_(contents), store_(contents.store) {}

  std::optional<int> of(TermId term, SymbolId variable, int depth = 0) const {
    if (store_.symbol(term) == variable) return std::nullopt;  // as a whole
    const auto children = store_.children(term);
    int count = 0;
    for (std::size_t k = 0; k < children.size(); ++k) {
      const bool whole = store_.symbol(children[k]) == variable;
      const auto within = whole ? of_argument(store_.symbol(term), k, children.size(), depth)
                                : of(children[k], variable, depth);
      if (!within) return std::nullopt;
      count += *within;
    }
    if (count > 0 && store_.has_binder(term)) return std::nullopt;
    return count;
  }

 private:
  // By psi one, by its shape and what is made of that, as `dim` is, none.
  std::optional<int> of_argument(SymbolId called, std::size_t k, std::size_t count,
                                 int depth) const {
    constexpr int deepest = 8;
    const term::Symbol& head = store_[called];
    if (head.kind != SymbolKind::function || depth > deepest) return std::nullopt;
    if (head.name == contents_.element_name && count == 2 && k == 1) return 1;
    if (head.name == contents_.shape_name && count == 1) return 0;
    if (contents_.is_array(head.result)) return std::nullopt;
    const auto none = [&](TermId meaning, const std::vector<SymbolId>& parameters) {
      return of(meaning, parameters[k], depth + 1) == 0 ? std::optional(0) : std::nullopt;
    };
    if (const auto found = contents_.meanings.find(called); found != contents_.meanings.end()) {
      const Equation& only = found->second.front();
      return found->second.size() == 1 ? none(only.right, only.parameters) : std::nullopt;
    }
    const auto found = contents_.callables.find(called);
    const bool has_body = found != contents_.callables.end() && found->second->body;
    return has_body ? none(*found->second->body, found->second->parameters) : std::nullopt;
  }

  const Library::Contents& contents_;
  const Store& store_;
};

}  // namespace

bool reads_once(const Library::Contents& contents, SymbolId operation, std::size_t argument) {
  const Reads reads(contents);
  const auto at_most_one = [&](std::span<const TermId> parts, SymbolId parameter) {
    int count = 0;
    return std::ranges::all_of(parts, [&](TermId part) {
      const auto found = reads.of(part, parameter);
      count += found.value_or(2);
      return count <= 1;
    });
  };
  if (const auto found = contents.elements.find(operation); found != contents.elements.end()) {
    return std::ranges::all_of(found->second, [&](const Equation& equation) {
      std::vector<TermId> parts{equation.right};
      if (equation.condition) parts.push_back(*equation.condition);
      return at_most_one(parts, equation.parameters[argument]);
    });
  }
  // Or a body has been made of its axioms, an element for each index.
  const auto found = contents.callables.find(operation);
  const auto body = found == contents.callables.end() ? std::nullopt : found->second->body;
  if (!body || !contents.store.is(*body, term::Control::forall)) return false;
  return at_most_one(contents.store.children(*body), found->second->parameters[argument]);
}

}  // namespace rhopsi::moa
