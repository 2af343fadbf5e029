// A part of a term in its surroundings, as text.
#pragma once

#include <span>
#include <string>

#include "engine/term/operations.hpp"

namespace rhopsi::driver {

// What stands around a part: "psi(ix, ..." before it, ") + ..." behind it.
struct Excerpt {
  std::string before;
  std::string after;
};

// The surroundings of the part at the position, which `root` has: at most three constructs or calls
// up, and not beyond the statement that it is in. What stands beside it is cut where it is long.
// Makes terms in the store; linear in the position and in the children on the last steps of it.
Excerpt excerpt(term::Store& store, term::TermId root, std::span<const std::uint32_t> position);

// The part within its surroundings, and under it a line that marks it; both begin with `indent`.
std::string marked(const Excerpt& around, const std::string& part, const std::string& indent);

// Columns that a terminal shows.
std::size_t width(const std::string& text);

}  // namespace rhopsi::driver
