#include "tests/unit/elaborate_modules/fixture.hpp"

namespace rhopsi::elaborate {
namespace {

constexpr const char* equality =
    "concept FunctionEquality = { type T...; type R; function f(xs: T...): R;\n"
    "  function g(xs: T...): R; axiom equal(xs: T...) { assert f(xs...) == g(xs...); } };\n";

constexpr const char* indexwise =
    "concept ToIxwiseGenerator = { type T...; type E; type Array; type Index;\n"
    "  predicate inside(ix: Index);\n"
    "  function op(xs: T...): Array; function opIx(xs: T..., ix: Index): E guard inside(ix);\n"
    "  function psi(ix: Index, array: Array): E;\n"
    "  axiom toIxwise(xs: T..., ix: Index) { assert opIx(xs..., ix) == psi(ix, op(xs...)); } };\n";

constexpr const char* schedule =
    "implementation Schedule = external Kokkos schedule { type T...; require type E;\n"
    "  require type Array; require type Index; require function element(xs: T..., ix: Index): E;\n"
    "  function schedule(xs: T...): Array; };\n"
    "implementation Arrays = external Kokkos array { type Array; type E; type Index;\n"
    "  predicate inside(ix: Index); function psi(ix: Index, array: Array): E; };\n";

// "a1: Array, a2: E, a3: Array, ..."
std::string parameters(int count, bool mixed) {
  std::string text;
  for (int i = 1; i <= count; ++i) {
    text += (i > 1 ? ", a" : "a") + std::to_string(i) + (mixed && i % 2 == 0 ? ": E" : ": Array");
  }
  return text;
}
std::string sorts(int count, bool mixed) {
  std::string text;
  for (int i = 1; i <= count; ++i) {
    text += (i > 1 ? ", " : "") + std::string(mixed && i % 2 == 0 ? "E" : "Array");
  }
  return text;
}
std::string names(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) text += (i > 1 ? ", a" : "a") + std::to_string(i);
  return text;
}

class Arity : public Modules, public ::testing::WithParamInterface<std::tuple<int, bool>> {
 protected:
  std::string names_of(const term::Callable& made, int count) const {
    std::string text;
    for (int i = 0; i < count; ++i) {
      text += (i > 0 ? ", " : "") + store[made.parameters[static_cast<std::size_t>(i)]].name;
    }
    return text;
  }
};

// The way of the paper's Listing 6: indexwise, a schedule, its external.
TEST_P(Arity, FromWholeArraysToASchedule) {
  const auto [count, mixed] = GetParam();
  accept(std::string(equality) + indexwise + schedule +
         "implementation More = external C++ lib.more { require type Array; require type E;\n"
         "  function make(" +
         parameters(count, mixed) +
         "): Array; };\n"
         "program P = { use Arrays; use More;\n"
         "  function h(" +
         parameters(count, mixed) + "): Array = make(" + names(count) +
         ");\n"
         "  function top(" +
         parameters(count, mixed) + "): Array = h(" + names(count) +
         "); };\n"
         "program Q = { use (rewrite (implement ToIxwiseGenerator[op => h, opIx => hIx] in P)\n"
         "                with FunctionEquality[f => h, g => schedule, R => Array] 1);\n"
         "  use Schedule[element => hIx]; };\n");
  const auto value = theory("Q");
  const std::string many = sorts(count, mixed);
  const std::string comma = count == 0 ? "" : ", ";
  EXPECT_EQ(body(*value, "top(" + many + "): Array"), "schedule(" + names(count) + ")");
  const term::Callable* made = callable(*value, "schedule(" + many + "): Array");
  const term::Callable* element = callable(*value, "hIx(" + many + comma + "Index): E");
  ASSERT_TRUE(made->external);
  EXPECT_EQ(made->external->original, "schedule");
  EXPECT_EQ(made->external->block->operation("element", true), element->symbol);
  EXPECT_EQ(made->external->block->operation("schedule", false), made->symbol);
  ASSERT_TRUE(element->body);
  ASSERT_TRUE(element->guard);
  EXPECT_EQ(to_string(store, *element->body), "psi(ix, make(" + names_of(*element, count) + "))");
}

INSTANTIATE_TEST_SUITE_P(Variadics, Arity,
                         ::testing::Combine(::testing::Range(0, 9), ::testing::Bool()));

TEST_F(Modules, EveryMatchingOverloadBindsThePack) {
  accept(std::string(equality) +
         "implementation E = external C++ lib.x { type A; type B; function f(a: A): A;\n"
         "  function f(a: A, b: B): A; function f(b: B): B; function g(a: A): A;\n"
         "  function g(a: A, b: B): A; };\n"
         "program P = { use E; function h(a: A, b: B): A = f(f(a), f(b)); };\n"
         "program Q = rewrite P with FunctionEquality[R => A] 4;\n");
  EXPECT_EQ(body(*theory("Q"), "h(A, B): A"), "g(g(a), f(b))");
}

TEST_F(Modules, APackThatBecomesATypeIsHomogeneous) {
  accept(std::string(equality) +
         "concept Same = FunctionEquality[R => A, T => A];\n"
         "implementation E = external C++ lib.x { type A; type B; function f(a: A, c: A): A;\n"
         "  function f(a: A, b: B): A; function g(a: A, c: A): A; };\n"
         "program P = { use E; function h(a: A, b: B): A = f(f(a, b), a); };\n"
         "program Q = rewrite P with Same 4;\n");
  EXPECT_EQ(body(*theory("Q"), "h(A, B): A"), "g(f(a, b), a)");
}

TEST_F(Modules, BodiesCallVariadics) {
  accept(std::string(schedule) +
         "program P = { use Arrays; use Schedule; function element(a: Array, ix: Index): E = "
         "psi(ix, a);\n"
         "  function h(a: Array): Array = schedule(schedule(a)); };\n");
  const auto value = theory("P");
  EXPECT_EQ(body(*value, "h(Array): Array"), "schedule(schedule(a))");
  EXPECT_TRUE(callable(*value, "schedule(Array): Array")->external);
  EXPECT_EQ(value->overloads(store, "schedule").size(), 1u);
}

TEST_F(Modules, DefinedVariadicsAreInstantiated) {
  accept(
      "implementation E = external C++ lib.x { type A; type B; function c(a: A, b: B): A; };\n"
      "implementation V = { use E; type T...; function twice(xs: T...): A = c(xs...);\n"
      "  function again(xs: T...): A = twice(xs...); };\n"
      "program P = { use V; function h(a: A, b: B): A = again(a, b); };\n");
  const auto value = theory("P");
  EXPECT_TRUE(contains(body(*value, "twice(A, B): A"), "c("));
  EXPECT_TRUE(contains(body(*value, "again(A, B): A"), "twice("));
}

TEST_F(Modules, TheTableIsAskedAboutInstances) {
  check(std::string(schedule) +
        "program P = { use Arrays; use Schedule;\n"
        "  function element(" +
        parameters(9, false) +
        ", ix: Index): E = psi(ix, a1);\n"
        "  function h(a: Array): Array = schedule(a, a, a, a, a, a, a, a, a); };\n");
  EXPECT_EQ(codes(), Names{"E0327"}) << messages();
}

TEST_F(Modules, ProceduresMatchWithTheirModes) {
  accept(
      "concept C = { type T...; type A; procedure p(upd a: A, obs xs: T...);\n"
      "  function f(a: A, xs: T...): A; function g(a: A, xs: T...): A;\n"
      "  axiom x(a: A, xs: T...) { assert f(a, xs...) == { var r = g(a, xs...); call p(r, xs...); "
      "value r; }; } };\n"
      "implementation E = external C++ lib.x { type A; type B; procedure p(upd a: A, obs b: B);\n"
      "  function f(a: A, b: B): A; function g(a: A, b: B): A; };\n"
      "program P = { use E; function h(a: A, b: B): A = f(a, b); };\nprogram Q = rewrite P with C "
      "1;\n");
  EXPECT_TRUE(contains(body(*theory("Q"), "h(A, B): A"), "p(r, b)"))
      << body(*theory("Q"), "h(A, B): A");
}

TEST_F(Modules, MisusedPacksAreErrors) {
  check(
      "signature A = { type T...; function f(x: T): T; };\n"
      "signature B = { type T...; type R; function f(x: T..., y: T...): R; };\n"
      "signature C = { type R; function f(x: Nowhere...): R; };\n");
  EXPECT_EQ(codes(), (Names{"E0310", "E0310", "E0329", "E0309"})) << messages();
}

TEST_F(Modules, EndlessInstancesAreAnError) {
  check(
      "implementation V = { type A; type T...; function f(a: A, xs: T...): A = f(a, a, xs...); };\n"
      "implementation P = { use V; function h(a: A): A = f(a); };\n");
  ASSERT_FALSE(codes().empty());
  EXPECT_EQ(codes().front(), "E0337") << messages();
}

}  // namespace
}  // namespace rhopsi::elaborate
