// Array-valued expressions on the host: one statement and one fresh block per operation.
#include "engine/lower/body.hpp"
#include "engine/onf/print.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::lower {

using Kind = Representation::Kind;

ArrayValue Body::array(TermId term, const std::string& name) {
  const LocationId location = store().location(term);
  if (store().is_variable(term)) {
    const Expr found = variable(term);
    if (found.kind == Expr::Kind::view) return {found.view, false};
    return {new_view(name, context_.module.element, location), true};  // after an error
  }
  const Context::Level level(context_, location);
  if (!level) return {new_view(name, context_.module.element, location), true};
  if (store().is(term, Control::if_) || store().is(term, Control::block)) {
    const onf::ViewId target = new_view(name, context_.module.element, location);
    emit(onf::Declare{target}, location);
    array_into(term, target);
    return {target, true};
  }
  return array_operation(term, name);
}

// target := term, for a target that is declared. Branches and blocks set it at their end,
// after everything that may still read its old value.
void Body::array_into(TermId term, onf::ViewId target) {
  const LocationId location = store().location(term);
  const Context::Level level(context_, location);
  if (!level) return;
  const std::vector<TermId> parts = children(term);
  if (store().is(term, Control::if_)) {
    Expr condition = scalar(parts[0]);
    onf::Statements then = collected([&] { array_into(parts[1], target); });
    onf::Statements otherwise = collected([&] { array_into(parts[2], target); });
    emit(onf::If{std::move(condition), std::move(then), std::move(otherwise)}, location);
    return;
  }
  if (store().is(term, Control::block)) {
    const auto bound = context_.store.bound(term);
    const std::vector<SymbolId> own(bound.begin(), bound.end());
    emit(onf::Scope{collected([&] {
           for (TermId part : parts) {
             if (!store().is(part, Control::value)) {
               statement(part);
               continue;
             }
             const TermId value = children(part)[0];
             const ArrayValue found = array(value, "result");
             const bool local = std::ranges::find(own, store().symbol(value)) != own.end() &&
                                !function().views[onf::number(found.view)].parameter;
             emit(onf::Share{target, found.view, false, local || found.temporary},
                  store().location(part));
             return;
           }
         })},
         location);
    return;
  }
  const std::string name = function().views[onf::number(target)].name;  // the views may move
  const ArrayValue found = array(term, name);
  emit(onf::Share{target, found.view, false, found.temporary}, location);
}

ArrayValue Body::array_operation(TermId term, const std::string& name) {
  const LocationId location = store().location(term);
  const Callable* callable = context_.program.find(store().symbol(term));
  const auto failed = [&](std::string code, std::string message, std::string advice) {
    context_.report(std::move(code), std::move(message), std::move(advice), location);
    return ArrayValue{new_view(name, context_.module.element, location), true};
  };
  if (callable == nullptr || !callable->concrete()) {
    return failed("E0502",
                  "the operation " + term::to_string(store(), store().symbol(term)) +
                      " has neither a body nor a primitive",
                  "give it a body, or bind it in an external block");
  }
  if (!callable->body) {
    if (const auto primitive = context_.primitive(*callable)) {
      switch (primitive->kind) {
        case onf::Primitive::Kind::pointwise:
        case onf::Primitive::Kind::whole_array:
          return whole(*primitive, term, name);
        case onf::Primitive::Kind::schedule:
          return schedule(*primitive, *callable, term, name);
        default:
          return failed("E0510", "this operation gives part of an array, which has no form yet",
                        "index it with one component per axis");
      }
    }
    if (context_.table.closed(callable->external->block->backend)) {
      return failed("E0502",
                    "the backend has no operation " +
                        term::to_string(store(), store().symbol(term)) + " under " +
                        callable->external->block->path,
                    "see the backend's table of externals");
    }
  }
  Expr made = callable->body ? Expr{} : external_call(*callable, term);
  if (callable->body) {
    made.kind = Expr::Kind::call;
    made.type = context_.represent(store().sort(term), location);
    made.location = location;
    made.operands = arguments(children(term));
    made.callee = context_.function(callable->symbol, location);
  }
  const onf::ViewId target = new_view(name, made.type.scalar, location);
  emit(onf::Call{target, std::move(made)}, location);
  return {target, true};
}

ArrayValue Body::whole(const onf::Primitive& primitive, TermId term, const std::string& name) {
  const LocationId location = store().location(term);
  onf::Whole made;
  made.pointwise = primitive.kind == onf::Primitive::Kind::pointwise;
  made.function = primitive.function;
  made.spelling = primitive.spelling;
  made.axis = primitive.axis_argument;
  made.operands = arguments(children(term));
  made.target = new_view(name, context_.represent(store().sort(term), location).scalar, location);
  const onf::ViewId target = made.target;
  emit(std::move(made), location);
  return {target, true};
}

Expr Body::external_call(const Callable& callable, TermId term) {
  const LocationId location = store().location(term);
  Expr e;
  e.kind = Expr::Kind::external;
  e.location = location;
  const bool procedure = store()[callable.symbol].kind == SymbolKind::procedure;
  if (!procedure) e.type = context_.represent(store().sort(term), location);
  const auto parts = store().children(term);
  if (in_kernel() && (procedure || std::ranges::any_of(parts, [&](TermId part) {
                        return context_.is_array(part);
                      }))) {
    context_.report("E0510",
                    "the C++ operation " + callable.external->original +
                        " cannot be called inside a kernel: it takes an array, or is a procedure",
                    "call it on whole arrays, or pass it elements", location);
    return e;
  }
  e.external = context_.external(*callable.external->block);
  e.spelling = callable.external->original;
  e.operands = arguments(children(term));
  if (procedure) {
    check_guard(callable, e.operands, location);
  } else {
    check_call(callable, e.operands, location);
  }
  return e;
}

// The view of an array argument: computed here or, inside a nest, before it.
Expr Body::hoisted_view(TermId term) {
  const LocationId location = store().location(term);
  if (store().is_variable(term)) {
    Expr found = variable(term);
    found.location = location;
    return found;
  }
  if (before_nest_ == nullptr) return of(array(term, "t").view, location);
  if (const auto known = hoisted_.find(term); known != hoisted_.end()) {
    return of(known->second, location);
  }
  if (depends_on_index(term)) {
    context_.report("E0506",
                    "this array expression depends on the index, so it cannot be computed "
                    "before the loop",
                    "reduce it to an element first, so that only arrays are indexed", location);
    return of(new_view("t", context_.module.element, location), location);
  }
  onf::Statements* inside = std::exchange(statements_, std::exchange(before_nest_, nullptr));
  const onf::ViewId view = array(term, "t").view;
  before_nest_ = std::exchange(statements_, inside);
  hoisted_.emplace(term, view);
  return of(view, location);
}

namespace {

bool mentions(const Expr& e, std::uint32_t floor) {
  if (e.kind == Expr::Kind::variable && static_cast<std::uint32_t>(e.variable) >= floor)
    return true;
  return std::ranges::any_of(e.operands, [&](const Expr& part) { return mentions(part, floor); });
}

}  // namespace

bool Body::depends_on_index(TermId term) {
  for (SymbolId free : term::free_variables(store(), term)) {
    const auto found = meanings_.find(free);
    if (found == meanings_.end()) continue;
    if (const auto* id = std::get_if<onf::VariableId>(&found->second)) {
      if (static_cast<std::uint32_t>(*id) >= nest_floor_) return true;
    } else if (const auto* e = std::get_if<Expr>(&found->second)) {
      if (mentions(*e, nest_floor_)) return true;
    }
  }
  return false;
}

}  // namespace rhopsi::lower
