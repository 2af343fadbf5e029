// Random programs compiled for Kokkos against the reference.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"
#include "tests/property/random_program.hpp"
#include "tests/property/seeds.hpp"

namespace rhopsi::property {
namespace {

// A seed whose program has `program` among the derived ones, on arrays of that rank.
struct Case {
  unsigned seed;
  std::string program;
};

std::ostream& operator<<(std::ostream& stream, const Case& one) {
  return stream << "seed " << one.seed << " -p " << one.program;
}

// From the ordinary seeds on, the first programs that have each form; then many more.
std::vector<Case> cases() {
  std::vector<Case> found;
  const auto add = [&](int rank, const std::string& program, unsigned from) {
    for (unsigned seed = from;; ++seed) {
      const RandomProgram random = random_program(seed);
      const auto& derived = random.derived;
      const bool has = program == "Base" || std::count(derived.begin(), derived.end(), program) > 0;
      if (random.rank != rank || !has) continue;
      found.push_back({seed, program});
      return;
    }
  };
  add(2, "Base", 100);
  add(5, "DNF", 200);
  add(4, "Padded", 300);
  add(3, "NestedPadded", 400);
  add(2, "NestedPadded", 500);
  if (seeds(0, 1) == 0) return found;
  const std::vector<std::string> programs = {"Base", "DNF", "Padded", "Nested", "NestedPadded"};
  for (unsigned seed = 1000; seed < 1040; ++seed) {
    const RandomProgram random = random_program(seed);
    const std::string& program = programs[seed % programs.size()];
    const auto& derived = random.derived;
    const bool has = std::count(derived.begin(), derived.end(), program) > 0;
    found.push_back({seed, has ? program : "DNF"});
  }
  return found;
}

std::vector<std::string> command(const RandomProgram& random, const exec::Folder& folder,
                                 const std::string& program, const exec::Shape& shape,
                                 const std::string& suffix) {
  std::vector<std::string> words = {"run",     folder / (random.package + ".mg"),
                                    "-p",      program,
                                    "--entry", "step",
                                    "--quiet", "--repeat",
                                    "2"};
  unsigned position = 0;
  for (const std::string& array : random.arrays) {
    words.insert(words.end(), {"--in", array + "=" +
                                           exec::random_field(folder, array, shape,
                                                              random.seed * 8 + position)});
    ++position;
    if (array == "c") continue;  // only read
    words.insert(words.end(), {"--out", array + "=" + folder / (array + suffix + ".npy")});
  }
  const auto set = [&](const std::string& name, const std::string& value) {
    words.insert(words.end(), {"--set", name + "=" + value});
  };
  for (const auto& [name, value] : random.parameters) set(name, std::to_string(value));
  for (const auto& [name, value] : random.numbers) set(name, std::to_string(value));
  for (const auto& [name, value] : random.integers) set(name, std::to_string(value));
  return words;
}

class CompiledPrograms : public testing::TestWithParam<Case> {};

// The same executable on the program's own shape, and on one with longer sides.
TEST_P(CompiledPrograms, AgreeWithTheReference) {
  const RandomProgram random = random_program(GetParam().seed);
  const exec::Folder folder;
  folder.write(random.package + ".mg", random.text);
  exec::Shape longer = random.shape;
  for (std::size_t axis = 0; axis < longer.size(); ++axis) longer[axis] += 2 + int(axis) % 2;
  for (const exec::Shape& shape : {random.shape, random.rank < 4 ? longer : random.shape}) {
    auto words = command(random, folder, "Base", shape, "-reference");
    words.insert(words.end(), {"--backend", "reference"});
    exec::Outcome outcome = exec::rhopsi(words);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text() << random.description();
    outcome = exec::rhopsi(command(random, folder, GetParam().program, shape, "-compiled"));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text() << random.description();
    for (const std::string& array : random.arrays) {
      if (array == "c") continue;
      EXPECT_LE(
          exec::difference(folder / (array + "-reference.npy"), folder / (array + "-compiled.npy")),
          0.0)
          << array << ", shape " << exec::shape_option(shape) << ", " << random.description();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, CompiledPrograms, testing::ValuesIn(cases()));

}  // namespace
}  // namespace rhopsi::property
