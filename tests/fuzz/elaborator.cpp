#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <unistd.h>

#include "backends/primitives/primitives.hpp"
#include "engine/rewrite/interval_oracle.hpp"
#include "frontend/elaborate/elaborate.hpp"
#include "frontend/elaborate/raise.hpp"
#include "frontend/syntax/print.hpp"
#include "tests/fuzz/targets.hpp"

namespace rhopsi::fuzz {
namespace {

namespace fs = std::filesystem;

// The one file of this process, in a folder that goes when it ends.
class InputFile {
 public:
  InputFile() {
    std::string folder = (fs::temp_directory_path() / "rhopsi-fuzz-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) std::abort();
    folder_ = folder;
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string holding(std::string_view bytes) const {
    const fs::path path = folder_ / "fuzz.mg";
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
  }

 private:
  fs::path folder_;
};

elaborate::Options bounded() {
  elaborate::Options options;
  options.search_path = {RHOPSI_SOURCE_DIR "/rules"};
  options.limits.steps = 2000;
  options.limits.term_size = 20'000;
  options.limits.terms_made = 200'000;
  options.limits.bytes = std::size_t{256} << 20;
  options.limits.time = std::chrono::milliseconds(500);
  return options;
}

}  // namespace

void elaborator(std::string_view bytes) {
  static const InputFile file;
  term::Store store;
  const auto table = primitives::make_table(onf::Scalar::float64);
  rewrite::IntervalOracle oracle;
  elaborate::Workspace workspace(store, *table, oracle, bounded());
  syntax::Diagnostics diagnostics;
  const auto package = workspace.load(file.holding(bytes), diagnostics);
  if (!package) return;
  workspace.check(*package, diagnostics);
  for (const syntax::Diagnostic& each : diagnostics.all()) (void)syntax::render(each);
  for (const auto& [name, kind] : workspace.modules(*package)) {
    const auto theory = workspace.evaluate(*package, name, diagnostics);
    if (theory) (void)syntax::print(elaborate::raise(store, *theory, *package));
  }
}

}  // namespace rhopsi::fuzz
