// Compiled runs beside the reference's.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"

namespace rhopsi::exec {

using Words = std::vector<std::string>;

// Standard error of a compiled run, whose `result` has the bits of the reference's: found.npy and
// expected.npy of the folder. `schedule` are words for the compiled one alone.
inline std::string compared(const Folder& folder, const Words& run, const std::string& result,
                            const Words& schedule = {}) {
  const std::string found = folder / "found.npy", expected = folder / "expected.npy";
  Words words = run;
  words.insert(words.end(), {"--out", result + "=" + found});
  words.insert(words.end(), schedule.begin(), schedule.end());
  const Outcome outcome = rhopsi(words);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  words = run;
  words.insert(words.end(),
               {"--out", result + "=" + expected, "--backend", "reference", "--quiet"});
  const Outcome reference = rhopsi(words);
  EXPECT_EQ(reference.exit_code, 0) << reference.text();
  EXPECT_EQ(difference(found, expected), 0.0) << testing::PrintToString(run) << "\n"
                                              << outcome.text();
  return outcome.err;
}

}  // namespace rhopsi::exec
