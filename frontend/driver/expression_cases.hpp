// Expressions as a user gives them: one on the command line, or many in a file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

struct ExpressionCase {
  // The expression; its path is the place that messages name.
  std::shared_ptr<const syntax::SourceFile> text;
  std::vector<std::string> inputs;        // NAME=FILE.npy, NAME=iota:SHAPE:START
  std::string option;                     // what an input is called in messages
  std::vector<syntax::Span> places = {};  // of the inputs, where they stand in a file
};

ExpressionCase command_line_case(std::string expression, std::vector<std::string> inputs);

// A case per line, `EXPR | NAME=... NAME=...`, or `EXPR` without inputs; the inputs stand behind
// the first ` | `. No line is left out, an empty one neither. The path of line 3 of `cases` is
// `cases:3`. Nothing where the file cannot be read (E0807).
std::optional<std::vector<ExpressionCase>> read_cases(const std::string& path,
                                                      syntax::Diagnostics& diagnostics);

// The first error on one line: "error: cases:3:9: no operation `fo` is declared here [E0202]".
// `place` is the text of the case, for errors without a place of their own.
std::string one_line(const syntax::Diagnostics& diagnostics, const syntax::SourceFile& place);

}  // namespace rhopsi::driver
