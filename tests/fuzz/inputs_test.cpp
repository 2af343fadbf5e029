// Every input that is kept, of the corpora and of what has gone wrong once, by every target.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <gtest/gtest.h>

#include "tests/fuzz/targets.hpp"

namespace rhopsi::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> inputs(const std::string& kind, const std::string& target) {
  std::vector<fs::path> found;
  std::error_code none;  // nothing has gone wrong yet
  const fs::path folder = fs::path(RHOPSI_SOURCE_DIR "/tests/fuzz") / kind / target;
  for (const auto& entry : fs::directory_iterator(folder, none)) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Inputs : public testing::TestWithParam<Target> {};

TEST_P(Inputs, AreTakenWithoutHarm) {
  std::size_t taken = 0;
  for (const char* const kind : {"corpus", "regressions"}) {
    for (const fs::path& path : inputs(kind, GetParam().name)) {
      SCOPED_TRACE(path.string());
      EXPECT_NO_THROW(GetParam().run(content(path)));
      ++taken;
    }
  }
  EXPECT_GT(taken, 0U);
}

// Nothing that is empty, and no half of what is whole, is a surprise.
TEST_P(Inputs, AreTakenInPart) {
  GetParam().run("");
  for (const fs::path& path : inputs("corpus", GetParam().name)) {
    const std::string whole = content(path);
    for (std::size_t part = 1; part < 8; ++part) {
      SCOPED_TRACE(path.string() + " " + std::to_string(part) + "/8");
      EXPECT_NO_THROW(GetParam().run(std::string_view(whole).substr(0, whole.size() * part / 8)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Inputs, testing::ValuesIn(targets()),
                         [](const auto& each) { return std::string(each.param.name); });

// Of short texts with other tokens.
TEST(Mutations, AreTakenWithoutHarm) {
  const bool more = std::getenv("RHOPSI_TEST_SEEDS") != nullptr;
  std::set<std::string> seen;
  for (const Target& target : targets()) {
    const std::string name = target.name;
    if (name != "parser" && name != "elaborator") continue;
    for (const fs::path& path : inputs("corpus", name)) {
      const std::string text = content(path);
      for (unsigned seed = 0; seed < (more ? 200 : 10); ++seed) {
        const std::string other = mutated(text, seed);
        SCOPED_TRACE(other);
        EXPECT_NO_THROW(target.run(other));
        seen.insert(other);
      }
    }
  }
  EXPECT_GT(seen.size(), 10U);
}

}  // namespace
}  // namespace rhopsi::fuzz
