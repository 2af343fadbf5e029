// How an evaluation is left; never seen outside this folder.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "backends/reference/error.hpp"

namespace rhopsi::reference {

// Thrown where the error is found; the machine knows the place.
struct Failure {
  const char* code;
  std::string message;
  std::optional<Access> access = {};
};

// An element is asked for that no axiom states.
struct MissingElement : Failure {};

[[noreturn]] inline void fail(const char* code, std::string message) {
  throw Failure{code, std::move(message), {}};
}

}  // namespace rhopsi::reference
