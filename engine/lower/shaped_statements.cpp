// Statements one after the other: declarations, assignments, calls of procedures.
#include <algorithm>

#include "engine/lower/shaped.hpp"
#include "engine/onf/print.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::lower {

using Kind = Representation::Kind;
using moa::ExprId;
using moa::LeafId;

onf::Statements ShapedBody::collected(const std::function<void()>& emit) {
  onf::Statements made;
  onf::Statements* outer = std::exchange(statements_, &made);
  emit();
  statements_ = outer;
  return made;
}

void ShapedBody::statement(TermId term) {
  if (failed()) return;
  const LocationId location = store().location(term);
  const Context::Level level(context_, location);
  if (!level) return;
  if (store().head(term).kind == SymbolKind::procedure) return procedure_call(term);
  const std::vector<TermId> parts = children(term);
  switch (store().head(term).control) {
    case Control::block:
      for (TermId part : parts) statement(part);
      return;
    case Control::declare:
      return declare(term);
    case Control::assign:
      return assign(store().symbol(parts[0]), parts[1], location);
    case Control::skip:
      return;
    case Control::assert_:
      return check_statement(term);
    case Control::if_:
      return if_statement(term);
    case Control::for_:
      return for_statement(term);
    case Control::iterate:
      return iterate_statement(term);
    case Control::while_:
      return while_statement(term);
    default:
      context_.report("E0510", "this statement has no operational form yet", "", location);
  }
}

void ShapedBody::declare(TermId term) {
  const std::vector<TermId> parts = children(term);
  const SymbolId variable = store().symbol(parts[0]);
  const LocationId location = store().location(term);
  // What an earlier round or call has left under this name is another variable.
  state_.meanings.erase(variable);
  slots_.erase(variable);
  if (parts.size() > 1) return assign(variable, parts[1], location);
  const Representation type = context_.represent(store()[variable].result, location);
  if (type.kind == Kind::scalar) make_slots(variable, 1, location);
  if (type.kind == Kind::index) {
    context_.report("E0510",
                    "the number of components of " + store()[variable].name +
                        " is not known where it is declared",
                    "give it a value there", location);
  }
}

void ShapedBody::assign(SymbolId target, TermId value, LocationId location) {
  const term::Symbol variable = store()[target];
  const Representation type = context_.represent(variable.result, location);
  if (failed()) return;
  if (type.kind == Kind::array) {
    value = prepared(value);
    if (failed() || stands_for(target, value, location)) return;
    const auto leaf = array(value, variable.name);
    if (leaf) state_.meanings.insert_or_assign(target, *leaf);
    return;
  }
  if (type.kind == Kind::opaque) {
    context_.report("E0510", "values of this type have no place beside arrays with own shapes", "",
                    location);
    return;
  }
  std::vector<Expr> values;
  const auto known = numbers(value, values);
  if (known) set_numbers(target, values, *known, location);
}

// The value gets a name that it keeps.
void ShapedBody::fix(Expr& value, ExprId& known, const std::string& name, LocationId location) {
  const onf::VariableId held = new_variable(name, value.type.scalar, location);
  known_.ranges.define(held, value);
  emit(onf::Let{held, std::move(value), true}, location);
  value = of(held);
  known = new_parameter(name, value.type.scalar, value);
}

void ShapedBody::make_slots(SymbolId target, std::size_t count, LocationId location) {
  const term::Symbol variable = store()[target];
  const Representation type = context_.represent(variable.result, location);
  const onf::Scalar scalar = type.kind == Kind::index ? onf::Scalar::int64 : type.scalar;
  Slots slots;
  for (std::size_t k = 0; k < count; ++k) {
    slots.variables.push_back(new_variable(variable.name, scalar, location));
    onf::Statements& here = unset_indices_.contains(target) ? first_ : *statements_;
    here.push_back({onf::Let{slots.variables.back(), std::nullopt, false}, location});
    known_.ranges.define(slots.variables.back(), onf::Range{});
  }
  slots_[target] = std::move(slots);
}

// From here on the variable means what its slots hold.
void ShapedBody::read_again(SymbolId target) {
  const term::Symbol variable = store()[target];
  moa::Vector components;
  for (onf::VariableId slot : slots_.at(target).variables) {
    const Expr value = of(slot);
    known_.ranges.define(slot, onf::Range{});
    components.push_back(new_parameter(variable.name, value.type.scalar, value));
    changing_.insert(base_.parameters.back());
  }
  mean(target, std::move(components));
}

// A number, or the components of an index vector.
void ShapedBody::mean(SymbolId target, moa::Vector components) {
  if (context_.represent(store()[target].result, {}).kind == Kind::index) {
    state_.meanings.insert_or_assign(target, std::move(components));
  } else {
    state_.meanings.insert_or_assign(target, components.front());
  }
}

// What is made of lengths and constants stays known by what it is made of.
void ShapedBody::set_numbers(SymbolId target, const std::vector<Expr>& values,
                             const std::vector<ExprId>& known, LocationId location) {
  const term::Symbol variable = store()[target];
  const bool whole = std::ranges::all_of(known, [&](ExprId value) {
    return (*base_.expressions)[value].type == onf::Scalar::int64 && lasting({value});
  });
  if (variable.assignable && !slots_.contains(target)) make_slots(target, values.size(), location);
  const auto slots = slots_.find(target);
  if (slots == slots_.end()) {
    moa::Vector components = known;
    for (std::size_t k = 0; k < values.size() && !whole; ++k) {
      Expr value = values[k];
      fix(value, components[k], variable.name, location);
    }
    return mean(target, std::move(components));
  }
  if (slots->second.variables.size() != values.size()) {
    context_.report("E0515",
                    variable.name + " has " + std::to_string(slots->second.variables.size()) +
                        " components and gets " + std::to_string(values.size()),
                    "use another variable", location);
    return;
  }
  // All are computed before one is changed.
  std::vector<Expr> computed = values;
  for (std::size_t k = 0; k < computed.size() && computed.size() > 1; ++k) {
    const onf::VariableId held = new_variable(variable.name, computed[k].type.scalar, location);
    emit(onf::Let{held, std::move(computed[k]), true}, location);
    computed[k] = of(held);
  }
  for (std::size_t k = 0; k < computed.size(); ++k) {
    emit(onf::Assign{slots->second.variables[k], std::move(computed[k])}, location);
  }
  whole ? mean(target, known) : read_again(target);
}

void ShapedBody::check_statement(TermId term) {
  const LocationId location = store().location(term);
  ExprId known{};
  const auto condition = number(children(term)[0], &known);
  if (!condition || base_.expressions->constant(known) == 1) return;
  const std::string where = onf::place(store(), location);
  emit(onf::Check{*condition,
                  "assertion" + (where.empty() ? "" : " at " + where) + " does not hold", "E0607"},
       location);
  known_.ranges.assume(*condition);
  if (lasting({known})) state_.facts.push_back(known);
}

// --- procedures

void ShapedBody::bind_argument(const Callable& callee, std::size_t number, TermId argument) {
  const SymbolId parameter = callee.parameters[number];
  const term::Mode mode = store()[callee.symbol].modes[number];
  const LocationId location = store().location(argument);
  state_.meanings.erase(parameter);
  slots_.erase(parameter);
  if (mode == term::Mode::obs) return assign(parameter, argument, location);
  const bool is_array = is_array_sort(store()[parameter].result);
  const SymbolId source = store().symbol(argument);
  if (mode == term::Mode::upd) {
    const auto found = state_.meanings.find(source);
    if (found == state_.meanings.end()) {
      context_.report("E0522", store()[source].name + " is read before it is set", "", location);
      return;
    }
    if (is_array) {
      const Meaning held = found->second;
      state_.meanings.insert_or_assign(parameter, held);
    } else {
      assign(parameter, argument, location);
    }
  } else if (!is_array) {
    const Representation type = context_.represent(store()[parameter].result, location);
    if (type.kind == Kind::index) {
      unset_indices_.insert(parameter);
    } else {
      make_slots(parameter, 1, location);
    }
  }
}

// The caller's variable is what the parameter has become.
void ShapedBody::take_back(SymbolId to, SymbolId from, LocationId location) {
  const auto found = state_.meanings.find(from);
  if (found == state_.meanings.end()) {
    context_.report("E0522", store()[from].name + " is not set on every path", "", location);
    return;
  }
  const Meaning meaning = found->second;
  if (std::holds_alternative<LeafId>(meaning)) {
    state_.meanings.insert_or_assign(to, meaning);
    return;
  }
  const TermId value = context_.store.make(from, {}, location);
  assign(to, value, location);
}

void ShapedBody::procedure_call(TermId term) {
  const LocationId location = store().location(term);
  const SymbolId symbol = store().symbol(term);
  const std::vector<TermId> parts = children(term);
  const Callable* callee = context_.program.find(symbol);
  const term::Symbol called = store()[symbol];
  if (callee == nullptr && parts.size() == 2 && called.modes[0] == term::Mode::out) {
    return assign(store().symbol(parts[0]), parts[1], location);  // `_=_`
  }
  if (callee == nullptr || !callee->body) {
    const bool bound = callee != nullptr && callee->external;
    context_.report(
        bound ? "E0510" : "E0502",
        "the procedure " + called.name +
            (bound ? " is C++: it cannot be called where arrays have shapes of their own"
                   : " has neither a body nor a primitive"),
        bound ? "" : "give it a body", location);
    return;
  }
  if (std::ranges::find(inlining_, symbol) != inlining_.end()) {
    context_.report("E0508", called.name + " calls itself", "write it as a loop", location);
    return;
  }
  for (std::size_t k = 0; k < parts.size(); ++k) {
    bind_argument(*callee, k, parts[k]);
    if (failed()) return;
  }
  inlining_.push_back(symbol);
  if (!callee->guard || require(*callee->guard, called.name, location)) statement(*callee->body);
  inlining_.pop_back();
  for (std::size_t k = 0; k < parts.size() && !failed(); ++k) {
    if (called.modes[k] == term::Mode::obs) continue;
    take_back(store().symbol(parts[k]), callee->parameters[k], location);
  }
}

// All at once: what one of them names is what it named before.
void ShapedBody::move(std::vector<std::pair<onf::ViewId, onf::ViewId>> moves) {
  std::erase_if(moves, [](const auto& each) { return each.first == each.second; });
  for (auto& [target, source] : moves) {
    const bool overwritten =
        std::ranges::any_of(moves, [&](const auto& other) { return other.first == source; });
    if (!overwritten) continue;
    const onf::View held = function_.views[onf::number(source)];
    const onf::Block& block = function_.blocks[onf::number(held.block)];
    const onf::ViewId kept =
        new_view(held.name, block.element, block.extents, block.extents->size(), held.location);
    emit(onf::Share{kept, source, true, false}, held.location);
    source = kept;
  }
  for (const auto& [target, source] : moves) {
    emit(onf::Share{target, source, false, false}, {});
  }
}

}  // namespace rhopsi::lower
