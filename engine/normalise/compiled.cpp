// Innermost rewriting by compiled rules. The loop of run.cpp still walks through the term that
// was given; where that needs a call evaluated, it hands over to compiled code.
#include <algorithm>

#include "engine/normalise/machine.hpp"
#include "engine/normalise/native.hpp"

namespace rhopsi::normalise {
namespace {

// In place of an address: the result of a call is known, and what waits for it does not go on.
constexpr std::size_t given_up = ~std::size_t{0};

}  // namespace

bool Machine::equal_in(const native::State* state, Handle a, Handle b) {
  return static_cast<const Machine*>(state->machine)->equal(a, b);
}

// What a block asked for; false if a bound was hit.
bool Machine::grant(const native::State& state) {
  if (state.pause == native::Pause::fuel) return !out_of_fuel(state.base);
  if (state.pause == native::Pause::conditions) {
    stop_ = Stop::steps;
    return false;
  }
  where_ = halt_address;
  if (state.base > stack_limit_ && !room(state.base, state.live, state.base)) return false;
  const auto free = static_cast<std::size_t>(free_ - heap_);
  if (heap_ + free + native_->largest_block <= limit_) return true;
  return collect(state.base, state.live);
}

// The call of `symbol` whose arguments are at `base`. Its result is in the first slot of the
// frame that comes back; where a bound was hit, how the interpreter goes on.
Machine::Registers Machine::run_compiled(Symbol symbol, Handle* base) {
  native::State state{};
  state.equal = equal_in;
  state.machine = this;
  state.base = base;
  state.resume = native_->rules.entries[symbol];
  while (true) {
    state.heap = heap_;
    state.limit = static_cast<std::uint64_t>(limit_ - heap_);
    state.stack_limit = stack_limit_;
    state.fuel = fuel_;
    state.conditions = conditions_;
    state.resume(&state, state.base, static_cast<std::uint64_t>(free_ - heap_));
    free_ = heap_ + state.free;
    fuel_ = state.fuel;
    conditions_ = state.conditions;
    if (state.pause == native::Pause::finished) return {halt_address, state.base, state.base};
    if (grant(state)) continue;
    return {state.address == 0 ? given_up : state.address, state.base, state.base};
  }
}

// The uppermost frame alone, to its result.
Handle Machine::drain_frame(Registers registers) {
  Handle* const base = registers.base;
  const Handle waiting = base[-2];
  base[-2] = halt_address;
  const Handle result = *run<Mode::drain, false>(registers).place;
  base[-2] = waiting;
  return result;
}

// What compiled code has left on the stack is put together frame by frame: each is laid out
// as the interpreter would have it, in the place of the one that has ended.
Machine::Registers Machine::drain_compiled(Registers registers) {
  Handle result = registers.next == given_up ? registers.base[0] : drain_frame(registers);
  Handle* base = registers.base;
  while (base[-2] != halt_address) {
    Handle* const below = base - base[-1];
    if (base[-2] == evaluate_address) {
      Handle* const place = base - 2;
      *place = result;
      result = drain_frame({evaluate_address, below, place});
    } else {
      const Emission::Site& site = native_->sites[base[-2]];
      std::fill_n(base, site.slot, Handle{0});  // any term that there is
      for (std::size_t i = 0; i < site.saved.size(); ++i) base[site.saved[i]] = below[i];
      base[site.slot] = result;
      result = drain_frame({site.address, base, base});
    }
    base = below;
  }
  base[-2] = result;
  return {halt_address, base, base - 2};
}

}  // namespace rhopsi::normalise
