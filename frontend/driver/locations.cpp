#include "frontend/driver/locations.hpp"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace rhopsi::driver {
namespace fs = std::filesystem;

fs::path executable_folder() {
  std::error_code failure;
  const fs::path executable = fs::read_symlink("/proc/self/exe", failure);
  return failure ? fs::path() : executable.parent_path();
}

fs::path installed_share() {
  return (executable_folder() / ".." / "share" / "rhopsi").lexically_normal();
}

fs::path rule_library() {
  std::error_code failure;
  fs::path installed = installed_share() / "rules";
  if (fs::is_directory(installed, failure)) return installed;
  return RHOPSI_RULES_DIR;
}

std::vector<std::string> search_path(const std::vector<std::string>& include) {
  std::vector<std::string> folders = include;
  if (const char* variable = std::getenv("RHOPSI_PATH")) {
    const std::string_view list = variable;
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(':', begin), list.size());
      if (end > begin) folders.emplace_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  folders.push_back(rule_library().string());
  return folders;
}

namespace {

// The name of an absolute path from the rule library's folder; empty for one that lies elsewhere.
std::string name_in_library(const fs::path& file) {
  std::error_code failure;
  const std::string name =
      file.lexically_relative(fs::absolute(rule_library(), failure).lexically_normal()).string();
  return name.rfind("..", 0) == 0 ? std::string() : name;
}

}  // namespace

bool in_rule_library(const std::string& path) {
  std::error_code failure;
  const fs::path file = fs::absolute(path, failure).lexically_normal();
  return !failure && !name_in_library(file).empty();
}

std::string shown_path(const std::string& path) {
  std::error_code failure;
  const fs::path file = fs::absolute(path, failure).lexically_normal();
  if (failure) return path;
  const std::string in_library = name_in_library(file);
  if (!in_library.empty()) return "rules/" + in_library;
  const std::string from_here = file.lexically_relative(fs::current_path(failure)).string();
  return !failure && !from_here.empty() && from_here.size() < path.size() ? from_here : path;
}

namespace {

bool skipped(const fs::path& folder) {
  std::error_code failure;
  const std::string name = folder.filename().string();
  return (name.size() > 1 && name.front() == '.' && name != "..") ||
         fs::exists(folder / "CMakeCache.txt", failure);
}

// A pipe or a device that happens to be called so; a link that leads nowhere is a mistake to tell.
bool is_no_text(const fs::directory_entry& entry) {
  std::error_code failure;
  return entry.exists(failure) && !entry.is_regular_file(failure);
}

}  // namespace

std::vector<std::string> source_files(const std::string& path) {
  std::error_code failure;
  if (!fs::is_directory(path, failure)) {
    return fs::exists(path, failure) ? std::vector<std::string>{path} : std::vector<std::string>{};
  }
  std::vector<std::string> files;
  fs::recursive_directory_iterator walk(path, fs::directory_options::skip_permission_denied,
                                        failure);
  for (; !failure && walk != fs::recursive_directory_iterator(); walk.increment(failure)) {
    std::error_code ignored;
    if (walk->is_directory(ignored)) {
      if (skipped(walk->path())) walk.disable_recursion_pending();
    } else if (walk->path().extension() == ".mg" && !is_no_text(*walk)) {
      files.push_back(walk->path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace rhopsi::driver
