#include "backends/kokkos/build/process.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace rhopsi::kokkos {
namespace {

std::atomic<pid_t> child{0};

volatile sig_atomic_t arrived_interrupt = 0;
volatile sig_atomic_t arrived_terminate = 0;

void remember(int) { arrived_interrupt = 1; }

void pass_on(int signal_number) {
  const int saved = errno;
  arrived_terminate = 1;
  if (const pid_t to = child.load(); to > 0) kill(to, signal_number);
  errno = saved;
}

// While another program runs in the foreground, its signals are its own affair. What
// arrived meanwhile is raised again afterwards, so that this process' own handlers know.
class SignalScope {
 public:
  SignalScope() {
    struct sigaction action {};
    arrived_interrupt = 0;
    arrived_terminate = 0;
    action.sa_flags = SA_RESTART;
    action.sa_handler = remember;
    sigaction(SIGINT, &action, &interrupt_);
    action.sa_handler = pass_on;
    sigaction(SIGTERM, &action, &terminate_);
  }
  ~SignalScope() {
    child = 0;
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGTERM, &terminate_, nullptr);
    if (arrived_interrupt != 0) raise(SIGINT);
    if (arrived_terminate != 0) raise(SIGTERM);
  }
  SignalScope(const SignalScope&) = delete;
  SignalScope& operator=(const SignalScope&) = delete;

 private:
  struct sigaction interrupt_ {};
  struct sigaction terminate_ {};
};

class SpawnActions {
 public:
  SpawnActions() {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    sigset_t reset;
    sigemptyset(&reset);
    sigaddset(&reset, SIGINT);
    sigaddset(&reset, SIGTERM);
    posix_spawnattr_setsigdefault(&attributes, &reset);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnActions() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  void redirect(int descriptor, const std::optional<std::filesystem::path>& to) {
    if (!to) return;
    posix_spawn_file_actions_addopen(&files, descriptor, to->c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                     0600);
  }

  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
};

std::vector<std::string> environment_with(const std::map<std::string, std::string>& more) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    if (more.count(text.substr(0, text.find('='))) == 0) variables.push_back(text);
  }
  for (const auto& [name, value] : more) variables.push_back(name + "=" + value);
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

int status_of(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

Result<int> wait_for_child(pid_t id) {
  int status = 0;
  while (waitpid(id, &status, 0) < 0) {
    if (errno != EINTR)
      return failure("E0706", std::string("waiting for a program failed: ") + std::strerror(errno));
  }
  return status_of(status);
}

}  // namespace

Result<int> wait_for(const Process& process) {
  std::vector<std::string> words{process.program};
  words.insert(words.end(), process.arguments.begin(), process.arguments.end());
  std::vector<std::string> variables = environment_with(process.environment);
  std::vector<char*> argument_pointers = pointers(words);
  std::vector<char*> variable_pointers = pointers(variables);
  SpawnActions actions;
  actions.redirect(1, process.output);
  if (process.errors && process.errors == process.output)
    posix_spawn_file_actions_adddup2(&actions.files, 1, 2);
  else
    actions.redirect(2, process.errors);

  const SignalScope signals;
  pid_t id = 0;
  const int code = posix_spawnp(&id, process.program.c_str(), &actions.files, &actions.attributes,
                                argument_pointers.data(), variable_pointers.data());
  if (code != 0)
    return failure("E0706", "cannot start '" + process.program + "': " + std::strerror(code));
  child = id;
  return wait_for_child(id);
}

std::optional<std::string> output_of(const std::string& program,
                                     const std::vector<std::string>& arguments) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argument_pointers = pointers(words);
  SpawnActions actions;
  posix_spawn_file_actions_adddup2(&actions.files, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions.files, 2, "/dev/null", O_WRONLY, 0);
  pid_t id = 0;
  const int code = posix_spawnp(&id, program.c_str(), &actions.files, &actions.attributes,
                                argument_pointers.data(), environ);
  close(ends[1]);
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; code == 0;) {
    count = read(ends[0], buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  if (code != 0) return std::nullopt;
  const Result<int> status = wait_for_child(id);
  if (!status || *status != 0) return std::nullopt;
  return text;
}

std::optional<std::filesystem::path> find_program(const std::string& program) {
  if (program.find('/') != std::string::npos) {
    if (access(program.c_str(), X_OK) == 0) return program;
    return std::nullopt;
  }
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto candidate = std::filesystem::path(folder.empty() ? "." : folder) / program;
    std::error_code code;
    if (access(candidate.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(candidate, code))
      return candidate;
  }
  return std::nullopt;
}

}  // namespace rhopsi::kokkos
