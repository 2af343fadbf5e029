// Laws whose conditions few values meet, and elements of every type: what is called proved was
// tried on values that meet the conditions, of each mixture of types.
#include <set>

#include <gtest/gtest.h>

#include "frontend/driver/samples.hpp"
#include "frontend/driver/type_mixtures.hpp"
#include "frontend/driver/verify.hpp"
#include "tests/exec/process.hpp"
#include "tests/support/specification.hpp"

namespace rhopsi::driver {
namespace {

using Status = AxiomReport::Status;

class ConditionedLaws : public ::testing::Test {
 protected:
  AxiomReport of(const std::string& parameters, const std::string& assertion) {
    const std::string file = folder_.write(
        "t.mg",
        "package t imports moa.library;\nconcept C = { use signature(Expressions);\n  theorem t(" +
            parameters + ") { assert " + assertion + "; } };\n");
    Session session({.include = {std::string(RHOPSI_SOURCE_DIR) + "/rules"},
                     .real = onf::Scalar::float64,
                     .record_steps = false,
                     .numbers_promote = true});
    syntax::Diagnostics diagnostics;
    VerifyRequest request;
    request.files = {file};
    request.by_values = by_values;
    if (by_values) request.search = {.tries = 60'000, .seed = 1, .spoke = 1'000};
    const auto report = verify(session, request, diagnostics);
    EXPECT_TRUE(report) << support::text_of(diagnostics);
    if (!report || report->axioms.size() != 1) {
      ADD_FAILURE() << assertion;
      return {};
    }
    return report->axioms.front();
  }
  Status status(const std::string& parameters, const std::string& assertion) {
    return of(parameters, assertion).status;
  }
  // "A = 1, k = 41"
  std::string values(const std::string& parameters, const std::string& assertion) {
    const AxiomReport report = of(parameters, assertion);
    EXPECT_EQ(report.status, Status::refuted) << to_string(report);
    std::string text;
    if (!report.refutation) return text;
    for (const auto& [name, value] : report.refutation->values) {
      text += (text.empty() ? "" : ", ") + name + " = " + value;
    }
    return text;
  }

  bool by_values = false;

 private:
  exec::Folder folder_;
};

const std::string vector = "dim(A) == 1 && ";
const std::string length = "at(shape(A): Index, 0)";

// Each is wrong of some values alone that the condition leaves.
TEST_F(ConditionedLaws, NumbersOfTheConditionAreTried) {
  EXPECT_EQ(values("A: Array", "A / 2 + A / 2 == A"), "A = 1");
  EXPECT_EQ(values("A: Array, k: Int", "40 < k => A / 2 + A / 2 == A"), "A = 1, k = 41");
  EXPECT_EQ(values("A: Array", vector + "6 < " + length + " => A / 2 + A / 2 == A"),
            "A = 0 0 0 0 0 0 1 of shape [7]");
  EXPECT_EQ(values("A: Array, B: Array, k: Int", "k == 123457 => (A + B) / 2 == A / 2 + B / 2"),
            "A = 1, B = 1, k = 123457");
  EXPECT_EQ(status("A: Array", vector + "400 < " + length + " => A * 1 == A"), Status::refuted);
  EXPECT_EQ(status("A: Array, k: Int", "40 < k => A * A / 2 == A / 2 * A"), Status::refuted);
  EXPECT_EQ(values("x: Number, k: Int", "k == 99999 => x / 2 + x / 2 == x"), "x = 1, k = 99999");
}

TEST_F(ConditionedLaws, WhatHoldsStaysProved) {
  const auto theory = [&](const std::string& parameters, const std::string& assertion) {
    const AxiomReport report = of(parameters, assertion);
    return to_string(report.status) + " " + report.theory;
  };
  EXPECT_EQ(theory("A: Array, k: Int", "k == 123457 => A + A == 2 * A"), "proved ring");
  EXPECT_EQ(theory("A: Array, k: Int", "40 < k => A / 2 / 2 == A / 4"), "proved field");
  EXPECT_EQ(theory("A: Array", vector + "400 < " + length + " => reverse(reverse(A, 0), 0) == A"),
            "proved any");
  EXPECT_EQ(theory("x: Number, k: Int", "k == 99999 => x + x == 2 * x"), "proved ring");
  EXPECT_EQ(theory("A: Array, B: Array", "cat(A + A, B + B, 0) == 2 * cat(A, B, 0)"),
            "proved ring");
  // Of lengths and indices no values are needed.
  EXPECT_EQ(theory("n: Int, k: Int", "1000000000000 < k * k * k * k && n < k => n + 1 <= k"),
            "proved any");
}

// The types differ where B is of another type than A.
TEST_F(ConditionedLaws, MixturesOfTypesAreTriedWhereTheConditionHolds) {
  for (const char* longer : {"6", "40", "400"}) {
    EXPECT_EQ(status("A: Array, B: Array", vector + std::string(longer) + " < " + length +
                                               " => drop(cat(A, B, 0), 0, " + length + ") == B"),
              Status::refuted)
        << longer;
  }
  EXPECT_EQ(status("A: Array, B: Array",
                   "dim(A) == 4 && at(shape(A): Index, 0) == 7 && at(shape(A): Index, 1) == 9 && "
                   "at(shape(A): Index, 2) == 8 => drop(cat(A, B, 0), 0, " +
                       length + ") == B"),
            Status::refuted);
  EXPECT_EQ(status("A: Array, B: Array", vector + "dim(B) == 1 && 6 < " + length +
                                             " => sum(drop(cat(A, B, 0), 0, " + length +
                                             ") / 2, 0) == sum(B / 2, 0)"),
            Status::refuted);
  // Both sides are of reals where B is, and A may be of integers.
  EXPECT_EQ(status("A: Array, B: Array", vector + length +
                                             " == 17 && dim(B) == 1 => cat(A / 2, B, 0) == "
                                             "cat(A, 2 * B, 0) / 2"),
            Status::refuted);
}

// No number of the condition is what it asks for: the solver is asked.
TEST_F(ConditionedLaws, TheSolverFindsWhatMeetsTheCondition) {
  EXPECT_EQ(values("A: Array, k: Int", "k * k == 15241383936 => A / 2 + A / 2 == A"),
            "A = 1, k = 123456");
  EXPECT_EQ(status("A: Array, k: Int", "k * k == 15241383936 => A + A == 2 * A"), Status::proved);
}

// Where no value meets the condition nothing is proved of elements.
TEST_F(ConditionedLaws, WithoutValuesNothingIsProved) {
  for (const char* law : {"A * 1 == A", "A + A == 2 * A", "A / 2 + A / 2 == A"}) {
    const AxiomReport report = of("A: Array", vector + "6000 < " + length + " => " + law);
    EXPECT_EQ(report.status, Status::unknown) << to_string(report);
    EXPECT_NE(report.reason.find("it holds of real numbers ("), std::string::npos) << report.reason;
    EXPECT_NE(report.reason.find("no integers were found that meet its conditions"),
              std::string::npos)
        << report.reason;
    EXPECT_EQ(report.theory, "");
  }
  const AxiomReport typed =
      of("A: Array, B: Array",
         vector + "6000 < " + length + " => drop(cat(A, B, 0), 0, " + length + ") == B");
  EXPECT_EQ(typed.status, Status::unknown);
  EXPECT_EQ(typed.reason,
            "it is proved of elements of one type (any); no values that meet its conditions were "
            "found with A of bool, B of bool, so that its sides may be of different types");
}

// They wrap: the law is one of smaller numbers, and the report says so.
TEST_F(ConditionedLaws, IntegersThatWrap) {
  const auto wraps_at = [&](const std::string& assertion) -> std::string {
    const AxiomReport report = of("A: Array", assertion);
    EXPECT_EQ(report.status, by_values ? Status::tested : Status::proved) << to_string(report);
    if (!report.wrapping) return "nowhere";
    const auto& [name, value] = report.wrapping->values.at(0);
    EXPECT_NE(to_string(report).find("they wrap or are rounded: for " + name + " = " + value),
              std::string::npos)
        << to_string(report);
    return value;
  };
  const std::string minimum = "-9223372036854775808";
  for (const bool tested : {false, true}) {
    by_values = tested;
    EXPECT_EQ(wraps_at("(0 <= abs(A)) == (A == A)"), minimum);
    EXPECT_EQ(wraps_at("max(A, A + 1) == A + 1"), "9223372036854775807");
    EXPECT_NE(wraps_at("(0 <= A * A) == (A * A == A * A)"), "nowhere");
    EXPECT_NE(wraps_at("abs(A * A) == A * A"), "nowhere");
    EXPECT_EQ(wraps_at("(A + 1) * (A - 1) == A * A - 1"), "nowhere");
    EXPECT_EQ(wraps_at("abs(-(A + 0)) == abs(A + 0)"), "nowhere");
  }
}

// Nothing proves these, and integers do not refute them: neither does what is said of programs.
TEST_F(ConditionedLaws, RealsThatAreNotWhole) {
  for (const bool tested : {false, true}) {
    by_values = tested;
    for (const char* wrong : {"real(integer(A): Array) == real(A)", "(A % 2) * (A % 2) == A % 2",
                              "integer(A * 2) == 2 * (integer(A): Array)"}) {
      const AxiomReport report = of("A: Array", wrong);
      ASSERT_TRUE(report.refutation) << to_string(report);
      EXPECT_EQ(report.refutation->values[0].second, "0.5") << to_string(report);
      EXPECT_EQ(report.reason, "");
    }
    EXPECT_EQ(
        status("A: Array, B: Array", "integer(A + B) == (integer(A): Array) + (integer(B): Array)"),
        Status::refuted);
    EXPECT_EQ(of("A: Array", "A + 7 / 2 == A + 3").reason,
              "these values refute it where numbers are reals, as in programs, and not where they "
              "promote, as in single expressions");
  }
}

// The largest of no truth values is another than that of no integers.
TEST_F(ConditionedLaws, NoElementsOfOneTypeBesideSomeOfAnother) {
  const std::string law = "maximum(cat(A, B, 0), 0) == max(maximum(A, 0), maximum(B, 0))";
  for (const bool tested : {false, true}) {
    by_values = tested;
    const std::string found = values("A: Array, B: Array", law);
    EXPECT_NE(found.find("nothing of shape [0], of bool"), std::string::npos) << found;
  }
}

TEST_F(ConditionedLaws, WhatIsPrintedOfACounterexample) {
  // Without unknowns there are no values to print.
  EXPECT_EQ(to_string(of("", "1 == 2")).find("  for "), std::string::npos);
  // Infinities have no last digits.
  const AxiomReport zero = of("A: Array", "1.0 / (0.0 - real(A)) == 1.0 / (-real(A))");
  ASSERT_TRUE(zero.refutation) << to_string(zero);
  EXPECT_EQ(zero.refutation->difference, "the left side is inf, the right side -inf");
}

TEST(TypeMixtures, EachOnce) {
  EXPECT_EQ(type_mixtures(0), std::vector<Types>{{}});
  EXPECT_EQ(type_mixtures(3).size(), 27U);
  const std::vector<Types> many = type_mixtures(9);
  // 3 (1 + 9 * 2 + 36 * 4 + 84 * 8): at most three of nine differ from the other six.
  EXPECT_EQ(many.size(), 2505U);
  EXPECT_EQ(std::set<Types>(many.begin(), many.end()).size(), many.size());
}

TEST(LargeIntegers, BecomeSmaller) {
  Sample sample;
  const term::SymbolId symbol{1};
  for (const std::int64_t number : {INT64_MIN, INT64_MAX, INT64_MIN + 1}) {
    sample.values[symbol] = number;
    const auto less = smaller(sample);
    EXPECT_FALSE(less.empty());
    for (const Sample& each : less) EXPECT_NE(each.values.at(symbol), reference::Value(number));
  }
}

}  // namespace
}  // namespace rhopsi::driver
