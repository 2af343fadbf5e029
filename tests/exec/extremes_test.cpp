// Numbers at the ends of 64 bits, lengths below 0 and beyond the memory, sums without end: both
// backends say the same.
#include <sstream>

#include <gtest/gtest.h>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

const std::string operations_of_any_length =
    "package own imports moa.library, definitions.arrays, definitions.numbers, "
    "definitions.vectors;\n"
    "concept Own = {\n"
    "  use Numbers;\n"
    "  use Dimension[E => Number];\n"
    "  use VectorAlgebra;\n"
    "  function short(A: Array): Array;\n"
    "  axiom shortShape(A: Array) { assert shape(short(A)) == [0 - 3]; }\n"
    "  axiom shortElement(p: Index, A: Array) { assert psi(p, short(A)) == psi([0], A); }\n"
    "  function first(A: Array, k: Int): Array;\n"
    "  axiom firstShape(A: Array, k: Int) { assert shape(first(A, k)) == [k]; }\n"
    "  axiom firstElement(p: Index, A: Array, k: Int) {\n"
    "    assert psi(p, first(A, k)) == psi([0], A);\n"
    "  }\n"
    "  function longer(A: Array): Array;\n"
    "  axiom longerShape(A: Array) { assert shape(longer(A)) == [at(shape(A), 0) + 1]; }\n"
    "  function below(A: Array, k: Int): Array;\n"
    "  axiom belowShape(A: Array, k: Int) { assert shape(below(A, k)) == shape(A); }\n"
    "  axiom belowElement(p: Index, A: Array, k: Int) {\n"
    "    assert psi(p, below(A, k)) == (if at(p, 0) + k < 5 then psi(p, A) else 0);\n"
    "  }\n"
    "  function behind(A: Array, k: Int): Array guard k <= 0;\n"
    "  axiom behindShape(A: Array, k: Int) { assert shape(behind(A, k)) == shape(A); }\n"
    "  axiom behindElement(p: Index, A: Array, k: Int) {\n"
    "    assert psi(p, behind(A, k)) ==\n"
    "      psi([min(max(at(p, 0) - 3 * k, 0), at(shape(A), 0) - 1)], A);\n"
    "  }\n"
    "  function square(A: Array, k: Int): Array;\n"
    "  axiom squareShape(A: Array, k: Int) { assert shape(square(A, k)) == shape(A); }\n"
    "  axiom squareElement(p: Index, A: Array, k: Int) {\n"
    "    assert psi(p, square(A, k)) ==\n"
    "      psi([min(max(at(p, 0) + k * k, 0), at(shape(A), 0) - 1)], A);\n"
    "  }\n"
    "};\n";

class Extremes : public testing::Test {
 protected:
  // The first line that a case gives is `expected`, or an error with that code in it; of a value
  // the second line too.
  void expect(const std::string& text, const std::string& first, const std::string& second = "") {
    cases_ += text + "\n";
    expected_.emplace_back(first, second);
  }

  void run(const std::string& backend) {
    const std::string file = folder_.write("cases", cases_);
    const std::string own = folder_.write("own.mg", operations_of_any_length);
    const Outcome outcome = rhopsi({"eval", "--file", file, "--with", own, "--backend", backend});
    const auto found = lines(outcome.out);
    const auto texts = lines(cases_);
    ASSERT_EQ(found.size(), 2 * expected_.size()) << outcome.text();
    for (std::size_t k = 0; k < expected_.size(); ++k) {
      const auto& [first, second] = expected_[k];
      if (first.starts_with("E")) {
        EXPECT_NE(found[2 * k].find("[" + first + "]"), std::string::npos)
            << backend << ": " << texts[k] << ": " << found[2 * k];
        EXPECT_NE(found[2 * k].find(second), std::string::npos) << found[2 * k];
        continue;
      }
      EXPECT_EQ(found[2 * k], first) << backend << ": " << texts[k];
      EXPECT_EQ(found[2 * k + 1], second) << backend << ": " << texts[k];
    }
  }

  void run() {
    run("reference");
    run("kokkos");
  }

 private:
  const Folder folder_;
  std::string cases_;
  std::vector<std::pair<std::string, std::string>> expected_;
};

TEST_F(Extremes, LengthsThatNoArrayHas) {
  expect("short(A) | A=iota:5", "E0611");
  expect("shape(short(A)) | A=iota:5", "E0611");
  expect("sum(short(A) * 0, 0) | A=iota:5", "E0611");
  expect("first(A, integer(B)) | A=iota:5 B=iota::-2", "E0611", "-2");
  expect("first(A, integer(B)) | A=iota:5:7 B=iota::2", "shape: 2", "7 7");
  expect("iota(integer(B)) | B=iota::-2", "E0608", "0 and -2");
  expect("iota(integer(B)) | B=iota::3000000000", "E0616");
  expect("iota(3000000000)", "E0616");
  expect("reshape(A, [9223372036854775807, 0]) | A=iota:0", "E0616");
  expect("lift(A, 0, integer(B)) | A=iota:0 B=iota::9223372036854775807", "E0616");
  run();
}

// What has no element may still be asked for its shape.
TEST_F(Extremes, ShapesWithoutElements) {
  expect("shape(longer(A)) | A=iota:5", "shape: 1", "6");
  expect("shape(longer(A) + 1) | A=iota:5", "shape: 1", "6");
  expect("dim(longer(A)) | A=iota:5", "shape:", "1");
  run();
}

TEST_F(Extremes, IndicesAreComputedExactly) {
  const std::string most = "9223372036854775807";
  expect("rotate(A, 0, " + most + ") | A=iota:5", "shape: 5", "2 3 4 0 1");
  expect("rotate(A, 0, integer(B)) | A=iota:5 B=iota::" + most, "shape: 5", "2 3 4 0 1");
  expect("rotate(A, 0, integer(B)) | A=iota:5 B=iota::-" + most, "shape: 5", "3 4 0 1 2");
  expect("update(A, [3], [1], [" + most + "], [7]) | A=iota:7", "shape: 7", "0 1 2 7 4 5 6");
  expect("update(A, [3], [1], [-" + most + "], [7]) | A=iota:7", "shape: 7", "0 1 2 7 4 5 6");
  expect("A + array(at([4, 5], integer(B))) | A=iota:3 B=iota::1", "shape: 3", "5 6 7");
  expect("A + array(at([4, 5], integer(B))) | A=iota:3 B=iota::2", "E0609");
  expect("A + array(at(shape(A), integer(B))) | A=iota:3 B=iota::-1", "E0609");
  // Elements wrap.
  expect("rotate(A, 0, integer(B + 1)) | A=iota:5 B=iota::" + most, "shape: 5", "2 3 4 0 1");
  expect("below(A, " + most + ") | A=iota:5:1", "shape: 5", "0 0 0 0 0");
  expect("below(A, 0 - " + most + ") | A=iota:5:1", "shape: 5", "1 2 3 4 5");
  expect("(iota(5) + " + most + ") % 5", "shape: 5", "2 2 3 4 0");
  expect("(iota(5) + " + most + ") < 3", "shape: 5", "0 1 1 1 1");
  // -2^63 has no opposite.
  expect("(iota(1) - " + most + " - 1) % (iota(1) - 1)", "shape: 1", "0");
  expect("(iota(1) - " + most + " - 1) / (iota(1) - 1)", "shape: 1", "-9223372036854775808");
  expect("(iota(2) - " + most + " - 1) % (iota(2) - 7)", "shape: 2", "6 5");
  expect("0 <= iota(2) * (-" + most + " - 1)", "shape: 2", "1 0");
  expect("(iota(2) - " + most + " - 1) < (iota(2) + 1)", "shape: 2", "1 1");
  expect("0 <= min(iota(3), -" + most + " - 1)", "shape: 3", "0 0 0");
  expect("gather(A, 0, (iota(5) + " + most + ") % 5) | A=iota:5", "shape: 5", "2 2 3 4 0");
  expect("take(A, 0, integer(B - 1)) | A=iota:5 B=iota::-" + most, "E0613");
  expect("drop(A, 0, integer(B - 1)) | A=iota:5 B=iota::-" + most, "E0613");
  expect("pad_circular(A, 0, integer(B), 1) | A=iota:5 B=iota::" + most, "E0613");
  run();
}

// The compiled program does not compare with 128 bits.
TEST_F(Extremes, ANumberThatAnIndexCannotReach) {
  expect("below(A, integer(B)) | A=iota:5 B=iota::9223372036854775807", "E0613");
  expect("below(A, integer(B)) | A=iota:5:1 B=iota::3", "shape: 5", "1 2 0 0 0");
  // Three times that, and the square, wrap to numbers that would be in front of the array.
  expect("behind(A, integer(B)) | A=iota:5 B=iota::-3458764513820540929", "E0613");
  expect("behind(A, integer(B)) | A=iota:5 B=iota::-1", "shape: 5", "3 4 4 4 4");
  expect("square(A, integer(B)) | A=iota:5 B=iota::3037000500", "E0613");
  expect("square(A, integer(B)) | A=iota:5 B=iota::-2", "shape: 5", "4 4 4 4 4");
  run("kokkos");
}

TEST_F(Extremes, TheLeastOfNoTruthValues) {
  expect("minimum(A < 3, 0) | A=iota:0", "shape:", "1");
  expect("maximum(A < 3, 0) | A=iota:0", "shape:", "0");
  expect("minimum(A < 3, 0) | A=iota:0,2", "shape: 2", "1 1");
  expect("minimum(A < 3, 0) | A=iota:5", "shape:", "0");
  expect("maximum(A < 3, 0) | A=iota:5", "shape:", "1");
  expect("minimum(compress(A, 0, A < 0) < 3, 0) | A=iota:5", "shape:", "1");
  expect("minimum(A, 0) | A=iota:0", "shape:", "9223372036854775807");
  run();
}

// Of as many terms as anybody writes.
TEST_F(Extremes, LongSums) {
  std::string same = "A", reals = "B", different = "A";
  for (int k = 1; k < 1000; ++k) {
    same += " + A";
    reals += " + B";
    different += " - " + std::to_string(k) + " * A * A";
  }
  expect(same + " | A=iota:3", "shape: 3", "0 1000 2000");
  expect(reals + " | B=iota:3:0.5", "shape: 3", "500 1500 2500");
  expect(different + " | A=iota:3", "shape: 3", "0 -499499 -1997998");
  run();
}

}  // namespace
}  // namespace rhopsi::exec
