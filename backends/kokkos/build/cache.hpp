// The folder that built programs are kept in. An entry appears whole, by one rename, and is
// verified before it is used. One process at a time works on an entry; any number may then use it,
// and while one does it is not evicted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "backends/kokkos/build/result.hpp"

namespace rhopsi::kokkos {

// Removes what killed builds have left - folders that they were at work in, locks of entries that
// are not there - and then what was used longest ago until at most `limit` bytes are left. Entries
// that some process is at work on, or uses, stay.
void evict(const std::filesystem::path& folder, std::uintmax_t limit);

// $RHOPSI_CACHE_LIMIT: bytes, or with K, M, G or T behind the number; 2 GiB if unset, no limit
// if 0.
std::uintmax_t cache_limit();
// The same of a text; nothing if it says no size.
std::optional<std::uintmax_t> cache_limit_of(const char* text);

// The bytes of a file; none where it cannot be read.
std::string contents(const std::filesystem::path& path);

class CacheEntry {
 public:
  // Creates `folder` for this user only and waits for the entry's lock.
  static Result<CacheEntry> open(const std::filesystem::path& folder, const std::string& key);
  // The same in a folder that is there, if nobody is at work on the entry.
  static std::optional<CacheEntry> open_idle(const std::filesystem::path& folder,
                                             const std::string& key);
  CacheEntry(CacheEntry&& other) noexcept;
  CacheEntry(const CacheEntry&) = delete;
  CacheEntry& operator=(const CacheEntry&) = delete;
  CacheEntry& operator=(CacheEntry&&) = delete;
  // Of an entry that is not there, and has no log that says why, nothing stays.
  ~CacheEntry();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path log() const;  // of the last build, kept also when it failed

  // Is the entry there, with all its files as they were when it was stored?
  bool valid() const;

  // A new empty folder beside the entry; what killed processes have left is removed.
  Result<std::filesystem::path> begin() const;

  // `programs`, a folder within the one that begin() gave, becomes the entry.
  Result<void> store(const std::filesystem::path& programs) const;

  // Keeps the entry from being evicted for as long as what it gives lives, which may be longer than
  // this object does.
  Result<std::shared_ptr<const void>> keep() const;

  // Removes what begin() gave.
  void clear() const;

 private:
  CacheEntry(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_;
};

}  // namespace rhopsi::kokkos
