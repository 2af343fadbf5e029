// The command as a user meets it: a process with arguments, an environment and a folder.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/types.h>

namespace rhopsi::exec {

struct Outcome {
  int exit_code = -1;  // -1 after a signal
  int signal = 0;
  std::string out;
  std::string err;

  // All of it, for messages of failed expectations.
  std::string text() const {
    return "exit code " + std::to_string(exit_code) + ", signal " + std::to_string(signal) +
           "\n--- standard output\n" + out + "--- standard error\n" + err;
  }
};

struct Conditions {
  std::filesystem::path folder = ".";
  std::map<std::string, std::string> environment;  // on top of the test's own
  std::optional<rlim_t> largest_file;              // in bytes: a disk that is full
  std::string out_to;                              // a file in place of the captured output
  std::string program;                             // in place of the built command
};

// A fresh folder, removed at the end of its scope.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();

  const std::filesystem::path& path() const { return path_; }
  // The path of a file in it.
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  // Writes a file in it, and the folders between; returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  // Names of everything in it, relative, sorted.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

// Where `run` and `tune` run what they compile, if a test does not say: RHOPSI_TEST_TARGET of the
// environment, as --target has it. Empty: where the command itself chooses.
std::string test_target();

// Is that a GPU?
inline bool on_device() { return test_target() == "cuda"; }

// Runs the built command, for the target of the tests, and waits for it.
Outcome rhopsi(const std::vector<std::string>& arguments, const Conditions& conditions = {});

// Another program, found as a shell finds it.
Outcome execute(const std::string& program, const std::vector<std::string>& arguments,
                Conditions conditions = {});

// The built command under way: a leader of its own process group, as a shell starts it.
class Started {
 public:
  explicit Started(const std::vector<std::string>& arguments, const Conditions& conditions = {});
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;
  ~Started();

  pid_t id() const { return id_; }
  Outcome wait();

 private:
  Folder captured_;
  std::string out_to_;
  pid_t id_ = 0;
};

// A path below the repository.
std::string source(const std::string& name);

std::string read(const std::string& path);

std::vector<std::string> lines(const std::string& text);

// Whether the part is in the text.
bool has(const std::string& text, const std::string& part);

}  // namespace rhopsi::exec
