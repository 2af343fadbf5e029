#include <algorithm>
#include <chrono>
#include <filesystem>

#include "backends/io/atomic_file.hpp"
#include "frontend/cli/commands.hpp"
#include "frontend/cli/numbers.hpp"
#include "frontend/cli/smt_options.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/certificate.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/rewritten.hpp"
#include "frontend/driver/stages.hpp"
#include "frontend/driver/widths.hpp"

namespace rhopsi::cli {
namespace {

// The package is called as its file would have to be, since a package's name is its path.
std::string package_of(const RewriteOptions& options) {
  const std::string stem = options.output.empty()
                               ? options.program
                               : std::filesystem::path(options.output).stem().string();
  return driver::package_name(stem);
}

int write(const RewriteOptions& options, const std::string& text) {
  if (options.output.empty()) return print(text) ? success : user_error;
  try {
    io::AtomicFile file(options.output);
    file.write(text);
    file.commit();
    return success;
  } catch (const io::Error& error) {
    syntax::Diagnostics diagnostics;
    diagnostics.error(driver::codes::write_failed, {}, error.what(),
                      "nothing was left behind; name another file with -o");
    show(diagnostics);
    return user_error;
  }
}

::rhopsi::rewrite::Limits limits_of(const BoundOptions& options, syntax::Diagnostics& diagnostics) {
  ::rhopsi::rewrite::Limits limits;
  read_number(options.max_steps, "--max-steps", limits.steps, diagnostics);
  read_number(options.max_nodes, "--max-nodes", limits.term_size, diagnostics);
  read_number(options.max_bytes, "--max-bytes", limits.bytes, diagnostics);
  if (options.max_seconds.empty()) return limits;
  double seconds = 0;
  read_number(options.max_seconds, "--max-seconds", seconds, diagnostics);
  constexpr double longest = 1e9;
  limits.time = std::chrono::milliseconds(
      static_cast<std::chrono::milliseconds::rep>(std::min(seconds, longest) * 1000));
  return limits;
}

}  // namespace

int rewrite(const RewriteOptions& options) {
  syntax::Diagnostics diagnostics;
  driver::SessionOptions session_options{options.include, onf::Scalar::float64,
                                         options.trace || !options.certificate.empty()};
  session_options.rewriting = limits_of(options.bounds, diagnostics);
  if (diagnostics.has_errors()) {
    show(diagnostics);
    return user_error;
  }
  driver::Session session(with_smt(std::move(session_options), options.smt));
  const auto theory = driver::module(session, options.file, options.program, diagnostics);
  std::optional<std::string> text;
  if (theory) {
    driver::Printing printing;
    printing.package = package_of(options);
    if (!options.callable.empty()) printing.callable = options.callable;
    printing.trace = options.trace;
    text = driver::print_rewritten(session, *theory, printing, diagnostics);
    const bool wanted = text && !options.certificate.empty();
    if (wanted && !driver::write_certificate(session, *theory, options.file, options.certificate,
                                             diagnostics)) {
      text.reset();
    }
  }
  show(diagnostics);
  if (!text) return user_error;
  for (const std::string& line : driver::summaries(*theory)) note(line);
  for (const std::string& line : driver::width_reasons(session, *theory)) note(line);
  note_undecided(session);
  return write(options, *text);
}

}  // namespace rhopsi::cli
