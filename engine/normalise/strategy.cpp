// Outermost rewriting: terms are contracted as they stand, one rule at a time. The terms on the way
// from the root to the place at work are in roots_; below it terms are never changed.
#include <algorithm>

#include "engine/normalise/machine.hpp"

namespace rhopsi::normalise {
namespace {

constexpr std::uint64_t places_between_looks = 16384;

}  // namespace

// The term at `root` rewritten in place, if a rule applies.
bool Machine::contract_root(std::size_t root) {
  // Places where none does take time too.
  if (++visits_ % places_between_looks == 0) late(nullptr);
  if (stop_ != Stop::normal_form) return false;
  const auto result = contract(roots_[root]);
  if (!result) return false;
  if (recording_) steps_.push_back({last_rule_, roots_[root]});
  roots_[root] = *result;
  return true;
}

// The term at `root` with another argument, that at `new_root`.
Handle Machine::with_argument(std::size_t root, std::uint32_t argument, std::size_t new_root) {
  if (arguments(roots_[root])[argument] == roots_[new_root]) return roots_[root];
  const std::uint32_t count = program_.arity[symbol(roots_[root])];
  Handle* const node = take_collecting(count + 1);
  std::copy_n(heap_ + roots_[root], count + 1, node);
  node[0] |= reducible;
  node[1 + argument] = roots_[new_root];
  return static_cast<Handle>(node - heap_);
}

// The last level has a new term.
void Machine::note_deep() {
  const std::size_t last = levels_.size() - 1;
  const std::size_t above = last == 0 ? no_level : levels_[last - 1].deep;
  const bool own = program_.looks_deep[symbol(roots_[last])];
  levels_[last].deep = above == no_level && own ? last : above;
}

// The term at level `changed` is a new one: so may be the redexes above it, as far up as left
// sides look down. The outermost comes first.
void Machine::settle_from(std::size_t changed) {
  while (stop_ == Stop::normal_form) {
    const std::size_t reach = std::min<std::size_t>(changed, program_.pattern_depth - 1);
    const std::size_t deep = changed == 0 ? no_level : levels_[changed - 1].deep;
    const std::size_t top = std::min(changed - reach, deep);
    for (std::size_t i = changed; i-- > top;) {
      roots_[i] = with_argument(i, levels_[i].next, i + 1);
    }
    std::size_t i = top;
    while (i < changed && !contract_root(i)) ++i;
    if (i == changed || stop_ != Stop::normal_form) return;
    levels_.resize(i + 1);
    roots_.resize(i + 1);
    levels_[i] = {0, false};
    note_deep();
    changed = i;
  }
}

Handle Machine::outermost(Handle term) {
  levels_.assign(1, {0, false});
  roots_.assign(1, term);
  note_deep();
  while (stop_ == Stop::normal_form) {
    Level& level = levels_.back();
    const std::size_t last = levels_.size() - 1;
    if (!level.settled && (heap_[roots_[last]] & reducible) != 0) {
      if (contract_root(last)) {
        level.next = 0;
        note_deep();
        settle_from(last);
        continue;
      }
      if (stop_ != Stop::normal_form) break;
    }
    level.settled = true;
    const auto all = arguments(roots_[last]);
    if ((heap_[roots_[last]] & reducible) == 0) {
      level.next = static_cast<std::uint32_t>(all.size());
    }
    while (level.next < all.size() && (heap_[all[level.next]] & reducible) == 0) ++level.next;
    if (level.next < all.size()) {
      const Handle argument = all[level.next];
      levels_.push_back({0, false});
      roots_.push_back(argument);
      note_deep();
      continue;
    }
    mark_normal(roots_[last]);
    if (last == 0) break;
    roots_[last - 1] = with_argument(last - 1, levels_[last - 1].next, last);
    levels_.pop_back();
    roots_.pop_back();
  }
  while (levels_.size() > 1) {
    const std::size_t last = levels_.size() - 1;
    roots_[last - 1] = with_argument(last - 1, levels_[last - 1].next, last);
    levels_.pop_back();
    roots_.pop_back();
  }
  const Handle result = roots_[0];
  roots_.clear();
  levels_.clear();
  return result;
}

}  // namespace rhopsi::normalise
