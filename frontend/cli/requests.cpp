#include "frontend/cli/requests.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "frontend/driver/codes.hpp"
#include "frontend/driver/locations.hpp"
#include "frontend/driver/nearest.hpp"

namespace rhopsi::cli {
namespace {

template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

// One of a few words; the nearest is suggested for another.
template <class T>
T choose(const std::string& option, const std::string& word, const Choices<T>& choices,
         syntax::Diagnostics& diagnostics) {
  std::vector<std::string> words;
  for (const auto& [name, value] : choices) {
    if (name == word) return value;
    words.push_back(name);
  }
  diagnostics.error(driver::codes::malformed_option, {}, option + " cannot be '" + word + "'",
                    driver::suggest(word, words, ""));
  return choices.front().second;
}

onf::Scalar dtype(const std::string& word, syntax::Diagnostics& diagnostics) {
  return choose<onf::Scalar>("--dtype", word,
                             {{"double", onf::Scalar::float64}, {"float", onf::Scalar::float32}},
                             diagnostics);
}

driver::Target target(const std::string& word, syntax::Diagnostics& diagnostics) {
  return choose<driver::Target>("--target", word,
                                {{"serial", driver::Target::serial},
                                 {"openmp", driver::Target::openmp},
                                 {"cuda", driver::Target::cuda}},
                                diagnostics);
}

std::uint64_t count(const std::string& option, const std::string& text, std::uint64_t least,
                    syntax::Diagnostics& diagnostics) {
  // Counts are signed on the other side of the command line.
  constexpr std::uint64_t most = std::uint64_t(1) << 62;
  std::uint64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, failure] = std::from_chars(text.data(), last, value);
  if (failure == std::errc() && end == last && value >= least && value <= most) return value;
  diagnostics.error(driver::codes::malformed_option, {},
                    option + " " + text + ": '" + text + "' is not a number of steps",
                    "give a whole number of at least " + std::to_string(least));
  return least;
}

// `off` is no schedule; names are looked up in the program's package.
std::optional<std::string> schedule(const std::string& word) {
  if (word.empty()) return std::nullopt;
  return word == "off" ? std::string() : word;
}

void check_alternatives(const EvalOptions& options, syntax::Diagnostics& diagnostics) {
  const auto needs = [&](bool wrong, const std::string& message, const std::string& advice) {
    if (wrong) diagnostics.error(driver::codes::malformed_option, {}, message, advice);
  };
  const bool file = !options.file.empty();
  needs(!file && !options.expression, "no expression to evaluate",
        "write rhopsi eval \"EXPR\", or name a file of cases with --file");
  needs(file && options.expression.has_value(), "an expression and --file",
        "leave one of them out");
  needs(file && !options.inputs.empty(), "--in has no meaning with --file",
        "each line of the file has its own inputs: EXPR | A=a.npy");
  needs(file && (options.normal_form || options.accesses),
        "--dnf and --onf have no meaning with --file", "ask for one expression at a time");
  needs(options.reassociate && options.backend == "reference" && !options.normal_form &&
            !options.accesses,
        "--reassociate has no meaning for the reference backend",
        "add --backend kokkos, or leave it out");
}

driver::Backend backend(const std::string& name, syntax::Diagnostics& diagnostics) {
  return choose<driver::Backend>(
      "--backend", name,
      {{"kokkos", driver::Backend::kokkos}, {"reference", driver::Backend::reference}},
      diagnostics);
}

void check_reassociation(bool reassociate, bool checked, syntax::Diagnostics& diagnostics) {
  if (!reassociate || !checked) return;
  diagnostics.error(driver::codes::malformed_option, {},
                    "--checked tests for NaN, which does not count with --reassociate",
                    "leave one of them out");
}

// Options that only make sense together.
void check_together(const driver::RunRequest& request, syntax::Diagnostics& diagnostics) {
  const auto needs = [&](bool wrong, const std::string& message, const std::string& advice) {
    if (wrong) diagnostics.error(driver::codes::malformed_option, {}, message, advice);
  };
  needs(request.checkpoint_every > 0 && request.checkpoint.empty(),
        "--checkpoint-every without --checkpoint", "name the file: --checkpoint run.state");
  needs(request.every > 0 && request.outputs.empty(), "--every without --out",
        "name the results to write: --out u=u.npy");
  needs(request.backend == driver::Backend::reference && request.schedule &&
            !request.schedule->empty(),
        "--schedule has no meaning for the reference backend", "leave it out");
  needs(request.backend == driver::Backend::reference && request.target.has_value(),
        "--target has no meaning for the reference backend", "leave it out");
  needs(request.backend == driver::Backend::reference && request.reassociate,
        "--reassociate has no meaning for the reference backend", "leave it out");
  check_reassociation(request.reassociate, request.checked, diagnostics);
}

}  // namespace

bool prints_stage(const EmitOptions& options) {
  const bool folder = options.stage.empty() || (options.stage == "cxx" && !options.folder.empty());
  return !folder;
}

std::optional<driver::EmitRequest> emit_request(const EmitOptions& options,
                                                syntax::Diagnostics& diagnostics) {
  driver::EmitRequest request;
  request.file = options.file;
  request.program = options.program;
  request.folder = options.folder;
  request.entry = options.entry;
  request.checked = options.checked;
  request.reassociate = options.reassociate;
  request.force = options.force;
  request.python = options.python;
  request.depfile = options.depfile;
  request.certificate = options.certificate;
  request.schedule = schedule(options.schedule);
  request.stage = choose<driver::Stage>("--emit", options.stage.empty() ? "cxx" : options.stage,
                                        {{"cxx", driver::Stage::cxx},
                                         {"ast", driver::Stage::ast},
                                         {"terms", driver::Stage::terms},
                                         {"dnf", driver::Stage::dnf},
                                         {"onf", driver::Stage::onf},
                                         {"schedule", driver::Stage::schedule}},
                                        diagnostics);
  const bool printed = prints_stage(options);
  if (!request.depfile.empty() && (printed || !request.depfile.ends_with(".d"))) {
    diagnostics.error(driver::codes::malformed_option, {},
                      "--depfile writes `NAME.d` beside a folder",
                      "name a file that ends in .d, and write a folder");
  }
  check_reassociation(request.reassociate, request.checked, diagnostics);
  if (!printed && request.folder.empty()) {
    diagnostics.error(driver::codes::malformed_option, {}, "no folder to write",
                      "name one with -o, or print a stage: --emit onf");
  }
  if (!printed && request.folder == "-") {
    diagnostics.error(driver::codes::malformed_option, {}, "a folder is not printed",
                      "leave -o out to print the functions (--emit cxx), or name a folder: ./-");
  }
  request.real = dtype(options.dtype, diagnostics);
  if (!options.target.empty()) request.target = target(options.target, diagnostics);
  if (!options.shapes.empty()) {
    auto shapes = driver::read_shapes(options.shapes, diagnostics).value_or(driver::Shapes());
    request.rank = int(shapes.domain.size());
    if (!diagnostics.has_errors() && options.rank && *options.rank != request.rank) {
      diagnostics.error(driver::codes::bad_shape, {},
                        "--rank " + std::to_string(*options.rank) + " contradicts --shape " +
                            options.shapes.front(),
                        "leave one of them out");
    }
    request.shape = std::move(shapes.domain);
    request.shapes = std::move(shapes.others);
  } else if (options.rank) {
    request.rank = *options.rank;
  }
  if (diagnostics.has_errors()) return std::nullopt;
  return request;
}

std::optional<driver::EmitRequest> schedule_request(const ExplainOptions& options,
                                                    syntax::Diagnostics& diagnostics) {
  EmitOptions as_emitted;
  as_emitted.file = options.file;
  as_emitted.program = options.program;
  as_emitted.schedule = *options.schedule;
  as_emitted.entry = options.callable;
  as_emitted.rank = options.rank;
  as_emitted.shapes = options.shapes;
  as_emitted.dtype = options.dtype;
  as_emitted.target = options.target;
  as_emitted.reassociate = options.reassociate;
  as_emitted.stage = "schedule";
  auto request = emit_request(as_emitted, diagnostics);
  if (request) request->stage = driver::Stage::steps;
  return request;
}

std::optional<driver::RunRequest> run_request(const RunOptions& options,
                                              syntax::Diagnostics& diagnostics) {
  driver::RunRequest request;
  request.file = options.file;
  request.program = options.program;
  request.entry = options.entry;
  request.checked = options.checked;
  request.reassociate = options.reassociate;
  request.schedule = schedule(options.schedule);
  request.checkpoint = options.checkpoint;
  request.restart = options.restart;
  request.certificate = options.certificate;
  request.quiet = options.quiet;
  request.json = options.json;
  request.repeat = count("--repeat", options.repeat, 1, diagnostics);
  request.every = count("--every", options.every, 0, diagnostics);
  request.checkpoint_every = count("--checkpoint-every", options.checkpoint_every, 0, diagnostics);
  request.real = dtype(options.dtype, diagnostics);
  request.backend = backend(options.backend, diagnostics);
  if (!options.target.empty()) request.target = target(options.target, diagnostics);
  const auto shapes = driver::read_shapes(options.shapes, diagnostics);
  if (shapes) request.shape = shapes->domain;
  if (shapes && !shapes->others.empty()) {
    diagnostics.error(driver::codes::malformed_option, {},
                      "--shape " + shapes->others.begin()->first +
                          "=...: of a run, what comes in tells the lengths of each array",
                      "leave it out");
  }
  request.inputs = driver::read_pairs("--in", options.inputs, diagnostics).value_or(request.inputs);
  request.outputs =
      driver::read_pairs("--out", options.outputs, diagnostics).value_or(request.outputs);
  request.settings =
      driver::read_pairs("--set", options.settings, diagnostics).value_or(request.settings);
  if (!options.spacing.empty()) {
    request.spacing = driver::read_spacing(options.spacing, diagnostics).value_or(request.spacing);
  }
  check_together(request, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return request;
}

std::optional<driver::TuneRequest> tune_request(const TuneOptions& options,
                                                syntax::Diagnostics& diagnostics) {
  const auto budget = driver::read_number("--budget", options.budget, diagnostics);
  if (budget && *budget <= 0) {
    diagnostics.error(driver::codes::malformed_option, {},
                      "--budget " + options.budget + " is no time to measure in",
                      "give a number of seconds: --budget 60");
  }
  const std::string name = std::filesystem::path(options.output).stem().string();
  const bool word = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!options.output.empty() && (name.empty() || !word || (name[0] >= '0' && name[0] <= '9') ||
                                  !options.output.ends_with(".mg"))) {
    diagnostics.error(driver::codes::malformed_option, {},
                      "--out " + options.output + ": the file is a package of the same name",
                      "name a file as NAME.mg with letters, digits and _");
  }
  auto run = run_request(options, diagnostics);
  if (!run || diagnostics.has_errors()) return std::nullopt;
  driver::TuneRequest request;
  request.run = std::move(*run);
  request.budget = *budget;
  request.output = options.output;
  return request;
}

std::optional<driver::EvalRequest> eval_request(const EvalOptions& options,
                                                syntax::Diagnostics& diagnostics) {
  check_alternatives(options, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  driver::EvalRequest request;
  request.expression = options.expression.value_or("");
  request.inputs = options.inputs;
  request.file = options.file;
  request.with = options.with;
  request.backend = backend(options.backend, diagnostics);
  request.normal_form = options.normal_form;
  request.accesses = options.accesses;
  request.reassociate = options.reassociate;
  request.json = options.json;
  if (diagnostics.has_errors()) return std::nullopt;
  return request;
}

std::vector<std::string> specifications(const std::vector<std::string>& paths,
                                        syntax::Diagnostics& diagnostics) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    const auto found = driver::source_files(path);
    if (found.empty()) {
      diagnostics.error(driver::codes::unknown_program_file, {},
                        path + ": no such file, or a folder without .mg files",
                        "give a file, or a folder that holds .mg files");
    }
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

}  // namespace rhopsi::cli
