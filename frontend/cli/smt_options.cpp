#include "frontend/cli/smt_options.hpp"

#include <string>

#include "frontend/cli/terminal.hpp"

namespace rhopsi::cli {

driver::SessionOptions with_smt(driver::SessionOptions options, const SmtOptions& smt) {
  options.smt = smt.mode == "on";
  options.no_assume = smt.no_assume;
  options.smt_limits.query = std::chrono::milliseconds(smt.timeout);
  options.smt_limits.run = std::chrono::seconds(smt.run_timeout);
  return options;
}

void note_undecided(const driver::Session& session) {
  for (const std::string& each : smt::why_undecided(session.smt_use())) note(each);
}

}  // namespace rhopsi::cli
