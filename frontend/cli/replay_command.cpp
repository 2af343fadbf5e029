#include "frontend/cli/commands.hpp"
#include "frontend/cli/smt_options.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/certificate.hpp"

namespace rhopsi::cli {

int replay(const ReplayOptions& options) {
  syntax::Diagnostics diagnostics;
  const auto limits = with_smt({}, options.smt).smt_limits;
  const auto report = driver::replay({options.file, options.ask, limits}, diagnostics);
  show(diagnostics);
  if (!report) return user_error;
  return print(driver::to_string(*report)) ? success : user_error;
}

}  // namespace rhopsi::cli
