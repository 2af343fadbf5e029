// What tests of several commands give to the command.
#pragma once

namespace rhopsi::exec {

// Rules for the sum of unary numbers, in the ARI format.
inline constexpr const char* addition =
    "(format TRS)\n(fun 0 0)\n(fun s 1)\n(fun p 2)\n"
    "(rule (p 0 y) y)\n(rule (p (s x) y) (s (p x y)))\n";

// Two fields that are changed by turns.
inline constexpr const char* leap = "specs/wave/leap.mg";

}  // namespace rhopsi::exec
