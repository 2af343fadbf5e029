// What each command takes, as CLI11 reads it.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "frontend/cli/commands.hpp"

namespace rhopsi::cli {

// What is read, of every command.
struct Options {
  CheckOptions check;
  RewriteOptions rewrite;
  EmitOptions emit;
  RunOptions run;
  TuneOptions tune;
  EvalOptions eval;
  NormalizeOptions normalize;
  AnalyzeOptions analyze;
  VerifyOptions verify;
  ReplayOptions replay;
  ExplainOptions explain;
  TrustOptions trust;
  DiffOptions diff;
  TestOptions test;
  NewOptions create;
  RulesOptions rules;
  FmtOptions fmt;
  ExplainErrorOptions explain_error;
  std::string completion;  // for which shell
};

// Every command with its options, which are read into `options`.
void add_commands(CLI::App& app, Options& options);

}  // namespace rhopsi::cli
