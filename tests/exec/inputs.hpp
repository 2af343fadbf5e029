// What tests of several commands give to the command.
#pragma once

#include <string>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {

// Rules for the sum of unary numbers, in the ARI format.
inline constexpr const char* addition =
    "(format TRS)\n(fun 0 0)\n(fun s 1)\n(fun p 2)\n"
    "(rule (p 0 y) y)\n(rule (p (s x) y) (s (p x y)))\n";

// A user's header `mine.hpp`, with an operation that kernels call.
inline std::string twice_in_kernels() {
  return "template <class Real> struct functions {\n"
         "  " +
         std::string(on_device() ? "KOKKOS_FUNCTION " : "") +
         "Real twice(Real x) const { return x + x; }\n"
         "};\n";
}

// Two fields that are changed by turns.
inline constexpr const char* leap = "specs/wave/leap.mg";

}  // namespace rhopsi::exec
