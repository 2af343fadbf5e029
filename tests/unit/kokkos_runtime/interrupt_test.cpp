// Signals at any moment: files are whole, and a run can be gone on with.
#include <chrono>
#include <fstream>
#include <random>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sample.hpp"

extern char** environ;

namespace rhopsi::kokkos::test {
namespace {

class Running {
 public:
  explicit Running(const std::vector<std::string>& arguments) {
    std::vector<std::string> words{sample("sample").path.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    for (const int descriptor : {1, 2})
      posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&id_, words[0].c_str(), &files, nullptr, pointers.data(), environ) != 0)
      throw std::runtime_error("the sample does not start");
    posix_spawn_file_actions_destroy(&files);
  }
  int ended_by(int signal_number, std::chrono::milliseconds after) const {
    std::this_thread::sleep_for(after);
    kill(id_, signal_number);
    int status = 0;
    waitpid(id_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t id_ = 0;
};

class Interrupt : public testing::Test {
 protected:
  void SetUp() override {
    write_random(folder / "u.npy", {20, 30, 40}, 1);
    write_random(folder / "source.npy", {20, 30, 40}, 2);
  }
  std::vector<std::string> endless(bool restart) const {
    std::vector<std::string> words{"--entry",
                                   "step",
                                   "--repeat",
                                   "1000000000",
                                   "--in",
                                   "source=" + (folder / "source.npy"),
                                   "--checkpoint",
                                   state,
                                   "--checkpoint-every",
                                   "3",
                                   "--out",
                                   "u=" + (folder / "o.npy"),
                                   "--every",
                                   "1000000"};
    const std::vector<std::string> more =
        restart ? std::vector<std::string>{"--restart", state}
                : std::vector<std::string>{"--set", "dt=0.1",  "--set", "nu=0.1",
                                           "--set", "count=0", "--in",  "u=" + (folder / "u.npy")};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::int64_t saved_step() const {
    std::ifstream file(state);
    for (std::string line; std::getline(file, line);)
      if (line.rfind("step ", 0) == 0) return std::stoll(line.substr(5));
    return -1;
  }
  // The run is then under way, however slow the machine.
  void wait_beyond(std::int64_t step) const {
    for (int tries = 0; tries < 6000 && saved_step() <= step; ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ASSERT_GT(saved_step(), step);
  }

  Folder folder;
  std::string state = folder / "state";
};

TEST_F(Interrupt, SavesAndTellsTheSignal) {
  std::int64_t before = -1;
  for (const int signal_number : {SIGINT, SIGTERM}) {
    const Running running(endless(before >= 0));
    wait_beyond(before);
    EXPECT_EQ(running.ended_by(signal_number, std::chrono::milliseconds(20)), 128 + signal_number);
    EXPECT_GT(saved_step(), before);
    before = saved_step();
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "o.npy"));
}

TEST_F(Interrupt, KilledAtAnyMomentLeavesAWholeCheckpoint) {
  std::mt19937 random(7);
  std::int64_t before = -1;
  for (int round = 0; round < 12; ++round) {
    const Running running(endless(before >= 0));
    if (before < 0) wait_beyond(before);
    const auto delay = std::chrono::milliseconds(random() % 120);
    EXPECT_EQ(running.ended_by(SIGKILL, delay), 128 + SIGKILL);
    EXPECT_GE(saved_step(), before);
    before = saved_step();
  }
  // Restarting verifies the checksum; the outcome is that of an unbroken run.
  const std::string last = std::to_string(before + 2);
  const Outcome again =
      run_sample({"--entry", "step", "--repeat", last, "--restart", state, "--in",
                  "source=" + (folder / "source.npy"), "--out", "u=" + (folder / "a.npy")});
  EXPECT_EQ(again.status, 0) << again.errors;
  const Outcome whole =
      run_sample({"--entry", "step", "--repeat", last, "--set", "dt=0.1", "--set", "nu=0.1",
                  "--set", "count=0", "--in", "u=" + (folder / "u.npy"), "--in",
                  "source=" + (folder / "source.npy"), "--out", "u=" + (folder / "b.npy")});
  EXPECT_EQ(whole.status, 0) << whole.errors;
  EXPECT_EQ(contents(folder / "a.npy"), contents(folder / "b.npy"));
}

}  // namespace
}  // namespace rhopsi::kokkos::test
