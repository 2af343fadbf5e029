// What `rewrite` prints: a transformed program as Magnolia source.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/term/theory.hpp"
#include "frontend/driver/session.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

struct Printing {
  std::string package;                  // the name of the printed package
  std::optional<std::string> callable;  // print this one's declarations only
  bool trace = false;                   // derivations as comments before the program
};

// The text, which `check` accepts again if no callable was picked; nothing if there is no
// such callable (E0803).
std::optional<std::string> print_rewritten(Session& session, const term::Theory& theory,
                                           const Printing& printing,
                                           syntax::Diagnostics& diagnostics);

// One line for each transformation, oldest first: "rewrite with X: normal form after 15
// passes, 33 steps". Passes are the largest number that one callable took.
std::vector<std::string> summaries(const term::Theory& theory);

// A package name from the stem of a file or a program's name: characters that names
// cannot have become `_`.
std::string package_name(const std::string& stem);

}  // namespace rhopsi::driver
