#include "frontend/cli/terminal.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "frontend/driver/codes.hpp"

namespace rhopsi::cli {

bool terminal_on_errors() { return ::isatty(STDERR_FILENO) == 1; }

bool colour_on_errors() {
  const char* refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  const char* kind = std::getenv("TERM");
  return terminal_on_errors() && kind != nullptr && std::string_view(kind) != "dumb";
}

void show(const syntax::Diagnostics& diagnostics) {
  const bool colour = colour_on_errors();
  for (const auto& diagnostic : diagnostics.all()) {
    std::string text = syntax::render(diagnostic, colour);
    if (text.empty() || text.back() != '\n') text += '\n';
    std::fputs(text.c_str(), stderr);
  }
}

std::string failure_object(const syntax::Diagnostics& diagnostics) {
  using Json = nlohmann::ordered_json;
  const Json object = {{"errors", diagnostics.error_count()},
                       {"diagnostics", Json::parse(syntax::render_json(diagnostics))}};
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

int refuse(const syntax::Diagnostics& diagnostics, bool json) {
  show(diagnostics);
  if (json) print(failure_object(diagnostics));
  return user_error;
}

bool print(const std::string& text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) == 0 && written) return true;
  const std::string reason = std::strerror(errno);
  syntax::Diagnostics diagnostics;
  diagnostics.error(driver::codes::write_failed, {}, "standard output: " + reason);
  show(diagnostics);
  return false;
}

void show_progress(const std::string& what) {
  std::fputs(("\r\033[K" + what).c_str(), stderr);
  std::fflush(stderr);
}

void clear_progress() { std::fputs("\r\033[K", stderr); }

void note(const std::string& line) { std::fputs((line + "\n").c_str(), stderr); }

}  // namespace rhopsi::cli
