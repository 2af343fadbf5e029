// Where the existing Magnolia compiler is wrong (the list in the language's
// description): one test each.
#include "engine/rewrite/derivation.hpp"
#include "tests/unit/elaborate_modules/fixture.hpp"

namespace rhopsi::elaborate {
namespace {

constexpr const char* ext =
    "implementation Ext = external C++ lib.x { type T; predicate p(x: T);\n"
    "  function f(x: T): T; function g(x: T): T; procedure change(upd x: T); };\n"
    "signature Sig = { type T; predicate p(x: T); function f(x: T): T; function g(x: T): T;\n"
    "  procedure change(upd x: T); };\n";

TEST_F(Modules, AnAxiomsGuardIsRespected) {
  accept(std::string(ext) +
         "concept R = { use Sig; axiom r(x: T) guard p(x) { assert f(x) == g(x); } };\n"
         "program P = { use Ext; function free(x: T): T = f(x);\n"
         "  function guarded(x: T): T guard p(x) = f(x);\n"
         "  function tested(x: T): T = if p(x) then f(x) else f(x); };\n"
         "program Q = rewrite P with R 3;\n");
  EXPECT_EQ(body(*theory("Q"), "free(T): T"), "f(x)");
  EXPECT_EQ(body(*theory("Q"), "guarded(T): T"), "g(x)");
  EXPECT_EQ(body(*theory("Q"), "tested(T): T"), "if p(x) then g(x) else f(x)");
}

TEST_F(Modules, AnInequalityIsNoRule) {
  accept(std::string(ext) +
         "concept R = { use Sig; axiom r(x: T) { assert f(x) != g(x); } };\n"
         "program P = { use Ext; function h(x: T): T = f(x); };\n"
         "program Q = rewrite P with R 3;\n");
  EXPECT_EQ(body(*theory("Q"), "h(T): T"), "f(x)");
}

TEST_F(Modules, UnfoldingKeepsAnInequality) {
  accept(std::string(ext) +
         "concept G = { use Sig; predicate k(x: T); predicate differs(x: T);\n"
         "  axiom r(x: T) { assert k(x) <=> differs(x); } };\n"
         "program P = { use Ext; predicate differs(x: T) = f(x) != g(x); };\n"
         "program Q = implement G in P;\n");
  const auto value = theory("Q");
  EXPECT_EQ(body(*value, "k(T): Predicate"), "f(x) != g(x)");
}

TEST_F(Modules, AVariableOfTheRightSideCapturesNothing) {
  accept(std::string(ext) +
         "concept R = { use Sig;\n"
         "  axiom r(x: T) { assert f(x) == { var r = g(x); call change(r); value r; }; } };\n"
         "program P = { use Ext; function h(r: T): T = f(r); };\n"
         "program Q = rewrite P with R 1;\n");
  const auto value = theory("Q");
  const term::Callable* h = callable(*value, "h(T): T");
  EXPECT_EQ(free_variables(store, *h->body), h->parameters);
  std::vector<term::SymbolId> bound;
  for_each_subterm(store, *h->body, [&](term::TermId each) {
    for (term::SymbolId variable : store.bound(each)) bound.push_back(variable);
    return true;
  });
  ASSERT_EQ(bound.size(), 1u);
  EXPECT_NE(bound[0], h->parameters[0]);
}

TEST_F(Modules, TargetsMayHoldIfAndSkip) {
  accept(std::string(ext) +
         "concept R = { use Sig; axiom r(x: T) { assert f(x) == g(x); } };\n"
         "program P = { use Ext; procedure q(upd x: T) {\n"
         "  if p(x) then { x = f(x); } else skip; skip; } };\n"
         "program Q = rewrite P with R 1;\n");
  const std::string after = body(*theory("Q"), "q(T)");
  EXPECT_TRUE(contains(after, "g(x)")) << after;
  EXPECT_TRUE(contains(after, "skip")) << after;
}

TEST_F(Modules, AnUnboundVariableOfTheRightSideIsALocatedError) {
  check(std::string(ext) +
        "concept R = { use Sig;\n  axiom r(x: T, y: T) {\n    assert f(x) == g(y);\n  }\n};\n"
        "program P = { use Ext; function h(x: T): T = f(x); };\n"
        "program Q = rewrite P with R 1;\n");
  const auto problem = only("E0331");
  EXPECT_EQ(problem.span.file->position(problem.span.begin).line, 8u);
  EXPECT_TRUE(contains(problem.message, "`y`")) << problem.message;
  EXPECT_TRUE(contains(problem.message, "`r`")) << problem.message;
}

TEST_F(Modules, SatisfactionsAreChecked) {
  check("satisfaction S = Nothing models Nowhere;\n");
  EXPECT_EQ(codes(), (Names{"E0301", "E0301"})) << messages();
}

TEST_F(Modules, GuardsAreKept) {
  accept(std::string(ext) +
         "concept R = { use Sig; axiom r(x: T) { assert f(x) == g(x); } };\n"
         "program P = { use Ext; function h(x: T): T guard p(f(x)) = x; };\n"
         "program Q = rewrite P with R 1;\nprogram S = { use Q[h => k, p => q]; };\n");
  EXPECT_EQ(to_string(store, *callable(*theory("Q"), "h(T): T")->guard), "p(g(x))");
  EXPECT_EQ(to_string(store, *callable(*theory("S"), "k(T): T")->guard), "q(g(x))");
}

TEST_F(Modules, RewritingErrorsHaveALocation) {
  check(std::string(ext) +
        "concept R = { use Sig;\n  axiom r(x: T, y: T) guard p(y) { assert f(x) == g(x); }\n};\n"
        "program P = { use Ext; };\nprogram Q = rewrite P with R 1;\n");
  const auto problem = only("E0332");
  EXPECT_EQ(problem.span.file->position(problem.span.begin).line, 7u);
  ASSERT_EQ(problem.related.size(), 1u);
  EXPECT_NE(problem.related[0].span.file, nullptr);
}

}  // namespace
}  // namespace rhopsi::elaborate
