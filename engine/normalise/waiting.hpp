// What frames that wait come to when a bound was hit: which nodes they are put together of.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/normalise/program.hpp"

namespace rhopsi::normalise {

// Fills Program::rests. Linear in the program.
void note_rests(Program& program);

// The slots that are read from an address in a right side on before they are written, in
// order. Linear in what is left of the right side.
std::vector<std::uint32_t> slots_read(const Program& program, std::uint32_t address);

}  // namespace rhopsi::normalise
