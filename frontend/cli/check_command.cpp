#include <nlohmann/json.hpp>

#include "frontend/cli/commands.hpp"
#include "frontend/cli/requests.hpp"
#include "frontend/cli/smt_options.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/stages.hpp"

namespace rhopsi::cli {
namespace {

using Json = nlohmann::ordered_json;

// Each file in a session of its own, so that what one file breaks is not another's.
syntax::Diagnostics check_file(const std::string& file, const CheckOptions& options) {
  syntax::Diagnostics diagnostics;
  driver::Session session(with_smt({options.include}, options.smt));
  driver::check(session, file, diagnostics);
  note_undecided(session);
  return diagnostics;
}

}  // namespace

int check(const CheckOptions& options) {
  Json files = Json::array();
  std::size_t errors = 0;
  const auto take = [&](const std::string& path, const syntax::Diagnostics& diagnostics) {
    errors += diagnostics.error_count();
    if (options.json) {
      files.push_back({{"path", path},
                       {"errors", diagnostics.error_count()},
                       {"diagnostics", Json::parse(syntax::render_json(diagnostics))}});
    } else {
      show(diagnostics);
    }
  };
  for (const std::string& path : options.files) {
    syntax::Diagnostics missing;
    const auto expanded = specifications({path}, missing);
    if (missing.has_errors()) take(path, missing);
    for (const std::string& file : expanded) take(file, check_file(file, options));
  }
  if (options.json) {
    const Json object = {{"errors", errors}, {"files", files}};
    if (!print(object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n")) {
      return user_error;
    }
  } else if (errors > 0) {
    note(std::to_string(errors) + (errors == 1 ? " error" : " errors"));
  }
  return errors > 0 ? user_error : success;
}

}  // namespace rhopsi::cli
