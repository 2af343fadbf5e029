// What the command tells whoever started it: exit codes, and colours on a terminal.
#include <chrono>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

// What the command writes on a standard error that is a terminal.
std::string on_terminal(const std::string& arguments, const Conditions& conditions) {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) return "no terminal";
  const std::string slave = ::ptsname(master);
  const int open_end = ::open(slave.c_str(), O_RDWR | O_NOCTTY);  // what is written stays
  execute("sh", {"-c", "exec " RHOPSI_BINARY " " + arguments + " 2>" + slave}, conditions);
  ::fcntl(master, F_SETFL, O_NONBLOCK);
  std::string text(1 << 16, '\0');
  const ssize_t count = ::read(master, text.data(), text.size());
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  ::close(open_end);
  ::close(master);
  return text;
}

TEST(Terminal, ColoursWhereTheyAreWanted) {
  Conditions conditions;
  const auto colours = [&] {
    const std::string text = on_terminal("check nowhere.mg", conditions);
    EXPECT_NE(text.find("E0804"), std::string::npos) << text;
    return text.find("\x1b[") != std::string::npos;
  };
  conditions.environment = {{"TERM", "xterm"}, {"NO_COLOR", ""}};
  EXPECT_TRUE(colours());
  conditions.environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}};
  EXPECT_FALSE(colours());
  conditions.environment = {{"TERM", "dumb"}, {"NO_COLOR", ""}};
  EXPECT_FALSE(colours());
}

// Those that docs/cli.md and --help name.
TEST(ExitCodes, OfWhatIsDoneAndOfMistakes) {
  const Folder folder;
  const std::string good = folder.write("good.mg", "package good;\n");
  const std::string bad = folder.write("bad.mg", "package worse;\n");
  const auto code = [](const std::vector<std::string>& arguments) {
    const Outcome outcome = rhopsi(arguments);
    EXPECT_EQ(outcome.exit_code == 0, outcome.err.find("error[") == std::string::npos)
        << outcome.text();
    return outcome.exit_code;
  };
  EXPECT_EQ(code({"check", good}), 0);
  EXPECT_EQ(code({"check", bad}), 1);
  EXPECT_EQ(code({"check", good, "--no-such-option"}), 1);
  EXPECT_EQ(code({"no-such-command"}), 1);
  EXPECT_EQ(code({"fmt", folder / "nowhere"}), 1);
  EXPECT_EQ(code({"eval", "1 +"}), 1);
  EXPECT_EQ(code({"eval", "1 + 1"}), 0);
  const std::string documented = read(source("docs/cli.md"));
  for (const char* row : {"| 0 |", "| 1 |", "| 2 |", "| 130, 143 |"})
    EXPECT_NE(documented.find(row), std::string::npos) << row;
}

// A command that is at work for a while.
class AtWork : public testing::Test {
 protected:
  Outcome after(int signal) {
    Started command({"run", source("specs/smooth/smooth.mg"), "-p", "Base", "--backend",
                     "reference", "--repeat", "1000000000", "--in", "a=iota:8", "--quiet"});
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    ::kill(command.id(), signal);
    return command.wait();
  }
};

TEST_F(AtWork, TerminatedIs143) {
  const Outcome outcome = after(SIGTERM);
  EXPECT_EQ(outcome.exit_code, 143) << outcome.text();
}

TEST_F(AtWork, InterruptedIs130) {
  const Outcome outcome = after(SIGINT);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.text();
}

TEST_F(AtWork, ACrashIsAnInternalFault) {
  if (!std::string(RHOPSI_SANITIZE).empty()) GTEST_SKIP() << "sanitizers report crashes themselves";
  const Outcome outcome = after(SIGSEGV);
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text();
  EXPECT_NE(outcome.err.find("This is a bug of rhopsi"), std::string::npos) << outcome.text();
}

}  // namespace
}  // namespace rhopsi::exec
