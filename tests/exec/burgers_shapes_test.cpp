// The paper's solver over arrays that have shapes of their own, against its program for three axes.
#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

using Names = std::vector<std::string>;

// The file of an array that comes out.
std::string made(const Folder& folder, const std::string& name, const std::string& suffix) {
  return folder / (name + suffix + ".npy");
}

// Two steps; the arrays are read from NAME.npy.
void run(const Folder& folder, const std::string& file, const std::string& program,
         const Names& names, const std::string& suffix, const Names& more) {
  std::vector<std::string> words = {"run", source("specs/burgers/" + file), "-p", program};
  words.insert(words.end(), {"--entry", "step", "--repeat", "2", "--quiet"});
  for (const std::string& name : names) {
    words.insert(words.end(), {"--in", name + "=" + folder / (name + ".npy"), "--out",
                               name + "=" + made(folder, name, suffix)});
  }
  words.insert(words.end(), more.begin(), more.end());
  const Outcome outcome = rhopsi(words);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
}

class BurgersShapes : public testing::TestWithParam<Shape> {};

// The same operations in the same order on the same elements.
TEST_P(BurgersShapes, GiveWhatTheProgramForThreeAxesGives) {
  const Folder folder;
  const Names names = {"u0", "u1", "u2"};
  unsigned seed = 1;
  for (const std::string& name : names) random_field(folder, name, GetParam(), seed++);
  const Names numbers = {"--set", "nu=0.1", "dt=0.01", "dx=0.5"};
  const Names reference = {"--set", "nu=0.1", "dt=0.01", "dx=0.5", "--backend", "reference"};
  run(folder, "paper.mg", "3D", names, "-3d", reference);
  run(folder, "shapes.mg", "Paper", names, "-reference", reference);
  run(folder, "shapes.mg", "Paper", names, "-compiled", numbers);
  for (const std::string& name : names) {
    const std::string expected = made(folder, name, "-3d");
    EXPECT_NE(difference(expected, folder / (name + ".npy")), 0) << name;
    EXPECT_EQ(difference(expected, made(folder, name, "-reference")), 0) << name;
    EXPECT_EQ(difference(expected, made(folder, name, "-compiled")), 0) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(UnequalSides, BurgersShapes,
                         testing::Values(Shape{17, 5, 9}, Shape{2, 7, 3}));

// Equation (8) takes the components in one array.
TEST(Burgers, EquationEightInThreeDimensionsAndInTwo) {
  const Folder folder;
  const Names names = {"u", "v", "w"};
  for (const Shape& sides : {Shape{5, 2, 7}, Shape{6, 3}}) {
    SCOPED_TRACE(shape_option(sides));
    const std::size_t axes = sides.size();
    Shape box = sides, all = sides;
    if (axes == 2) box.push_back(1);  // nothing changes along the third, and nothing moves
    all.insert(all.begin(), std::int64_t(axes));
    std::vector<double> whole;
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<double> values = random_values(box, unsigned(k));
      if (k == axes) values.assign(values.size(), 0);
      io::write_npy(folder / (names[k] + ".npy"), box, values.data());
      if (k < axes) whole.insert(whole.end(), values.begin(), values.end());
    }
    run(folder, "burgers.mg", "Base", names, "-base",
        {"--set", "nu=0.1", "dt=0.01", "dx=0.5", "dy=0.4", "dz=0.3", "--backend", "reference"});
    std::vector<double> expected;
    for (std::size_t k = 0; k < axes; ++k) {
      const auto part = io::read_npy<double>(made(folder, names[k], "-base")).data;
      expected.insert(expected.end(), part.begin(), part.end());
    }
    io::write_npy(folder / "expected.npy", all, expected.data());
    io::write_npy(folder / "u.npy", all, whole.data());
    const double distances[] = {0.5, 0.4, 0.3};
    io::write_npy(folder / "h.npy", Shape{std::int64_t(axes)}, distances);
    run(folder, "shapes.mg", "Equation8", {"u"}, "-new",
        {"--in", "h=" + folder / "h.npy", "--set", "nu=0.1", "dt=0.01", "--backend", "reference"});
    EXPECT_LE(difference(folder / "expected.npy", made(folder, "u", "-new")), 1e-14);
  }
}

}  // namespace
}  // namespace rhopsi::exec
