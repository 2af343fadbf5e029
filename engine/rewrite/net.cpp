#include "engine/rewrite/net.hpp"

#include <algorithm>

namespace rhopsi::rewrite {

using term::TermId;

MatchingNet::MatchingNet(const term::Store& store, std::span<const term::Rule> rules)
    : store_(store), nodes_(1) {
  for (std::uint32_t i = 0; i < rules.size(); ++i) insert(i, rules[i].left);
}

std::uint64_t MatchingNet::edge_of(TermId term) const {
  return (static_cast<std::uint64_t>(store_.symbol(term)) << 32) | store_.children(term).size();
}

std::uint32_t MatchingNet::child(std::uint32_t node, std::uint64_t edge) {
  const auto next = static_cast<std::uint32_t>(nodes_.size());
  const auto [place, inserted] = nodes_[node].edges.try_emplace(edge, next);
  const std::uint32_t found = place->second;
  if (inserted) nodes_.emplace_back();
  return found;
}

void MatchingNet::insert(std::uint32_t rule, TermId left) {
  std::uint32_t node = 0;
  std::vector<TermId> pending{left};
  while (!pending.empty()) {
    const TermId next = pending.back();
    pending.pop_back();
    if (store_.is_variable(next)) {
      if (nodes_[node].any == none) {
        nodes_[node].any = static_cast<std::uint32_t>(nodes_.size());
        nodes_.emplace_back();
      }
      node = nodes_[node].any;
      continue;
    }
    node = child(node, edge_of(next));
    const auto children = store_.children(next);
    pending.insert(pending.end(), children.rbegin(), children.rend());
  }
  nodes_[node].rules.push_back(rule);
}

std::span<const std::uint32_t> MatchingNet::candidates(TermId subject) {
  found_.clear();
  if (!nodes_[0].edges.contains(edge_of(subject))) return found_;
  lists_.assign(1, Pending{subject, none});
  states_.assign(1, State{0, 0});
  while (!states_.empty()) {
    const State state = states_.back();
    states_.pop_back();
    walk(state);
  }
  if (found_.size() > 1) std::ranges::sort(found_);
  return found_;
}

void MatchingNet::walk(State state) {
  ++steps_;
  const Node& node = nodes_[state.node];
  if (state.pending == none) {
    found_.insert(found_.end(), node.rules.begin(), node.rules.end());
    return;
  }
  const Pending here = lists_[state.pending];
  if (node.any != none) states_.push_back({node.any, here.rest});
  if (node.edges.empty()) return;
  const auto edge = node.edges.find(edge_of(here.subject));
  if (edge == node.edges.end()) return;
  const auto children = store_.children(here.subject);
  std::uint32_t rest = here.rest;
  for (std::size_t i = children.size(); i-- > 0;) {
    lists_.push_back({children[i], rest});
    rest = static_cast<std::uint32_t>(lists_.size() - 1);
  }
  states_.push_back({edge->second, rest});
}

}  // namespace rhopsi::rewrite
