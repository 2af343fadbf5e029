#include "backends/kokkos/build/cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "backends/kokkos/build/digest.hpp"

namespace rhopsi::kokkos {
namespace fs = std::filesystem;
namespace {

constexpr const char* manifest = "manifest";

tl::unexpected<Error> unusable(const fs::path& path, const std::string& why) {
  return failure("E0705", "cannot use the cache '" + path.string() + "': " + why,
                 "Another folder can be named by RHOPSI_CACHE.");
}

// What lies in the cache is executed: nobody else may put anything there.
Result<void> make_private(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder.parent_path(), code);
  if (code) return unusable(folder, code.message());
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return unusable(folder, std::strerror(errno));
  struct stat status {};
  if (lstat(folder.c_str(), &status) != 0) return unusable(folder, std::strerror(errno));
  if (!S_ISDIR(status.st_mode)) return unusable(folder, "it is not a folder");
  if (status.st_uid != geteuid()) return unusable(folder, "it belongs to somebody else");
  if ((status.st_mode & 077) != 0 && chmod(folder.c_str(), 0700) != 0)
    return unusable(folder, std::strerror(errno));
  return {};
}

// One line per file: digest, size, name.
Result<std::string> describe(const fs::path& folder) {
  std::vector<std::string> lines;
  std::error_code code;
  for (fs::recursive_directory_iterator at(folder, code), end; !code && at != end;
       at.increment(code)) {
    if (at->is_directory() || at->path().filename() == manifest) continue;
    const auto digest = digest_of(at->path());
    const auto size = fs::file_size(at->path(), code);
    if (!digest || code) return unusable(at->path(), "it cannot be read");
    lines.push_back(*digest + " " + std::to_string(size) + " " +
                    fs::relative(at->path(), folder, code).string() + "\n");
  }
  if (code) return unusable(folder, code.message());
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace

Result<CacheEntry> CacheEntry::open(const fs::path& folder, const std::string& key) {
  if (const auto made = make_private(folder); !made) return tl::unexpected<Error>(made.error());
  const fs::path lock = folder / (key + ".lock");
  const int descriptor = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return unusable(lock, std::strerror(errno));
  while (flock(descriptor, LOCK_EX) != 0) {
    if (errno == EINTR) continue;
    const int code = errno;
    ::close(descriptor);
    return unusable(lock, std::strerror(code));
  }
  return CacheEntry(folder / key, descriptor);
}

CacheEntry::CacheEntry(CacheEntry&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

CacheEntry::~CacheEntry() {
  if (lock_ >= 0) ::close(lock_);
}

fs::path CacheEntry::log() const { return path_.string() + ".log"; }

bool CacheEntry::valid() const {
  std::ifstream file(path_ / manifest, std::ios::binary);
  if (!file) return false;
  const std::string recorded{std::istreambuf_iterator<char>(file), {}};
  const Result<std::string> found = describe(path_);
  return found && !recorded.empty() && *found == recorded;
}

Result<fs::path> CacheEntry::begin() const {
  clear();
  std::error_code code;
  fs::remove(log(), code);
  std::string work = path_.string() + ".work.XXXXXX";
  if (mkdtemp(work.data()) == nullptr) return unusable(work, std::strerror(errno));
  return fs::path(work);
}

Result<void> CacheEntry::store(const fs::path& programs) const {
  const Result<std::string> text = describe(programs);
  if (!text) return tl::unexpected<Error>(text.error());
  std::ofstream file(programs / manifest, std::ios::binary);
  file << *text;
  file.close();
  if (!file) return unusable(programs, "it cannot be written");
  std::error_code code;
  fs::remove_all(path_, code);  // one that was not valid
  if (!code) fs::rename(programs, path_, code);
  if (code) return unusable(path_, code.message());
  clear();
  return {};
}

void CacheEntry::clear() const {
  const std::string prefix = path_.filename().string() + ".work.";
  std::error_code code;
  std::vector<fs::path> left;
  for (fs::directory_iterator at(path_.parent_path(), code), end; !code && at != end;
       at.increment(code))
    if (at->path().filename().string().rfind(prefix, 0) == 0) left.push_back(at->path());
  for (const fs::path& folder : left) fs::remove_all(folder, code);
}

}  // namespace rhopsi::kokkos
