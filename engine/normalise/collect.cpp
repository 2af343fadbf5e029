// Copying collection: what is reached moves to the other space, in the order of a breadth-first
// walk.
#include <algorithm>

#include "engine/normalise/machine.hpp"

namespace rhopsi::normalise {
namespace {

// Small terms stay in the processor's caches.
constexpr std::size_t least_words = std::size_t{1} << 17;
// Giving memory back costs time when it is wanted again.
constexpr std::size_t kept_words = std::size_t{1} << 20;

}  // namespace

void Machine::note_peak() {
  const auto arena = static_cast<std::size_t>(free_ - heap_);
  const auto stack = static_cast<std::size_t>(stack_limit_ - stack_.data());
  peak_words_ = std::max(peak_words_, arena + stack);
}

// Moves one term; its arguments follow when the walk comes to them.
inline void Machine::move(Handle& term) {
  if (term < program_.permanent.size()) return;
  Handle* const source = heap_ + term;
  if (source[0] == moved) {
    term = source[1];
    return;
  }
  const std::size_t words = std::max<std::size_t>(program_.arity[source[0] & ~reducible] + 1, 2);
  Handle* const target = free_;
  free_ += words;
  target[0] = source[0];
  target[1] = source[1];
  for (std::size_t i = 2; i < words; ++i) target[i] = source[i];
  term = static_cast<Handle>(target - (swapped_ ? from_ : to_).data());
  source[0] = moved;
  source[1] = term;
}

// Everything that frames, strategies and recorded steps reach. Returns how many terms.
std::uint64_t Machine::move_all(Handle* base, std::size_t live) {
  Handle* scan = free_;
  while (base != nullptr) {
    for (std::size_t i = 0; i < live; ++i) move(base[i]);
    if (base[-1] == 0) break;
    Handle* const below = base - base[-1];
    live = static_cast<std::size_t>(base - 2 - below);
    base = below;
  }
  for (Handle& root : roots_) move(root);
  for (Step& step : steps_) move(step.redex);
  std::uint64_t nodes = 0;
  Reservation& target = swapped_ ? from_ : to_;
  Handle* ready = target.data();
  while (scan != free_) {
    if (free_ >= ready) {
      const auto used = static_cast<std::size_t>(free_ - target.data());
      ready = target.data() + target.prepare(used + 1, target.words());
    }
    const std::uint32_t count = program_.arity[scan[0] & ~reducible];
    for (std::uint32_t i = 1; i <= count; ++i) move(scan[i]);
    scan += std::max<std::size_t>(count + 1, 2);
    ++nodes;
  }
  return nodes;
}

bool Machine::plan_next_collection(std::size_t stack_words) {
  const std::size_t all = bounds_.bytes / sizeof(Handle);
  // The next collection may have to copy everything.
  const std::size_t most = all > stack_words ? (all - stack_words) / 2 : 0;
  // Where most of what was made is still in use, collections only cost time.
  const std::size_t growth = 2 * live_words_ > used_words_ ? 6 : 3;
  std::size_t next = std::max(least_words + live_words_, growth * (live_words_ + stack_words));
  if (bounds_.nodes != Bounds::none) {
    next = std::min<std::size_t>(next, live_words_ + least_words / 2 + 2 * bounds_.nodes);
  }
  next = std::min(next, most);
  next = std::min(next, static_cast<std::size_t>(space_end() - heap_));
  end_ = heap_ + next;
  limit_ =
      free_ < end_ ? heap_ + space().prepare(static_cast<std::size_t>(free_ - heap_), next) : end_;
  return next > live_words_ + live_words_ / 16 + largest_node_;
}

// More memory where no collection is due yet.
bool Machine::extend() {
  if (stop_ != Stop::normal_form || limit_ >= end_) return false;
  const auto used = static_cast<std::size_t>(free_ - heap_);
  const auto planned = static_cast<std::size_t>(end_ - heap_);
  limit_ = heap_ + space().prepare(std::min(used + largest_node_, planned), planned);
  return true;
}

// `live` slots of the uppermost frame are in use; without a frame, null. False if a bound was hit.
bool Machine::collect(Handle* base, std::size_t live) {
  if (extend()) return true;
  note_peak();
  const auto used = static_cast<std::size_t>(free_ - heap_);
  const std::size_t before =
      used + (base == nullptr ? 0 : static_cast<std::size_t>(base + live - stack_.data()));
  Reservation& old_space = swapped_ ? to_ : from_;
  Reservation& new_space = swapped_ ? from_ : to_;
  free_ = new_space.data() + program_.permanent.size();
  const std::uint64_t nodes = move_all(base, live);
  live_words_ = static_cast<std::size_t>(free_ - new_space.data());
  used_words_ = used;
  peak_words_ = std::max(peak_words_, before + live_words_);
  heap_ = new_space.data();
  swapped_ = !swapped_;
  const std::size_t stack_words =
      base == nullptr ? 0 : static_cast<std::size_t>(base + live - stack_.data());
  if (!plan_next_collection(stack_words)) {
    stop_ = Stop::memory;
  } else if (nodes > bounds_.nodes) {
    stop_ = Stop::nodes;
  }
  // The next collection copies to the old space: of that only what it cannot need is given back.
  const auto next = static_cast<std::size_t>(limit_ - heap_);
  if (used > next + kept_words) old_space.release(next, used);
  return stop_ == Stop::normal_form;
}

Handle* Machine::take_collecting(std::size_t words) {
  if (free_ + words > limit_ && stop_ == Stop::normal_form) collect(nullptr, 0);
  if (stop_ != Stop::normal_form) limit_ = space_end();
  return take(words);
}

}  // namespace rhopsi::normalise
