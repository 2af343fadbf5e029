// What the driver knows of a program. Free of Kokkos and of the program's types, so that
// rhopsi_driver.cpp is compiled once for all programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rhopsi_error.hpp"

namespace rhopsi::driver {

enum class Mode { obs, upd, out, result };  // a function's result is the last argument

// An argument that has the shape of the run's domain, or is no array.
inline constexpr int of_the_domain = -1;

struct Argument {
  const char* name;
  const char* type;  // "array float32", "float64", "int64", "bool", ...
  Mode mode;
  int rank = of_the_domain;  // of an array that has a shape of its own
  // Of an array over the domain that has other pads than the program says: on each axis what it has
  // below, and then what it has above.
  std::vector<std::int64_t> pads = {};
};

// One argument of the running entry.
class Slot {
 public:
  virtual ~Slot() = default;
  virtual void* value() = 0;  // of a scalar
  // Of an array: its elements without pads, row-major.
  virtual void load(const std::vector<std::int64_t>& shape, const void* elements) = 0;
  virtual void store(void* elements) const = 0;
  virtual std::optional<std::vector<std::int64_t>> shape() const = 0;  // where it has a value
  virtual void refresh() = 0;  // fills the pads where they are stale
};

struct Machine {
  std::string target;  // as Kokkos calls it
  std::string device;  // of a GPU; else empty
  int concurrency = 1;
  bool checked = false;
};

// A program, whatever its types.
class AnyProgram {
 public:
  struct ParameterName {
    const char* name;
    const char* type;
  };
  struct EntryName {
    const char* name;
    const std::vector<Argument>* arguments;
    bool refills = false;    // the pads of its arguments itself
    std::int64_t times = 1;  // how many calls can be one
  };

  virtual ~AnyProgram() = default;
  virtual void start(int& count, char** words) = 0;  // Kokkos, with its own options
  virtual void open(std::size_t entry, const std::vector<std::int64_t>& shape) = 0;
  virtual void set(std::size_t parameter, double value) = 0;
  virtual Slot& slot(std::size_t argument) = 0;
  // The entry, to the end of its last kernel; as many calls in one as it says, or one.
  virtual void call(bool several) = 0;
  virtual void close() = 0;  // gives everything back, Kokkos too
  virtual Machine machine() const = 0;
  virtual std::size_t peak_bytes() const = 0;

  const char* name = "";
  const char* element = "";
  int rank = 0;
  // Arrays over the domain are told of, and kept, as arrays with shapes of their own.
  bool one_shape = false;
  std::vector<ParameterName> parameters;
  std::vector<EntryName> entries;
};

// All of main(): the exit status.
int drive(int argc, char** argv, AnyProgram& program);

}  // namespace rhopsi::driver
