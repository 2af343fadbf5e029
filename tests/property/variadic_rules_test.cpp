// The rules of any number of parameters at 1 to 8 of them, of mixed sorts.
#include <gtest/gtest.h>

#include "tests/exec/process.hpp"
#include "tests/support/evaluate.hpp"
#include "tests/support/specification.hpp"

namespace rhopsi::property {
namespace {

// The sorts of parameters in turn; what an argument of each contributes to an array.
const std::vector<std::string> sorts = {"Array", "Real", "Int", "Array", "Int", "Real"};

struct Signature {
  std::string parameters;  // "x1: Array, x2: Real"
  std::string names;       // "x1, x2"
  std::string sorts;       // "Array, Real"
  std::string sum;         // an array that depends on every parameter that is no integer
  int arrays = 0;
};

// `first` shifts the sorts, so that each stands at each place.
Signature signature(int count, int first) {
  Signature result;
  result.sum = "base";
  for (int i = 0; i < count; ++i) {
    const std::string& sort = sorts[std::size_t(i + first) % sorts.size()];
    const std::string name = "x" + std::to_string(i + 1);
    const std::string comma = i > 0 ? ", " : "";
    result.parameters += comma + name + ": " + sort;
    result.names += comma + name;
    result.sorts += comma + sort;
    if (sort == "Int") continue;
    result.sum = "(" + result.sum + (sort == "Array" ? " * 0.5 + " : " - ") + name + ")";
    result.arrays += sort == "Array" ? 1 : 0;
  }
  return result;
}

// Line breaks and what follows them as single blanks.
std::string one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  return line;
}

class Variadic : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  Variadic() : made(signature(std::get<0>(GetParam()), std::get<1>(GetParam()))) {}

  // A file with these programs; every parameter of `entry` is passed on.
  std::string write(const std::string& programs) {
    return folder.write("v.mg",
                        "package v imports backend.kokkos, arith.equality, moa.dnf, "
                        "moa.indexwise;\n" +
                            programs);
  }
  support::Inputs inputs() const {
    support::Inputs result;
    result.shape = {3, 2};
    for (int i = 1; i <= 8; ++i) {
      const std::string name = "x" + std::to_string(i);
      result.numbers[name] = 0.25 * i;
      result.integers[name] = i;
    }
    return result;
  }

  exec::Folder folder;
  Signature made;
};

// Calls of f become calls of g with the arguments in their places; functions of other
// sorts, other numbers and other results keep their name.
TEST_P(Variadic, FunctionEqualityRenamesCalls) {
  support::Specification specification(
      write("program Base = { use Arrays; use Integers;\n"
            "  function f(" +
            made.parameters +
            "): Real = 1.5;\n"
            "  function f(" +
            made.parameters +
            ", more: Predicate): Int = 2;\n"
            "  function g(" +
            made.parameters +
            "): Real = 2.5;\n"
            "  function entry(" +
            made.parameters +
            "): Real =\n"
            "    f(" +
            made.names + ") * f(" + made.names + ") + g(" + made.names +
            ");\n"
            "  function other(" +
            made.parameters + "): Int = f(" + made.names +
            ", TRUE());\n};\n"
            "program P = rewrite Base with FunctionEquality[f => f, g => g, R => Real] 5;\n"));
  ASSERT_EQ(specification.problems(), "");
  const std::string entry = one_line(specification.callable("P", "entry"));
  EXPECT_NE(entry.find("g(" + made.names + ") * g(" + made.names + ") + g(" + made.names + ")"),
            std::string::npos)
      << entry;
  EXPECT_NE(one_line(specification.callable("P", "other")).find("f(" + made.names + ", TRUE())"),
            std::string::npos);

  EXPECT_EQ(support::reprinting_problem(specification, "P", folder.path()), "");
}

// One element of op at an index, a schedule of all, and the same values from both.
TEST_P(Variadic, ToIxwiseGeneratorMakesElements) {
  support::Specification specification(write(
      "program Base = { use Arrays; use Integers;\n"
      "  function op(base: Array, " +
      made.parameters + "): Array = rotate(" + made.sum +
      ", 1, 1);\n"
      "  function entry(base: Array, " +
      made.parameters + "): Array = op(base, " + made.names +
      ");\n};\n"
      "program P = { use (rewrite (rewrite (implement ToIxwiseGenerator[opIx => opAt, E => Real] "
      "in Base)\n  with ToIxwise 1) with DNFRules[E => Real] 100);\n"
      "  use FlatSchedule[element => opAt, E => Real]; };\n"));
  ASSERT_EQ(specification.problems(), "");
  const std::string element = one_line(specification.callable("P", "opAt"));
  EXPECT_NE(element.find("ix: Index"), std::string::npos) << element;
  EXPECT_NE(element.find("guard inside(ix)"), std::string::npos) << element;
  EXPECT_EQ(element.find("rotate("), std::string::npos) << element;
  EXPECT_NE(
      one_line(specification.callable("P", "entry")).find("schedule(base, " + made.names + ")"),
      std::string::npos);

  const auto base = specification.module("Base");
  const auto program = specification.module("P");
  ASSERT_TRUE(base && program);
  const support::Outputs expected = evaluate(specification, *base, "entry", inputs());
  const support::Outputs outputs = evaluate(specification, *program, "entry", inputs());
  ASSERT_EQ(expected.error + outputs.error, "");
  EXPECT_EQ(support::first_difference(expected, outputs), "");
}

std::string name_of(const testing::TestParamInfo<std::tuple<int, int>>& info) {
  return std::to_string(std::get<0>(info.param)) + "_parameters_from_sort_" +
         std::to_string(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Arities, Variadic,
                         testing::Combine(testing::Range(1, 9), testing::Range(0, 6)), name_of);

// No parameters at all: the call is still a call.
TEST(VariadicRules, NoParameters) {
  const exec::Folder folder;
  support::Specification specification(
      folder.write("v.mg",
                   "package v imports backend.kokkos, arith.equality;\n"
                   "program Base = { use Reals; function f(): Real = 1; function g(): Real = 2;\n"
                   "  function entry(): Real = f() + 0.5; };\n"
                   "program P = rewrite Base with FunctionEquality[R => Real] 5;\n"));
  ASSERT_EQ(specification.problems(), "");
  EXPECT_NE(specification.callable("P", "entry").find("g() + 0.5"), std::string::npos)
      << specification.callable("P", "entry");
}

}  // namespace
}  // namespace rhopsi::property
