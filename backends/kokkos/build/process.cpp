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

#include "backends/kokkos/build/signals.hpp"

extern char** environ;

namespace rhopsi::kokkos {
namespace {

// The group of the program that is waited for.
std::atomic<pid_t> group{0};

volatile sig_atomic_t arrived_interrupt = 0;
volatile sig_atomic_t arrived_terminate = 0;
StopRequests requests;

void pass_on(int signal_number) {
  const int saved = errno;
  const bool again = requests.part_of_last();
  (signal_number == SIGINT ? arrived_interrupt : arrived_terminate) = 1;
  if (const pid_t to = group.load(); to > 0 && !again) kill(-to, signal_number);
  errno = saved;
}

// Ctrl-Z: both stop, and both go on.
void stop_together(int) {
  const int saved = errno;
  const pid_t to = group.load();
  if (to > 0) kill(-to, SIGSTOP);
  raise(SIGSTOP);
  if (to > 0) kill(-to, SIGCONT);
  errno = saved;
}

// The terminal has gone, or Ctrl-\: both end.
void end_together(int signal_number) {
  if (const pid_t to = group.load(); to > 0) kill(-to, signal_number);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

// The other program has a process group of its own, so that whatever is sent to this process,
// to its group or from the terminal reaches it once: through here. What arrived meanwhile is
// raised again afterwards, so that this process' own handlers know.
class SignalScope {
 public:
  SignalScope() {
    arrived_interrupt = 0;
    arrived_terminate = 0;
    requests.forget();
    sigset_t all;
    sigemptyset(&all);
    for (Replaced& one : replaced_) {
      sigaddset(&all, one.number);
      struct sigaction action {};
      action.sa_flags = SA_RESTART;
      action.sa_handler = one.handler;
      sigaction(one.number, nullptr, &one.before);
      const bool deaf = one.before.sa_handler == SIG_IGN && one.number != SIGINT;
      if (!deaf) sigaction(one.number, &action, nullptr);
    }
    // Until the program runs there is nobody to pass them on to.
    pthread_sigmask(SIG_BLOCK, &all, &mask_);
  }
  ~SignalScope() {
    group = 0;
    for (const Replaced& one : replaced_) sigaction(one.number, &one.before, nullptr);
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
    if (arrived_interrupt != 0) raise(SIGINT);
    if (arrived_terminate != 0) raise(SIGTERM);
  }
  SignalScope(const SignalScope&) = delete;
  SignalScope& operator=(const SignalScope&) = delete;

  void runs(pid_t id) {
    group = id;
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }
  const sigset_t& mask() const { return mask_; }

 private:
  struct Replaced {
    int number;
    void (*handler)(int);
    struct sigaction before {};
  };
  // Outside the terminal's foreground a program may still write to it.
  std::array<Replaced, 6> replaced_{{{SIGINT, pass_on},
                                     {SIGTERM, pass_on},
                                     {SIGTSTP, stop_together},
                                     {SIGHUP, end_together},
                                     {SIGQUIT, end_together},
                                     {SIGTTOU, SIG_IGN}}};
  sigset_t mask_{};
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

  // Leads a process group, and begins with this mask of signals.
  void separate(const sigset_t& mask) {
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &mask);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  }
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

// The process stays known until nobody can send to it any more.
Result<int> wait_for_child(pid_t id) {
  siginfo_t ended;
  while (waitid(P_PID, static_cast<id_t>(id), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  group = 0;
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

  SignalScope signals;
  if (process.stopped()) return 128 + SIGINT;
  actions.separate(signals.mask());
  pid_t id = 0;
  const int code = posix_spawnp(&id, process.program.c_str(), &actions.files, &actions.attributes,
                                argument_pointers.data(), variable_pointers.data());
  if (code != 0)
    return failure("E0706", "cannot start '" + process.program + "': " + std::strerror(code));
  signals.runs(id);
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
