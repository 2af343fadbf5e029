#include "frontend/cli/command_line.hpp"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>

#include "frontend/cli/terminal.hpp"
#include "frontend/cli/version.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/nearest.hpp"

namespace rhopsi::cli {
namespace {

const char* const exit_codes =
    "Exit codes: 0 success; 1 mistakes in the input or on the command line, or a run that failed;\n"
    "2 an internal fault; 130 interrupted; 143 terminated.\n"
    "docs/cli.md describes every option.";

struct Options {
  CheckOptions check;
  RewriteOptions rewrite;
  EmitOptions emit;
  RunOptions run;
  EvalOptions eval;
};

void add_include(CLI::App* command, std::vector<std::string>& include) {
  command->add_option("-I,--include", include, "Folder to search for imported packages")
      ->type_name("DIR")
      ->allow_extra_args(false);
}

void add_check(CLI::App& app, CheckOptions& options) {
  CLI::App* command = app.add_subcommand("check", "Check specifications and report every mistake");
  command->add_option("files", options.files, "Files, or folders whose .mg files are checked")
      ->type_name("FILE")
      ->required();
  command->add_flag("--json", options.json, "One JSON object on standard output instead of text");
  add_include(command, options.include);
}

void add_rewrite(CLI::App& app, RewriteOptions& options) {
  CLI::App* command =
      app.add_subcommand("rewrite", "Print a transformed program as a specification");
  command->add_option("file", options.file, "Specification")->type_name("FILE")->required();
  command->add_option("-p,--program", options.program, "Module to print")
      ->type_name("PROGRAM")
      ->required();
  command->add_option("-f,--callable", options.callable, "Print only the operations of this name")
      ->type_name("CALLABLE");
  command->add_flag("--trace", options.trace, "Every step of rewriting, as comments before it");
  command->add_option("-o,--output", options.output, "File to write; default: standard output")
      ->type_name("FILE");
  add_include(command, options.include);
}

void add_program(CLI::App* command, ProgramOptions& options) {
  command->add_option("file", options.file, "Specification")->type_name("FILE")->required();
  command->add_option("-p,--program", options.program, "Program")->type_name("PROGRAM")->required();
  command->add_option("--shape", options.shape, "Lengths of the axes: 128,128,96")
      ->type_name("N,...");
  command->add_option("--dtype", options.dtype, "What Real is: float or double (default double)")
      ->type_name("TYPE");
  command->add_option("--target", options.target, "serial, openmp or cuda")->type_name("TARGET");
  command->add_flag("--checked", options.checked, "Test bounds, NaN, halos and guards in kernels");
  add_include(command, options.include);
}

void add_emit(CLI::App& app, EmitOptions& options) {
  CLI::App* command = app.add_subcommand("emit", "Write a program as a folder of Kokkos C++");
  add_program(command, options);
  command->add_option("-o,--output", options.folder, "Folder to write")
      ->type_name("DIR")
      ->required();
  command->add_option("--entry", options.entry, "Procedure or function to emit, with what it calls")
      ->type_name("NAME");
  command->add_option("--rank", options.rank, "Axes of every array (default 3, or as --shape)")
      ->type_name("R")
      ->check(CLI::Range(0, 6));
  command->add_flag("--force", options.force, "Replace a folder that emit did not write");
}

void add_run(CLI::App& app, RunOptions& options) {
  CLI::App* command = app.add_subcommand("run", "Transform, compile and run a program");
  add_program(command, options);
  command->add_option("--entry", options.entry, "Procedure or function to run")->type_name("NAME");
  command->add_option("--repeat", options.repeat, "Run until this step (default 1)")
      ->type_name("N");
  command
      ->add_option("--in", options.inputs,
                   "Arrays to begin with: u=u.npy, or u=iota:2,4:100 for the numbers from 100 on")
      ->type_name("NAME=FILE ...");
  command->add_option("--out", options.outputs, "Arrays to write: u=u.npy, or u=u.vti for ParaView")
      ->type_name("NAME=FILE ...");
  command->add_option("--set", options.settings, "Run-time parameters and numbers: nu=0.01")
      ->type_name("NAME=VALUE ...");
  command->add_option("--backend", options.backend, "kokkos or reference (default kokkos)")
      ->type_name("BACKEND");
  command->add_option("--every", options.every, "Write the results every K steps too")
      ->type_name("K");
  command->add_option("--checkpoint", options.checkpoint, "File for the state of the run")
      ->type_name("FILE");
  command->add_option("--checkpoint-every", options.checkpoint_every, "Write it every K steps")
      ->type_name("K");
  command->add_option("--restart", options.restart, "Go on from this checkpoint")
      ->type_name("FILE");
  command->add_option("--spacing", options.spacing, "Distance of points in .vti files")
      ->type_name("H,...");
  command->add_flag("--json", options.json, "End standard output with one JSON object");
  command->add_flag("--quiet", options.quiet, "No progress and no summary");
}

void add_eval(CLI::App& app, EvalOptions& options) {
  CLI::App* command = app.add_subcommand("eval", "Evaluate an array expression");
  command->add_option("expression", options.expression, "Expression: \"2 * A + B\"")
      ->type_name("EXPR");
  command
      ->add_option("--in", options.inputs,
                   "An array of the expression: A=a.npy, or B=iota:2,4:100 for the numbers from "
                   "100 on in the shape 2,4")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  command->add_option("--file", options.file, "Evaluate every line of a file: EXPR | A=... B=...")
      ->type_name("CASES");
  command->add_option("--with", options.with, "A specification whose concepts may be used too")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command->add_option("--backend", options.backend, "reference or kokkos (default reference)")
      ->type_name("BACKEND");
  command->add_flag("--dnf", options.normal_form, "Print the normal form instead of the value");
  command->add_flag("--onf", options.accesses,
                    "Print start, strides and counts of each access instead of the value");
  command->add_flag("--json", options.json, "One JSON object on standard output instead of text");
  add_include(command, options.include);
}

// Expressions may begin with `-`. What begins with a blank is no option.
std::vector<std::string> arguments_of(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty() || arguments.front() != "eval") return arguments;
  for (std::string& each : arguments) {
    const bool option = each == "-h" || each.starts_with("-I") || each.starts_with("--");
    if (each.size() > 1 && each.front() == '-' && !option) each.insert(0, 1, ' ');
  }
  return arguments;
}

EvalOptions without_blank(EvalOptions options) {
  if (options.expression && options.expression->starts_with(" -")) options.expression->erase(0, 1);
  return options;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

Done mistake(const std::string& message, const std::string& note) {
  syntax::Diagnostics diagnostics;
  diagnostics.error(driver::codes::malformed_option, {}, message, note);
  show(diagnostics);
  return {user_error};
}

// The command that was being read when a mistake was found.
const CLI::App& current(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

Done explain(const CLI::App& app, const CLI::ParseError& failure) {
  const CLI::App& command = current(app);
  const std::string help = "see " +
                           (command.get_name() == "rhopsi" || command.get_name().empty()
                                ? std::string("rhopsi")
                                : "rhopsi " + command.get_name()) +
                           " --help";
  for (std::string extra : app.remaining(true)) {
    if (extra.starts_with(" -")) extra.erase(0, 1);  // as the user wrote it
    if (extra.rfind("-", 0) == 0) {
      const auto close = driver::nearest(extra.substr(0, extra.find('=')), option_names(command));
      return mistake("unknown option " + extra, close ? "did you mean " + *close + "?" : help);
    }
    return mistake("unexpected argument '" + extra + "'", help);
  }
  return mistake(failure.what(), help);
}

CommandLine chosen(const CLI::App& app, const Options& options) {
  const std::string name = app.get_subcommands().front()->get_name();
  if (name == "check") return options.check;
  if (name == "rewrite") return options.rewrite;
  if (name == "emit") return options.emit;
  if (name == "eval") return without_blank(options.eval);
  return options.run;
}

}  // namespace

CommandLine read_command_line(int argc, char** argv) {
  CLI::App app("Transforms array programs by rewriting, and runs them.", "rhopsi");
  app.footer(exit_codes);
  app.set_version_flag("--version", std::string("rhopsi ") + version);
  app.require_subcommand(0, 1);
  Options options;
  add_check(app, options.check);
  add_rewrite(app, options.rewrite);
  add_emit(app, options.emit);
  add_run(app, options.run);
  add_eval(app, options.eval);
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    command->footer(exit_codes);
  }
  if (argc > 1 && argv[1][0] != '-') {
    const auto names = command_names(app);
    if (std::find(names.begin(), names.end(), argv[1]) == names.end()) {
      return mistake("unknown command '" + std::string(argv[1]) + "'",
                     driver::suggest(argv[1], names, "see rhopsi --help"));
    }
  }
  try {
    std::vector<std::string> arguments = arguments_of(argc, argv);
    std::reverse(arguments.begin(), arguments.end());  // as the parser takes them
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    return Done{print(current(app).help()) ? success : user_error};
  } catch (const CLI::CallForVersion&) {
    return Done{print(std::string("rhopsi ") + version + "\n") ? success : user_error};
  } catch (const CLI::ParseError& failure) {
    return explain(app, failure);
  }
  if (app.get_subcommands().empty()) {
    print(app.help());
    return Done{argc > 1 ? success : user_error};
  }
  return chosen(app, options);
}

}  // namespace rhopsi::cli
