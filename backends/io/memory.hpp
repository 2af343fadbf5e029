// How much memory a process can still take.
//
// Systems promise more memory than they have, and end the process that uses it: what is about to
// allocate much has to ask before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>

namespace rhopsi::io {

namespace detail {

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

// The number that the file's text has in the place of `%llu` in `format`.
inline std::uint64_t read_number(const char* path, const char* format) {
  unsigned long long value = unknown;
  if (std::FILE* const file = std::fopen(path, "r")) {
    char line[128];
    while (std::fgets(line, sizeof line, file) != nullptr) {
      if (std::sscanf(line, format, &value) == 1) break;
    }
    std::fclose(file);
  }
  return value;
}

// "max" stands where a group has no limit.
inline std::uint64_t left_in_group(const char* limit_path, const char* use_path) {
  const std::uint64_t limit = read_number(limit_path, "%llu");
  const std::uint64_t use = read_number(use_path, "%llu");
  if (limit == unknown || use == unknown) return unknown;
  return limit > use ? limit - use : 0;
}

inline std::uint64_t left_in_system() {
  const std::uint64_t kibibytes = read_number("/proc/meminfo", "MemAvailable: %llu kB");
  return kibibytes == unknown ? unknown : kibibytes * 1024;
}

}  // namespace detail

// Bytes, at this moment: what is left in the system, and in the process's control group. The
// greatest number where the system tells nothing.
inline std::uint64_t available_memory() {
  const std::uint64_t parts[] = {
      detail::left_in_system(),
      detail::left_in_group("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
      detail::left_in_group("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                            "/sys/fs/cgroup/memory/memory.usage_in_bytes")};
  std::uint64_t least = parts[0];
  for (const std::uint64_t part : parts) least = part < least ? part : least;
  return least;
}

// Is there room for so many bytes more? Small amounts are not asked about.
inline bool has_room_for(std::size_t bytes) {
  constexpr std::size_t small = std::size_t{1} << 26;
  return bytes <= small || bytes <= available_memory();
}

}  // namespace rhopsi::io
