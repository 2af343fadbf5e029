// Random programs compiled for Kokkos against the reference.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"
#include "tests/property/random_program.hpp"
#include "tests/property/seeds.hpp"

namespace rhopsi::property {
namespace {

struct Case {
  unsigned seed;
  std::string program;
};

std::ostream& operator<<(std::ostream& stream, const Case& one) {
  return stream << "seed " << one.seed << " -p " << one.program;
}

// Of each form one whose padding suffices, ranks 3 to 5; in a long run many others.
std::vector<Case> cases() {
  if (!is_long_run()) {
    return {{14, "Base"}, {33, "DNF"}, {25, "Padded"}, {5, "NestedPadded"}, {20, "Nested"}};
  }
  std::vector<Case> found;
  const std::vector<std::string> programs = {"Base", "DNF", "Padded", "Nested", "NestedPadded"};
  for (unsigned seed = 1000; seed < 1012; ++seed) {
    const auto derived = random_program(seed).derived;
    const std::string& program = programs[seed % programs.size()];
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

// The same executable on the program's own shape, and on one with longer sides. Not a bit
// differs: emitted programs carry out the operations as they are written.
TEST_P(CompiledPrograms, AgreeWithTheReference) {
  const RandomProgram random = random_program(GetParam().seed);
  const exec::Folder folder;
  folder.write(random.package + ".mg", random.text);
  std::vector<exec::Shape> shapes = {random.shape};
  if (random.rank < 4) {
    shapes.push_back(random.shape);
    for (std::size_t axis = 0; axis < random.shape.size(); ++axis) {
      shapes.back()[axis] += 2 + std::int64_t(axis) % 2;
    }
  }
  for (const exec::Shape& shape : shapes) {
    auto words = command(random, folder, "Base", shape, "-reference");
    words.insert(words.end(), {"--backend", "reference"});
    exec::Outcome outcome = exec::rhopsi(words);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text() << random.description();
    outcome = exec::rhopsi(command(random, folder, GetParam().program, shape, "-compiled"));
    // Not so the ordinary seeds: a padded schedule does not reach further than its pad.
    if (random.seed >= 1000 && outcome.err.find("error[E0520]") != std::string::npos) {
      GTEST_SKIP() << "the padding does not suffice";
    }
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text() << random.description();
    for (const std::string& array : random.arrays) {
      if (array == "c") continue;
      EXPECT_EQ(
          exec::difference(folder / (array + "-reference.npy"), folder / (array + "-compiled.npy")),
          0.0)
          << array << ", shape " << exec::shape_option(shape) << ", " << random.description();
    }
  }
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return "seed_" + std::to_string(info.param.seed) + "_" + info.param.program;
}

INSTANTIATE_TEST_SUITE_P(Seeds, CompiledPrograms, testing::ValuesIn(cases()), name_of);

}  // namespace
}  // namespace rhopsi::property
