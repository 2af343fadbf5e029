// The loop over the instructions of a program. Computed jumps: each operation ends in a
// jump of its own, which processors predict better than one for all.
#include <algorithm>
#include <new>

#include "engine/normalise/machine.hpp"
#include "engine/normalise/run_macros.hpp"

#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-label"  // of the modes that evaluate

namespace rhopsi::normalise {
template <Machine::Mode mode>
inline std::uint32_t Machine::head(Symbol symbol, const Handle* arguments,
                                   std::uint32_t count) const {
  if constexpr (evaluates(mode)) return symbol;
  std::uint32_t flag = program_.defined(symbol) ? reducible : 0;
  for (std::uint32_t i = 0; i < count; ++i) flag |= heap_[arguments[i]] & reducible;
  return symbol | flag;
}

template <Machine::Mode mode, bool recorded>
Machine::Registers Machine::run(Registers registers) {
  static const void* const labels[] = {
      &&halt,    &&evaluate,   &&fail,    &&choose1, &&choose2, &&choose3,   &&choose4,
      &&choose5, &&choose6,    &&choose7, &&choose8, &&follow1, &&follow2,   &&follow3,
      &&follow4, &&follow5,    &&follow6, &&follow7, &&follow8, &&dispatch,  &&hashed,
      &&load1,   &&load2,      &&load3,   &&load,    &&same,    &&condition, &&compare,
      &&rule,    &&constant,   &&build1,  &&build2,  &&build3,  &&build,     &&call1,
      &&call2,   &&call3,      &&call,    &&tail1,   &&tail2,   &&tail3,     &&tail,
      &&give,    &&give_fixed, &&give1,   &&give2,   &&give3,   &&give_built};
  const Word* const code = program_.code.data();
  const std::uint32_t* const tables = program_.tables.data();
  const Word* at = word_at(code, static_cast<std::uint32_t>(registers.next));
  Handle* base = registers.base;
  Handle* place = registers.place;  // the slot that the last result went to
  Handle* heap = heap_;
  auto free = static_cast<std::size_t>(free_ - heap_);
  auto limit = static_cast<std::size_t>(limit_ - heap_);
  std::uint64_t fuel = fuel_;
  Handle result = 0;
  Symbol built = 0;
  RHOPSI_NEXT;

// Seldom: a way on from here would cost the instruction at work its register.
ask_for_room:
  RHOPSI_SAVE;
  asks_for_room_ = true;
  return {RHOPSI_ADDRESS(at), base, place};

halt:
  RHOPSI_SAVE;
  return {RHOPSI_ADDRESS(at), base, place};

evaluate : {
  Handle node_of = base[0];
  auto done = static_cast<std::uint32_t>(place - base);
  std::uint32_t header = heap[node_of];
  std::uint32_t count = program_.arity[header & ~reducible];
  while (done < count) {
    const Handle child = heap[node_of + 1 + done];
    ++done;
    if (evaluates(mode) && (heap[child] & reducible) != 0) {
      Handle* const frame = base + done + 2;
      if (frame > stack_limit_) [[unlikely]] {
        place = base + (done - 1);
        goto ask_for_room;
      }
      frame[-2] = evaluate_address;
      frame[-1] = done + 2;
      frame[0] = child;
      base = frame;
      node_of = child;
      done = 0;
      header = heap[node_of];
      count = program_.arity[header & ~reducible];
    } else {
      base[done] = child;
    }
  }
  place = base + count;
  built = header & ~reducible;
  if (evaluates(mode) && program_.defined(built)) {
    for (std::uint32_t i = 0; i < count; ++i) base[i] = base[i + 1];
    if constexpr (mode == Mode::compiled) {
      RHOPSI_SAVE;
      const Registers left = run_compiled(built, base);
      if (stop_ != Stop::normal_form) return left;
      RHOPSI_RESTORE;
      base = left.base;
      result = base[0];
      goto give_result;
    }
    at = word_at(code, program_.entry[built]);
    RHOPSI_NEXT;
  }
  bool kept = true;
  for (std::uint32_t i = 1; i <= count; ++i) kept = kept && base[i] == heap[node_of + i];
  if (kept) {
    if (evaluates(mode)) heap[node_of] = built;
    result = node_of;
    goto give_result;
  }
  RHOPSI_TAKE(count + 1, count + 1);
  node[0] = head<mode>(built, base + 1, count);
  for (std::uint32_t i = 1; i <= count; ++i) node[i] = base[i];
  result = RHOPSI_HANDLE;
  goto give_result;
}

fail : {
  if constexpr (mode == Mode::contract) {
    base[-2] = no_term;
    RHOPSI_SAVE;
    return {RHOPSI_ADDRESS(at), base, place};
  }
  const std::uint32_t count = a_of(*at);
  const std::uint32_t words = std::max(count + 1, 2U);
  RHOPSI_TAKE(words, count);
  node[0] = head<mode>(w_of(*at), base, count);
  // Few arguments without a loop; what is written behind them is free.
  node[1] = base[0];
  node[2] = base[1];
  node[3] = base[2];
  for (std::uint32_t i = 3; i < count; ++i) node[i + 1] = base[i];
  result = RHOPSI_HANDLE;
  goto give_result;
}

choose1:
  RHOPSI_CHOICES(RHOPSI_FIRST_1)
choose2:
  RHOPSI_CHOICES(RHOPSI_FIRST_2)
choose3:
  RHOPSI_CHOICES(RHOPSI_FIRST_3)
choose4:
  RHOPSI_CHOICES(RHOPSI_FIRST_4)
choose5:
  RHOPSI_CHOICES(RHOPSI_FIRST_5)
choose6:
  RHOPSI_CHOICES(RHOPSI_FIRST_6)
choose7:
  RHOPSI_CHOICES(RHOPSI_FIRST_7)
choose8:
  RHOPSI_CHOICES(RHOPSI_FIRST_8)
follow1:
  RHOPSI_CHOICES(RHOPSI_LAST(1))
follow2:
  RHOPSI_CHOICES(RHOPSI_FIRST_1 RHOPSI_LAST(2))
follow3:
  RHOPSI_CHOICES(RHOPSI_FIRST_2 RHOPSI_LAST(3))
follow4:
  RHOPSI_CHOICES(RHOPSI_FIRST_3 RHOPSI_LAST(4))
follow5:
  RHOPSI_CHOICES(RHOPSI_FIRST_4 RHOPSI_LAST(5))
follow6:
  RHOPSI_CHOICES(RHOPSI_FIRST_5 RHOPSI_LAST(6))
follow7:
  RHOPSI_CHOICES(RHOPSI_FIRST_6 RHOPSI_LAST(7))
follow8:
  RHOPSI_CHOICES(RHOPSI_FIRST_7 RHOPSI_LAST(8))

dispatch : {
  const std::uint32_t* const table = tables + w_of(*at);
  const std::uint32_t which = RHOPSI_SYMBOL - table[0];
  at = word_at(code, which < table[1] ? table[3 + which] : table[2]);
  RHOPSI_NEXT;
}

hashed : {
  const std::uint32_t* const table = tables + w_of(*at);
  std::uint32_t symbol = heap[base[a_of(*at)]];
  if constexpr (mode == Mode::contract) symbol &= ~reducible;
  std::uint32_t address = table[1];
  for (std::uint32_t i = symbol & table[0];; i = (i + 1) & table[0]) {
    const std::uint32_t key = table[2 + 2 * i];
    if (key == 0) break;
    if (key != symbol + 1) continue;
    address = table[3 + 2 * i];
    break;
  }
  at = word_at(code, address);
  RHOPSI_NEXT;
}

load1:
  RHOPSI_LOAD(1)
load2:
  RHOPSI_LOAD(2)
load3:
  RHOPSI_LOAD(3)

load : {
  const Handle* const from = heap + base[a_of(*at)] + 1;
  __builtin_prefetch(from + words_ahead);
  std::copy_n(from, at[1], base + w_of(*at));
  at += 2;
  RHOPSI_NEXT;
}

same:
  at = equal(base[a_of(*at)], base[w_of(*at)]) ? at + 2 : word_at(code, low_of(at[1]));
  RHOPSI_NEXT;

condition:
  // Conditions that ask for each other apply no rules.
  if (mode != Mode::drain && conditions_ == 0) [[unlikely]] {
    RHOPSI_SAVE;
    stop_ = Stop::steps;
    if constexpr (mode == Mode::contract) base[-2] = no_term;
    return {w_of(*at), base, place};
  }
  --conditions_;
  ++at;
  RHOPSI_NEXT;

compare : {
  if constexpr (mode == Mode::drain) {
    at = word_at(code, high_of(at[1]));  // undecided: the call stays
    RHOPSI_NEXT;
  }
  bool agree;
  if constexpr (mode == Mode::contract) {
    RHOPSI_SAVE;
    agree = conditions_agree(base, at);
    RHOPSI_RESTORE;
    if (stop_ != Stop::normal_form) {
      base[-2] = no_term;
      return {RHOPSI_ADDRESS(at), base, place};
    }
  } else {
    agree = equal(base[a_of(*at)], base[w_of(*at) & 0xffffU]) != (w_of(*at) >> 16 != 0);
  }
  at = agree ? at + 3 : word_at(code, low_of(at[1]));
  RHOPSI_NEXT;
}

rule:
  if constexpr (mode == Mode::drain) {
    at = word_at(code, low_of(at[1]));
    RHOPSI_NEXT;
  }
  if constexpr (recorded) {
    const std::uint32_t count = a_of(*at);
    RHOPSI_TAKE(std::max(count + 1, 2U), high_of(at[1]));
    node[0] = w_of(*word_at(code, low_of(at[1]))) | reducible;
    for (std::uint32_t i = 0; i < count; ++i) node[i + 1] = base[i];
    result = RHOPSI_HANDLE;
  }
  if (fuel == 0) [[unlikely]] {
    RHOPSI_SAVE;
    if (out_of_fuel(base)) {
      if constexpr (mode == Mode::contract) base[-2] = no_term;
      return {low_of(at[1]), base, place};
    }
    fuel = fuel_;
  }
  --fuel;
  if constexpr (recorded) steps_.push_back({w_of(*at), result});
  if constexpr (mode == Mode::contract) last_rule_ = w_of(*at);
  at += 2;
  RHOPSI_NEXT;

constant:
  base[a_of(*at)] = w_of(*at);
  ++at;
  RHOPSI_NEXT;

build1:
  RHOPSI_BUILD(1)
build2:
  RHOPSI_BUILD(2)
build3:
  RHOPSI_BUILD(3)

build : {
  const auto count = static_cast<std::uint32_t>(at[1]);
  RHOPSI_TAKE(std::max(count + 1, 2U), live_slots(at + 2, count, a_of(*at)));
  for (std::uint32_t i = 0; i < count; ++i) node[i + 1] = base[operand(at + 2, i)];
  node[0] = head<mode>(w_of(*at), node + 1, count);
  base[a_of(*at)] = RHOPSI_HANDLE;
  at += 2 + (count + 3) / 4;
  RHOPSI_NEXT;
}

call1:
  RHOPSI_CALL(1)
call2:
  RHOPSI_CALL(2)
call3:
  RHOPSI_CALL(3)

call : {
  const auto count = static_cast<std::uint32_t>(at[1]);
  const std::uint32_t length = 2 + (count + 3) / 4;
  if constexpr (mode != Mode::evaluate) {
    if (count == 0) {
      base[a_of(*at)] = program_.nullary[RHOPSI_CALLED];
    } else {
      RHOPSI_TAKE(count + 1, live_slots(at + 2, count, a_of(*at)));
      for (std::uint32_t i = 0; i < count; ++i) node[i + 1] = base[operand(at + 2, i)];
      node[0] = head<mode>(RHOPSI_CALLED, node + 1, count);
      base[a_of(*at)] = RHOPSI_HANDLE;
    }
    at += length;
  } else {
    // From the last one down: an argument lies at least two slots above its operand.
    RHOPSI_ROOM;
    for (std::uint32_t i = count; i-- > 0;) frame[i] = base[operand(at + 2, i)];
    frame[-2] = RHOPSI_ADDRESS(at + length);
    frame[-1] = a_of(*at) + 2;
    base = frame;
    at = word_at(code, w_of(*at));
  }
  RHOPSI_NEXT;
}

tail1:
  RHOPSI_TAIL(1)
tail2:
  RHOPSI_TAIL(2)
tail3:
  RHOPSI_TAIL(3)

tail : {
  const auto count = static_cast<std::uint32_t>(at[1]);
  if constexpr (mode != Mode::evaluate) {
    built = RHOPSI_CALLED;
    if (count == 0) {
      result = program_.nullary[built];
      goto give_result;
    }
    goto give_any_built;
  }
  Handle* const above = base + a_of(*at);
  for (std::uint32_t i = 0; i < count; ++i) above[i] = base[operand(at + 2, i)];
  std::copy_n(above, count, base);
  at = word_at(code, w_of(*at));
  RHOPSI_NEXT;
}

give:
  result = base[a_of(*at)];
  goto give_result;

give_fixed:
  result = w_of(*at);
  goto give_result;

give1:
  built = w_of(*at);
give1_built:
  RHOPSI_GIVE(1)

give2:
  built = w_of(*at);
give2_built:
  RHOPSI_GIVE(2)

give3:
  built = w_of(*at);
give3_built:
  RHOPSI_GIVE(3)

give_built:
  built = w_of(*at);
give_any_built : {
  const auto count = static_cast<std::uint32_t>(at[1]);
  RHOPSI_TAKE(std::max(count + 1, 2U), a_of(*at));
  for (std::uint32_t i = 0; i < count; ++i) node[i + 1] = base[operand(at + 2, i)];
  node[0] = head<mode>(built, node + 1, count);
  result = RHOPSI_HANDLE;
  goto give_result;
}

give_result:
  place = base - 2;
  at = word_at(code, base[-2]);
  base -= base[-1];
  *place = result;
  RHOPSI_NEXT;
}

template Machine::Registers Machine::run<Machine::Mode::evaluate, false>(Registers);
template Machine::Registers Machine::run<Machine::Mode::evaluate, true>(Registers);
template Machine::Registers Machine::run<Machine::Mode::compiled, false>(Registers);
template Machine::Registers Machine::run<Machine::Mode::drain, false>(Registers);
template Machine::Registers Machine::run<Machine::Mode::contract, false>(Registers);

}  // namespace rhopsi::normalise
