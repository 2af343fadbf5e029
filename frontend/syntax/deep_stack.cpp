#include "frontend/syntax/deep_stack.hpp"

#include <algorithm>
#include <exception>

#include <pthread.h>

namespace rhopsi::syntax {

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t margin = mebibyte / 4;         // for what runs below the last check
constexpr std::size_t unknown_stack = mebibyte / 2;  // what any caller is taken to have
constexpr std::size_t deep_stack = 256 * mebibyte;
constexpr std::size_t enough = deep_stack / 4 * 3;  // to be left of a deep stack, for another stage

struct Task {
  const std::function<void()>& run;
  std::size_t size;
  std::exception_ptr thrown;
};

void* run_task(void* argument) {
  Task& task = *static_cast<Task*>(argument);
  try {
    task.run();
  } catch (...) {
    task.thrown = std::current_exception();
  }
  return nullptr;
}

// False where the system grants no thread with such a stack.
bool run_with_stack(Task& task) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_t thread;
  const bool started = pthread_attr_setstacksize(&attributes, task.size) == 0 &&
                       pthread_create(&thread, &attributes, run_task, &task) == 0;
  pthread_attr_destroy(&attributes);
  if (started) pthread_join(thread, nullptr);
  return started;
}

std::uintptr_t find_stack_floor() {
  std::uintptr_t floor = stack_address() - unknown_stack;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return floor;
  void* lowest = nullptr;
  std::size_t size = 0;
  if (pthread_attr_getstack(&attributes, &lowest, &size) == 0 && size > margin) {
    floor = std::max(reinterpret_cast<std::uintptr_t>(lowest) + margin,
                     stack_address() - deep_stack + margin);
  }
  pthread_attr_destroy(&attributes);
  return floor;
}

}  // namespace

std::uintptr_t stack_floor() {
  thread_local const std::uintptr_t floor = find_stack_floor();
  return floor;
}

void run_on_deep_stack(const std::function<void()>& task) {
  const std::uintptr_t here = stack_address();
  const std::size_t left = here > stack_floor() ? here - stack_floor() : 0;
  if (left >= enough) return task();
  // Only what is touched of it is ever backed by memory.
  for (std::size_t size = deep_stack; size > left + margin; size /= 4) {
    Task attempt{task, size, nullptr};
    if (!run_with_stack(attempt)) continue;
    if (attempt.thrown) std::rethrow_exception(attempt.thrown);
    return;
  }
  task();
}

}  // namespace rhopsi::syntax
