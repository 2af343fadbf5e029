// Memory of blocks. What a field gives back stays allocated for the next one of its size, so that
// the temporaries of a step are allocated once per run. Used from one host thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace rhopsi {

struct MemoryUse {
  std::size_t live = 0;  // bytes in blocks that fields hold
  std::size_t held = 0;  // bytes that the pool has from the system
  std::size_t peak = 0;  // the most that it has held
};

class Pool {
 public:
  static Pool& instance();

  // `bytes` is rounded up; the same amount is given to release().
  void* acquire(std::size_t bytes);
  void release(void* memory, std::size_t bytes);
  // Gives idle memory back to the system.
  void trim();

  const MemoryUse& use() const { return use_; }

  static void fill(void* memory, std::size_t bytes, std::uint64_t value);

 private:
  Pool();
  bool keeps_too_much() const;
  void* allocate(std::size_t bytes);
  void end();

  std::multimap<std::size_t, void*> idle_;
  std::size_t idle_bytes_ = 0;
  std::map<void*, std::size_t> apart_;  // how far behind their allocations blocks begin
  std::size_t large_blocks_ = 0;
  MemoryUse use_;
  bool finalized_ = false;
};

namespace detail {

// Memory of the pool for the time of a loop.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes)
      : bytes_(bytes), memory_(bytes > 0 ? Pool::instance().acquire(bytes) : nullptr) {}
  ~Scratch() {
    if (memory_ != nullptr) Pool::instance().release(memory_, bytes_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  char* memory() const { return static_cast<char*>(memory_); }

 private:
  std::size_t bytes_;
  void* memory_;
};

}  // namespace detail

inline MemoryUse memory_use() { return Pool::instance().use(); }

}  // namespace rhopsi
