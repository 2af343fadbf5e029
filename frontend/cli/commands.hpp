// The commands, each from its options to an exit code.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rhopsi::cli {

struct CheckOptions {
  std::vector<std::string> files;
  std::vector<std::string> include;
  bool json = false;
};

struct RewriteOptions {
  std::string file;
  std::string program;
  std::string callable;  // empty: the whole program
  std::string output;    // empty: standard output
  std::vector<std::string> include;
  bool trace = false;
};

// As written by the user; the commands read them, so that all mistakes are reported in
// one manner and at once.
struct ProgramOptions {
  std::string file;
  std::string program;
  std::vector<std::string> include;
  std::string shape;
  std::string dtype = "double";
  std::string target;
  bool checked = false;
};

struct EmitOptions : ProgramOptions {
  std::string folder;
  std::string entry;
  std::optional<int> rank;
  bool force = false;
};

struct RunOptions : ProgramOptions {
  std::string entry;
  std::string repeat = "1";
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> settings;
  std::string backend = "kokkos";
  std::string every = "0";
  std::string checkpoint;
  std::string checkpoint_every = "0";
  std::string restart;
  std::string spacing;
  bool json = false;
  bool quiet = false;
};

struct EvalOptions {
  std::optional<std::string> expression;
  std::vector<std::string> inputs;
  std::string file;  // of cases, in place of one expression
  std::vector<std::string> with;
  std::vector<std::string> include;
  std::string backend = "reference";
  bool normal_form = false;
  bool accesses = false;
  bool json = false;
};

int check(const CheckOptions& options);
int rewrite(const RewriteOptions& options);
int emit(const EmitOptions& options);
int run(const RunOptions& options);
int eval(const EvalOptions& options);

}  // namespace rhopsi::cli
