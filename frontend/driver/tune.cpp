#include "frontend/driver/tune.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <span>

#include <nlohmann/json.hpp>

#include "backends/io/atomic_file.hpp"
#include "backends/kokkos/build/digest.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/generated_inputs.hpp"
#include "frontend/driver/kokkos_program.hpp"
#include "frontend/driver/pads.hpp"
#include "frontend/driver/schedules.hpp"
#include "frontend/driver/stages.hpp"
#include "frontend/driver/tune_inputs.hpp"
#include "frontend/driver/tune_state.hpp"

namespace rhopsi::driver {
namespace {

namespace fs = std::filesystem;

// Not tried where it is predicted to take so many times as long as the best.
constexpr double hopeless = 2;
// After the first runs those within this of the best go on.
constexpr double close_to_best = 4.0 / 3;
constexpr std::size_t most_runs = 9;
// Seconds of computing that one run is to take, and steps at most.
constexpr double of_a_run = 0.4;
constexpr std::int64_t most_steps = 2000;

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// A schedule that is tried.
struct Trial {
  schedule::Candidate candidate;
  double predicted = -1;
  std::vector<kokkos::File> files;
  std::int64_t times = 1;  // calls in one
  std::optional<kokkos::Executable> program = {};
  std::vector<double>* seconds = nullptr;  // in the state

  double best() const { return median(*seconds); }
};

class Tuner {
 public:
  Tuner(Session& session, const TuneRequest& request, const Listener& listener,
        syntax::Diagnostics& diagnostics)
      : session_(session), request_(request), listener_(listener), diagnostics_(diagnostics) {}

  std::optional<TuneResult> run(const term::Theory& program, const Form& form, Target target) {
    program_ = &program;
    wanted_ = {request_.run.file,
               request_.run.program,
               "auto",
               form.lowering.entries,
               request_.run.shape,
               target,
               false,
               0,
               nullptr,
               false,
               true};
    wanted_.any_order = any_order_of_reals(session_, program, request_.run.reassociate, false);
    const KnownMachine machine = machine_at_hand(target, diagnostics_);
    if (diagnostics_.has_errors()) return std::nullopt;
    key_ = tuning_key(session_, program, request_.run.entry, request_.run.shape, target,
                      machine.name, wanted_.any_order);
    path_ = kept_path(key_);
    state_path_ = path_;
    state_path_.replace_extension(".state");
    if (!is_free(path_) || !is_free(state_path_)) return std::nullopt;
    before_ = find_kept(key_, diagnostics_);
    state_ = read_state(state_path_, diagnostics_);
    // One that came to its end is over: what is asked for again is a new one.
    if (state_.spent >= request_.budget) state_ = {};
    if (!find_trials(form, machine.figures)) return std::nullopt;
    begin_ = std::chrono::steady_clock::now();
    spent_before_ = state_.spent;
    if (!measure()) return std::nullopt;
    if (listener_.interrupted()) return interrupted();
    return finish();
  }

 private:
  // What is no file cannot be replaced: that is told before anything is measured.
  bool is_free(const fs::path& path) {
    std::error_code failure;
    if (!fs::exists(path, failure) || fs::is_regular_file(path, failure)) return true;
    diagnostics_.error(codes::write_failed, {},
                       "'" + path.string() + "' cannot be written: it is there, and is no file",
                       "remove it, or set RHOPSI_CACHE");
    return false;
  }

  // --- what is tried

  bool find_trials(const Form& form, const schedule::Machine& machine) {
    const schedule::Question question =
        question_of(wanted_, static_cast<std::size_t>(form.module.rank), machine);
    const schedule::Choice choice = choose(form.module, question);
    const schedule::Answer& best = choice.answers[choice.best];
    for (const std::int64_t extent : question.extents) elements_ *= extent;
    std::vector<schedule::Answer> answers{best};
    for (const schedule::Candidate& candidate :
         schedule::more_candidates(best.candidate, elements_)) {
      answers.push_back(predict(form.module, candidate, question));
    }
    std::stable_sort(answers.begin() + 1, answers.end(),
                     [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    answers.front().candidate.name = "auto, " + best.candidate.name;
    std::map<std::string, std::size_t> programs;
    if (!add_trial(form, answers.front(), programs)) return false;
    if (before_ && !add_kept(form, question, programs)) return false;
    for (const schedule::Answer& answer : std::span(answers).subspan(1)) {
      if (best.seconds >= 0 && answer.seconds > hopeless * best.seconds) continue;
      if (!add_trial(form, answer, programs)) return false;
    }
    if (trials_.size() > 1) return true;
    diagnostics_.error(codes::nothing_to_tune, {},
                       "'" + request_.run.entry + "' of '" + request_.run.program +
                           "' is one program under every schedule",
                       "rhopsi explain --schedule says why; there is nothing to search");
    return false;
  }

  // What is kept is measured in any case, whatever is predicted: only what was faster beside it
  // comes in its place.
  bool add_kept(const Form& form, const schedule::Question& question,
                std::map<std::string, std::size_t>& programs) {
    schedule::Candidate candidate{before_->name, "", before_->recipe};
    if (candidate.name.starts_with("auto, ")) candidate.name.erase(0, 6);
    candidate.recipe.name = trials_.front().candidate.recipe.name;
    return add_trial(form, predict(form.module, candidate, question), programs, true);
  }

  // One whose program is there already is not another; nor is one that only says so of more or
  // fewer elements than there are when threads are started.
  bool add_trial(const Form& form, const schedule::Answer& answer,
                 std::map<std::string, std::size_t>& programs, bool kept = false) {
    onf::Module module = form.module;
    schedule::Outcome outcome;
    if (!answer.candidate.recipe.steps.empty()) {
      outcome = schedule(session_, module, answer.candidate.recipe, surroundings_of(wanted_), {},
                         std::nullopt, diagnostics_);
      if (diagnostics_.has_errors()) return false;
    }
    (void)narrow_pads(session_, *program_, module, diagnostics_);
    if (diagnostics_.has_errors()) return false;
    auto files = files_of(session_, module,
                          {backend_target(wanted_.target), false, wanted_.any_order,
                           wanted_.entries, kokkos::Callers::none, outcome.serial_below},
                          diagnostics_);
    if (!files) return false;
    kokkos::Digest digest;
    digest.add_part(elements_ < outcome.serial_below.value_or(schedule::usual_serial_below)
                        ? "one thread"
                        : "all");
    for (const kokkos::File& file : *files) {
      if (file.name != "CMakeLists.txt") digest.add_part(file.name).add_part(file.text);
    }
    const auto [place, fresh] = programs.emplace(digest.hex(), trials_.size());
    if (kept) kept_trial_ = place->second;
    if (!fresh) return true;
    Trial trial{answer.candidate, answer.seconds, std::move(*files), 1, {}, nullptr};
    for (const schedule::FunctionCost& cost : outcome.costs) {
      if (cost.work_before.function == request_.run.entry)
        trial.times = std::max(trial.times, cost.work_after.times);
    }
    trials_.push_back(std::move(trial));
    return true;
  }

  // --- measuring

  double spent() const {
    const std::chrono::duration<double> now = std::chrono::steady_clock::now() - begin_;
    return spent_before_ + now.count();
  }

  void tell(const Trial& trial) const {
    char text[60];
    std::snprintf(text, sizeof text, "%.0f of %.0f s  ", std::min(spent(), request_.budget),
                  request_.budget);
    const int done = static_cast<int>(20 * std::min(1.0, spent() / request_.budget));
    request_.progress("[" + std::string(std::size_t(done), '#') +
                      std::string(std::size_t(20 - done), ' ') + "] " + text +
                      trial.candidate.name);
  }

  bool measure() {
    // The state holds the times, so that it does not grow while they are pointed to.
    for (Trial& trial : trials_) state_.of(to_string(trial.candidate.recipe));
    for (Trial& trial : trials_) trial.seconds = &state_.of(to_string(trial.candidate.recipe));
    for (std::size_t k = 0; k < trials_.size(); ++k) {
      if (k > 1 && spent() > request_.budget / 2) break;
      if (listener_.interrupted()) return true;
      if (trials_[k].seconds->empty() && !run_once(trials_[k])) return false;
    }
    for (std::size_t round = 2; round <= most_runs; ++round) {
      for (Trial* trial : close_ones()) {
        if (trial->seconds->size() >= round) continue;
        if (listener_.interrupted() || spent() > request_.budget) return true;
        if (!run_once(*trial)) return false;
      }
    }
    return true;
  }

  std::vector<Trial*> close_ones() {
    double best = 1e300;
    for (const Trial& trial : trials_) {
      if (!trial.seconds->empty()) best = std::min(best, trial.best());
    }
    std::vector<Trial*> close;
    for (Trial& trial : trials_) {
      const bool first = &trial == &trials_.front();  // what would be chosen, to compare with
      if (trial.seconds->empty() || (!first && trial.best() > close_to_best * best)) continue;
      close.push_back(&trial);
    }
    return close;
  }

  // Compiles it if need be. Whole runs of calls in one, and the first of them is not the median.
  bool run_once(Trial& trial) {
    tell(trial);
    if (!trial.program) {
      kokkos::BuildOptions options;
      options.fast_math = wanted_.any_order;
      options.stopped = listener_.interrupted;
      auto built = kokkos::build(trial.files, options);
      if (listener_.interrupted()) return true;
      if (!built) {
        report(built.error(), diagnostics_);
        return false;
      }
      trial.program = std::move(*built);
    }
    const double known = trial.seconds->empty() ? trial.predicted : trial.best();
    std::int64_t calls = 5;
    if (known > 0) {
      calls = static_cast<std::int64_t>(of_a_run / (known * static_cast<double>(trial.times)));
    }
    calls = std::clamp<std::int64_t>(calls, 3, std::max<std::int64_t>(3, most_steps / trial.times));
    RunRequest run = request_.run;
    run.repeat = static_cast<std::uint64_t>(calls * trial.times);
    run.quiet = run.json = true;
    const Capture output, errors;
    kokkos::RunOptions options;
    options.output = output.path();
    options.errors = errors.path();
    const auto status = kokkos::run(*trial.program, arguments_of(run), options);
    if (listener_.interrupted()) return true;
    const std::string text = output.text();
    const std::size_t last = text.find_last_of('\n', text.size() < 2 ? 0 : text.size() - 2);
    const auto json = nlohmann::json::parse(text.substr(last == std::string::npos ? 0 : last + 1),
                                            nullptr, false);
    if (!status || *status != 0 || !json.is_object() || !json.contains("seconds_per_step")) {
      diagnostics_.error(codes::run_failed, {},
                         "'" + request_.run.entry + "' of '" + request_.run.program +
                             "' ended in an error: " + errors.text(),
                         "give the inputs and numbers that it needs with --in and --set");
      return false;
    }
    trial.seconds->push_back(json["seconds_per_step"].get<double>());
    state_.spent = spent();
    return write_state(state_, state_path_, diagnostics_);
  }

  // --- the end

  bool is_kept(const Trial& trial) const { return kept_trial_ && &trial == &trials_[*kept_trial_]; }

  std::vector<const Trial*> measured() const {
    std::vector<const Trial*> all;
    for (const Trial& trial : trials_) {
      if (!trial.seconds->empty()) all.push_back(&trial);
    }
    std::ranges::stable_sort(all, {}, [](const Trial* trial) { return trial->best(); });
    return all;
  }

  TuneResult interrupted() const {
    std::size_t runs = 0;
    for (const Trial* trial : measured()) runs += trial->seconds->size();
    return {130, "interrupted after " + std::to_string(runs) + (runs == 1 ? " run" : " runs") +
                     "; the same command goes on from there\n"};
  }

  bool write(const fs::path& path, const KeptSchedule& kept) {
    try {
      fs::create_directories(fs::absolute(path).parent_path());
      io::AtomicFile file(path.string());
      file.write(kept_text(key_, kept, path));
      file.commit();
      return true;
    } catch (const std::exception& error) {
      diagnostics_.error(codes::write_failed, {},
                         "'" + path.string() + "' cannot be written: " + error.what(),
                         "name another file, or make room");
      return false;
    }
  }

  std::optional<TuneResult> finish() {
    const auto all = measured();
    KeptSchedule kept{all.front()->candidate.recipe, all.front()->candidate.name, {}};
    std::string text = "  measured   predicted  runs  schedule\n";
    for (const Trial* trial : all) {
      kept.measured.push_back({trial->candidate.name, trial->best(), trial->seconds->size()});
      const std::string predicted =
          trial->predicted < 0 ? "?" : schedule::seconds_text(trial->predicted);
      char line[120];
      std::snprintf(line, sizeof line, "%10s  %10s  %4zu  ",
                    schedule::seconds_text(trial->best()).c_str(), predicted.c_str(),
                    trial->seconds->size());
      text += line + trial->candidate.name + (is_kept(*trial) ? ", kept before" : "") + "\n";
    }
    if (!write(path_, kept)) return std::nullopt;
    std::error_code failure;
    fs::remove(state_path_, failure);
    if (!request_.output.empty() && !write(request_.output, kept)) return std::nullopt;
    char ratio[40];
    std::snprintf(ratio, sizeof ratio, "%.3f", trials_.front().best() / all.front()->best());
    text += std::string("auto takes ") + ratio + " of the best\n";
    if (all.size() < trials_.size()) {
      text += std::to_string(all.size()) + " of " + std::to_string(trials_.size()) +
              " schedules were measured; a larger --budget is for the others\n";
    }
    if (before_) {
      const Measured& was = before_->measured.front();
      text += std::string(is_kept(*all.front()) ? "as before: " : "instead of ") + was.name +
              ", kept with " + schedule::seconds_text(was.seconds) + " of " +
              std::to_string(was.runs) + (was.runs == 1 ? " run" : " runs") + "\n";
    }
    text += "kept in " + path_.string() + "; rhopsi run" +
            (request_.run.reassociate ? " --reassociate" : "") +
            " takes it for this shape, type and target\n";
    if (!request_.output.empty()) text += "written to " + request_.output + "\n";
    return TuneResult{0, text};
  }

  Session& session_;
  const TuneRequest& request_;
  const term::Theory* program_ = nullptr;
  const Listener& listener_;
  syntax::Diagnostics& diagnostics_;
  ScheduleRequest wanted_;
  TuningKey key_;
  fs::path path_, state_path_;
  TuneState state_;
  std::vector<Trial> trials_;
  std::optional<KeptSchedule> before_ = {};     // what is kept when the search begins
  std::optional<std::size_t> kept_trial_ = {};  // which of the trials has its program
  std::int64_t elements_ = 1;                   // of an array
  std::chrono::steady_clock::time_point begin_;
  double spent_before_ = 0;
};

}  // namespace

std::optional<TuneResult> tune(Session& session, TuneRequest request, const Listener& listener,
                               syntax::Diagnostics& diagnostics) {
  RunRequest& run = request.run;
  const auto program = driver::program(session, run.file, run.program, diagnostics);
  if (!program) return std::nullopt;
  const auto entry = find_entry(session, *program, run.entry, diagnostics);
  if (!entry) return std::nullopt;
  run.entry = entry->name;
  const auto nothing_to_tune = [&](const std::string& why) {
    diagnostics.error(codes::nothing_to_tune, session.span(entry->callable->location),
                      "'" + run.program + "' has nothing to tune: " + why,
                      "times are predicted and kept for arrays of one shape");
    return std::nullopt;
  };
  if (!has_arrays(session, *program)) return nothing_to_tune("it has no arrays");
  GeneratedInputs generated;
  generated.write(run.inputs, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  run.shape = shape_of(run);
  const bool shaped = has_own_shapes(session, *program);
  if (shaped && run.shape.empty()) {
    report_missing_shape(diagnostics);
    return std::nullopt;
  }
  TuningInputs inputs;
  inputs.complete(session, *program, *entry, run, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  RunRequest checked = run;
  if (shaped) checked.shape.clear();  // an input of that shape brings it
  check_request(session, checked, *program, *entry, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  const auto installation = kokkos::find_kokkos();
  if (!installation) {
    report(installation.error(), diagnostics);
    return std::nullopt;
  }
  const auto target = choose_target(run, *installation, listener, diagnostics);
  if (!target) return std::nullopt;
  const auto form = form_of(session, run, *program, *entry, diagnostics);
  if (!form) return std::nullopt;
  if (form->shape.empty()) {
    const std::string& why = form->own_shapes;
    return nothing_to_tune("its arrays have shapes of their own" + (why.empty() ? "" : ": " + why));
  }
  run.shape = form->shape;
  keep_settings_of(form->module, *entry, run);
  return Tuner(session, request, listener, diagnostics).run(*program, *form, *target);
}

}  // namespace rhopsi::driver
