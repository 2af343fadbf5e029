// What a command is given beside its input: folders to search, and the environment.
#pragma once

#include "frontend/syntax/source.hpp"

namespace CLI {
class App;
}

namespace rhopsi::cli {

// A warning (E0810) for each that the command that was read cannot use and goes on without: `-I` of
// no folder, and where a program is to be compiled a RHOPSI_CACHE_LIMIT that is no size.
void check_surroundings(const CLI::App& command, syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::cli
