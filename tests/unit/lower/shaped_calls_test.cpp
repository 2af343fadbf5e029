// Procedures and functions that become part of their caller, and what the verifier says of the
// usual programs.
#include "tests/unit/lower/shaped_fixture.hpp"

namespace rhopsi {
namespace {

class ShapedCalls : public Shaped {};

TEST_F(ShapedCalls, WhatAProcedureChangesComesBack) {
  ASSERT_TRUE(
      load("  procedure grow(upd a: Array, out first: Number, upd m: Int) {\n"
           "    a = cat(a, a, 0); first = psi([0], a); m = m + 1;\n"
           "  };\n"
           "  procedure p(upd u: Array, upd n: Int, out x: Number)\n"
           "    guard dim(u) == 1 && 0 < at(shape(u), 0) {\n"
           "    call grow(u, x, n);\n"
           "  }\n"));
  const std::string text = form("p");
  EXPECT_EQ(messages(), "");
  EXPECT_TRUE(says(text, "allocate a: float64 [n0]")) << text;
  EXPECT_TRUE(says(text, "  u = share a\n")) << text;
  EXPECT_TRUE(says(text, "  m = add(m, 1)  # unit.mg:6\n")) << text;
  EXPECT_TRUE(says(text, "  n = m  # unit.mg:10\n")) << text;
  EXPECT_TRUE(says(text, "  first = a[0]  # unit.mg:6\n")) << text;
  EXPECT_TRUE(says(text, "  x = first  # unit.mg:10\n")) << text;
}

TEST_F(ShapedCalls, NumbersChangePlaces) {
  ASSERT_TRUE(
      load("  procedure exchange(upd a: Int, upd b: Int) { var t = a; a = b; b = t; };\n"
           "  procedure p(obs u: Array, upd n: Int, upd m: Int) guard dim(u) == 1 {\n"
           "    call exchange(n, m);\n"
           "  }\n"));
  const std::string text = form("p");
  // What is given back is read from the parameters, which are others than the caller's variables.
  EXPECT_LT(text.find("n = a"), text.find("m = b")) << text;
  EXPECT_NE(text.find("m = b"), std::string::npos) << text;
}

TEST_F(ShapedCalls, IndexVectorsComeOut) {
  ASSERT_TRUE(
      load("  procedure turned(obs a: Array, out s: Index) {\n"
           "    if 3 < at(shape(a), 0) then { s = [at(shape(a), 1), at(shape(a), 0)]; }\n"
           "    else { s = shape(a); };\n"
           "  };\n"
           "  procedure p(upd u: Array) guard dim(u) == 2 {\n"
           "    var s: Index = [0, 0];\n"
           "    call turned(u, s);\n"
           "    u = reshape(u, s);\n"
           "  }\n"));
  const std::string text = form("p");
  EXPECT_FALSE(says(text, "E05")) << text;
  // Both branches set what is declared before them.
  EXPECT_LT(text.find("var s6: int64"), text.find("if less(3,")) << text;
  EXPECT_EQ(count(text, "    s6 = "), 2U) << text;
}

TEST_F(ShapedCalls, Recursion) {
  EXPECT_EQ(form_of("  procedure p(upd u: Array) guard dim(u) == 1 { call p(u); }\n"),
            "unit.mg:5: E0508: p calls itself\n");
  EXPECT_EQ(form_of("  procedure q(upd u: Array) { call r(u); };\n"
                    "  procedure r(upd u: Array) { call q(u); };\n"
                    "  procedure p(upd u: Array) guard dim(u) == 1 { call q(u); }\n"),
            "unit.mg:6: E0508: q calls itself\n");
  EXPECT_EQ(form_of("  function f(u: Array): Array = {\n"
                    "    var t = u; for k in 0 .. 2 { t = f(t); }; value t;\n"
                    "  };\n"
                    "  procedure p(upd u: Array) guard dim(u) == 1 { u = f(u); }\n"),
            "unit.mg:6: E0508: f calls itself\n");
}

const char* const with_loops =
    "  function thrice(a: Array): Array = {\n"
    "    var t = a;\n"
    "    for k in 0 .. 2 { t = t + a; };\n"
    "    value t;\n"
    "  };\n"
    "  function by_name(a: Array): Array = { var t = thrice(a); value t + t; };\n"
    "  function by_value(a: Array): Array = thrice(a) + a;\n"
    "  function length_of(a: Array): Int = {\n"
    "    var n: Int = 0;\n"
    "    for k in 0 .. at(shape(a), 0) { n = n + 1; };\n"
    "    value n;\n"
    "  };\n";

TEST_F(ShapedCalls, FunctionsWithStatementsInside) {
  const std::string guarded = "  procedure p(upd u: Array) guard dim(u) == 1 ";
  for (const std::string body :
       {"{ u = thrice(u); }", "{ u = 2 * thrice(u); }", "{ u = by_name(u); }",
        "{ u = by_value(u); }", "{ u = { var t = thrice(u); value t + u; }; }",
        "{ u = { var t = u; for k in 0 .. 2 { t = t + u; }; value t; }; }",
        "{ for j in 0 .. 2 { u = by_value(u); }; }"}) {
    const std::string text = form_of(with_loops + guarded + body + "\n");
    EXPECT_EQ(messages(), "") << body;
    EXPECT_GT(count(text, "for k in 0 .. 2") + count(text, "for k2 in 0 .. 2"), 0U) << body << text;
  }
  const std::string text = form_of(with_loops + guarded + "{ u = take(u, 0, length_of(u)); }\n");
  EXPECT_TRUE(says(text, "for k in 0 .. length(u, 0)")) << text;
}

TEST_F(ShapedCalls, TheGuardOfWhatIsCalledIsTested) {
  ASSERT_TRUE(
      load("  function f(a: Array, n: Int): Array guard 2 < n = {\n"
           "    var t = a; for k in 0 .. n { t = t + a; }; value t;\n"
           "  };\n"
           "  procedure p(upd u: Array, obs n: Int) guard dim(u) == 1 { u = f(u, n); };\n"
           "  procedure q(upd u: Array) guard dim(u) == 1 { u = f(u, 2); }\n"));
  const std::string text = form("p");
  EXPECT_TRUE(says(text, "  check less(2, n) \"f needs `2 < n`: 2 and n (unit.mg:8)\"")) << text;
  EXPECT_EQ(form("q"), "unit.mg:9: E0608: f needs `2 < n`: 2 and 2\n");
}

TEST_F(ShapedCalls, TheVerifierHasNothingToSayOfTheUsual) {
  ASSERT_TRUE(
      load("  procedure heat1(upd u: Array, obs k: Number) guard dim(u) == 1 {\n"
           "    u = u + array(k) * (rotate(u, 0, 1) + rotate(u, 0, -1) - 2 * u);\n"
           "  };\n"
           "  procedure heat2(upd u: Array, obs k: Number) guard dim(u) == 2 {\n"
           "    u = u + array(k) * (rotate(u, 0, 1) + rotate(u, 0, -1) + rotate(u, 1, 1) +\n"
           "        rotate(u, 1, -1) - 4 * u);\n"
           "  };\n"
           "  procedure heat3(upd u: Array, obs n: Int) guard dim(u) == 3 {\n"
           "    for k in 0 .. n {\n"
           "      u = u + 0.1 * (rotate(u, 0, 1) + rotate(u, 0, -1) + rotate(u, 1, 1) +\n"
           "          rotate(u, 1, -1) + rotate(u, 2, 1) + rotate(u, 2, -1) - 6 * u);\n"
           "    };\n"
           "  };\n"
           "  procedure pads(upd u: Array) guard dim(u) == 2 {\n"
           "    u = pad_constant(u, 0, 1, 2, 0.0); u = pad_edge(u, 1, 1, 1);\n"
           "    u = pad_circular(u, 0, 1, 1); u = pad_reflect(u, 1, 1, 1);\n"
           "  };\n"
           "  procedure cats(upd u: Array, obs v: Array) guard dim(u) == 2 && dim(v) == 2 {\n"
           "    u = cat(cat(u, v, 0), v, 0); u = cat(u, transpose(u), 0);\n"
           "  };\n"
           "  procedure takes(upd u: Array, obs n: Int) guard dim(u) == 1 && 0 <= n {\n"
           "    u = cat(drop(u, 0, n), take(u, 0, n), 0); u = take(u, 0, -1);\n"
           "  };\n"
           "  procedure grow(upd u: Array, obs n: Int) guard dim(u) == 1 {\n"
           "    for k in 0 .. n { u = cat(u, reverse(u, 0), 0); };\n"
           "  };\n"
           "  procedure inner(upd u: Array, obs v: Array) guard dim(u) == 2 && dim(v) == 2 {\n"
           "    u = matmul(u, v); u = u + matmul(u, transpose(u));\n"
           "  }\n"));
  const auto module = shaped();
  ASSERT_TRUE(module) << messages();
  EXPECT_EQ(module->functions.size(), 8U);
  EXPECT_EQ(messages(), "");
}

// Bodies that array operations get from their axioms are printed, and read back.
TEST_F(ShapedCalls, ImplementedOperationsArePrinted) {
  ASSERT_TRUE(load("  procedure p(upd u: Array) guard dim(u) == 1 { u = reverse(u, 0); }\n"));
  support::Specification specification((folder / "unit.mg").string());
  const std::string text = specification.printed("P", "printed");
  EXPECT_TRUE(says(joined(text), joined("function ravel(A: Array): Array = forall (p < [size(A)]) "
                                        "psi(gamma_inverse(at(p, 0), shape(A)), A);")))
      << text.substr(text.find("function ravel"), 300);
  EXPECT_EQ(support::reprinting_problem(specification, "P", folder.string()), "");
}

}  // namespace
}  // namespace rhopsi
