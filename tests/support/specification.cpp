#include "tests/support/specification.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>

#include "frontend/driver/locations.hpp"
#include "frontend/driver/rewritten.hpp"
#include "frontend/driver/stages.hpp"

namespace rhopsi::support {

std::string text_of(const syntax::Diagnostics& diagnostics) {
  std::string text;
  for (const syntax::Diagnostic& each : diagnostics.all()) text += syntax::render(each) + "\n";
  return text;
}

// The solver has all the time that a slow machine needs.
Specification::Specification(std::string file, onf::Scalar real, bool numbers_promote, bool smt)
    : file_(std::move(file)),
      session_({{},
                real,
                true,
                numbers_promote,
                smt,
                {std::chrono::seconds(60), std::chrono::seconds(600)}}) {}

std::string Specification::problems() {
  syntax::Diagnostics diagnostics;
  driver::check(session_, file_, diagnostics);
  return text_of(diagnostics);
}

std::shared_ptr<const term::Theory> Specification::module(const std::string& name) {
  syntax::Diagnostics diagnostics;
  auto theory = driver::module(session_, file_, name, diagnostics);
  if (!theory) ADD_FAILURE() << file_ << " -p " << name << "\n" << text_of(diagnostics);
  return theory;
}

std::string Specification::print(const std::string& name, const std::string& package,
                                 const std::optional<std::string>& callable) {
  const auto theory = module(name);
  if (!theory) return {};
  syntax::Diagnostics diagnostics;
  auto text = driver::print_rewritten(session_, *theory, {package, callable, false}, diagnostics);
  if (!text) ADD_FAILURE() << text_of(diagnostics);
  return text.value_or("");
}

std::string Specification::printed(const std::string& module, const std::string& package) {
  return print(module, package, std::nullopt);
}

std::string Specification::callable(const std::string& module, const std::string& callable) {
  return print(module, module, callable);
}

std::optional<onf::Module> Specification::lowered(const std::string& name, int rank,
                                                  const std::string& entry) {
  const auto theory = module(name);
  if (!theory) return std::nullopt;
  syntax::Diagnostics diagnostics;
  lower::Options options;
  options.rank = rank;
  if (!entry.empty()) options.entries = {entry};
  auto form = driver::lower(session_, *theory, options, diagnostics);
  if (!form) ADD_FAILURE() << text_of(diagnostics);
  return form;
}

namespace {

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace

std::string reprinting_problem(Specification& specification, const std::string& module,
                               const std::string& folder) {
  const std::string first = specification.printed(module, module);
  const std::string file = folder + "/" + module + ".mg";
  std::ofstream(file, std::ios::binary) << first;
  Specification again(file);
  const std::string problems = again.problems();
  if (!problems.empty()) return "not accepted:\n" + problems + first;
  const std::string second = again.printed(module, module);
  if (sorted_lines(first) != sorted_lines(second)) {
    return "other declarations:\n" + first + "\nand then\n" + second;
  }
  std::ofstream(file, std::ios::binary) << second;
  Specification last(file);
  const std::string third = last.printed(module, module);
  return second == third ? "" : "no end:\n" + second + "\nand then\n" + third;
}

std::vector<std::string> sources(const std::string& folder) {
  return driver::source_files(std::string(RHOPSI_SOURCE_DIR) + "/" + folder);
}

}  // namespace rhopsi::support
