// The cases beside a specification: expressions over its operations, and arrays for them.
#pragma once

#include <string>
#include <vector>

namespace rhopsi::specs {

// A line of cases.txt: `EXPRESSION | NAME=INPUT ...`.
struct Case {
  std::string line;
  std::string expression;
  std::vector<std::string> inputs;
};

// The folders below specs/ that have cases, by name.
std::vector<std::string> specifications();
std::vector<Case> cases_of(const std::string& specification);

// specs/NAME/NAME.mg
std::string file_of(const std::string& specification);

// What `rhopsi eval` prints of an expression, with these options besides.
std::string evaluated(const std::string& specification, const std::string& expression,
                      const std::vector<std::string>& inputs,
                      const std::vector<std::string>& options = {});

// Its elements.
std::vector<double> elements(const std::string& specification, const std::string& expression,
                             const std::vector<std::string>& inputs);

}  // namespace rhopsi::specs
