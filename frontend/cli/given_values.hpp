// What is wrong with the values of options, whatever the command: values that are empty, and files
// that would be written twice or over what is read.
#pragma once

#include "frontend/syntax/source.hpp"

namespace CLI {
class App;
}

namespace rhopsi::cli {

// E0810 for each option whose value is empty: it would count as not given, and an empty value is
// most often a variable of a script that is not set. E0830 where two options, or an option and the
// specification, name one file, and the command would write both.
void check_values(const CLI::App& command, syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::cli
