#include <exception>
#include <variant>

#include <signal.h>

#include "frontend/cli/command_line.hpp"
#include "frontend/cli/fault.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/syntax/deep_stack.hpp"

namespace rhopsi::cli {
namespace {

struct Carry {
  int operator()(const Done& done) const { return done.exit_code; }
  int operator()(const AnalyzeOptions& options) const { return analyze(options); }
  int operator()(const CheckOptions& options) const { return check(options); }
  int operator()(const RewriteOptions& options) const { return rewrite(options); }
  int operator()(const NormalizeOptions& options) const { return normalize(options); }
  int operator()(const EvalOptions& options) const { return eval(options); }
  int operator()(const EmitOptions& options) const { return emit(options); }
  int operator()(const RunOptions& options) const { return run(options); }
  int operator()(const ExplainOptions& options) const { return explain(options); }
  int operator()(const DiffOptions& options) const { return diff(options); }
  int operator()(const TrustOptions& options) const { return trust(options); }
  int operator()(const ReplayOptions& options) const { return replay(options); }
  int operator()(const DoctorOptions& options) const { return doctor(options); }
  int operator()(const NewOptions& options) const { return create(options); }
  int operator()(const ExplainErrorOptions& options) const { return explain_error(options); }
  int operator()(const FmtOptions& options) const { return fmt(options); }
  int operator()(const RulesOptions& options) const { return rules(options); }
  int operator()(const VerifyOptions& options) const { return verify(options); }
  int operator()(const TestOptions& options) const { return test(options); }
  int operator()(const TuneOptions& options) const { return tune(options); }
};

}  // namespace
}  // namespace rhopsi::cli

int main(int argc, char** argv) {
  rhopsi::cli::report_crashes();
  // A file that grows beyond the user's limit is a failed write, not the end of the process.
  ::signal(SIGXFSZ, SIG_IGN);
  try {
    // What is nested deep is followed by recursion, in every stage.
    int result = rhopsi::cli::internal_fault;
    rhopsi::syntax::run_on_deep_stack([&] {
      rhopsi::cli::report_crashes();  // every stack needs its own arrangement
      result = std::visit(rhopsi::cli::Carry{}, rhopsi::cli::read_command_line(argc, argv));
    });
    return result;
  } catch (const std::exception& fault) {
    return rhopsi::cli::report_fault(fault.what(), argc, argv);
  } catch (...) {
    return rhopsi::cli::report_fault("an unknown exception", argc, argv);
  }
}
