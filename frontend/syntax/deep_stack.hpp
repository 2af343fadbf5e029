// Room for recursion as deep as the limits of the language allow.
#pragma once

#include <cstdint>
#include <functional>

namespace rhopsi::syntax {

// Runs `task` to its end on a stack that is large enough for 2000 levels of brackets even
// in a build with sanitisers: the caller's where so much of it is left, so that one stage
// may call another, and otherwise one of its own. Where no such stack is to be had the
// task runs on the largest there is, and has to watch the floor.
void run_on_deep_stack(const std::function<void()>& task);

// The address below which the running thread must not let its stack grow. No thread uses
// more than a deep stack, whatever it has.
std::uintptr_t stack_floor();

// The address of the caller's stack, to be compared with the floor.
inline std::uintptr_t stack_address() {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

}  // namespace rhopsi::syntax
