#include "engine/rewrite/reach.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

using term::SymbolId;
using term::TermId;

std::optional<std::size_t> reach(const term::Store& store, const term::Rule& rule,
                                 const RuleTraits& traits) {
  if (traits.contextual() || traits.may_keep || store.has_binder(rule.left)) return std::nullopt;
  std::unordered_set<SymbolId> seen;
  std::size_t height = 0;
  std::vector<std::pair<TermId, std::size_t>> pending{{rule.left, 1}};
  while (!pending.empty()) {
    const auto [term, depth] = pending.back();
    pending.pop_back();
    if (store.is_variable(term)) {
      if (!seen.insert(store.symbol(term)).second) return std::nullopt;
      continue;
    }
    height = std::max(height, depth);
    for (TermId child : store.children(term)) pending.emplace_back(child, depth + 1);
  }
  return height;
}

std::optional<std::size_t> reach(const term::Store& store, std::span<const term::Rule> rules,
                                 const Candidates& candidates) {
  std::size_t most = 0;
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    const auto depth = reach(store, rules[i], candidates.traits(i));
    if (!depth) return std::nullopt;
    most = std::max(most, *depth);
  }
  return most;
}

}  // namespace rhopsi::rewrite
