// The reader of REC specifications, and terms that stand alone.
#include "frontend/trs/rec.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontend/trs/read.hpp"

namespace rhopsi::trs {
namespace {

std::shared_ptr<const syntax::SourceFile> rec_file(const std::string& text) {
  return std::make_shared<const syntax::SourceFile>("s.rec", text);
}

// The one error of the text, as line:column code: message; its note may not be empty.
std::string rec_mistake(const std::string& text) {
  syntax::Diagnostics diagnostics;
  EXPECT_FALSE(read_rec(rec_file(text), diagnostics)) << text;
  EXPECT_EQ(diagnostics.all().size(), 1U) << text;
  if (diagnostics.all().empty()) return "none";
  const syntax::Diagnostic& first = diagnostics.all().front();
  EXPECT_NE(first.note, "") << text;
  const auto place = first.span.file->position(first.span.begin);
  return std::to_string(place.line) + ":" + std::to_string(place.column) + " " + first.code + ": " +
         first.message;
}

// Declarations on line 1; what is added begins on line 2.
std::string with_rules(const std::string& rest) {
  return "REC-SPEC T SORTS N B CONS z : -> N s : N -> N t : -> B OPNS f : N N -> N g : N -> N g : "
         "B "
         "-> N VARS x y : N\n" +
         rest;
}

TEST(Rec, ImportsAreRefusedHoweverTheyAreSpaced) {
  for (const std::string head : {"T:Base", "T: Base", "T :Base", "T : Base"}) {
    const std::string said = rec_mistake("REC-SPEC " + head + "\nSORTS N\nEND-SPEC");
    EXPECT_NE(said.find("E0131: specifications that import"), std::string::npos) << said;
  }
}

TEST(Rec, ANameIsAVariableOrAConstant) {
  const std::string said = "E0132: `0` is declared as a variable and as a constant";
  EXPECT_EQ(rec_mistake("REC-SPEC T SORTS N\nCONS 0 : -> N\nVARS 0 : N\nEND-SPEC"), "3:6 " + said);
  EXPECT_EQ(rec_mistake("REC-SPEC T SORTS N\nVARS 0 : N\nCONS 0 : -> N\nEND-SPEC"), "3:6 " + said);
  // With arguments it is the operation, and without the variable.
  syntax::Diagnostics diagnostics;
  const auto read =
      read_rec(rec_file("REC-SPEC T SORTS N OPNS f : N -> N VARS f : N RULES f(f) -> f END-SPEC"),
               diagnostics);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->system.rules.at(0).left, (Term{0, ~0}));
  EXPECT_EQ(read->system.rules.at(0).right, (Term{~0}));
}

TEST(Rec, SortsAreDeclaredOnce) {
  EXPECT_EQ(rec_mistake("REC-SPEC T SORTS N\nSORTS B N\nEND-SPEC"),
            "2:9 E0132: the sort `N` is declared twice");
}

TEST(Rec, ATermEndsWithItsSection) {
  EXPECT_EQ(rec_mistake(with_rules("EVAL s(s(\nEND-SPEC")), "3:1 E0130: a term is expected here");
  EXPECT_EQ(rec_mistake(with_rules("EVAL s(z\nEND-SPEC")),
            "3:1 E0130: `,` or `)` is expected here");
  EXPECT_EQ(rec_mistake(with_rules("RULES g(x) ->\nEVAL z END-SPEC")),
            "3:1 E0130: a term is expected here");
}

TEST(Rec, TheUnclosedBracketIsNamed) {
  syntax::Diagnostics diagnostics;
  EXPECT_FALSE(read_rec(rec_file(with_rules("EVAL s(f(z,\nEND-SPEC")), diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1U);
  ASSERT_EQ(diagnostics.all()[0].related.size(), 1U);
  const syntax::Span& name = diagnostics.all()[0].related[0].span;
  EXPECT_EQ(name.file->text().substr(name.begin, name.end - name.begin), "f");
}

TEST(Rec, WhatArgumentsAnOperationTakesIsSaid) {
  EXPECT_EQ(rec_mistake(with_rules("EVAL f(z) END-SPEC")),
            "2:6 E0133: `f` takes 2 arguments, not 1");
  EXPECT_EQ(rec_mistake(with_rules("EVAL s(z, z) END-SPEC")),
            "2:6 E0133: `s` takes 1 argument, not 2");
  EXPECT_EQ(rec_mistake(with_rules("OPNS h : -> N h : N N -> N EVAL h(z) END-SPEC")),
            "2:33 E0133: `h` takes 0 or 2 arguments, not 1");
  EXPECT_EQ(rec_mistake(with_rules("EVAL f(z, t) END-SPEC")),
            "2:6 E0135: argument 2 of `f` is of sort `B`, where `N` is expected");
  EXPECT_EQ(rec_mistake(with_rules("SORTS C CONS c : -> C EVAL g(c) END-SPEC")),
            "2:28 E0135: `g` has no declaration for arguments of the sorts C");
}

TEST(Rec, AnOperationMayBeCalledIf) {
  syntax::Diagnostics diagnostics;
  const auto read =
      read_rec(rec_file("REC-SPEC T SORTS N CONS z : -> N s : N -> N OPNS if : N N -> N if : -> N\n"
                        "VARS x : N RULES if(z, x) -> x\nif(s(z), x) -> if(z, x)\nif -> z\n"
                        "if(s(s(x)), x) -> z if x -><- if and-if if ->/<- s(z)\nif(x, x) -> x\n"
                        "EVAL if(s(z), z) if END-SPEC"),
               diagnostics);
  ASSERT_TRUE(read) << diagnostics.all().at(0).message;
  ASSERT_EQ(read->system.rules.size(), 5U);
  EXPECT_EQ(read->system.rules[1].conditions.size(), 0U);
  EXPECT_EQ(read->system.rules[3].conditions.size(), 2U);
  EXPECT_EQ(read->subjects.size(), 2U);
}

TEST(TermTexts, HaveNamesOfAnyCharacters) {
  const std::vector<std::string> names{"a%b", "%",   "x->y", "->",   "c d", ",",
                                       "x)y", "a|b", "",     "-><-", ":",   "a;b"};
  for (const std::string& name : names) {
    System made;
    syntax::Diagnostics diagnostics;
    const auto term = read_term(rec_file(term_name(name) + "(" + term_name(name + "'") + ")"), made,
                                TermSyntax::quoted, diagnostics);
    ASSERT_TRUE(term) << name;
    ASSERT_EQ(made.symbols.size(), 2U) << name;
    EXPECT_EQ(made.symbols[0].name, name + "'");
    EXPECT_EQ(made.symbols[1].name, name);
  }
}

TEST(TermTexts, OfRecHaveComments) {
  System made;
  syntax::Diagnostics diagnostics;
  ASSERT_TRUE(read_term(rec_file("f(a%b\n)"), made, TermSyntax::rec, diagnostics));
  EXPECT_EQ(made.symbols[0].name, "a");
}

TEST(TermTexts, AQuotedNameHasAnEnd) {
  System made;
  syntax::Diagnostics diagnostics;
  EXPECT_FALSE(read_term(rec_file("f(|a, b)"), made, TermSyntax::quoted, diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_EQ(diagnostics.all()[0].message, "a quoted name is never closed");
}

}  // namespace
}  // namespace rhopsi::trs
