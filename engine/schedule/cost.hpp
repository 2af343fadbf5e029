// What a function costs, counted: nothing here is measured or guessed. It is called again and
// again, so that what it leaves fresh of pads it finds fresh.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rhopsi::schedule {

// One pass over memory.
struct PassCost {
  std::string label;             // what it defines
  std::size_t reads = 0;         // arrays
  std::size_t writes = 0;        // arrays
  std::int64_t bytes = 0;        // of an element of each of these
  std::uint64_t operations = 0;  // per element, as written
};

struct Cost {
  std::vector<PassCost> passes;
  std::size_t refills = 0;  // of pads, by statements and behind planes
  std::int64_t layers = 0;  // that these fill: one wide, on one end of one axis
  std::size_t blocks = 0;   // besides the arguments
  std::int64_t planes = 0;  // that wait in rings

  std::int64_t bytes() const;  // per element, of all passes
  std::uint64_t operations() const;
};

// Does it wait for memory rather than for its operations? It does where it has fewer than 5 of them
// for 2 bytes that it moves: a core that takes 8 numbers of 4 bytes at a time computes some 20
// thousand million of them in a second, and gets 8 thousand million bytes.
bool waits_for_memory(const Cost& cost);

// "3 passes, 48 bytes and 27 operations per element, 6 refills of 36 layers of pads, 3 blocks",
// then one line per pass.
std::string to_string(const Cost& cost);

}  // namespace rhopsi::schedule
