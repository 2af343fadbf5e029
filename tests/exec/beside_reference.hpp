// The procedures of one program, emitted and built, beside the reference evaluator.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/exec/emitted.hpp"
#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {

// Each procedure gives an array C. Arrays that it takes are files of their names in `folder`.
class BesideReference : public testing::Test {
 protected:
  // A file "<package>.mg" with a program P.
  BesideReference(const std::string& package, const std::string& text)
      : file(folder.write(package + ".mg", text)) {}

  // Builds it so that few elements are dealt out to threads.
  void build(const std::string& fast_math) {
    const Outcome emitted = rhopsi({"emit", file, "-p", "P", "--target", "openmp", "-o", target});
    ASSERT_EQ(emitted.exit_code, 0) << emitted.text();
    build_emitted(target, {"-DRHOPSI_SERIAL_BELOW=64", "-DRHOPSI_FAST_MATH=" + fast_math,
                           "-DRHOPSI_NARROW_ONLY=ON"});
  }

  // The program with schedules behind it, as package `recipes`, and what is printed of it with one
  // of them.
  std::string with_schedules(const std::string& schedules) const {
    const std::string text = read(file);
    return folder.write("recipes.mg",
                        "package recipes" + text.substr(text.find(" imports")) + schedules);
  }
  static Outcome scheduled(const std::string& recipes, const std::string& recipe,
                           const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"emit",   recipes,    "-p",         "P",
                                   "--emit", "schedule", "--schedule", recipe};
    words.insert(words.end(), more.begin(), more.end());
    return rhopsi(words);
  }

  // How far an entry that takes these arrays is from the reference at most; nothing where it has
  // the same bits.
  void compare(const std::string& entry, const std::vector<std::string>& arrays, double off,
               const std::string& what) {
    const std::string made = result(entry, arrays, false), wanted = result(entry, arrays, true);
    if (off == 0) {
      EXPECT_TRUE(read(made) == read(wanted)) << entry << " of " << what;
    } else {
      EXPECT_LE(difference(made, wanted), off) << entry << " of " << what;
    }
  }

  const Folder folder;
  const std::string target = folder / "emitted";
  const std::string file;

 private:
  // C by the built program, or by the reference evaluator.
  std::string result(const std::string& entry, const std::vector<std::string>& arrays,
                     bool reference) {
    const std::string out = folder / (entry + (reference ? "-r.npy" : ".npy"));
    std::vector<std::string> words = {"--entry", entry, "--out", "C=" + out, "--quiet"};
    for (const std::string& name : arrays)
      words.insert(words.end(), {"--in", name + "=" + (folder / (name + ".npy"))});
    Conditions conditions;
    conditions.environment["OMP_NUM_THREADS"] = "2";
    if (reference) words.insert(words.begin(), {"run", file, "-p", "P", "--backend", "reference"});
    const Outcome outcome =
        reference ? rhopsi(words) : execute(target + "/build/P", words, conditions);
    EXPECT_EQ(outcome.exit_code, 0) << entry << ": " << outcome.text();
    return out;
  }
};

}  // namespace rhopsi::exec
