#include "frontend/driver/nesting.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/term/operations.hpp"
#include "frontend/driver/codes.hpp"

namespace rhopsi::driver {
namespace {

// The printer goes down level by level.
constexpr std::size_t deepest_printed = 10'000;

}  // namespace

std::size_t nesting(const term::Store& store, term::TermId root) {
  std::unordered_map<term::TermId, std::size_t> levels;
  std::vector<std::pair<term::TermId, std::size_t>> stack{{root, 0}};
  while (!stack.empty()) {
    auto& [term, next] = stack.back();
    const auto children = store.children(term);
    while (next < children.size() && levels.contains(children[next])) ++next;
    if (next < children.size()) {
      stack.emplace_back(children[next], 0);
      continue;
    }
    const std::string& name = store.head(term).name;
    const bool infix = children.size() == 2 && name.size() > 2 && name.front() == '_';
    std::size_t level = 1;
    for (std::size_t i = 0; i < children.size(); ++i) {
      level = std::max(level, levels[children[i]] + (infix && i == 0 ? 0 : 1));
    }
    levels[term] = level;
    stack.pop_back();
  }
  return levels[root];
}

bool check_nesting(const term::Store& store, const term::Theory& theory,
                   syntax::Diagnostics& diagnostics) {
  for (const term::Callable& callable : theory.callables) {
    std::size_t deepest = callable.body ? nesting(store, *callable.body) : 0;
    if (callable.guard) deepest = std::max(deepest, nesting(store, *callable.guard));
    if (deepest <= deepest_printed) continue;
    diagnostics.error(codes::nested_too_deep, {},
                      "'" + to_string(store, callable.symbol) + "' is nested " +
                          std::to_string(deepest) + " levels deep, and at most " +
                          std::to_string(deepest_printed) + " can be printed",
                      "bound the rewriting by fewer steps, or print another operation with -f");
    return false;
  }
  return true;
}

}  // namespace rhopsi::driver
