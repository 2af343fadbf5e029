// Random array programs as text: a Base of whole-array operations and programs derived
// from it by the rule library. The same seed gives the same text everywhere.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rhopsi::property {

struct RandomProgram {
  unsigned seed = 0;
  std::string package;  // the file is <package>.mg
  std::string text;
  int rank = 1;                      // of arrays, 1 to 6
  std::vector<std::int64_t> shape;   // unequal sides, some of them 1
  std::vector<std::string> arrays;   // arguments of `step`
  std::vector<std::string> derived;  // programs beside Base: MoA, DNF, ...
  std::map<std::string, double> parameters;
  std::map<std::string, double> numbers;         // arguments of `step` that are reals
  std::map<std::string, std::int64_t> integers;  // and integers

  // The program with its seed, for messages.
  std::string description() const;
};

RandomProgram random_program(unsigned seed);

}  // namespace rhopsi::property
