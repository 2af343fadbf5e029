#include "tests/unit/syntax/syntax_reading.hpp"

namespace rhopsi::syntax::testing {

namespace {

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}
std::string codes_of(const std::string& text) { return read_package(text).codes(); }
std::string in_body(const std::string& text) {
  return codes_of("package p; concept C = { " + text + " }");
}

}  // namespace

TEST(Errors, AMissingSemicolonIsMarkedAfterTheStatement) {
  const Reading reading = read_package(
      "package p;\nconcept C = {\n  axiom a(x: T) {\n    x = y // why\n    z = y;\n  }\n}\n");
  ASSERT_EQ(reading.codes(), "E0114");
  const Diagnostic& diagnostic = reading.diagnostics.all()[0];
  EXPECT_EQ(diagnostic.message, "expected ';' after this statement, found 'z'");
  EXPECT_EQ(reading.file->position(diagnostic.span.begin).line, 4u);
  EXPECT_EQ(reading.file->position(diagnostic.span.begin).column, 10u);
  EXPECT_FALSE(diagnostic.note.empty());
}

TEST(Errors, ElementsAreNotAssignedTo) {
  for (const char* const statement : {"x[0] = y;", "f(x) = y;"}) {
    const Reading reading = read_package(std::string("package p;\nconcept C = { axiom a(x: T) { ") +
                                         statement + " } }\n");
    ASSERT_EQ(reading.codes(), "E0114") << statement;
    const std::string note = reading.diagnostics.all()[0].note;
    EXPECT_NE(note.find("and not to elements of it"), std::string::npos) << note;
  }
}

TEST(Errors, AForallOfTwoIndicesIsToldThatItHasOne) {
  const Reading reading = read_package(
      "package p; concept C = { axiom a(n: T) { assert forall (i < n, j < n) f(i, j) == n; } }");
  ASSERT_EQ(reading.codes(), "E0114");
  EXPECT_NE(reading.diagnostics.all()[0].note.find("one index"), std::string::npos)
      << reading.diagnostics.all()[0].note;
  // A call of that name is none, and what is wrong in a later statement is another matter.
  EXPECT_EQ(in_body("axiom a(n: T) { assert forall(n < n, n) == n; }"), "");
  const Reading later = read_package(
      "package p; concept C = { axiom a(n: T) { assert forall(n < n, n) == n; n n; } }");
  ASSERT_EQ(later.codes(), "E0114");
  EXPECT_EQ(later.diagnostics.all()[0].note.find("one index"), std::string::npos);
}

TEST(Errors, EveryErrorOfARunIsTold) {
  const Reading reading = read_package(R"(package p;
concept A = {
  type T
  function f(a: T): T;
  foo bar;
  axiom x(a: T) { assert f(a a) == a; var y = ; skip; }
}
concept B = rewrite A with C;
concept D = rewrite A with C by innermost() 3;
concept E = { type T; }
)");
  EXPECT_EQ(reading.codes(), "E0114 E0112 E0115 E0115 E0113 E0120");
  ASSERT_TRUE(reading.package);
  EXPECT_EQ(reading.package->declarations.size(), 2u);
  const auto& a = std::get<ModuleDecl>(reading.package->declarations[0]);
  EXPECT_EQ(std::get<ModuleBody>(a.definition->node).items.size(), 1u);
}

TEST(Errors, Codes) {
  EXPECT_EQ(codes_of("concept A = B;"), "E0110");
  EXPECT_EQ(codes_of("package p"), "E0114");
  EXPECT_EQ(codes_of("package p; foo A = B; concept C = D;"), "E0111");
  EXPECT_EQ(codes_of("package p; program P = rewrite A with B 99999999999999999999;"), "E0117");
  EXPECT_EQ(in_body("function f(a T): T;"), "E0113");
  EXPECT_EQ(in_body("function f(a: T): T"), "E0113");
  EXPECT_EQ(in_body("function f(a: T,): T;"), "E0113");
  EXPECT_EQ(in_body("procedure p() { if a then b; }"), "E0115");
  EXPECT_EQ(in_body("procedure p() { x = (a + ); }"), "E0115");
  EXPECT_EQ(in_body("use M[a => ];"), "E0113");
  EXPECT_EQ(in_body("type T literals complex;"), "E0113");
}

TEST(Errors, FormsThatFailTellWhatTheyWanted) {
  const Reading reading = read_package("package p; program P = rewrite A witg B 2;");
  ASSERT_EQ(reading.codes(), "E0113");
  EXPECT_NE(reading.rendered().find("rewrite TARGET with RULES"), std::string::npos)
      << reading.rendered();
}

TEST(Errors, BytesAndEmptyFiles) {
  EXPECT_EQ(codes_of(""), "E0102");
  EXPECT_EQ(codes_of(" // nothing\n"), "E0102");
  EXPECT_EQ(codes_of(std::string(100, '\0')), "E0102");
  EXPECT_EQ(codes_of("package p; concept A = { type T; \xff\xfe }"), "E0101");
  EXPECT_EQ(codes_of(std::string("package p; concept A = { type T; \0\0 }", 37)), "E0109");
  EXPECT_EQ(codes_of("\xef\xbb\xbfpackage p;"), "");
  EXPECT_EQ(codes_of("package p; // \xc0\x80\nconcept A = B;"), "E0101");
}

TEST(Errors, UnterminatedThings) {
  EXPECT_EQ(codes_of("package p; /* open"), "E0103");
  EXPECT_EQ(codes_of("package p; /*< a /*< b >*/"), "E0103");
  EXPECT_EQ(codes_of("package p; concept A = { type T;"), "E0106");
  EXPECT_EQ(codes_of("package p; concept A = { type T; } }"), "E0106");
  EXPECT_EQ(in_body("function f(a: T): T = (a + b;"), "E0106");
  const Reading reading =
      read_package("package p;\nconcept A = {\n  type T;\nconcept B = { type U; }\n");
  EXPECT_EQ(reading.codes(), "E0106");
  EXPECT_EQ(reading.package->declarations.size(), 1u);
}

TEST(Errors, NestingIsLimited) {
  const auto function = [](const std::string& body) {
    return codes_of("package p; program P = { function f(): T = " + body + "; }");
  };
  EXPECT_EQ(function(repeated("(", 1990) + "x" + repeated(")", 1990)), "");
  EXPECT_EQ(function(repeated("f(", 1990) + "x" + repeated(")", 1990)), "");
  EXPECT_EQ(function(repeated("if(", 1990) + "x" + repeated(")", 1990)), "");
  EXPECT_EQ(function(repeated("(", 100000) + "x" + repeated(")", 100000)), "E0104");
  EXPECT_EQ(function(repeated("if a then b else ", 50000) + "x"), "E0104");
  EXPECT_EQ(function(repeated("assert ", 50000) + "x"), "E0104");
  EXPECT_EQ(function(repeated("x = ", 50000) + "x"), "E0104");
  EXPECT_EQ(function(repeated("value ", 50000) + "x"), "E0104");
  EXPECT_EQ(codes_of("package p; program P = " + repeated("rewrite ", 50000) + "A;"), "E0104");
  EXPECT_EQ(codes_of("package p; program P = " + repeated("external C++ a ", 50000) + "A;"),
            "E0104");
}

TEST(Errors, TooManyErrorsEndTheRun) {
  const Reading reading =
      read_package("package p; concept C = { " + repeated("foo bar; ", 1000) + "}");
  EXPECT_LE(reading.diagnostics.error_count(), 102u);
}

}  // namespace rhopsi::syntax::testing
