// Everything below rules/ and specs/: accepted, and printed and read without a loss.
#include <memory>
#include <optional>

#include <gtest/gtest.h>

#include "frontend/driver/locations.hpp"
#include "frontend/elaborate/elaborate.hpp"
#include "frontend/syntax/parse.hpp"
#include "frontend/syntax/print.hpp"
#include "tests/exec/process.hpp"
#include "tests/support/specification.hpp"

namespace rhopsi::property {
namespace {

std::vector<std::string> corpus() {
  std::vector<std::string> files = support::sources("rules");
  for (const std::string& file : support::sources("specs")) files.push_back(file);
  return files;
}

std::optional<syntax::Package> parse(const std::string& path, const std::string& text,
                                     syntax::Diagnostics& diagnostics) {
  return syntax::parse_package(std::make_shared<syntax::SourceFile>(path, text), diagnostics);
}

class Corpus : public testing::TestWithParam<std::string> {};

TEST_P(Corpus, IsAccepted) {
  support::Specification specification(GetParam());
  EXPECT_EQ(specification.problems(), "");
}

TEST_P(Corpus, TextIsPrintedAndReadToTheSameTree) {
  syntax::Diagnostics diagnostics;
  const auto first = parse(GetParam(), exec::read(GetParam()), diagnostics);
  ASSERT_TRUE(first) << support::text_of(diagnostics);
  const std::string text = syntax::print(*first);
  const auto second = parse(GetParam(), text, diagnostics);
  ASSERT_TRUE(second) << support::text_of(diagnostics) << text;
  EXPECT_TRUE(syntax::equal(*first, *second)) << text;
  EXPECT_EQ(syntax::print(*second), text);
}

// Every module is printed, whatever its kind, and elaborates again to what is printed.
TEST_P(Corpus, ModulesSurvivePrinting) {
  const exec::Folder folder;
  support::Specification specification(GetParam());
  syntax::Diagnostics diagnostics;
  auto& workspace = specification.session().workspace();
  const auto package = workspace.load(GetParam(), diagnostics);
  ASSERT_TRUE(package) << support::text_of(diagnostics);
  for (const auto& [name, kind] : workspace.modules(*package)) {
    if (!workspace.evaluate(*package, name, diagnostics)) continue;  // a renaming or satisfaction
    EXPECT_EQ(support::reprinting_problem(specification, name, folder.path()), "");
  }
  EXPECT_EQ(support::text_of(diagnostics), "");
}

INSTANTIATE_TEST_SUITE_P(Files, Corpus, testing::ValuesIn(corpus()));

}  // namespace
}  // namespace rhopsi::property
