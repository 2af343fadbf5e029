#include "frontend/driver/folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>

#include <stdlib.h>

#include "backends/io/error.hpp"
#include "frontend/driver/codes.hpp"

namespace rhopsi::driver {
namespace {

namespace fs = std::filesystem;

constexpr const char* marker = ".rhopsi-folder";

std::optional<std::string> contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

// The folder that is filled aside; what is left of it goes with this object.
class Aside {
 public:
  explicit Aside(const fs::path& folder) {
    const fs::path parent = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
    std::string name = (parent / ".rhopsi-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw fs::filesystem_error("", parent, std::error_code(errno, std::generic_category()));
    }
    path_ = name;
    // mkdtemp makes folders for their owner alone.
    fs::permissions(path_, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                               fs::perms::others_read | fs::perms::others_exec);
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  ~Aside() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  const fs::path& path() const { return path_; }

  // Nobody sees these files before the folder is complete, and what a crash of the system loses
  // is emitted again: none of them is forced to the disk, which would take most of the time.
  void write(const TextFile& file) const {
    const fs::path path = path_ / file.name;
    fs::create_directories(path.parent_path());
    errno = 0;
    std::ofstream stream(path, std::ios::binary);
    stream << file.text;
    stream.close();
    if (!stream) throw io::Error("write", path.string(), std::strerror(errno));
  }

 private:
  fs::path path_;
};

std::set<std::string> listed(const fs::path& folder) {
  std::set<std::string> names;
  std::istringstream lines(contents(folder / marker).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    // The list is a file that anyone can edit: it must not lead out of the folder.
    const fs::path name = line;
    const bool inside = !name.empty() && name.is_relative() &&
                        std::find(name.begin(), name.end(), "..") == name.end();
    if (inside) names.insert(line);
  }
  return names;
}

void replace(const fs::path& folder, const fs::path& aside, const std::vector<TextFile>& files) {
  std::set<std::string> old = listed(folder);
  for (const TextFile& file : files) {
    old.erase(file.name);
    // Unchanged files keep their times, so that nothing is compiled again.
    if (contents(folder / file.name) == file.text) continue;
    fs::create_directories((folder / file.name).parent_path());
    fs::rename(aside / file.name, folder / file.name);
  }
  for (const std::string& name : old) {
    std::error_code ignored;
    fs::remove(folder / name, ignored);
  }
}

std::vector<TextFile> with_marker(std::vector<TextFile> files) {
  TextFile list{marker, {}};
  for (const TextFile& file : files) list.text += file.name + "\n";
  files.push_back(std::move(list));
  return files;
}

// A trailing slash would make a folder its own parent.
fs::path named(const std::string& folder) {
  const fs::path target = fs::path(folder).lexically_normal();
  return target.has_filename() ? target : target.parent_path();
}

// What `write` throws becomes a diagnostic.
template <class Write>
bool reported(const std::string& folder, syntax::Diagnostics& diagnostics, const Write& write) {
  try {
    return write();
  } catch (const fs::filesystem_error& error) {
    diagnostics.error(codes::unwritable, {},
                      "cannot write '" + folder + "': " + error.code().message(),
                      "its parent must be a folder that you may write to");
  } catch (const io::Error& error) {
    diagnostics.error(codes::write_failed, {}, error.what(), "nothing was changed");
  }
  return false;
}

}  // namespace

bool write_folder(const std::string& folder, const std::vector<TextFile>& files, bool force,
                  syntax::Diagnostics& diagnostics) {
  return reported(folder, diagnostics, [&] {
    const fs::path target = named(folder);
    const bool exists = fs::exists(target);
    if (exists && !fs::is_directory(target)) {
      diagnostics.error(codes::unwritable, {}, "'" + folder + "' is not a folder",
                        "name another folder with -o");
      return false;
    }
    const bool filled = exists && !fs::is_empty(target);
    if (filled && !force && !fs::exists(target / marker)) {
      diagnostics.error(codes::foreign_folder, {},
                        "the folder '" + folder + "' holds files that emit did not write",
                        "name another folder, or say --force to write among them");
      return false;
    }
    const Aside aside(target);
    const auto all = with_marker(files);
    for (const TextFile& file : all) aside.write(file);
    if (filled) {
      replace(target, aside.path(), all);
    } else {
      fs::rename(aside.path(), target);
    }
    return true;
  });
}

bool create_folder(const std::string& folder, const std::vector<TextFile>& files,
                   syntax::Diagnostics& diagnostics) {
  return reported(folder, diagnostics, [&] {
    const fs::path target = named(folder);
    if (fs::exists(fs::symlink_status(target))) {
      diagnostics.error(codes::foreign_folder, {}, "'" + folder + "' exists", "take another name");
      return false;
    }
    const Aside aside(target);
    for (const TextFile& file : files) aside.write(file);
    fs::rename(aside.path(), target);
    return true;
  });
}

}  // namespace rhopsi::driver
