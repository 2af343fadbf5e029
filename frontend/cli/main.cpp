#include <exception>
#include <functional>
#include <variant>

#include <signal.h>

#include "frontend/cli/command_line.hpp"
#include "frontend/cli/fault.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/syntax/deep_stack.hpp"

namespace rhopsi::cli {
namespace {

// What is nested deep is followed by recursion.
int with_deep_stack(const std::function<int()>& command) {
  int result = internal_fault;
  syntax::run_on_deep_stack([&](std::uintptr_t) {
    report_crashes();  // every stack needs its own arrangement
    result = command();
  });
  return result;
}

struct Carry {
  int operator()(const Done& done) const { return done.exit_code; }
  int operator()(const CheckOptions& options) const {
    return with_deep_stack([&] { return check(options); });
  }
  int operator()(const RewriteOptions& options) const {
    return with_deep_stack([&] { return rewrite(options); });
  }
  int operator()(const EvalOptions& options) const {
    return with_deep_stack([&] { return eval(options); });
  }
  int operator()(const EmitOptions& options) const { return emit(options); }
  int operator()(const RunOptions& options) const { return run(options); }
};

}  // namespace
}  // namespace rhopsi::cli

int main(int argc, char** argv) {
  rhopsi::cli::report_crashes();
  // A file that grows beyond the user's limit is a failed write, not the end of the process.
  ::signal(SIGXFSZ, SIG_IGN);
  try {
    return std::visit(rhopsi::cli::Carry{}, rhopsi::cli::read_command_line(argc, argv));
  } catch (const std::exception& fault) {
    return rhopsi::cli::report_fault(fault.what(), argc, argv);
  } catch (...) {
    return rhopsi::cli::report_fault("an unknown exception", argc, argv);
  }
}
