// Statements: modes, definite assignment, scopes, loops.
#include <gtest/gtest.h>

#include "tests/unit/elaborate_bodies/fixture.hpp"

namespace rhopsi::elaborate::test {
namespace {

constexpr std::string_view kProcedures = R"(
  type T; type Int literals integer;
  function g(a: T): T;
  function at(i: Int): T;
  predicate ok(a: T);
  procedure change(upd a: T);
  procedure make(out a: T);
  procedure move(obs a: T, out b: T);
  procedure pair(upd a: T, upd b: T);
  procedure look(obs a: T, obs b: T);
)";

std::string procedure(const std::string& parameters, const std::string& body) {
  term::Store store;
  const Elaborated result =
      elaborate(store, std::string(kProcedures) + "procedure p(" + parameters + ") {" + body + "}");
  return codes(result.diagnostics);
}

TEST(Statements, Modes) {
  EXPECT_EQ(procedure("upd a: T", "a = g(a); call change(a); change(a); skip;"), "");
  EXPECT_EQ(procedure("obs a: T", "a = g(a);"), "E0231");
  EXPECT_EQ(procedure("obs a: T", "change(a);"), "E0231");
  EXPECT_EQ(procedure("upd a: T", "change(g(a));"), "E0230");
  EXPECT_EQ(procedure("upd a: T", "var obs b = a; change(b);"), "E0231");
}

TEST(Statements, Aliases) {
  EXPECT_EQ(procedure("upd a: T, upd b: T", "pair(a, b); look(a, a);"), "");
  EXPECT_EQ(procedure("upd a: T", "pair(a, a);"), "E0233");
  EXPECT_EQ(procedure("upd a: T", "move(a, a);"), "E0233");
  EXPECT_EQ(procedure("upd a: T", "move(g(a), a);"), "");
}

TEST(Statements, OutParametersAreSetOnEveryPath) {
  EXPECT_EQ(procedure("out a: T", "make(a);"), "");
  EXPECT_EQ(procedure("out a: T", "skip;"), "E0235");
  EXPECT_EQ(procedure("out a: T", "change(a);"), "E0234");
  EXPECT_EQ(procedure("obs b: T, out a: T", "if ok(b) then a = b else make(a);"), "");
  EXPECT_EQ(procedure("obs b: T, out a: T", "if ok(b) then a = b else skip;"), "E0235");
  EXPECT_EQ(procedure("obs b: T, out a: T", "for i in 0 .. 3 { a = b; };"), "E0235");
  EXPECT_EQ(procedure("obs b: T, out a: T", "while ok(b) bound 3 { a = b; };"), "E0235");
}

TEST(Statements, VariablesHaveAValueBeforeUse) {
  EXPECT_EQ(procedure("upd a: T", "var b: T; b = a; a = b;"), "");
  EXPECT_EQ(procedure("upd a: T", "var b: T; a = b;"), "E0234");
  // Said once for a variable.
  EXPECT_EQ(procedure("upd a: T", "var b: T; a = b; a = g(b);"), "E0234");
  EXPECT_EQ(procedure("upd a: T", "var b: T; make(b); a = b;"), "");
  EXPECT_EQ(procedure("upd a: T", "var b: T; { b = a; }; a = b;"), "");
  EXPECT_EQ(procedure("upd a: T", "var b: T; if ok(a) then { b = a; } else { b = g(a); }; a = b;"),
            "");
}

TEST(Statements, Names) {
  EXPECT_EQ(procedure("upd a: T", "var a = a;"), "E0205");
  EXPECT_EQ(procedure("upd a: T", "var b = a; { var b = a; };"), "E0205");
  EXPECT_EQ(procedure("upd a: T", "{ var b = a; }; { var b = a; }; var b = a;"), "");
  EXPECT_EQ(procedure("upd a: T", "a = b; var b = a;"), "E0204");
  EXPECT_EQ(procedure("upd a: T", "b = a;"), "E0201");
  EXPECT_EQ(procedure("upd a: T", "var b: U = a; a = b;"), "E0203");
  EXPECT_EQ(procedure("upd a: T", "var b = c; a = b; a = d;"), "E0201 E0201");
}

TEST(Statements, ValueBlocksLeaveTheOutsideAlone) {
  EXPECT_EQ(procedure("upd a: T", "a = { var b = a; change(b); value b; };"), "");
  EXPECT_EQ(procedure("upd a: T", "a = { change(a); value a; };"), "E0232");
  EXPECT_EQ(procedure("upd a: T", "var b = a; a = { b = a; value b; };"), "E0232");
}

TEST(Statements, Misplaced) {
  EXPECT_EQ(procedure("upd a: T", "value a;"), "E0242");
  EXPECT_EQ(procedure("upd a: T", "call g(a);"), "E0219");
  EXPECT_EQ(procedure("upd a: T", "call nothing(a);"), "E0202");
  EXPECT_EQ(procedure("upd a: T", "var b;"), "E0245");
  EXPECT_EQ(procedure("upd a: T", "var obs b: T;"), "E0246");
  EXPECT_EQ(procedure("upd a: T", "if ok(a) then var b = a else skip;"), "E0244");
}

// As in Magnolia; each is a warning, and does nothing.
TEST(Statements, ValuesMayBeLeftUnused) {
  EXPECT_EQ(procedure("upd a: T", "a;"), "E0243");
  EXPECT_EQ(procedure("upd a: T", "g(a); a == a; a: T; { var b = a; value b; };"),
            "E0243 E0243 E0243 E0243");
  EXPECT_EQ(procedure("upd a: T", "if ok(a) then g(a) else { value a; };"), "E0243");
  EXPECT_EQ(procedure("upd a: T", "var b: T; b; b = a;"), "E0243");
  EXPECT_EQ(procedure("upd a: T", "if ok(a) then g(a) else skip;"), "E0214");
  EXPECT_EQ(procedure("upd a: T", "if ok(a) then g(a) else ok(a);"), "E0214");
  EXPECT_EQ(procedure("upd a: T", "{ a = a; value a; };"), "E0232");
  EXPECT_EQ(procedure("upd a: T", "a: U;"), "E0203");
}

TEST(Statements, Loops) {
  EXPECT_EQ(procedure("upd a: T, obs n: Int", "for i in 0 .. n { a = at(i); };"), "");
  EXPECT_EQ(procedure("upd a: T, obs n: Int", "for i in 0 .. n { i = n; };"), "E0231");
  EXPECT_EQ(procedure("upd a: T, obs n: Int", "for n in 0 .. 3 { skip; };"), "E0205");
  EXPECT_EQ(procedure("upd a: T, obs n: Int", "for i in 0 .. n { skip; }; a = at(i);"), "E0201");
  EXPECT_EQ(procedure("upd a: T", "for i in a .. a { skip; };"), "E0217");
  EXPECT_EQ(procedure("upd a: T, obs n: Int", "iterate n change(a); iterate 4 call change(a);"),
            "");
  EXPECT_EQ(procedure("upd a: T", "iterate a change(a);"), "E0217");
  EXPECT_EQ(procedure("upd a: T", "while ok(a) bound 10 { change(a); };"), "");
  EXPECT_EQ(procedure("upd a: T", "while a bound 10 { change(a); };"), "E0213");
}

TEST(Statements, LoopTerms) {
  term::Store store;
  const Elaborated result =
      elaborate(store, std::string(kProcedures) +
                           "procedure p(upd a: T, obs n: Int) { for i in 0 .. n { a = at(i); }; }");
  ASSERT_EQ(messages(result.diagnostics), "");
  const term::TermId body = *find(store, result.theory, "p")->body;
  ASSERT_TRUE(store.is(body, term::Control::block));
  const term::TermId loop = store.children(body)[0];
  ASSERT_TRUE(store.is(loop, term::Control::for_));
  ASSERT_EQ(store.bound(loop).size(), 1u);
  EXPECT_FALSE(store[store.bound(loop)[0]].assignable);
  EXPECT_EQ(store.sort(loop), store.statement_sort());
}

TEST(Statements, BlocksBindWhatTheyDeclare) {
  term::Store store;
  const Elaborated result = elaborate(
      store, std::string(kProcedures) + "function f(a: T): T { var b = a; change(b); value b; }");
  ASSERT_EQ(messages(result.diagnostics), "");
  const term::TermId body = *find(store, result.theory, "f")->body;
  ASSERT_TRUE(store.is(body, term::Control::block));
  EXPECT_EQ(store.sort(body), store.sort("T"));
  EXPECT_EQ(store.bound(body).size(), 1u);
  EXPECT_TRUE(store.is(store.children(body)[2], term::Control::value));
}

TEST(Statements, Axioms) {
  term::Store store;
  const Elaborated result = elaborate(store, std::string(kProcedures) + R"(
    axiom one(a: T) { var b = g(a); assert g(b) == b; }
    axiom two(a: T) = g(a) == a;
    axiom three(a: T) { assert ok(a) => g(a) == a; }
    axiom four(a: T) { assert g(a) == { var r = g(a); call change(r); value r; }; }
  )");
  ASSERT_EQ(messages(result.diagnostics), "");
  for (const term::Axiom& axiom : result.theory.axioms) {
    EXPECT_TRUE(store.is(axiom.body, term::Control::block)) << axiom.name;
    EXPECT_EQ(store.sort(axiom.body), store.statement_sort()) << axiom.name;
  }
}

TEST(Statements, SeveralErrorsInOneBody) {
  EXPECT_EQ(procedure("obs a: T", "a = b; change(a); skip; value a;"), "E0231 E0201 E0231 E0242");
}

}  // namespace
}  // namespace rhopsi::elaborate::test
