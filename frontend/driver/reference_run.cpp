// run through the reference evaluator, in this process.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include <nlohmann/json.hpp>

#include "backends/io/npy.hpp"
#include "backends/io/vti.hpp"
#include "backends/reference/evaluator.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/run.hpp"

namespace rhopsi::driver {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
reference::Value read_array(const std::string& path) {
  io::NpyArray<T> file = io::read_npy<T>(path);
  return reference::make_array(std::move(file.shape), std::move(file.data));
}

reference::Value read_array(const std::string& path, onf::Scalar type) {
  switch (type) {
    case onf::Scalar::boolean:
      return read_array<std::uint8_t>(path);
    case onf::Scalar::int32:
      return read_array<std::int32_t>(path);
    case onf::Scalar::int64:
      return read_array<std::int64_t>(path);
    case onf::Scalar::float32:
      return read_array<float>(path);
    case onf::Scalar::float64:
      return read_array<double>(path);
  }
  return {};
}

// Integers beyond 2^53 would not survive the way through a double.
std::int64_t whole(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc() && end == text.data() + text.size()) return value;
  syntax::Diagnostics ignored;
  return std::int64_t(read_number("", text, ignored).value_or(0));
}

double real(const std::string& text) {
  syntax::Diagnostics ignored;
  return read_number("", text, ignored).value_or(0);
}

reference::Value number(const std::string& text, onf::Scalar type) {
  switch (type) {
    case onf::Scalar::boolean:
      return real(text) != 0;
    case onf::Scalar::int32:
      return std::int32_t(whole(text));
    case onf::Scalar::int64:
      return whole(text);
    case onf::Scalar::float32:
      return float(real(text));
    case onf::Scalar::float64:
      return real(text);
  }
  return {};
}

// What an argument that is only written begins with; it is never read.
reference::Value blank(const EntryArgument& argument, const std::vector<std::int64_t>& shape) {
  if (!argument.array()) return number("0", argument.type.scalar);
  std::size_t count = 1;
  for (const std::int64_t length : shape) count *= std::size_t(length);
  return reference::make_array(shape, reference::make_elements(argument.type.scalar, count));
}

std::string text_of(const reference::Value& value) {
  const auto text = [](const auto& held) -> std::string {
    using T = std::decay_t<decltype(held)>;
    if constexpr (std::is_same_v<T, bool>) return held ? "true" : "false";
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
      char digits[64];
      const auto result = std::to_chars(digits, digits + sizeof digits, held);
      return std::string(digits, result.ptr);
    }
    return {};
  };
  return std::visit(text, value);
}

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
  ReferenceRun(Session& session, const RunRequest& request, const term::Theory& program,
               const Entry& entry)
      : request_(request),
        entry_(entry),
        evaluator_(session.store(), program, session.table(), options(session, request, program)) {
    for (const EntryArgument& argument : entry.arguments) {
      if (&argument == &entry.arguments.back() && !entry.procedure) break;
      values_.push_back(initial(argument));
    }
  }

  std::optional<RunResult> run(Session& session, const Listener& listener,
                               syntax::Diagnostics& diagnostics) {
    for (std::uint64_t step = 1; step <= request_.repeat; ++step) {
      if (listener.interrupted()) return RunResult{130, {}, {}, {}};
      const auto begin = std::chrono::steady_clock::now();
      auto outcome = evaluator_.call(entry_.callable->symbol, values_);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      if (!outcome) {
        report(session, outcome.error(), diagnostics);
        return std::nullopt;
      }
      if (*outcome) result_ = std::move(**outcome);
      times_.push_back(took.count());
      if (request_.every > 0 && step % request_.every == 0) write_outputs(step);
      listener.step(step, request_.repeat, median(times_));
    }
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
          options.parameters[pair.name] = real(pair.value);
        } else {
          options.parameters[pair.name] = whole(pair.value);
        }
      }
    }
    return options;
  }

  reference::Value initial(const EntryArgument& argument) const {
    if (!argument.read) return blank(argument, request_.shape);
    for (const Pair& pair : argument.array() ? request_.inputs : request_.settings) {
      if (pair.name != argument.name) continue;
      return argument.array() ? read_array(pair.value, argument.type.scalar)
                              : number(pair.value, argument.type.scalar);
    }
    return blank(argument, request_.shape);
  }

  const reference::Value* written(const std::string& name) const {
    for (std::size_t i = 0; i < entry_.arguments.size(); ++i) {
      if (entry_.arguments[i].name != name || !entry_.arguments[i].written) continue;
      if (i < values_.size()) return &values_[i];
      return result_ ? &*result_ : nullptr;
    }
    return nullptr;
  }

  // 0: at the end.
  void write_outputs(std::uint64_t step) const {
    for (const Pair& output : request_.outputs) {
      const reference::Value* value = written(output.name);
      if (value == nullptr) continue;
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
      if (argument.array() || value == nullptr) continue;
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
    const Json object = {{"seconds_per_step", each}, {"steps", request_.repeat},
                         {"compile_seconds", 0.0},   {"bytes_peak", nullptr},
                         {"target", "serial"},       {"backend", "reference"},
                         {"cached", false},          {"program", request_.program},
                         {"entry", entry_.name},     {"shape", request_.shape},
                         {"values", numbers}};
    result.json = object.dump(-1, ' ', false, Json::error_handler_t::replace);
    return result;
  }

  static void report(Session& session, const reference::Error& error,
                     syntax::Diagnostics& diagnostics) {
    diagnostics.error(error.code, session.span(error.location), error.message, {});
  }

  const RunRequest& request_;
  const Entry& entry_;
  reference::Evaluator evaluator_;
  std::vector<reference::Value> values_;
  std::optional<reference::Value> result_;
  std::vector<double> times_;
};

}  // namespace

std::optional<RunResult> run_reference(Session& session, const RunRequest& request,
                                       const term::Theory& program, const Entry& entry,
                                       const Listener& listener, syntax::Diagnostics& diagnostics) {
  try {
    ReferenceRun run(session, request, program, entry);
    return run.run(session, listener, diagnostics);
  } catch (const io::Error& error) {
    // Headers were checked before: what is left is damaged elements and a full disk.
    const bool reading = std::string(error.what()).rfind("cannot read", 0) == 0;
    diagnostics.error(reading ? codes::array_unreadable : codes::write_failed, {}, error.what());
    return std::nullopt;
  }
}

}  // namespace rhopsi::driver
