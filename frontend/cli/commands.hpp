// The commands, each from its options to an exit code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rhopsi::cli {

// Who decides the conditions of rules.
struct SmtOptions {
  std::string mode = "on";
  int timeout = 500;     // of a query, in milliseconds
  int run_timeout = 20;  // of all queries, in seconds
  bool no_assume = false;
};

struct CheckOptions {
  SmtOptions smt;
  std::vector<std::string> files;
  std::vector<std::string> include;
  bool json = false;
};

// Bounds on rewriting, as written by the user; empty: as they are.
struct BoundOptions {
  std::string max_steps;
  std::string max_seconds;
  std::string max_nodes;
  std::string max_bytes;
};

struct RewriteOptions {
  SmtOptions smt;
  std::string file;
  std::string program;
  std::string callable;  // empty: the whole program
  std::string output;    // empty: standard output
  std::string certificate;
  std::vector<std::string> include;
  BoundOptions bounds;
  bool trace = false;
};

// As written by the user; the commands read them, so that all mistakes are reported in
// one manner and at once.
struct ProgramOptions {
  SmtOptions smt;
  std::string file;
  std::string program;
  std::vector<std::string> include;
  std::vector<std::string> shapes;
  std::string dtype = "double";
  std::string target;
  std::string certificate;
  std::string schedule;  // empty: not said
  bool checked = false;
  bool reassociate = false;
};

struct EmitOptions : ProgramOptions {
  std::string folder;
  std::string stage;  // empty: cxx, as a folder
  std::string entry;
  std::string depfile;
  std::optional<int> rank;
  bool force = false;
  bool python = false;
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

struct TuneOptions : RunOptions {
  std::string budget = "60";
  std::string output;
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
  bool reassociate = false;
  bool json = false;
};

// Numbers as written by the user.
struct NormalizeOptions {
  std::string trs;
  std::optional<std::string> term;
  std::string term_file;
  std::string strategy;
  std::string max_steps;
  std::string max_seconds;
  std::string max_nodes;
  std::string max_bytes;
  bool compiled = false;
  bool stats = false;
};

struct AnalyzeOptions {
  std::string file;  // of a specification, with the module to analyse
  std::string module;
  std::string trs;  // or a rewriting system in a format of its own
  std::string timeout = "60";
  std::string only;  // one property
  std::vector<std::string> include;
  bool innermost = false;
  bool json = false;
};

struct VerifyOptions {
  std::string path;
  std::string module;  // empty: all
  std::vector<std::string> include;
  int timeout = 1000;   // of a query, in milliseconds
  int run_timeout = 0;  // of the run, in seconds; 0: as the driver has it
  bool json = false;
};

struct ReplayOptions {
  SmtOptions smt;
  std::string file;
  bool ask = false;
};

struct ExplainOptions {
  SmtOptions smt;
  std::string file;
  std::string program;
  std::string callable;
  std::string step;  // as written by the user
  std::string why_not;
  std::string position;
  std::optional<std::string> schedule;  // in place of rewriting
  std::optional<int> rank;              // these of a schedule
  std::vector<std::string> shapes;
  std::string dtype = "double";
  std::string target;
  bool reassociate = false;
  std::vector<std::string> include;
};

struct TrustOptions {
  SmtOptions smt;
  std::string file;
  std::string program;
  bool prove = false;
  bool json = false;
  std::vector<std::string> include;
};

// FILE or FILE:PROGRAM.
struct DiffOptions {
  SmtOptions smt;
  std::string left;
  std::string right;
  std::vector<std::string> include;
};

struct TestOptions {
  std::string path;
  std::string module;  // empty: all
  std::vector<std::string> include;
  std::uint32_t seed = 1;
  std::size_t values = 1000;  // of each assertion
  bool json = false;
};

struct RulesOptions {
  std::string action;                // list, show, search or page
  std::string text;                  // a name, what is looked for, or a package
  std::vector<std::string> folders;  // empty: the rule library
  std::vector<std::string> include;
  bool verify = false;
  bool json = false;
};

struct ExplainErrorOptions {
  std::string code;  // empty: name all
  bool json = false;
};

struct FmtOptions {
  std::vector<std::string> paths;
  bool check = false;
};

struct DoctorOptions {};

struct NewOptions {
  std::string name;
};

int check(const CheckOptions& options);
int create(const NewOptions& options);
int diff(const DiffOptions& options);
int doctor(const DoctorOptions& options);
int fmt(const FmtOptions& options);
int explain_error(const ExplainErrorOptions& options);
int explain(const ExplainOptions& options);
int trust(const TrustOptions& options);
int replay(const ReplayOptions& options);
int rules(const RulesOptions& options);
int rewrite(const RewriteOptions& options);
int normalize(const NormalizeOptions& options);
int emit(const EmitOptions& options);
int run(const RunOptions& options);
int eval(const EvalOptions& options);
int analyze(const AnalyzeOptions& options);
int verify(const VerifyOptions& options);
int test(const TestOptions& options);
int tune(const TuneOptions& options);

}  // namespace rhopsi::cli
