#include "backends/reference/machine.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "backends/reference/failure.hpp"
#include "backends/reference/scalars.hpp"

namespace rhopsi::reference {

using onf::Representation;
using onf::Scalar;
using term::LocationId;
using term::SortId;
using term::Symbol;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;

Machine::Machine(const term::Store& store, const term::Program& program,
                 const onf::PrimitiveTable& table, Options options)
    : store_(store),
      program_(program),
      table_(table),
      options_(std::move(options)),
      watch_(options_.stack_bytes),
      memo_(store) {
  for (const term::Callable& callable : program.callables) {
    callables_.emplace(callable.symbol, &callable);
  }
  if (!onf::has_own_shapes(store, program, table)) return;
  DefinitionLimits limits;
  limits.depth = options_.max_call_depth;
  limits.stack_bytes = options_.stack_bytes;
  expressions_ = std::make_unique<ProgramExpressions>(store, program, table, limits, watch_, *this);
}

void Machine::start() {
  frame_ = nullptr;
  watch_.start();
  depth_ = 0;
  loop_depth_ = 0;
  memo_.clear();
  if (expressions_) expressions_->start();
}

Value Machine::evaluate_from_outside(TermId term, Frame variables) {
  frame_ = &variables;
  return evaluate(term);
}

Value Machine::evaluate(TermId term) {
  if (expressions_) return expressions_->evaluate(term, *frame_);
  watch_.check_stack();
  const LocationId outer = watch_.enter(store_.location(term));
  std::optional<Value> value;
  if (loop_depth_ > 0) value = remember(term);
  if (!value) value = compute(term);
  watch_.leave(outer);
  return std::move(*value);
}

// The value of an array-valued term, computed anew where a variable in it has changed.
std::optional<Value> Machine::remember(TermId term) {
  const Symbol& head = store_.head(term);
  if (head.kind == SymbolKind::variable || head.kind == SymbolKind::predicate) return std::nullopt;
  if (representation(head.result).kind != Representation::Kind::array) return std::nullopt;
  std::vector<Value> variables;
  for (SymbolId variable : memo_.free_variables(term)) {
    const auto found = frame_->find(variable);
    if (found == frame_->end()) return std::nullopt;
    variables.push_back(found->second);
  }
  if (const Value* found = memo_.find(term, variables)) return *found;
  Value value = compute(term);
  memo_.keep(term, std::move(variables), value);
  return value;
}

Value Machine::compute(TermId term) {
  switch (store_.head(term).kind) {
    case SymbolKind::variable:
      return read(store_.symbol(term));
    case SymbolKind::integer_literal:
    case SymbolKind::real_literal:
      return literal(term);
    case SymbolKind::control:
      return control_value(term);
    default:
      return call_term(term);
  }
}

void Machine::execute(TermId term) {
  const Symbol& head = store_.head(term);
  if (store_.sort(term) != store_.statement_sort() && head.kind != SymbolKind::procedure) {
    evaluate(term);
    return;
  }
  watch_.check_stack();
  const LocationId outer = watch_.enter(store_.location(term));
  if (head.kind == SymbolKind::control) {
    control_statement(term);
  } else {
    call_procedure(term);
  }
  watch_.leave(outer);
}

Value Machine::literal(TermId term) {
  const Symbol& head = store_.head(term);
  const Scalar type = scalar_of_sort(head.result);
  if (head.kind == SymbolKind::integer_literal) return integer_value(head.integer, type);
  // Rounded once, from the spelling, as a compiler would.
  if (type == Scalar::float32) return std::strtof(head.name.c_str(), nullptr);
  return convert(Value(head.real), type);
}

Value Machine::read(SymbolId variable) const {
  const auto found = frame_->find(variable);
  if (found == frame_->end()) {
    fail(codes::unset,
         fmt::format("The variable `{}` is read before it is set.", store_[variable].name));
  }
  return found->second;
}

void Machine::write(SymbolId variable, Value value) {
  frame_->insert_or_assign(variable, std::move(value));
}

std::int64_t Machine::integer(TermId term) {
  const Value value = evaluate(term);
  if (const auto* wide = std::get_if<std::int64_t>(&value)) return *wide;
  if (const auto* narrow = std::get_if<std::int32_t>(&value)) return *narrow;
  fail(codes::representation,
       fmt::format("An integer is needed here; this is {}.", describe(value)));
}

bool Machine::truth(TermId term) {
  const Value value = evaluate(term);
  if (const bool* held = std::get_if<bool>(&value)) return *held;
  fail(codes::representation,
       fmt::format("A truth value is needed here; this is {}.", describe(value)));
}

const Representation& Machine::representation(SortId sort) {
  const auto known = representations_.find(sort);
  if (known != representations_.end()) return known->second;
  auto found = representation_of(store_, program_, sort, table_);
  if (!found) {
    fail(codes::representation,
         fmt::format("The type `{}` has no values: it is bound to no external type.",
                     store_.name(sort)));
  }
  return representations_.emplace(sort, std::move(*found)).first->second;
}

Scalar Machine::scalar_of_sort(SortId sort) {
  const Representation& found = representation(sort);
  if (found.kind != Representation::Kind::scalar) {
    fail(codes::representation, fmt::format("A scalar is needed here; values of type `{}` are {}.",
                                            store_.name(sort), describe(found)));
  }
  return found.scalar;
}

}  // namespace rhopsi::reference
