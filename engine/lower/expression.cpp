// Scalar and index expressions.
#include "engine/lower/body.hpp"
#include "engine/lower/graph.hpp"
#include "engine/onf/print.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::lower {

using Kind = Representation::Kind;
using onf::ScalarFunction;

namespace {

bool is_integer(const Representation& type) {
  return type.kind == Kind::scalar &&
         (type.scalar == onf::Scalar::int64 || type.scalar == onf::Scalar::int32);
}

bool is_atom(const Expr& e) {
  return e.operands.empty() && e.kind != Expr::Kind::call && e.kind != Expr::Kind::external;
}

}  // namespace

Expr Body::made(Expr::Kind kind, const Representation& type, LocationId location) const {
  Expr e;
  e.kind = kind;
  e.type = type;
  e.location = location;
  return e;
}

Expr Body::integer(std::int64_t value) const {
  Expr e = made(Expr::Kind::integer, int64_type, {});
  e.integer = value;
  return e;
}

Expr Body::of(onf::VariableId variable, LocationId location) const {
  Expr e = made(Expr::Kind::variable, function().variables[onf::number(variable)].type, location);
  e.variable = variable;
  return e;
}

Expr Body::of(onf::ViewId view, LocationId location) const {
  const onf::Block& block =
      function().blocks[onf::number(function().views[onf::number(view)].block)];
  Expr e = made(Expr::Kind::view, {Kind::array, block.element, {}}, location);
  e.view = view;
  return e;
}

Expr Body::atom(Expr value, const std::string& name) {
  if (is_atom(value)) return value;
  const LocationId location = value.location;
  const onf::VariableId variable = new_variable(name, value.type, location);
  emit(onf::Let{variable, std::move(value), true}, location);
  return of(variable, location);
}

Expr Body::scalar(TermId term) {
  const Context::Level level(context_, store().location(term));
  if (!level) return integer(0);
  const term::Symbol& head = store().head(term);
  switch (head.kind) {
    case SymbolKind::variable:
      return variable(term);
    case SymbolKind::integer_literal:
    case SymbolKind::real_literal:
      return literal(term);
    case SymbolKind::control:
      return control(term);
    default:
      return operation(term);
  }
}

Expr Body::variable(TermId term) {
  const auto found = meanings_.find(store().symbol(term));
  const LocationId location = store().location(term);
  if (found == meanings_.end()) {
    context_.report("E0522", "the variable " + store().head(term).name + " is not set here", "",
                    location);
    return integer(0);
  }
  if (const auto* id = std::get_if<onf::VariableId>(&found->second)) return of(*id, location);
  if (const auto* id = std::get_if<onf::ViewId>(&found->second)) return of(*id, location);
  return std::get<Expr>(found->second);
}

Expr Body::literal(TermId term) {
  const term::Symbol& head = store().head(term);
  const Representation type = context_.represent(head.result, store().location(term));
  const bool real = head.kind == SymbolKind::real_literal;
  Expr e = made(real ? Expr::Kind::real : Expr::Kind::integer, type, store().location(term));
  e.integer = head.integer;
  e.real = head.real;
  return e;
}

Expr Body::control(TermId term) {
  const term::Symbol& head = store().head(term);
  const std::vector<TermId> parts = children(term);
  const LocationId location = store().location(term);
  switch (head.control) {
    case Control::if_: {
      const Representation type = context_.represent(head.result, location);
      return conditional(
          parts[0], [&] { return scalar(parts[1]); }, [&] { return scalar(parts[2]); }, type,
          location);
    }
    case Control::block:
      return value_block(term);
    case Control::fold:
      return fold(term);
    case Control::vector_: {
      Expr e = made(Expr::Kind::make_index, index_type, location);
      e.operands = arguments(parts);
      if (static_cast<int>(e.operands.size()) != context_.options.rank) {
        context_.report("E0509",
                        "an index of " + std::to_string(e.operands.size()) +
                            " components, but the arrays have rank " +
                            std::to_string(context_.options.rank),
                        "give one component per axis", location);
      }
      return e;
    }
    default:
      context_.report("E0510", "this construct cannot be used as a scalar value",
                      "bring it to a form of indexing, scalar operations, folds and `if`",
                      location);
      return integer(0);
  }
}

// `if` stays an expression unless a branch needs statements of its own.
Expr Body::conditional(TermId condition, const std::function<Expr()>& then,
                       const std::function<Expr()>& otherwise, const Representation& type,
                       LocationId location) {
  Expr test = scalar(condition);
  Expr left, right;
  onf::Statements first = collected([&] { left = then(); });
  onf::Statements second = collected([&] { right = otherwise(); });
  if (first.empty() && second.empty()) {
    Expr e = made(Expr::Kind::if_, type, location);
    e.operands = {std::move(test), std::move(left), std::move(right)};
    return e;
  }
  const onf::VariableId result = new_variable("chosen", type, location);
  emit(onf::Let{result, std::nullopt, false}, location);
  first.push_back({onf::Assign{result, std::move(left)}, location});
  second.push_back({onf::Assign{result, std::move(right)}, location});
  emit(onf::If{std::move(test), std::move(first), std::move(second)}, location);
  return of(result, location);
}

// A block's names are unique in the function, so its statements need no scope.
Expr Body::value_block(TermId term) {
  for (TermId part : children(term)) {
    if (store().is(part, Control::value)) return scalar(children(part)[0]);
    statement(part);
  }
  context_.report("E0510", "this block has no direct value", "end it with `value e;`",
                  store().location(term));
  return integer(0);
}

Expr Body::fold(TermId term) {
  const LocationId location = store().location(term);
  const SymbolId operation = store().head(term).operation;
  const SymbolId index = store().bound(term)[0];
  const std::vector<TermId> parts = children(term);
  onf::Fold made;
  made.count = scalar(parts[0]);
  const Representation type = context_.represent(store().sort(term), location);
  const Callable* callable = context_.program.find(operation);
  if (auto builtin = onf::builtin_function(store(), operation)) {
    made.function = builtin;
  } else if (callable != nullptr && callable->body) {
    made.callee = context_.function(operation, location);
  } else if (callable != nullptr) {
    const auto primitive = context_.primitive(*callable);
    if (primitive && primitive->kind == onf::Primitive::Kind::scalar) {
      made.function = primitive->function;
    }
  }
  if (!made.function && (callable == nullptr || !callable->body)) {
    context_.report("E0502", "the folded operation has neither a body nor a scalar primitive", "",
                    location);
  } else if (!made.function || !has_unit(*made.function)) {
    context_.report("E0511", "this fold has no value over an empty range",
                    "its operation has no unit that is known here", location, false);
  }
  made.index = new_variable(store()[index].name, int64_type, location);
  meanings_[index] = made.index;
  made.body = collected([&] { made.element = scalar(parts[1]); });
  made.variable = new_variable("folded", type, location);
  const onf::VariableId result = made.variable;
  emit(std::move(made), location);
  return of(result, location);
}

std::vector<Expr> Body::arguments(std::span<const TermId> terms) {
  const std::vector<TermId> copied(terms.begin(), terms.end());
  std::vector<Expr> lowered;
  for (TermId term : copied) {
    lowered.push_back(context_.is_array(term) ? hoisted_view(term) : scalar(term));
  }
  return lowered;
}

Expr Body::operation(TermId term) {
  const SymbolId symbol = store().symbol(term);
  const LocationId location = store().location(term);
  if (auto function = onf::builtin_function(store(), symbol)) return predicate(*function, term);
  const Callable* callable = context_.program.find(symbol);
  if (callable == nullptr || (!callable->body && !callable->external)) {
    context_.report(
        "E0502",
        "the operation " + term::to_string(store(), symbol) + " has neither a body nor a primitive",
        "give it a body, or bind it in an external block", location);
    return integer(0);
  }
  const auto type =
      onf::representation_of(store(), context_.program, store().sort(term), context_.table);
  if (type && is_integer(*type)) {
    if (const auto value = context_.constant(term)) {
      Expr e = integer(*value);
      e.type = *type;
      e.location = location;
      return e;
    }
  }
  if (callable->body) return call(*callable, term);
  if (const auto found = context_.primitive(*callable)) return primitive(*found, *callable, term);
  if (!context_.table.closed(callable->external->block->backend)) {
    return external_call(*callable, term);
  }
  context_.report("E0502",
                  "the backend has no operation " + term::to_string(store(), symbol) + " under " +
                      callable->external->block->path,
                  "see the backend's table of externals", location);
  return integer(0);
}

// `a && b`, `a || b`, `a => b` evaluate b only where it counts.
Expr Body::predicate(ScalarFunction function, TermId term) {
  const std::vector<TermId> parts = children(term);
  const LocationId location = store().location(term);
  if (parts.size() == 2 && (function == ScalarFunction::and_ || function == ScalarFunction::or_ ||
                            function == ScalarFunction::implies)) {
    const bool when_true = function != ScalarFunction::or_;
    Expr constant = made(Expr::Kind::boolean, boolean_type, location);
    constant.integer = function == ScalarFunction::and_ ? 0 : 1;
    const auto second = [&] { return scalar(parts[1]); };
    const auto known = [&] { return constant; };
    Expr chosen = when_true ? conditional(parts[0], second, known, boolean_type, location)
                            : conditional(parts[0], known, second, boolean_type, location);
    if (chosen.kind != Expr::Kind::if_) return chosen;
    Expr e = made(Expr::Kind::apply, boolean_type, location);
    e.function = function;
    e.operands = {chosen.operands[0], chosen.operands[when_true ? 1 : 2]};
    return e;
  }
  std::vector<Expr> operands = arguments(parts);
  if (operands.size() == 2 &&
      (function == ScalarFunction::equal || function == ScalarFunction::not_equal)) {
    return equality(function, std::move(operands[0]), std::move(operands[1]), location);
  }
  Expr e = made(Expr::Kind::apply, boolean_type, location);
  e.function = function;
  e.operands = std::move(operands);
  return e;
}

Expr Body::equality(ScalarFunction function, Expr left, Expr right, LocationId location) {
  if (left.type.kind == Kind::array) {
    context_.report("E0510", "arrays cannot be compared by == in emitted code yet",
                    "fold a comparison of their elements", location);
  }
  Expr e = made(Expr::Kind::apply, boolean_type, location);
  e.function = function;
  e.operands = {std::move(left), std::move(right)};
  return e;
}

Expr Body::primitive(const onf::Primitive& primitive, const Callable& callable, TermId term) {
  const LocationId location = store().location(term);
  const Representation type = context_.represent(store().sort(term), location);
  Expr e = made(Expr::Kind::apply, type, location);
  switch (primitive.kind) {
    case onf::Primitive::Kind::scalar:
      e.function = primitive.function;
      e.operands = arguments(children(term));
      if (context_.options.checked) check_call(callable, e.operands, location);
      return e;
    case onf::Primitive::Kind::index: {
      std::vector<Expr> operands = arguments(children(term));
      if (context_.options.checked) check_call(callable, operands, location);
      return index_primitive(primitive, std::move(operands), e);
    }
    case onf::Primitive::Kind::extent:
      e.kind = Expr::Kind::extent;
      e.axis = primitive.axis;
      if (e.axis >= context_.options.rank) {
        context_.report("E0509",
                        "axis " + std::to_string(e.axis) + " of arrays of rank " +
                            std::to_string(context_.options.rank),
                        "lower with a higher rank", location);
      }
      return e;
    case onf::Primitive::Kind::load:
      return load(term);
    case onf::Primitive::Kind::parameter:
      e.kind = Expr::Kind::parameter;
      e.parameter = context_.parameter(callable, type.scalar);
      return e;
    case onf::Primitive::Kind::granted:
      e.kind = Expr::Kind::boolean;
      e.integer = 1;
      return e;
    default:
      context_.report("E0510", "an array operation cannot be used as a scalar value", "", location);
      return integer(0);
  }
}

// A device function is called; anything else is called on the host and, in an element,
// inlined where it depends on the index.
Expr Body::call(const Callable& callable, TermId term) {
  const LocationId location = store().location(term);
  if (context_.device(callable.symbol)) {
    if (children(term).empty() && callable.parameters.empty()) return inlined(callable, term);
  } else if (before_nest_ != nullptr) {
    if (depends_on_index(term)) return inlined(callable, term);
    onf::Statements* inside = std::exchange(statements_, std::exchange(before_nest_, nullptr));
    Expr value = atom(scalar(term), store().head(term).name);
    before_nest_ = std::exchange(statements_, inside);
    return value;
  }
  Expr e = made(Expr::Kind::call, context_.represent(store().sort(term), location), location);
  e.operands = arguments(children(term));
  e.callee = context_.function(callable.symbol, location);
  return e;
}

Expr Body::inlined(const Callable& callable, TermId term) {
  if (std::ranges::find(inlining_, callable.symbol) != inlining_.end()) {
    context_.report("E0508", store()[callable.symbol].name + " calls itself",
                    "write it as a loop; the reference backend runs it as it is",
                    store().location(term));
    return integer(0);
  }
  const std::vector<Expr> given = arguments(children(term));
  bind_arguments(callable, given);
  inlining_.push_back(callable.symbol);
  if (context_.options.checked) check_guard(callable, {}, store().location(term));
  Expr value = scalar(*callable.body);
  inlining_.pop_back();
  return value;
}

}  // namespace rhopsi::lower
