// Where an evaluation is: its place in the text, and how much of the stack it has used.
#pragma once

#include <cstddef>

#include "backends/reference/error.hpp"
#include "backends/reference/failure.hpp"
#include "engine/term/store.hpp"

namespace rhopsi::reference {

class Watch {
 public:
  explicit Watch(std::size_t stack_bytes) : stack_bytes_(stack_bytes) {}

  // The caller's frame counts as the bottom of the stack.
  void start() {
    base_ = static_cast<const char*>(__builtin_frame_address(0));
    place_ = {};
  }

  void check_stack() const {
    const auto* here = static_cast<const char*>(__builtin_frame_address(0));
    const auto used = static_cast<std::size_t>(here < base_ ? base_ - here : here - base_);
    if (used > stack_bytes_) fail(codes::depth, "Terms and calls nest too deeply.");
  }

  // The innermost place that is known. It is not restored by unwinding: after a failure it is
  // the place of the failure.
  term::LocationId place() const { return place_; }
  term::LocationId enter(term::LocationId place) {
    const term::LocationId outer = place_;
    if (place != term::LocationId{}) place_ = place;
    return outer;
  }
  void leave(term::LocationId outer) { place_ = outer; }

 private:
  std::size_t stack_bytes_;
  const char* base_ = nullptr;
  term::LocationId place_{};
};

}  // namespace rhopsi::reference
