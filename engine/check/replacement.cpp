#include "engine/check/replacement.hpp"

#include <algorithm>

namespace rhopsi::check {

std::optional<TermId> part_at(const term::Store& store, TermId term,
                              std::span<const std::uint32_t> position) {
  for (const std::uint32_t child : position) {
    const auto children = store.children(term);
    if (child >= children.size()) return std::nullopt;
    term = children[child];
  }
  return term;
}

bool are_apart(std::span<const Replacement> replacements) {
  for (std::size_t i = 1; i < replacements.size(); ++i) {
    const auto& left = replacements[i - 1].position;
    const auto& right = replacements[i].position;
    const auto [one, other] = std::ranges::mismatch(left, right);
    if (one == left.end() || other == right.end() || *one > *other) return false;
  }
  return true;
}

namespace {

// Terms on the way that are not finished: their children so far.
struct Open {
  TermId term;
  std::vector<TermId> children;
};

}  // namespace

TermId replaced(const term::Store& store, const Maker& make, TermId root,
                std::span<const Replacement> replacements) {
  TermId result = root;
  std::vector<Open> open;
  const auto close_to = [&](std::size_t depth, std::span<const std::uint32_t> way) {
    while (open.size() > depth) {
      const Open done = std::move(open.back());
      open.pop_back();
      const std::vector<SymbolId> bound(store.bound(done.term).begin(),
                                        store.bound(done.term).end());
      const TermId made = make(store.symbol(done.term), done.children, bound);
      if (open.empty()) {
        result = made;
      } else {
        open.back().children[way[open.size() - 1]] = made;
      }
    }
  };
  std::span<const std::uint32_t> last;
  for (const Replacement& each : replacements) {
    if (each.position.empty()) return each.part;
    const auto common = std::ranges::mismatch(last, each.position).in1 - last.begin();
    close_to(std::min(open.size(), static_cast<std::size_t>(common) + 1), last);
    while (open.size() < each.position.size()) {
      const TermId term =
          open.empty() ? root : open.back().children[each.position[open.size() - 1]];
      const auto children = store.children(term);
      open.push_back({term, {children.begin(), children.end()}});
    }
    open.back().children[each.position.back()] = each.part;
    last = each.position;
  }
  close_to(0, last);
  return result;
}

}  // namespace rhopsi::check
