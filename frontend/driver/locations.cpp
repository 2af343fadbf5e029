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

bool skipped(const fs::path& folder) {
  std::error_code failure;
  const std::string name = folder.filename().string();
  return (name.size() > 1 && name.front() == '.' && name != "..") ||
         fs::exists(folder / "CMakeCache.txt", failure);
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
    } else if (walk->path().extension() == ".mg") {
      files.push_back(walk->path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace rhopsi::driver
