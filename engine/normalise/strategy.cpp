// Strategies that contract terms as they stand, one rule at a time. The terms on the way
// from the root to the place at work are in roots_; below it terms are never changed.
#include <algorithm>

#include "engine/normalise/machine.hpp"

namespace rhopsi::normalise {
namespace {

constexpr std::uint64_t places_between_looks = 16384;

}  // namespace

bool Machine::arguments_reducible(Handle term) const {
  const auto all = arguments(term);
  return std::any_of(all.begin(), all.end(),
                     [&](Handle each) { return (heap_[each] & reducible) != 0; });
}

// The term at `root` rewritten in place, if a rule applies.
bool Machine::contract_root(std::size_t root) {
  // Places where none does take time too.
  if (++places_ % places_between_looks == 0) late(nullptr);
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

// The term at `root` with the arguments that follow it in roots_.
Handle Machine::with_arguments(std::size_t root) {
  const std::uint32_t count = program_.arity[symbol(roots_[root])];
  const auto first = roots_.begin() + static_cast<std::ptrdiff_t>(root) + 1;
  if (std::equal(first, first + count, arguments(roots_[root]).begin())) return roots_[root];
  Handle* const node = take_collecting(count + 1);
  node[0] = symbol(roots_[root]) | reducible;
  std::copy_n(roots_.begin() + static_cast<std::ptrdiff_t>(root) + 1, count, node + 1);
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
    levels_[i] = {i, 0, false};
    note_deep();
    changed = i;
  }
}

Handle Machine::outermost(Handle term) {
  levels_.assign(1, {0, 0, false});
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
      levels_.push_back({last + 1, 0, false});
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

// Down to the next argument that a pass may change; those before it are taken as they are. False:
// all are at hand.
bool Machine::descend() {
  Level& level = levels_.back();
  const Handle term = roots_[level.root];
  const auto all = arguments(term);
  const bool skip = (heap_[term] & reducible) == 0 || stop_ != Stop::normal_form;
  while (level.next < all.size() && (skip || (heap_[all[level.next]] & reducible) == 0)) {
    roots_.push_back(all[level.next]);
    ++level.next;
  }
  if (level.next == all.size()) return false;
  const Handle argument = all[level.next];
  ++level.next;
  levels_.push_back({roots_.size(), 0, false});
  roots_.push_back(argument);
  return true;
}

// One pass: a rule at the root, then a pass over each argument of what it made.
Handle Machine::top_down(Handle term, bool& changed) {
  levels_.assign(1, {0, 0, false});
  roots_.assign(1, term);
  while (true) {
    Level& level = levels_.back();
    const std::size_t root = level.root;
    const bool open = stop_ == Stop::normal_form;
    if (level.next == 0 && roots_.size() == root + 1 && open &&
        (heap_[roots_[root]] & reducible) != 0) {
      if (contract_root(root)) {
        changed = true;
      } else {
        level.settled = stop_ == Stop::normal_form;
      }
    }
    if (descend()) continue;
    const Handle result = with_arguments(root);
    if (level.settled && result == roots_[root] && !arguments_reducible(result)) {
      mark_normal(result);
    }
    roots_.resize(root + 1);
    roots_[root] = result;
    levels_.pop_back();
    if (levels_.empty()) break;
  }
  const Handle result = roots_[0];
  roots_.clear();
  levels_.clear();
  return result;
}

// One pass: a pass over each argument, then a rule at the root.
Handle Machine::bottom_up(Handle term, bool& changed) {
  levels_.assign(1, {0, 0, false});
  roots_.assign(1, term);
  while (true) {
    const std::size_t root = levels_.back().root;
    if (descend()) continue;
    roots_[root] = with_arguments(root);
    roots_.resize(root + 1);
    if (stop_ == Stop::normal_form && (heap_[roots_[root]] & reducible) != 0) {
      if (contract_root(root)) {
        changed = true;
      } else if (stop_ == Stop::normal_form && !arguments_reducible(roots_[root])) {
        mark_normal(roots_[root]);
      }
    }
    levels_.pop_back();
    if (levels_.empty()) break;
  }
  const Handle result = roots_[0];
  roots_.clear();
  levels_.clear();
  return result;
}

Handle Machine::passes(Handle term, bool from_top) {
  in_passes_ = true;
  bool changed = true;
  while (changed && stop_ == Stop::normal_form) {
    changed = false;
    term = from_top ? top_down(term, changed) : bottom_up(term, changed);
  }
  in_passes_ = false;
  return term;
}

}  // namespace rhopsi::normalise
