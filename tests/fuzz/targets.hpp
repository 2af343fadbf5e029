// What reads texts and files from outside, as functions of bytes: for libFuzzer (fuzz.cpp), and for
// a test of what it has found (inputs_test.cpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rhopsi::fuzz {

// Each takes any bytes at all and comes back. What does not hold of what was read (a printed
// package that is read again is the same one) throws std::logic_error.

// A package: read, printed, laid out as `fmt` does, and both read again.
void parser(std::string_view bytes);
// A package in a file of its own that may import the rule library: every module is evaluated, and
// printed as `rewrite` prints it.
void elaborator(std::string_view bytes);
// A rewriting system in any of the three formats, and the same bytes as a term over it.
void systems(std::string_view bytes);
// An .npy file, read as each type of elements.
void arrays(std::string_view bytes);
// A certificate, as it stands and with a digest that fits; what can be read is replayed.
void certificates(std::string_view bytes);

struct Target {
  const char* name;
  void (*run)(std::string_view bytes);
};

const std::vector<Target>& targets();

// How many bytes may come at once, so that time is spent on many short inputs.
inline constexpr std::size_t longest_input = 16384;

// Another text of the language from this one: tokens and lines are taken out, doubled, exchanged or
// replaced by others, of this text or of the language. `seed` decides.
std::string mutated(std::string text, unsigned seed);

}  // namespace rhopsi::fuzz
