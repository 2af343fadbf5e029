// Room for the stack, within the bounds: on memory, which has to do for putting together what
// waits there too, on time, which that takes as well, and on nodes, which it comes to.
#include <algorithm>
#include <cmath>

#include "engine/normalise/machine.hpp"
#include "engine/normalise/native.hpp"

namespace rhopsi::normalise {
namespace {

// That putting together what waits takes, for a word of the stack: frames of compiled code are
// laid out anew one by one.
constexpr double seconds_to_drain = 4e-9;
constexpr double seconds_to_drain_compiled = 13e-9;

}  // namespace

// Looks at the bound on time. The stack is in use up to `top`; null where it is not.
bool Machine::late(const Handle* top) {
  if (stop_ != Stop::normal_form) return true;
  if (bounds_.seconds == std::numeric_limits<double>::infinity()) return false;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
  const double waiting = top == nullptr ? 0 : static_cast<double>(top - stack_.data());
  const double each = runs_compiled() ? seconds_to_drain_compiled : seconds_to_drain;
  if (spent.count() + each * waiting > bounds_.seconds) stop_ = Stop::time;
  return stop_ != Stop::normal_form;
}

// What the frame at `base` comes to; `waiting` is what the one above goes on with.
Program::Rest Machine::rest_of(Handle waiting, const Handle* base) const {
  if (waiting == halt_address) return {};
  if (waiting == evaluate_address) return {program_.arity[symbol(base[0])] + 1, 1, false};
  return program_.rests[index_of(runs_compiled() ? native_->sites[waiting].address : waiting)];
}

// Of the frames below that at `base`. Linear in their number.
Machine::Pending Machine::pending(const Handle* base) const {
  Pending found;
  while (base != nullptr && base[-1] != 0) {
    const Handle* const below = base - base[-1];
    const Program::Rest rest = rest_of(base[-2], below);
    found.words += rest.words;
    // A collection has the nodes of these (relink_frame).
    if (base[-2] != evaluate_address) found.nodes += rest.nodes;
    base = below;
  }
  return found;
}

std::uint64_t Machine::most_drained(std::uint64_t stack_words) const {
  return static_cast<std::uint64_t>(std::ceil(most_rest_ * static_cast<double>(stack_words)));
}

// The most words that terms may take: a collection copies them, and what waits is put together
// behind them.
std::size_t Machine::arena_share() const {
  const std::size_t all = bounds_.bytes / sizeof(Handle);
  const std::size_t besides = stack_words() + places_.words();
  const std::size_t left = all > besides ? all - besides : 0;
  // Where nodes are counted, some are written anew before they are copied.
  const std::size_t copies = bounds_.nodes == Bounds::none ? 2 : 3;
  return std::min(left / copies, left > drained_words_ ? left - drained_words_ : 0);
}

// Memory is short: what the stack has taken once and does not need now is given back, and what
// waits on it is looked at frame by frame. `used` words are in use.
void Machine::fit_stack(const Handle* base, std::size_t used) {
  const std::size_t limit = used + stack_step_;
  if (limit < stack_words()) {
    stack_.release(limit + 2 * std::size_t{program_.largest_frame} + 64, stack_words());
    stack_limit_ = stack_.data() + limit;
  }
  const std::size_t uppermost =
      base == nullptr ? 0 : static_cast<std::size_t>(base - stack_.data());
  // The uppermost frame may begin beyond the limit, in the room that a frame may take there.
  const std::size_t above = stack_words() > uppermost ? stack_words() - uppermost : 0;
  drained_words_ = pending(base).words + most_drained(above) + program_.largest_rest;
}

// Whether what waits, with `used` words of the stack in use, is more than terms may have nodes.
// Counted where the stack may have grown by enough, or has by an eighth.
bool Machine::too_many_wait(const Handle* base, std::size_t used) {
  if (bounds_.nodes == Bounds::none || used < count_at_) return false;
  std::uint64_t left = bounds_.nodes;
  if (most_drained(used) >= left) {
    const std::uint64_t nodes = pending(base).nodes;
    if (nodes > left) return true;
    left -= nodes;
  } else {
    left -= most_drained(used);
  }
  const double growth = static_cast<double>(left) / std::max(most_rest_, 1.0);
  count_at_ = used + std::max(used / 8, static_cast<std::size_t>(std::min(growth, 1e12)));
  return false;
}

// Moves stack_limit_ up, and the end of the arena down where it has to be. False, and nothing is
// changed, if memory does not do for it.
bool Machine::grow_stack(const Handle* base, std::size_t used) {
  const auto arena = static_cast<std::size_t>(free_ - heap_);
  Handle* const before = stack_limit_;
  const std::size_t drained = drained_words_;
  stack_limit_ = stack_.data() + used + stack_step_;
  drained_words_ = most_drained(stack_words()) + program_.largest_rest;
  if (end_ <= heap_ + arena_share()) return true;
  // Frame by frame then, and for an eighth more so that this is seldom done; half of what is left
  // is for terms.
  fit_stack(base, used);
  stack_limit_ = stack_.data() + used;
  const auto exact = drained_words_ + most_drained(stack_step_);
  drained_words_ = exact;
  const std::size_t share = arena_share();
  const std::size_t left = share > arena + largest_node_ ? share - arena - largest_node_ : 0;
  const auto more = static_cast<std::size_t>(static_cast<double>(left) / (2 + 2 * most_rest_));
  const std::size_t wanted = std::max(stack_step_, used / 8);
  if (more < std::max(stack_step_, used / 64)) {
    stack_limit_ = before;
    drained_words_ = drained;
    return false;
  }
  stack_limit_ += std::min(more, wanted);
  drained_words_ = exact + most_drained(std::min(more, wanted));
  end_ = std::min(end_, heap_ + arena_share());
  limit_ = std::min(limit_, end_);
  return true;
}

// Room for a frame at `frame`; `live` slots of the uppermost one, at `base`, are in use. False if a
// bound was hit. Terms may have been moved.
bool Machine::room(Handle* base, std::size_t live, const Handle* frame) {
  const auto used = static_cast<std::size_t>(frame - stack_.data());
  note_peak();
  if (late(frame)) return false;  // conditions that ask for each other take no steps
  if (too_many_wait(base, used)) {
    stop_ = Stop::nodes;
    return false;
  }
  const std::size_t reserve = stack_step_ + 2 * std::size_t{program_.largest_frame} + 64;
  bool enough = used + reserve <= stack_.words();
  if (enough && !grow_stack(base, used)) {
    // What is not in use any more may be in the way.
    end_ = limit_;
    if (!collect(base, live)) return false;
    enough = grow_stack(base, used);
  }
  if (!enough) {
    stop_ = Stop::memory;
    return false;
  }
  stack_.prepare(stack_words(), stack_.words());
  return true;
}

// Room for the frame that an instruction begins. Where a bound is hit, `evaluate` goes on as if
// the arguments that it has not come to were done. Returns where the last result is.
Handle* Machine::room_for_frame(const Registers& asking) {
  Handle* const base = asking.base;
  Handle* const place = asking.place;
  where_ = static_cast<std::uint32_t>(asking.next);
  if (where_ == evaluate_address) {
    auto done = static_cast<std::uint32_t>(place - base) + 1;
    if (room(base, done, base + done + 2)) return place;
    // What has been evaluated is kept; the rest of this term is as it was.
    const auto all = arguments(base[0]);
    for (; done <= all.size(); ++done) base[done] = all[done - 1];
    return base + all.size();
  }
  const Word* const at = word_at(program_.code.data(), where_);
  const auto op = static_cast<Op>(static_cast<std::uint16_t>(*at));
  const bool many = op == Op::call;
  const auto count =
      many ? static_cast<std::uint32_t>(at[1])
           : static_cast<std::uint32_t>(op) - static_cast<std::uint32_t>(Op::call1) + 1;
  room(base, live_slots(at + (many ? 2 : 1), count, a_of(*at)), base + a_of(*at) + 2);
  return place;
}

}  // namespace rhopsi::normalise
