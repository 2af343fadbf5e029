#include "tests/unit/elaborate_modules/fixture.hpp"

namespace rhopsi::elaborate {
namespace {

constexpr const char* magma =
    "concept Magma = { type T; function bop(a: T, b: T): T;\n"
    "  axiom swap(a: T, b: T) { assert bop(a, b) == bop(b, a); } };\n";

TEST_F(Modules, RenamingReachesTypesOperationsAxiomsAndTheirBodies) {
  accept(std::string(magma) + "concept M = Magma[T => Int, bop => _+_, swap => commutes];\n");
  const auto value = theory("M");
  EXPECT_EQ(types(*value), Names{"Int"});
  EXPECT_EQ(signatures(*value), Names{"_+_(Int, Int): Int"});
  ASSERT_EQ(axioms(*value), Names{"commutes"});
  EXPECT_TRUE(contains(to_string(store, value->axioms[0].body), "a + b == b + a"))
      << to_string(store, value->axioms[0].body);
}

TEST_F(Modules, ARenamedTheoryHasParametersOfItsOwn) {
  accept(std::string(magma) + "concept M = Magma[bop => op];\n");
  EXPECT_NE(theory("M")->axioms[0].parameters, theory("Magma")->axioms[0].parameters);
  EXPECT_EQ(free_variables(store, theory("M")->axioms[0].body), theory("M")->axioms[0].parameters);
}

TEST_F(Modules, PairsOfABlockApplyAtOnceAndBlocksCompose) {
  accept(
      "signature S = { type A; type B; function f(a: A): B; };\n"
      "signature Swapped = S[A => B, B => A];\nsignature Twice = S[A => B, B => A][A => C];\n");
  EXPECT_EQ(signatures(*theory("Swapped")), Names{"f(B): A"});
  EXPECT_EQ(signatures(*theory("Twice")), Names{"f(B): C"});
}

TEST_F(Modules, ParametersAndLocalsKeepTheirNames) {
  accept(
      "implementation S = { type T; function a(x: T): T;\n"
      "  function f(a: T): T = { var b = a(a); value b; }; };\n"
      "implementation R = S[a => c];\n");
  EXPECT_TRUE(contains(body(*theory("R"), "f(T): T"), "c(a)")) << body(*theory("R"), "f(T): T");
}

TEST_F(Modules, ATotalBlockNamesOnlyWhatThereIs) {
  check(std::string(magma) + "concept M = Magma[\n  T => Int, bpo => _+_];\n");
  const auto problem = only("E0306");
  EXPECT_EQ(marked(problem), "bpo");
  EXPECT_TRUE(contains(problem.message, "did you mean `bop`?")) << problem.message;
}

TEST_F(Modules, APartialBlockNamesWhatItLikes) {
  accept(std::string(magma) + "concept M = Magma[[T => Int, nothing => something]];\n");
  EXPECT_EQ(types(*theory("M")), Names{"Int"});
}

TEST_F(Modules, ANameIsRenamedOnce) {
  check(std::string(magma) + "concept M = Magma[T => A, T => B];\n");
  only("E0307");
}

TEST_F(Modules, NamedRenamingsExpand) {
  accept(std::string(magma) +
         "renaming Plus = [bop => _+_, Ints];\nrenaming Ints = [T => Int];\n"
         "concept M = Magma[Plus, swap => commutes];\n");
  EXPECT_EQ(signatures(*theory("M")), Names{"_+_(Int, Int): Int"});
}

TEST_F(Modules, NamedRenamingsAreChecked) {
  check(std::string(magma) +
        "renaming Wrong = [absent => x];\nrenaming Loop = [Loop2];\nrenaming Loop2 = [Loop];\n"
        "renaming Lost = [Nowhere];\nconcept M = Magma[Wrong];\nconcept N = Magma[Magma];\n");
  EXPECT_EQ(codes(), (Names{"E0308", "E0308", "E0301", "E0306", "E0305"})) << messages();
  EXPECT_EQ(marked(diagnostics.all()[3]), "Wrong");
}

TEST_F(Modules, RenamingMayMergeDeclarations) {
  accept(
      "implementation S = { type T; type U; function c(a: T): T; function f(a: T): T = c(a);\n"
      "  function g(a: U): U; };\n"
      "implementation R = S[U => T, g => f];\n");
  EXPECT_EQ(signatures(*theory("R")), (Names{"c(T): T", "f(T): T"}));
  EXPECT_EQ(body(*theory("R"), "f(T): T"), "c(a)");
}

TEST_F(Modules, RenamingMayBringAConflict) {
  check(
      "implementation S = { type T; function c(): T; function d(): T;\n"
      "  function f(): T = c(); function g(): T = d(); };\n"
      "implementation R = S[g => f];\n");
  only("E0318");
}

TEST_F(Modules, BuiltinPredicatesKeepTheirNames) {
  accept(
      "concept S = { type T; function f(a: T): T; predicate p(a: T);\n"
      "  axiom x(a: T) guard p(a) && !p(f(a)) { assert p(a) => f(a) == a; } };\n"
      "concept R = S[T => U, p => q];\n");
  EXPECT_EQ(to_string(store, *theory("R")->axioms[0].guard), "q(a) && !q(f(a))");
}

TEST_F(Modules, BoundVariablesAndFoldsAreRenamed) {
  accept(
      "implementation S = { type E; type Int literals integer; function add(a: E, b: E): E;\n"
      "  function at(k: Int): E; function sum(n: Int): E = fold add (k < n) at(k); };\n"
      "implementation R = S[Int => Nat, add => _+_];\n");
  EXPECT_TRUE(contains(body(*theory("R"), "sum(Nat): E"), "_+_"))
      << body(*theory("R"), "sum(Nat): E");
}

}  // namespace
}  // namespace rhopsi::elaborate
