#include <cstdlib>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/io/npy.hpp"
#include "tests/fuzz/targets.hpp"

namespace rhopsi::fuzz {
namespace {

// A file in memory.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("fuzz.npy", 0)) {
    if (descriptor_ < 0) std::abort();
    while (!bytes.empty()) {
      const ::ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0) std::abort();
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(descriptor_); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

template <class T>
void read_as(const std::string& path) {
  try {
    const io::NpyArray<T> array = io::read_npy<T>(path);
    std::size_t count = 1;
    for (const std::int64_t length : array.shape) count *= static_cast<std::size_t>(length);
    if (count != array.data.size()) throw std::logic_error("elements that no index has");
  } catch (const io::Error&) {  // refused
  }
}

}  // namespace

void arrays(std::string_view bytes) {
  const MemoryFile file(bytes);
  read_as<std::uint8_t>(file.path());
  read_as<std::int32_t>(file.path());
  read_as<std::int64_t>(file.path());
  read_as<float>(file.path());
  read_as<double>(file.path());
}

}  // namespace rhopsi::fuzz
