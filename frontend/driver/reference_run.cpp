// run through the reference evaluator, in this process.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "backends/io/checkpoint_file.hpp"
#include "backends/io/npy.hpp"
#include "backends/io/vti.hpp"
#include "backends/reference/evaluator.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/reference_values.hpp"
#include "frontend/driver/restart.hpp"
#include "frontend/driver/run.hpp"

namespace rhopsi::driver {
namespace {

using Json = nlohmann::ordered_json;

// file.npy -> file-40.npy
std::string with_step(const std::string& path, std::uint64_t step) {
  return path.substr(0, path.size() - 4) + "-" + std::to_string(step) +
         path.substr(path.size() - 4);
}

double median(std::vector<double> times) {
  if (times.empty()) return 0;
  std::sort(times.begin(), times.end());
  const std::size_t half = times.size() / 2;
  return times.size() % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
}

class ReferenceRun {
 public:
  // `restart`: the whole of the file that the request names, or null.
  ReferenceRun(Session& session, const RunRequest& request, const term::Theory& program,
               const Entry& entry, const io::Checkpoint* restart)
      : session_(session),
        request_(request),
        program_(program),
        entry_(entry),
        own_shapes_(has_own_shapes(session, program)),
        evaluator_(session.store(), program, session.table(), options(session, request, program)) {
    for (const EntryArgument& argument : entry.arguments) {
      if (&argument == &entry.arguments.back() && !entry.procedure) break;
      values_.push_back(initial(argument, restart));
    }
    if (restart != nullptr) step_ = std::uint64_t(restart->step);
  }

  std::optional<RunResult> run(const Listener& listener, syntax::Diagnostics& diagnostics) {
    while (step_ < request_.repeat && !listener.interrupted()) {
      const auto begin = std::chrono::steady_clock::now();
      auto outcome = evaluator_.call(entry_.callable->symbol, values_);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      if (!outcome) {
        wipe_progress(listener);
        report(session_, outcome.error(), diagnostics);
        return std::nullopt;
      }
      if (*outcome) result_ = std::move(**outcome);
      times_.push_back(took.count());
      ++step_;
      if (request_.every > 0 && step_ % request_.every == 0) write_outputs(step_);
      if (request_.checkpoint_every > 0 && step_ % request_.checkpoint_every == 0) {
        save(listener);
      }
      listener.step(step_, request_.repeat, median(times_));
    }
    if (!request_.checkpoint.empty() && saved_ != step_) save(listener);
    if (!failure_.empty()) report_failure(diagnostics);
    if (step_ < request_.repeat) return stop(listener);
    write_outputs(0);
    return finish();
  }

 private:
  static reference::Options options(Session& session, const RunRequest& request,
                                    const term::Theory& program) {
    reference::Options options;
    options.domain = request.shape;
    for (const RunParameter& parameter : parameters(session, program)) {
      for (const Pair& pair : request.settings) {
        if (pair.name != parameter.name) continue;
        const bool decimal =
            parameter.type == onf::Scalar::float32 || parameter.type == onf::Scalar::float64;
        if (decimal) {
          options.parameters[pair.name] = real_of(pair.value);
        } else {
          options.parameters[pair.name] = whole_of(pair.value);
        }
      }
    }
    return options;
  }

  reference::Value initial(const EntryArgument& argument, const io::Checkpoint* restart) const {
    if (!argument.read) return blank(argument.type, request_.shape);
    if (restart != nullptr && argument.array()) {
      for (const io::Checkpoint::Array& array : restart->arrays) {
        if (array.name != argument.name) continue;
        return array_of(array, argument.type.scalar, array.shape.value_or(request_.shape));
      }
    }
    for (const Pair& pair : argument.array() ? request_.inputs : request_.settings) {
      if (pair.name != argument.name) continue;
      return argument.array() ? read_array(pair.value, argument.type.scalar)
                              : number(pair.value, argument.type.scalar);
    }
    return blank(argument.type, request_.shape);
  }

  const reference::Value* written(const std::string& name) const {
    for (std::size_t i = 0; i < entry_.arguments.size(); ++i) {
      if (entry_.arguments[i].name != name || !entry_.arguments[i].written) continue;
      if (i < values_.size()) return &values_[i];
      return result_ ? &*result_ : nullptr;
    }
    return nullptr;
  }

  // A restart at the last step has nothing but the state.
  bool known(const std::string& name) const {
    return !times_.empty() || std::any_of(entry_.arguments.begin(), entry_.arguments.end(),
                                          [&](const EntryArgument& argument) {
                                            return argument.name == name && argument.read;
                                          });
  }

  // The state after the step that was done last. A run is worth more than its checkpoint, so it
  // goes on where there is none; of failures in a row the first is told at once.
  void save(const Listener& listener) {
    io::Checkpoint state;
    state.program = program_.name;
    state.entry = entry_.name;
    state.step = std::int64_t(step_);
    state.shape = request_.shape;
    for (const RunParameter& parameter : parameters(session_, program_, entry_)) {
      for (const Pair& pair : request_.settings) {
        if (pair.name == parameter.name) state.values.emplace_back(pair.name, pair.value);
      }
    }
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const EntryArgument& argument = entry_.arguments[i];
      if (!argument.read) continue;
      if (!argument.array()) {
        state.values.emplace_back(argument.name, text_of(values_[i]));
      } else if (argument.written) {
        const auto& array = std::get<reference::Array>(values_[i]);
        state.arrays.push_back(
            {argument.name, onf::to_string(argument.type.scalar), 0, bytes_of(array)});
        if (own_shapes_) state.arrays.back().shape = array.shape;
      }
    }
    try {
      state.write(request_.checkpoint);
      saved_ = step_;
      failure_.clear();
    } catch (const io::Error& error) {
      if (failure_.empty() && step_ < request_.repeat && !listener.interrupted()) {
        wipe_progress(listener);
        listener.note(std::string("warning[") + codes::checkpoint_unwritten +
                      "]: no checkpoint of step " + std::to_string(step_) + ": " + error.what() +
                      "; the run goes on");
      }
      failure_ = error.what();
    }
  }

  void report_failure(syntax::Diagnostics& diagnostics) const {
    diagnostics.error(
        codes::checkpoint_unwritten, {},
        "no checkpoint of step " + std::to_string(step_) + ": " + failure_,
        saved_ ? "the last one is of step " + std::to_string(*saved_) : std::string());
  }

  void wipe_progress(const Listener& listener) const {
    listener.step(request_.repeat, request_.repeat, 0);
  }

  RunResult stop(const Listener& listener) const {
    wipe_progress(listener);
    const bool saved = saved_ == step_;
    RunResult result;
    result.exit_code = failure_.empty() ? 130 : 1;
    result.summary =
        "interrupted after step " + std::to_string(step_) + " of " +
        std::to_string(request_.repeat) +
        (saved ? "; go on with --restart " + request_.checkpoint : "; nothing was written");
    return result;
  }

  // The shape of the run, or of each array that has a value, as the compiled program tells it.
  Json shapes() const {
    if (!own_shapes_) return request_.shape;
    Json told = Json::object();
    const auto tell = [&](const std::string& name, const reference::Value& value) {
      const auto* const array = std::get_if<reference::Array>(&value);
      if (array != nullptr && array->elements) told[name] = array->shape;
    };
    for (std::size_t i = 0; i < values_.size(); ++i) tell(entry_.arguments[i].name, values_[i]);
    if (result_) tell("result", *result_);
    return told;
  }

  // 0: at the end.
  void write_outputs(std::uint64_t step) const {
    for (const Pair& output : request_.outputs) {
      const reference::Value* value = written(output.name);
      if (value == nullptr || !known(output.name)) continue;
      const auto& array = std::get<reference::Array>(*value);
      const std::string path = step == 0 ? output.value : with_step(output.value, step);
      std::visit([&](const auto& elements) { write(output.name, path, array, elements.data()); },
                 *array.elements);
    }
  }

  template <class T>
  void write(const std::string& name, const std::string& path, const reference::Array& array,
             const T* data) const {
    if (!path.ends_with(".vti")) return io::write_npy(path, array.shape, data);
    std::vector<double> spacing = request_.spacing;
    if (spacing.size() == 1) spacing.resize(array.shape.size(), spacing.front());
    io::write_vti(path, {array.shape, spacing, {}}, {io::vti_field(name, data)});
  }

  RunResult finish() const {
    RunResult result;
    Json numbers = Json::object();
    for (const EntryArgument& argument : entry_.arguments) {
      const reference::Value* value = written(argument.name);
      if (argument.array() || value == nullptr || times_.empty()) continue;
      const std::string text = text_of(*value);
      result.output += argument.name + ": " + text + "\n";
      const Json number = Json::parse(text, nullptr, false);
      numbers[argument.name] = number.is_discarded() ? Json(text) : number;
    }
    const double each = median(times_);
    char line[120];
    std::snprintf(line, sizeof line, ": %zu steps, median %.6g s/step, reference", times_.size(),
                  each);
    result.summary = entry_.name + line;
    if (!request_.json) return result;
    const std::size_t peak = reference::memory_use().peak;
    const Json object = {{"seconds_per_step", each},
                         {"steps", step_},
                         {"compile_seconds", 0.0},
                         {"bytes_peak", peak},
                         {"target", "serial"},
                         {"backend", "reference"},
                         {"cached", false},
                         {"program", request_.program},
                         {"entry", entry_.name},
                         {own_shapes_ ? "shapes" : "shape", shapes()},
                         {"steps_run", times_.size()},
                         {"values", numbers}};
    result.json = object.dump(-1, ' ', false, Json::error_handler_t::replace);
    return result;
  }

  static void report(Session& session, const reference::Error& error,
                     syntax::Diagnostics& diagnostics) {
    diagnostics.error(error.code, session.span(error.location), error.message, {});
  }

  Session& session_;
  const RunRequest& request_;
  const term::Theory& program_;
  const Entry& entry_;
  const bool own_shapes_;
  reference::Evaluator evaluator_;
  std::vector<reference::Value> values_;
  std::optional<reference::Value> result_;
  std::vector<double> times_;
  std::uint64_t step_ = 0;              // the last one that was done
  std::optional<std::uint64_t> saved_;  // the step of the checkpoint that this run has written
  std::string failure_;                 // of the last attempt to write one
};

const char* code_of(const io::Error& error) {
  if (error.action() == "read") return codes::array_unreadable;
  return error.action() == "write" ? codes::write_failed : codes::checkpoint_unusable;
}

}  // namespace

std::optional<RunResult> run_reference(Session& session, const RunRequest& request,
                                       const term::Theory& program, const Entry& entry,
                                       const Listener& listener, syntax::Diagnostics& diagnostics) {
  try {
    reference::forget_peak();
    RunRequest whole = request;
    std::optional<io::Checkpoint> restart;
    if (!request.restart.empty()) {
      restart = io::Checkpoint::read(request.restart);
      adopt_settings(*restart, whole, listener);
    }
    ReferenceRun run(session, whole, program, entry, restart ? &*restart : nullptr);
    restart.reset();
    return run.run(listener, diagnostics);
  } catch (const io::Error& error) {
    // Headers were checked before: what is left is damaged elements and a full disk.
    diagnostics.error(code_of(error), {}, error.what());
    return std::nullopt;
  }
}

}  // namespace rhopsi::driver
