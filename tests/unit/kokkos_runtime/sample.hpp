// The programs of program/, built when they are first asked for, and runs of `sample`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "backends/io/npy.hpp"
#include "backends/kokkos/build/build.hpp"

namespace rhopsi::kokkos::test {

// An emitted folder around program/<program>.cpp.
std::vector<File> sample_files(const std::string& program);

// Fails the running test where it cannot be built.
const Executable& sample(const std::string& program, bool checked = false);

struct Outcome {
  int status = -1;
  std::string output, errors;
};
Outcome run_sample(const std::vector<std::string>& arguments, bool checked = false);

// Builds `program`, which prints what it finds, and runs it with each number of threads; fails the
// running test where it does not end with 0, or does not print `says`.
void expect_says(const std::string& program, const BuildOptions& options,
                 const std::vector<std::string>& threads, const std::string& says);

// A new folder that goes away with the object.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string contents(const std::string& path);

// Random elements between 0 and 1.
std::vector<float> write_random(const std::string& path, const std::vector<std::int64_t>& shape,
                                unsigned seed);

}  // namespace rhopsi::kokkos::test
