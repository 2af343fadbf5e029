// Golden diagnostics: tests/errors/NAME.mg is package NAME, NAME.expected holds what
// elaborating it reports. UPDATE_GOLDEN=1 rewrites them and counts as skipped. Files
// that are only imported stand in the folder `imports`.
#include <cstdlib>
#include <set>
#include <sstream>

#include "tests/unit/elaborate_modules/fixture.hpp"

namespace rhopsi::elaborate {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Relative paths, so that messages do not depend on where the repository stands.
class WorkingFolder {
 public:
  explicit WorkingFolder(const fs::path& folder) : before_(fs::current_path()) {
    fs::current_path(folder);
  }
  ~WorkingFolder() { fs::current_path(before_); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  fs::path before_;
};

std::string report(const std::string& file) {
  term::Store store;
  FakeTable table;
  rewrite::IntervalOracle oracle;
  Workspace workspace(store, table, oracle, {.search_path = {"imports"}, .limits = {}});
  syntax::Diagnostics diagnostics;
  if (const auto package = workspace.load(file, diagnostics)) {
    workspace.check(*package, diagnostics);
  }
  std::string text;
  for (const auto& each : diagnostics.all()) text += render(each) + "\n";
  return text;
}

TEST(Errors, AreAsExpected) {
  const fs::path folder = fs::path(RHOPSI_SOURCE_DIR) / "tests" / "errors";
  const WorkingFolder here(folder);
  const char* update = std::getenv("UPDATE_GOLDEN");
  std::set<std::string> inputs;
  std::set<std::string> goldens;
  for (const auto& entry : fs::directory_iterator(".")) {
    if (entry.path().extension() == ".mg") inputs.insert(entry.path().stem().string());
    if (entry.path().extension() == ".expected") goldens.insert(entry.path().stem().string());
  }
  ASSERT_FALSE(inputs.empty());
  for (const std::string& name : inputs) {
    const std::string reported = report(name + ".mg");
    EXPECT_FALSE(reported.empty()) << name << ".mg has no errors";
    if (update != nullptr) {
      std::ofstream(name + ".expected", std::ios::binary) << reported;
      continue;
    }
    if (!goldens.contains(name)) {
      ADD_FAILURE() << name << ".expected is missing";
      continue;
    }
    EXPECT_EQ(reported, read(name + ".expected")) << name << ".mg";
  }
  for (const std::string& name : goldens) {
    EXPECT_TRUE(inputs.contains(name)) << name << ".expected has no input";
  }
  if (update != nullptr) GTEST_SKIP() << "golden files were rewritten";
}

}  // namespace
}  // namespace rhopsi::elaborate
