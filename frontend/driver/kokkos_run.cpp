// emit, build and run through the Kokkos backend.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "backends/kokkos/build/build.hpp"
#include "backends/kokkos/emit/emit.hpp"
#include "engine/onf/print.hpp"
#include "frontend/driver/certificate.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/run.hpp"
#include "frontend/driver/schedules.hpp"
#include "frontend/driver/stages.hpp"
#include "frontend/driver/user_headers.hpp"

namespace rhopsi::driver {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

kokkos::Target backend_target(Target target) {
  switch (target) {
    case Target::serial:
      return kokkos::Target::serial;
    case Target::openmp:
      return kokkos::Target::openmp;
    case Target::cuda:
      return kokkos::Target::cuda;
  }
  return kokkos::Target::serial;
}

const char* device(Target target) {
  switch (target) {
    case Target::serial:
      return "SERIAL";
    case Target::openmp:
      return "OPENMP";
    case Target::cuda:
      return "CUDA";
  }
  return "SERIAL";
}

void add(const kokkos::Error& error, syntax::Diagnostics& diagnostics) {
  diagnostics.error(error.code, {}, error.message, error.note);
}

// The whole folder: what was emitted, the run-time headers, the user's, whose paths are added to
// `sources`.
std::optional<std::vector<kokkos::File>> files_of(Session& session, const onf::Module& module,
                                                  const kokkos::Options& options,
                                                  syntax::Diagnostics& diagnostics,
                                                  std::vector<std::string>* sources = nullptr) {
  const auto headers = user_headers(session, module, session.include(), diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  std::vector<kokkos::File> files = kokkos::emit(session.store(), module, options);
  if (sources != nullptr) {
    for (const TextFile& header : headers) sources->push_back(header.origin);
  }
  const auto& runtime = kokkos::runtime_files();
  files.insert(files.end(), runtime.begin(), runtime.end());
  for (const TextFile& header : headers) files.push_back({header.name, header.text});
  // A program, or a header of the user's, that is called as a file of the runtime.
  std::set<std::string> seen;
  for (const kokkos::File& file : files) {
    if (seen.insert(file.name).second) continue;
    diagnostics.error("E0707", {}, "the emitted folder would hold '" + file.name + "' twice",
                      "call the program, or the header, otherwise");
    return std::nullopt;
  }
  return files;
}

// What a run lowers: the whole program, which is then compiled once for all its entries; where
// arrays have shapes of their own, the entry for arrays of the ranks that it is given.
lower::Options lowering_of(Session& session, const RunRequest& request, const term::Theory& program,
                           const Entry& entry) {
  lower::Options options;
  options.checked = request.checked;
  options.rank = int(request.shape.size());
  if (!has_own_shapes(session, program)) return options;
  options.entries = {entry.name};
  options.ranks = ranks_of(request, entry);
  return options;
}

// Where the whole program has no form, what is wrong may be none of the entry's.
std::optional<onf::Module> lowered_for(Session& session, const term::Theory& program,
                                       const Entry& entry, lower::Options& options,
                                       syntax::Diagnostics& diagnostics) {
  if (!options.entries.empty()) return lower(session, program, options, diagnostics);
  syntax::Diagnostics of_all;
  auto module = lower(session, program, options, of_all);
  if (!module) {
    options.entries = {entry.name};
    return lower(session, program, options, diagnostics);
  }
  for (const syntax::Diagnostic& each : of_all.all()) diagnostics.add(each);
  return module;
}

// Where the program states the ranks of its arrays, those of the inputs have to be the same.
void check_ranks(const onf::Module& module, const lower::Options& options,
                 syntax::Diagnostics& diagnostics) {
  for (const onf::Function& function : module.functions) {
    if (std::ranges::count(options.entries, function.name) == 0) continue;
    for (const onf::Argument& argument : function.arguments) {
      if (!argument.view) continue;
      const onf::View& view = function.views[onf::number(*argument.view)];
      const onf::Block& block = function.blocks[onf::number(view.block)];
      const auto given = options.ranks.find(view.name);
      if (!block.extents || given == options.ranks.end()) continue;
      if (given->second == block.extents->size()) continue;
      const auto axes = [](std::size_t rank) {
        return std::to_string(rank) + (rank == 1 ? " axis" : " axes");
      };
      diagnostics.error(codes::array_shape, {},
                        "'" + view.name + "' of '" + function.name + "' has " +
                            axes(block.extents->size()) + ", what is given for it " +
                            axes(given->second),
                        "give an array of " + axes(block.extents->size()));
    }
  }
}

std::optional<Target> choose_target(const RunRequest& request,
                                    const kokkos::Installation& installation,
                                    const Listener& listener, syntax::Diagnostics& diagnostics) {
  if (!request.target) {
    const Target target = installation.has("OPENMP") ? Target::openmp : Target::serial;
    listener.note("target " + to_string(target) + ", Kokkos " + installation.version + " (" +
                  installation.prefix.string() + ")");
    return target;
  }
  if (installation.has(device(*request.target))) return request.target;
  std::string has;
  for (const std::string& name : installation.devices) has += (has.empty() ? "" : ", ") + name;
  diagnostics.error(codes::target_missing, {},
                    "the Kokkos in '" + installation.prefix.string() + "' was not built for " +
                        to_string(*request.target) + "; it has " + has,
                    "take another --target, or name another Kokkos with Kokkos_ROOT");
  return std::nullopt;
}

std::vector<std::string> arguments_of(const RunRequest& request) {
  std::vector<std::string> words = {"--entry", request.entry, "--repeat",
                                    std::to_string(request.repeat)};
  const auto option = [&](bool given, const std::string& name, const std::string& value) {
    if (given) words.insert(words.end(), {name, value});
  };
  const auto list = [](const auto& values, auto&& text) {
    std::string joined;
    for (const auto& value : values) joined += (joined.empty() ? "" : ",") + text(value);
    return joined;
  };
  const auto decimal = [](double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return std::string(text);
  };
  option(!request.shape.empty(), "--shape",
         list(request.shape, [](std::int64_t length) { return std::to_string(length); }));
  for (const Pair& pair : request.inputs) option(true, "--in", pair.name + "=" + pair.value);
  for (const Pair& pair : request.outputs) option(true, "--out", pair.name + "=" + pair.value);
  for (const Pair& pair : request.settings) option(true, "--set", pair.name + "=" + pair.value);
  option(request.every > 0, "--every", std::to_string(request.every));
  option(!request.checkpoint.empty(), "--checkpoint", request.checkpoint);
  option(request.checkpoint_every > 0, "--checkpoint-every",
         std::to_string(request.checkpoint_every));
  option(!request.restart.empty(), "--restart", request.restart);
  option(!request.spacing.empty(), "--spacing", list(request.spacing, decimal));
  if (request.json) words.push_back("--json");
  if (request.quiet) words.push_back("--quiet");
  return words;
}

// A file for captured output, removed with this object.
class Capture {
 public:
  Capture() : path_((fs::temp_directory_path() / "rhopsi-XXXXXX").string()) {
    const int descriptor = ::mkstemp(path_.data());
    if (descriptor >= 0) ::close(descriptor);
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  ~Capture() { ::unlink(path_.c_str()); }

  const std::string& path() const { return path_; }
  std::string text() const {
    std::ifstream file(path_, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  }

 private:
  std::string path_;
};

// The program's last line is its object; what came before it is passed on.
Json take_object(const std::string& text, RunResult& result) {
  std::size_t begin = text.find_last_of('\n', text.size() < 2 ? 0 : text.size() - 2);
  begin = begin == std::string::npos ? 0 : begin + 1;
  Json program = Json::parse(text.substr(begin), nullptr, false);
  result.output = program.is_object() ? text.substr(0, begin) : text;
  return program.is_object() ? program : Json::object();
}

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Its diagnostics, with the path of the specification where they name the file alone.
void take_diagnostics(Json& program, const RunRequest& request, RunResult& result) {
  const std::string name = fs::path(request.file).filename().string();
  if (const auto told = program.find("diagnostics"); told != program.end()) {
    for (Json& one : *told) {
      if (one.is_object() && one.value("path", Json()) == name) one["path"] = request.file;
    }
    result.told = line_of(*told);
  }
  program.erase("diagnostics");
  program.erase("errors");
}

// Of a run that reached its end. Our own fields go in front of the program's.
std::string whole_object(const Json& program, const RunRequest& request, Target target,
                         const kokkos::Executable& executable, double compile_seconds) {
  Json object = {{"seconds_per_step", program.value("seconds_per_step", Json())},
                 {"steps", program.value("steps", request.repeat)},
                 {"compile_seconds", compile_seconds},
                 {"bytes_peak", program.value("bytes_peak", Json())},
                 {"target", to_string(target)},
                 {"backend", "kokkos"},
                 {"cached", executable.cached}};
  for (const auto& [key, value] : program.items()) {
    if (!object.contains(key)) object[key] = value;
  }
  return line_of(object);
}

// How the emitted program says that only its last checkpoint is missing.
constexpr int without_checkpoint = 3;

void explain_failure(int status, const RunRequest& request, syntax::Diagnostics& diagnostics) {
  const std::string how =
      status > 128 ? "was ended by signal " + std::to_string(status - 128) : "ended in an error";
  diagnostics.error(codes::run_failed, {},
                    "'" + request.entry + "' of '" + request.program + "' " + how,
                    status > 128 ? "--checked finds accesses out of bounds"
                                 : "the program's message stands above");
}

RunResult interrupted_before_start() {
  RunResult result;
  result.exit_code = 130;
  result.summary = "interrupted; nothing was written";
  return result;
}

}  // namespace

std::optional<RunResult> run_kokkos(Session& session, const RunRequest& request,
                                    const term::Theory& program, const Entry& entry,
                                    const Listener& listener, syntax::Diagnostics& diagnostics) {
  const auto installation = kokkos::find_kokkos();
  if (!installation) {
    add(installation.error(), diagnostics);
    return std::nullopt;
  }
  const auto target = choose_target(request, *installation, listener, diagnostics);
  if (!target) return std::nullopt;
  const auto begin = std::chrono::steady_clock::now();
  lower::Options lowering = lowering_of(session, request, program, entry);
  auto module = lowered_for(session, program, entry, lowering, diagnostics);
  if (!module) return std::nullopt;
  const auto recipe =
      recipe_of(session, request.file, request.program, request.schedule, diagnostics);
  if (!recipe) return std::nullopt;
  if (!request.schedule.empty() &&
      !schedule(session, *module, *recipe, surroundings_of(*target, request.checked), {entry.name},
                diagnostics)) {
    return std::nullopt;
  }
  check_ranks(*module, lowering, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  const auto files = files_of(
      session, *module, {backend_target(*target), request.checked, lowering.entries}, diagnostics);
  if (!files) return std::nullopt;
  if (listener.interrupted()) return interrupted_before_start();
  kokkos::BuildOptions options;
  options.checked = request.checked;
  const auto executable = kokkos::build(*files, options);
  if (!executable) {
    add(executable.error(), diagnostics);
    return std::nullopt;
  }
  const std::chrono::duration<double> compiling = std::chrono::steady_clock::now() - begin;
  char took[40];
  std::snprintf(took, sizeof took, "%.1f s", compiling.count());
  listener.note(executable->cached ? "compiled before" : "compiled in " + std::string(took));
  if (listener.interrupted()) return interrupted_before_start();

  RunResult result;
  const Capture capture;
  kokkos::RunOptions run_options;
  if (request.json) run_options.output = capture.path();
  const auto status = kokkos::run(*executable, arguments_of(request), run_options);
  if (!status) {
    add(status.error(), diagnostics);
    return std::nullopt;
  }
  Json object = request.json ? take_object(capture.text(), result) : Json::object();
  take_diagnostics(object, request, result);
  const bool interrupted = *status == 130 || *status == 143;
  const bool ended = *status == 0 || *status == without_checkpoint;
  result.exit_code = *status == 0 || interrupted ? *status : 1;
  if (!ended && !interrupted) explain_failure(*status, request, diagnostics);
  if (request.json && ended && object.contains("steps")) {
    result.json = whole_object(object, request, *target, *executable, compiling.count());
  }
  return result;
}

namespace {

// Of the entry that is named; where arrays have shapes of their own, of all procedures without a
// name, and else of the whole program.
std::optional<lower::Options> lowering_of(Session& session, const EmitRequest& request,
                                          const term::Theory& program,
                                          syntax::Diagnostics& diagnostics) {
  lower::Options options;
  options.rank = request.rank;
  options.checked = request.checked;
  const bool own_shapes = has_own_shapes(session, program);
  std::vector<Entry> chosen;
  for (Entry& entry : entries(session, program)) {
    if (own_shapes && entry.procedure) chosen.push_back(std::move(entry));
  }
  if (!request.entry.empty() || (own_shapes && chosen.empty())) {
    auto entry = find_entry(session, program, request.entry, diagnostics);
    if (!entry) return std::nullopt;
    chosen = {std::move(*entry)};
  }
  for (const Entry& entry : chosen) {
    options.entries.push_back(entry.name);
    for (const EntryArgument& argument : entry.arguments) {
      if (own_shapes && argument.array() && argument.read) {
        options.ranks[argument.name] = std::size_t(request.rank);
      }
    }
  }
  return options;
}

}  // namespace

std::optional<Emitted> emit(Session& session, const EmitRequest& request,
                            syntax::Diagnostics& diagnostics) {
  const auto theory = driver::program(session, request.file, request.program, diagnostics);
  if (!theory) return std::nullopt;
  if (!certified(session, *theory, request, diagnostics)) return std::nullopt;
  const auto lowering = lowering_of(session, request, *theory, diagnostics);
  if (!lowering) return std::nullopt;
  auto module = lower(session, *theory, *lowering, diagnostics);
  if (!module) return std::nullopt;
  const auto recipe =
      recipe_of(session, request.file, request.program, request.schedule, diagnostics);
  if (!recipe) return std::nullopt;
  if (!request.schedule.empty() &&
      !schedule(session, *module, *recipe, surroundings_of(request.target, request.checked),
                lowering->entries, diagnostics)) {
    return std::nullopt;
  }
  Emitted made;
  const auto emitted =
      files_of(session, *module,
               {backend_target(request.target), request.checked, lowering->entries,
                request.python ? kokkos::Callers::python : kokkos::Callers::library},
               diagnostics, &made.sources);
  if (!emitted) return std::nullopt;
  for (const kokkos::File& file : *emitted) made.files.push_back({file.name, file.text});
  const auto read = session.workspace().files();
  made.sources.insert(made.sources.begin(), read.begin(), read.end());
  return made;
}

namespace {

// A program that was scheduled, with how. Without a name by the standard recipe.
struct Scheduled {
  onf::Module module;
  schedule::Recipe recipe;
  schedule::Outcome outcome;
};
std::optional<Scheduled> scheduled(Session& session, const EmitRequest& request, onf::Module module,
                                   const std::vector<std::string>& entries,
                                   syntax::Diagnostics& diagnostics) {
  const std::string name = request.schedule.empty() ? "auto" : request.schedule;
  auto recipe = recipe_of(session, request.file, request.program, name, diagnostics);
  if (!recipe) return std::nullopt;
  auto outcome = schedule(session, module, *recipe,
                          surroundings_of(request.target, request.checked), entries, diagnostics);
  if (!outcome) return std::nullopt;
  return Scheduled{std::move(module), std::move(*recipe), std::move(*outcome)};
}

}  // namespace

std::optional<std::string> print_stage(Session& session, const EmitRequest& request,
                                       syntax::Diagnostics& diagnostics) {
  const auto theory = driver::program(session, request.file, request.program, diagnostics);
  if (!theory) return std::nullopt;
  const auto lowering = lowering_of(session, request, *theory, diagnostics);
  if (!lowering) return std::nullopt;
  auto module = lower(session, *theory, *lowering, diagnostics);
  if (!module) return std::nullopt;
  if (request.stage == Stage::onf) return onf::to_string(session.store(), *module);
  const auto made = scheduled(session, request, std::move(*module), lowering->entries, diagnostics);
  if (!made) return std::nullopt;
  if (request.stage == Stage::steps) return explained(made->recipe, made->outcome);
  std::string text = to_string(made->recipe) + "\n" + made->outcome.values + "\nsteps\n";
  for (const schedule::Step& step : made->outcome.steps) text += "  " + to_string(step) + "\n";
  return text + "\n" + onf::to_string(session.store(), made->module);
}

}  // namespace rhopsi::driver
