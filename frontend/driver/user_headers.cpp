#include "frontend/driver/user_headers.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>

#include "frontend/driver/codes.hpp"
#include "frontend/driver/locations.hpp"
#include "frontend/driver/nearest.hpp"

namespace rhopsi::driver {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> contents(const fs::path& path) {
  std::error_code failure;
  if (!fs::is_regular_file(path, failure)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

// The names in `#include "name"` lines; one too many (in a comment) does no harm.
std::vector<std::string> quoted_includes(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "#") words >> word;
    if (word != "#include" && word != "include") continue;
    words >> word;
    if (word.size() > 2 && word.front() == '"' && word.back() == '"') {
      names.push_back(word.substr(1, word.size() - 2));
    }
  }
  return names;
}

class Collection {
 public:
  std::vector<TextFile> take() && { return std::move(files_); }

  // `name` is relative to the emitted folder, `path` where it lies now. What a header
  // includes from outside the folder of the first one stays outside.
  void add(const fs::path& name, const fs::path& path) {
    const std::string normal = name.lexically_normal().generic_string();
    if (normal.rfind("..", 0) == 0 || name.is_absolute()) return;
    const auto text = contents(path);
    if (!text || !seen_.insert(normal).second) return;
    files_.push_back({normal, *text, fs::absolute(path).lexically_normal().string()});
    for (const std::string& include : quoted_includes(*text)) {
      add(name.parent_path() / include, path.parent_path() / include);
    }
  }

 private:
  std::set<std::string> seen_;
  std::vector<TextFile> files_;
};

}  // namespace

std::vector<TextFile> user_headers(Session& session, const onf::Module& module,
                                   const std::vector<std::string>& include,
                                   syntax::Diagnostics& diagnostics) {
  Collection collection;
  for (const onf::External& external : module.externals) {
    std::vector<std::string> folders = search_path(include);
    const fs::path beside = fs::path(session.store()[external.location].file).parent_path();
    folders.insert(folders.begin(), beside.empty() ? "." : beside.string());
    bool found = false;
    for (const std::string& folder : folders) {
      const fs::path path = fs::path(folder) / external.header;
      if (found || !contents(path)) continue;
      collection.add(external.header, path);
      found = true;
    }
    if (found) continue;
    diagnostics.error(codes::header_missing, session.span(external.location),
                      "the header \"" + external.header + "\" was not found",
                      "searched: " + enumerate(folders) + "; name its folder with -I");
  }
  return std::move(collection).take();
}

}  // namespace rhopsi::driver
