// Files that appear whole or not at all: written aside in the same folder, then renamed.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.hpp"

namespace rhopsi::io {

// Usage: write() as often as needed, then commit(). Without a commit, also when an
// exception passes by or the process is killed, what was at `path` stays, and nothing is left
// behind: where the file system can do so, the temporary file has no name before it is whole. A
// link is followed, an existing file keeps its permissions. Everything throws Error.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path) : path_(path) {
    try {
      resolve_target();
      open_temporary();
    } catch (const std::filesystem::filesystem_error& error) {
      fail(error.code().message());
    }
  }
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile() { discard(); }

  void write(const void* bytes, std::size_t count) {
    if (count < buffer_size) {
      buffer_.append(static_cast<const char*>(bytes), count);
      if (buffer_.size() >= buffer_size) flush();
      return;
    }
    flush();
    write_through(static_cast<const char*>(bytes), count);
  }

  void write(const std::string& text) { write(text.data(), text.size()); }

  void commit() {
    flush();
    if (::fsync(descriptor_) != 0 && errno != EINVAL) fail_with_errno();
    if (temporary_.empty()) give_name();
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail_with_errno();
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail_with_errno();
    temporary_.clear();
    sync_folder();
  }

 private:
  static constexpr std::size_t buffer_size = std::size_t{1} << 16;

  void resolve_target() {
    namespace fs = std::filesystem;
    target_ = path_;
    // At most as many links as the system itself would follow.
    for (int links = 0; fs::is_symlink(target_); ++links) {
      if (links == 40) fail("too many symbolic links");
      const fs::path next = fs::read_symlink(target_);
      target_ = next.is_absolute() ? next : fs::path(target_).parent_path() / next;
    }
    const fs::file_status status = fs::status(target_);
    if (fs::is_directory(status)) fail("it is a folder");
    if (fs::exists(status) && !fs::is_regular_file(status)) fail("it is not a regular file");
    if (target_.filename().empty()) fail("the name of a file is missing");
    exists_ = fs::exists(status);
  }

  std::filesystem::path folder() const {
    const std::filesystem::path parent = target_.parent_path();
    return parent.empty() ? std::filesystem::path(".") : parent;
  }

  std::string open_file() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

  static std::string temporary_name(std::random_device& random) {
    const std::uint64_t number = (static_cast<std::uint64_t>(random()) << 32) | random();
    char name[32];
    std::snprintf(name, sizeof name, ".%016llx.part", static_cast<unsigned long long>(number));
    return name;
  }

  void open_temporary() {
#ifdef O_TMPFILE
    descriptor_ = ::open(folder().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#endif
    // It gets its name through /proc.
    if (descriptor_ >= 0 && ::access(open_file().c_str(), F_OK) != 0) {
      ::close(descriptor_);
      descriptor_ = -1;
    }
    if (descriptor_ < 0) open_named();
    struct stat old {};
    if (exists_ && ::stat(target_.c_str(), &old) == 0 &&
        ::fchmod(descriptor_, old.st_mode & 07777) != 0) {
      fail_with_errno();
    }
  }

  void open_named() {
    std::random_device random;
    for (int attempt = 0; attempt < 100; ++attempt) {
      temporary_ = (folder() / temporary_name(random)).string();
      descriptor_ = ::open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
      if (descriptor_ >= 0) return;
      if (errno == EEXIST) continue;
      temporary_.clear();
      fail_with_errno();
    }
    temporary_.clear();
    fail("no free name for a temporary file");
  }

  // Of a file without one: only a name can be renamed over another file.
  void give_name() {
    std::random_device random;
    for (int attempt = 0; attempt < 100; ++attempt) {
      const std::string name = (folder() / temporary_name(random)).string();
      if (::linkat(AT_FDCWD, open_file().c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
        temporary_ = name;
        return;
      }
      if (errno != EEXIST) fail_with_errno();
    }
    fail("no free name for a temporary file");
  }

  void flush() {
    write_through(buffer_.data(), buffer_.size());
    buffer_.clear();
  }

  void write_through(const char* bytes, std::size_t count) {
    while (count > 0) {
      const ::ssize_t written = ::write(descriptor_, bytes, count);
      if (written < 0) {
        if (errno == EINTR) continue;
        fail_with_errno();
      }
      bytes += written;
      count -= static_cast<std::size_t>(written);
    }
  }

  // The new name is on disk only when the folder is. Not every file system can do this.
  void sync_folder() {
    const int descriptor = ::open(folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
  }

  void discard() noexcept {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    temporary_.clear();
  }

  [[noreturn]] void fail_with_errno() {
    const int code = errno;
    fail(std::generic_category().message(code));
  }

  [[noreturn]] void fail(const std::string& reason) {
    discard();
    throw Error("write", path_, reason);
  }

  std::string path_;
  std::filesystem::path target_;
  std::string temporary_;
  std::string buffer_;
  int descriptor_ = -1;
  bool exists_ = false;
};

}  // namespace rhopsi::io
