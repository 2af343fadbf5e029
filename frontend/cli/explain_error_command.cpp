#include "frontend/cli/commands.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/error_page.hpp"

namespace rhopsi::cli {

int explain_error(const ExplainErrorOptions& options) {
  std::vector<driver::ErrorPage> pages;
  if (options.code.empty()) {
    pages = driver::error_pages();
  } else {
    syntax::Diagnostics diagnostics;
    const driver::ErrorPage* page = driver::find_error_page(options.code, diagnostics);
    if (page == nullptr) return refuse(diagnostics, options.json);
    show(diagnostics);
    pages.push_back(*page);
  }
  std::string text;
  if (options.json) {
    text = driver::to_json(pages);
  } else if (options.code.empty()) {
    for (const driver::ErrorPage& each : pages) text += each.code + "  " + each.meaning + "\n";
  } else {
    text = driver::to_string(pages.front());
  }
  return print(text) ? success : user_error;
}

}  // namespace rhopsi::cli
