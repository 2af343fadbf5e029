// Copying collection: what is reached moves to the other space, in the order of a breadth-first
// walk over chains of terms with one argument.
#include <algorithm>

#include "engine/normalise/machine.hpp"

namespace rhopsi::normalise {
namespace {

// Small terms stay in the processor's caches.
constexpr std::size_t least_words = std::size_t{1} << 17;
constexpr std::size_t little_words = std::size_t{1} << 18;
// Words between two counts of nodes, besides twice the bound on them.
constexpr std::size_t least_counted = 64;
// What is mostly in use is not collected before it fills so much.
constexpr std::size_t patient_words = std::size_t{1} << 24;
// Giving memory back costs time when it is wanted again.
constexpr std::size_t kept_words = std::size_t{1} << 20;

}  // namespace

void Machine::note_peak() {
  const auto arena = static_cast<std::size_t>(free_ - heap_);
  peak_words_ = std::max(peak_words_, arena + stack_words() + places_.words());
}

// Copies terms from one space to the other. What every term needs is at hand here, and not read
// again after each store.
class Machine::Mover {
 public:
  Mover(const Program& program, Handle* from, Reservation& to)
      : arity_(program.arity.data()),
        permanent_(static_cast<Handle>(program.permanent.size())),
        from_(from),
        target_(to),
        to_(to.data()),
        free_(to.data() + permanent_),
        scan_(free_) {}

  // Moves a term, and the only argument of that, and of that again: what is walked along one by
  // one lies in pieces of so many, and pieces of several chains are fetched at a time.
  void move(Handle& term) {
    Handle* place = &term;
    Handle old = term;
    for (std::uint32_t left = piece; old >= permanent_; --left) {
      Handle* const source = from_ + old;
      const Handle header = source[0];
      const Handle first = source[1];
      if (header == moved) {
        *place = first;
        return;
      }
      Handle* const copy = free_;
      const std::uint32_t count = arity_[header & ~reducible];
      copy[0] = header;
      copy[1] = first;
      for (std::uint32_t i = 2; i <= count; ++i) copy[i] = source[i];
      free_ = copy + words_of(count);
      source[0] = moved;
      source[1] = *place = static_cast<Handle>(copy - to_);
      if (count != 1) return;
      if (left == 0) {
        copy[0] = header | cut;
        return;
      }
      place = copy + 1;
      old = first;
    }
  }

  // Everything that has been moved, to the last argument. Returns how many terms.
  std::uint64_t finish() {
    std::uint64_t nodes = 0;
    Handle* ready = to_;
    while (scan_ != free_) {
      if (free_ >= ready) {
        const auto used = static_cast<std::size_t>(free_ - to_);
        ready = to_ + target_.prepare(used + 1, target_.words());
      }
      const Handle header = scan_[0];
      const std::uint32_t count = arity_[header & ~(reducible | cut)];
      if (count != 1) {
        for (std::uint32_t i = 1; i <= count; ++i) move(scan_[i]);
      } else if ((header & cut) != 0) {
        scan_[0] = header & ~cut;
        move(scan_[1]);
      }
      scan_ += words_of(count);
      ++nodes;
    }
    return nodes;
  }

  Handle* free() const { return free_; }

 private:
  static constexpr std::uint32_t piece = 7;
  // Set while the argument of a copy has not been moved.
  static constexpr Handle cut = reducible >> 1;

  static std::size_t words_of(std::uint32_t count) { return count + 1 + (count == 0 ? 1 : 0); }

  const std::uint32_t* arity_;
  Handle permanent_;
  Handle* from_;
  Reservation& target_;
  Handle* to_;
  Handle* free_;
  Handle* scan_;
};

// Everything that frames, strategies and recorded steps reach. Returns how many terms, those apart
// that only recorded steps do.
std::uint64_t Machine::move_all(Handle* base, std::size_t live, Reservation& target) {
  Mover mover(program_, heap_, target);
  while (base != nullptr) {
    for (std::size_t i = 0; i < live; ++i) mover.move(base[i]);
    if (base[-1] == 0) break;
    Handle* const below = base - base[-1];
    live = static_cast<std::size_t>(base - 2 - below);
    base = below;
  }
  for (Handle& root : roots_) mover.move(root);
  std::uint64_t nodes = mover.finish();
  places_.for_each_term([&](Handle& term) { mover.move(term); });
  nodes += mover.finish();
  for (Step& step : steps_) mover.move(step.redex);
  mover.finish();
  free_ = mover.free();
  return nodes;
}

// Whether there is memory for more than a little until then.
bool Machine::plan_next_collection(const Handle* base, std::size_t live) {
  const std::size_t used_stack =
      base == nullptr ? 0 : static_cast<std::size_t>(base + live - stack_.data());
  // Where most of what was made is still in use, collections only cost time; where all of
  // that is little, memory for fewer of them costs next to nothing, and stays in the caches.
  const bool mostly_live = 2 * live_words_ > used_words_;
  const bool little = live_words_ < little_words;
  const std::size_t growth = mostly_live || little ? 6 : 3;
  std::size_t next = std::max(least_words + live_words_, growth * (live_words_ + used_stack));
  if (mostly_live && !little) next = std::max(next, patient_words);
  if (next > arena_share()) fit_stack(base, used_stack);
  next = std::min({next, arena_share(), static_cast<std::size_t>(space_end() - heap_)});
  const bool enough = next > live_words_ + live_words_ / 16 + largest_node_;
  if (bounds_.nodes < next) {
    next = std::min<std::size_t>(next,
                                 live_words_ + largest_node_ + least_counted + 2 * bounds_.nodes);
  }
  end_ = heap_ + next;
  limit_ =
      free_ < end_ ? heap_ + space().prepare(static_cast<std::size_t>(free_ - heap_), next) : end_;
  return enough;
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
  // Only what was loaded can be so large that there is no memory for a copy.
  if (2 * static_cast<std::size_t>(free_ - heap_) + stack_words() + places_.words() >
      bounds_.bytes / sizeof(Handle)) {
    stop_ = Stop::memory;
    return false;
  }
  if (bounds_.nodes != Bounds::none) relink(base, live);
  note_peak();
  const auto used = static_cast<std::size_t>(free_ - heap_);
  Reservation& old_space = swapped_ ? to_ : from_;
  Reservation& new_space = swapped_ ? from_ : to_;
  const std::uint64_t nodes = move_all(base, live, new_space);
  live_words_ = static_cast<std::size_t>(free_ - new_space.data());
  used_words_ = used;
  peak_words_ = std::max(peak_words_, used + live_words_ + stack_words() + places_.words());
  heap_ = new_space.data();
  swapped_ = !swapped_;
  const bool enough = plan_next_collection(base, live);
  if (bounds_.nodes != Bounds::none && nodes + pending(base).nodes > bounds_.nodes) {
    stop_ = Stop::nodes;
  } else if (!enough) {
    stop_ = Stop::memory;
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
