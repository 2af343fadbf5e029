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
  NormalizeOptions normalize;
  AnalyzeOptions analyze;
  VerifyOptions verify;
  ReplayOptions replay;
  ExplainOptions explain;
  TrustOptions trust;
  DiffOptions diff;
  TestOptions test;
};

void add_include(CLI::App* command, std::vector<std::string>& include) {
  command->add_option("-I,--include", include, "Folder to search for imported packages")
      ->type_name("DIR")
      ->allow_extra_args(false);
}

void add_smt_limits(CLI::App* command, SmtOptions& options) {
  command->add_option("--smt-timeout", options.timeout, "For one condition (default 500)")
      ->type_name("MS")
      ->check(CLI::Range(1, 3'600'000));
  command->add_option("--smt-run-timeout", options.run_timeout, "For all of them (default 20)")
      ->type_name("SECONDS")
      ->check(CLI::Range(1, 86'400));
}

void add_smt(CLI::App* command, SmtOptions& options) {
  command
      ->add_option("--smt", options.mode,
                   "on: Z3 decides the conditions of rules that cheaper means leave open (default)")
      ->type_name("on|off")
      ->check(CLI::IsMember({"on", "off"}));
  add_smt_limits(command, options);
  command->add_flag("--no-assume", options.no_assume,
                    "A condition that rests on a guard nothing has shown to hold is an error");
}

void add_certificate(CLI::App* command, std::string& certificate) {
  command
      ->add_option("--certificate", certificate,
                   "Write the derivation there, for rhopsi replay to check")
      ->type_name("FILE");
}

void add_check(CLI::App& app, CheckOptions& options) {
  CLI::App* command = app.add_subcommand("check", "Check specifications and report every mistake");
  command->add_option("files", options.files, "Files, or folders whose .mg files are checked")
      ->type_name("FILE")
      ->required();
  command->add_flag("--json", options.json, "One JSON object on standard output instead of text");
  add_smt(command, options.smt);
  add_include(command, options.include);
}

// Bounds of each `rewrite` of the module.
void add_bounds(CLI::App* command, BoundOptions& options) {
  command->add_option("--max-steps", options.max_steps, "Applications of rules (default 10^7)")
      ->type_name("N");
  command->add_option("--max-seconds", options.max_seconds, "Time (default: no bound)")
      ->type_name("S");
  command->add_option("--max-nodes", options.max_nodes, "Size of a body (default 2 million)")
      ->type_name("N");
  command->add_option("--max-bytes", options.max_bytes, "Memory of terms (default 4 GiB)")
      ->type_name("N");
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
  add_certificate(command, options.certificate);
  command->add_flag("--trace", options.trace, "Every step of rewriting, as comments before it");
  command->add_option("-o,--output", options.output, "File to write; default: standard output")
      ->type_name("FILE");
  add_bounds(command, options.bounds);
  add_smt(command, options.smt);
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
  add_certificate(command, options.certificate);
  command
      ->add_option("--schedule", options.schedule,
                   "auto: the same values in fewer passes and refills; off (default)")
      ->type_name("RECIPE");
  command->add_flag("--checked", options.checked, "Test bounds, NaN, halos and guards in kernels");
  add_smt(command, options.smt);
  add_include(command, options.include);
}

void add_emit(CLI::App& app, EmitOptions& options) {
  CLI::App* command = app.add_subcommand("emit", "Write a program as a folder of Kokkos C++");
  add_program(command, options);
  command->add_option("-o,--output", options.folder, "Folder to write")->type_name("DIR");
  command
      ->add_option("--emit", options.stage,
                   "cxx: the folder (default); onf or schedule: print that stage")
      ->type_name("STAGE");
  command->add_option("--entry", options.entry, "Procedure or function to emit, with what it calls")
      ->type_name("NAME");
  command->add_option("--rank", options.rank, "Axes of every array (default 3, or as --shape)")
      ->type_name("R")
      ->check(CLI::Range(0, 6));
  command->add_flag("--python", options.python, "A module for Python, on NumPy arrays, too");
  command
      ->add_option("--depfile", options.depfile,
                   "Also write a rule for make: NAME.d says what NAME is made from")
      ->type_name("NAME.d");
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
  command->add_flag("--reassociate", options.reassociate,
                    "Sums of products of real numbers may be computed in another order");
  command->add_flag("--json", options.json, "One JSON object on standard output instead of text");
  add_include(command, options.include);
}

void add_analyze(CLI::App& app, AnalyzeOptions& options) {
  CLI::App* command = app.add_subcommand("analyze", "Termination and confluence of rules");
  command->add_option("file", options.file, "Specification")->type_name("FILE");
  command->add_option("-m,--module", options.module, "Module whose axioms are the rules")
      ->type_name("CONCEPT");
  command->add_option("--trs", options.trs, "A rewriting system in place of a specification")
      ->type_name("FILE");
  command->add_option("--timeout", options.timeout, "Limit of the whole (default 60)")
      ->type_name("SECONDS");
  command->add_option("--only", options.only, "termination or confluence")->type_name("PROPERTY");
  command->add_flag("--innermost", options.innermost, "Termination of innermost rewriting");
  command->add_flag("--json", options.json, "One JSON object on standard output instead of text");
  add_include(command, options.include);
}

void add_normalize(CLI::App& app, NormalizeOptions& options) {
  CLI::App* command = app.add_subcommand("normalize", "Normal forms by a rewriting system");
  command->alias("normalise");
  command->add_option("--trs", options.trs, "Rewriting system: REC, ARI or the older TRS format")
      ->type_name("FILE")
      ->required();
  command->add_option("--term", options.term, "Term to normalise: \"f(a, b)\"")->type_name("TERM");
  command->add_option("--term-file", options.term_file, "File of the term to normalise")
      ->type_name("FILE");
  command
      ->add_option("--strategy", options.strategy,
                   "innermost, outermost, topdown or bottomup (default: the file's, or innermost)")
      ->type_name("STRATEGY");
  command->add_option("--max-steps", options.max_steps, "Applications of rules")->type_name("N");
  command->add_option("--max-seconds", options.max_seconds, "Time for each term")->type_name("S");
  command->add_option("--max-nodes", options.max_nodes, "Size of a term")->type_name("N");
  command->add_option("--max-bytes", options.max_bytes, "Memory of terms and stack (default 4 GiB)")
      ->type_name("N");
  command->add_flag("--compiled", options.compiled,
                    "Compile the rules to machine code first (innermost)");
  command->add_flag("--stats", options.stats, "End standard output with one JSON object");
}

// Where the axioms stand that a command judges.
template <class Options>
void add_axioms(CLI::App* command, Options& options) {
  command->add_option("path", options.path, "A file, or a folder of .mg files")
      ->type_name("FILE|DIR")
      ->required();
  command->add_option("-m,--module", options.module, "Only this concept or satisfaction")
      ->type_name("CONCEPT");
  command->add_flag("--json", options.json, "One JSON object on standard output instead of text");
  add_include(command, options.include);
}

void add_verify(CLI::App& app, VerifyOptions& options) {
  CLI::App* command = app.add_subcommand("verify", "Prove the axioms of specifications");
  add_axioms(command, options);
  command
      ->add_option("--timeout", options.timeout,
                   "Milliseconds for each question to the solver (default 1000)")
      ->type_name("MS")
      ->check(CLI::Range(1, 3'600'000));
  command
      ->add_option("--run-timeout", options.run_timeout,
                   "Seconds after which the solver is asked no more (default 110)")
      ->type_name("S")
      ->check(CLI::Range(1, 86'400));
}

// The file and its module, of commands that look at derivations.
template <class Options>
void add_derived(CLI::App* command, Options& options) {
  command->add_option("file", options.file, "Specification")->type_name("FILE")->required();
  command->add_option("-p,--program", options.program, "Module")->type_name("PROGRAM")->required();
  add_smt(command, options.smt);
  add_include(command, options.include);
}

void add_explain(CLI::App& app, ExplainOptions& options) {
  CLI::App* command =
      app.add_subcommand("explain", "Show the steps of rewriting, or why a rule was not applied");
  command->add_option("-f,--callable", options.callable, "Only the operations of this name")
      ->type_name("CALLABLE");
  command
      ->add_option("--step", options.step, "Only this step; with --why-not, what stood before it")
      ->type_name("N");
  command->add_option("--why-not", options.why_not, "Why this rule is not applied")
      ->type_name("RULE");
  command->add_option("--at", options.position, "There and nowhere else: body.0.1")
      ->type_name("POSITION");
  add_derived(command, options);
}

void add_trust(CLI::App& app, TrustOptions& options) {
  CLI::App* command =
      app.add_subcommand("trust", "List the axioms and conditions that a program rests on");
  command->add_flag("--prove", options.prove, "Say of each axiom whether it can be proved");
  add_derived(command, options);
}

void add_diff(CLI::App& app, DiffOptions& options) {
  CLI::App* command =
      app.add_subcommand("diff", "Compare two programs: steps, rules, bodies and what they call");
  command->add_option("left", options.left, "A specification and its program: solver.mg:DNF")
      ->type_name("FILE:PROGRAM")
      ->required();
  command->add_option("right", options.right, "Another one")->type_name("FILE:PROGRAM")->required();
  add_smt(command, options.smt);
  add_include(command, options.include);
}

void add_replay(CLI::App& app, ReplayOptions& options) {
  CLI::App* command = app.add_subcommand("replay", "Check a derivation again, step by step");
  command->add_option("file", options.file, "What --certificate has written")
      ->type_name("FILE")
      ->required();
  command->add_flag("--ask", options.ask,
                    "Ask the solver again for conditions that plain arithmetic leaves open");
  add_smt_limits(command, options.smt);
}

void add_test(CLI::App& app, TestOptions& options) {
  CLI::App* command = app.add_subcommand("test", "Test the axioms of specifications on values");
  add_axioms(command, options);
  command->add_option("--seed", options.seed, "Other values for another number (default 1)")
      ->type_name("N");
  command->add_option("--values", options.values, "For each assertion that many (default 1000)")
      ->type_name("N")
      ->check(CLI::Range(1, 100'000'000));
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

Done explain_mistake(const CLI::App& app, const CLI::ParseError& failure) {
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
  if (name == "analyze") return options.analyze;
  if (name == "check") return options.check;
  if (name == "rewrite") return options.rewrite;
  if (name == "emit") return options.emit;
  if (name == "normalize") return options.normalize;
  if (name == "eval") return without_blank(options.eval);
  if (name == "verify") return options.verify;
  if (name == "replay") return options.replay;
  if (name == "explain") return options.explain;
  if (name == "trust") return options.trust;
  if (name == "diff") return options.diff;
  if (name == "test") return options.test;
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
  add_normalize(app, options.normalize);
  add_analyze(app, options.analyze);
  add_verify(app, options.verify);
  add_replay(app, options.replay);
  add_explain(app, options.explain);
  add_trust(app, options.trust);
  add_diff(app, options.diff);
  add_test(app, options.test);
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
    return explain_mistake(app, failure);
  }
  if (app.get_subcommands().empty()) {
    print(app.help());
    return Done{argc > 1 ? success : user_error};
  }
  return chosen(app, options);
}

}  // namespace rhopsi::cli
