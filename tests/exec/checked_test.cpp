// What `run --checked` finds inside kernels, and that its messages name the specification.
#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/inputs.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

class Checked : public testing::Test {
 protected:
  // A program over arrays of reals; its declarations begin at line 5. `modules` follow it.
  void specify(const std::string& declarations, const std::string& modules = "") {
    file_ = folder.write("unit.mg",
                         "package unit imports backend.kokkos;\n"
                         "program P = {\n"
                         "  use Arrays;\n"
                         "  use FlatSchedule[E => Real];\n" +
                             declarations +
                             "  procedure step(upd u: Array) { u = all(u); }\n"
                             "};\n" +
                             modules);
  }
  void give(const Shape& shape, const std::vector<double>& values) {
    input_ = folder / "u.npy";
    io::write_npy(input_, shape, values.data());
  }
  Outcome run(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {
        "run", file_, "-p", "P", "--in", "u=" + input_, "--out", "u=" + output(), "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return rhopsi(words);
  }
  // A device says no more than that it stops.
  void expect_check_fails(const std::vector<std::string>& parts) const {
    expect_failure(run({"--checked"}), on_device() ? std::vector<std::string>{"E0842"} : parts);
  }
  std::string output() const { return folder / "out.npy"; }
  std::vector<double> result() const { return io::read_npy<double>(output()).data; }

  // Exit status 1, nothing written, and all of these in the message.
  void expect_failure(const Outcome& outcome, const std::vector<std::string>& parts) const {
    EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
    EXPECT_FALSE(std::filesystem::exists(output()));
    for (const std::string& part : parts) {
      EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\n" << outcome.text();
    }
  }

  const Folder folder;

 private:
  std::string file_;
  std::string input_;
};

const std::string halved =
    "  function half(x: Real): Real\n"
    "      guard 0.0 <= x = x / 2.0;\n"
    "  function element(a: Array, ix: Index): Real = 1.0 + half(psi(ix, a));\n"
    "  function all(a: Array): Array = schedule(a);\n";

TEST_F(Checked, AGuardThatFailsAtOneIndex) {
  specify(halved);
  give({2, 4}, {1, 2, 3, 4, 5, 6, -7, 8});
  expect_check_fails({"guard of half at unit.mg:6 does not hold at [1, 2]",
                      "in all: result = schedule(...)", "at unit.mg:7"});
  expect_failure(run({"--backend", "reference"}), {"E0608", "0.0 <= x", "half", "unit.mg:7:"});
  // Unchecked kernels make no test.
  ASSERT_EQ(run({}).exit_code, 0);
  EXPECT_EQ(result()[6], -2.5);
}

// Pads that a condition keeps from being chosen are not filled, so checks know them as stale.
TEST_F(Checked, PadsThatAreNotChosenAreNotRead) {
  specify(
      "  use Places;\n"
      "  function element(a: Array, ix: Index): Real =\n"
      "      if ix1(ix) < 1 then psi(ix, a)\n"
      "      else psi(rotateIx(rotateIx(ix, 1, -1), 0, -1), a);\n"
      "  function all(a: Array): Array = schedule(a);\n",
      "implementation Places = external Kokkos index {\n"
      "  require type Index; require type ScalarIndex;\n"
      "  function ix1(ix: Index): ScalarIndex;\n"
      "};\n");
  give({3, 2}, {1, 2, 3, 4, 5, 6});
  const Outcome outcome = run({"--checked", "--schedule", "full", "--repeat", "2"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(result(), (std::vector<double>{1, 5, 3, 1, 5, 3}));
}

TEST_F(Checked, GuardsThatHold) {
  specify(halved);
  give({2, 4}, {1, 2, 3, 4, 5, 6, 7, 0});
  const std::vector<double> expected = {1.5, 2, 2.5, 3, 3.5, 4, 4.5, 1};
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--checked"}, {"--backend", "reference"}}) {
    const Outcome outcome = run(more);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    EXPECT_EQ(result(), expected);
  }
}

TEST_F(Checked, TheGuardOfTheElementItselfAndOfWhatItReaches) {
  specify(
      "  function there(ix: Index): Real guard inside(ix) = 1.0;\n"
      "  function element(a: Array, ix: Index): Real\n"
      "      guard inside(ix) && psi(ix, a) < 9.0 =\n"
      "    if psi(ix, a) < 5.0 then there(ix) else there(rotateIxPadded(ix, 0, 1));\n"
      "  function all(a: Array): Array = schedule(a);\n");
  give({4}, {1, 2, 3, 9});
  expect_check_fails({"guard of element at unit.mg:7 does not hold at [3]"});
  expect_failure(run({"--backend", "reference"}), {"E0608", "element"});
  give({4}, {1, 2, 3, 8});
  expect_check_fails({"guard of there at unit.mg:5 does not hold at [3]"});
  expect_failure(run({"--backend", "reference"}), {"E0608", "there"});
  // A branch that is not taken asks for nothing.
  give({4}, {6, 2, 3, 4});
  const Outcome outcome = run({"--checked"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
}

TEST_F(Checked, GuardsOfExternalOperations) {
  folder.write("mine.hpp", twice_in_kernels());
  specify(
      "  use Mine;\n"
      "  function twice(x: Real): Real guard x < 4.0;\n"
      "  function sqrt(a: Real): Real guard 0.0 <= a;\n"
      "  function element(a: Array, ix: Index): Real = sqrt(psi(ix, a)) + twice(psi(ix, a));\n"
      "  function all(a: Array): Array = schedule(a);\n",
      "implementation Mine = external C++ mine.functions {\n"
      "  require type Real;\n"
      "  function twice(x: Real): Real;\n"
      "};\n");
  give({5}, {1, 2, 3, 4, 0});
  expect_check_fails({"guard of twice at unit.mg:6 does not hold at [3]"});
  give({5}, {1, 2, 3, 3, -1});
  expect_check_fails({"guard of sqrt at unit.mg:7 does not hold at [4]"});
  give({5}, {1, 0, 0, 1, 1});
  const Outcome outcome = run({"--checked"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(result(), (std::vector<double>{3, 0, 0, 3, 3}));
}

TEST_F(Checked, NaNOfAWholeArrayOperation) {
  specify(
      "  function all(a: Array): Array =\n"
      "    rotate(a, 0, 1) *\n"
      "    log(a);\n");
  give({4}, {1, 2, -3, 4});
  expect_check_fails({"not a number (NaN) stored to: ", " at [2]", "= log(...)", "at unit.mg:7"});
  give({4}, {1, 1, 1, 4});
  const Outcome outcome = run({"--checked"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
}

// On several threads: each of them names the place.
TEST_F(Checked, NaNInALargeArray) {
  specify(
      "  function all(a: Array): Array =\n"
      "    rotate(sqrt(a), 0, 1);\n");
  std::vector<double> values(100 * 200, 2.0);
  values[99 * 200 + 150] = -1;
  give({100, 200}, values);
  expect_check_fails(
      {"not a number (NaN) stored to: ", " at [99, 150]", "= sqrt(...)", "at unit.mg:6"});
}

TEST_F(Checked, NaNThatAnInputBringsNamesTheOperationThatStoresIt) {
  specify("  function all(a: Array): Array = rotate(a, 0, 1);\n");
  give({4}, {1, NAN, 3, 4});
  expect_check_fails({"not a number (NaN) stored to: ", "at unit.mg:5"});
}

}  // namespace
}  // namespace rhopsi::exec
