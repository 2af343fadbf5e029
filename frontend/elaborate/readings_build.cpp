// Choosing among readings, and the terms that they stand for.
#include <algorithm>
#include <tuple>

#include "frontend/elaborate/readings.hpp"

namespace rhopsi::elaborate {

using term::Control;
using term::SortId;
using term::SymbolId;
using term::TermId;

Choice Readings::best(NodeId node) const { return best_but(node, std::nullopt); }

Choice Readings::best_but(NodeId node, std::optional<SortId> sort) const {
  Choice choice;
  std::uint32_t cost = 0;
  for (const Reading& reading : of(node)) {
    if (reading.sort == sort) continue;
    const bool first = choice.answer == Choice::Answer::none;
    if (!first && reading.cost > cost) continue;
    const bool tie = !first && reading.cost == cost;
    choice.answer = tie || reading.ambiguous ? Choice::Answer::several : Choice::Answer::one;
    choice.sort = tie ? choice.sort : reading.sort;
    cost = reading.cost;
  }
  return choice;
}

std::vector<Reading> Readings::candidates(NodeId node, SortId sort) const {
  std::vector<Reading> result;
  for (const Reading& call : calls(nodes_[node].name, nodes_[node].children)) {
    if (call.sort == sort) result.push_back(call);
  }
  return result;
}

Choice Readings::element_choice(NodeId element, SortId result) const {
  if (result == store_.predicate_sort() && at(element, result)) {
    return {Choice::Answer::one, result};
  }
  const Choice other = best_but(element, result);
  return other.answer == Choice::Answer::none ? best(element) : other;
}

// The children that a reading uses, each with the sort that it takes there.
std::vector<std::pair<NodeId, SortId>> Readings::wanted_children(const Node& node,
                                                                 const Reading& reading) const {
  switch (node.kind) {
    case Kind::leaf:
    case Kind::vector:
      return {};
    case Kind::if_:
      return {{node.children[0], store_.predicate_sort()},
              {node.children[1], reading.sort},
              {node.children[2], reading.sort}};
    case Kind::block:
    case Kind::fold:
      return {{node.children[0], reading.sort}};
    case Kind::forall:
      return {{node.children[0], element_choice(node.children[0], reading.sort).sort}};
    case Kind::call:
      break;
  }
  std::vector<std::pair<NodeId, SortId>> wanted;
  const term::Symbol& symbol = store_[reading.symbol];
  // A folded literal uses none of its children.
  if (symbol.parameters.size() != node.children.size()) return wanted;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    wanted.emplace_back(node.children[i], symbol.parameters[i]);
  }
  return wanted;
}

Ambiguity Readings::locate_ambiguity(NodeId node, SortId sort) const {
  while (true) {
    const Node& here = nodes_[node];
    const Reading* reading = at(node, sort);
    if (here.kind == Kind::call) {
      std::vector<Reading> ways = candidates(node, sort);
      std::erase_if(ways, [&](const Reading& way) { return way.cost > reading->cost; });
      if (ways.size() != 1) return {node, std::move(ways)};
    }
    if (here.kind == Kind::forall) {
      const NodeId element = here.children[0];
      const Choice choice = element_choice(element, sort);
      if (choice.answer == Choice::Answer::several && !at(element, choice.sort)->ambiguous) {
        return {element, of(element)};
      }
    }
    const auto children = wanted_children(here, *reading);
    auto cause = std::find_if(children.begin(), children.end(), [this](const auto& child) {
      return at(child.first, child.second)->ambiguous;
    });
    if (cause == children.end()) return {node, {*reading}};
    std::tie(node, sort) = *cause;
  }
}

TermId Readings::make_construct(const Node& node, const Reading& reading,
                                const std::vector<TermId>& children) const {
  const term::LocationId place =
      node.source ? locate(store_, node.source->span) : term::LocationId{};
  switch (node.kind) {
    case Kind::if_:
      return store_.make(store_.control(Control::if_, reading.sort), children, {}, place);
    case Kind::vector:
      return store_.make(store_.control(Control::vector_, reading.sort), node.parts->terms, {},
                         place);
    case Kind::fold:
      return store_.make(store_.control(Control::fold, reading.sort, reading.symbol),
                         std::vector<TermId>{node.parts->terms[0], children[0]}, node.parts->bound,
                         place);
    case Kind::forall:
      return store_.make(store_.control(Control::forall, reading.sort),
                         std::vector<TermId>{node.parts->terms[0], children[0]}, node.parts->bound,
                         place);
    case Kind::leaf:
    case Kind::call:
    case Kind::block:
      break;
  }
  std::vector<TermId> statements = node.parts->terms;
  statements.push_back(store_.make(store_.control(Control::value, store_.statement_sort()),
                                   {children[0]}, node.parts->value_location));
  return store_.make(store_.control(Control::block, reading.sort), statements, node.parts->bound,
                     place);
}

TermId Readings::make(const Node& node, const Reading& reading,
                      const std::vector<TermId>& built) const {
  std::vector<TermId> children;
  for (const auto& [child, sort] : wanted_children(node, reading)) {
    children.push_back(built[child]);
  }
  if (node.kind != Kind::leaf && node.kind != Kind::call) {
    return make_construct(node, reading, children);
  }
  const term::LocationId place =
      node.source ? locate(store_, node.source->span) : term::LocationId{};
  return store_.make(reading.symbol, children, {}, place);
}

// Children were entered before their parents: one pass down marks the sorts that the
// chosen readings use, one pass up makes the terms.
TermId Readings::build(NodeId root, SortId root_sort) const {
  std::vector<const Reading*> chosen(root + 1, nullptr);
  chosen[root] = at(root, root_sort);
  for (NodeId node = root + 1; node-- > 0;) {
    if (!chosen[node]) continue;
    for (const auto& [child, sort] : wanted_children(nodes_[node], *chosen[node])) {
      chosen[child] = at(child, sort);
    }
  }
  std::vector<TermId> built(root + 1);
  for (NodeId node = 0; node <= root; ++node) {
    if (chosen[node]) built[node] = make(nodes_[node], *chosen[node], built);
  }
  return built[root];
}

}  // namespace rhopsi::elaborate
