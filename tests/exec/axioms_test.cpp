// `verify` and `test`: what is printed, and the exit codes.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

constexpr const char* laws = R"(package laws imports moa.library;
concept Right = {
  use signature(Expressions);
  theorem twice(A: Array, axis: Int) { assert reverse(reverse(A, axis), axis) == A; }
};
concept Wrong = {
  use signature(Expressions);
  theorem once(A: Array, axis: Int) { assert reverse(A, axis) == A; }
};
concept Never = {
  use signature(Expressions);
  theorem never(k: Int) { assert k < k => k == 0; }
};
)";

struct Laws : testing::Test {
  const Folder folder;
  const std::string file = folder.write("laws.mg", laws);
};

TEST_F(Laws, AreTestedOnValues) {
  Outcome outcome = rhopsi({"test", file, "-m", "Right", "--values", "70"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_NE(outcome.out.find("tested     laws.Right.twice  70 values"), std::string::npos)
      << outcome.text();
  outcome = rhopsi({"test", file, "-m", "Wrong", "--seed", "11"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_NE(outcome.out.find("refuted    laws.Wrong.once"), std::string::npos) << outcome.text();
  EXPECT_NE(outcome.out.find(" of shape [2], axis = 0\n"), std::string::npos) << outcome.text();
  EXPECT_NE(outcome.out.find("; at [0] "), std::string::npos) << outcome.text();
  outcome = rhopsi({"test", file, "-m", "Never"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_NE(outcome.out.find("says nothing about any value"), std::string::npos) << outcome.text();
}

TEST(LawsOfStatements, AreTestedOnTheProgram) {
  const Folder folder;
  const std::string program = folder.write("s.mg", R"(package s imports backend.kokkos;
concept Sum = {
  type R;
  function add(a: R, b: R): R;
  axiom commutes(a: R, b: R) { assert add(a, b) == add(b, a); }
  axiom first(a: R, b: R) { assert add(a, b) == a; }
};
program P = {
  use Integers;
  procedure inc(upd a: Int, obs b: Int) { a = a + b; };
  function add(a: Int, b: Int): Int = { var r = a; call inc(r, b); r = r + 0; value r; };
};
satisfaction S = P models Sum[R => Int];
)");
  const Outcome outcome = rhopsi({"test", program});
  EXPECT_NE(outcome.out.find("tested     s.S.commutes"), std::string::npos) << outcome.text();
  EXPECT_NE(outcome.out.find("refuted    s.S.first"), std::string::npos) << outcome.text();
}

// Numbers that stand in bodies alone are among those that are tried.
TEST(LawsOfStatements, AreTestedOnTheNumbersOfTheProgram) {
  const Folder folder;
  const std::string program = folder.write("s.mg", R"(package s imports backend.kokkos;
concept Same = {
  type T;
  function f(a: T): T;
  function g(a: T): T;
  axiom same(a: T) { assert f(a) == g(a); }
};
program P = {
  use Integers;
  function once(a: Int): Int = { var s = a; if s == 1147 then { s = 0; } else skip; value s; };
  function down(a: Int): Int = { var s = a; while 77 < s bound 3 { s = s - 1; }; value s; };
  function same(a: Int): Int = { var s = a; if s == 1147 then { s = 1147; } else skip; value s; };
  function plain(a: Int): Int = a;
};
satisfaction Once = P models Same[T => Int, f => once, g => plain];
satisfaction Down = P models Same[T => Int, f => down, g => plain];
satisfaction Alike = P models Same[T => Int, f => same, g => plain];
)");
  const Outcome outcome = rhopsi({"test", program});
  EXPECT_NE(outcome.out.find("refuted    s.Once.same"), std::string::npos) << outcome.text();
  EXPECT_NE(outcome.out.find("1147"), std::string::npos) << outcome.text();
  EXPECT_NE(outcome.out.find("refuted    s.Down.same"), std::string::npos) << outcome.text();
  EXPECT_NE(outcome.out.find("tested     s.Alike.same"), std::string::npos) << outcome.text();
}

// What holds of all arrays and vectors that a proof looks at, and not of longer ones.
TEST(LawsOfFewAxes, AreNotProved) {
  const Folder folder;
  const std::string file =
      folder.write("few.mg",
                   "package few imports moa.library;\n"
                   "concept Few = {\n"
                   "  use signature(Expressions);\n"
                   "  theorem axes(A: Array) { assert dim(A) < 5; };\n"
                   "  theorem components(p: Index) { assert len(p) <= 4; };\n"
                   "  theorem turned(p: Index) { assert len(p) == 5 => reverse(p) == p; };\n"
                   "};\n");
  const Outcome outcome = rhopsi({"verify", file, "--timeout", "60000"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_NE(outcome.out.find("refuted    few.Few.axes"), std::string::npos) << outcome.text();
  EXPECT_NE(outcome.out.find("refuted    few.Few.components"), std::string::npos) << outcome.text();
  EXPECT_EQ(outcome.out.find("proved     few.Few.turned"), std::string::npos) << outcome.text();
}

// Two cases that hold at once, and say something else there.
TEST(DefinitionsByCases, HaveToAgreeWhereBothSpeak) {
  const Folder folder;
  const auto with = [&](const std::string& first, const std::string& second) {
    return folder.write("cases.mg",
                        "package cases imports moa.library, definitions.arrays;\n"
                        "concept Cases = {\n"
                        "  use Integers;\n"
                        "  function g(a: Int): Int;\n"
                        "  axiom low(a: Int) { assert " +
                            first +
                            "; }\n"
                            "  axiom high(b: Int) { assert " +
                            second +
                            "; }\n"
                            "};\n");
  };
  const auto contains = [](const Outcome& outcome, const std::string& part) {
    return outcome.text().find(part) != std::string::npos;
  };
  const std::string differ = with("a <= 1000 => g(a) == 0", "1000 <= b => g(b) == 1");
  Outcome outcome = rhopsi({"verify", differ});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_TRUE(contains(outcome, "definition cases.Cases.low\n")) << outcome.text();
  EXPECT_TRUE(contains(outcome, "refuted    cases.Cases.high")) << outcome.text();
  EXPECT_TRUE(contains(outcome, "  for a = 1000\n")) << outcome.text();
  EXPECT_TRUE(contains(outcome, "the left side is 0, the right side 1")) << outcome.text();
  EXPECT_TRUE(contains(outcome, "it contradicts low (")) << outcome.text();
  outcome = rhopsi({"check", differ});
  EXPECT_TRUE(contains(outcome, "cases.mg:6:")) << outcome.text();
  EXPECT_TRUE(contains(outcome, "warning[E0344]")) << outcome.text();
  outcome = rhopsi({"analyze", differ, "-m", "Cases"});
  EXPECT_TRUE(contains(outcome, "overlap: both fit")) << outcome.text();
  outcome = rhopsi({"test", with("a <= 0 => g(a) == 0", "0 <= b => g(b) == 1")});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_TRUE(contains(outcome, "refuted    cases.Cases.high")) << outcome.text();

  for (const auto& [first, second] : std::vector<std::pair<std::string, std::string>>{
           {"a < 1000 => g(a) == 0", "1000 <= b => g(b) == 1"},
           {"a <= 1000 => g(a) == a - 1000", "1000 <= b => g(b) == 0 * b"}}) {
    const std::string agree = with(first, second);
    outcome = rhopsi({"verify", agree});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    EXPECT_TRUE(contains(outcome, "definition 2")) << outcome.text();
    outcome = rhopsi({"check", agree});
    EXPECT_FALSE(contains(outcome, "E0344")) << outcome.text();
    EXPECT_EQ(rhopsi({"test", agree}).exit_code, 0);
  }
  // Conditions that exclude each other are no overlap.
  outcome = rhopsi({"analyze", with("a < 7 => g(a) == 0", "7 <= b => g(b) == 1"), "-m", "Cases"});
  EXPECT_FALSE(contains(outcome, "lint:")) << outcome.text();
}

TEST_F(Laws, InJson) {
  const Outcome outcome = rhopsi({"test", file, "--json"});
  EXPECT_EQ(outcome.exit_code, 1);
  const auto read = nlohmann::json::parse(outcome.out);
  EXPECT_FALSE(read.at("complete").get<bool>());
  ASSERT_EQ(read.at("axioms").size(), 3U);
  EXPECT_EQ(read.at("axioms")[0].at("status"), "tested");
  EXPECT_EQ(read.at("axioms")[0].at("tested"), 1000);
  EXPECT_EQ(read.at("axioms")[1].at("values").at("axis"), "0");
}

TEST_F(Laws, AreProvedWhereTheyCanBe) {
  EXPECT_EQ(rhopsi({"verify", file, "-m", "Right", "--timeout", "60000"}).exit_code, 0);
  const Outcome outcome = rhopsi({"verify", file, "-m", "Wrong"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.out.find("refuted"), std::string::npos) << outcome.text();
}

TEST_F(Laws, MistakesOnTheCommandLine) {
  for (const char* command : {"test", "verify"}) {
    Outcome outcome = rhopsi({command, folder / "nowhere.mg"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("E0804"), std::string::npos) << outcome.text();
    outcome = rhopsi({command, file, "-m", "Nowhere"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("E0301"), std::string::npos) << outcome.text();
    EXPECT_EQ(rhopsi({command}).exit_code, 1);
  }
  EXPECT_EQ(rhopsi({"test", file, "--values", "0"}).exit_code, 1);
  EXPECT_EQ(rhopsi({"test", file, "--seed", "one"}).exit_code, 1);
}

}  // namespace
}  // namespace rhopsi::exec
