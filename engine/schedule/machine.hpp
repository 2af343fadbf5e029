// The figures of a machine that predictions of time rest on (time.hpp).
//
// They are a small text, so that what was chosen on one machine can be explained on another:
//
//   # comments and empty lines are skipped
//   threads = 2                  of a parallel loop
//   operations = 8e9             sums and products of 8 bytes that one thread does in a second
//   vector.bytes = 64            of a vector register
//   vector.registers = 32        that one thread has
//   region = 6e-6                seconds to start and end a parallel loop
//   cache1.bytes = 32768         of the nearest cache, and so on outwards
//   cache1.threads = 1           that share one such cache
//   cache1.bandwidth = 1e11      bytes in a second between it and one thread
//   memory.one = 8e9             bytes in a second between memory and one thread
//   memory.all = 16e9            and all threads together
//   device.operations = 1.4e13   of a GPU, all together
//   device.memory = 4e12         what its own copy reads and writes
//   device.cache = 60e6          bytes
//   device.launch = 5e-6         seconds to start a kernel
//
// Keys may come in any order; what is left out stays as it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rhopsi::schedule {

struct CacheLevel {
  double bytes = 0;
  double threads = 1;    // that share one
  double bandwidth = 0;  // bytes in a second, of one thread
  bool operator==(const CacheLevel&) const = default;
};

struct Machine {
  double threads = 1;
  double operations = 8e9;
  double vector_bytes = 64;
  double vector_registers = 32;
  double region = 6e-6;
  std::vector<CacheLevel> caches;  // from the nearest on
  double memory_one = 8e9;
  double memory_all = 8e9;
  // As measured of an H200, with kernels that were emitted.
  double device_operations = 1.4e13;
  double device_memory = 4e12;
  double device_cache = 6e7;
  double device_launch = 5e-6;
  bool operator==(const Machine&) const = default;
};

// A machine with two threads and three caches: what tests and documents are about.
Machine standard_machine();

// Reads the text over `machine`. What is wrong, with its line, or nothing.
std::optional<std::string> read_machine(const std::string& text, Machine& machine);

// All keys, one a line; read_machine gives the same machine.
std::string to_string(const Machine& machine);

}  // namespace rhopsi::schedule
