// What is on this machine of all that the command needs.
#pragma once

#include <string>
#include <vector>

namespace rhopsi::driver {

struct Finding {
  std::string what;    // "Kokkos", "rules", ...
  std::string found;   // version and place; empty: it is not there
  std::string advice;  // what to do, where something is missing
  bool needed = true;  // false: some targets or commands do without
};

// In the order in which a new user meets them. Starts compilers to ask for their versions.
std::vector<Finding> examine_machine();

}  // namespace rhopsi::driver
