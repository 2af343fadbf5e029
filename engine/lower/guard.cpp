// Guards of operations as tests.
#include "engine/lower/body.hpp"
#include "engine/onf/print.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::lower {

bool Body::in_kernel() const { return before_nest_ != nullptr || function().device; }

// On the host guards are tested where they can be; in kernels where that was asked for.
bool Body::tests_guard(const Callable& callable) {
  if (!callable.guard) return false;
  if (!in_kernel()) return evaluable_on_host(*callable.guard);
  return context_.options.checked && evaluable_in_kernel(*callable.guard);
}

void Body::check_guard(const Callable& callable, const std::vector<Expr>& arguments,
                       LocationId location) {
  if (!tests_guard(callable)) return;
  bind_arguments(callable, arguments);
  Expr condition = scalar(*callable.guard);
  const LocationId source = store().location(*callable.guard);
  const std::string where = onf::place(store(), source == LocationId{} ? location : source);
  emit(onf::Check{std::move(condition), "guard of " + store()[callable.symbol].name +
                                            (where.empty() ? "" : " at " + where) +
                                            " does not hold"},
       location);
}

void Body::check_call(const Callable& callable, std::vector<Expr>& operands, LocationId location) {
  if (!tests_guard(callable)) return;
  for (Expr& operand : operands) operand = atom(std::move(operand), "given");
  check_guard(callable, operands, location);
}

// Every operation has a meaning, no arrays are compared, and nothing is said of all elements.
bool Body::evaluable_on_host(TermId guard) {
  bool evaluable = true;
  term::for_each_subterm(store(), guard, [&](TermId part) {
    const term::Symbol& head = store().head(part);
    if (head.control == Control::forall) evaluable = false;
    if (head.kind == SymbolKind::function || head.kind == SymbolKind::predicate) {
      const Callable* used = context_.program.find(store().symbol(part));
      const bool builtin = onf::builtin_function(store(), store().symbol(part)).has_value();
      if (!builtin && (used == nullptr || !used->concrete())) evaluable = false;
      if (builtin && compares_arrays(part)) evaluable = false;
    }
    return evaluable;
  });
  return evaluable;
}

bool Body::compares_arrays(TermId comparison) {
  const std::vector<TermId> parts = children(comparison);
  return !parts.empty() && context_.is_array(parts[0]);
}

// Besides, no array is made on the way, and nothing is called that only a host can call.
bool Body::evaluable_in_kernel(TermId root) {
  std::unordered_set<SymbolId> entered(inlining_.begin(), inlining_.end());
  std::vector<TermId> pending{root};
  bool evaluable = true;
  while (evaluable && !pending.empty()) {
    const TermId next = pending.back();
    pending.pop_back();
    term::for_each_subterm(store(), next, [&](TermId part) {
      evaluable = evaluable && kernel_has(part, entered, pending);
      return evaluable;
    });
  }
  return evaluable;
}

// Can a kernel evaluate the head of `part`? The body of what would be inlined goes to `bodies`.
bool Body::kernel_has(TermId part, std::unordered_set<SymbolId>& entered,
                      std::vector<TermId>& bodies) {
  const term::Symbol& head = store().head(part);
  if (head.kind != SymbolKind::variable && context_.is_array(part)) return false;
  SymbolId called = store().symbol(part);
  switch (head.kind) {
    case SymbolKind::procedure:
      return false;
    case SymbolKind::control:
      if (head.control == Control::forall || head.control == Control::assert_) return false;
      if (head.control != Control::fold) return true;
      called = head.operation;
      break;
    case SymbolKind::function:
    case SymbolKind::predicate:
      break;
    default:
      return true;
  }
  if (onf::builtin_function(store(), called)) return !compares_arrays(part);
  const Callable* callable = context_.program.find(called);
  if (callable == nullptr) return false;
  if (context_.device(called)) return true;
  if (callable->body) {
    const bool inlines = before_nest_ != nullptr && head.control != Control::fold;
    if (!inlines || !entered.insert(called).second) return false;
    bodies.push_back(*callable->body);
    return true;
  }
  return callable->external && kernel_has_external(*callable, part);
}

bool Body::kernel_has_external(const Callable& callable, TermId call) {
  if (const auto primitive = context_.primitive(callable)) {
    switch (primitive->kind) {
      case onf::Primitive::Kind::scalar:
      case onf::Primitive::Kind::index:
      case onf::Primitive::Kind::extent:
      case onf::Primitive::Kind::load:
      case onf::Primitive::Kind::parameter:
      case onf::Primitive::Kind::granted:
        return true;
      default:
        return false;
    }
  }
  return callable.external->block->backend == "C++" &&
         !context_.table.closed(callable.external->block->backend) &&
         !store().is(call, Control::fold) &&
         std::ranges::none_of(children(call), [&](TermId part) { return context_.is_array(part); });
}

}  // namespace rhopsi::lower
