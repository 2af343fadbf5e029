// Emitted programs, compiled together under the thread sanitizer and run by it.
#pragma once

#include <string>
#include <vector>

#include "tests/exec/process.hpp"
#include "tests/races/programs.hpp"

namespace rhopsi::races {

// What scripts/setup --thread-sanitizer has left in the cache.
struct Toolchain {
  std::string kokkos;    // the prefix of an installation
  std::string compiler;  // what it was compiled by
};

// Nothing is in it if there is none.
Toolchain toolchain();

// The sanitizer's exit status where it has found a race.
constexpr int reported = 66;

class Project {
 public:
  // In a folder of its own, which is kept: what has not changed need not be compiled again.
  Project(Toolchain toolchain, const std::string& name);

  // Emits them for OpenMP, makes their edits, and builds them; failures are those of the test.
  void build(const std::vector<Program>& programs);

  // A built program with these arguments, on so many threads. On the standard error it also tells
  // the labels of loops that threads share.
  exec::Outcome run(const Program& program, const std::vector<std::string>& arguments,
                    int threads) const;

  // Why the sanitizer knows nothing of OpenMP's threads on this machine, so that what it reports
  // has no meaning; empty if it does know. By a run that has loops.
  std::string unusable(const Program& program, const std::vector<std::string>& arguments) const;

 private:
  void emit(const Program& program) const;
  exec::Outcome started(const Program& program, const std::vector<std::string>& arguments,
                        const exec::Conditions& conditions) const;
  std::string build_file(const std::vector<Program>& programs) const;
  std::string in_folder(const std::string& name) const { return folder_ + "/" + name; }

  Toolchain toolchain_;
  std::string folder_;
  std::vector<std::string> starter_;  // what starts a program
};

}  // namespace rhopsi::races
