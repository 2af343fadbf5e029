#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "backends/io/atomic_file.hpp"
#include "frontend/cli/commands.hpp"
#include "frontend/cli/requests.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/syntax/format.hpp"
#include "frontend/syntax/parse.hpp"
#include "frontend/syntax/print.hpp"
#include "frontend/syntax/read_file.hpp"

namespace rhopsi::cli {
namespace {

std::optional<std::string> content_of(const std::string& path, syntax::Diagnostics& diagnostics) {
  auto content = syntax::read_file(path);
  if (auto* const text = std::get_if<std::string>(&content)) return std::move(*text);
  const auto problem = std::get<syntax::FileProblem>(content);
  if (problem.kind == syntax::FileProblem::too_large) {
    diagnostics.error("E0105", {}, path + ": the file is larger than 64 MiB",
                      "split the package into several");
    return std::nullopt;
  }
  diagnostics.error(driver::codes::unreadable_file, {},
                    path + ": cannot be read" + syntax::reason(problem),
                    "give the path of a file that can be read");
  return std::nullopt;
}

std::optional<syntax::Package> parsed(const std::string& path, std::string text,
                                      syntax::Diagnostics& diagnostics) {
  return syntax::parse_package(std::make_shared<syntax::SourceFile>(path, std::move(text)),
                               diagnostics);
}

// The text in its layout; nothing for one with mistakes, which are reported. What a file says is
// never changed: that it is not is looked at here once more.
std::optional<std::string> laid_out(const std::string& path, const std::string& text,
                                    syntax::Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  const auto before = parsed(path, text, diagnostics);
  if (!before || diagnostics.error_count() > errors) return std::nullopt;
  std::string result = syntax::format(text);
  syntax::Diagnostics of_result;
  const auto after = parsed(path, result, of_result);
  if (of_result.has_errors() || !after || !syntax::equal(*before, *after) ||
      syntax::comments_of(text) != syntax::comments_of(result)) {
    throw std::logic_error("formatting would change what " + path + " says");
  }
  return result;
}

bool replace(const std::string& path, const std::string& text, syntax::Diagnostics& diagnostics) {
  try {
    io::AtomicFile file(path);
    file.write(text);
    file.commit();
    return true;
  } catch (const io::Error& error) {
    diagnostics.error(driver::codes::write_failed, {}, error.what(), "nothing was changed in it");
    return false;
  }
}

}  // namespace

int fmt(const FmtOptions& options) {
  syntax::Diagnostics diagnostics;
  std::string changed;
  for (const std::string& path : specifications(options.paths, diagnostics)) {
    const auto text = content_of(path, diagnostics);
    if (!text) continue;
    const auto result = laid_out(path, *text, diagnostics);
    if (!result || *result == *text) continue;
    if (options.check || replace(path, *result, diagnostics)) changed += path + "\n";
  }
  show(diagnostics);
  if (!print(changed) || diagnostics.has_errors()) return user_error;
  return options.check && !changed.empty() ? user_error : success;
}

}  // namespace rhopsi::cli
