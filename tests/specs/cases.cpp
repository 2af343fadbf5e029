#include "tests/specs/cases.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/exec/process.hpp"

namespace rhopsi::specs {

namespace fs = std::filesystem;

std::vector<std::string> specifications() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(exec::source("specs"))) {
    if (fs::exists(entry.path() / "cases.txt")) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<Case> cases_of(const std::string& specification) {
  std::ifstream file(exec::source("specs/" + specification + "/cases.txt"));
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    Case next{line, line.substr(0, line.find(" | ")), {}};
    std::istringstream inputs(line.substr(next.expression.size() + 2));
    for (std::string input; inputs >> input;) next.inputs.push_back(input);
    cases.push_back(std::move(next));
  }
  return cases;
}

std::string file_of(const std::string& specification) {
  return exec::source("specs/" + specification + "/" + specification + ".mg");
}

std::string evaluated(const std::string& specification, const std::string& expression,
                      const std::vector<std::string>& inputs,
                      const std::vector<std::string>& options) {
  std::vector<std::string> arguments{"eval", expression, "--with", file_of(specification)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  for (const std::string& input : inputs) arguments.insert(arguments.end(), {"--in", input});
  const exec::Outcome outcome = exec::rhopsi(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  return outcome.out;
}

std::vector<double> elements(const std::string& specification, const std::string& expression,
                             const std::vector<std::string>& inputs) {
  const std::string printed = evaluated(specification, expression, inputs);
  std::istringstream numbers(printed.substr(std::min(printed.find('\n'), printed.size())));
  std::vector<double> found;
  for (double number = 0; numbers >> number;) found.push_back(number);
  return found;
}

}  // namespace rhopsi::specs
