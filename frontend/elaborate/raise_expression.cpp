// Expressions back to syntax: the tree without its casts.
#include <cctype>
#include <utility>

#include "frontend/elaborate/raise_unit.hpp"

namespace rhopsi::elaborate {

using syntax::ExprPtr;
using term::Control;
using term::SymbolKind;
using term::TermId;

namespace {

// `_op_` of two arguments and `op_` of one are written as operators.
bool is_operator(const term::Symbol& symbol) {
  const std::string& name = symbol.name;
  const auto is_word = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) || c == '_' || byte >= 0x80;
  };
  for (char c : name) {
    if (!is_word(c)) return symbol.parameters.size() == (name.front() == '_' ? 2u : 1u);
  }
  return false;
}

}  // namespace

std::size_t RaiseUnit::add(TermId term, NodeId node, ExprPtr expr,
                           std::vector<std::size_t> children) {
  items_.push_back({term, node, std::move(expr), std::move(children)});
  return items_.size() - 1;
}

bool RaiseUnit::is_leaf(TermId term) const {
  const SymbolKind kind = store_.head(term).kind;
  return kind == SymbolKind::variable || kind == SymbolKind::integer_literal ||
         kind == SymbolKind::real_literal || store_.is(term, Control::vector_);
}

// A negative literal is written with a prefix minus.
std::size_t RaiseUnit::literal(TermId term) {
  const term::Symbol& symbol = store_.head(term);
  const bool real = symbol.kind == SymbolKind::real_literal;
  const bool negative = symbol.name.starts_with('-');
  const std::string digits = negative ? symbol.name.substr(1) : symbol.name;
  ExprPtr number = make_expr(syntax::Literal{
      real ? syntax::Literal::Kind::real : syntax::Literal::Kind::integer, digits, {}});
  if (!negative) return add(term, readings_.literal({digits, real}, nullptr), number, {});
  if (!real && !integer_value(digits)) {
    const NodeId node = readings_.literal({symbol.name, real}, nullptr);
    return add(term, node, make_expr(syntax::Call{plain_name("-_"), {number}, {}, false, true}),
               {});
  }
  const std::size_t inner = add(term, readings_.literal({digits, real}, nullptr), number, {});
  const NodeId node = readings_.negated_literal({symbol.name, real}, items_[inner].node, nullptr);
  return add(term, node, make_expr(syntax::Call{plain_name("-_"), {number}, {}, false, true}),
             {inner});
}

std::size_t RaiseUnit::leaf(TermId term) {
  const term::Symbol& symbol = store_.head(term);
  if (symbol.kind == SymbolKind::variable) {
    const term::SymbolId variable = store_.symbol(term);
    ExprPtr expr =
        make_expr(syntax::Variable{plain_name(raiser_.names().of(variable)), std::nullopt});
    return add(term, readings_.variable(variable, nullptr), std::move(expr), {});
  }
  if (symbol.kind != SymbolKind::control) return literal(term);
  const auto span = store_.children(term);
  const std::vector<TermId> components(span.begin(), span.end());
  const NodeId node = readings_.vector(components, nullptr);
  return add(term, node, make_expr(syntax::VectorLiteral{raiser_.numbers(components, true), {}}),
             {});
}

RaiseUnit::Frame RaiseUnit::open(TermId term) {
  const auto span = store_.children(term);
  Frame frame{term, {span.begin(), span.end()}, {}, {}, {}};
  if (store_.is(term, Control::block)) {
    raiser_.names().open();
    const TermId value = frame.parts.back();
    frame.parts.pop_back();
    frame.around = raiser_.statements(frame.parts);
    frame.parts = {store_.children(value)[0]};
  } else if (store_.is(term, Control::fold) || store_.is(term, Control::forall)) {
    frame.around = {raiser_.expression(frame.parts[0], std::nullopt)};
    raiser_.names().open();
    frame.index = raiser_.names().bind(store_.bound(term)[0]);
    frame.parts = {frame.parts[1]};
  }
  return frame;
}

std::size_t RaiseUnit::close_construct(Frame& frame, std::vector<NodeId> nodes) {
  const TermId term = frame.term;
  const ExprPtr& last = items_[frame.done.back()].expr;
  if (store_.is(term, Control::if_)) {
    const NodeId node = readings_.if_(nodes[0], nodes[1], nodes[2], nullptr);
    return add(term, node,
               make_expr(syntax::If{items_[frame.done[0]].expr, items_[frame.done[1]].expr, last}),
               frame.done);
  }
  raiser_.names().close();
  if (store_.is(term, Control::block)) {
    frame.around.push_back(make_expr(syntax::Value{last}));
    const NodeId node = readings_.block({}, {}, nodes[0], nullptr, nullptr);
    return add(term, node, make_expr(syntax::Block{std::move(frame.around)}), frame.done);
  }
  const TermId count = store_.children(term)[0];
  const term::SymbolId index = store_.bound(term)[0];
  if (store_.is(term, Control::forall)) {
    const NodeId node = readings_.forall(index, count, nodes[0], nullptr);
    return add(term, node,
               make_expr(syntax::Forall{plain_name(frame.index), frame.around[0], last, {}}),
               frame.done);
  }
  const std::string& operation = store_[store_.head(term).operation].name;
  const NodeId node = readings_.fold(operation, index, count, nodes[0], nullptr);
  return add(term, node,
             make_expr(syntax::Fold{plain_name(operation), plain_name(frame.index), frame.around[0],
                                    last}),
             frame.done);
}

std::size_t RaiseUnit::close(Frame frame) {
  std::vector<NodeId> nodes;
  for (std::size_t child : frame.done) nodes.push_back(items_[child].node);
  const term::Symbol& symbol = store_.head(frame.term);
  if (symbol.kind == SymbolKind::control) return close_construct(frame, std::move(nodes));
  syntax::Call call{plain_name(symbol.name), {}, {}, false, is_operator(symbol)};
  for (std::size_t child : frame.done) call.arguments.push_back(items_[child].expr);
  const NodeId node = readings_.call(symbol.name, std::move(nodes), nullptr);
  return add(frame.term, node, make_expr(std::move(call)), std::move(frame.done));
}

std::size_t RaiseUnit::enter(TermId root) {
  if (is_leaf(root)) return leaf(root);
  std::vector<Frame> stack;
  stack.push_back(open(root));
  while (true) {
    Frame& top = stack.back();
    if (top.done.size() < top.parts.size()) {
      const TermId part = top.parts[top.done.size()];
      if (is_leaf(part)) {
        top.done.push_back(leaf(part));
      } else {
        stack.push_back(open(part));
      }
      continue;
    }
    Frame finished = std::move(top);
    stack.pop_back();
    const std::size_t item = close(std::move(finished));
    if (stack.empty()) return item;
    stack.back().done.push_back(item);
  }
}

ExprPtr Raiser::expression(TermId term, std::optional<term::SortId> expected) {
  RaiseUnit unit(scope_, *this);
  const std::size_t root = unit.enter(term);
  if (expected) {
    unit.settle(root);
  } else {
    unit.settle_alone(root);
  }
  return unit.expr(root);
}

std::vector<ExprPtr> Raiser::numbers(const std::vector<TermId>& terms, bool components) {
  RaiseUnit unit(scope_, *this);
  std::vector<std::size_t> items;
  std::vector<NodeId> nodes;
  for (TermId term : terms) {
    items.push_back(unit.enter(term));
    nodes.push_back(unit.node(items.back()));
  }
  std::vector<ExprPtr> result;
  for (std::size_t item : items) {
    const Choice choice = components ? unit.readings().common_component_sort(nodes)
                                     : unit.readings().common_integer_sort(nodes);
    const bool one = choice.answer == Choice::Answer::one ||
                     (components && choice.answer == Choice::Answer::several);
    if (!one || choice.sort != store_.sort(terms[0])) unit.pin(item);
    unit.settle(item);
    result.push_back(unit.expr(item));
  }
  return result;
}

ExprPtr Raiser::procedure_call(TermId term) {
  const term::SymbolId callee = store_.symbol(term);
  const auto span = store_.children(term);
  const std::vector<TermId> arguments(span.begin(), span.end());
  RaiseUnit unit(scope_, *this);
  std::vector<std::size_t> items;
  std::vector<NodeId> nodes;
  for (TermId argument : arguments) {
    items.push_back(unit.enter(argument));
    nodes.push_back(unit.node(items.back()));
  }
  // A rival takes the same arguments at no higher cost.
  const auto has_rival = [&] {
    const std::optional<Reading> meant = unit.readings().apply(callee, nodes);
    for (term::SymbolId other : scope_.overloads(store_[callee].name)) {
      if (other == callee || store_[other].kind != term::SymbolKind::procedure) continue;
      const std::optional<Reading> rival = unit.readings().apply(other, nodes);
      if (meant && rival && rival->cost <= meant->cost) return true;
    }
    return false;
  };
  syntax::Call call{plain_name(store_[callee].name), {}, {}, false, false};
  for (std::size_t item : items) {
    if (has_rival()) unit.pin(item);
  }
  for (std::size_t item : items) {
    unit.settle(item);
    call.arguments.push_back(unit.expr(item));
  }
  return make_expr(std::move(call));
}

}  // namespace rhopsi::elaborate
