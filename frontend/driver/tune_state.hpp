// What a search has measured so far, in a file: one that was interrupted goes on from there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

struct TuneState {
  struct Times {
    std::string recipe;  // its text, whatever it is called
    std::vector<double> seconds;
  };
  double spent = 0;  // seconds of all searches together
  std::vector<Times> times;

  std::vector<double>& of(const std::string& recipe);
};

// Empty where there is none. One that is damaged is as good as none, and a warning (E0861).
TuneState read_state(const std::filesystem::path& path, syntax::Diagnostics& diagnostics);

// Whole or not at all (E0832).
bool write_state(const TuneState& state, const std::filesystem::path& path,
                 syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
