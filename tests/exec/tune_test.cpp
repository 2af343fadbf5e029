// Schedules that are chosen, searched by measuring, kept and found again.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/inputs.hpp"
#include "tests/exec/process.hpp"
#include "tests/exec/reports.hpp"

namespace rhopsi::exec {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Conditions on_machine(const std::string& machine) {
  Conditions conditions;
  conditions.environment["RHOPSI_MACHINE"] = machine;
  return conditions;
}

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class Tune : public testing::Test {
 protected:
  Words run_words(const Shape& shape) {
    Words words = {"run",      source(leap), "-p",     "DNF",      "--entry", "step",
                   "--target", "serial",     "--json", "--repeat", "5"};
    for (const char* name : {"h", "e"}) {
      words.insert(words.end(),
                   {"--in", std::string(name) + "=" +
                                random_field(folder, name + std::to_string(shape[1]), shape, 3)});
    }
    return words;
  }
  static std::string schedule_of(const Outcome& outcome) {
    const auto json = last_line(outcome);
    return json.is_object() ? json.value("schedule", "") : "";
  }
  static Words tune_words(const std::string& shape, const std::string& budget) {
    return {"tune",    source(leap), "-p",       "DNF",    "--entry",  "step",
            "--shape", shape,        "--target", "serial", "--budget", budget};
  }
  const Folder folder;
  const Conditions standard = on_machine("standard");
};

TEST_F(Tune, KeepsTheFastestWhichRunFindsAgain) {
  const Outcome tuned = rhopsi(tune_words("24,20", "1"), standard);
  ASSERT_EQ(tuned.exit_code, 0) << tuned.text();
  EXPECT_NE(tuned.out.find("auto, "), std::string::npos) << tuned.out;
  const std::size_t begin = tuned.out.find("kept in ") + 8;
  const std::string kept = tuned.out.substr(begin, tuned.out.find(".mg;", begin) + 3 - begin);
  const std::string text = read(kept);
  for (const char* part :
       {"// entry: step\n", "// shape: 32x16\n", "// real: double\n", "// target: serial\n",
        " 1 thread\n", "\nschedule tuned_schedule = {\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(rhopsi({"check", kept}).exit_code, 0);

  const Words run = run_words({24, 20});
  const auto out = [&](const std::string& name) { return "h=" + (folder / (name + ".npy")); };
  const Outcome found = rhopsi(with(run, {"--out", out("found")}), standard);
  EXPECT_EQ(schedule_of(found).rfind("tuned: ", 0), 0u) << found.text();
  EXPECT_NE(found.err.find(kept + "; --schedule auto ignores it"), std::string::npos) << found.err;
  const Outcome ignored = rhopsi(with(run, {"--schedule", "auto"}), standard);
  EXPECT_EQ(schedule_of(ignored).rfind("auto: ", 0), 0u) << ignored.text();
  const Outcome off = rhopsi(with(run, {"--schedule", "off", "--out", out("off")}), standard);
  EXPECT_EQ(schedule_of(off), "off") << off.text();
  EXPECT_EQ(difference(folder / "found.npy", folder / "off.npy"), 0.0);
  // Another class of shapes, and another machine.
  EXPECT_EQ(schedule_of(rhopsi(run_words({24, 5}), standard)).rfind("auto: ", 0), 0u);
  const std::string machine = folder.write("machine", "operations = 7e9\n");
  EXPECT_EQ(schedule_of(rhopsi(run, on_machine(machine))).rfind("auto: ", 0), 0u);

  const Words explain = {"explain", source(leap), "-p",       "DNF",    "-f",        "step",
                         "--shape", "24,20",      "--target", "serial", "--schedule"};
  const Outcome explained = rhopsi(explain, standard);
  EXPECT_NE(explained.out.find("\ntuned, in " + kept), std::string::npos) << explained.text();
  // What runs has a star: in the table of what was measured, and in that of the candidates if it is
  // one of them.
  const std::size_t measured = explained.out.find("\ntuned, in ");
  const std::size_t predicted = explained.out.find("\npredicted seconds", measured);
  ASSERT_NE(predicted, std::string::npos) << explained.text();
  const std::string kept_part = explained.out.substr(measured, predicted - measured);
  EXPECT_EQ(std::ranges::count(kept_part, '*'), 1) << explained.text();
  EXPECT_LE(std::ranges::count(explained.out.substr(predicted), '*'), 1) << explained.text();
  EXPECT_NE(explained.out.find("  would be chosen: "), std::string::npos) << explained.text();
  EXPECT_NE(explained.out.find(", which was tuned\n"), std::string::npos) << explained.text();

  std::ofstream(kept, std::ios::app) << "// one more\n";
  const Outcome damaged = rhopsi(run, standard);
  EXPECT_EQ(damaged.exit_code, 0) << damaged.text();
  EXPECT_NE(damaged.err.find("warning[E0861]: the schedule that was tuned is not used: '" + kept +
                             "': it was changed, or is not whole"),
            std::string::npos)
      << damaged.err;
  EXPECT_EQ(schedule_of(damaged).rfind("auto: ", 0), 0u);
  fs::remove(kept);
  const Outcome none = rhopsi(with(run, {"--schedule", "tuned"}), standard);
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.err.find("error[E0862]: --schedule tuned, and nothing was tuned"),
            std::string::npos)
      << none.err;
}

// What is written to a file of one's own is a schedule like any other.
TEST_F(Tune, WritesASchedule) {
  const Outcome tuned = rhopsi(
      with(tune_words("24,20", "1"), {"--out", folder / "best.mg", "--dtype", "float"}), standard);
  ASSERT_EQ(tuned.exit_code, 0) << tuned.text();
  EXPECT_NE(tuned.out.find("written to " + (folder / "best.mg") + "\n"), std::string::npos)
      << tuned.out;
  const Outcome run = rhopsi(with(run_words({24, 20}), {"-I", folder.path().string(), "--schedule",
                                                        "best.tuned_schedule"}),
                             standard);
  EXPECT_EQ(run.exit_code, 0) << run.text();
  EXPECT_EQ(schedule_of(run), "best.tuned_schedule");
}

// The first number of runs that a search has written down, and the first of them.
std::pair<std::size_t, double> state_in(const fs::path& folder) {
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    if (at->path().extension() != ".state") continue;
    const auto state = nlohmann::json::parse(read(at->path().string()), nullptr, false);
    if (!state.is_object()) continue;
    std::size_t runs = 0;
    for (const auto& each : state["times"]) runs += each["seconds"].size();
    const auto& first = state["times"][0]["seconds"];
    return {runs, first.empty() ? 0.0 : first[0].get<double>()};
  }
  return {0, 0.0};
}

TEST_F(Tune, GoesOnWhereItWasInterrupted) {
  Conditions own = standard;
  own.environment["RHOPSI_CACHE"] = folder / "cache";
  const fs::path kept = folder.path() / "cache" / "tuned";
  double first = 0;
  for (std::size_t more = 0; more < 2; ++more) {
    const std::size_t before = state_in(kept).first;
    EXPECT_EQ(before > 0, more > 0);
    Started tuning(tune_words("16,16", "1000"), own);
    for (int waits = 0; waits < 2400 && state_in(kept).first <= before; ++waits) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    kill(tuning.id(), SIGINT);
    const Outcome outcome = tuning.wait();
    EXPECT_EQ(outcome.exit_code, 130) << outcome.text();
    EXPECT_NE(outcome.err.find("the same command goes on"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("after 1 runs"), std::string::npos) << outcome.err;
    EXPECT_GT(state_in(kept).first, before);
    if (more == 0) first = state_in(kept).second;
    EXPECT_EQ(state_in(kept).second, first);  // what was measured is not measured again
  }
}

class Kept : public Tune {
 protected:
  Outcome tune() const { return rhopsi(tune_words("16,16", "1"), own()); }
  Conditions own() const {
    Conditions conditions = standard;
    conditions.environment["RHOPSI_CACHE"] = folder / "cache";
    return conditions;
  }
  // Where the first search keeps what it finds.
  fs::path kept_by(const Outcome& tuned) const {
    const std::size_t begin = tuned.out.find("kept in ") + 8;
    return tuned.out.substr(begin, tuned.out.find(".mg;", begin) + 3 - begin);
  }
};

// What is kept is not replaced by what was measured at another time.
TEST_F(Kept, IsMeasuredBesideTheOthers) {
  const Outcome first = tune();
  ASSERT_EQ(first.exit_code, 0) << first.text();
  EXPECT_EQ(first.out.find("kept before"), std::string::npos) << first.out;
  const Outcome second = tune();
  ASSERT_EQ(second.exit_code, 0) << second.text();
  const std::size_t rows = second.out.find("auto takes ");
  EXPECT_LT(second.out.find(", kept before\n"), rows) << second.out;
  const bool as_before = second.out.find("\nas before: ") != std::string::npos;
  const std::size_t best = second.out.find('\n') + 1;
  const std::string fastest = second.out.substr(best, second.out.find('\n', best) - best);
  EXPECT_EQ(as_before, fastest.ends_with(", kept before")) << second.out;
  EXPECT_NE(as_before, second.out.find("\ninstead of ") != std::string::npos) << second.out;
}

TEST_F(Kept, WhatIsNoFileOrWasChangedIsSaid) {
  const Outcome first = tune();
  ASSERT_EQ(first.exit_code, 0) << first.text();
  const fs::path kept = kept_by(first);
  const fs::path state = fs::path(kept).replace_extension(".state");
  const auto says = [](const Outcome& outcome, int exit_code, const std::string& what) {
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.text();
    EXPECT_NE(outcome.err.find(what), std::string::npos) << outcome.err;
  };
  for (const char* text : {R"({"spent": -1e9, "times": []})", "[]", "{",
                           R"({"spent": 0, "times": [{"recipe": "x", "seconds": [0]}]})",
                           R"({"spent": 0, "times": [], "digest": "of another text"})"}) {
    std::ofstream(state) << text;
    says(tune(), 0,
         "warning[E0861]: what was measured before is not used: '" + state.string() +
             "': it was changed, or is not whole");
  }
  fs::create_directory(state);
  says(tune(), 1, "error[E0832]: '" + state.string() + "' cannot be written");
  fs::remove(state);
  fs::remove(kept);
  fs::create_directory(kept);
  says(tune(), 1, "error[E0832]: '" + kept.string() + "' cannot be written");
  says(rhopsi(run_words({16, 16}), own()), 0,
       "warning[E0861]: the schedule that was tuned is not used: '" + kept.string() +
           "': it is no file that can be read");
}

TEST_F(Tune, MistakesAreReported) {
  const auto fails = [&](const Words& words, const std::string& says,
                         const Conditions& conditions) {
    const Outcome outcome = rhopsi(words, conditions);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
  };
  fails(tune_words("24,20", "0"), "--budget 0 is no time to measure in", standard);
  fails(with(tune_words("24,20", "1"), {"--out", folder / "b-c.mg"}), "error[E0810]: --out",
        standard);
  fails({"tune", source(leap), "-p", "DNF", "--entry", "step"}, "error[E0816]", standard);
  const Words heat = {"tune", source("specs/heat/heat.mg"), "-p", "Heat", "--entry", "distant"};
  fails(heat, "error[E0816]", standard);
  fails(with(heat, {"--shape", "20,20"}),
        "error[E0863]: 'Heat' has nothing to tune: its arrays have shapes of their own", standard);
  const std::string bad = folder.write("machine", "threads = 2\nspeed = 3\n");
  fails(run_words({4, 4}),
        "error[E0860]: the machine that RHOPSI_MACHINE names, '" + bad +
            "': line 2: no figure is called 'speed'",
        on_machine(bad));
  fails(run_words({4, 4}), "it cannot be read", on_machine(folder / "none"));
  const Outcome here = rhopsi(run_words({4, 4}), on_machine("here"));
  EXPECT_EQ(here.exit_code, 0) << here.text();
}

// What nobody asked for says nothing of what it leaves alone, and a checked program is as written.
TEST_F(Tune, TheChoiceIsTold) {
  const Words explain = {"explain", source(leap), "-p", "DNF",       "-f",
                         "step",    "--rank",     "2",  "--schedule"};
  const Outcome explained = rhopsi(explain, standard);
  EXPECT_EQ(explained.exit_code, 0) << explained.text();
  for (const char* part :
       {"schedule auto = {\n  drop;\n",
        "\npredicted seconds of a call on the standard machine, 2 threads\n",
        "    off: as it is written\n", "chosen: ", "\ntime of step, predicted\n"}) {
    EXPECT_NE(explained.out.find(part), std::string::npos) << part << "\n" << explained.out;
  }
  // The machine is the one that a run would have.
  const Outcome on_three = rhopsi(explain, on_machine(folder.write("three", "threads = 3\n")));
  EXPECT_NE(on_three.out.find(", 3 threads\n"), std::string::npos) << on_three.out;
  const Outcome checked = rhopsi(with(run_words({4, 4}), {"--checked"}), standard);
  EXPECT_EQ(schedule_of(checked), "off: a checked program runs as it is written") << checked.text();
}

}  // namespace
}  // namespace rhopsi::exec
