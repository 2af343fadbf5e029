// How a derivation reads.
#pragma once

#include <functional>
#include <string>

#include "engine/term/derivation.hpp"

namespace rhopsi::rewrite {

// The derivation as text, one fact per line: how each callable's run ended, how often
// each rule was applied, and with `with_steps` every step with its position, redex,
// contractum and condition, refusals included. `shown` gives files the names that a reader
// knows them by; without it they have those of their locations. Deterministic. Linear in
// what is printed.
using FileNames = std::function<std::string(const std::string&)>;
std::string describe(const term::Store& store, const term::Derivation& derivation, bool with_steps,
                     const FileNames& shown = {});

// "proved by interval", "refuted by Z3: i = 3".
std::string describe(const term::Verdict& verdict);

}  // namespace rhopsi::rewrite
