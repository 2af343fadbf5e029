// What holds of the source tree as a whole.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<fs::path> sources_below(const std::vector<std::string>& folders) {
  std::vector<fs::path> found;
  for (const std::string& folder : folders) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(RHOPSI_SOURCE_DIR) / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".cpp" || extension == ".hpp") found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::set<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    found.insert((*match)[1]);
  }
  return found;
}

TEST(Structure, EveryCodeOfADiagnosticIsDocumentedAndEveryDocumentedOneIsUsed) {
  std::set<std::string> used;
  for (const fs::path& path : sources_below({"engine", "frontend", "backends"})) {
    used.merge(matches(text_of(path), std::regex("\"(E0[0-9]{3})\"")));
  }
  const auto documented = matches(text_of(fs::path(RHOPSI_SOURCE_DIR) / "docs" / "errors.md"),
                                  std::regex("\\| (E0[0-9]{3}) \\|"));
  EXPECT_FALSE(used.empty());
  EXPECT_EQ(used, documented);
}

// The table is what the pages say at their heads.
TEST(Structure, EveryCodeHasAPageOfItsMeaning) {
  const fs::path docs = fs::path(RHOPSI_SOURCE_DIR) / "docs";
  std::set<std::string> rows;
  std::istringstream table(text_of(docs / "errors.md"));
  for (std::string line; std::getline(table, line);) {
    std::smatch row;
    if (!std::regex_match(line, row, std::regex("\\| (E0[0-9]{3}) \\| (.*) \\|"))) continue;
    rows.insert(row[1].str() + ": " + std::regex_replace(row[2].str(), std::regex(R"(\\\|)"), "|"));
  }
  std::set<std::string> heads;
  for (const auto& entry : fs::directory_iterator(docs / "errors")) {
    const std::string text = text_of(entry.path());
    const std::string head = text.substr(2, text.find('\n') - 2);
    EXPECT_EQ(head.substr(0, 5), entry.path().stem().string());
    heads.insert(head);
  }
  EXPECT_EQ(rows, heads);
}

// What an operation means stands in rules/ and in the backends' tables.
TEST(Structure, TheEngineKnowsNoOperationOfTheLibrary) {
  const auto names = matches(
      text_of(fs::path(RHOPSI_SOURCE_DIR) / "rules" / "backend" / "kokkos.mg"),
      std::regex("\n *(?:require )?(?:function|procedure|predicate) ([A-Za-z][A-Za-z0-9]*)\\("));
  ASSERT_TRUE(names.contains("rotate"));
  // Ordinary words of English and of C++ say nothing.
  const std::set<std::string> words{"abs",  "cos",  "exp",     "log",      "max",
                                    "min",  "pow",  "sin",     "select",   "inside",
                                    "sqrt", "tanh", "element", "schedule", "padding"};
  for (const fs::path& path : sources_below({"engine", "frontend"})) {
    const std::string text = std::regex_replace(text_of(path), std::regex("//[^\n]*"), "");
    for (const std::string& name : matches(text, std::regex("\\b([A-Za-z][A-Za-z0-9]*)\\b"))) {
      EXPECT_FALSE(names.contains(name) && !words.contains(name))
          << path << " names the operation " << name;
    }
  }
}

// Neither by a text: names of all files of rules, those that renamings give included.
TEST(Structure, TheEngineSpellsNoOperationOfTheLibrary) {
  std::set<std::string> names;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(RHOPSI_SOURCE_DIR) / "rules")) {
    if (entry.path().extension() != ".mg") continue;
    const std::string text = text_of(entry.path());
    names.merge(
        matches(text, std::regex("(?:function|procedure|predicate) ([A-Za-z][A-Za-z0-9_]*)\\(")));
    names.merge(matches(text, std::regex("=> ([A-Za-z][A-Za-z0-9_]*)")));
  }
  for (const std::string known : {"take", "drop", "cat", "reshape", "transpose", "gather", "update",
                                  "matmul", "pad_circular", "outer_mul", "inner_add_mul", "iota"}) {
    EXPECT_TRUE(names.contains(known)) << known;
  }
  // Steps of schedules, scalar functions, kinds of terms and words of reports.
  const std::set<std::string> words{
      "Int",    "Real",    "a",       "abs",     "all",  "any", "array", "at",      "convert",
      "cos",    "drop",    "element", "entry",   "exp",  "f",   "index", "integer", "log",
      "max",    "maximum", "min",     "minimum", "pad",  "pow", "real",  "product", "schedule",
      "select", "shape",   "sin",     "size",    "sqrt", "sum", "tanh"};
  for (const fs::path& path : sources_below({"engine", "frontend"})) {
    const std::string text = std::regex_replace(text_of(path), std::regex("//[^\n]*"), "");
    for (const std::string& spelled : matches(text, std::regex("\"([A-Za-z][A-Za-z0-9_]*)\""))) {
      EXPECT_FALSE(names.contains(spelled) && !words.contains(spelled))
          << path << " spells the operation " << spelled;
    }
  }
}

TEST(Structure, TheMachineryKnowsNoProgram) {
  const std::regex program("burgers|substep", std::regex::icase);
  for (const fs::path& path : sources_below({"engine", "frontend", "backends"})) {
    EXPECT_FALSE(std::regex_search(text_of(path), program)) << path;
  }
}

// The checker of derivations shares nothing with what makes them.
TEST(Structure, TheCheckerSeesTermsAlone) {
  const auto includes = [](const fs::path& path) {
    return matches(text_of(path), std::regex("#include \"((?:engine|frontend|backends)/[^\"]*)\""));
  };
  int seen = 0;
  for (const fs::path& path : sources_below({"engine/check"})) {
    ++seen;
    for (const std::string& header : includes(path)) {
      EXPECT_TRUE(header.starts_with("engine/check/") || header.starts_with("engine/term/"))
          << path << " includes " << header;
    }
    // Matching and comparing are its own; what it may use of operations.hpp is printing.
    EXPECT_FALSE(std::regex_search(text_of(path), std::regex("\\b(alpha_equal|instantiate)\\(")))
        << path;
  }
  EXPECT_GT(seen, 10);
  for (const fs::path& path : sources_below({"engine"})) {
    if (path.string().find("engine/check/") != std::string::npos) continue;
    for (const std::string& header : includes(path)) {
      EXPECT_FALSE(header.starts_with("engine/check/")) << path << " includes " << header;
    }
  }
  // And nothing of a solver, but for the interface that a caller may hand in.
  const std::string links = text_of(fs::path(RHOPSI_SOURCE_DIR) / "engine/check/CMakeLists.txt");
  EXPECT_EQ(links.find("rhopsi::rewrite"), std::string::npos);
  EXPECT_EQ(links.find("rhopsi::smt"), std::string::npos);
}

}  // namespace
