#include <fmt/format.h>

#include "backends/reference/arrays.hpp"
#include "backends/reference/failure.hpp"
#include "backends/reference/machine.hpp"
#include "backends/reference/scalars.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::reference {

using onf::Representation;
using term::Control;
using term::SymbolId;
using term::TermId;

Value Machine::control_value(TermId term) {
  switch (store_.head(term).control) {
    case Control::block:
      if (std::optional<Value> value = run_block(term)) return std::move(*value);
      break;
    case Control::if_: {
      const auto parts = store_.children(term);
      return evaluate(truth(parts[0]) ? parts[1] : parts[2]);
    }
    case Control::fold:
      return fold(term);
    case Control::forall:
      return forall(term);
    case Control::vector_:
      return vector(term);
    default:
      break;
  }
  fail(codes::internal, "A statement without a value stands where a value is needed.");
}

void Machine::control_statement(TermId term) {
  const auto parts = store_.children(term);
  switch (store_.head(term).control) {
    case Control::block:
      run_block(term);
      return;
    case Control::declare:
      return run_declaration(term);
    case Control::assign:
      return write(store_.symbol(parts[0]), evaluate(parts[1]));
    case Control::value:
      evaluate(parts[0]);
      return;
    case Control::skip:
      return;
    case Control::assert_:
      return run_assertion(term);
    case Control::if_:
      return execute(truth(parts[0]) ? parts[1] : parts[2]);
    case Control::for_:
      return run_for(term);
    case Control::iterate:
      return run_iterate(term);
    case Control::while_:
      return run_while(term);
    default:
      fail(codes::internal, "An unknown statement is met.");
  }
}

// The value is that of the first `value` directly inside.
std::optional<Value> Machine::run_block(TermId term) {
  for (TermId statement : store_.children(term)) {
    if (store_.is(statement, Control::value)) return evaluate(store_.children(statement)[0]);
    execute(statement);
  }
  return std::nullopt;
}

void Machine::run_declaration(TermId term) {
  const auto parts = store_.children(term);
  const SymbolId variable = store_.symbol(parts[0]);
  if (parts.size() > 1) {
    write(variable, evaluate(parts[1]));
  } else {
    frame_->erase(variable);  // a loop's body declares it again
  }
}

void Machine::run_assertion(TermId term) {
  const TermId condition = store_.children(term)[0];
  if (truth(condition)) return;
  fail(codes::assertion,
       fmt::format("The assertion `{}` does not hold.", to_string(store_, condition)));
}

void Machine::run_for(TermId term) {
  const auto parts = store_.children(term);
  const SymbolId counter = store_.bound(term)[0];
  const onf::Scalar type = scalar_of_sort(store_[counter].result);
  const std::int64_t low = integer(parts[0]);
  const std::int64_t high = integer(parts[1]);
  for (std::int64_t i = low; i < high; ++i) {
    write(counter, integer_value(i, type));
    execute(parts[2]);
  }
}

void Machine::run_iterate(TermId term) {
  const auto parts = store_.children(term);
  const std::int64_t count = integer(parts[0]);
  for (std::int64_t i = 0; i < count; ++i) execute(parts[1]);
}

void Machine::run_while(TermId term) {
  const auto parts = store_.children(term);
  const std::int64_t bound = integer(parts[1]);
  for (std::int64_t i = 0; i < bound && truth(parts[0]); ++i) execute(parts[2]);
}

Value Machine::fold(TermId term) {
  const auto parts = store_.children(term);
  const SymbolId counter = store_.bound(term)[0];
  const SymbolId operation = store_.head(term).operation;
  const onf::Scalar type = scalar_of_sort(store_[counter].result);
  const std::int64_t count = integer(parts[0]);
  std::optional<Value> result;
  ++loop_depth_;
  for (std::int64_t k = 0; k < count; ++k) {
    write(counter, integer_value(k, type));
    Value element = evaluate(parts[1]);
    result = result ? apply_symbol(operation, {std::move(*result), std::move(element)})
                    : std::move(element);
  }
  if (--loop_depth_ == 0) memo_.clear();
  if (!result) result = unit(operation, store_.sort(term));
  if (!result) {
    fail(codes::empty_fold,
         fmt::format("A fold over no elements has no value: no unit of {} is known.",
                     name(operation)));
  }
  return std::move(*result);
}

std::optional<Value> Machine::unit(SymbolId operation, term::SortId sort) {
  const Representation& values = representation(sort);
  if (values.kind != Representation::Kind::scalar) return std::nullopt;
  const term::Callable* callable = concrete(operation);
  if (callable == nullptr) {
    const auto function = onf::builtin_function(store_, operation);
    return function ? unit_of(*function, values.scalar) : std::nullopt;
  }
  if (callable->body || !table_.closed(callable->external->block->backend)) return std::nullopt;
  const onf::Primitive& found = primitive(*callable);
  if (found.kind != onf::Primitive::Kind::scalar) return std::nullopt;
  return unit_of(found.function, values.scalar);
}

Value Machine::forall(TermId term) {
  const auto parts = store_.children(term);
  const Value bounds = evaluate(parts[0]);
  std::vector<std::int64_t> shape;
  if (const Index* index = std::get_if<Index>(&bounds)) {
    shape = *index;
  } else {
    shape.push_back(std::get<std::int64_t>(convert(bounds, onf::Scalar::int64)));
  }
  ++loop_depth_;
  Value result = representation(store_.sort(term)).kind == Representation::Kind::array
                     ? forall_array(term, std::move(shape))
                     : Value(forall_predicate(term, shape));
  if (--loop_depth_ == 0) memo_.clear();
  return result;
}

Value Machine::index_or_counter(SymbolId variable, const Index& index) {
  const Representation& values = representation(store_[variable].result);
  if (values.kind == Representation::Kind::index) return index;
  if (values.kind != Representation::Kind::scalar || index.size() != 1) {
    fail(codes::shapes, fmt::format("The variable `{}` cannot hold an index of {} components.",
                                    store_[variable].name, index.size()));
  }
  return integer_value(index[0], values.scalar);
}

Value Machine::forall_array(TermId term, std::vector<std::int64_t> shape) {
  const SymbolId variable = store_.bound(term)[0];
  const onf::Scalar type = representation(store_.sort(term)).scalar;
  const TermId element = store_.children(term)[1];
  Elements elements = make_elements(type, count_elements(shape));
  for_each_index(shape, [&](const Index& index, std::size_t position) {
    write(variable, index_or_counter(variable, index));
    set_element(elements, position, convert(evaluate(element), type));
  });
  return built_array(std::move(shape), std::move(elements));
}

bool Machine::forall_predicate(TermId term, std::span<const std::int64_t> shape) {
  const SymbolId variable = store_.bound(term)[0];
  const TermId condition = store_.children(term)[1];
  bool holds = true;
  for_each_index(shape, [&](const Index& index, std::size_t) {
    if (!holds) return;
    write(variable, index_or_counter(variable, index));
    holds = truth(condition);
  });
  return holds;
}

Value Machine::vector(TermId term) {
  Index components;
  for (TermId component : store_.children(term)) components.push_back(integer(component));
  const Representation& values = representation(store_.sort(term));
  if (values.kind == Representation::Kind::index) return components;
  if (values.kind != Representation::Kind::array) {
    fail(codes::representation,
         fmt::format("A vector is written where a value of type `{}` is needed.",
                     store_.name(store_.sort(term))));
  }
  Elements elements = make_elements(values.scalar, components.size());
  for (std::size_t i = 0; i < components.size(); ++i) {
    set_element(elements, i, integer_value(components[i], values.scalar));
  }
  return built_array({static_cast<std::int64_t>(components.size())}, std::move(elements));
}

}  // namespace rhopsi::reference
