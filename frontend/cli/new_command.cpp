#include "frontend/cli/commands.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/project.hpp"

namespace rhopsi::cli {

int create(const NewOptions& options) {
  syntax::Diagnostics diagnostics;
  bool made = false;
  if (!driver::is_project_name(options.name)) {
    diagnostics.error(driver::codes::malformed_option, {},
                      "a project cannot be called '" + options.name + "'",
                      "begin with a small letter, and go on with those, digits and _");
  } else {
    made = driver::create_folder(options.name, driver::new_project(options.name), diagnostics);
  }
  show(diagnostics);
  if (!made) return user_error;
  note("made " + options.name + "/; its README.md says how to go on");
  return success;
}

}  // namespace rhopsi::cli
