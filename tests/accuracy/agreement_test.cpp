// Every program of specs/burgers, compiled, against the reference evaluation of Base.
#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi {
namespace {

using exec::Folder;
using exec::Outcome;
using exec::Shape;
using Words = std::vector<std::string>;

struct Specification {
  const char* file;
  Words fields;
  Words settings;
};

const Specification paper = {
    "specs/burgers/paper.mg", {"u0", "u1", "u2"}, {"nu=0.1", "dt=0.01", "dx=0.5"}};
const Specification burgers = {"specs/burgers/burgers.mg",
                               {"u", "v", "w"},
                               {"nu=0.1", "dt=0.01", "dx=0.5", "dy=0.4", "dz=0.3"}};

struct Case {
  const Specification* specification;
  const char* program;
  Words options;
  double tolerance;
};

std::ostream& operator<<(std::ostream& stream, const Case& one) {
  stream << one.specification->file << " -p " << one.program;
  for (const std::string& option : one.options) stream << ' ' << option;
  return stream;
}

Words command(const Specification& specification, const std::string& program, const Folder& folder,
              const Shape& shape, const std::string& suffix, const Words& options) {
  Words words = {"run",     exec::source(specification.file),
                 "-p",      program,
                 "--entry", "step",
                 "--quiet", "--repeat",
                 "2"};
  unsigned seed = 1;
  for (const std::string& field : specification.fields) {
    words.insert(words.end(), {"--in", field + "=" + random_field(folder, field, shape, seed++)});
    words.insert(words.end(), {"--out", field + "=" + folder / (field + suffix + ".npy")});
  }
  for (const std::string& setting : specification.settings) {
    words.insert(words.end(), {"--set", setting});
  }
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

class Agreement : public testing::TestWithParam<Case> {};

// One executable serves both shapes.
TEST_P(Agreement, WithTheReferenceOfBase) {
  const auto& [specification, program, options, tolerance] = GetParam();
  const Folder folder;
  for (const Shape& shape : {Shape{20, 24, 28}, Shape{17, 5, 9}}) {
    Words reference_options = {"--backend", "reference"};
    if (!options.empty() && options.front() == "--dtype") {
      reference_options.insert(reference_options.end(), options.begin(), options.end());
    }
    Outcome outcome = exec::rhopsi(
        command(*specification, "Base", folder, shape, "-reference", reference_options));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    outcome = exec::rhopsi(command(*specification, program, folder, shape, "-compiled", options));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    for (const std::string& field : specification->fields) {
      const std::string compiled = folder / (field + "-compiled.npy");
      EXPECT_LE(exec::difference(folder / (field + "-reference.npy"), compiled), tolerance)
          << field << ", shape " << exec::shape_option(shape);
      // The comparison is of something: a step changes the field.
      EXPECT_GT(exec::difference(folder / (field + ".npy"), compiled), 1e-3) << field;
    }
  }
}

// "paper_3DPadded_float"
std::string name_of(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.specification == &paper ? "paper_" : "burgers_";
  name += info.param.program;
  if (!info.param.options.empty()) {
    name += info.param.options.front() == "--checked" ? "_checked" : "_float";
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Burgers, Agreement,
                         testing::Values(Case{&paper, "Base", {}, 0}, Case{&paper, "MoA", {}, 0},
                                         Case{&paper, "DNF", {}, 0}, Case{&paper, "Padded", {}, 0},
                                         Case{&paper, "3D", {}, 0}, Case{&paper, "3DPadded", {}, 0},
                                         Case{&paper, "3DPadded", {"--dtype", "float"}, 0},
                                         Case{&paper, "3DPadded", {"--checked"}, 0},
                                         Case{&burgers, "Base", {}, 0},
                                         Case{&burgers, "MoA", {}, 0}, Case{&burgers, "DNF", {}, 0},
                                         Case{&burgers, "Padded", {}, 0},
                                         Case{&burgers, "3D", {}, 0},
                                         Case{&burgers, "3DPadded", {}, 0}),
                         name_of);

}  // namespace
}  // namespace rhopsi
