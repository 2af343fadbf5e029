// Options as written to the requests that the driver takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/cli/commands.hpp"
#include "frontend/driver/eval.hpp"
#include "frontend/driver/request.hpp"
#include "frontend/driver/tune.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::cli {

// Every mistake is added to the diagnostics; nothing is returned after one.
// Is a stage to be printed, and no folder to be written?
bool prints_stage(const EmitOptions& options);
std::optional<driver::EmitRequest> emit_request(const EmitOptions& options,
                                                syntax::Diagnostics& diagnostics);
// Of what explain says of a schedule, which is named.
std::optional<driver::EmitRequest> schedule_request(const ExplainOptions& options,
                                                    syntax::Diagnostics& diagnostics);
std::optional<driver::RunRequest> run_request(const RunOptions& options,
                                              syntax::Diagnostics& diagnostics);
std::optional<driver::TuneRequest> tune_request(const TuneOptions& options,
                                                syntax::Diagnostics& diagnostics);
std::optional<driver::EvalRequest> eval_request(const EvalOptions& options,
                                                syntax::Diagnostics& diagnostics);

// The .mg files that the paths stand for, a folder for all below it. A path that stands for none is
// an error.
std::vector<std::string> specifications(const std::vector<std::string>& paths,
                                        syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::cli
