#include "tests/exec/process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rhopsi::exec {
namespace fs = std::filesystem;

namespace {

// The tests keep what they compile in a cache of their own. Where the cache that the environment
// names holds the Kokkos that scripts/setup has settled on, that would no longer be found: it is
// named then. The one of the user's own cache is found from everywhere.
std::map<std::string, std::string> tests_environment() {
  std::map<std::string, std::string> environment = {{"RHOPSI_CACHE", RHOPSI_TEST_CACHE},
                                                    {"RHOPSI_MACHINE", "standard"}};
  const char* const cache = std::getenv("RHOPSI_CACHE");
  if (cache == nullptr || std::getenv("Kokkos_ROOT") != nullptr ||
      std::getenv("Kokkos_DIR") != nullptr) {
    return environment;
  }
  std::ifstream settled(std::string(cache) + "/kokkos/current");
  std::string prefix;
  if (std::getline(settled, prefix)) environment["Kokkos_ROOT"] = prefix;
  return environment;
}

// What compiles and runs a program does so for the target of the tests, unless these words name
// another one, or the reference.
std::vector<std::string> on_test_target(std::vector<std::string> words) {
  const std::string target = test_target();
  const bool runs = !words.empty() && (words.front() == "run" || words.front() == "tune");
  if (target.empty() || !runs) return words;
  const std::vector<std::string> reference = {"--backend", "reference"};
  const bool compiled =
      std::search(words.begin(), words.end(), reference.begin(), reference.end()) == words.end();
  const bool named = std::find(words.begin(), words.end(), "--target") != words.end();
  if (compiled && !named) words.insert(std::next(words.begin()), {"--target", target});
  return words;
}

// In the child, between fork and exec.
[[noreturn]] void become(const std::vector<std::string>& arguments, const Conditions& conditions,
                         const std::string& out, const std::string& err) {
  const int input = ::open("/dev/null", O_RDONLY);
  const int output = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int errors = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  if (::chdir(conditions.folder.c_str()) != 0) ::_exit(126);
  for (const auto& environment : {tests_environment(), conditions.environment}) {
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  }
  if (conditions.largest_file) {
    const struct rlimit limit = {*conditions.largest_file, *conditions.largest_file};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  const bool built = conditions.program.empty();
  const std::string program = built ? RHOPSI_BINARY : conditions.program;
  const std::vector<std::string> words = built ? on_test_target(arguments) : arguments;
  std::vector<char*> pointers = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : words) {
    pointers.push_back(const_cast<char*>(argument.c_str()));
  }
  pointers.push_back(nullptr);
  ::execvp(program.c_str(), pointers.data());
  ::_exit(127);
}

}  // namespace

Started::Started(const std::vector<std::string>& arguments, const Conditions& conditions)
    : out_to_(conditions.out_to) {
  const std::string out = out_to_.empty() ? captured_ / "out" : out_to_;
  id_ = ::fork();
  if (id_ != 0) return;
  ::setpgid(0, 0);
  become(arguments, conditions, out, captured_ / "err");
}

Started::~Started() {
  if (id_ > 0) ::kill(-id_, SIGKILL);
  if (id_ > 0) wait();
}

Outcome Started::wait() {
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = 0;
  Outcome outcome;
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  if (out_to_.empty()) outcome.out = read(captured_ / "out");
  outcome.err = read(captured_ / "err");
  return outcome;
}

std::string test_target() {
  const char* const named = std::getenv("RHOPSI_TEST_TARGET");
  return named == nullptr ? "" : named;
}

Outcome rhopsi(const std::vector<std::string>& arguments, const Conditions& conditions) {
  return Started(arguments, conditions).wait();
}

Outcome execute(const std::string& program, const std::vector<std::string>& arguments,
                Conditions conditions) {
  conditions.program = program;
  return Started(arguments, conditions).wait();
}

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "rhopsi-exec-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw fs::filesystem_error("mkdtemp", {});
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& name, const std::string& text) const {
  const fs::path file = path_ / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
  return file.string();
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path_)) {
    names.push_back(fs::relative(entry.path(), path_).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string source(const std::string& name) {
  return (fs::path(RHOPSI_SOURCE_DIR) / name).string();
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

std::vector<std::string> lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> found;
  for (std::string line; std::getline(stream, line);) found.push_back(line);
  return found;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace rhopsi::exec
