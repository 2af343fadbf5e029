#include "frontend/cli/commands.hpp"
#include "frontend/cli/smt_options.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/difference.hpp"

namespace rhopsi::cli {

int diff(const DiffOptions& options) {
  syntax::Diagnostics diagnostics;
  const auto text = driver::diff(
      {options.left, options.right, with_smt({.include = options.include}, options.smt)},
      diagnostics);
  show(diagnostics);
  return text && print(*text) ? success : user_error;
}

}  // namespace rhopsi::cli
