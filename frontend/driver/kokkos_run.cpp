// emit, build and run through the Kokkos backend.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "engine/onf/index_width.hpp"
#include "engine/onf/print.hpp"
#include "frontend/driver/certificate.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/kokkos_program.hpp"
#include "frontend/driver/pads.hpp"
#include "frontend/driver/restart.hpp"
#include "frontend/driver/run.hpp"
#include "frontend/driver/schedules.hpp"
#include "frontend/driver/stage_text.hpp"
#include "frontend/driver/stages.hpp"

namespace rhopsi::driver {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

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
                         const std::string& plan, const kokkos::Executable& executable,
                         double compile_seconds) {
  Json object = {{"seconds_per_step", program.value("seconds_per_step", Json())},
                 {"steps", program.value("steps", request.repeat)},
                 {"compile_seconds", compile_seconds},
                 {"bytes_peak", program.value("bytes_peak", Json())},
                 {"target", to_string(target)},
                 {"backend", "kokkos"},
                 {"schedule", plan},
                 {"cached", executable.cached}};
  for (const auto& [key, value] : program.items()) {
    if (!object.contains(key)) object[key] = value;
  }
  return line_of(object);
}

// Between the steps at which something is written.
std::int64_t calls_in_a_row(const RunRequest& request) {
  const std::uint64_t before = calls_before(request);
  std::uint64_t calls = request.repeat > before ? request.repeat - before : 1;
  for (const std::uint64_t interval : {request.every, request.checkpoint_every}) {
    if (interval > 0) calls = std::min(calls, interval);
  }
  return static_cast<std::int64_t>(calls);
}

// Is no schedule asked for? Checked programs tell each access where it is written.
bool is_as_written(const Plan& plan, const ScheduleRequest& request) {
  const bool off = plan.asked && plan.recipe.steps.empty() && !plan.choice && !plan.kept;
  return off || request.checked;
}

// The machine that folds of arrays with shapes of their own have tiles for; none where they have
// none. Compilers for GPUs do not know the vectors that tiles are computed with.
std::optional<schedule::Machine> machine_of_tiles(const Plan& plan, const ScheduleRequest& request,
                                                  syntax::Diagnostics& diagnostics) {
  if (is_as_written(plan, request) || request.device_compiler || request.target == Target::cuda)
    return std::nullopt;
  const KnownMachine machine = request.elsewhere ? machine_elsewhere(request.target, diagnostics)
                                                 : machine_at_hand(request.target, diagnostics);
  return machine.figures;
}

// The plan on the module, which after an error is of no use. What nobody asked for leaves alone
// what it has to without a word.
std::optional<schedule::Outcome> carried_out(Session& session, onf::Module& module,
                                             const Plan& plan, const ScheduleRequest& request,
                                             syntax::Diagnostics& diagnostics) {
  const schedule::Surroundings around = surroundings_of(request);
  const auto machine = machine_of_tiles(plan, request, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  auto prepared = prepare(session, module, plan.recipe, around, machine, diagnostics);
  if (!prepared) return std::nullopt;
  std::optional<std::vector<schedule::Tiled>> tiles(std::in_place);
  if (machine) tiles = tile(session, module, *machine, diagnostics);
  if (!tiles) return std::nullopt;
  schedule::Outcome outcome;
  if (!plan.recipe.steps.empty()) {
    outcome = schedule(session, module, plan.recipe, around, std::move(*prepared),
                       plan.asked ? std::optional(request.entries) : std::nullopt, diagnostics);
  }
  outcome.tiles = std::move(*tiles);
  if (diagnostics.has_errors()) return outcome;
  outcome.pads = narrow_pads(session, *request.theory, module, diagnostics);
  tell_undecided(session, module, request.entries, diagnostics);
  return outcome;
}

// How the emitted program says that only its last checkpoint is missing, and, of one for indices of
// 32 bits alone, that an array needs more.
constexpr int without_checkpoint = 3;
constexpr int needs_wide = 4;

std::optional<kokkos::Executable> compiled(const std::vector<kokkos::File>& files,
                                           const kokkos::BuildOptions& options,
                                           syntax::Diagnostics& diagnostics) {
  auto executable = kokkos::build(files, options);
  if (executable) return std::move(*executable);
  report(executable.error(), diagnostics);
  return std::nullopt;
}

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
    report(installation.error(), diagnostics);
    return std::nullopt;
  }
  const auto target = choose_target(request, *installation, listener, diagnostics);
  if (!target) return std::nullopt;
  const auto begin = std::chrono::steady_clock::now();
  auto form = form_of(session, request, program, entry, diagnostics);
  if (!form) return std::nullopt;
  auto& [module, lowering, shape, own_shapes] = *form;
  check_ranks(module, lowering, Given::inputs, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  ScheduleRequest wanted{
      request.file, request.program, request.schedule,        lowering.entries, shape,
      *target,      request.checked, calls_in_a_row(request), &program,         false,
      true};
  wanted.device_compiler = installation->has("CUDA");
  wanted.any_order = any_order_of_reals(session, program, request.reassociate, request.checked);
  const auto plan = plan_of(session, module, wanted, diagnostics);
  if (!plan) return std::nullopt;
  if (!request.schedule && !plan->recipe.steps.empty()) {
    listener.note(to_string(*plan) + (own_shapes.empty() ? "" : "; " + own_shapes));
  } else if (!own_shapes.empty()) {
    listener.note("arrays keep shapes of their own: " + own_shapes);
  }
  const auto outcome = carried_out(session, module, *plan, wanted, diagnostics);
  if (!outcome || diagnostics.has_errors()) return std::nullopt;
  const auto files = files_of(session, module,
                              {backend_target(*target), request.checked, wanted.any_order,
                               lowering.entries, kokkos::Callers::none, outcome->serial_below},
                              diagnostics);
  if (!files) return std::nullopt;
  if (listener.interrupted()) return interrupted_before_start();
  kokkos::BuildOptions options;
  options.checked = request.checked;
  options.fast_math = wanted.any_order;
  // Few arrays need more, and how long all become only the program knows.
  options.narrow_only = onf::has_both_widths(module);
  options.stopped = listener.interrupted;
  auto executable = compiled(*files, options, diagnostics);
  if (!executable) return std::nullopt;
  std::chrono::duration<double> compiling = std::chrono::steady_clock::now() - begin;
  char took[40];
  std::snprintf(took, sizeof took, "%.1f s", compiling.count());
  listener.note(executable->cached ? "compiled before" : "compiled in " + std::string(took));
  if (listener.interrupted()) return interrupted_before_start();

  RunResult result;
  const Capture capture;
  kokkos::RunOptions run_options;
  if (request.json) run_options.output = capture.path();
  RunRequest of_entry = request;
  keep_settings_of(module, entry, of_entry);
  if (options.narrow_only) run_options.environment["RHOPSI_HAS_WIDE"] = "1";
  auto status = kokkos::run(*executable, arguments_of(of_entry), run_options);
  if (status && *status == needs_wide && options.narrow_only) {
    listener.note("indices need 64 bits: compiled again, and from the beginning");
    options.narrow_only = false;
    const auto again = std::chrono::steady_clock::now();
    executable = compiled(*files, options, diagnostics);
    if (!executable) return std::nullopt;
    compiling += std::chrono::steady_clock::now() - again;
    if (listener.interrupted()) return interrupted_before_start();
    status = kokkos::run(*executable, arguments_of(of_entry), run_options);
  }
  if (!status) {
    report(status.error(), diagnostics);
    return std::nullopt;
  }
  Json object = request.json ? take_object(capture.text(), result) : Json::object();
  take_diagnostics(object, request, result);
  const bool interrupted = *status == 130 || *status == 143;
  const bool ended = *status == 0 || *status == without_checkpoint;
  result.exit_code = *status == 0 || interrupted ? *status : 1;
  if (!ended && !interrupted) explain_failure(*status, request, diagnostics);
  if (request.json && ended && object.contains("steps")) {
    object["reassociate"] = wanted.any_order;
    result.json =
        whole_object(object, request, *target, plan->name, *executable, compiling.count());
  }
  return result;
}

namespace {

// The entries that are asked for, or all that are scheduled.
ScheduleRequest schedule_wanted(Session& session, const EmitRequest& request,
                                const term::Theory& program, const Form& form) {
  return {request.file,
          request.program,
          request.schedule,
          form.lowering.entries,
          form.shape.empty() ? request.shape : form.shape,
          request.target.value_or(Target::serial),
          request.checked,
          0,
          &program,
          true,
          false,
          true,
          false,
          any_order_of_reals(session, program, request.reassociate, request.checked)};
}

// What the text of a folder depends on besides the specification, for people: nothing of where it
// was emitted.
std::vector<std::string> made_from(const EmitRequest& request, const term::Theory& program,
                                   const Form& form, const Plan& plan) {
  const auto lengths_of = [](const std::string& what, const std::vector<std::int64_t>& shape) {
    return what + " of shape " + shape_text(shape);
  };
  const auto& shape = form.shape.empty() ? request.shape : form.shape;
  std::string arrays = shape.empty() ? "arrays of any shapes" : lengths_of("arrays", shape);
  for (const auto& [name, lengths] : request.shapes) arrays += ", " + lengths_of(name, lengths);
  std::vector<std::string> lines{
      "program " + program.name + " of " + fs::path(request.file).filename().string(),
      "for " + arrays + (request.checked ? ", checked" : ""), "schedule " + plan.name};
  if (plan.choice) lines.back() += ", " + plan.choice->why;
  if (!plan.machine.empty()) lines.push_back("machine " + plan.machine);
  return lines;
}

}  // namespace

std::optional<Emitted> emit(Session& session, const EmitRequest& request,
                            syntax::Diagnostics& diagnostics) {
  const auto theory = driver::program(session, request.file, request.program, diagnostics);
  if (!theory) return std::nullopt;
  if (!certified(session, *theory, request, diagnostics)) return std::nullopt;
  auto form = form_of(session, request, *theory, diagnostics);
  if (!form) return std::nullopt;
  Emitted made;
  made.advice = advice_on_shape(session, request, *theory, *form);
  onf::Module& module = form->module;
  const lower::Options& lowering = form->lowering;
  const ScheduleRequest wanted = schedule_wanted(session, request, *theory, *form);
  const auto plan = plan_of(session, module, wanted, diagnostics);
  if (!plan) return std::nullopt;
  const auto outcome = carried_out(session, module, *plan, wanted, diagnostics);
  if (!outcome || diagnostics.has_errors()) return std::nullopt;
  std::optional<kokkos::Target> target;
  if (request.target) target = backend_target(*request.target);
  const auto emitted =
      files_of(session, module,
               {target, request.checked, wanted.any_order, lowering.entries,
                request.python ? kokkos::Callers::python : kokkos::Callers::library,
                outcome->serial_below, made_from(request, *theory, *form, *plan)},
               diagnostics, &made.sources);
  if (!emitted) return std::nullopt;
  for (const kokkos::File& file : *emitted) made.files.push_back({file.name, file.text});
  const auto read = session.workspace().files();
  made.sources.insert(made.sources.begin(), read.begin(), read.end());
  return made;
}

namespace {

// A program that was scheduled, with how.
struct Scheduled {
  onf::Module module;
  Plan plan;
  schedule::Outcome outcome;
};
std::optional<Scheduled> scheduled(Session& session, const EmitRequest& request,
                                   const term::Theory& program, Form form,
                                   syntax::Diagnostics& diagnostics) {
  onf::Module& module = form.module;
  ScheduleRequest wanted = schedule_wanted(session, request, program, form);
  // What a run takes here is explained; what is emitted is for callers anywhere.
  const bool of_a_run = request.stage == Stage::steps;
  wanted.given_once = of_a_run;
  wanted.for_callers = !of_a_run;
  wanted.elsewhere = !of_a_run;
  wanted.predicted = of_a_run;
  if (of_a_run && !request.target) wanted.target = Target::openmp;
  auto plan = plan_of(session, module, wanted, diagnostics);
  if (!plan) return std::nullopt;
  // Where there is nothing to choose, why every step leaves the program alone is worth telling.
  const bool kept = plan->choice && plan->choice->nothing_to_choose();
  if (kept) plan->recipe = schedule::standard_recipe();
  plan->asked = plan->asked || kept;
  auto outcome = carried_out(session, module, *plan, wanted, diagnostics);
  if (!outcome) return std::nullopt;
  return Scheduled{std::move(module), std::move(*plan), std::move(*outcome)};
}

// Where arrays keep shapes of their own.
std::string about_shapes(const Form& form, const EmitRequest& request) {
  if (request.schedule && request.schedule->empty())
    return "\narrays have shapes of their own, as they are written\n";
  if (!form.own_shapes.empty())
    return "\narrays keep shapes of their own: " + form.own_shapes + "\n";
  const std::string several = several_ranks(form.module, form.lowering);
  if (!several.empty())
    return "\narrays have shapes of their own; " + several + ", and no --shape is that of all\n";
  return "\narrays have shapes of their own; --shape tells what a run does where all have that "
         "one\n";
}

}  // namespace

std::optional<std::string> print_stage(Session& session, const EmitRequest& request,
                                       syntax::Diagnostics& diagnostics) {
  if (request.stage == Stage::ast) return print_syntax(session, request, diagnostics);
  if (request.stage == Stage::cxx) return print_cxx(session, request, diagnostics);
  const auto theory = driver::program(session, request.file, request.program, diagnostics);
  if (!theory) return std::nullopt;
  if (request.stage == Stage::terms) return print_terms(session, *theory);
  if (request.stage == Stage::dnf) return print_normal_form(session, *theory, diagnostics);
  auto form = form_of(session, request, *theory, diagnostics);
  if (!form) return std::nullopt;
  if (request.stage == Stage::onf) {
    (void)narrow_pads(session, *theory, form->module, diagnostics);
    tell_undecided(session, form->module, form->lowering.entries, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    return onf::to_string(session.store(), form->module);
  }
  const bool shaped = has_own_shapes(session, *theory) && !form->module.one_shape;
  std::string own_shapes = shaped ? about_shapes(*form, request) : "";
  const auto made = scheduled(session, request, *theory, std::move(*form), diagnostics);
  if (!made) return std::nullopt;
  if (request.stage == Stage::steps) {
    // Where there was something to choose from, that has said so.
    if (shaped && !made->plan.choice)
      own_shapes += "no time is predicted where arrays have shapes of their own\n";
    return explained(made->plan, made->outcome) + own_shapes;
  }
  std::string text = to_string(made->plan.recipe) + "\n" + made->outcome.values + "\nsteps\n";
  for (const schedule::Step& step : made->outcome.steps) text += "  " + to_string(step) + "\n";
  if (diagnostics.has_errors()) return text;  // the form is not what was asked for
  return text + "\n" + onf::to_string(session.store(), made->module);
}

}  // namespace rhopsi::driver
