// Every axiom of rules/ is a definition or proved, within the time that there is.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include <gtest/gtest.h>

#include "frontend/driver/locations.hpp"
#include "frontend/driver/rule_library.hpp"
#include "frontend/driver/rule_page.hpp"
#include "frontend/driver/verified.hpp"
#include "frontend/driver/verify.hpp"
#include "tests/exec/process.hpp"
#include "tests/support/specification.hpp"

namespace rhopsi::driver {
namespace {

using Status = AxiomReport::Status;

SessionOptions options() {
  return {.include = {std::string(RHOPSI_SOURCE_DIR) + "/rules"},
          .real = onf::Scalar::float64,
          .record_steps = false,
          .numbers_promote = true};
}

std::vector<std::string> rule_files() {
  return source_files(std::string(RHOPSI_SOURCE_DIR) + "/rules");
}

std::string lines(const VerifyReport& report, Status status) {
  std::string text;
  for (const AxiomReport& each : report.axioms) {
    if (each.status == status) text += to_string(each);
  }
  return text;
}

// All of rules/ takes a minute or two of a processor, which is printed: how many tests run beside
// this one, and on which machine, is not known. Instrumented code is slower by ten times and more.
#ifdef RHOPSI_SANITIZED
constexpr std::chrono::minutes most_time{200};
#else
constexpr std::chrono::minutes most_time{20};
#endif

std::vector<RuleEntry> rules_by(const RulesRequest& request) {
  Session session(options());
  syntax::Diagnostics diagnostics;
  const auto entries = rules_of(session, request, diagnostics);
  EXPECT_TRUE(entries) << support::text_of(diagnostics);
  return entries.value_or(std::vector<RuleEntry>{});
}

std::vector<RuleEntry> proved_rules() {
  RulesRequest request;
  request.files = rule_files();
  request.limits.solver.query = std::chrono::seconds(5);  // other tests run beside this one
  request.time = most_time;
  request.proved = [](const std::string&) { return true; };
  return rules_by(request);
}

// With an example of each, and what is remembered of its proof.
std::vector<RuleEntry> rules_with_examples() {
  RulesRequest request;
  request.files = rule_files();
  request.detailed = [](const std::string&) { return true; };
  return rules_by(request);
}

void expect_proved(const VerifyReport& report) {
  EXPECT_EQ(lines(report, Status::unknown), "");
  EXPECT_EQ(lines(report, Status::refuted), "");
  EXPECT_GE(report.count(Status::proved), 159U);
  EXPECT_GE(report.count(Status::tested), 42U);
  EXPECT_GE(report.count(Status::definition), 480U);
  EXPECT_GE(std::ranges::count_if(report.axioms, &AxiomReport::within), 150);
  EXPECT_LE(report.count(Status::assumed), 7U) << lines(report, Status::assumed);
  // But for the one about statements.
  EXPECT_EQ(report.count(Status::variadic), 6U) << lines(report, Status::variadic);
  for (const AxiomReport& each : report.axioms) {
    EXPECT_EQ(each.status == Status::proved, !each.theory.empty()) << each.name;
    if (each.status != Status::variadic || each.name.ends_with(".padRule")) continue;
    EXPECT_EQ(each.reason, "looked at in 1 instance") << each.name;
  }
}

// The pages of docs/rules are what is made of the files now, and of what was proved.
void expect_pages(const std::vector<RuleEntry>& entries) {
  std::map<std::string, std::string> made{{"README.md", rule_page_index(rule_files(), entries)}};
  for (const std::string& file : rule_files())
    made[package_in(file) + ".md"] = rule_page(file, entries).value_or("");
  const std::string folder = exec::source("docs/rules");
  const bool updating = std::getenv("UPDATE_GOLDEN") != nullptr;
  for (const auto& [name, text] : made) {
    const std::string path = folder + "/" + name;
    if (updating) std::ofstream(path, std::ios::binary) << text;
    EXPECT_EQ(exec::read(path), text) << "UPDATE_GOLDEN=1 writes it anew";
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    EXPECT_TRUE(made.contains(entry.path().filename().string())) << entry.path();
}

TEST(VerifyRules, EverythingIsProvedAndThePagesSayIt) {
  const exec::Folder cache;  // where what is proved is remembered
  ::setenv("RHOPSI_CACHE", cache.path().c_str(), 1);
  const std::clock_t begin = std::clock();
  VerifyReport report;
  for (const RuleEntry& each : proved_rules()) {
    if (each.report) report.axioms.push_back(*each.report);
  }
  std::cout << (std::clock() - begin) / CLOCKS_PER_SEC << " s of the processor\n";
  expect_proved(report);
  expect_pages(rules_with_examples());
}

// One file with a concept of its own, or a satisfaction.
class VerifyText : public ::testing::Test {
 protected:
  AxiomReport of(const std::string& body, const std::string& name) {
    const std::string file =
        folder_.write("t.mg", "package t imports moa.library, of.models, of.specialize;\n" + body);
    Session session(options());
    syntax::Diagnostics diagnostics;
    VerifyRequest request;
    request.files = {file};
    request.limits.interference = interference;
    if (time) request.time = *time;
    const auto report = verify(session, request, diagnostics);
    EXPECT_TRUE(report) << support::text_of(diagnostics);
    for (const AxiomReport& each : report->axioms) {
      if (each.name.ends_with("." + name)) return each;
    }
    ADD_FAILURE() << "no " << name;
    return {};
  }

  smt::Interference interference;
  std::optional<std::chrono::milliseconds> time;

 private:
  exec::Folder folder_;
};

// The paper's modulo elimination, which has no condition.
TEST_F(VerifyText, ModuloWithoutConditionIsRefuted) {
  const AxiomReport report = of(R"(
concept Unconditional = {
  use signature(OFReduceMakeIxRotate1D);
  axiom eliminate(i: ScalarIndex, a: Array, o: Offset) {
    assert psi((i + o) % shape0(), a) == psi(i + o, a);
  }
};
satisfaction S = Components1D models Unconditional[AllAsNumbers, psi => padded];
)",
                                "S.eliminate");
  EXPECT_EQ(report.status, Status::refuted) << to_string(report);
  ASSERT_TRUE(report.refutation);
  EXPECT_FALSE(report.refutation->values.empty());
}

TEST_F(VerifyText, TheoryOfElements) {
  const auto theory_of = [&](const std::string& equation) {
    const AxiomReport report =
        of("concept C = { use signature(Expressions);\n  theorem t(A: Array, "
           "B: Array, C: Array) { assert (dim(A): Int) == dim(B) && "
           "(dim(B): Int) == dim(C) => " +
               equation + "; } };\n",
           "C.t");
    return to_string(report.status) + " " + report.theory;
  };
  EXPECT_EQ(theory_of("transpose(A + B) == transpose(A) + transpose(B)"), "proved any");
  EXPECT_EQ(theory_of("(A + B) + C == A + (B + C)"), "proved ring");
  EXPECT_EQ(theory_of("A + B == B + A"), "proved ring, ieee");
  EXPECT_EQ(theory_of("min(A, B) == min(B, A)"), "proved field");
}

TEST_F(VerifyText, WrongLaws) {
  const auto status_of = [&](const std::string& equation) {
    const AxiomReport report =
        of("concept C = { use signature(Expressions);\n  theorem t(A: Array, axis: Int, k: Int) { "
           "assert " +
               equation + "; } };\n",
           "C.t");
    return report.status;
  };
  EXPECT_EQ(status_of("rotate(rotate(A, axis, k), axis, -k) == A"), Status::proved);
  EXPECT_EQ(status_of("rotate(rotate(A, axis, k), axis, k) == A"), Status::refuted);
  EXPECT_EQ(status_of("reverse(A, axis) == A"), Status::refuted);
  EXPECT_EQ(status_of("take(A, axis, k) == A"), Status::refuted);
  // The right side has no value where the left one has one.
  EXPECT_EQ(status_of("reverse(reverse(A, axis), axis) == drop(drop(A, axis, k), axis, -k)"),
            Status::refuted);
}

// Definitions that leave their arrays, each by a least counterexample, and the same mended.
TEST_F(VerifyText, DefinitionsStayWithinTheirArrays) {
  const auto of_next = [&](const std::string& guard, const std::string& shape,
                           const std::string& element) {
    return of("concept C = { use Expressions;\n  function next(A: Array, k: Int): Array guard " +
                  guard + ";\n  axiom nextShape(A: Array, k: Int) { assert shape(next(A, k)) == " +
                  shape + "; }\n  axiom nextElement(p: Index, A: Array, k: Int) { assert " +
                  "psi(p, next(A, k)) == (" + element + ": Number); } };\n",
              "C.nextElement");
  };
  const auto text_of = [](const AxiomReport& report) {
    std::string text = to_string(report.status);
    if (!report.refutation) return text + " " + scope(report);
    for (const auto& [name, value] : report.refutation->values) text += " " + name + "=" + value;
    return text + ": " + report.refutation->difference;
  };
  // One too far; of all but the last it is right.
  EXPECT_EQ(text_of(of_next("dim(A) == 1", "shape(A)", "psi([at(p, 0) + 1], A)")),
            "refuted p=[0] A=0 of shape [1] k=0: it reads element [1] of A, whose shape is [1]");
  EXPECT_EQ(text_of(of_next("dim(A) == 1 && 0 < at(shape(A), 0)", "[at(shape(A), 0) - 1]",
                            "psi([at(p, 0) + 1], A)")),
            "definition within its arrays, up to 4 axes");
  // Negative offsets, and no offset where nothing bounds it.
  EXPECT_EQ(text_of(of_next("dim(A) == 1", "shape(A)", "psi([at(p, 0) - 1], A)")),
            "refuted p=[0] A=0 of shape [1] k=0: it reads element [-1] of A, whose shape is [1]");
  EXPECT_EQ(of_next("dim(A) == 1", "shape(A)", "psi([at(p, 0) + k], A)").status, Status::refuted);
  EXPECT_EQ(text_of(of_next("dim(A) == 1 && 0 <= k && k <= at(shape(A), 0)",
                            "[at(shape(A), 0) - k]", "psi([at(p, 0) + k], A)")),
            "definition within its arrays, up to 4 axes");
  // An array without elements.
  EXPECT_EQ(text_of(of_next("dim(A) == 1", "[1]", "psi([0], A)")),
            "refuted p=[0] A=nothing of shape [0] k=0: it reads element [0] of A, whose shape is "
            "[0]");
  // As many components as there are axes: a guard is missing.
  EXPECT_EQ(of_next("0 <= k", "shape(A)", "psi([at(p, 0)], A)").status, Status::refuted);
  // The guard of what is called.
  EXPECT_EQ(of_next("dim(A) == 1", "shape(A)", "psi(p, rotate(A, k, 1))").status, Status::refuted);
  EXPECT_EQ(of_next("dim(A) == 1 && k == 0", "shape(A)", "psi(p, rotate(A, k, 1))").status,
            Status::definition);
  // Through a function of numbers, which has no conditions of its own.
  EXPECT_EQ(of_next("dim(A) == 1", "shape(A)", "psi([entry(A, at(p, 0))], A)").status,
            Status::refuted);
}

TEST_F(VerifyText, ShapesHaveNoNegativeLength) {
  const auto of_shape = [&](const std::string& guard) {
    return of("concept C = { use Expressions;\n  function less(A: Array): Array guard " + guard +
                  ";\n  axiom lessShape(A: Array) { assert shape(less(A)) == "
                  "[at(shape(A), 0) - 1]; } };\n",
              "C.lessShape");
  };
  const AxiomReport wrong = of_shape("dim(A) == 1");
  ASSERT_TRUE(wrong.refutation) << to_string(wrong);
  EXPECT_EQ(wrong.refutation->difference, "its shape is [-1]: the length on axis 0 is negative");
  EXPECT_TRUE(of_shape("dim(A) == 1 && 0 < at(shape(A), 0)").within);
}

// What holds at the ranks that a proof looks at.
TEST_F(VerifyText, ArraysOfMoreAxesAreTried) {
  const auto of_law = [&](const std::string& assertion) {
    return of(
        "concept C = { use signature(Expressions);\n  theorem t(A: Array, p: Index) { assert " +
            assertion + "; } };\n",
        "C.t");
  };
  EXPECT_EQ(of_law("dim(A) < 5").status, Status::refuted);
  EXPECT_EQ(of_law("dim(A) < 6").status, Status::refuted);
  EXPECT_EQ(of_law("len(p) <= 4").status, Status::refuted);
  EXPECT_EQ(of_law("dim(A) < 5 || reverse(A, 5) == A").status, Status::refuted);
  EXPECT_EQ(of_law("0 <= (dim(A): Int)").status, Status::proved);
  // Without the time to try them nothing is proved.
  time = std::chrono::milliseconds(0);
  const AxiomReport report = of_law("0 <= (dim(A): Int)");
  EXPECT_EQ(report.status, Status::unknown);
  EXPECT_EQ(report.theory, "");
  EXPECT_NE(report.reason.find("the time of the run was over"), std::string::npos) << report.reason;
}

// When the time is over nothing is proved, refuted or tested any more, and that does not take long.
TEST_F(VerifyText, TimeOfTheRun) {
  const std::string wrong =
      "concept C = { use signature(Expressions);\n  theorem t(A: Array, axis: Int, k: Int) { "
      "assert rotate(A, axis, k) == take(A, axis, k) || reverse(A, axis) == A; } };\n";
  EXPECT_EQ(of(wrong, "C.t").status, Status::refuted);
  time = std::chrono::milliseconds(0);
  const AxiomReport report = of(wrong, "C.t");
  EXPECT_EQ(report.status, Status::unknown);
  EXPECT_EQ(report.values, 0U);
}

constexpr const char* variadic = R"(
concept Same = {
  type T...;
  type R;
  function f(xs: T...): R;
  function g(xs: T...): R;
  axiom same(xs: T...) { assert f(xs...) == g(xs...); }
};
concept Doubles = {
  use Expressions;
  function twice(A: Array): Array;
  function added(A: Array): Array;
  function thrice(A: Array): Array;
  axiom twiceDefinition(A: Array) { assert twice(A) == 2 * A; }
  axiom addedDefinition(A: Array) { assert added(A) == A + A; }
  axiom thriceDefinition(A: Array) { assert thrice(A) == 3 * A; }
};
concept Open = {
  use Doubles;
  function other(A: Array): Array;
};
satisfaction Right = Doubles models Same[R => Array, f => twice, g => added];
satisfaction Wrong = Doubles models Same[R => Array, f => twice, g => thrice];
satisfaction Unknown = Open models Same[R => Array, f => twice, g => other];
)";

// Elements may be integers, for which `/` is Euclidean.
TEST_F(VerifyText, IntegersRefuteLawsOfRealNumbers) {
  const auto of_law = [&](const std::string& assertion) {
    return of(
        "concept C = { use signature(Expressions);\n  theorem t(A: Array, B: Array) { assert "
        "dim(A) == 0 && dim(B) == 0 => " +
            assertion + "; } };\n",
        "C.t");
  };
  const AxiomReport half = of_law("(A + B) / 2 == A / 2 + B / 2");
  EXPECT_EQ(half.status, Status::refuted) << to_string(half);
  ASSERT_TRUE(half.refutation);
  EXPECT_EQ(half.refutation->difference, "the left side is 1, the right side 0");
  EXPECT_EQ(half.reason, "it holds of real numbers (field), and not of integers");
  EXPECT_EQ(half.theory, "");
  const AxiomReport quarter = of_law("A / 2 / 2 == A / 4");
  EXPECT_EQ(to_string(quarter.status) + " " + quarter.theory, "proved field");
  // Reals differ here too, by their last digits.
  const AxiomReport rounded = of_law("(A * 0.1) * (B * 0.3) == (A * 0.3) * (B * 0.1)");
  EXPECT_EQ(rounded.status, Status::proved) << to_string(rounded);
  // Here a large integer wraps before it becomes a real.
  const AxiomReport wraps = of_law("(A * 0.1) * (B * 3) == (A * 3) * (B * 0.1)");
  EXPECT_EQ(wraps.status, Status::proved) << to_string(wraps);
  EXPECT_TRUE(wraps.wrapping);
}

// Ranks bound what is said of arrays and vectors, and of nothing else.
TEST_F(VerifyText, TheScopeOfAProof) {
  const auto of_law = [&](const std::string& parameters, const std::string& assertion) {
    return of("concept C = { use signature(Expressions);\n  theorem t(" + parameters +
                  ") { assert " + assertion + "; } };\n",
              "C.t");
  };
  EXPECT_EQ(scope(of_law("A: Array", "transpose(transpose(A)) == A")), "any, up to 4 axes");
  EXPECT_EQ(scope(of_law("p: Index", "0 <= (len(p): Int)")), "any, up to 4 axes");
  EXPECT_EQ(scope(of_law("n: Int", "n + 1 - 1 == n")), "any");
  EXPECT_EQ(scope(of_law("A: Array", "transpose(A) == A")), "");
}

// 7 / 2 is 3 in a single expression and 3.5 in a program: a law has to hold in both.
TEST_F(VerifyText, NumbersAreRealsInPrograms) {
  const auto of_law = [&](const std::string& parameters, const std::string& assertion) {
    const AxiomReport report = of("concept C = { use signature(Expressions);\n  theorem t(" +
                                      parameters + ") { assert " + assertion + "; } };\n",
                                  "C.t");
    if (report.refutation) {
      EXPECT_NE(report.reason.find("refute it where numbers are reals, as in programs"),
                std::string::npos)
          << report.reason;
    }
    return report.status;
  };
  EXPECT_EQ(of_law("A: Array", "A + 7 / 2 == A + 3"), Status::refuted);
  EXPECT_EQ(of_law("A: Array", "A + (-1) / 2 == A - 1"), Status::refuted);
  EXPECT_EQ(of_law("n: Int", "iota(n) / 2 * 2 == iota(n) - iota(n) % 2"), Status::refuted);
  EXPECT_EQ(of_law("n: Int", "psi([], array(n / 2)) == convert(n) / 2"), Status::refuted);
  EXPECT_EQ(of_law("A: Array", "A + 8 / 2 == A + 4"), Status::proved);
  EXPECT_EQ(of_law("n: Int", "psi([], array(n)) == convert(n)"), Status::proved);
  // Beyond 2^53 not every integer is a real, which no proof and no value tells here.
  EXPECT_EQ(of_law("n: Int", "convert((convert(n): Number)) == n"), Status::unknown);
}

TEST_F(VerifyText, NumbersOfAProgramAreReals) {
  const AxiomReport report =
      of("concept Same = { type Array; function f(A: Array): Array; axiom same(A: Array) { assert "
         "f(A) "
         "== A; } };\n"
         "program P = implement Expressions in { use Expressions; function f(A: Array): Array = A "
         "+ 1 / "
         "2; };\n"
         "satisfaction S = P models Same;\n",
         "S.same");
  EXPECT_EQ(report.status, Status::refuted) << to_string(report);
}

// Values that no small sample has: the solver's, if both sides differ for them.
TEST_F(VerifyText, LargeCounterexamples) {
  const auto values_of = [&](const std::string& assertion) {
    const AxiomReport report =
        of("concept C = { use signature(Expressions);\n  theorem t(A: Array, axis: Int, n: Int) { "
           "assert " +
               assertion + "; } };\n",
           "C.t");
    EXPECT_EQ(report.status, Status::refuted) << to_string(report);
    std::string text;
    if (!report.refutation) return text;
    for (const auto& [name, value] : report.refutation->values) text += name + "=" + value + ";";
    return text;
  };
  EXPECT_EQ(values_of("n != 1000003"), "A=0;axis=0;n=1000003;");
  EXPECT_EQ(values_of("n * n != 1522756"), "A=0;axis=0;n=1234;");
  const std::string longer =
      values_of("20 < at(shape(A), axis) => take(A, axis, 5) == take(A, axis, 6)");
  EXPECT_NE(longer.find(" of shape [21];axis=0;"), std::string::npos) << longer;
  const std::string longest = values_of("dim(A) == 1 => at(shape(A), 0) != 1234");
  EXPECT_NE(longest.find(" ... of shape [1234];"), std::string::npos) << longest;
}

TEST_F(VerifyText, WhatIsSaidOfOpenLawsAndOfTypes) {
  const auto of_law = [&](const std::string& assertion) {
    return of("concept C = { use signature(Expressions);\n  theorem t(A: Array, i: Int) { assert " +
                  assertion + "; } };\n",
              "C.t");
  };
  const AxiomReport open = of_law("sum(reverse(A, i), i) == sum(A, i)");
  EXPECT_EQ(open.status, Status::unknown);
  EXPECT_EQ(open.reason.find("neither a proof nor a counterexample was found; the proof ended at"),
            0U)
      << open.reason;
  EXPECT_EQ(open.reason.find("does not hold"), std::string::npos) << open.reason;
  // An array that no memory should hold is not made.
  EXPECT_EQ(of_law("dim(A) == 1 => at(shape(A), 0) != 5000000").status, Status::unknown);
  const AxiomReport typed = of_law("(A == A) == A * 0 + 1");
  ASSERT_TRUE(typed.refutation) << to_string(typed);
  EXPECT_EQ(typed.refutation->difference,
            "the left side is 1, the right side 1; the types differ: array of bool and array of "
            "int64");
}

// Both sides have to be of one type, whatever that of the arrays is: `/` of integers is another
// than that of reals, and the least of no truth values another than of no integers.
TEST_F(VerifyText, BothSidesAreOfOneType) {
  const auto of_law = [&](const std::string& assertion) {
    return of(
        "concept C = { use signature(Expressions);\n  theorem t(A: Array, B: Array) { assert " +
            assertion + "; } };\n",
        "C.t");
  };
  const auto difference = [&](const std::string& assertion) {
    const AxiomReport report = of_law(assertion);
    EXPECT_EQ(report.status, Status::refuted) << to_string(report);
    return report.refutation ? report.refutation->difference : "";
  };
  EXPECT_NE(difference("A * 1 == A").find("the types differ: array of int64 and array of bool"),
            std::string::npos);
  EXPECT_NE(difference("A * 1.0 == A").find("the types differ: array of float64 and array of "),
            std::string::npos);
  EXPECT_NE(difference("-(-A) == A").find("the types differ: array of int64 and array of bool"),
            std::string::npos);
  EXPECT_NE(difference("A * 0.5 == A / 2"), "");
  EXPECT_EQ(of_law("-(-(A + 0)) == A + 0").status, Status::proved);
  EXPECT_EQ(of_law("min(A, A) == A").status, Status::refuted);
  EXPECT_EQ(of_law("A + A == 2 * A").status, Status::proved);
}

// Rules with any number of parameters hold of the operations of a model, or do not.
TEST_F(VerifyText, VariadicAxiomsAreLookedAtInModels) {
  const AxiomReport whole = of(variadic, "Same.same");
  EXPECT_EQ(whole.status, Status::variadic);
  EXPECT_EQ(whole.reason, "looked at in 2 instances");
  EXPECT_EQ(of(variadic, "Right.same").status, Status::proved);
  EXPECT_EQ(of(variadic, "Wrong.same").status, Status::refuted);
  EXPECT_EQ(of(variadic, "Unknown.same").status, Status::unknown);
}

// An axiom is no proof of itself, and a theorem is no definition.
TEST_F(VerifyText, NothingIsProvedByItself) {
  EXPECT_EQ(of(R"(
concept C = { use signature(Expressions);
  axiom t(A: Array, axis: Int) { assert reverse(A, axis) == A; } };
)",
               "C.t")
                .status,
            Status::refuted);
}

TEST_F(VerifyText, WhatNothingDefinesIsUnknown) {
  const AxiomReport report = of(R"(
concept C = { use signature(Expressions);
  function f(A: Array): Array;
  axiom t(A: Array) { assert f(f(A)) == A; } };
)",
                                "C.t");
  EXPECT_EQ(report.status, Status::unknown);
  EXPECT_EQ(report.reason, "nothing defines f(Array): Array");
}

// Whatever becomes of the solver, the answer is unknown.
TEST_F(VerifyText, SolverThatFails) {
  const std::string right = R"(
concept C = { use signature(Expressions);
  theorem t(A: Array, axis: Int, l: Int, r: Int) {
    assert l <= at(shape(A), axis) && r <= at(shape(A), axis) =>
      pad_circular(A, axis, l, r) ==
        cat(cat(take(A, axis, -l), A, axis), take(A, axis, r), axis); } };
)";
  EXPECT_EQ(of(right, "C.t").status, Status::proved);
  interference = []() -> std::optional<smt::Answer> { throw std::bad_alloc(); };
  EXPECT_EQ(of(right, "C.t").status, Status::unknown);
  interference = []() -> std::optional<smt::Answer> {
    return smt::Answer{smt::Answer::Kind::unknown, "memory", {}};
  };
  const AxiomReport open = of(right, "C.t");
  EXPECT_EQ(open.status, Status::unknown);
  EXPECT_FALSE(open.out_of_time);
  interference = []() -> std::optional<smt::Answer> {
    return smt::Answer{smt::Answer::Kind::unknown, "time", {}, true};
  };
  const AxiomReport late = of(right, "C.t");
  EXPECT_EQ(late.status, Status::unknown);
  EXPECT_TRUE(late.out_of_time);
  EXPECT_NE(late.reason.find("a limit on time was reached"), std::string::npos) << late.reason;
}

// Who asks again, with more time, is not told what had too little.
TEST(Verified, WhatTimeHasLeftOpenIsNotKept) {
  const exec::Folder folder;
  const std::string file = folder.write("open.mg", R"(package open imports moa.library;
concept C = { use signature(Expressions);
  theorem t(A: Array) { assert A == A; }
  theorem u(A: Array) { assert A == A; } };
)");
  Session session(options());
  syntax::Diagnostics diagnostics;
  VerifyRequest request;
  request.files = {file};
  auto report = verify(session, request, diagnostics);
  ASSERT_TRUE(report) << support::text_of(diagnostics);
  ASSERT_EQ(report->axioms.size(), 2U);
  for (AxiomReport& each : report->axioms) {
    ASSERT_EQ(each.status, Status::proved) << to_string(each);
    each.status = Status::unknown;
    each.theory.clear();
    each.out_of_time = each.name.ends_with(".t");
  }
  remember(session, *report);
  const Findings kept = recall(session);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept.begin()->second.name, "open.C.u");
  EXPECT_EQ(kept.begin()->second.status, Status::unknown);
}

TEST(Verified, ValuesAreKept) {
  const exec::Folder folder;
  const std::string file = folder.write("large.mg", R"(package large imports moa.library;
concept C = { use signature(Expressions);
  theorem wraps(A: Array) { assert max(A, A + 1) == A + 1; }
  theorem wrong(A: Array) { assert A + 1 == A; } };
)");
  Session session(options());
  syntax::Diagnostics diagnostics;
  VerifyRequest request;
  request.files = {file};
  const auto report = verify(session, request, diagnostics);
  ASSERT_TRUE(report) << support::text_of(diagnostics);
  ASSERT_EQ(report->axioms.size(), 2U);
  EXPECT_TRUE(report->axioms[0].wrapping);
  EXPECT_TRUE(report->axioms[1].refutation);
  remember(session, *report);
  const Findings kept = recall(session);
  ASSERT_EQ(kept.size(), 2U);
  for (const AxiomReport& each : report->axioms) {
    const std::uint32_t line = session.store()[each.location].line;
    EXPECT_EQ(to_string(kept.at({each.name, line})), to_string(each));
  }
}

}  // namespace
}  // namespace rhopsi::driver
