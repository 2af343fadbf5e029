#include "frontend/driver/project.hpp"

#include <algorithm>
#include <cctype>

namespace rhopsi::driver {

// Those of project/, where NAME stands for the name.
const std::vector<TextFile>& project_files();

namespace {

std::string named(std::string text, const std::string& name) {
  for (std::size_t at = 0; (at = text.find("NAME", at)) != std::string::npos; at += name.size())
    text.replace(at, 4, name);
  return text;
}

}  // namespace

std::vector<TextFile> new_project(const std::string& name) {
  std::vector<TextFile> files;
  for (const TextFile& file : project_files())
    files.push_back({named(file.name, name), named(file.text, name)});
  files.push_back({".gitignore", "build/\n*.npy\n"});
  return files;
}

bool is_project_name(const std::string& name) {
  return !name.empty() && std::islower(static_cast<unsigned char>(name.front())) != 0 &&
         std::ranges::all_of(name, [](unsigned char c) {
           return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
         });
}

}  // namespace rhopsi::driver
