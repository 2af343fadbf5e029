// Where casts are needed so that a raised expression is read as its term again.
#include <algorithm>

#include "frontend/elaborate/raise_unit.hpp"

namespace rhopsi::elaborate {

using term::Control;
using term::SortId;
using term::SymbolKind;

namespace {

// Operands are pinned below an operator only so deep; behind that the operator
// itself gets the cast, as a call of `_op_`.
constexpr std::size_t kOperatorDepth = 200;

}  // namespace

bool RaiseUnit::only_reading(std::size_t item) const {
  const std::vector<Reading>& readings = readings_.of(items_[item].node);
  return readings.size() <= 1;
}

// Nothing but the term's own symbol can be meant, its sort being known.
bool RaiseUnit::is_decided(std::size_t item) const {
  const Item& here = items_[item];
  std::vector<Reading> ways = readings_.candidates(here.node, sort(item));
  const auto cheaper = [](const Reading& a, const Reading& b) { return a.cost < b.cost; };
  const auto least = std::min_element(ways.begin(), ways.end(), cheaper);
  if (least == ways.end()) return true;
  const std::uint32_t cost = least->cost;
  std::erase_if(ways, [&](const Reading& way) { return way.cost > cost; });
  return ways.size() == 1 && ways[0].symbol == store_.symbol(here.term);
}

void RaiseUnit::pin_operator(std::size_t item, std::size_t depth) {
  const std::vector<std::size_t> children = items_[item].children;
  // From the right: chains of operators grow to the left.
  for (std::size_t i = children.size(); i-- > 0 && depth < kOperatorDepth;) {
    pin(children[i], depth + 1);
    readings_.refresh(items_[item].node);
    if (only_reading(item)) return;
  }
  auto& call = std::get<syntax::Call>(items_[item].expr->node);
  call.from_operator = false;
  call.cast = type_reference(store_, sort(item));
}

void RaiseUnit::pin(std::size_t item, std::size_t depth) {
  if (items_[item].pinned || only_reading(item)) return;
  items_[item].pinned = true;
  syntax::Expr::Node& node = items_[item].expr->node;
  const syntax::TypeRef cast = type_reference(store_, sort(item));
  const bool negative = store_.head(items_[item].term).kind != SymbolKind::control &&
                        std::holds_alternative<syntax::Call>(node) &&
                        store_.head(items_[item].term).kind != SymbolKind::function &&
                        store_.head(items_[item].term).kind != SymbolKind::predicate;
  if (negative) {
    // The cast stands at the digits, behind the minus.
    for (std::size_t inner : items_[item].children) pin(inner, depth + 1);
    auto& minus = std::get<syntax::Call>(node);
    std::get<syntax::Literal>(minus.arguments[0]->node).cast = cast;
  } else if (auto* call = std::get_if<syntax::Call>(&node)) {
    if (call->from_operator) {
      pin_operator(item, depth);
    } else {
      call->cast = cast;
    }
  } else if (auto* literal = std::get_if<syntax::Literal>(&node)) {
    literal->cast = cast;
  } else if (auto* vector = std::get_if<syntax::VectorLiteral>(&node)) {
    vector->cast = cast;
  } else if (auto* forall = std::get_if<syntax::Forall>(&node)) {
    forall->cast = cast;
  } else if (!items_[item].children.empty()) {
    // An `if` takes its sort from either branch, a block and a fold from what is in them.
    pin(items_[item].children.back(), depth + 1);
  }
  readings_.restrict_to(items_[item].node, sort(item));
}

void RaiseUnit::pin(std::size_t item) { pin(item, 0); }

void RaiseUnit::settle_call(std::size_t item) {
  for (std::size_t child : items_[item].children) {
    if (is_decided(item)) return;
    pin(child, 0);
  }
}

// The element of a `forall` is read as a predicate if the whole is one, and otherwise as what is
// best of what is not the whole.
void RaiseUnit::settle_element(std::size_t item) {
  const std::size_t element = items_[item].children[0];
  const Choice choice = readings_.element_choice(items_[element].node, sort(item));
  if (choice.sort != sort(element) || choice.answer != Choice::Answer::one) pin(element, 0);
}

// Down from the root: every item's sort is known when its turn comes.
void RaiseUnit::settle(std::size_t root) {
  std::vector<std::size_t> pending{root};
  while (!pending.empty()) {
    const std::size_t item = pending.back();
    pending.pop_back();
    const term::Symbol& symbol = store_.head(items_[item].term);
    const bool call = symbol.kind == SymbolKind::function || symbol.kind == SymbolKind::predicate;
    if (call) settle_call(item);
    if (symbol.control == Control::forall) settle_element(item);
    const std::vector<std::size_t>& children = items_[item].children;
    pending.insert(pending.end(), children.begin(), children.end());
  }
}

void RaiseUnit::settle_alone(std::size_t item) {
  const Choice choice = readings_.best(items_[item].node);
  const bool forall = store_.is(items_[item].term, Control::forall);
  if (choice.sort != sort(item) || choice.answer == Choice::Answer::none ||
      (choice.answer == Choice::Answer::several && !only_reading(item)) ||
      (forall && sort(item) != store_.predicate_sort())) {
    pin(item, 0);
  }
  if (forall && sort(item) != store_.predicate_sort()) {
    std::get<syntax::Forall>(items_[item].expr->node).cast = type_reference(store_, sort(item));
  }
  settle(item);
}

}  // namespace rhopsi::elaborate
