// Rules about statements in a row: `assert { s; t; } == { u; }`.
#include "engine/rewrite/derivation.hpp"
#include "frontend/elaborate/raise.hpp"
#include "frontend/syntax/print.hpp"
#include "tests/unit/elaborate_modules/fixture.hpp"

namespace rhopsi::elaborate {
namespace {

constexpr const char* two_procedures =
    "implementation Ext = external C++ lib.x { type T; function f(x: T): T; function g(x: T): T;\n"
    "  predicate p(x: T); procedure one(upd x: T); procedure two(upd x: T);\n"
    "  procedure put(obs x: T, out y: T); };\n";

struct Sequences : Modules {
  // The body of `r` after `axiom`'s rules were applied.
  std::string rewritten(const std::string& axiom, const std::string& statements,
                        const std::string& how = "9") {
    restart({});
    accept(std::string(two_procedures) + "concept R = { use signature(Ext); axiom " + axiom +
           " };\nprogram P = { use Ext; procedure r(upd a: T, upd b: T, obs c: T) { " + statements +
           " } };\nprogram Q = rewrite P with R " + how + ";\n");
    return body(*theory("Q"), "r(T, T, T)");
  }
  syntax::Diagnostic refused(const std::string& axiom, const std::string& code,
                             const std::string& how = "9") {
    restart({});
    check(std::string(two_procedures) + "concept R = { use signature(Ext); axiom " + axiom +
          " };\nprogram P = { use Ext; procedure r(upd a: T) { call one(a); } };\n"
          "program Q = rewrite P with R " +
          how + ";\n");
    return only(code);
  }
};

const std::string twice =
    "x(x: T) { assert { call one(x); call one(x); } == { call one(x); call two(x); }; }";

TEST_F(Sequences, AreFoundWithinLongerBlocks) {
  EXPECT_EQ(rewritten(twice, "b = c; call one(a); call one(a); a = c;"),
            "{ b = c; call one(a); call two(a); a = c; }");
  // Not one after the other, or of different variables.
  EXPECT_EQ(rewritten(twice, "call one(a); b = c; call one(a);"),
            "{ call one(a); b = c; call one(a); }");
  EXPECT_EQ(rewritten(twice, "call one(a); call one(b);"), "{ call one(a); call one(b); }");
}

TEST_F(Sequences, AreFoundInEveryBlockOnceInAPass) {
  const std::string body =
      "call one(a); call one(a); call one(b); call one(b); if p(c) then { call one(b); call "
      "one(b); "
      "} else skip;";
  EXPECT_EQ(
      rewritten(twice, body, "1"),
      "{ call one(a); call two(a); call one(b); call one(b); if p(c) then { call one(b); call "
      "one(b); } else skip; }");
  EXPECT_EQ(
      rewritten(twice, body),
      "{ call one(a); call two(a); call one(b); call two(b); if p(c) then { call one(b); call "
      "two(b); } else skip; }");
}

TEST_F(Sequences, MayBecomeLongerOrShorterOrNothing) {
  EXPECT_EQ(
      rewritten("x(x: T) { assert { call two(x); } == { call one(x); call two(x); call one(x); "
                "}; }",
                "a = c; call two(b);", "1"),
      "{ a = c; call one(b); call two(b); call one(b); }");
  EXPECT_EQ(rewritten("x(x: T) { assert { call one(x); call two(x); } == { }; }",
                      "b = c; call one(a); call two(a); a = b;"),
            "{ b = c; a = b; }");
}

TEST_F(Sequences, AValueThatTheStatementsChangeIsAnother) {
  const std::string share =
      "x(x: T, y: T, e: T) { assert { x = f(e); y = f(e); } == { x = f(e); y = x; }; }";
  EXPECT_EQ(rewritten(share, "a = f(c); b = f(c);"), "{ a = f(c); b = a; }");
  EXPECT_EQ(rewritten(share, "a = f(g(a)); b = f(g(a));"), "{ a = f(g(a)); b = f(g(a)); }");
  EXPECT_EQ(rewritten(share, "a = f(b); b = f(b);"), "{ a = f(b); b = f(b); }");
  EXPECT_EQ(rewritten(share, "a = f(c); a = f(c);"), "{ a = f(c); a = f(c); }");
}

TEST_F(Sequences, DeclareVariablesThatTheRestDoesWithout) {
  const std::string inlined =
      "x(x: T, e: T) { assert { var u = g(e); x = f(u); } == { x = f(g(e)); }; }";
  EXPECT_EQ(rewritten(inlined, "var t = g(c); a = f(t); b = a;"), "{ a = f(g(c)); b = a; }");
  EXPECT_EQ(rewritten(inlined, "var t = g(c); a = f(t); b = t;"),
            "{ var t: T = g(c); a = f(t); b = t; }");
  const std::string named =
      "x(x: T, e: T) { assert { x = f(g(e)); } == { var u = g(e); x = f(u); }; }";
  EXPECT_EQ(rewritten(named, "a = f(g(c)); b = f(g(a));"),
            "{ var u: T = g(c); a = f(u); var u: T = g(a); b = f(u); }");
}

TEST_F(Sequences, HaveConditionsAboutTheirPlace) {
  const std::string guarded = "x(x: T, e: T) { assert p(e) => { x = f(e); } == { x = g(e); }; }";
  EXPECT_EQ(rewritten(guarded, "a = f(c); assert p(c); b = f(c);"),
            "{ a = f(c); assert p(c); b = g(c); }");
  EXPECT_EQ(rewritten(guarded, "if p(c) then { a = f(c); } else { b = f(c); };"),
            "{ if p(c) then { a = g(c); } else { b = f(c); }; }");
}

TEST_F(Sequences, AreAddressedByStrategies) {
  const std::string ones = "call one(a); call one(a); call one(b); call one(b);";
  EXPECT_EQ(rewritten(twice, ones, "by nth(2, rule(x)) 9"),
            "{ call one(a); call one(a); call one(b); call two(b); }");
  EXPECT_EQ(rewritten(twice, ones, "by innermost 9"),
            "{ call one(a); call two(a); call one(b); call two(b); }");
  EXPECT_EQ(rewritten(twice, ones, "by innermost 1"),
            "{ call one(a); call two(a); call one(b); call one(b); }");
  EXPECT_EQ(rewritten(twice, "call one(a); call two(a);", "by once(reversed(x)) 9"),
            "{ call one(a); call one(a); }");
  EXPECT_EQ(
      rewritten(twice, "if p(c) then { call one(a); call one(a); } else skip;" + ones,
                "by statement(1, bottomup(try(rule(x)))) 9"),
      "{ if p(c) then { call one(a); call two(a); } else skip; call one(a); call one(a); call "
      "one(b); call one(b); }");
}

TEST_F(Sequences, ThatCannotBeRulesAreRefused) {
  EXPECT_TRUE(contains(refused("x(x: T) { assert { } == { call one(x); }; }", "E0331").message,
                       "does not bind"));
  EXPECT_TRUE(contains(
      refused("x(x: T, y: T) { assert { x = f(y); } == { x = f(y); call one(y); }; }", "E0349")
          .message,
      "changes `y`"));
  // What the left side sets need not have had a value.
  EXPECT_TRUE(contains(
      refused("x(x: T, e: T) { assert { x = e; } == { call one(x); x = e; }; }", "E0349").message,
      "before it sets it"));
  EXPECT_TRUE(contains(refused(twice, "E0347", "by once(reversed(y)) 9").message, "no axiom"));
  EXPECT_TRUE(contains(refused("x(x: T, e: T) { assert { call one(x); x = e; } == { x = e; }; }",
                               "E0348", "by once(reversed(x)) 9")
                           .message,
                       "before it sets it"));
}

TEST_F(Sequences, OnlyAxiomsChangeTheirParametersAndOnlyThere) {
  restart({});
  check(std::string(two_procedures) +
        "concept R = { use signature(Ext); axiom x(x: T) { call one(x); } };\n");
  EXPECT_FALSE(diagnostics.all().empty());
  restart({});
  check(std::string(two_procedures) +
        "concept R = { use signature(Ext); axiom x(x: T) { var y = f(x); assert { y = x; } == { "
        "call one(y); }; } };\n");
  EXPECT_FALSE(diagnostics.all().empty());
  restart({});
  check(std::string(two_procedures) +
        "program P = { use Ext; procedure r(upd a: T) { assert { a = a; } == { call one(a); }; } "
        "};\n");
  EXPECT_FALSE(diagnostics.all().empty());
}

}  // namespace
}  // namespace rhopsi::elaborate
