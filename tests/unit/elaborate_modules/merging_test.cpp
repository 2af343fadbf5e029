#include "tests/unit/elaborate_modules/fixture.hpp"

namespace rhopsi::elaborate {
namespace {

TEST_F(Modules, DeclarationsOfOneThingAreOne) {
  accept(
      "signature A = { type T; function f(a: T): T; };\n"
      "signature B = { type T; type U; function f(x: T): T; function f(x: U): T; };\n"
      "signature C = { use A; use B; function f(y: T): T; };\n");
  EXPECT_EQ(types(*theory("C")), (Names{"T", "U"}));
  EXPECT_EQ(signatures(*theory("C")), (Names{"f(T): T", "f(U): T"}));
}

TEST_F(Modules, OverloadsOnTheResultAreDifferent) {
  accept("signature A = { type T; type U; function one(): T; function one(): U; };\n");
  EXPECT_EQ(signatures(*theory("A")), (Names{"one(): T", "one(): U"}));
}

TEST_F(Modules, AbstractAndConcreteGiveConcreteInEitherOrder) {
  accept(
      "implementation A = { type T; require function f(a: T): T; function g(a: T): T; };\n"
      "implementation B = { type T; require function g(b: T): T; function f(b: T): T = g(b); };\n"
      "implementation AB = { use A; use B; };\nimplementation BA = { use B; use A; };\n");
  for (const char* name : {"AB", "BA"}) {
    EXPECT_EQ(body(*theory(name), "f(T): T"), "g(b)");
    EXPECT_FALSE(callable(*theory(name), "f(T): T")->required);
    EXPECT_FALSE(callable(*theory(name), "g(T): T")->required);
  }
}

TEST_F(Modules, EqualBodiesMergeUpToTheNamesOfParameters) {
  accept(
      "implementation A = { type T; function g(a: T, b: T): T; function f(a: T, b: T): T = g(b, "
      "a); };\n"
      "implementation B = { type T; function g(a: T, b: T): T; function f(x: T, y: T): T = g(y, "
      "x); };\n"
      "implementation C = { use A; use B; };\n");
}

TEST_F(Modules, DifferentBodiesConflict) {
  check(
      "implementation A = { type T; function g(a: T, b: T): T; function f(a: T, b: T): T = g(b, "
      "a); };\n"
      "implementation B = { type T; function g(a: T, b: T): T; function f(x: T, y: T): T = g(x, "
      "y); };\n"
      "implementation C = { use A; use B; };\n");
  const auto problem = only("E0318");
  ASSERT_EQ(problem.related.size(), 2u);
  EXPECT_NE(problem.related[0].span.begin, problem.span.begin);
  EXPECT_EQ(marked(problem), "f");
}

TEST_F(Modules, OwnDefinitionAgainstUsedOneConflicts) {
  check(
      "implementation A = { type T; function c(): T; function d(): T; function f(): T = c(); };\n"
      "implementation C = { use A; function f(): T = d(); };\n");
  only("E0318");
}

TEST_F(Modules, ModesMustAgree) {
  check(
      "signature A = { type T; procedure p(obs a: T, upd b: T); };\n"
      "signature B = { use A; procedure p(upd a: T, upd b: T); };\n");
  only("E0319");
}

TEST_F(Modules, DifferingGuardsAreConjoinedOnce) {
  accept(
      "signature A = { type T; predicate p(a: T); predicate q(a: T);\n"
      "  function f(a: T): T guard p(a); };\n"
      "signature B = { use A; function f(b: T): T guard q(b) && p(b); };\n"
      "signature C = { use A; use B; };\n");
  EXPECT_EQ(to_string(store, *callable(*theory("A"), "f(T): T")->guard), "p(a)");
  EXPECT_EQ(to_string(store, *callable(*theory("B"), "f(T): T")->guard), "p(a) && q(a)");
  EXPECT_EQ(to_string(store, *callable(*theory("C"), "f(T): T")->guard), "p(a) && q(a)");
}

TEST_F(Modules, AGuardSurvivesMeetingADefinition) {
  accept(
      "signature A = { type T; predicate p(a: T); function f(a: T): T guard p(a); };\n"
      "implementation B = { use A; function f(b: T): T = b; };\n");
  const term::Callable* f = callable(*theory("B"), "f(T): T");
  EXPECT_EQ(to_string(store, *f->guard), "p(b)");
  EXPECT_EQ(to_string(store, *f->body), "b");
  EXPECT_EQ(free_variables(store, *f->guard), f->parameters);
}

TEST_F(Modules, LiteralsOfTypesAreUnited) {
  accept(
      "signature A = { type T literals integer; };\nsignature B = { type T literals vector; };\n"
      "signature C = { use A; use B; };\n");
  const term::Type type = theory("C")->types.front();
  EXPECT_TRUE(type.integer_literals);
  EXPECT_TRUE(type.vector_literals);
  EXPECT_FALSE(type.real_literals);
}

TEST_F(Modules, EqualAxiomsMergeAndDifferentOnesConflict) {
  check(
      "concept A = { type T; function f(a: T): T; axiom x(a: T) { assert f(a) == a; } };\n"
      "concept Same = { use A; axiom x(b: T) { assert f(b) == b; } };\n"
      "concept Overload = { use A; axiom x() { assert TRUE(); } };\n"
      "concept Other = { use A; axiom x(b: T) { assert f(f(b)) == b; } };\n");
  only("E0321");
  EXPECT_EQ(axioms(*theory("Same")), Names{"x"});
  EXPECT_EQ(axioms(*theory("Overload")), (Names{"x", "x"}));
}

TEST_F(Modules, UnknownTypesAreNamedWithTheNearest) {
  check("signature A = { type Array; function f(a: Arary): Array; predicate p(a: Predicate); };\n");
  const auto problem = only("E0309");
  EXPECT_EQ(marked(problem), "Arary");
  EXPECT_TRUE(contains(problem.message, "did you mean `Array`?")) << problem.message;
}

TEST_F(Modules, SignaturesAreChecked) {
  check(
      "signature A = { type T; function f(a: T, a: T): T; };\n"
      "signature B = { type Predicate...; };\n");
  EXPECT_EQ(codes(), (Names{"E0315", "E0314"})) << messages();
}

}  // namespace
}  // namespace rhopsi::elaborate
