// Programs on threads of OpenMP under the thread sanitizer.
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"
#include "tests/races/programs.hpp"
#include "tests/races/project.hpp"

namespace rhopsi::races {
namespace {

using exec::Outcome;
using Words = std::vector<std::string>;

// More than there are cores on small machines; who waited for whom is what the sanitizer looks at,
// and not when somebody ran.
constexpr int threads = 4;

class Races : public testing::Test {
 protected:
  // The arguments of a run that writes files with this suffix.
  Words arguments(const Call& call, const std::string& suffix) {
    Words words = {"--entry", call.entry, "--repeat", std::to_string(call.steps), "--quiet"};
    unsigned seed = 0;
    for (const auto& [name, shape] : call.in) {
      words.insert(words.end(),
                   {"--in", name + "=" + exec::random_field(folder, name, shape, ++seed)});
    }
    for (const std::string& number : call.numbers) words.insert(words.end(), {"--set", number});
    for (const std::string& name : call.out) {
      words.insert(words.end(), {"--out", name + "=" + file(name, suffix)});
    }
    return words;
  }
  std::string file(const std::string& name, const std::string& suffix) {
    return folder / (name + suffix + ".npy");
  }

  Outcome reference(const Program& program, const Call& call) {
    Words words = {"run"};
    const Words run = arguments(call, "-expected");
    const Words& source = program.reference.empty() ? program.source : program.reference;
    for (const Words& more : {source, run}) {
      words.insert(words.end(), more.begin(), more.end());
    }
    words.insert(words.end(), {"--backend", "reference", "-I", exec::source("")});
    return exec::rhopsi(words);
  }

  // Loops of the program that threads share. What the runtime does around them - new memory, pads,
  // copies, seams - is named the same in all programs.
  static std::size_t shared_loops(const std::string& err) {
    std::size_t count = 0;
    for (const std::string& line : exec::lines(err)) {
      if (line.rfind("by threads: ", 0) != 0) continue;
      const bool around = exec::has(line, ": rhopsi: ") || exec::has(line, ": copy ") ||
                          exec::has(line, ": seams of ") || exec::has(line, ": refill_padding");
      count += around ? 0 : 1;
    }
    return count;
  }

  // Skips the test where there is nothing to run them with.
  void build(const std::string& name, const std::vector<Program>& programs) {
    const Toolchain tools = toolchain();
    if (tools.kokkos.empty()) GTEST_SKIP() << "no Kokkos: scripts/setup --thread-sanitizer";
    project.emplace(tools, name);
    ASSERT_NO_FATAL_FAILURE(project->build(programs));
    const Program& first = programs.front();
    const std::string why = project->unusable(first, arguments(first.calls.front(), "-first"));
    if (!why.empty()) GTEST_SKIP() << why;
  }

  void expect_no_race(const Program& program) {
    std::size_t shared = 0;
    for (const Call& call : program.calls) {
      SCOPED_TRACE(call.entry + " on " + exec::shape_option(call.in.front().second));
      const Outcome found = project->run(program, arguments(call, "-found"), threads);
      EXPECT_EQ(found.exit_code, 0) << found.text();
      EXPECT_FALSE(exec::has(found.err, "WARNING: ThreadSanitizer")) << found.err;
      shared += shared_loops(found.err);
      const Outcome expected = program.build == Build::reassociating
                                   ? project->run(program, arguments(call, "-expected"), 1)
                                   : reference(program, call);
      ASSERT_EQ(expected.exit_code, 0) << expected.text();
      EXPECT_EQ(found.out, expected.out);
      for (const std::string& name : call.out) {
        EXPECT_EQ(exec::difference(file(name, "-expected"), file(name, "-found")), 0.0) << name;
      }
    }
    EXPECT_GT(shared, 0U) << "one thread has done everything";
    std::cout << program.name << ": " << program.calls.size() << " runs, " << shared
              << " loops by threads\n";
  }

  const exec::Folder folder;
  std::optional<Project> project;
};

TEST_F(Races, ScheduledProgramsHaveNone) {
  const auto programs = scheduled_programs();
  ASSERT_NO_FATAL_FAILURE(build("scheduled", programs));
  if (IsSkipped()) return;
  for (const Program& program : programs) {
    SCOPED_TRACE(program.name);
    expect_no_race(program);
  }
}

// Without this the test above says little.
TEST_F(Races, AreReportedWhereTheyAre) {
  const auto programs = racy_programs();
  ASSERT_NO_FATAL_FAILURE(build("racy", programs));
  if (IsSkipped()) return;
  for (const Program& program : programs) {
    SCOPED_TRACE(program.name);
    const Outcome found =
        project->run(program, arguments(program.calls.front(), "-found"), threads);
    EXPECT_EQ(found.exit_code, reported) << found.text();
    EXPECT_TRUE(exec::has(found.err, "WARNING: ThreadSanitizer: data race")) << found.text();
  }
}

}  // namespace
}  // namespace rhopsi::races
