// The state of a run in a file: from either backend to either, and where it cannot be written.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"
#include "tests/exec/reports.hpp"

namespace rhopsi::exec {
namespace {

using Json = nlohmann::json;

const char* const decay =
    "package decay imports backend.kokkos;\n"
    "implementation Parameters = external Kokkos parameters {\n"
    "  require type Real;\n"
    "  function factor(): Real;\n"
    "};\n"
    "program Decay = {\n"
    "  use Arrays;\n"
    "  use Integers;\n"
    "  use Parameters;\n"
    "  procedure step(upd u: Array, obs v: Array, upd n: Int, obs m: Int) {\n"
    "    u = factor() * u + v;\n"
    "    n = n + m;\n"
    "  }\n"
    "  procedure other(upd u: Array) { u = u + u; }\n"
    "};\n";

class Checkpoint : public testing::Test {
 protected:
  void SetUp() override {
    file = folder.write("decay.mg", decay);
    random_field(folder, "u", {6, 5}, 1);
    random_field(folder, "v", {6, 5}, 2);
  }

  Outcome run(const std::string& backend, const std::string& repeat,
              const std::vector<std::string>& more, const Conditions& conditions = {}) const {
    return rhopsi(command(backend, repeat, more), conditions);
  }
  std::vector<std::string> command(const std::string& backend, const std::string& repeat,
                                   const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"run",       file,    "-p",       "Decay",
                                      "--entry",   "step",  "--repeat", repeat,
                                      "--backend", backend, "--in",     "v=" + folder / "v.npy"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::vector<std::string> fresh(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {
        "--in", "u=" + folder / "u.npy", "--set", "factor=0.75", "--set", "n=10", "--set", "m=3"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::string out(const std::string& name) const { return "u=" + folder / name; }

  const Folder folder;
  const std::string state = folder / "state";
  std::string file;
};

// Whoever wrote it and whoever goes on, the end is that of a run without a break.
TEST_F(Checkpoint, IsReadByEitherBackend) {
  Outcome outcome = run("reference", "7", fresh({"--out", out("whole.npy")}));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(outcome.out, "n: 31\n");
  for (const std::string writer : {"reference", "kokkos"}) {
    outcome = run(writer, "4", fresh({"--checkpoint", state, "--quiet"}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    for (const std::string reader : {"reference", "kokkos"}) {
      outcome = run(reader, "7", {"--restart", state, "--out", out("rest.npy"), "--json"});
      ASSERT_EQ(outcome.exit_code, 0) << writer << ", " << reader << outcome.text();
      EXPECT_EQ(last_line(outcome)["values"]["n"], 31) << outcome.text();
      EXPECT_EQ(last_line(outcome)["steps"], 7);
      EXPECT_EQ(last_line(outcome)["steps_run"], 3);
      EXPECT_EQ(difference(folder / "whole.npy", folder / "rest.npy"), 0.0) << writer << reader;
    }
  }
}

TEST_F(Checkpoint, OfTheReferenceIsWhatTheOtherWrites) {
  ASSERT_EQ(run("kokkos", "3", fresh({"--checkpoint", folder / "k", "--quiet"})).exit_code, 0);
  ASSERT_EQ(run("reference", "3", fresh({"--checkpoint", folder / "r", "--quiet"})).exit_code, 0);
  EXPECT_EQ(read(folder / "k"), read(folder / "r"));
  EXPECT_FALSE(read(folder / "r").empty());
}

TEST_F(Checkpoint, ThatDoesNotFitIsRefusedBeforeAnythingIsCompiled) {
  ASSERT_EQ(run("reference", "3", fresh({"--checkpoint", state, "--quiet"})).exit_code, 0);
  const auto refused = [&](const std::vector<std::string>& words, const std::string& part,
                           const std::string& code = "E0823") {
    for (const std::string backend : {"reference", "kokkos"}) {
      std::vector<std::string> all = {"run",       file,    "-p",   "Decay",
                                      "--backend", backend, "--in", "v=" + folder / "v.npy",
                                      "--restart", state};
      if (backend == "kokkos") all.insert(all.end(), {"--target", "serial"});
      all.insert(all.end(), words.begin(), words.end());
      Conditions uncompiled;
      uncompiled.environment["RHOPSI_CACHE"] = "/nowhere";
      const Outcome outcome = rhopsi(all, uncompiled);
      EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
      EXPECT_NE(outcome.err.find(code), std::string::npos) << outcome.text();
      EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.text();
    }
  };
  refused({"--entry", "step", "--repeat", "2"}, "of step 3, beyond --repeat 2");
  refused({"--entry", "step", "--repeat", "9", "--dtype", "float"},
          "'u' is of float64, the program's of float32");
  refused({"--entry", "other", "--repeat", "9"}, "of 'step' of 'Decay'");
  refused({"--entry", "step", "--repeat", "9", "--shape", "5,6"}, "has the shape 6x5", "E0821");
  std::string text = read(state);
  text.replace(text.find("factor"), 6, "vector");
  folder.write("state", text);
  refused({"--entry", "step", "--repeat", "9"}, "factor has no value", "E0815");
  folder.write("state", read(state).substr(0, 200));
  refused({"--entry", "step", "--repeat", "9"}, "cannot restart");
}

TEST_F(Checkpoint, DamagedElementsAreToldWithTheirCode) {
  ASSERT_EQ(run("reference", "3", fresh({"--checkpoint", state, "--quiet"})).exit_code, 0);
  std::string text = read(state);
  text[text.size() - 20] = char(text[text.size() - 20] ^ 1);
  folder.write("state", text);
  for (const std::string backend : {"reference", "kokkos"}) {
    const Outcome outcome = run(backend, "9", {"--restart", state, "--json"});
    EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
    EXPECT_NE(outcome.err.find("E0823"), std::string::npos) << outcome.text();
    EXPECT_EQ(last_line(outcome)["diagnostics"][0]["code"], "E0823") << outcome.text();
  }
}

// A limit on the size of files that an output keeps and a checkpoint, which has the values too,
// does not.
TEST_F(Checkpoint, ThatCannotBeWrittenDoesNotCostTheRun) {
  const std::string tall = random_field(folder, "tall", {60, 5}, 3);  // 2400 bytes
  for (const std::string backend : {"reference", "kokkos"}) {
    const std::vector<std::string> words = {"run",
                                            file,
                                            "-p",
                                            "Decay",
                                            "--entry",
                                            "step",
                                            "--in",
                                            "v=" + tall,
                                            "u=" + tall,
                                            "--set",
                                            "factor=1." + std::string(100, '0'),
                                            "n=10",
                                            "m=3",
                                            "--backend",
                                            backend,
                                            "--repeat",
                                            "4",
                                            "--every",
                                            "2",
                                            "--out",
                                            out("o.npy"),
                                            "--json"};
    ASSERT_EQ(rhopsi(words).exit_code, 0);
    std::filesystem::remove(folder / "o.npy");
    std::vector<std::string> with = words;
    with.insert(with.end(), {"--checkpoint", state, "--checkpoint-every", "2"});
    Conditions full;
    full.largest_file = 2560;  // the output has 2528 bytes, the checkpoint more
    const Outcome outcome = rhopsi(with, full);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
    EXPECT_TRUE(std::filesystem::exists(folder / "o.npy")) << outcome.text();
    EXPECT_TRUE(std::filesystem::exists(folder / "o-4.npy"));
    EXPECT_FALSE(std::filesystem::exists(state));
    EXPECT_NE(outcome.err.find("warning[E0833]: no checkpoint of step 2"), std::string::npos)
        << outcome.text();
    EXPECT_NE(outcome.err.find("error[E0833]: no checkpoint of step 4"), std::string::npos)
        << outcome.text();
    EXPECT_EQ(outcome.err.find("E0842"), std::string::npos) << outcome.text();
    const Json object = last_line(outcome);
    ASSERT_TRUE(object.is_object()) << outcome.text();
    EXPECT_EQ(object.value("steps", 0), 4) << outcome.text();
    EXPECT_EQ(object["values"]["n"], 22);
    EXPECT_EQ(object.value("errors", 0), 1);
    EXPECT_EQ(object["diagnostics"].back()["code"], "E0833");
    std::filesystem::remove(folder / "o.npy");
    std::filesystem::remove(folder / "o-4.npy");
  }
}

TEST_F(Checkpoint, OfAnInterruptedReference) {
  Started started(command("reference", "1000000000",
                          fresh({"--checkpoint", state, "--checkpoint-every", "2"})));
  for (int tries = 0; tries < 6000 && !std::filesystem::exists(state); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ::kill(started.id(), SIGINT);
  const Outcome outcome = started.wait();
  EXPECT_EQ(outcome.exit_code, 130) << outcome.text();
  EXPECT_NE(outcome.err.find("go on with --restart"), std::string::npos) << outcome.text();
  const std::string text = read(state);
  const std::string step =
      text.substr(text.find("step ") + 5, text.find("\nshape") - text.find("step ") - 5);
  EXPECT_NE(outcome.err.find("interrupted after step " + step + " of"), std::string::npos)
      << outcome.text();
  const std::string next = std::to_string(std::stoll(step) + 1);
  EXPECT_EQ(run("reference", next, {"--restart", state}).exit_code, 0);
}

// Of a step at least what goes in and what comes out lives at the same time; what has gone does
// not count.
TEST_F(Checkpoint, TheReferenceCountsTheBytesOfLiveArrays) {
  const auto peak = [&](const std::string& repeat) {
    return last_line(run("reference", repeat, fresh({"--json"}))).value("bytes_peak", 0);
  };
  const int array = 6 * 5 * 8;
  EXPECT_GE(peak("1"), 3 * array);  // u, v and the new u
  EXPECT_EQ(peak("1") % array, 0);
  EXPECT_EQ(peak("50"), peak("5"));
  EXPECT_LE(peak("50"), 12 * array);
}

}  // namespace
}  // namespace rhopsi::exec
