#include "frontend/cli/command_options.hpp"

namespace rhopsi::cli {
namespace {

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

CLI::Option* add_shapes(CLI::App* command, std::vector<std::string>& shapes,
                        const std::string& what) {
  return command->add_option("--shape", shapes, what)->type_name("N,...")->allow_extra_args(false);
}

void add_program(CLI::App* command, ProgramOptions& options, const std::string& shapes) {
  command->add_option("file", options.file, "Specification")->type_name("FILE")->required();
  command->add_option("-p,--program", options.program, "Program")->type_name("PROGRAM")->required();
  add_shapes(command, options.shapes, shapes);
  command->add_option("--dtype", options.dtype, "What Real is: float or double (default double)")
      ->type_name("TYPE");
  command->add_option("--target", options.target, "serial, openmp or cuda")->type_name("TARGET");
  add_certificate(command, options.certificate);
  command
      ->add_option("--schedule", options.schedule,
                   "A schedule of the specification or one that it sees; off: none; auto: the one "
                   "that is predicted to be fastest; full: every step; tuned: what tune has found "
                   "(default: tuned where there is one, else auto)")
      ->type_name("NAME");
  command->add_flag("--checked", options.checked, "Test bounds, NaN, halos and guards in kernels");
  command->add_flag("--reassociate", options.reassociate,
                    "Sums and products of reals may be computed in another order");
  add_smt(command, options.smt);
  add_include(command, options.include);
}

void add_emit(CLI::App& app, EmitOptions& options) {
  CLI::App* command = app.add_subcommand("emit", "Write a program as a folder of Kokkos C++");
  add_program(command, options,
              "Lengths of the axes: 128,128,96; of an array that has others: name=128");
  command->add_option("-o,--output", options.folder, "Folder to write")->type_name("DIR");
  command
      ->add_option(
          "--emit", options.stage,
          "Print that stage: ast, terms, dnf, onf, schedule, or cxx, which with -o is written "
          "as a folder (default)")
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
  add_program(command, options, "Lengths of the axes: 128,128,96");
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

void add_tune(CLI::App& app, TuneOptions& options) {
  CLI::App* command = app.add_subcommand(
      "tune", "Find the fastest schedule of a program by measuring, and keep it");
  command->add_option("file", options.file, "Specification")->type_name("FILE")->required();
  command->add_option("-p,--program", options.program, "Program")->type_name("PROGRAM")->required();
  command->add_option("--entry", options.entry, "Procedure or function to measure")
      ->type_name("NAME");
  add_shapes(command, options.shapes, "Lengths of the axes: 128,128,96");
  command->add_option("--dtype", options.dtype, "What Real is: float or double (default double)")
      ->type_name("TYPE");
  command->add_option("--target", options.target, "serial, openmp or cuda")->type_name("TARGET");
  command->add_option("--budget", options.budget, "For compiling and measuring (default 60)")
      ->type_name("SECONDS");
  command->add_option("--out", options.output, "Write the schedule to this file too")
      ->type_name("FILE");
  command
      ->add_option("--in", options.inputs,
                   "Arrays to measure with: u=u.npy (default: numbers around 1)")
      ->type_name("NAME=FILE ...");
  command
      ->add_option("--set", options.settings,
                   "Run-time parameters and numbers: nu=0.01 (default: 0.0625)")
      ->type_name("NAME=VALUE ...");
  command->add_flag("--reassociate", options.reassociate, "As for the runs that it is for");
  command->add_flag("--quiet", options.quiet, "No progress and no notes");
  add_smt(command, options.smt);
  add_include(command, options.include);
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
                   "Seconds after which nothing more is asked or tried (default 110)")
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
  CLI::App* command = app.add_subcommand(
      "explain", "Show the steps of rewriting or of a schedule, or why one was not taken");
  command->add_option("-f,--callable", options.callable, "Only the operations of this name")
      ->type_name("CALLABLE");
  command
      ->add_option("--step", options.step, "Only this step; with --why-not, what stood before it")
      ->type_name("N");
  command->add_option("--why-not", options.why_not, "Why this rule is not applied")
      ->type_name("RULE");
  command->add_option("--at", options.position, "There and nowhere else: body.0.1")
      ->type_name("POSITION");
  command
      ->add_option(
          "--schedule", options.schedule,
          "What this schedule (default: that of run) does, why not, and what the program costs")
      ->type_name("NAME")
      ->expected(0, 1);
  command->add_option("--rank", options.rank, "With --schedule: axes of every array (default 3)")
      ->type_name("R")
      ->check(CLI::Range(0, 6));
  add_shapes(command, options.shapes, "With --schedule: lengths of the axes, as of emit");
  command->add_option("--dtype", options.dtype, "With --schedule: double (default) or float")
      ->type_name("TYPE");
  command->add_option("--target", options.target, "With --schedule: serial, openmp or cuda")
      ->type_name("TARGET");
  command->add_flag("--reassociate", options.reassociate, "With --schedule: as for a run");
  add_derived(command, options);
}

void add_trust(CLI::App& app, TrustOptions& options) {
  CLI::App* command =
      app.add_subcommand("trust", "List the axioms and conditions that a program rests on");
  command->add_flag("--prove", options.prove, "Say of each axiom whether it can be proved");
  command->add_flag("--json", options.json, "One JSON object on standard output instead of text");
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

void add_new(CLI::App& app, NewOptions& options) {
  CLI::App* command = app.add_subcommand("new", "Make a small project that builds");
  command->add_option("name", options.name, "What it is called, and the folder to make")
      ->type_name("NAME")
      ->required();
}

void add_rules(CLI::App& app, RulesOptions& options) {
  CLI::App* command = app.add_subcommand("rules", "Look up operations and rules");
  command
      ->add_option(
          "action", options.action,
          "list: name all; show NAME: one with all that is known of it; search TEXT: those "
          "that hold its words; page PACKAGE: a page of Markdown for it")
      ->type_name("list|show|search|page")
      ->required();
  command->add_option("text", options.text, "A name or its end, words, or a package")
      ->type_name("NAME|TEXT|PACKAGE");
  command
      ->add_option("--rules", options.folders,
                   "A folder of your own, or a file, in place of the rule library")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command->add_flag("--verify", options.verify, "Of show: try to prove it now");
  command->add_flag("--json", options.json, "One JSON object on standard output instead of text");
  add_include(command, options.include);
}

void add_fmt(CLI::App& app, FmtOptions& options) {
  CLI::App* command = app.add_subcommand("fmt", "Lay out specifications in the usual way");
  command->add_option("paths", options.paths, "Files, or folders whose .mg files are meant")
      ->type_name("FILE|DIR")
      ->required();
  command->add_flag("--check", options.check,
                    "Change nothing; name the files that would change, and fail if there are any");
}

void add_explain_error(CLI::App& app, ExplainErrorOptions& options) {
  CLI::App* command = app.add_subcommand(
      "explain-error",
      "Show what a code of a message means: what is wrong, why, and what is right");
  command->add_option("code", options.code, "The code, as E0202; without it all are named")
      ->type_name("CODE");
  command->add_flag("--json", options.json, "One JSON object on standard output instead of text");
}

void add_completion(CLI::App& app, std::string& shell) {
  CLI::App* command =
      app.add_subcommand("completion", "Print a completion script, or the manual page");
  command->add_option("shell", shell, "bash, zsh, or man")
      ->type_name("bash|zsh|man")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "man"}));
}

// A value behind a flag, as in --json=3, is a mistake.
void take_no_values(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_items_expected_max() == 0) option->disable_flag_override();
  }
}

}  // namespace

void add_commands(CLI::App& app, Options& options) {
  add_check(app, options.check);
  add_rewrite(app, options.rewrite);
  add_emit(app, options.emit);
  add_run(app, options.run);
  add_tune(app, options.tune);
  add_eval(app, options.eval);
  add_normalize(app, options.normalize);
  add_analyze(app, options.analyze);
  add_verify(app, options.verify);
  add_replay(app, options.replay);
  add_explain(app, options.explain);
  add_trust(app, options.trust);
  add_diff(app, options.diff);
  add_test(app, options.test);
  add_explain_error(app, options.explain_error);
  add_fmt(app, options.fmt);
  add_rules(app, options.rules);
  add_new(app, options.create);
  app.add_subcommand("doctor", "Say what is there of all that the command needs");
  add_completion(app, options.completion);
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    take_no_values(*command);
  }
}

}  // namespace rhopsi::cli
