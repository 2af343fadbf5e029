// The tree of commands and options as text for shells and manuals.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace rhopsi::cli {

// Scripts that complete commands and options, files where no option fits.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);

// A page for man(1).
std::string manual_page(const CLI::App& app);

}  // namespace rhopsi::cli
