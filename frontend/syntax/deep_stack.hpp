// Room for recursion as deep as the limits of the language allow.
#pragma once

#include <cstdint>
#include <functional>

namespace rhopsi::syntax {

// Runs `task` to its end on a stack of its own, large enough for 2000 levels of
// brackets even in a build with sanitisers; the caller's stack may be small. Where
// no such stack is to be had the task runs on the caller's. `floor` is the address
// below which the task must not let its stack grow.
void run_on_deep_stack(const std::function<void(std::uintptr_t floor)>& task);

// The address below which the running thread must not let its stack grow.
std::uintptr_t stack_floor();

// The address of the caller's stack, to be compared with the floor.
inline std::uintptr_t stack_address() {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

}  // namespace rhopsi::syntax
