// The command killed at any moment: what it was to write is the old thing or the whole new one, and
// the next run works.
#include <chrono>
#include <cstdlib>
#include <functional>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <signal.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Everything below a path, a file or a folder, as one text; empty where there is nothing.
std::string content(const fs::path& path) {
  if (!fs::is_directory(path)) return read(path.string());
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::string text;
  for (const fs::path& file : files) {
    text += file.lexically_relative(path).string() + "\n" + read(file.string()) + "\n";
  }
  return text;
}

class Killed : public testing::Test {
 protected:
  static std::size_t rounds(std::size_t few) {
    return std::getenv("RHOPSI_TEST_SEEDS") == nullptr ? few : 3 * few;
  }

  Outcome whole(const std::vector<std::string>& words) const {
    const Outcome outcome = rhopsi(words, conditions);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome;
  }

  // Begins, and ends it by force somewhere within a little more than the time that it takes.
  void kill_within(const std::vector<std::string>& words, Clock::duration time) {
    const auto most = std::chrono::duration_cast<std::chrono::microseconds>(time).count() * 5 / 4;
    Started command(words, conditions);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % (most + 1)));
    ::kill(command.id(), SIGKILL);
    killed += command.wait().signal == SIGKILL ? 1 : 0;
  }

  // `target` holds what `before` makes, and then `words` run and are killed; at last they run to
  // their end, and nothing else is left in the folder.
  void expect_old_or_new(const std::string& name, const std::vector<std::string>& before,
                         const std::vector<std::string>& words) {
    const fs::path target = folder / name, kept = folder / ("old-" + name);
    whole(before);
    const std::string old = content(target);
    fs::copy(target, kept, fs::copy_options::recursive);
    const auto begin = Clock::now();
    whole(words);
    const auto time = Clock::now() - begin;
    const std::string made = content(target);
    ASSERT_NE(made, old);
    const auto names = folder.names();
    for (std::size_t round = 0; round < rounds(6); ++round) {
      fs::remove_all(target);
      fs::copy(kept, target, fs::copy_options::recursive);
      kill_within(words, time);
      const std::string found = content(target);
      EXPECT_TRUE(found == old || found == made) << name << " holds neither\n" << found;
    }
    whole(words);
    EXPECT_EQ(content(target), made);
    for (const std::string& each : folder.names()) {
      // Between two calls of the system a file has a name of its own; nothing else may be left.
      if (each.ends_with(".part")) fs::remove(folder / each);
    }
    EXPECT_EQ(folder.names(), names);
  }

  const Folder folder;
  Conditions conditions;
  std::mt19937 random{20265};
  int killed = 0;
};

TEST_F(Killed, RewriteLeavesTheOldFileOrTheNewOne) {
  const std::string smooth = source("specs/smooth/smooth.mg");
  expect_old_or_new("p.mg", {"rewrite", smooth, "-p", "Base", "-o", folder / "p.mg"},
                    {"rewrite", smooth, "-p", "DNF", "-o", folder / "p.mg"});
  const std::string burgers = source("specs/burgers/burgers.mg");
  expect_old_or_new(
      "c", {"rewrite", smooth, "-p", "DNF", "-f", "smoothIx", "--certificate", folder / "c"},
      {"rewrite", burgers, "-p", "3DPadded", "--certificate", folder / "c"});
  EXPECT_GT(killed, 0);
}

TEST_F(Killed, EmitLeavesTheOldFolderOrTheNewOne) {
  const std::string smooth = source("specs/smooth/smooth.mg");
  const std::vector<std::string> words = {"emit",       smooth,   "-p", "DNF",     "-o",
                                          folder / "s", "--rank", "2",  "--python"};
  expect_old_or_new("s", {"emit", smooth, "-p", "Base", "-o", folder / "s", "--rank", "1"}, words);
}

// Beside files of others it goes file by file, and what is half of each cannot be built.
TEST_F(Killed, EmitAmongOtherFilesLeavesNothingThatBuildsInPart) {
  const std::string smooth = source("specs/smooth/smooth.mg");
  const auto emit = [&](const std::string& program, const std::string& rank) {
    return std::vector<std::string>{"emit", smooth,       "-p",     program,
                                    "-o",   folder / "s", "--rank", rank};
  };
  whole(emit("Base", "1"));
  folder.write("s/build/mine", "not ours");
  const std::string old = content(folder / "s");
  const auto begin = Clock::now();
  whole(emit("DNF", "2"));
  const auto time = Clock::now() - begin;
  const std::string made = content(folder / "s");
  for (std::size_t round = 0; round < rounds(6); ++round) {
    whole(emit("Base", "1"));
    kill_within(emit("DNF", "2"), time);
    const std::string found = content(folder / "s");
    EXPECT_TRUE(found == old || found == made || !fs::exists(folder / "s/CMakeLists.txt")) << found;
  }
  whole(emit("DNF", "2"));
  EXPECT_EQ(content(folder / "s"), made);
  EXPECT_EQ(read(folder / "s/build/mine"), "not ours");
  whole(emit("Base", "1"));
  EXPECT_EQ(content(folder / "s"), old);
}

TEST_F(Killed, RunLeavesTheOldArraysOrTheNewOnes) {
  const std::string smooth = source("specs/smooth/smooth.mg");
  const std::string a = random_field(folder, "a", {40, 50}, 1);
  const auto run = [&](const std::string& repeat) {
    return std::vector<std::string>{
        "run",          smooth,           "-p",       "Base",  "--backend",
        "reference",    "--in",           "a=" + a,   "--out", "a=" + folder / "o.npy",
        "--checkpoint", folder / "state", "--repeat", repeat,  "--quiet"};
  };
  expect_old_or_new("o.npy", run("1"), run("3"));
  // The checkpoint is one that a run goes on from, whatever it is.
  const Outcome rest =
      rhopsi({"run", smooth, "-p", "Base", "--backend", "reference", "--restart", folder / "state",
              "--repeat", "4", "--out", "a=" + folder / "r.npy", "--quiet"});
  EXPECT_EQ(rest.exit_code, 0) << rest.text();
  whole(run("4"));
  EXPECT_EQ(difference(folder / "o.npy", folder / "r.npy"), 0.0);
}

TEST_F(Killed, ACheckpointIsAlwaysWhole) {
  const std::string smooth = source("specs/smooth/smooth.mg");
  const std::string a = random_field(folder, "a", {30, 30}, 1);
  const std::vector<std::string> words = {
      "run",      smooth,   "-p",           "Base",           "--backend",          "reference",
      "--in",     "a=" + a, "--checkpoint", folder / "state", "--checkpoint-every", "1",
      "--repeat", "100000", "--quiet"};
  for (std::size_t round = 0; round < rounds(4); ++round) {
    Started command(words, conditions);
    for (int tries = 0; tries < 6000 && !fs::exists(folder / "state"); ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 30000));
    ::kill(command.id(), SIGKILL);
    EXPECT_EQ(command.wait().signal, SIGKILL);
    const Outcome rest = rhopsi({"run", smooth, "-p", "Base", "--backend", "reference", "--restart",
                                 folder / "state", "--repeat", "100000000", "--shape", "7,7"});
    EXPECT_NE(rest.err.find("E0821"), std::string::npos) << rest.text();  // it was read
    EXPECT_EQ(rest.err.find("E0823"), std::string::npos) << rest.text();
    fs::remove(folder / "state");
  }
}

TEST_F(Killed, FmtLeavesTheOldTextOrTheNewOne) {
  std::string text = "package f;\n";
  for (int i = 0; i < 2000; ++i) {
    text += "signature S" + std::to_string(i) + "={type   T;function f(a:T):T ;};\n";
  }
  const std::string file = folder.write("f.mg", text);
  const auto begin = Clock::now();
  whole({"fmt", file});
  const auto time = Clock::now() - begin;
  const std::string made = read(file);
  ASSERT_NE(made, text);
  for (std::size_t round = 0; round < rounds(6); ++round) {
    folder.write("f.mg", text);
    kill_within({"fmt", file}, time);
    const std::string found = read(file);
    EXPECT_TRUE(found == text || found == made);
  }
}

// What is compiled, and what verify has found out, is kept in folders that any run may be killed
// in.
TEST_F(Killed, CachesServeTheNextRun) {
  conditions.environment["RHOPSI_CACHE"] = folder / "cache";
  const std::string system =
      folder.write("add.trs", "(VAR x y)(RULES add(0, y) -> y add(s(x), y) -> s(add(x, y)))");
  const std::vector<std::string> compiled = {"normalize",          "--trs",     system, "--term",
                                             "add(s(s(0)), s(0))", "--compiled"};
  const std::string spec = source("rules/arith/vectors.mg");
  for (const auto& words : {compiled, std::vector<std::string>{"verify", spec}}) {
    const auto begin = Clock::now();
    const Outcome first = rhopsi(words, conditions);
    const auto time = Clock::now() - begin;
    EXPECT_EQ(first.signal, 0);
    for (std::size_t round = 0; round < rounds(4); ++round) {
      fs::remove_all(folder / "cache");
      for (int again = 0; again < 2; ++again) kill_within(words, time);
      const Outcome next = rhopsi(words, conditions);
      EXPECT_EQ(next.exit_code, first.exit_code) << next.text();
      if (words == compiled) {
        EXPECT_EQ(next.out, first.out);
      }
    }
    for (const std::string& each : folder.names()) {
      EXPECT_EQ(each.find(".work."), std::string::npos) << each;
    }
  }
}

// The driver and the program are compiled by processes of their own, which outlive the command for
// a while: what they still write is not taken for what has been built.
TEST_F(Killed, ACompilationServesTheNextRun) {
  conditions.environment["RHOPSI_CACHE"] = folder / "cache";
  const std::string smooth = source("specs/smooth/smooth.mg");
  const std::string a = random_field(folder, "a", {20, 30}, 1);
  const auto run = [&](const std::string& how, const std::string& what, const std::string& result) {
    return std::vector<std::string>{"run",    smooth, "-p",     "Base",  how,
                                    what,     "--in", "a=" + a, "--out", "a=" + folder / result,
                                    "--quiet"};
  };
  whole(run("--backend", "reference", "wanted.npy"));
  const auto begin = Clock::now();
  whole(run("--target", "serial", "made.npy"));
  const auto time = Clock::now() - begin;
  for (std::size_t round = 0; round < rounds(1); ++round) {
    fs::remove_all(folder / "cache");
    kill_within(run("--target", "serial", "made.npy"), time);
    fs::remove(folder / "made.npy");
    whole(run("--target", "serial", "made.npy"));
    EXPECT_EQ(difference(folder / "made.npy", folder / "wanted.npy"), 0.0);
  }
}

}  // namespace
}  // namespace rhopsi::exec
