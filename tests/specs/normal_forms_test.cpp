// The cases of each specification: normal forms and values, compared with files in expected/, and
// the values of the two backends with each other.
//
// UPDATE_GOLDEN=1 rewrites the files and reports the tests as skipped.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/exec/process.hpp"
#include "tests/specs/cases.hpp"

namespace rhopsi::specs {
namespace {

namespace fs = std::filesystem;

fs::path folder() { return exec::source("tests/specs/expected"); }

std::string text_of(const std::string& specification) {
  std::string text;
  for (const Case& each : cases_of(specification)) {
    text += each.line + "\n\n";
    text += evaluated(specification, each.expression, each.inputs, {"--dnf"});
    text += "\n" + evaluated(specification, each.expression, each.inputs) + "\n\n";
  }
  return text;
}

class NormalForms : public testing::TestWithParam<std::string> {};

TEST_P(NormalForms, AndValuesAreAsTheyWere) {
  const std::string text = text_of(GetParam());
  ASSERT_FALSE(HasFailure());
  const fs::path file = folder() / (GetParam() + ".golden");
  const char* update = std::getenv("UPDATE_GOLDEN");
  if (update != nullptr && std::string(update) == "1") {
    std::ofstream(file, std::ios::binary) << text;
    GTEST_SKIP() << "written: " << file.filename().string();
  }
  ASSERT_TRUE(fs::exists(file)) << file.filename() << " is missing; UPDATE_GOLDEN=1 writes it";
  EXPECT_EQ(exec::read(file.string()), text) << "UPDATE_GOLDEN=1 rewrites " << file.filename();
}

INSTANTIATE_TEST_SUITE_P(Specifications, NormalForms, testing::ValuesIn(specifications()),
                         [](const auto& each) { return each.param; });

TEST(ExpectedForms, AllBelongToASpecification) {
  for (const auto& entry : fs::directory_iterator(folder())) {
    EXPECT_TRUE(fs::exists(file_of(entry.path().stem().string()))) << entry.path();
  }
}

// One compiled program for all of them.
TEST(CasesCompiled, HaveTheValuesOfTheReference) {
  std::string lines;
  std::vector<std::string> with;
  for (const std::string& specification : specifications()) {
    with.insert(with.end(), {"--with", file_of(specification)});
    for (const Case& each : cases_of(specification)) lines += each.line + "\n";
  }
  const exec::Folder folder;
  std::vector<std::string> arguments{"eval", "--file", folder.write("cases", lines)};
  arguments.insert(arguments.end(), with.begin(), with.end());
  const exec::Outcome reference = exec::rhopsi(arguments);
  arguments.insert(arguments.end(), {"--backend", "kokkos"});
  const exec::Outcome compiled = exec::rhopsi(arguments);
  EXPECT_EQ(reference.exit_code, 0) << reference.text();
  EXPECT_EQ(reference.out.find("error"), std::string::npos) << reference.out;
  EXPECT_EQ(compiled.exit_code, 0) << compiled.text();
  EXPECT_EQ(compiled.out, reference.out);
}

}  // namespace
}  // namespace rhopsi::specs
