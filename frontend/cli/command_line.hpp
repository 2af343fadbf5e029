// Arguments to options. The only one that knows CLI11, beside what prints its tree (completion.hpp)
// and what looks at all values alike (given_values.hpp).
#pragma once

#include <variant>

#include "frontend/cli/commands.hpp"

namespace rhopsi::cli {

// Nothing left to do: help or the version was printed, or the arguments were wrong.
struct Done {
  int exit_code = 0;
};

using CommandLine =
    std::variant<Done, CheckOptions, RewriteOptions, EmitOptions, RunOptions, EvalOptions,
                 NormalizeOptions, AnalyzeOptions, VerifyOptions, TestOptions, ReplayOptions,
                 ExplainOptions, TrustOptions, DiffOptions, DoctorOptions, NewOptions, RulesOptions,
                 ExplainErrorOptions, FmtOptions, TuneOptions>;

// Prints help and the version on standard output, mistakes on standard error.
CommandLine read_command_line(int argc, char** argv);

}  // namespace rhopsi::cli
