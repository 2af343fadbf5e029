// Entries of programs run by the reference evaluator on random data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "backends/reference/evaluator.hpp"
#include "tests/support/specification.hpp"

namespace rhopsi::support {

// How an entry is run. Arguments that are numbers take their values from `numbers`;
// arrays are random in (-1, 1), the same for the same seed and position.
struct Inputs {
  std::vector<std::int64_t> shape;
  unsigned seed = 1;
  std::map<std::string, double> parameters;
  std::map<std::string, std::int64_t> integers;
  std::map<std::string, double> numbers;
};

// What an entry left in its arguments, and its result behind them.
struct Outputs {
  std::vector<reference::Value> values;
  std::string error;  // empty if the run ended well
};

Outputs evaluate(Specification& specification, const term::Theory& program,
                 const std::string& entry, const Inputs& inputs);

// The elements of random arrays: `count` numbers in (-1, 1).
std::vector<double> random_elements(std::size_t count, unsigned seed);

// Are the values the same to the bit? Otherwise where they first differ.
std::string first_difference(const Outputs& left, const Outputs& right);

}  // namespace rhopsi::support
