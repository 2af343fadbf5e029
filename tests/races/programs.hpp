// What runs under the thread sanitizer: scheduled programs of every kind that emission knows, and
// some of them with a race put in by hand.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/exec/fields.hpp"

namespace rhopsi::races {

using exec::Shape;

// One run of an emitted program, on random arrays.
struct Call {
  std::string entry;
  std::vector<std::pair<std::string, Shape>> in;
  std::vector<std::string> numbers;  // NAME=VALUE
  std::vector<std::string> out;      // arrays
  int steps = 1;
};

// In a file of the emitted folder, every occurrence.
struct Edit {
  std::string file, from, to;
};

// How it is built besides.
enum class Build {
  strict,
  reassociating,  // the values are those that one thread computes, not the reference evaluator
  checked,
};

struct Program {
  std::string name;
  std::vector<std::string> source;    // FILE -p PROGRAM
  std::vector<std::string> emission;  // what `emit` gets besides
  std::vector<Call> calls;
  Build build = Build::strict;
  std::vector<std::string> reference = {};  // what the evaluator gets in place of the source
  std::vector<Edit> edits = {};
};

// Without a race.
std::vector<Program> scheduled_programs();

// Some of these, each with a race: what threads share is no longer divided, or not waited for.
std::vector<Program> racy_programs();

}  // namespace rhopsi::races
