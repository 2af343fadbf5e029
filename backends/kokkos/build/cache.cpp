#include "backends/kokkos/build/cache.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/kokkos/build/digest.hpp"

namespace rhopsi::kokkos {
namespace fs = std::filesystem;
namespace {

constexpr const char* manifest = "manifest";

tl::unexpected<Error> unusable(const fs::path& path, const std::string& why) {
  return failure("E0705", "cannot use the cache '" + path.string() + "': " + why,
                 "Another folder can be named by RHOPSI_CACHE.");
}

// What CMake and Ninja cannot have in the path of a folder that they build in, or an empty text.
std::string unbuildable(const fs::path& folder) {
  const std::string path = folder.string();
  for (const char c : path) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t') return "a control character";
    if (std::strchr("\";\\|", c) != nullptr) return std::string("'") + c + "'";
  }
  return path.find("$<") == std::string::npos ? "" : "'$<'";
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

std::uintmax_t size_of(const fs::path& path) {
  std::uintmax_t bytes = 0;
  std::error_code code;
  if (!fs::is_directory(path, code)) {
    const std::uintmax_t held = fs::file_size(path, code);
    return code ? 0 : held;
  }
  for (fs::recursive_directory_iterator at(path, code), end; !code && at != end;
       at.increment(code)) {
    std::error_code unknown;
    const std::uintmax_t held = at->is_regular_file(unknown) ? at->file_size(unknown) : 0;
    if (!unknown) bytes += held;
  }
  return bytes;
}

struct Held {
  std::string key;
  timespec used{};
  std::uintmax_t bytes = 0;
};

bool earlier(const Held& a, const Held& b) {
  if (a.used.tv_sec != b.used.tv_sec) return a.used.tv_sec < b.used.tv_sec;
  return a.used.tv_nsec < b.used.tv_nsec;
}

// Is the file that `descriptor` has open still the one of that name?
bool is_named(int descriptor, const fs::path& path) {
  struct stat open_file {
  }, named{};
  return fstat(descriptor, &open_file) == 0 && lstat(path.c_str(), &named) == 0 &&
         open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

constexpr const char* lock_end = ".lock";
constexpr const char* log_end = ".log";
constexpr const char* work_middle = ".work.";
constexpr const char* used_end = ".used";  // is shared by those who use the entry

// Whether somebody uses the entry. Whoever begins to holds the lock of the entry then.
bool is_used(const fs::path& folder, const std::string& key) {
  const int descriptor =
      ::open((folder / (key + used_end)).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return false;
  const bool free = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  ::close(descriptor);
  return !free;
}

// The entry, its log and what killed builds have left. The lock goes with the last of it.
void remove_entry(const fs::path& folder, const std::string& key) {
  const auto entry = CacheEntry::open_idle(folder, key);
  if (!entry || is_used(folder, key)) return;
  std::error_code code;
  for (const fs::path& part : {entry->path(), entry->log(), folder / (key + used_end)})
    fs::remove_all(part, code);
  entry->clear();
}

// The entries that have a folder of a build beside them, or a lock and neither a program nor a log:
// they are being built, or were when their builder was killed.
std::set<std::string> unfinished(const fs::path& folder) {
  std::set<std::string> names, keys;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
    names.insert(at->path().filename().string());
  for (const std::string& name : names) {
    if (const std::size_t end = name.find(work_middle); end != std::string::npos)
      keys.insert(name.substr(0, end));
    if (fs::path(name).extension() != lock_end) continue;
    const std::string key = fs::path(name).stem().string();
    if (names.count(key) == 0 && names.count(key + log_end) == 0) keys.insert(key);
  }
  return keys;
}

}  // namespace

std::optional<std::uintmax_t> cache_limit_of(const char* text) {
  if (*text < '0' || *text > '9') return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const std::uintmax_t number = std::strtoull(text, &end, 10);
  const std::string units = "KMGT";
  const std::size_t unit = *end == '\0' ? std::string::npos : units.find(*end);
  if (errno != 0 || (*end != '\0' && unit == std::string::npos)) return std::nullopt;
  const unsigned shift = unit == std::string::npos ? 0 : 10 * (static_cast<unsigned>(unit) + 1);
  return number > (~std::uintmax_t{0} >> shift) ? 0 : number << shift;
}

std::uintmax_t cache_limit() {
  constexpr std::uintmax_t usual = std::uintmax_t{2} << 30;
  const char* const text = std::getenv("RHOPSI_CACHE_LIMIT");
  return text == nullptr ? usual : cache_limit_of(text).value_or(usual);
}

void evict(const fs::path& folder, std::uintmax_t limit) {
  for (const std::string& key : unfinished(folder))
    if (const auto entry = CacheEntry::open_idle(folder, key)) entry->clear();
  if (limit == 0) return;
  std::vector<Held> entries;
  std::uintmax_t total = 0;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    const std::string name = at->path().filename().string();
    const std::uintmax_t bytes = size_of(at->path());
    total += bytes;
    if (at->path().extension() != lock_end) continue;
    Held held{name.substr(0, name.size() - std::strlen(lock_end)), {}, bytes};
    held.bytes += size_of(folder / held.key) + size_of(folder / (held.key + log_end));
    struct stat status {};
    if (lstat(at->path().c_str(), &status) == 0) held.used = status.st_mtim;
    entries.push_back(std::move(held));
  }
  std::sort(entries.begin(), entries.end(), earlier);
  for (const Held& held : entries) {
    if (total <= limit) return;
    remove_entry(folder, held.key);
    if (!fs::exists(folder / (held.key + lock_end), code)) total -= std::min(total, held.bytes);
  }
}

Result<CacheEntry> CacheEntry::open(const fs::path& folder, const std::string& key) {
  if (const std::string odd = unbuildable(folder); !odd.empty())
    return unusable(folder, "programs cannot be built where the path holds " + odd);
  if (const auto made = make_private(folder); !made) return tl::unexpected<Error>(made.error());
  const fs::path lock = folder / (key + lock_end);
  for (;;) {
    const int descriptor = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) return unusable(lock, std::strerror(errno));
    while (flock(descriptor, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      const int code = errno;
      ::close(descriptor);
      return unusable(lock, std::strerror(code));
    }
    if (is_named(descriptor, lock)) {
      futimens(descriptor, nullptr);  // tells evict() when the entry was used last
      return CacheEntry(folder / key, descriptor);
    }
    ::close(descriptor);  // evicted while we waited
  }
}

std::optional<CacheEntry> CacheEntry::open_idle(const fs::path& folder, const std::string& key) {
  const fs::path lock = folder / (key + lock_end);
  const int descriptor = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return std::nullopt;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_named(descriptor, lock))
    return CacheEntry(folder / key, descriptor);
  ::close(descriptor);
  return std::nullopt;
}

CacheEntry::CacheEntry(CacheEntry&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

// A lock is removed by its holder only, and whoever gets one looks whether it still has its name.
CacheEntry::~CacheEntry() {
  if (lock_ < 0) return;
  std::error_code code;
  if (!fs::exists(path_, code) && !fs::exists(log(), code))
    fs::remove(path_.string() + lock_end, code);
  ::close(lock_);
}

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

fs::path CacheEntry::log() const { return path_.string() + log_end; }

bool CacheEntry::valid() const {
  const std::string recorded = contents(path_ / manifest);
  const Result<std::string> found = describe(path_);
  return found && !recorded.empty() && *found == recorded;
}

Result<fs::path> CacheEntry::begin() const {
  clear();
  std::error_code code;
  fs::remove(log(), code);
  std::string work = path_.string() + work_middle + "XXXXXX";
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

Result<std::shared_ptr<const void>> CacheEntry::keep() const {
  const fs::path used = path_.string() + used_end;
  const int descriptor = ::open(used.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return unusable(used, std::strerror(errno));
  auto kept = std::shared_ptr<const void>(this, [descriptor](const void*) { ::close(descriptor); });
  while (flock(descriptor, LOCK_SH) != 0) {
    if (errno != EINTR) return unusable(used, std::strerror(errno));
  }
  return kept;
}

void CacheEntry::clear() const {
  const std::string prefix = path_.filename().string() + work_middle;
  std::error_code code;
  std::vector<fs::path> left;
  for (fs::directory_iterator at(path_.parent_path(), code), end; !code && at != end;
       at.increment(code))
    if (at->path().filename().string().rfind(prefix, 0) == 0) left.push_back(at->path());
  for (const fs::path& folder : left) fs::remove_all(folder, code);
}

}  // namespace rhopsi::kokkos
