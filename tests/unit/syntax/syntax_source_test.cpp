#include <nlohmann/json.hpp>

#include "tests/unit/syntax/syntax_reading.hpp"

namespace rhopsi::syntax::testing {

namespace {

Diagnostic made(std::string code, std::string message, Span span) {
  Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.message = std::move(message);
  diagnostic.span = std::move(span);
  return diagnostic;
}

Diagnostic::Related related(Span span, std::string message) {
  Diagnostic::Related related;
  related.span = std::move(span);
  related.message = std::move(message);
  return related;
}

}  // namespace

TEST(Source, PositionsCountCodePoints) {
  const SourceFile file("a.mg",
                        "äb\r\nc\xff"
                        "d\n");
  EXPECT_EQ(file.position(2).column, 2u);
  EXPECT_EQ(file.position(7).line, 2u);
  EXPECT_EQ(file.position(7).column, 3u);
  EXPECT_EQ(file.position(1000).line, 3u);
  EXPECT_EQ(file.line(1), "äb");
  EXPECT_EQ(file.line(3), "");
  EXPECT_EQ(file.line(9), "");
}

TEST(Source, PositionsInALongLine) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "aä";
  const SourceFile file("a.mg", "x\n" + text);
  EXPECT_EQ(file.position(2).column, 1u);
  EXPECT_EQ(file.position(3).column, 2u);
  EXPECT_EQ(file.position(2 + 3 * 4999).line, 2u);
  EXPECT_EQ(file.position(2 + 3 * 4999).column, 9999u);
  EXPECT_EQ(file.position(2 + 3 * 4999 + 1).column, 10000u);
  const SourceFile plain("b.mg", std::string(100000, 'a'));
  EXPECT_EQ(plain.position(99999).column, 100000u);
}

TEST(Source, DiagnosticsAreKeptOncePerPlaceAndMessage) {
  const std::shared_ptr<const SourceFile> file = std::make_shared<SourceFile>("a.mg", "abc");
  Diagnostics diagnostics;
  diagnostics.error("E1", {file, 0, 1}, "one");
  diagnostics.error("E1", {file, 0, 1}, "one").note = "kept";
  diagnostics.error("E1", {file, 0, 1}, "two");
  diagnostics.warning("E1", {file, 0, 1}, "one");
  EXPECT_EQ(diagnostics.error_count(), 2u);
  EXPECT_EQ(diagnostics.all().size(), 3u);
  EXPECT_EQ(diagnostics.all()[0].note, "kept");
}

TEST(Source, RenderShowsTheLineAndTheCaret) {
  const std::shared_ptr<const SourceFile> file =
      std::make_shared<SourceFile>("a.mg", "x\n  wörd = y;\n");
  Diagnostic diagnostic = made("E0102", "wrong", {file, 4, 9});
  diagnostic.note = "do this";
  diagnostic.related.push_back(related({file, 0, 1}, "see"));
  EXPECT_EQ(render(diagnostic),
            "a.mg:2:3: error[E0102]: wrong\n   2 |   wörd = y;\n     |   ^~~~\n"
            "  a.mg:1:1: note: see\n   1 | x\n     | ^\n  note: do this\n");
  EXPECT_NE(render(diagnostic, true).find("\033["), std::string::npos);
}

// The messages of a compiler keep their lines, and the carets in them their columns.
TEST(Source, RenderKeepsTheLinesOfNotes) {
  Diagnostic diagnostic{
      Severity::error, "E1", "m", {}, "a.hpp:1: error\n  1 | x\x1b\n\n    | ^\n", {}};
  EXPECT_EQ(render(diagnostic),
            "error[E1]: m\n"
            "  note: a.hpp:1: error\n"
            "          1 | x\\x1B\n"
            "\n"
            "            | ^\n");
}

TEST(Source, RenderIsSafeForTerminals) {
  const std::shared_ptr<const SourceFile> file =
      std::make_shared<SourceFile>("a.mg", "a\tb\x1b[31m\xff\xe2\x80\xae c");
  const std::string text = render(made("E1", "m\x1b[0m", {file, 2, 3}));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("\\x1B[31m\\xFF<U+202E> c"), std::string::npos) << text;
}

TEST(Source, RenderShowsAWindowOfLongLines) {
  const std::shared_ptr<const SourceFile> file = std::make_shared<SourceFile>(
      "a.mg", std::string(1000000, 'a') + "X" + std::string(1000000, 'b'));
  const std::string text = render(made("E1", "m", {file, 1000000, 1000001}));
  EXPECT_LT(text.size(), 500u);
  EXPECT_NE(text.find("aXb"), std::string::npos);
}

TEST(Source, RenderWithoutPlace) {
  EXPECT_EQ(render({Severity::warning, "", "m", {}, "", {}}), "warning: m\n");
}

TEST(Source, JsonHoldsEveryField) {
  const std::shared_ptr<const SourceFile> file = std::make_shared<SourceFile>("\xff.mg", "abc\nd");
  Diagnostics diagnostics;
  diagnostics.error("E1", {file, 1, 5}, "m", "n").related.push_back(related({file, 0, 1}, "r"));
  diagnostics.warning("E2", {}, "w");
  const auto json = nlohmann::json::parse(render_json(diagnostics));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["code"], "E1");
  EXPECT_EQ(json[0]["severity"], "error");
  EXPECT_EQ(json[0]["end_line"], 2);
  EXPECT_EQ(json[0]["end_column"], 2);
  EXPECT_EQ(json[0]["related"][0]["message"], "r");
  EXPECT_TRUE(json[1]["path"].is_null());
}

}  // namespace rhopsi::syntax::testing
