// Statements, and the frame of a function.
#include "engine/lower/body.hpp"
#include "engine/onf/print.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::lower {

using Kind = Representation::Kind;

Body::Body(Context& context, const Callable& callable, onf::FunctionId id)
    : context_(context), callable_(callable), id_(id) {}

void lower_body(Context& context, const Callable& callable, onf::FunctionId id) {
  Body(context, callable, id).lower();
}

std::string Body::fresh_name(const std::string& base) {
  std::string name = base;
  int& tried = tried_[base];  // a name that was taken stays so
  while (!names_.insert(name).second) name = base + "_" + std::to_string(++tried + 1);
  return name;
}

onf::VariableId Body::new_variable(const std::string& name, Representation type,
                                   LocationId location) {
  const auto id = onf::VariableId{static_cast<std::uint32_t>(function().variables.size())};
  std::string fresh = fresh_name(name);
  function().variables.push_back({std::move(fresh), std::move(type), location});
  return id;
}

onf::ViewId Body::new_view(const std::string& name, onf::Scalar element, LocationId location) {
  const std::int64_t pad = context_.module.pad;
  const onf::StoredAxis axis{pad, pad, pad > 0 ? onf::Outside::circular : onf::Outside::undefined};
  const auto block = onf::BlockId{static_cast<std::uint32_t>(function().blocks.size())};
  function().blocks.push_back(
      {element,
       std::vector<onf::StoredAxis>(static_cast<std::size_t>(context_.options.rank), axis)});
  const auto id = onf::ViewId{static_cast<std::uint32_t>(function().views.size())};
  std::string fresh = fresh_name(name);
  function().views.push_back({std::move(fresh), block, {}, false, false, location});
  return id;
}

onf::Statements Body::collected(const std::function<void()>& emit) {
  onf::Statements made;
  onf::Statements* outer = std::exchange(statements_, &made);
  emit();
  statements_ = outer;
  return made;
}

void Body::lower() {
  const term::Symbol symbol = store()[callable_.symbol];
  function().name = symbol.name;
  function().location = callable_.location;
  function().procedure = symbol.kind == SymbolKind::procedure;
  function().device = context_.device(callable_.symbol);
  for (std::size_t k = 0; k < callable_.parameters.size(); ++k) {
    const SymbolId parameter = callable_.parameters[k];
    const term::Symbol& variable = store()[parameter];
    const Representation type = context_.represent(variable.result, callable_.location);
    onf::Argument argument;
    argument.mode = symbol.modes[k];
    if (type.kind == Kind::array) {
      argument.view = new_view(variable.name, type.scalar, callable_.location);
      function().views[onf::number(*argument.view)].parameter = true;
      meanings_[parameter] = *argument.view;
    } else {
      argument.variable = new_variable(variable.name, type, callable_.location);
      meanings_[parameter] = argument.variable;
    }
    function().arguments.push_back(argument);
    function().sorts.push_back(store().name(symbol.parameters[k]));
  }
  if (!function().procedure) {
    function().result = context_.represent(symbol.result, callable_.location);
    function().sorts.push_back(store().name(symbol.result));
  }
  onf::Statements body = collected([&] {
    check_guard(callable_, {}, callable_.location);
    if (function().procedure) {
      statement(*callable_.body);
    } else {
      return_value(*callable_.body);
    }
  });
  function().body = std::move(body);
}

void Body::return_value(TermId term) {
  const LocationId location = store().location(term);
  // A block at the top is the function's own scope.
  if (store().is(term, Control::block)) {
    for (TermId part : children(term)) {
      if (store().is(part, Control::value)) return return_value(children(part)[0]);
      statement(part);
    }
  }
  if (context_.is_array(term)) {
    emit(onf::Return{of(array(term, "result").view, location)}, location);
  } else {
    emit(onf::Return{scalar(term)}, location);
  }
}

void Body::statement(TermId term) {
  const term::Symbol& head = store().head(term);
  const LocationId location = store().location(term);
  const Context::Level level(context_, location);
  if (!level) return;
  if (head.kind == SymbolKind::procedure) return procedure_call(term);
  const std::vector<TermId> parts = children(term);
  switch (head.control) {
    case Control::block:
      for (TermId part : parts) statement(part);
      return;
    case Control::declare:
      return declare(term);
    case Control::assign:
      return assign(parts[0], parts[1], location);
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

void Body::declare(TermId term) {
  const std::vector<TermId> parts = children(term);
  const SymbolId variable = store().symbol(parts[0]);
  const term::Symbol& symbol = store()[variable];
  const LocationId location = store().location(term);
  const Representation type = context_.represent(symbol.result, location);
  if (type.kind != Kind::array) {
    std::optional<Expr> value;
    if (parts.size() > 1) value = scalar(parts[1]);
    const onf::VariableId id = new_variable(symbol.name, type, location);
    meanings_[variable] = id;
    emit(onf::Let{id, std::move(value), !symbol.assignable && parts.size() > 1}, location);
    return;
  }
  if (parts.size() > 1) {
    const ArrayValue value = array(parts[1], symbol.name);
    if (value.temporary) {
      meanings_[variable] = value.view;
      return;
    }
    const onf::ViewId view = new_view(symbol.name, type.scalar, location);
    meanings_[variable] = view;
    emit(onf::Share{view, value.view, true, false}, location);
    return;
  }
  const onf::ViewId view = new_view(symbol.name, type.scalar, location);
  meanings_[variable] = view;
  emit(onf::Declare{view}, location);
}

void Body::assign(TermId target, TermId value, LocationId location) {
  const Expr place = variable(target);
  if (place.kind == Expr::Kind::view) {
    if (store().is(value, Control::if_) || store().is(value, Control::block)) {
      array_into(value, place.view);
      return;
    }
    const ArrayValue found = array(value, store().head(target).name);
    emit(onf::Share{place.view, found.view, false, found.temporary}, location);
    return;
  }
  Expr made = scalar(value);
  if (place.kind != Expr::Kind::variable) {
    context_.report("E0510", "this cannot be assigned to", "", location);
    return;
  }
  emit(onf::Assign{place.variable, std::move(made)}, location);
}

void Body::procedure_call(TermId term) {
  const LocationId location = store().location(term);
  const SymbolId symbol = store().symbol(term);
  const std::vector<TermId> parts = children(term);
  const Callable* callable = context_.program.find(symbol);
  if (callable == nullptr && parts.size() == 2 &&
      store()[symbol].modes[0] == term::Mode::out) {  // `_=_`, which needs no declaration
    return assign(parts[0], parts[1], location);
  }
  if (callable == nullptr || !callable->concrete()) {
    context_.report("E0502",
                    "the procedure " + store()[symbol].name + " has neither a body nor a primitive",
                    "give it a body, or bind it in an external block", location);
    return;
  }
  if (callable->body) {
    Expr call = made(Expr::Kind::call, {}, location);
    call.operands = arguments(parts);
    call.callee = context_.function(symbol, location);
    emit(onf::Call{std::nullopt, std::move(call)}, location);
    return;
  }
  if (const auto primitive = context_.primitive(*callable)) {
    if (primitive->kind == onf::Primitive::Kind::mutate) {
      emit(onf::Mutate{primitive->spelling, primitive->refills, arguments(parts)}, location);
      return;
    }
  }
  if (!context_.table.closed(callable->external->block->backend)) {
    emit(onf::Call{std::nullopt, external_call(*callable, term)}, location);
    return;
  }
  context_.report("E0502", "the backend has no procedure " + store()[symbol].name, "", location);
}

void Body::check_statement(TermId term) {
  const LocationId location = store().location(term);
  Expr condition = scalar(children(term)[0]);
  const std::string where = onf::place(store(), location);
  emit(onf::Check{std::move(condition),
                  "assertion" + (where.empty() ? "" : " at " + where) + " does not hold", "E0607"},
       location);
}

void Body::if_statement(TermId term) {
  const std::vector<TermId> parts = children(term);
  Expr condition = scalar(parts[0]);
  onf::Statements then = collected([&] { statement(parts[1]); });
  onf::Statements otherwise = collected([&] { statement(parts[2]); });
  emit(onf::If{std::move(condition), std::move(then), std::move(otherwise)},
       store().location(term));
}

// A loop computes its bound once: it has a name where the rounds may change what it reads.
Expr Body::bound(TermId term) {
  Expr value = scalar(term);
  const bool changing =
      std::ranges::any_of(term::free_variables(store(), term),
                          [&](SymbolId variable) { return store()[variable].assignable; });
  if (!changing) return value;
  const LocationId location = store().location(term);
  Expr read;
  read.kind = Expr::Kind::variable;
  read.type = value.type;
  read.variable = new_variable("bound", value.type, location);
  emit(onf::Let{read.variable, std::move(value), true}, location);
  return read;
}

void Body::for_statement(TermId term) {
  const std::vector<TermId> parts = children(term);
  const SymbolId index = context_.store.bound(term)[0];
  onf::For made;
  made.low = scalar(parts[0]);
  made.high = bound(parts[1]);
  made.index = new_variable(store()[index].name,
                            context_.represent(store()[index].result, store().location(term)),
                            store().location(term));
  meanings_[index] = made.index;
  made.body = collected([&] { statement(parts[2]); });
  emit(std::move(made), store().location(term));
}

void Body::iterate_statement(TermId term) {
  const std::vector<TermId> parts = children(term);
  Expr count = bound(parts[0]);
  onf::Statements body = collected([&] { statement(parts[1]); });
  emit(onf::Iterate{std::move(count), std::move(body)}, store().location(term));
}

void Body::while_statement(TermId term) {
  const std::vector<TermId> parts = children(term);
  onf::While made;
  made.before = collected([&] { made.condition = scalar(parts[0]); });
  made.bound = scalar(parts[1]);
  made.body = collected([&] { statement(parts[2]); });
  emit(std::move(made), store().location(term));
}

}  // namespace rhopsi::lower
