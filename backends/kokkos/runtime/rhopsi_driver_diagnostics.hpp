// What goes wrong, told as text on standard error and, at the end of a run with --json, as
// objects like those of `rhopsi check --json`. Part of rhopsi_driver.cpp.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "error.hpp"
#include "rhopsi_error.hpp"

namespace rhopsi::driver {

inline std::string json_string(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) {
      quoted += c;
      continue;
    }
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
    quoted += escape;
  }
  return quoted + '"';
}

struct Diagnostic {
  std::string severity, code, message;
  std::string note;
  std::string place;  // "heat.mg:12" or "heat.mg:12:3"

  std::string text() const {
    std::string text = severity + "[" + code + "]: " + message + "\n";
    if (!note.empty()) text += "  " + note + "\n";
    if (!place.empty()) text += "  at " + place + "\n";
    return text;
  }

  std::string json() const {
    std::string path = place;
    std::vector<std::string> numbers;  // the last one first
    for (std::size_t colon; numbers.size() < 2 && (colon = path.rfind(':')) != path.npos;) {
      const std::string number = path.substr(colon + 1);
      if (number.empty() || number.find_first_not_of("0123456789") != number.npos) break;
      numbers.push_back(number);
      path.resize(colon);
    }
    const std::string line = numbers.empty() ? "null" : numbers.back();
    const std::string column = numbers.size() < 2 ? "null" : numbers.front();
    return "{\"severity\":" + json_string(severity) + ",\"code\":" + json_string(code) +
           ",\"message\":" + json_string(message) +
           ",\"path\":" + (path.empty() ? "null" : json_string(path)) + ",\"line\":" + line +
           ",\"column\":" + column + ",\"end_line\":null,\"end_column\":null" +
           ",\"note\":" + json_string(note) + ",\"related\":[]}";
  }
};

class Diagnostics {
 public:
  void tell(Diagnostic diagnostic) {
    std::fputs(diagnostic.text().c_str(), stderr);
    if (diagnostic.severity == "error") ++errors_;
    all_.push_back(std::move(diagnostic));
  }
  void error(const char* code, const std::string& message) {
    tell({"error", code, message, {}, {}});
  }
  void warning(const char* code, const std::string& message) {
    tell({"warning", code, message, {}, {}});
  }

  bool empty() const { return all_.empty(); }
  // Two members of an object.
  std::string json() const {
    std::string text = "\"errors\":" + std::to_string(errors_) + ",\"diagnostics\":[";
    for (const Diagnostic& diagnostic : all_)
      text += (&diagnostic == &all_.front() ? "" : ",") + diagnostic.json();
    return text + "]";
  }

  // The line that ends standard output after a failure.
  bool json_wanted = false;
  void print_json() const {
    if (json_wanted) std::printf("{%s}\n", json().c_str());
    std::fflush(stdout);
  }

 private:
  std::vector<Diagnostic> all_;
  int errors_ = 0;
};

// One for the process: what a kernel's failure is told to.
inline Diagnostics& diagnostics() {
  static Diagnostics all;
  return all;
}

inline void read_kernel_failure(const KernelFailure& failure) {
  diagnostics().tell({"error", failure.code, failure.message,
                      failure.kernel.empty() ? "" : "in " + failure.kernel, failure.place});
  diagnostics().print_json();
  std::fflush(stderr);
}

inline const char* code_of(const io::Error& error) {
  if (error.action() == "write") return codes::write_failed;
  return error.action() == "read" ? codes::array_unreadable : codes::checkpoint_unusable;
}

}  // namespace rhopsi::driver
