// Long folds on all threads: emitted programs, strict and reassociating, beside the reference
// evaluator.
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "tests/exec/emitted.hpp"
#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

const char* const regrouped_folds =
    "package folds imports moa.library;\n"
    "program Folds = implement Expressions in {\n"
    "  use Expressions;\n"
    "  procedure total(obs A: Array, out C: Array) guard dim(A) == 2 {\n"
    "    C = sum(sum(abs(A) * A, 1), 0);\n"
    "  };\n"
    "  procedure flat(obs A: Array, out C: Array) guard dim(A) == 2 {\n"
    "    C = sum(ravel(transpose(A) + 1), 0);\n"
    "  };\n"
    "  function bent(u: Array, axis: Int): Array\n"
    "    guard 0 <= axis && axis < dim(u) && 1 <= at(shape(u), axis) = {\n"
    "    var p = pad_constant(u, axis, 1, 1, 0);\n"
    "    value drop(p, axis, -2) + drop(p, axis, 2) - 2 * u;\n"
    "  }\n"
    "  procedure bends(obs A: Array, out C: Array)\n"
    "    guard dim(A) == 2 && 0 < at(shape(A), 0) && 0 < at(shape(A), 1) {\n"
    "    C = sum(ravel(abs(bent(A, 0) + bent(A, 1)) * 0.125), 0);\n"
    "  };\n"
    "  procedure flattest(obs A: Array, out C: Array)\n"
    "    guard dim(A) == 2 && 0 < at(shape(A), 0) && 0 < at(shape(A), 1) {\n"
    "    C = minimum(ravel(bent(A, 0) * bent(A, 1)), 0);\n"
    "  };\n"
    "  procedure rows(obs A: Array, out C: Array) guard dim(A) == 2 { C = 2 * sum(A, 1); };\n"
    "  procedure exponentials(obs A: Array, out C: Array) guard dim(A) == 2 {\n"
    "    C = 2 * sum(exp(A - 3), 1);\n"
    "  };\n"
    "  procedure columns(obs A: Array, out C: Array) guard dim(A) == 2 { C = sum(A, 0); };\n"
    "  procedure largest(obs A: Array, out C: Array)\n"
    "    guard dim(A) == 2 && 0 < at(shape(A), 0) && 0 < at(shape(A), 1) {\n"
    "    C = maximum(maximum(A, 1), 0);\n"
    "  };\n"
    "  procedure longest(obs A: Array, out C: Array) guard dim(A) == 2 && 0 < at(shape(A), 0) {\n"
    "    C = maximum(sum(A * A, 1), 0);\n"
    "  };\n"
    "};\n";

class RegroupedFolds : public testing::Test {
 protected:
  // Emits it, and builds it so that short folds are long.
  void build(const std::string& fast_math) {
    const Outcome emitted =
        rhopsi({"emit", file, "-p", "Folds", "--rank", "2", "--target", "openmp", "-o", target});
    ASSERT_EQ(emitted.exit_code, 0) << emitted.text();
    build_emitted(target, {"-DRHOPSI_SERIAL_BELOW=64", "-DRHOPSI_FAST_MATH=" + fast_math,
                           "-DRHOPSI_NARROW_ONLY=ON"});
  }

  // C of an entry, by the built program on so many threads, or by the reference evaluator.
  io::NpyArray<double> result(const std::string& entry, const std::string& in, int threads) {
    const std::string out = folder / "out.npy";
    std::vector<std::string> words = {"--entry", entry,      "--in",   "A=" + in,
                                      "--out",   "C=" + out, "--quiet"};
    Conditions conditions;
    conditions.environment["OMP_NUM_THREADS"] = std::to_string(threads);
    if (threads == 0) {
      words.insert(words.begin(), {"run", file, "-p", "Folds", "--backend", "reference"});
    }
    const Outcome outcome =
        threads == 0 ? rhopsi(words) : execute(target + "/build/Folds", words, conditions);
    EXPECT_EQ(outcome.exit_code, 0) << entry << ": " << outcome.text();
    return io::read_npy<double>(out);
  }

  // Sums of n reals are off by no more than n roundings of the sum of all magnitudes, each, in
  // whatever order.
  void compare(bool strict) {
    unsigned seed = 0;
    for (const Shape& shape :
         {Shape{0, 3}, Shape{3, 0}, Shape{1, 1}, Shape{2, 2}, Shape{1, 700}, Shape{700, 1},
          Shape{3, 5000}, Shape{5000, 2}, Shape{90, 101}, Shape{1, 9001}}) {
      const std::vector<double> values = random_values(shape, ++seed);
      const std::string in = folder / "A.npy";
      io::write_npy(in, shape, values.data());
      // What is summed is no greater than 1 + |x|.
      const double magnitudes =
          std::accumulate(values.begin(), values.end(), 0.0,
                          [](double sum, double x) { return sum + 1 + std::abs(x); });
      const double bound = 2 * static_cast<double>(values.size()) *
                           std::numeric_limits<double>::epsilon() * magnitudes;
      for (const std::string entry : {"total", "flat", "bends", "flattest", "rows", "exponentials",
                                      "columns", "largest", "longest"}) {
        const bool extreme = entry == "largest" || entry == "flattest";
        const bool whole = extreme || entry == "bends";  // no axis is empty
        if ((whole || entry == "longest") && (shape[0] == 0 || (whole && shape[1] == 0))) continue;
        const io::NpyArray<double> wanted = result(entry, in, 0);
        const io::NpyArray<double> one = result(entry, in, 1), two = result(entry, in, 2);
        const std::string what =
            entry + " of " + std::to_string(shape[0]) + " x " + std::to_string(shape[1]);
        ASSERT_EQ(one.shape, wanted.shape) << what;
        // Whatever the order is, it does not depend on the number of threads.
        EXPECT_TRUE(bits(one.data) == bits(two.data)) << what;
        if (strict || extreme) {
          EXPECT_TRUE(bits(one.data) == bits(wanted.data)) << what;
          continue;
        }
        for (std::size_t k = 0; k < wanted.data.size(); ++k) {
          EXPECT_NEAR(one.data[k], wanted.data[k], bound) << what;
        }
      }
    }
  }

  static std::vector<std::uint64_t> bits(const std::vector<double>& values) {
    std::vector<std::uint64_t> made(values.size());
    if (!values.empty()) std::memcpy(made.data(), values.data(), values.size() * sizeof(double));
    return made;
  }

  const Folder folder;
  const std::string target = folder / "emitted";
  const std::string file = folder.write("folds.mg", regrouped_folds);
};

TEST_F(RegroupedFolds, StrictProgramsKeepEveryBit) {
  ASSERT_NO_FATAL_FAILURE(build("OFF"));
  compare(true);
}

TEST_F(RegroupedFolds, ReassociatingOnesAreClose) {
  ASSERT_NO_FATAL_FAILURE(build("ON"));
  compare(false);
}

TEST_F(RegroupedFolds, AreExplainedAndPrinted) {
  const Outcome told = rhopsi({"explain", file, "-p", "Folds", "--rank", "2", "--schedule"});
  ASSERT_EQ(told.exit_code, 0) << told.text();
  for (const std::string line :
       {"\nfolds\n", "blocks at fold x1 in total: sums of reals by all threads, where they may be",
        "tile at rows: C1 in rows: folds along rows",
        "blocks at fold x1 in largest: its value is that of any order"}) {
    EXPECT_NE(told.out.find(line), std::string::npos) << line << "\n" << told.out;
  }
  const Outcome form = rhopsi({"emit", file, "-p", "Folds", "--rank", "2", "--emit", "schedule"});
  EXPECT_NE(form.out.find("in blocks of 4096, each as "), std::string::npos) << form.text();
  EXPECT_NE(form.out.find("or else one by one with vectors of terms"), std::string::npos)
      << form.text();
  // Who asks for no schedule gets folds as they are written.
  const Outcome off = rhopsi({"explain", file, "-p", "Folds", "--rank", "2", "--schedule", "off"});
  EXPECT_EQ(off.out.find("blocks at"), std::string::npos) << off.out;
}

}  // namespace
}  // namespace rhopsi::exec
