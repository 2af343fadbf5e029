// Signals to the command while the compiled program runs.
#include <chrono>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <signal.h>

#include "backends/kokkos/build/signals.hpp"
#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

class Interrupted : public testing::Test {
 protected:
  void SetUp() override { random_field(folder, "a", {7, 5}, 1); }

  std::vector<std::string> run(const std::string& repeat,
                               const std::vector<std::string>& more) const {
    std::vector<std::string> words = {
        "run",   source("specs/smooth/smooth.mg"), "-p",       "DNF",
        "--out", "a=" + folder / "out.npy",        "--repeat", repeat};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::vector<std::string> endless() const {
    return run("1000000000",
               {"--in", "a=" + folder / "a.npy", "--checkpoint", state, "--checkpoint-every", "3"});
  }
  long long saved_step() const {
    std::ifstream file(state);
    for (std::string line; std::getline(file, line);) {
      if (line.rfind("step ", 0) == 0) return std::stoll(line.substr(5));
    }
    return -1;
  }
  // Compiled, and at work.
  void wait_for_checkpoint() const {
    for (int tries = 0; tries < 24000 && saved_step() < 0; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ASSERT_GE(saved_step(), 0);
  }
  void expect_stopped(const Outcome& outcome, int exit_code) const {
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.text();
    EXPECT_NE(outcome.err.find("interrupted after step"), std::string::npos) << outcome.text();
    // Nobody goes on writing, and nothing is half-written.
    const long long step = saved_step();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(saved_step(), step);
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.npy", "state"}));
    const Outcome again = rhopsi(run(std::to_string(step + 1), {"--restart", state}));
    EXPECT_EQ(again.exit_code, 0) << again.text();
  }

  const Folder folder;
  const std::string state = folder / "state";
};

TEST_F(Interrupted, TheCommandAlone) {
  Started command(endless());
  wait_for_checkpoint();
  ::kill(command.id(), SIGINT);
  expect_stopped(command.wait(), 130);
}

TEST_F(Interrupted, TheCommandAloneTerminated) {
  Started command(endless());
  wait_for_checkpoint();
  ::kill(command.id(), SIGTERM);
  expect_stopped(command.wait(), 143);
}

// What it has started does not go on without it.
TEST_F(Interrupted, TheCommandKilled) {
  Started command(endless());
  wait_for_checkpoint();
  ::kill(command.id(), SIGKILL);
  EXPECT_EQ(command.wait().signal, SIGKILL);
  long long before = -1, step = saved_step();
  for (int tries = 0; tries < 600 && step != before; ++tries) {
    before = step;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    step = saved_step();
  }
  EXPECT_EQ(step, before);
}

// What reaches the command and its group is one interruption, not two.
TEST_F(Interrupted, TheCommandAndItsGroup) {
  Started command(endless());
  wait_for_checkpoint();
  ::kill(command.id(), SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ::kill(-command.id(), SIGINT);
  expect_stopped(command.wait(), 130);
}

TEST_F(Interrupted, StoppedAndContinued) {
  Started command(endless());
  wait_for_checkpoint();
  ::kill(-command.id(), SIGTSTP);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const long long step = saved_step();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(saved_step(), step);
  ::kill(-command.id(), SIGCONT);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_GT(saved_step(), step);
  ::kill(command.id(), SIGINT);
  expect_stopped(command.wait(), 130);
}

// The compiler and what it has started end too, and the cache holds nothing of it.
TEST_F(Interrupted, WhileItCompiles) {
  const Folder cache;
  Conditions conditions;
  conditions.environment["RHOPSI_CACHE"] = cache / "c";
  Started command(endless(), conditions);
  const auto count = [&](const std::string& part) {
    int found = 0;
    std::error_code gone;
    for (std::filesystem::directory_iterator at(cache.path() / "c/programs", gone), end;
         !gone && at != end; at.increment(gone)) {
      found += at->path().string().find(part) != std::string::npos ? 1 : 0;
    }
    return found;
  };
  for (int tries = 0; tries < 6000 && count(".work.") == 0; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ASSERT_GT(count(".work."), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ::kill(command.id(), SIGINT);
  const Outcome outcome = command.wait();
  EXPECT_EQ(outcome.exit_code, 130) << outcome.text();
  EXPECT_NE(outcome.err.find("interrupted; nothing was written"), std::string::npos)
      << outcome.text();
  EXPECT_EQ(outcome.err.find("E07"), std::string::npos) << outcome.text();
  EXPECT_EQ(count(".work."), 0);
  EXPECT_EQ(count(".log"), 0);
  // What was done before the program itself may be kept.
  EXPECT_EQ(2 * count(".lock"), count(""));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.npy"});
}

// What comes together is one request, however many signals it is; what comes later is another.
TEST(StopRequests, SignalsThatComeTogether) {
  using std::chrono::milliseconds;
  kokkos::StopRequests requests;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(requests.part_of_last());
  const bool second = requests.part_of_last();
  const bool third = requests.part_of_last();
  if (std::chrono::steady_clock::now() - begin < milliseconds(190)) {
    EXPECT_TRUE(second);
    EXPECT_TRUE(third);
  }
  std::this_thread::sleep_for(milliseconds(210));
  EXPECT_FALSE(requests.part_of_last());
  requests.forget();
  EXPECT_FALSE(requests.part_of_last());
}

}  // namespace
}  // namespace rhopsi::exec
