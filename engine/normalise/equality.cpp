#include <unordered_set>

#include "engine/normalise/machine.hpp"

namespace rhopsi::normalise {
namespace {

// Terms share what they have in common, and a comparison that forgets walks it again each
// time it comes there: from so many pairs on, those that have been compared are remembered.
constexpr std::size_t pairs_before_memory = 4096;

}  // namespace

bool Machine::equal(Handle a, Handle b) const {
  if (a == b) return true;
  if (symbol(a) != symbol(b)) return false;
  std::vector<std::pair<Handle, Handle>> open{{a, b}};
  std::unordered_set<std::uint64_t> seen;
  std::size_t compared = 0;
  while (!open.empty()) {
    const auto [left, right] = open.back();
    open.pop_back();
    if (left == right) continue;
    if (symbol(left) != symbol(right)) return false;
    if (++compared > pairs_before_memory &&
        !seen.insert(std::uint64_t{left} << 32 | right).second) {
      continue;
    }
    const auto first = arguments(left);
    const auto second = arguments(right);
    for (std::size_t i = first.size(); i-- > 0;) open.emplace_back(first[i], second[i]);
  }
  return true;
}

std::optional<std::uint64_t> Machine::size(Handle term, std::uint64_t most) const {
  std::vector<Handle> open{term};
  std::uint64_t count = 0;
  while (!open.empty()) {
    if (++count > most) return std::nullopt;
    const auto all = arguments(open.back());
    open.pop_back();
    open.insert(open.end(), all.begin(), all.end());
  }
  return count;
}

}  // namespace rhopsi::normalise
