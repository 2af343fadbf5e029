#include "tests/unit/elaborate_modules/fixture.hpp"

namespace rhopsi::elaborate {
namespace {

TEST_F(Modules, SignatureDropsAxiomsBodiesAndExternals) {
  accept(
      "implementation E = external C++ lib.e { type T; function c(): T; };\n"
      "implementation I = { use E; function f(): T = c(); };\n"
      "concept C = { use I; axiom x() { assert f() == c(); } };\n"
      "signature S = { use signature(I); use signature(C); };\n");
  const auto value = theory("S");
  EXPECT_TRUE(value->axioms.empty());
  EXPECT_FALSE(value->types[0].external);
  for (const term::Callable& each : value->callables) EXPECT_FALSE(each.concrete());
  EXPECT_EQ(value->callables.size(), 2u);
}

TEST_F(Modules, AConceptKeepsExternalsButNoBodies) {
  accept(
      "implementation E = external C++ lib.e { type T; function c(): T; };\n"
      "implementation I = { use E; function f(): T = c(); };\nconcept C = { use I; };\n");
  EXPECT_FALSE(callable(*theory("C"), "f(): T")->concrete());
  EXPECT_TRUE(callable(*theory("C"), "c(): T")->external);
}

TEST_F(Modules, AxiomsLiveInConceptsOnly) {
  accept(
      "concept C = { type T; function c(): T; axiom x() { assert c() == c(); } };\n"
      "concept D = { use C; };\nimplementation I = { use C; };\nsignature S = C;\n");
  EXPECT_EQ(theory("D")->axioms.size(), 1u);
  EXPECT_EQ(theory("I")->axioms.size(), 0u);
  EXPECT_EQ(theory("S")->axioms.size(), 0u);
}

TEST_F(Modules, RequireAsksForDeclarationsOnly) {
  accept(
      "implementation E = external C++ lib.e { type T; function c(): T; };\n"
      "implementation I = { require E; require type U; function f(): T = c(); };\n");
  const auto value = theory("I");
  EXPECT_FALSE(callable(*value, "c(): T")->concrete());
  EXPECT_TRUE(callable(*value, "c(): T")->required);
  for (const term::Type& type : value->types) EXPECT_TRUE(type.required);
}

TEST_F(Modules, BodiesAndAxiomsStandWhereTheyMay) {
  check(
      "signature S = { type T; function c(): T; function f(): T = c(); };\n"
      "concept C = { type T; function c(): T; function f(): T = c(); };\n"
      "implementation I = { type T; axiom x(a: T) { assert a == a; } };\n"
      "concept D = { type T; axiom x(a: T); };\n");
  EXPECT_EQ(codes(), (Names{"E0311", "E0311", "E0312", "E0313"})) << messages();
}

TEST_F(Modules, AProgramIsConcrete) {
  check(
      "implementation E = external C++ lib.e { type T; require type U; function c(): T;\n"
      "  require function d(u: U): T; };\n"
      "program P = { use E; function f(): T = c(); function g(): T; };\n");
  ASSERT_EQ(codes(), (Names{"E0322", "E0323", "E0323"})) << messages();
  EXPECT_EQ(marked(diagnostics.all()[0]), "U");
  EXPECT_EQ(marked(diagnostics.all()[1]), "d");
  EXPECT_EQ(marked(diagnostics.all()[2]), "g");
}

TEST_F(Modules, WhatOnePlaceDeclaresTwiceIsReportedTogether) {
  check(
      "signature S = { type T; function f(): T; };\n"
      "implementation E = external C++ lib.e { type T; };\n"
      "program P = { use E; use S[f => g]; use S[f => h]; };\n");
  const auto problem = only("E0323");
  EXPECT_TRUE(contains(problem.message, "`g(): T` and `h(): T`")) << problem.message;
}

TEST_F(Modules, OrderOfDeclarationsDoesNotMatter) {
  accept(
      "program P = { function g(): T = f(); use E; function f(): T = c(); };\n"
      "implementation E = external C++ lib.e { function c(): T; type T; };\n");
  EXPECT_EQ(body(*theory("P"), "g(): T"), "f()");
}

TEST_F(Modules, CallablesKnowWhereTheyComeFrom) {
  accept("signature S = { type T;\n  function f(): T; };\nsignature R = { use S; };\n");
  const term::Callable* f = callable(*theory("R"), "f(): T");
  EXPECT_EQ(f->origin, "S");
  EXPECT_EQ(store[f->location].line, 3u);
  EXPECT_EQ(store[f->location].file, path("p.mg"));
}

}  // namespace
}  // namespace rhopsi::elaborate
