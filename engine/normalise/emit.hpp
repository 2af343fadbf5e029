// A program as C++.
//
// Calls are jumps on the machine's own stack, so that terms may be nested as deep as memory
// allows and the collector sees what the interpreter would show it. Code is cut into blocks
// at calls: a block begins with the arguments of a call or with the result of one, asks for the
// room that it may need, matches and builds in local variables, and ends in a jump to another
// block. A frame holds no more than what is still read after its call.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/normalise/program.hpp"

namespace rhopsi::normalise {

struct Emission {
  // A call that other instructions follow.
  struct Site {
    std::uint32_t address = 0;           // of the instruction behind the call
    std::uint32_t slot = 0;              // for the result
    std::vector<std::uint32_t> saved{};  // the slots that the frame holds, in order
  };
  std::string text;
  // Those up to evaluate_address stand for the machine's own frames, which hold the addresses of
  // the interpreter's instructions.
  std::vector<Site> sites;
  std::uint32_t largest_block = 0;  // words of the arena that a block may take
};

// Linear in the program. The same text for the same program.
Emission emit(const Program& program);

}  // namespace rhopsi::normalise
