// `rewrite T with R by S N`.
#include <random>

#include "engine/rewrite/derivation.hpp"
#include "frontend/elaborate/strategy.hpp"
#include "frontend/syntax/parse.hpp"
#include "frontend/syntax/print.hpp"
#include "tests/unit/elaborate_modules/fixture.hpp"

namespace rhopsi::elaborate {
namespace {

using rewrite::Strategy;
using rewrite::StrategyForm;
using Kind = Strategy::Kind;

constexpr const char* rules_and_program =
    "implementation Ext = external C++ lib.x { type T; function a(): T; function f(x: T): T;\n"
    "  function g(x: T): T; function _+_(x: T, y: T): T; };\n"
    "concept R = { type T; function f(x: T): T; function g(x: T): T; function _+_(x: T, y: T): T;\n"
    "  axiom fToG(x: T) { assert f(x) == g(x); }\n"
    "  axiom two(x: T, y: T) { assert g(g(x)) == x; assert x + y == x + f(y); }\n"
    "  axiom drop(x: T, y: T) { assert g(x) + y == y; } };\n"
    "program P = { use Ext; function h(x: T): T = f(f(x));\n"
    "  function k(x: T): T = { var u = f(x); var v = f(u); value f(v) + f(x); };\n"
    "  function smooth(x: T): T = { var total = f(x); value total; }; };\n";

struct Strategies : Modules {
  std::string rewritten(const std::string& by, const std::string& signature = "h(T): T") {
    restart({});
    accept(std::string(rules_and_program) + "program Q = rewrite P with R by " + by + ";\n");
    return body(*theory("Q"), signature);
  }
  syntax::Diagnostic refused(const std::string& by, const std::string& code) {
    restart({});
    check(std::string(rules_and_program) + "program Q = rewrite P with R by " + by + ";\n");
    return only(code);
  }
};

TEST_F(Strategies, Rewrite) {
  EXPECT_EQ(rewritten("once 5"), "g(f(x))");
  EXPECT_EQ(rewritten("once(rule(fToG)) 5"), "g(f(x))");
  EXPECT_EQ(rewritten("nth(2, rules) 5"), "f(g(x))");
  EXPECT_EQ(rewritten("innermost(rule(fToG)) 5"), "g(g(x))");
  EXPECT_EQ(rewritten("seq(topdown, rule(two#1)) 5"), "x");
  EXPECT_EQ(rewritten("outermost(choice(rule(two#1), rule(fToG))) 100"), "x");
  EXPECT_EQ(rewritten("outermost(choice(rule(two#1), rule(fToG))) 1"), "g(f(x))");
  EXPECT_EQ(rewritten("seq(all(rule(fToG)), one(reversed(fToG))) 5"), "f(f(x))");
  EXPECT_EQ(rewritten("passes(1) 5"), "g(f(x))");
  EXPECT_EQ(rewritten("callable(k, innermost) 5"), "f(f(x))");
}

TEST_F(Strategies, AddressStatementsAndDefinitions) {
  EXPECT_EQ(rewritten("callable(k, statement(2, bottomup(try(rule(fToG))))) 9", "k(T): T"),
            "{ var u: T = f(x); var v: T = g(u); value f(v) + f(x); }");
  EXPECT_EQ(rewritten("definition(u, rules) 9", "k(T): T"),
            "{ var u: T = g(x); var v: T = f(u); value f(v) + f(x); }");
}

TEST_F(Strategies, StandInTheDerivation) {
  EXPECT_EQ(rewritten("callable(h, repeat(once(rule(fToG)))) 7"), "g(g(x))");
  const auto derivation = theory("Q")->derivations.at(0);
  EXPECT_EQ(derivation->strategy, "callable(h, repeat(once(rule(fToG))))");
  EXPECT_EQ(derivation->bound, 7U);
  const std::string text = rewrite::describe(store, *derivation, true);
  EXPECT_TRUE(contains(text,
                       "rewrite with R by callable(h, repeat(once(rule(fToG)))), at most 7 "
                       "steps\nh(T): T: strategy completed; not a normal form, 2 steps"))
      << text;
  EXPECT_TRUE(contains(text, "  step 2, body.0: fToG")) << text;
}

TEST_F(Strategies, UnknownNamesAreAnswered) {
  auto problem = refused("seq(once, inermost) 5", "E0345");
  EXPECT_EQ(marked(problem), "inermost");
  EXPECT_TRUE(contains(problem.message, "did you mean `innermost`?")) << problem.message;
  problem = refused("once(rule(fToH)) 5", "E0347");
  EXPECT_EQ(marked(problem), "fToH");
  EXPECT_TRUE(contains(problem.message, "did you mean `fToG`?")) << problem.message;
  problem = refused("once(rule(two#3)) 5", "E0347");
  EXPECT_TRUE(contains(problem.message, "did you mean `two#1`?")) << problem.message;
  problem = refused("callable(smoth, once) 5", "E0347");
  EXPECT_TRUE(contains(problem.message, "did you mean `smooth`?")) << problem.message;
  problem = refused("definition(totl, once) 5", "E0347");
  EXPECT_TRUE(contains(problem.message, "did you mean `total`?")) << problem.message;
  EXPECT_EQ(marked(refused("fToG 5", "E0345")), "fToG");
}

TEST_F(Strategies, ArgumentsHaveToFit) {
  for (const char* wrong : {"nth(rules)", "nth(0, rules)", "nth(x, rules)", "try", "try(id, id)",
                            "id(id)", "rule", "rule(seq(id))", "seq", "innermost(id, id)",
                            "passes(once)", "child(2)", "nth(99999999999999999999, id)"}) {
    const auto problem = refused(std::string(wrong) + " 5", "E0346");
    EXPECT_TRUE(contains(problem.note, "write `")) << problem.note;
  }
}

TEST_F(Strategies, NotEveryAxiomCanBeTurnedRound) {
  EXPECT_TRUE(contains(refused("once(reversed(two#1)) 5", "E0348").message, "is a variable"));
  restart({});
  check(std::string(rules_and_program) +
        "concept L = { type T; function f(x: T): T; function g(x: T): T;\n"
        "  function _+_(x: T, y: T): T;\n"
        "  axiom lose(x: T, y: T) { assert x + f(y) == g(x); } };\n"
        "program Q = rewrite P with L by once(reversed(lose)) 5;\n");
  EXPECT_TRUE(contains(only("E0348").message, "lacks `y`")) << messages();
}

// --------------------------------------------------------------- as they read

Strategy random_strategy(std::mt19937& random, int depth) {
  const auto forms = rewrite::strategy_forms();
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  const StrategyForm* form = &forms[below(forms.size())];
  while (depth == 0 && form->fewest > 0) form = &forms[below(forms.size())];
  Strategy made;
  made.kind = form->kind;
  const std::vector<std::string> names{"a", "ax#2", "_+_", "-_", "value", "12", "x_1", "seq"};
  if (form->leading == StrategyForm::Leading::name) made.name = names[below(names.size())];
  if (form->leading == StrategyForm::Leading::number) made.number = 1 + below(1'000);
  if (made.kind == Kind::passes && below(2) == 0) made.number = 0;
  if (form->most == 0) return made;
  const std::size_t parts = form->most == 1 ? 1 : 1 + below(3);
  for (std::size_t i = 0; i < parts; ++i) made.parts.push_back(random_strategy(random, depth - 1));
  return made;
}

std::optional<syntax::Package> parsed(const std::string& strategy, syntax::Diagnostics& problems) {
  auto file = std::make_shared<const syntax::SourceFile>(
      "p.mg", "package p; program P = rewrite A with B by " + strategy + " 5;");
  return syntax::parse_package(file, problems);
}

TEST(StrategyText, ReadsBackAsItIsPrinted) {
  std::mt19937 random(20'211);
  for (int i = 0; i < 2'000; ++i) {
    const Strategy strategy = random_strategy(random, 5);
    const std::string text = rewrite::to_string(strategy);
    syntax::Diagnostics problems;
    const auto package = parsed(text, problems);
    ASSERT_TRUE(package && problems.all().empty()) << text;
    const auto& module = std::get<syntax::ModuleDecl>(package->declarations.at(0));
    const auto& node = std::get<syntax::Rewrite>(module.definition->node);
    ASSERT_TRUE(node.strategy) << text;
    EXPECT_EQ(read_strategy(*node.strategy, nullptr, problems), strategy) << text;
    EXPECT_TRUE(problems.all().empty()) << text;
    // The whole package is printed and read again, too.
    const std::string printed = syntax::print(*package);
    EXPECT_NE(printed.find("by " + text + " 5"), std::string::npos) << printed;
    auto again = std::make_shared<const syntax::SourceFile>("p.mg", printed);
    const auto second = syntax::parse_package(again, problems);
    ASSERT_TRUE(second && problems.all().empty()) << printed;
    EXPECT_TRUE(syntax::equal(*package, *second)) << printed;
  }
}

TEST(StrategyText, NestedTooDeepIsToldAndNoMore) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "try(";
  syntax::Diagnostics problems;
  (void)parsed(text, problems);
  EXPECT_TRUE(problems.has_errors());
}

}  // namespace
}  // namespace rhopsi::elaborate
