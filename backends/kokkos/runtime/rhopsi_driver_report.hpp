// What a run tells: progress, summary, the line of JSON; and the signals that end it. Part of
// rhopsi_driver.cpp.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <signal.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "rhopsi_driver_diagnostics.hpp"
#include "rhopsi_driver_program.hpp"

namespace rhopsi::driver {

inline volatile sig_atomic_t& interrupted_by() {
  static volatile sig_atomic_t signal_number = 0;
  return signal_number;
}

// Ends as by SIGTERM when the process does that has started this one and is named by RHOPSI_PARENT,
// also where that is killed.
inline void end_with_parent() {
#ifdef __linux__
  const char* const parent = std::getenv("RHOPSI_PARENT");
  if (parent == nullptr) return;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (std::to_string(getppid()) != parent) raise(SIGTERM);  // it has ended meanwhile
#endif
}

// SIGINT and SIGTERM let the running step finish, once; a second one ends the program.
inline void install_signal_handlers() {
  interrupted_by() = 0;
  struct sigaction action {};
  action.sa_handler = [](int signal_number) { interrupted_by() = signal_number; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A full disk or quota is told by write(), in a message.
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  // Composed here: a handler may do little more than write.
  static const Diagnostic zero{
      "error", codes::division_by_zero, "integer division by zero", {}, {}};
  static const std::string text = zero.text();
  static const std::string object = "{\"errors\":1,\"diagnostics\":[" + zero.json() + "]}\n";
  struct sigaction division {};
  division.sa_handler = [](int) {
    const bool told = write(2, text.data(), text.size()) >= 0 &&
                      (!diagnostics().json_wanted || write(1, object.data(), object.size()) >= 0);
    _exit(told ? 1 : 2);
  };
  sigaction(SIGFPE, &division, nullptr);
  end_with_parent();
}

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double median(std::vector<double> times) {
  if (times.empty()) return 0;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  if (times.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(times.begin(), middle)) / 2;
}

inline std::string processor_name() {
  std::ifstream cpus("/proc/cpuinfo");
  for (std::string line; std::getline(cpus, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "CPU";
}

// One line, rewritten in place, on a terminal.
class Progress {
 public:
  Progress(bool wanted, std::int64_t first, std::int64_t total, std::int64_t elements)
      : shown_(wanted && isatty(2) == 1),
        first_(first),
        total_(total),
        elements_(elements),
        begin_(seconds_now()),
        next_(begin_ + 0.2) {}
  ~Progress() { clear(); }

  void step_done(std::int64_t step) {
    const double now = seconds_now();
    if (!shown_ || now < next_) return;
    next_ = now + 0.2;
    const double each = (now - begin_) / static_cast<double>(step - first_);
    const double rate = static_cast<double>(elements_) / each / 1e6;
    std::fprintf(stderr, "\rstep %lld/%lld  %.4g s/step  %.4g Melem/s  %.0f s left\033[K",
                 static_cast<long long>(step), static_cast<long long>(total_), each, rate,
                 each * static_cast<double>(total_ - step));
    std::fflush(stderr);
    drawn_ = true;
  }

  void clear() {
    if (drawn_) std::fputs("\r\033[K", stderr);
    drawn_ = false;
  }

 private:
  bool shown_, drawn_ = false;
  std::int64_t first_, total_, elements_;
  double begin_, next_;
};

// Numbers and truth values stand as they are; what JSON has no number for is a string.
inline std::string json_value(const std::string& text) {
  const bool plain = text == "true" || text == "false" ||
                     text.find_first_not_of("+-0123456789.e") == std::string::npos;
  return plain ? text : json_string(text);
}

inline std::string json_number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return std::isfinite(value) ? text : "null";
}

struct Machine {
  std::string target;  // as Kokkos calls it
  std::string device;  // of a GPU; else empty
  int concurrency = 1;
  bool checked = false;
};

struct Report {
  std::string program, entry, element;
  std::vector<std::int64_t> shape;  // of the domain
  // Of the arrays, instead, where each has a shape of its own.
  std::optional<std::vector<std::pair<std::string, std::vector<std::int64_t>>>> shapes;
  std::int64_t steps = 0, elements = 0;
  std::vector<double> times;
  std::vector<std::pair<std::string, std::string>> values;  // scalars that came out
  Machine machine;
  std::size_t peak_bytes = 0;

  double throughput() const {
    const double each = median(times);
    return each > 0 ? static_cast<double>(elements) / each / 1e6 : 0;
  }

  void print_summary() const {
    std::fprintf(stderr, "%s: %lld steps, median %.6g s/step, %.4g Melem/s, %.1f MB at most, %s\n",
                 entry.c_str(), static_cast<long long>(times.size()), median(times), throughput(),
                 static_cast<double>(peak_bytes) / 1e6, machine.target.c_str());
  }

  static std::string json_shape(const std::vector<std::int64_t>& shape) {
    std::string sides;
    for (const std::int64_t side : shape)
      sides += (sides.empty() ? "" : ",") + std::to_string(side);
    return "[" + sides + "]";
  }

  std::string json_shapes() const {
    if (!shapes) return "\"shape\":" + json_shape(shape);
    std::string text;
    for (const auto& [name, own] : *shapes)
      text += (text.empty() ? "" : ",") + json_string(name) + ":" + json_shape(own);
    return "\"shapes\":{" + text + "}";
  }

  void print_json() const {
    std::string line = "{\"program\":" + json_string(program) + ",\"entry\":" + json_string(entry);
    line += ",\"element\":" + json_string(element) + "," + json_shapes();
    line += ",\"steps\":" + std::to_string(steps);
    line += ",\"steps_run\":" + std::to_string(times.size());
    line += ",\"seconds_per_step\":" + json_number(median(times));
    double total = 0;
    for (const double time : times) total += time;
    line += ",\"seconds_total\":" + json_number(total);
    line += ",\"melem_per_second\":" + json_number(throughput());
    line += ",\"bytes_peak\":" + std::to_string(peak_bytes);
    line += ",\"target\":" + json_string(machine.target);
    line +=
        ",\"device\":" + json_string(machine.device.empty() ? processor_name() : machine.device);
    line += ",\"concurrency\":" + std::to_string(machine.concurrency);
    line += std::string(",\"checked\":") + (machine.checked ? "true" : "false");
    line += ",\"values\":{";
    for (std::size_t i = 0; i < values.size(); ++i)
      line +=
          (i > 0 ? "," : "") + json_string(values[i].first) + ":" + json_value(values[i].second);
    line += "}";
    if (!diagnostics().empty()) line += "," + diagnostics().json();
    std::printf("%s}\n", line.c_str());
  }
};

}  // namespace rhopsi::driver
