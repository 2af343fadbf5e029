// Arrays that calls make for C, and how their memory comes back.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace rhopsi::interface {

// Memory of arrays that callers have given back. They do so at any time and from any thread, also
// behind a fork, so that they wait for nobody: the next call takes it.
struct Kept {
  std::shared_ptr<void> memory;
  Kept* next = nullptr;
  Kept() = default;
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  virtual ~Kept() = default;
};
inline std::atomic<Kept*> given_back{nullptr};

inline void keep_for_later(Kept* memory) {
  memory->next = given_back.load();
  while (!given_back.compare_exchange_weak(memory->next, memory)) continue;
}
inline void take_what_was_given_back() {
  for (Kept* memory = given_back.exchange(nullptr); memory != nullptr;)
    delete std::exchange(memory, memory->next);
}

// An array of C that a call has made, with what keeps its memory: `Array` is a struct of data, axes
// and extents of the program's C header.
template <class Array>
struct HandedOut : Array, Kept {};

// One that is made by a call, until the caller has it: where the call fails nobody does.
template <class Array>
struct Handing {
  std::unique_ptr<HandedOut<Array>> made;

  Handing() = default;
  Handing(const Handing&) = delete;
  Handing& operator=(const Handing&) = delete;
  ~Handing() {
    if (made != nullptr) keep_for_later(made.release());
  }
  Array* release() { return made.release(); }
};

// The memory is for later calls.
template <class Array>
void give_back(Array* array) {
  if (array != nullptr) keep_for_later(static_cast<HandedOut<Array>*>(array));
}

}  // namespace rhopsi::interface
