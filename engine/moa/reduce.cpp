#include "engine/moa/reduce.hpp"

#include <algorithm>

#include "engine/moa/pieces.hpp"
#include "engine/moa/reduction.hpp"
#include "engine/moa/stored.hpp"

namespace rhopsi::moa {

std::string index_name(std::size_t axis) {
  constexpr std::string_view names = "ijklmn";
  if (axis < names.size()) return std::string(1, names[axis]);
  return "i" + std::to_string(axis);
}

namespace {

// At constant indices; nothing where it depends on more, or in no piece that is known.
std::optional<ExprId> constant_element(const NormalForm& form,
                                       std::span<const std::int64_t> index) {
  Expressions& all = *form.expressions;
  for (const Piece& piece : form.pieces) {
    bool inside = true;
    ExprId element = piece.element;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      const auto low = all.constant(piece.box[axis].low);
      const auto high = all.constant(piece.box[axis].high);
      if (!low || !high) return std::nullopt;
      inside = inside && *low <= index[axis] && index[axis] < *high;
    }
    if (!inside) continue;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      element = all.substitute(element, form.indices[axis], all.integer(index[axis]));
    }
    const Node::Kind kind = all[element].kind;
    const bool constant =
        kind == Node::Kind::integer || kind == Node::Kind::real || kind == Node::Kind::boolean;
    return constant ? std::optional(element) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

Vector constant_elements(const NormalForm& form) {
  constexpr std::int64_t most = 32;
  std::vector<std::int64_t> lengths;
  std::int64_t count = 1;
  for (ExprId length : form.shape) {
    const auto known = form.expressions->constant(length);
    if (!known || *known > most) return {};
    lengths.push_back(*known);
    count *= *known;
    if (count > most) return {};
  }
  Vector elements;
  for (std::int64_t place = 0; place < count; ++place) {
    std::vector<std::int64_t> index(lengths.size());
    std::int64_t rest = place;
    for (std::size_t axis = lengths.size(); axis-- > 0; rest /= lengths[axis]) {
      index[axis] = rest % lengths[axis];
    }
    const auto element = constant_element(form, index);
    if (!element) return {};
    elements.push_back(*element);
  }
  return elements;
}

namespace {

NormalForm form_at(const Place& place) {
  NormalForm form;
  form.expressions = place.expressions;
  form.leaves = place.leaves;
  form.parameters = place.parameters;
  return form;
}

tl::unexpected<Problem> failed(Failure failure, const NormalForm& form) {
  for (const Assumption& each : form.assumptions) failure.problem.assumed.push_back(each.condition);
  return tl::unexpected(std::move(failure.problem));
}

// What the place says, to a reduction of one expression.
class Entered {
 public:
  Entered(const Library& library, const Place& place, NormalForm& form, const Limits& limits)
      : reduction(library.contents(), form, limits) {
    const term::Store& store = library.contents().store;
    environment.of_rule = limits.of_rule;
    for (const auto& [symbol, meaning] : place.meanings) {
      const Value value = std::visit(
          [&](const auto& known) -> Value {
            if constexpr (std::is_same_v<std::decay_t<decltype(known)>, LeafId>) {
              return reduction.leaf(known);
            } else {
              return known;
            }
          },
          meaning);
      if (store[symbol].kind == term::SymbolKind::variable) {
        environment.values.emplace_back(symbol, value);
      } else {
        reduction.constant(symbol, value);
      }
    }
    for (ExprId fact : place.facts) reduction.facts().assume(fact);
  }

  Reduction reduction;
  Environment environment;
};

}  // namespace

Place place_of(std::vector<Leaf> leaves) {
  Place place;
  place.leaves = std::move(leaves);
  for (std::size_t k = 0; k < place.leaves.size(); ++k) {
    place.meanings.emplace_back(place.leaves[k].variable, static_cast<LeafId>(k));
  }
  return place;
}

tl::expected<NormalForm, Problem> reduce(const Library& library, term::TermId expression,
                                         std::vector<Leaf> leaves, const Limits& limits) {
  return reduce(library, expression, place_of(std::move(leaves)), limits);
}

tl::expected<NormalForm, Problem> reduce(const Library& library, term::TermId expression,
                                         const Place& place, const Limits& limits) {
  return reduce(library, expression, place, {}, limits);
}

tl::expected<NormalForm, Problem> reduce(const Library& library, term::TermId expression,
                                         const Place& place, std::span<const Stored> stored,
                                         const Limits& limits) {
  NormalForm form = form_at(place);
  try {
    Entered entered(library, place, form, limits);
    for (const Stored& each : stored) {
      entered.reduction.store(each.occurrences, each.leaf, each.shape);
    }
    const ArrayPointer whole = entered.reduction.array(expression, entered.environment);
    form.shape = whole->shape;
    form.element = whole->element;
    for (std::size_t axis = 0; axis < form.shape.size(); ++axis) {
      form.indices.push_back(form.expressions->make_variable(index_name(axis)));
    }
    form.pieces = split(entered.reduction, form, whole, limits);
  } catch (Failure& failure) {
    return failed(std::move(failure), form);
  }
  return form;
}

std::optional<Vector> shape_of(const Library& library, term::TermId expression, const Place& place,
                               const Limits& limits) {
  NormalForm form = form_at(place);
  try {
    Entered entered(library, place, form, limits);
    return entered.reduction.array(expression, entered.environment)->shape;
  } catch (const Failure&) {
    return std::nullopt;
  }
}

tl::expected<Element, Problem> reduce_element(const Library& library, term::TermId expression,
                                              const Place& place, std::vector<VariableId>& index,
                                              const Vector& inside, const Limits& limits) {
  Element element{form_at(place), {}, 0};
  NormalForm& form = element.form;
  try {
    Entered entered(library, place, form, limits);
    const ArrayPointer whole = entered.reduction.array(expression, entered.environment);
    form.shape = whole->shape;
    form.element = whole->element;
    element.shape_assumptions = form.assumptions.size();
    while (index.size() < form.shape.size()) {
      index.push_back(form.expressions->make_variable(index_name(index.size())));
    }
    Vector at;
    entered.reduction.enter_element();
    for (std::size_t axis = 0; axis < form.shape.size(); ++axis) {
      form.indices.push_back(index[axis]);
      form.parameters.push_back(index[axis]);  // so that nothing is asked for all of them
      at.push_back(form.expressions->variable(index[axis]));
      entered.reduction.facts().range(index[axis], form.expressions->integer(0), form.shape[axis]);
    }
    std::ranges::sort(form.parameters);
    for (ExprId fact : inside) entered.reduction.facts().assume(fact);
    element.value = entered.reduction.element(whole, at);
  } catch (Failure& failure) {
    // What is assumed of an element says nothing where there is none.
    if (!form.shape.empty()) form.assumptions.resize(element.shape_assumptions);
    return failed(std::move(failure), form);
  }
  return element;
}

tl::expected<Numbers, Problem> reduce_numbers(const Library& library, term::TermId expression,
                                              const Place& place, const Limits& limits) {
  Numbers numbers{form_at(place), {}};
  try {
    Entered entered(library, place, numbers.form, limits);
    numbers.values = entered.reduction.numbers(expression, entered.environment);
  } catch (Failure& failure) {
    return failed(std::move(failure), numbers.form);
  }
  return numbers;
}

tl::expected<NormalForm, Problem> require(const Library& library, term::TermId condition,
                                          const std::string& subject, term::LocationId location,
                                          const Place& place, const Limits& limits) {
  NormalForm form = form_at(place);
  try {
    Entered entered(library, place, form, limits);
    entered.reduction.require(condition, entered.environment, subject, location);
  } catch (Failure& failure) {
    return failed(std::move(failure), form);
  }
  return form;
}

}  // namespace rhopsi::moa
