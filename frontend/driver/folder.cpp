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

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/io/atomic_file.hpp"
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

constexpr const char* aside_prefix = ".rhopsi-emit-";

// Holds a folder for as long as it is open; -1 where another process does.
int locked(const fs::path& folder, int more) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return -1;
  if (::flock(descriptor, LOCK_EX | more) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

// Folders that nobody holds are what killed processes have left.
void remove_left(const fs::path& parent) {
  std::error_code failure;
  std::vector<fs::path> left;
  for (fs::directory_iterator at(parent, failure), end; !failure && at != end;
       at.increment(failure)) {
    if (at->path().filename().string().starts_with(aside_prefix)) left.push_back(at->path());
  }
  for (const fs::path& folder : left) {
    const int descriptor = locked(folder, LOCK_NB);
    if (descriptor < 0) continue;
    fs::remove_all(folder, failure);
    ::close(descriptor);
  }
}

// The folder that is filled aside; what is left of it goes with this object.
class Aside {
 public:
  explicit Aside(const fs::path& folder) {
    const fs::path parent = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
    remove_left(parent);
    // It may be taken for one that was left as long as it is not locked.
    for (int tries = 0; descriptor_ < 0 && tries < 100; ++tries) {
      std::string name = (parent / aside_prefix).string() + "XXXXXX";
      if (::mkdtemp(name.data()) == nullptr) {
        throw fs::filesystem_error("", parent, std::error_code(errno, std::generic_category()));
      }
      path_ = name;
      descriptor_ = locked(path_, 0);
      struct stat status {};
      if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0 || status.st_nlink > 0) continue;
      ::close(descriptor_);
      descriptor_ = -1;
    }
    // mkdtemp makes folders for their owner alone.
    fs::permissions(path_, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                               fs::perms::others_read | fs::perms::others_exec);
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  ~Aside() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    if (descriptor_ >= 0) ::close(descriptor_);
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
  int descriptor_ = -1;
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

// Unchanged files keep their times, so that nothing is compiled again. True if there are only such.
bool keep_times(const fs::path& folder, const fs::path& aside, const std::vector<TextFile>& files) {
  bool all = true;
  for (const TextFile& file : files) {
    if (contents(folder / file.name) != file.text) {
      all = false;
      continue;
    }
    std::error_code ignored;
    const auto time = fs::last_write_time(folder / file.name, ignored);
    if (!ignored) fs::last_write_time(aside / file.name, time, ignored);
  }
  return all;
}

// Whether everything in the folder was written by emit: no build, nobody's own files.
bool is_all_ours(const fs::path& folder) {
  const std::set<std::string> known = listed(folder);
  std::error_code failure;
  for (fs::recursive_directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().lexically_relative(folder).generic_string();
    const bool folder_of_ours = at->is_directory() && !at->is_symlink() && !fs::is_empty(*at);
    if (!folder_of_ours && name != marker && !known.contains(name)) return false;
  }
  return !failure;
}

// The new folder in place of the old one, at once. False where that cannot be: for one that is
// linked to, the one that somebody works in, or where the file system has no such step.
bool exchange(const fs::path& folder, const fs::path& aside) {
#ifdef RENAME_EXCHANGE
  std::error_code failure;
  if (fs::is_symlink(folder, failure)) return false;
  if (fs::equivalent(folder, fs::current_path(failure), failure)) return false;
  fs::permissions(aside, fs::status(folder, failure).permissions(), failure);
  return ::renameat2(AT_FDCWD, aside.c_str(), AT_FDCWD, folder.c_str(), RENAME_EXCHANGE) == 0;
#else
  return false;
#endif
}

constexpr const char* build_file = "CMakeLists.txt";

// File by file, beside what others have there. Until all are there the folder cannot be built: what
// is half the old and half the new program would compile.
void replace(const fs::path& folder, const fs::path& aside, const std::vector<TextFile>& files) {
  std::set<std::string> old = listed(folder);
  TextFile both{marker, {}};
  for (const TextFile& file : files) old.insert(file.name);
  for (const std::string& name : old) both.text += name + "\n";
  fs::remove(folder / build_file);
  io::AtomicFile list((folder / marker).string());
  list.write(both.text);
  list.commit();
  const auto move = [&](const std::string& name) {
    fs::create_directories((folder / name).parent_path());
    fs::rename(aside / name, folder / name);
  };
  const auto is_last = [](const std::string& name) { return name == marker || name == build_file; };
  for (const TextFile& file : files) {
    old.erase(file.name);
    if (!is_last(file.name)) move(file.name);
  }
  for (const std::string& name : old) {
    std::error_code ignored;
    fs::remove(folder / name, ignored);
  }
  for (const char* name : {marker, build_file}) {
    if (fs::exists(aside / name)) move(name);
  }
}

// The list comes last.
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
    const bool here = exists && fs::equivalent(target, fs::current_path());
    const bool ours = filled && is_all_ours(target);
    const Aside aside(target);
    const auto all = with_marker(files);
    for (const TextFile& file : all) aside.write(file);
    if (!filled && !here) {
      fs::rename(aside.path(), target);
    } else if (!keep_times(target, aside.path(), all) &&
               !(ours && exchange(target, aside.path()))) {
      replace(target, aside.path(), all);
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
