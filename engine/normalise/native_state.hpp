// What compiled rules and the machine that runs them hand one another. Every emitted source
// carries this file.
#pragma once

#include <cstdint>

namespace rhopsi::normalise::native {

struct State;

// A block of compiled code that begins anew from what it has left on the stack: `free` is the
// first word of the arena that is not in use.
using Resume = void (*)(State*, std::uint32_t* base, std::uint64_t free);
// A block that goes on with the result of a call, whose frame is at `base`.
using Return = void (*)(State*, std::uint32_t* base, std::uint64_t free, std::uint32_t result);

enum class Pause : std::uint32_t {
  finished,  // a frame of the machine's own has its result, at `base`
  room,      // of the arena, or of the stack
  fuel,
  conditions,  // as many as there may be have begun
};

struct State {
  std::uint32_t* heap;
  std::uint64_t limit;  // where to ask for room, as `free`
  std::uint32_t* stack_limit;
  std::uint64_t fuel;
  std::uint64_t conditions;
  bool (*equal)(const State*, std::uint32_t, std::uint32_t);
  const void* machine;

  // Where a block has left off: `live` words from `base` on are terms.
  std::uint32_t* base;
  std::uint64_t free;
  Resume resume;
  std::uint32_t live;
  std::uint32_t address;  // of the interpreter's instruction for the same; 0: base[0] is a result
  Pause pause;
};

// What an emitted source gives, as `rhopsi_rules`.
struct Rules {
  const Resume* entries;  // by symbol, null where it has no rules
  const Return* sites;    // by place in Emission::sites
  bool (*calls_are_jumps)();
};

}  // namespace rhopsi::normalise::native
