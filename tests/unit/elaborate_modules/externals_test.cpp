#include "tests/unit/elaborate_modules/fixture.hpp"

namespace rhopsi::elaborate {
namespace {

TEST_F(Modules, ExternalsRememberTheOriginalNamesThroughRenaming) {
  accept(
      "signature Api = { type E; function plus(a: E, b: E): E; };\n"
      "implementation I = external Kokkos scalar Api[plus => _+_];\n"
      "implementation R = I[E => Float, _+_ => add];\n");
  const auto value = theory("R");
  const term::Callable* add = callable(*value, "add(Float, Float): Float");
  ASSERT_TRUE(add->external);
  EXPECT_EQ(add->external->original, "_+_");  // the block inside renames before binding
  EXPECT_EQ(value->types[0].external->original, "E");
  const term::ExternalBlock& block = *add->external->block;
  EXPECT_EQ(block.backend, "Kokkos");
  EXPECT_EQ(block.path, "scalar");
  EXPECT_EQ(block.operation("_+_", false), add->symbol);
  EXPECT_EQ(block.type("E"), value->types[0].sort);
  // The module that was renamed keeps its own block.
  const auto original = theory("I");
  EXPECT_EQ(original->callables[0].external->block->operation("_+_", false),
            original->callables[0].symbol);
}

TEST_F(Modules, WhatABlockRequiresIsNotBound) {
  accept(
      "signature Need = { type N; };\n"
      "implementation I = external C++ lib.x {\n"
      "  require Need; require type E; require function f(a: E): E; type T; function g(a: E): T; "
      "};\n");
  const auto value = theory("I");
  const term::ExternalBlock& block = *callable(*value, "g(E): T")->external->block;
  EXPECT_FALSE(callable(*value, "f(E): E")->external);
  EXPECT_EQ(block.operation("f", true), callable(*value, "f(E): E")->symbol);
  EXPECT_EQ(block.operation("f", false), std::nullopt);
  int required = 0;
  for (const auto& type : block.types) required += type.required ? 1 : 0;
  EXPECT_EQ(required, 2);
}

TEST_F(Modules, OneExternalMayArriveByTwoWays) {
  accept(
      "implementation A = external C++ lib.x { type T; function f(): T; };\n"
      "implementation B = external C++ lib.x { type T; function f(): T; function g(): T; };\n"
      "program P = { use A; use B; };\n");
}

TEST_F(Modules, TwoExternalsForOneThingConflict) {
  check(
      "implementation A = external C++ lib.x { type T; };\n"
      "implementation B = external C++ lib.y { type T; };\nimplementation C = { use A; use B; };\n"
      "implementation D = external C++ lib.x { require type U; function f(): U; };\n"
      "implementation E = external C++ lib.y { require type U; function f(): U; };\n"
      "implementation F = { use D; use E; };\n");
  EXPECT_EQ(codes(), (Names{"E0320", "E0318"})) << messages();
}

TEST_F(Modules, BackendsAndPathsAreKnown) {
  check(
      "implementation A = external Kokos scalar { type T; };\n"
      "implementation B = external Kokkos scalars { type T; };\n"
      "implementation C = external C++ any.path.at.all { type T; };\n"
      "implementation D = external CUDA[32, {}] lib.d { type T; };\n"
      "implementation E = external Python lib.e { type T; };\n");
  ASSERT_GE(codes().size(), 2u) << messages();
  EXPECT_TRUE(contains(messages(), "did you mean `scalar`?")) << messages();
  EXPECT_TRUE(contains(messages(), "`array`, `scalar` and `schedule`")) << messages();
}

TEST_F(Modules, WhatTheTableRefusesIsReportedAtTheDeclaration) {
  check(
      "implementation A = external Kokkos scalar {\n"
      "  type Unbindable; type T; function unbindable(): T; function fine(): T; };\n");
  ASSERT_EQ(codes(), (Names{"E0326", "E0327"})) << messages();
  EXPECT_EQ(marked(diagnostics.all()[0]), "Unbindable");
  EXPECT_EQ(marked(diagnostics.all()[1]), "unbindable");
}

TEST_F(Modules, ExternalBlocksDefineNothing) {
  check(
      "implementation A = external C++ lib.x { type T; function c(): T; function f(): T = c(); "
      "};\n");
  EXPECT_EQ(marked(only("E0328")), "f");
}

TEST_F(Modules, TheInterpretationOfATheory) {
  accept(
      "implementation E = external Kokkos scalar { type Int literals integer;\n"
      "  function _+_(a: Int, b: Int): Int; predicate _<=_(a: Int, b: Int); };\n"
      "implementation I = { use E; function two(): Int = 1 + 1; function f(a: Int): Int = a;\n"
      "  function endless(): Int = endless() + 1; predicate p(a: Int) = a <= two(); };\n");
  const auto value = theory("I");
  const term::Interpretation meaning = interpretation_of(store, *value, table);
  EXPECT_EQ(meaning.arithmetic(callable(*value, "_+_(Int, Int): Int")->symbol),
            term::Arithmetic::add);
  EXPECT_EQ(meaning.arithmetic(callable(*value, "f(Int): Int")->symbol), term::Arithmetic::none);
  EXPECT_EQ(meaning.arithmetic(builtin_symbol(store, term::Builtin::and_, store.predicate_sort())),
            term::Arithmetic::and_);
  EXPECT_EQ(meaning.arithmetic(builtin_symbol(store, term::Builtin::not_equal, store.sort("Int"))),
            term::Arithmetic::not_equal);
  EXPECT_TRUE(meaning.definition(callable(*value, "two(): Int")->symbol).has_value());
  EXPECT_FALSE(meaning.definition(callable(*value, "endless(): Int")->symbol).has_value());
  EXPECT_FALSE(meaning.definition(callable(*value, "f(Int): Int")->symbol).has_value());
}

}  // namespace
}  // namespace rhopsi::elaborate
