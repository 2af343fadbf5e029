// Laws and definitions by cases whose meaning depends on what numbers are: integers, whose `/` is
// Euclidean, or reals, which are rounded and may be no number.
#include <gtest/gtest.h>

#include "engine/onf/primitive.hpp"
#include "frontend/driver/verify.hpp"
#include "tests/exec/process.hpp"
#include "tests/support/specification.hpp"

namespace rhopsi::driver {
namespace {

using Status = AxiomReport::Status;

class KindsOfNumbers : public ::testing::Test {
 protected:
  // The last axiom of a concept with this text.
  AxiomReport last_of(const std::string& imports, const std::string& text) {
    const std::string file = folder_.write(
        "t.mg", "package t imports " + imports + ";\nconcept C = {\n" + text + "};\n");
    Session session({.include = {std::string(RHOPSI_SOURCE_DIR) + "/rules"},
                     .real = onf::Scalar::float64,
                     .record_steps = false,
                     .numbers_promote = true});
    syntax::Diagnostics diagnostics;
    VerifyRequest request;
    request.files = {file};
    request.by_values = by_values;
    if (by_values) request.search = {.tries = 20'000, .seed = 1, .spoke = 1'000};
    const auto report = verify(session, request, diagnostics);
    EXPECT_TRUE(report) << support::text_of(diagnostics);
    if (!report || report->axioms.empty()) {
      ADD_FAILURE() << text;
      return {};
    }
    return report->axioms.back();
  }
  AxiomReport law(const std::string& parameters, const std::string& assertion) {
    return last_of("moa.library", "use signature(Expressions); theorem t(" + parameters +
                                      ") { assert " + assertion + "; }\n");
  }
  // Two definitions of f by cases.
  AxiomReport numbers(const std::string& first, const std::string& second) {
    return last_of("moa.library, definitions.arrays",
                   "use signature(Expressions); function f(a: Number): Number;\n"
                   "axiom x1(a: Number) { assert " +
                       first + "; } axiom x2(a: Number) { assert " + second + "; }\n");
  }
  AxiomReport reals(const std::string& first, const std::string& second) {
    return last_of("backend.kokkos",
                   "use Reals; function f(a: Real): Real;\naxiom x1(a: Real) { assert " + first +
                       "; } axiom x2(a: Real) { assert " + second + "; }\n");
  }
  static std::string value(const AxiomReport& report, const std::string& name) {
    if (!report.refutation) return "none";
    for (const auto& [each, value] : report.refutation->values) {
      if (each == name) return value;
    }
    return "none";
  }

  bool by_values = false;

 private:
  exec::Folder folder_;
};

// True of reals. The bounds from which they fail are no numbers that the laws name.
TEST_F(KindsOfNumbers, QuotientsOfIntegers) {
  const AxiomReport compared =
      law("A: Number", "(max(A, 0) / (6 * 7) / (10 * 11) <= 1) == (max(A, 0) <= 42 * 110)");
  EXPECT_EQ(compared.status, Status::refuted) << to_string(compared);
  EXPECT_EQ(value(compared, "A"), "4621") << to_string(compared);
  EXPECT_NE(compared.reason.find("and not of integers"), std::string::npos) << compared.reason;

  const AxiomReport added =
      law("A: Number", "max(A, 0) / 7 / 11 + max(A, 0) / 7 / 11 == 2 * max(A, 0) / 7 / 11");
  EXPECT_EQ(added.status, Status::refuted) << to_string(added);

  // Of integers too.
  const AxiomReport nested = law("A: Number", "max(A, 0) / 13 / 17 == max(A, 0) / 221");
  EXPECT_EQ(nested.status, Status::proved) << to_string(nested);
  EXPECT_EQ(nested.theory, "field");
}

// Where one number is an integer and the other is real.
TEST_F(KindsOfNumbers, QuotientsOfAMixture) {
  const AxiomReport report = law(
      "A: Number, B: Number", "(A / (6 * 7) / (10 * 11) <= 1 + 0 * B) == (A <= 42 * 110 + 0 * B)");
  EXPECT_EQ(report.status, Status::refuted) << to_string(report);
}

TEST_F(KindsOfNumbers, WhatIsDividedByZeroHasNoValue) {
  const AxiomReport report = law("x: Int, y: Int", "0 * x == 0 * (x / y)");
  EXPECT_NE(report.status, Status::proved) << to_string(report);
  EXPECT_EQ(law("x: Int, y: Int", "x / y == x / y + 0").status, Status::proved);
}

// Of real numbers these are proved, which have one 0 and no value by it. Doubles have two zeros,
// and an infinity of either sign.
TEST_F(KindsOfNumbers, InfinitiesOfDoublesRefute) {
  for (const char* wrong : {"1.0 / -(A - A) == 1.0 / (A - A)", "A / (A - B) == A / -(B - A)",
                            "max(1.0 / (B - B), 5.0) == max(1.0 / -(B - B), 5.0)"}) {
    const AxiomReport report = law("A: Array, B: Array", wrong);
    EXPECT_EQ(report.status, Status::refuted) << wrong << "\n" << to_string(report);
    EXPECT_NE(report.reason.find("where none is divided by 0, and not of doubles"),
              std::string::npos)
        << to_string(report);
  }
  for (const char* right :
       {"1.0 / (A * A + 1.0) == 1.0 / (1.0 + A * A)", "A / 3.0 / 5.0 == A / 15.0",
        "-(A / 3) == A / 3 / -1", "(A + A) / 7.0 - A / 7.0 - A / 7.0 == 0.0 * A"}) {
    const AxiomReport report = law("A: Array", right);
    EXPECT_EQ(report.status, Status::proved) << right << "\n" << to_string(report);
  }
  // Of arrays of more than four axes, of which it is not proved, rounding refuted this one.
  EXPECT_EQ(law("A: Array, B: Array", "(A - B) / 7.0 == A / 7.0 - B / 7.0").status, Status::proved);
  const AxiomReport report = numbers("f(a) == 1.0 / (a - a)", "f(a) == 1.0 / -(a - a)");
  EXPECT_EQ(report.status, Status::refuted) << to_string(report);
}

// No sum leaves 64 bits there.
TEST_F(KindsOfNumbers, LargeIntegersRefuteWhereNothingWraps) {
  by_values = true;
  const AxiomReport exact = law("A: Number", "max(A, 0) / (6 * 7) / (10 * 11) <= 1000000");
  EXPECT_EQ(exact.status, Status::refuted) << to_string(exact);
  EXPECT_FALSE(exact.wrapping);
  const AxiomReport wraps = law("A: Number", "max(A, A + 1) == A + 1");
  EXPECT_EQ(wraps.status, Status::tested) << to_string(wraps);
  EXPECT_TRUE(wraps.wrapping);
}

TEST_F(KindsOfNumbers, DefinitionsByCasesOfIntegersAndReals) {
  const AxiomReport halves = numbers("0 < a => f(a) == a / 2 + a / 2", "5 < a => f(a) == a");
  EXPECT_EQ(halves.status, Status::refuted) << to_string(halves);
  EXPECT_EQ(value(halves, "a"), "7");
  const AxiomReport types = numbers("0 < a => f(a) == 2 * a", "1 <= a => f(a) == 2.0 * a");
  EXPECT_EQ(types.status, Status::refuted) << to_string(types);
  EXPECT_EQ(numbers("0 < a => f(a) == a + a", "5 < a => f(a) == 2 * a").status, Status::definition);
  EXPECT_EQ(numbers("a < 3 => f(a) == 1", "3 <= a => f(a) == 2").status, Status::definition);
}

// Which rule fires is decided in floating point.
TEST_F(KindsOfNumbers, ConditionsInFloatingPoint) {
  const AxiomReport rounded = reals("a + 1.0 <= a => f(a) == 0.0", "0.0 < a => f(a) == 1.0");
  EXPECT_EQ(rounded.status, Status::refuted) << to_string(rounded);
  const AxiomReport undefined = numbers("!(0 < a) => f(a) == 1", "!(a <= 0) => f(a) == 2");
  EXPECT_EQ(undefined.status, Status::refuted) << to_string(undefined);
  EXPECT_EQ(value(undefined, "a"), "nan");
  EXPECT_EQ(reals("a < 1.0 => f(a) == 0.0", "1.0 <= a => f(a) == 1.0").status, Status::definition);
  // Rounding is no contradiction.
  EXPECT_EQ(
      reals("0.0 < a => f(a) == a * 0.1 + a * 0.2", "1.0 < a => f(a) == a * 0.2 + a * 0.1").status,
      Status::definition);
}

// Ranks that the guard excludes say nothing, though the condition has no value there.
TEST_F(KindsOfNumbers, CasesOfElements) {
  const std::string head =
      "use signature(Expressions); function f(A: Array): Array guard dim(A) == 1;\n"
      "axiom s(A: Array) { assert shape(f(A)) == shape(A): Index; }\n"
      "axiom x1(p: Index, A: Array) { assert at(p, 0) <= 3 => psi(p, f(A)) == (psi(p, A): Number); "
      "}\naxiom x2(p: Index, A: Array) { assert ";
  const std::string imports = "moa.library, definitions.arrays";
  const AxiomReport disjoint =
      last_of(imports, head + "3 < at(p, 0) => psi(p, f(A)) == (psi(p, A): Number) + 1; }\n");
  EXPECT_EQ(disjoint.status, Status::definition) << to_string(disjoint);
  EXPECT_TRUE(disjoint.within);
  const AxiomReport both =
      last_of(imports, head + "1 <= at(p, 0) => psi(p, f(A)) == (psi(p, A): Number) + 1; }\n");
  EXPECT_EQ(both.status, Status::refuted) << to_string(both);
}

}  // namespace
}  // namespace rhopsi::driver
