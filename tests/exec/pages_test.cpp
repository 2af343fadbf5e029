// The documentation: each block of each page is carried out, and each link leads somewhere.
#include "tests/exec/pages.hpp"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace rhopsi::exec {
namespace {

namespace fs = std::filesystem;

// Those that are read in the repository speak of its folders by their names.
struct Named {
  const char* name;
  std::vector<std::string> links;
};

void PrintTo(const Named& page, std::ostream* out) { *out << page.name; }

const std::vector<Named>& pages() {
  static const std::vector<std::string> all{"specs", "rules", "tests", "docs"};
  static const std::vector<Named> found{
      {"README.md", all},
      {"rules/README.md", {"rules"}},
      {"specs/README.md", {"specs"}},
      {"backends/kokkos/README.md", {"specs", "rules"}},
      {"docs/README.md", {}},
      {"docs/architecture.md", {"tests"}},
      {"docs/burgers.md", all},
      {"docs/calling.md", all},
      {"docs/cli.md", all},
      {"docs/errors.md", {}},
      {"docs/language.md", all},
      {"docs/tutorial.md", {}},
      {"docs/howto/axioms.md", {}},
      {"docs/howto/calling.md", {}},
      {"docs/howto/fast.md", {}},
      {"docs/howto/gpu.md", {}},
      {"docs/howto/library.md", {}},
      {"docs/howto/operation.md", {}},
      {"docs/howto/recipe.md", {}},
      {"docs/howto/refusals.md", {}},
  };
  return found;
}

class Pages : public testing::TestWithParam<Named> {};

TEST_P(Pages, SayWhatIsSo) {
  const bool updating = std::getenv("UPDATE_GOLDEN") != nullptr;
  if (GetParam().name == std::string("docs/howto/calling.md")) install();
  Page(GetParam().name, GetParam().links).run(updating);
  if (updating) GTEST_SKIP() << "what the page shows as output was written anew where it differed";
}

std::string test_name(const testing::TestParamInfo<Named>& page) {
  return std::regex_replace(std::string(page.param.name), std::regex("[^A-Za-z]"), "_");
}

INSTANTIATE_TEST_SUITE_P(Documentation, Pages, testing::ValuesIn(pages()), test_name);

std::vector<std::string> names_of_pages() {
  std::vector<std::string> names;
  for (const Named& each : pages()) names.emplace_back(each.name);
  return names;
}

TEST(PagesTest, EveryPageIsRun) {
  const std::vector<std::string> names = names_of_pages();
  for (const char* folder : {"docs", "docs/howto"}) {
    for (const auto& entry : fs::directory_iterator(source(folder))) {
      if (entry.path().extension() != ".md") continue;
      const std::string name = std::string(folder) + "/" + entry.path().filename().string();
      EXPECT_TRUE(std::ranges::count(names, name)) << name;
    }
  }
}

// The text of a page without its blocks.
std::string prose(const std::string& name) {
  std::string text;
  for (const driver::PagePart& part : driver::page_parts(read(source(name))))
    if (!part.block) text += part.text + "\n";
  return text;
}

// As GitHub makes it of a heading.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_')
      anchor += static_cast<char>(std::tolower(byte));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

std::set<std::string> anchors_of(const std::string& page) {
  std::set<std::string> anchors;
  for (const std::string& line : lines(page)) {
    static const std::regex heading("#+ (.*)");
    std::smatch found;
    if (std::regex_match(line, found, heading)) anchors.insert(anchor_of(found[1]));
  }
  return anchors;
}

TEST(PagesTest, EveryLinkLeadsSomewhere) {
  std::size_t seen = 0;
  for (const std::string& name : names_of_pages()) {
    const std::string text = std::regex_replace(prose(name), std::regex("`[^`]*`"), "");
    static const std::regex link(R"(\]\(([^)#]*)(#[^)]*)?\))");
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      const std::string to = (*at)[1];
      if (to.starts_with("http")) continue;
      ++seen;
      const fs::path file =
          to.empty() ? fs::path(source(name)) : fs::path(source(name)).parent_path() / to;
      EXPECT_TRUE(fs::exists(file)) << name << ": " << (*at)[0];
      const std::string anchor = (*at)[2];
      if (anchor.empty()) continue;
      EXPECT_TRUE(anchors_of(read(file.string())).contains(anchor.substr(1)))
          << name << ": " << (*at)[0];
    }
  }
  EXPECT_GT(seen, 40U);
}

// The options of each command, as its completion has them.
std::map<std::string, std::set<std::string>> options() {
  std::map<std::string, std::set<std::string>> found;
  static const std::regex line("    ([a-z-]+)\\) options='([^']*)'.*");
  for (const std::string& each : lines(rhopsi({"completion", "bash"}).out)) {
    std::smatch parts;
    if (!std::regex_match(each, parts, line)) continue;
    std::istringstream words(parts[2]);
    for (std::string word; words >> word;) found[parts[1]].insert(word);
  }
  return found;
}

// Commands within a line of text are not carried out, but what they say exists.
TEST(PagesTest, CommandsInProseHaveTheirOptions) {
  const auto known = options();
  ASSERT_GT(known.size(), 15U);
  std::size_t seen = 0;
  for (const std::string& name : names_of_pages()) {
    const std::string text = prose(name);
    static const std::regex quoted("`rhopsi ([a-z][a-z-]*)([^`]*)`");
    for (std::sregex_iterator at(text.begin(), text.end(), quoted), end; at != end; ++at) {
      const auto command = known.find((*at)[1]);
      ASSERT_NE(command, known.end()) << name << ": " << (*at)[0];
      std::istringstream words((*at)[2]);
      for (std::string word; words >> word;) {
        if (!word.starts_with("-") || word.ends_with("\"")) continue;
        ++seen;
        EXPECT_TRUE(command->second.contains(word)) << name << ": " << (*at)[0];
      }
    }
  }
  EXPECT_GT(seen, 20U);
}

// docs/cli.md is the reference: it names each option of each command in the part about it, or
// above.
TEST(PagesTest, EveryOptionIsInTheReference) {
  const std::string reference = read(source("docs/cli.md"));
  for (const auto& [command, all] : options()) {
    for (const std::string& option : all) {
      if (option == "-h" || option == "--help") continue;
      EXPECT_NE(reference.find(option), std::string::npos) << command << " " << option;
    }
  }
}

// A page that says what is not so is found out; one that says what is so is not.
TEST(PagesTest, WhatIsNotSoIsFound) {
  const Folder folder;
  const auto carry_out = [&](const std::string& text) {
    Page(folder.write("page.md", text), {}).run(false);
  };
  carry_out("```text a.txt\nb\n```\n\n```console\n$ mkdir c && cd c\n$ cat ../a.txt\nb\n```\n");
  EXPECT_NONFATAL_FAILURE(carry_out("```console\n$ echo a\nb\n```\n"), "$ echo a");
  EXPECT_NONFATAL_FAILURE(carry_out("```console\n$ false\n```\n"), "$ false");
  carry_out("```console\n$ false\n$ echo $?\n1\n```\n");
  EXPECT_NONFATAL_FAILURE(carry_out("```\nwhat?\n```\n"), "says nothing of what it is");
  EXPECT_NONFATAL_FAILURE(carry_out("```text not run\nwhy?\n```\n"), "says nothing of what it is");
  EXPECT_NONFATAL_FAILURE(carry_out("```mg\ntype T\n```\n"), "E0114");
  carry_out("```mg\ntype T;\n```\n\n```mg\nschedule s = { drop; };\n```\n");
  EXPECT_NONFATAL_FAILURE(carry_out("```text a.txt\na\n```\n\n```text part of a.txt\nb\n```\n"),
                          "does not hold");
  EXPECT_NONFATAL_FAILURE(carry_out("```text added to a.txt\na\n```\n"), "a.txt");
}

// What `rhopsi new` writes has a page, too; tests/install builds the project.
TEST(PagesTest, CommandsOfANewProjectSucceed) {
  const Folder folder;
  Conditions here;
  here.folder = folder.path();
  ASSERT_EQ(rhopsi({"new", "ripple"}, here).exit_code, 0);
  here.folder = folder.path() / "ripple";
  std::size_t seen = 0;
  for (const driver::PagePart& part : driver::page_parts(read(folder / "ripple/README.md"))) {
    for (const std::string& line : part.block ? lines(part.text) : std::vector<std::string>{}) {
      if (!line.starts_with("rhopsi ")) continue;
      ++seen;
      const Outcome outcome =
          execute("bash", {"-c", std::string(RHOPSI_BINARY) + line.substr(6)}, here);
      EXPECT_EQ(outcome.exit_code, 0) << line << outcome.text();
    }
  }
  EXPECT_EQ(seen, 4U);
}

TEST(PagesTest, OutputIsComparedLineByLine) {
  EXPECT_TRUE(matches("a\nb\n", "a\nb\n"));
  EXPECT_FALSE(matches("a\n", "a\nb\n"));
  EXPECT_FALSE(matches("a\nb\n", "a\n"));
  EXPECT_FALSE(matches("", "a\n"));
  EXPECT_TRUE(matches("a\n...\nd\n", "a\nb\nc\nd\n"));
  EXPECT_TRUE(matches("a\n...\n", "a\n"));
  EXPECT_FALSE(matches("a\n...\ne\n", "a\nb\nd\n"));
  EXPECT_TRUE(matches("left ...\n", "left and right\n"));
  EXPECT_FALSE(matches("left ...\n", "right\n"));
}

}  // namespace
}  // namespace rhopsi::exec
