// Before nodes are counted: what the term as it stands does not need any more is let go of. On the
// way from the root to the place at work, terms are as they were when it was begun, with
// arguments of which others have taken the place.
#include <algorithm>

#include "engine/normalise/machine.hpp"
#include "engine/normalise/waiting.hpp"

namespace rhopsi::normalise {

void Machine::relink(Handle* base, std::size_t live) {
  relink_way();
  std::uint32_t address = where_;
  bool uppermost = true;
  while (base != nullptr) {
    relink_frame(base, live, address, uppermost);
    if (base[-1] == 0) return;
    address = base[-2];
    uppermost = false;
    Handle* const below = base - base[-1];
    live = static_cast<std::size_t>(base - 2 - below);
    base = below;
  }
}

// The frame at `base`, whose first `live` slots are in use, goes on at `address`.
void Machine::relink_frame(Handle* base, std::size_t live, std::uint32_t address, bool uppermost) {
  if (address == evaluate_address) {
    // Slot 0 holds a term, the others what its arguments have come to. That behind them is at
    // work in the frame above, and not read here again.
    const std::uint32_t count = program_.arity[symbol(base[0])];
    if (free_ + count + 1 > space_end() || (live == 1 && uppermost)) return;
    Handle* const node = free_;
    free_ += count + 1;
    std::copy_n(heap_ + base[0], count + 1, node);
    std::copy(base + 1, base + live, node + 1);
    if (!uppermost) node[live] = 0;
    base[0] = static_cast<Handle>(node - heap_);
    return;
  }
  // Compiled frames hold what is read alone, and say where they go on in another way.
  if (runs_compiled() || !program_.rests[index_of(address)].right_side) return;
  const std::vector<std::uint32_t>& read = read_from(address);
  auto next = read.begin();
  for (std::uint32_t slot = 0; slot < live; ++slot) {
    while (next != read.end() && *next < slot) ++next;
    if (next == read.end() || *next != slot) base[slot] = 0;
  }
}

const std::vector<std::uint32_t>& Machine::read_from(std::uint32_t address) {
  const auto [found, fresh] = read_from_.try_emplace(address);
  if (fresh) found->second = slots_read(program_, index_of(address));
  return found->second;
}

// What outermost rewriting keeps of the way in roots_ gets the arguments that it has by now. Terms
// at places have them but for one at most.
void Machine::relink_way() {
  write_up(false);
  for (std::size_t i = levels_.size(); i-- > 1;) {
    const std::uint32_t argument = levels_[i - 1].next;
    const auto all = arguments(roots_[i - 1]);
    if (all[argument] == roots_[i]) continue;
    if (free_ + all.size() + 1 > space_end()) return;
    Handle* const node = free_;
    free_ += all.size() + 1;
    std::copy_n(heap_ + roots_[i - 1], all.size() + 1, node);
    node[1 + argument] = roots_[i];
    roots_[i - 1] = static_cast<Handle>(node - heap_);
  }
}

}  // namespace rhopsi::normalise
