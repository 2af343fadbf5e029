#include <algorithm>

#include "frontend/cli/commands.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/cli/version.hpp"
#include "frontend/driver/doctor.hpp"

namespace rhopsi::cli {

int doctor(const DoctorOptions&) {
  const auto findings = driver::examine_machine();
  std::size_t width = 0;
  for (const driver::Finding& finding : findings) width = std::max(width, finding.what.size());
  std::string text = std::string("rhopsi ") + version + "\n";
  bool complete = true;
  for (const driver::Finding& finding : findings) {
    const std::string blanks(width - finding.what.size() + 2, ' ');
    const bool missing = finding.found.empty();
    text += finding.what + blanks +
            (missing ? (finding.needed ? "MISSING: " : "none: ") + finding.advice : finding.found) +
            "\n";
    complete = complete && !(missing && finding.needed);
  }
  if (!print(text)) return user_error;
  return complete ? success : user_error;
}

}  // namespace rhopsi::cli
