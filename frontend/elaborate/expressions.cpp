// Expressions: entered into Readings part by part, then resolved as a whole.
#include <algorithm>

#include "frontend/elaborate/body_codes.hpp"
#include "frontend/elaborate/body_elaborator.hpp"

namespace rhopsi::elaborate {

using term::SortId;
using term::TermId;

BodyElaborator::MaybeTerm BodyElaborator::expression(const syntax::Expr& expr, SortId expected) {
  Readings readings(scope_);
  const NodeId root = analyse(expr, readings);
  return resolve(readings, root, expected);
}

BodyElaborator::MaybeTerm BodyElaborator::expression(const syntax::Expr& expr) {
  Readings readings(scope_);
  const NodeId root = analyse(expr, readings);
  return resolve_best(readings, root);
}

BodyElaborator::MaybeTerm BodyElaborator::resolve(Readings& readings, NodeId root, SortId sort) {
  if (readings.is_broken(root)) return std::nullopt;
  const Reading* reading = readings.at(root, sort);
  if (!reading) {
    wrong_sort(readings, root, sort);
    return std::nullopt;
  }
  if (reading->ambiguous) {
    ambiguous(readings, readings.locate_ambiguity(root, sort));
    return std::nullopt;
  }
  return readings.build(root, sort);
}

BodyElaborator::MaybeTerm BodyElaborator::resolve_best(Readings& readings, NodeId root) {
  if (readings.is_broken(root)) return std::nullopt;
  const Choice choice = readings.best(root);
  const syntax::Forall* forall = std::get_if<syntax::Forall>(&readings.source(root)->node);
  if (forall && !forall->cast && choice.sort != store_.predicate_sort()) {
    error(code::forall_sort, readings.source(root)->span,
          "the array sort of this `forall` is not known here",
          "write it behind the name, `var v: T = forall ...`, or behind the element, as in `forall "
          "(i < shape) (e) : T`");
    return std::nullopt;
  }
  if (choice.answer == Choice::Answer::one) return readings.build(root, choice.sort);
  if (choice.answer == Choice::Answer::none) return std::nullopt;
  if (readings.at(root, choice.sort)->ambiguous) {
    ambiguous(readings, readings.locate_ambiguity(root, choice.sort));
    return std::nullopt;
  }
  Ambiguity ambiguity{root, readings.of(root)};
  const std::uint32_t cost = readings.at(root, choice.sort)->cost;
  std::erase_if(ambiguity.candidates, [&](const Reading& way) { return way.cost > cost; });
  ambiguous(readings, ambiguity);
  return std::nullopt;
}

std::vector<BodyElaborator::MaybeTerm> BodyElaborator::bounds(
    const std::vector<const syntax::Expr*>& exprs) {
  Readings readings(scope_);
  std::vector<NodeId> nodes;
  bool broken = false;
  for (const syntax::Expr* expr : exprs) {
    nodes.push_back(analyse(*expr, readings));
    broken = broken || readings.is_broken(nodes.back());
  }
  std::vector<MaybeTerm> terms(exprs.size());
  if (broken) return terms;
  const Choice choice = readings.common_integer_sort(nodes);
  if (choice.answer != Choice::Answer::one) {
    const bool several = choice.answer == Choice::Answer::several;
    error(code::bound_sort, exprs.front()->span,
          several ? "this bound can have several sorts"
                  : "a bound needs a sort with integer literals; this is " +
                        sorts_of(readings, nodes.front()),
          several ? "say which one with a cast `: T`" : "");
    return terms;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    terms[i] = resolve(readings, nodes[i], choice.sort);
  }
  return terms;
}

// Post-order with a stack of its own: operator chains may be 10^5 calls deep.
NodeId BodyElaborator::analyse(const syntax::Expr& root, Readings& into) {
  std::vector<Frame> stack;
  const auto visit = [&](const syntax::Expr& expr) -> std::optional<NodeId> {
    Frame frame;
    frame.expr = &expr;
    std::optional<NodeId> leaf = enter(expr, into, frame);
    if (!leaf) stack.push_back(std::move(frame));
    return leaf;
  };
  std::optional<NodeId> done = visit(root);
  while (!stack.empty()) {
    if (done) stack.back().done.push_back(*done);
    Frame& top = stack.back();
    if (top.next < top.items.size()) {
      const Item item = top.items[top.next++];
      done = item.member ? member_node(item, into) : visit(*item.expr);
    } else {
      Frame finished = std::move(top);
      stack.pop_back();
      done = leave(finished, into);
    }
  }
  return *done;
}

std::optional<NodeId> BodyElaborator::enter(const syntax::Expr& expr, Readings& into,
                                            Frame& frame) {
  if (const auto* variable = std::get_if<syntax::Variable>(&expr.node)) {
    return this->variable(*variable, expr, into);
  }
  if (const auto* literal = std::get_if<syntax::Literal>(&expr.node)) {
    const Local* local = environment_.find(literal->text);
    const NodeId node =
        local ? local_node(*local, expr, into) : this->literal(*literal_of(expr), expr, into);
    return cast(node, literal->cast, into);
  }
  if (const auto* vector = std::get_if<syntax::VectorLiteral>(&expr.node)) {
    return cast(this->vector(*vector, expr, into), vector->cast, into);
  }
  if (const auto* call = std::get_if<syntax::Call>(&expr.node)) {
    if (std::optional<NodeId> number = large_negative(*call, expr, into)) return number;
  }
  if (const auto* pack = std::get_if<syntax::PackExpansion>(&expr.node)) {
    error(code::unknown_pack, expr.span,
          "`" + pack->name.text + "` is not a variadic parameter that can be expanded here",
          "`xs...` stands among the arguments of a call, for a parameter `xs: T...`");
    return into.broken(&expr);
  }
  if (enter_parts(expr, frame)) return std::nullopt;
  error(code::statement_as_value, expr.span, "a statement stands where a value is needed",
        "write `{ ...; value e; }` to compute a value by statements");
  return into.broken(&expr);
}

// Fills the frame with the parts of a compound expression.
bool BodyElaborator::enter_parts(const syntax::Expr& expr, Frame& frame) {
  if (const auto* call = std::get_if<syntax::Call>(&expr.node)) {
    frame.items = expanded(call->arguments);
    return true;
  }
  if (const auto* choice = std::get_if<syntax::If>(&expr.node)) {
    frame.items = {{choice->condition.get(), {}},
                   {choice->then_branch.get(), {}},
                   {choice->else_branch.get(), {}}};
    return true;
  }
  if (const auto* block = std::get_if<syntax::Block>(&expr.node)) {
    enter_block(*block, frame);
    return true;
  }
  if (const auto* fold = std::get_if<syntax::Fold>(&expr.node)) {
    enter_binder(fold->variable, fold->count, fold->body, frame);
    return true;
  }
  if (const auto* forall = std::get_if<syntax::Forall>(&expr.node)) {
    enter_binder(forall->variable, forall->shape, forall->body, frame);
    return true;
  }
  return false;
}

void BodyElaborator::enter_block(const syntax::Block& block, Frame& frame) {
  environment_.open_value();
  const Level level(*this, frame.expr->span);
  if (!level) {
    frame.block.broken = true;
    return;
  }
  frame.block = statements(block, true);
  if (frame.block.value) {
    const auto& value = std::get<syntax::Value>(frame.block.value->node);
    frame.items = {{value.result.get(), {}}};
  } else {
    error(code::missing_value, frame.expr->span, "this block has no `value`",
          "end it with `value e;`, directly in the block");
  }
}

void BodyElaborator::enter_binder(const syntax::Name& variable, const syntax::ExprPtr& count,
                                  const syntax::ExprPtr& element, Frame& frame) {
  if (const Level level(*this, frame.expr->span); level) {
    Readings readings(scope_);
    const NodeId root = analyse(*count, readings);
    readings.prefer_integers(root);  // nothing else can be counted up to
    frame.count = resolve_best(readings, root);
  }
  const bool free = check_name_free(variable);
  environment_.open();
  if (free) {
    const SortId sort = frame.count ? store_.sort(*frame.count) : store_.predicate_sort();
    frame.index = store_.fresh_variable(variable.text, sort, false);
    environment_.declare({variable.text, frame.index, Fixed::index, !frame.count, 0, variable.span},
                         true);
  }
  frame.broken = !free || !frame.count;
  frame.items = {{element.get(), {}}};
}

NodeId BodyElaborator::leave(Frame& frame, Readings& into) {
  if (std::holds_alternative<syntax::Call>(frame.expr->node)) return leave_call(frame, into);
  if (std::holds_alternative<syntax::If>(frame.expr->node)) return leave_if(frame, into);
  if (std::holds_alternative<syntax::Block>(frame.expr->node)) return leave_block(frame, into);
  environment_.close();
  if (frame.broken) return into.broken(frame.expr);
  if (std::holds_alternative<syntax::Fold>(frame.expr->node)) return leave_fold(frame, into);
  return leave_forall(frame, into);
}

NodeId BodyElaborator::leave_call(Frame& frame, Readings& into) {
  const auto& call = std::get<syntax::Call>(frame.expr->node);
  const std::optional<LiteralText> negated =
      call.callee.text == "-_" && frame.items.size() == 1 && frame.items[0].expr
          ? literal_of(*frame.items[0].expr)
          : std::nullopt;
  const NodeId node = negated ? into.negated_literal({"-" + negated->text, negated->real},
                                                     frame.done[0], frame.expr)
                              : into.call(call.callee.text, frame.done, frame.expr);
  if (!into.of(node).empty()) return cast(node, call.cast, into);
  if (is_refused(call.callee)) return into.broken(frame.expr);

  const std::vector<term::SymbolId>& callees = scope_.overloads(call.callee.text);
  const bool procedures =
      call.is_procedure_call ||
      (!callees.empty() && std::all_of(callees.begin(), callees.end(), [this](auto callee) {
        return store_[callee].kind == term::SymbolKind::procedure;
      }));
  const bool variadic = scope_.has_variadic && scope_.has_variadic(call.callee.text);
  if (callees.empty() && !variadic && !is_builtin_name(call.callee.text)) {
    unknown_operation(call.callee, into, frame.done, call.is_procedure_call);
  } else if (procedures) {
    error(code::procedure_as_value, frame.expr->span,
          "`" + call.callee.text + "` is a procedure and has no value",
          "call it as a statement, on a variable that receives its result");
  } else if (!into.is_broken(node)) {
    no_overload(call.callee, callees, into, frame.done);
  }
  return into.broken(frame.expr);
}

NodeId BodyElaborator::leave_if(Frame& frame, Readings& into) {
  const NodeId test = frame.done[0];
  const NodeId node = into.if_(test, frame.done[1], frame.done[2], frame.expr);
  if (into.is_broken(node) || !into.of(node).empty()) return node;
  if (!into.at(test, store_.predicate_sort())) {
    wrong_sort(into, test, store_.predicate_sort());
  } else {
    error(code::different_branches, frame.expr->span,
          "the branches of this `if` have different sorts: " + sorts_of(into, frame.done[1]) +
              " and " + sorts_of(into, frame.done[2]));
  }
  return into.broken(frame.expr);
}

NodeId BodyElaborator::leave_block(Frame& frame, Readings& into) {
  environment_.close_value();
  if (frame.block.broken || !frame.block.value) return into.broken(frame.expr);
  return into.block(std::move(frame.block.terms), std::move(frame.block.declared), frame.done[0],
                    frame.expr, frame.block.value);
}

NodeId BodyElaborator::leave_fold(Frame& frame, Readings& into) {
  const auto& fold = std::get<syntax::Fold>(frame.expr->node);
  const NodeId element = frame.done[0];
  const NodeId node =
      into.fold(fold.operation.text, frame.index, *frame.count, element, frame.expr);
  if (into.is_broken(node) || !into.of(node).empty()) return node;
  if (is_refused(fold.operation)) return into.broken(frame.expr);
  const std::vector<term::SymbolId>& callees = scope_.overloads(fold.operation.text);
  if (callees.empty() && !is_builtin_name(fold.operation.text)) {
    unknown_operation(fold.operation);
  } else {
    error(code::fold_operation, fold.operation.span,
          "no `" + fold.operation.text + "` folds elements of sort " + sorts_of(into, element),
          "a fold needs a function of two elements that gives an element");
  }
  return into.broken(frame.expr);
}

NodeId BodyElaborator::leave_forall(Frame& frame, Readings& into) {
  const auto& forall = std::get<syntax::Forall>(frame.expr->node);
  const NodeId node = into.forall(frame.index, *frame.count, frame.done[0], frame.expr);
  return cast(node, forall.cast, into);
}

}  // namespace rhopsi::elaborate
