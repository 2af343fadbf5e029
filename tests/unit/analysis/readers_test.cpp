// Readers and the printer of rewriting systems.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontend/trs/read.hpp"

namespace rhopsi::trs {
namespace {

struct Reading {
  std::optional<System> system;
  syntax::Diagnostics diagnostics;
};

Reading read_text(const std::string& text) {
  Reading out;
  out.system = read(std::make_shared<const syntax::SourceFile>("s.ari", text), out.diagnostics);
  return out;
}

// The one error of the text, as line:column code.
std::string mistake(const std::string& text) {
  const Reading reading = read_text(text);
  EXPECT_FALSE(reading.system) << text;
  if (reading.diagnostics.all().empty()) return "none";
  const syntax::Diagnostic& first = reading.diagnostics.all().front();
  const auto place = first.span.file->position(first.span.begin);
  return std::to_string(place.line) + ":" + std::to_string(place.column) + " " + first.code;
}

TEST(Ari, ReadsFunctionsRulesAndComments) {
  const Reading reading = read_text(
      "; a comment\n(format TRS :problem termination)\n(fun f 2)\n(fun |a b| 0) ; (rule\n"
      "(rule (f x |a b|) (f x x))\n");
  ASSERT_TRUE(reading.system);
  EXPECT_EQ(reading.system->symbols.size(), 2U);
  EXPECT_EQ(reading.system->symbols[1].name, "a b");
  ASSERT_EQ(reading.system->rules.size(), 1U);
  EXPECT_EQ(reading.system->rules[0].left, (Term{0, ~0, 1}));
  EXPECT_EQ(reading.system->rules[0].right, (Term{0, ~0, ~0}));
  EXPECT_EQ(reading.system->rules[0].variables[0].name, "x");
}

TEST(Ari, NamesHaveAnyPrintableCharacters) {
  const Reading reading = read_text(
      "(format TRS)(fun +->=' 2)(fun 0 0)(fun f#{}[],.\\ 1)\n(rule (+->=' 0 y) (f#{}[],.\\ y))");
  ASSERT_TRUE(reading.system);
  EXPECT_EQ(reading.system->symbols[2].name, "f#{}[],.\\");
}

TEST(Ari, BarsStandAroundNames) {
  EXPECT_EQ(mistake("(format TRS)(fun a|b, 2)"), "1:18 E0130");
  EXPECT_EQ(mistake("(format TRS)(fun f 1)(rule (f x|) x|)"), "1:31 E0130");
  EXPECT_EQ(mistake("(format TRS)(fun \"a|b\" 0)"), "1:18 E0130");
  EXPECT_EQ(mistake("(format TRS)(fun |a|b| 0)"), "1:21 E0130");
  EXPECT_TRUE(read_text("(format TRS :note a|b)(fun |a,| 0)").system);
}

TEST(Ari, SortsOfVariablesAreFound) {
  const Reading reading = read_text(
      "(format MSTRS)(sort N)(sort L)(fun nil L)(fun cons (-> N L L))(fun len (-> L N))(fun 0 N)\n"
      "(rule (len (cons x y)) (len y))(rule (len nil) 0)");
  ASSERT_TRUE(reading.system);
  EXPECT_EQ(reading.system->rules[0].variables[0].sort, 0U);
  EXPECT_EQ(reading.system->rules[0].variables[1].sort, 1U);
}

TEST(Ari, MistakesHaveTheirPlace) {
  EXPECT_EQ(mistake(""), "1:1 E0130");
  EXPECT_EQ(mistake("(fun f 1)"), "1:2 E0130");
  EXPECT_EQ(mistake("(format TRS)\n(fun f one)"), "2:8 E0130");
  EXPECT_EQ(mistake("(format TRS)(fun f 1)\n(rule (f x)"), "2:12 E0130");
  EXPECT_EQ(mistake("(format TRS)(fun f 1)\n(rule (f x) (g x))"), "2:14 E0132");
  EXPECT_EQ(mistake("(format TRS)(fun f 1)\n(rule (f x y) x)"), "2:8 E0133");
  EXPECT_EQ(mistake("(format TRS)(fun f 1)\n(rule f x)"), "2:7 E0133");
  EXPECT_EQ(mistake("(format TRS)(fun f 1)\n(fun f 2)"), "2:6 E0132");
  EXPECT_EQ(mistake("(format TRS)(fun f 1)\n(rule (f x) x :cost 0)"), "2:15 E0134");
  EXPECT_EQ(mistake("(format TRS)\n(fun f 2 :theory AC)"), "2:10 E0134");
  EXPECT_EQ(mistake("(format TRS)(fun |f 2)"), "1:18 E0130");
  EXPECT_EQ(mistake("(format CTRS oriented)"), "1:9 E0131");
  EXPECT_EQ(mistake("(format HRS)"), "1:9 E0131");
  EXPECT_EQ(mistake("(format LCTRS)"), "1:9 E0131");
  EXPECT_EQ(mistake("(format TRS)(fun f 1)\n(rule (f x) x (= x x))"), "2:15 E0131");
  EXPECT_EQ(mistake("(format TRS)\n(strategy lazy)"), "2:11 E0134");
  EXPECT_EQ(mistake("(format TRS :number 2)"), "1:21 E0131");
  EXPECT_EQ(mistake("(format TRS)\n(theory x)"), "2:2 E0131");
  EXPECT_EQ(mistake("(format TRS)\n(sort N)"), "2:7 E0131");
  EXPECT_EQ(mistake("(format MSTRS)(sort N)(fun f (-> N M))"), "1:36 E0132");
  EXPECT_EQ(mistake("(format MSTRS)(sort N)(sort M)(fun f (-> N N))(fun a M)\n(rule (f a) a)"),
            "2:10 E0135");
}

TEST(Ari, BothSidesHaveOneSort) {
  const std::string functions = "(format MSTRS)(sort A)(sort B)(fun f (-> A B))(fun a A)\n";
  EXPECT_EQ(mistake(functions + "(rule (f a) a)"), "2:13 E0135");
  EXPECT_EQ(mistake(functions + "(rule a (f a))"), "2:9 E0135");
  EXPECT_EQ(mistake(functions + "(rule (f (f a)) (f a))"), "2:10 E0135");
  EXPECT_EQ(mistake(functions + "(rule (f x) x)"), "2:13 E0135");
  EXPECT_TRUE(read_text(functions + "(rule (f x) (f a))(rule x a)").system);
}

TEST(Ari, WhatFollowsFromOneMistakeIsNotSaid) {
  const std::vector<std::string> texts{
      "(format TRS)(fun f -1)(rule (f x) x)",
      "(format TRS)(fun f 1)(fun f 2)(rule (f x y) x)",
  };
  for (const std::string& text : texts) {
    EXPECT_EQ(read_text(text).diagnostics.all().size(), 1U) << text;
  }
}

TEST(Formats, AreToldBeforeAnyComment) {
  const std::string rules = "(VAR x)(RULES f(x) -> x)";
  for (const std::string comment :
       {"(COMMENT (rule of three) by X)", "(COMMENT see (fun a) here)", "(COMMENT (VAR f))\n"}) {
    const Reading reading = read_text(comment + rules);
    ASSERT_TRUE(reading.system) << comment;
    EXPECT_EQ(reading.system->symbols.at(0).arity, 1U);
    EXPECT_EQ(reading.system->rules.at(0).left, (Term{0, ~0}));
  }
  EXPECT_TRUE(read_text("; (VAR x) (RULES\n(format TRS)(fun f 1)(rule (f x) x)").system);
}

TEST(Mistakes, HaveANoteThatSaysWhatToDo) {
  const std::vector<std::string> texts{
      "",
      "(fun f 1)",
      "(format TRS)(fun f one)",
      "(format TRS)(fun f 1)(rule (f x) x",
      "(format TRS)(fun f 1)(rule (f x)",
      "(format TRS)(fun f 1)(rule (f x y) x)",
      "(format TRS)(fun f 1)(fun f 1)",
      "(format TRS)(fun f 1)(rule (f x) x (= x x))",
      "(format TRS)(sort A)",
      "(format MSTRS)(sort A)(sort A)",
      "(format MSTRS)(fun f A)",
      "(format MSTRS)(sort A)(fun f ())",
      "(format TRS :number 2)",
      "(VAR x)",
      "(VAR x)(RULES f(x) -> )",
      "(VAR x)(RULES f(x) ->= x)",
      "(VAR x)(RULES f(x) == x)",
      "(VAR x)(RULES f(x -> x)",
      "(VAR x)(RULES f(x,x) -> f(x))",
      "(VAR x)(RULES x(a) -> a)",
      "(VAR x)(RULES f(x) -> x | x == x)",
  };
  for (const std::string& text : texts) {
    const Reading reading = read_text(text);
    ASSERT_FALSE(reading.diagnostics.all().empty()) << text;
    for (const auto& each : reading.diagnostics.all()) EXPECT_NE(each.note, "") << text;
  }
}

TEST(OlderFormat, ReadsTermsAndStrings) {
  const Reading terms = read_text(
      "(COMMENT anything (nested) \"here\")\n(COMMENT 5\" long)\n(VAR x y)(RULES f(x,y)->x\n g( y "
      ") -> h g(y) -> f(h(),y))"
      "(STRATEGY INNERMOST)");
  ASSERT_TRUE(terms.system);
  EXPECT_EQ(terms.system->rules.size(), 3U);
  EXPECT_EQ(terms.system->strategy, Strategy::innermost);
  const Reading strings = read_text("(RULES a b -> b x , b -> )");
  ASSERT_TRUE(strings.system);
  ASSERT_EQ(strings.system->rules.size(), 2U);
  EXPECT_EQ(strings.system->rules[0].left, (Term{0, 1, ~0}));
  EXPECT_EQ(strings.system->rules[1].right, (Term{~0}));
  EXPECT_EQ(strings.system->rules[0].variables[0].name, "x'");  // x is a letter
  const Reading constants = read_text("(RULES a -> b b -> c)");
  ASSERT_TRUE(constants.system);
  EXPECT_EQ(constants.system->rules.size(), 2U);
  EXPECT_EQ(constants.system->symbols[0].arity, 0U);
}

TEST(OlderFormat, MistakesHaveTheirPlace) {
  EXPECT_EQ(mistake("(VAR x)"), "1:8 E0130");
  EXPECT_EQ(mistake("(VAR x)\n(RULES f(x) -> )"), "2:16 E0130");
  EXPECT_EQ(mistake("(VAR x)\n(RULES f(x) g(x))"), "2:13 E0130");
  EXPECT_EQ(mistake("(VAR x)\n(RULES f(x) ->= x)"), "2:13 E0131");
  EXPECT_EQ(mistake("(VAR x)\n(RULES f(x) -> x | x == x)"), "2:18 E0131");
  EXPECT_EQ(mistake("(VAR x)\n(RULES f(x,x) -> f(x))"), "2:18 E0133");
  EXPECT_EQ(mistake("(VAR x)\n(RULES x(a) -> a)"), "2:8 E0131");
  EXPECT_EQ(mistake("(VAR x)(RULES f(x -> x)"), "1:19 E0130");
  EXPECT_EQ(mistake("(THEORY (AC f))(VAR x)(RULES f(x,x) -> x)"), "1:2 E0134");
  EXPECT_EQ(mistake("(VAR x)(RULES f(x) -> x)(STRATEGY LAZY)"), "1:35 E0134");
  EXPECT_EQ(mistake("(CONDITIONTYPE ORIENTED)(VAR x)(RULES f(x) -> x)"), "1:2 E0131");
  EXPECT_EQ(mistake("(VAR x)(PAIRS F(x) -> F(x))(RULES f(x) -> x)"), "1:9 E0131");
}

TEST(Printing, IsReadAgainAsTheSame) {
  const std::vector<std::string> texts{
      "(format TRS)(fun f 2)(fun |a ; b| 0)(rule (f x |a ; b|) x)(rule (f x y) (f y x))",
      "(format MSTRS)(sort N)(fun 0 N)(fun s (-> N N))(rule (s x) 0)",
      "(VAR x y)(RULES f(x,y) -> g(y) g(x) -> h)(STRATEGY INNERMOST)",
      "(RULES a b -> b x , b -> )",
      "(RULES a;b c -> )",
      "(format TRS)(strategy outermost)(fun :a 0)",
      "(format TRS)",
  };
  int same = 0;
  for (const std::string& text : texts) {
    const Reading first = read_text(text);
    if (!first.system) continue;
    const Reading second = read_text(print(*first.system));
    ASSERT_TRUE(second.system) << print(*first.system);
    EXPECT_EQ(*first.system, *second.system) << print(*first.system);
    ++same;
  }
  EXPECT_EQ(same, 6);  // a name may not begin with a colon
}

TEST(Nesting, IsLimitedByMemoryOnly) {
  const int depth = 1000000;
  std::string term;
  for (int i = 0; i < depth; ++i) term += "(f ";
  term += "x" + std::string(depth, ')');
  const Reading ari = read_text("(format TRS)(fun f 1)(rule " + term + " x)");
  ASSERT_TRUE(ari.system);
  EXPECT_EQ(ari.system->rules[0].left.size(), static_cast<std::size_t>(depth) + 1);
  EXPECT_EQ(*read_text(print(*ari.system)).system, *ari.system);
  std::string older;
  for (int i = 0; i < depth; ++i) older += "f(";
  older += "x" + std::string(depth, ')');
  const Reading terms = read_text("(VAR x)(RULES " + older + " -> x)");
  ASSERT_TRUE(terms.system);
  EXPECT_EQ(terms.system->rules[0].left, ari.system->rules[0].left);
}

}  // namespace
}  // namespace rhopsi::trs
