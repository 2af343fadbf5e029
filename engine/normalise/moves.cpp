#include "engine/normalise/moves.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace rhopsi::normalise {
namespace {

constexpr std::size_t most_nodes = 20'000;

// A term written out, in pre-order.
struct Written {
  term::TermId term;
  std::size_t above;
  std::uint32_t argument;
  bool wanted = false;
};

std::optional<std::vector<Written>> write_out(const term::Store& store, term::TermId term) {
  std::vector<Written> all;
  std::vector<Written> open{{term, 0, 0}};
  while (!open.empty()) {
    const Written top = open.back();
    open.pop_back();
    if (all.size() + open.size() > most_nodes) return std::nullopt;
    const std::size_t here = all.size();
    all.push_back(top);
    const auto children = store.children(top.term);
    for (std::size_t i = children.size(); i-- > 0;) {
      open.push_back({children[i], here, static_cast<std::uint32_t>(i)});
    }
  }
  return all;
}

using Numbers = std::unordered_map<term::SymbolId, std::uint32_t>;

Numbers occurrences(const term::Store& store, const std::vector<Written>& side) {
  Numbers found;
  for (const Written& each : side) {
    if (store.is_variable(each.term)) ++found[store.symbol(each.term)];
  }
  return found;
}

// What lies on a way to a variable that has a number.
std::vector<Moves::Node> ways(const term::Store& store, std::vector<Written>& side,
                              const Numbers& numbers) {
  const auto number = [&](const Written& each) {
    if (!store.is_variable(each.term)) return Moves::no_variable;
    const auto found = numbers.find(store.symbol(each.term));
    return found == numbers.end() ? Moves::no_variable : found->second;
  };
  for (std::size_t i = side.size(); i-- > 0;) {
    if (number(side[i]) != Moves::no_variable) side[i].wanted = true;
    if (side[i].wanted) side[side[i].above].wanted = true;
  }
  std::vector<Moves::Node> nodes;
  std::vector<std::size_t> above;
  std::vector<std::size_t> place(side.size(), 0);
  for (std::size_t i = 0; i < side.size(); ++i) {
    if (!side[i].wanted) continue;
    place[i] = nodes.size();
    above.push_back(place[side[i].above]);
    nodes.push_back(
        {side[i].argument, static_cast<std::uint32_t>(nodes.size() + 1), number(side[i])});
  }
  for (std::size_t i = nodes.size(); i-- > 1;) {
    nodes[above[i]].end = std::max(nodes[above[i]].end, nodes[i].end);
  }
  return nodes;
}

}  // namespace

Moves moves_of(const term::Store& store, const Rule& rule) {
  auto left = write_out(store, rule.left);
  auto right = write_out(store, rule.right);
  if (!left || !right) return {};
  const Numbers before = occurrences(store, *left);
  Numbers numbers;
  for (const auto& [variable, count] : occurrences(store, *right)) {
    if (count != 1 || before.at(variable) != 1) continue;
    const auto next = static_cast<std::uint32_t>(numbers.size());
    numbers.emplace(variable, next);
  }
  if (numbers.empty()) return {};
  Moves moves{ways(store, *left, numbers), ways(store, *right, numbers),
              static_cast<std::uint32_t>(numbers.size())};
  for (const Written& each : *right) {
    if (each.wanted) {
      moves.arguments += static_cast<std::uint32_t>(store.children(each.term).size());
    }
  }
  return moves;
}

}  // namespace rhopsi::normalise
