#include "tests/unit/elaborate_modules/fixture.hpp"

namespace rhopsi::elaborate {
namespace {

constexpr const char* modules =
    "concept Semigroup = { type T; function bop(a: T, b: T): T;\n"
    "  axiom associative(a: T, b: T, c: T) { assert bop(bop(a, b), c) == bop(a, bop(b, c)); } };\n"
    "implementation Matrices = external C++ lib.m { type M; predicate fits(a: M, b: M);\n"
    "  function _*_(a: M, b: M): M guard fits(a, b); };\n";

TEST_F(Modules, AModelDeclaresWhatItsSpecificationAsksFor) {
  accept(std::string(modules) +
         "satisfaction Holds = Matrices models Semigroup[T => M, bop => _*_];\n"
         "satisfaction Roughly = Matrices approximates Semigroup[T => M, bop => _*_];\n"
         "satisfaction With = Matrices with { type N; } models { type M; type N; };\n");
  ASSERT_EQ(workspace->satisfactions().size(), 3u);
  EXPECT_EQ(workspace->satisfactions()[0].name, "p.Holds");
  for (const auto& each : workspace->satisfactions()) EXPECT_TRUE(each.holds_by_signature);
}

TEST_F(Modules, WhatIsMissingIsNamed) {
  check(std::string(modules) + "satisfaction Fails = Matrices models Semigroup[bop => _*_];\n");
  ASSERT_EQ(codes(), (Names{"E0335", "E0336"})) << messages();
  EXPECT_TRUE(contains(messages(), "no type `T`")) << messages();
  EXPECT_TRUE(contains(messages(), "it has `_*_(M, M): M`")) << messages();
  ASSERT_EQ(workspace->satisfactions().size(), 1u);
  EXPECT_FALSE(workspace->satisfactions()[0].holds_by_signature);
}

TEST_F(Modules, UnknownNamesInSatisfactionsAreErrors) {
  check(std::string(modules) + "satisfaction Lost = Matrixes models Nothing;\n");
  EXPECT_EQ(codes(), (Names{"E0301", "E0301"})) << messages();
  EXPECT_TRUE(workspace->satisfactions().empty());
}

TEST_F(Modules, CheckingAgainReplacesResults) {
  accept(std::string(modules) + "satisfaction S = Matrices models { type M; };\n");
  workspace->check("p", diagnostics);
  EXPECT_EQ(workspace->satisfactions().size(), 1u);
}

}  // namespace
}  // namespace rhopsi::elaborate
