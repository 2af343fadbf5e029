#include <filesystem>

#include "backends/io/atomic_file.hpp"
#include "frontend/cli/commands.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/rewritten.hpp"
#include "frontend/driver/stages.hpp"

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

}  // namespace

int rewrite(const RewriteOptions& options) {
  syntax::Diagnostics diagnostics;
  driver::Session session({options.include, onf::Scalar::float64, options.trace});
  const auto theory = driver::module(session, options.file, options.program, diagnostics);
  std::optional<std::string> text;
  if (theory) {
    driver::Printing printing;
    printing.package = package_of(options);
    if (!options.callable.empty()) printing.callable = options.callable;
    printing.trace = options.trace;
    text = driver::print_rewritten(session, *theory, printing, diagnostics);
  }
  show(diagnostics);
  if (!text) return user_error;
  for (const std::string& line : driver::summaries(*theory)) note(line);
  return write(options, *text);
}

}  // namespace rhopsi::cli
