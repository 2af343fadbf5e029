// main() of emitted programs: reads arguments and arrays, calls an entry again and again, writes
// what comes out. Knows neither Kokkos nor the program's types.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint_file.hpp"
#include "rhopsi_driver_arrays.hpp"
#include "rhopsi_driver_diagnostics.hpp"
#include "rhopsi_driver_program.hpp"
#include "rhopsi_driver_report.hpp"
#include "rhopsi_driver_request.hpp"
#include "rhopsi_driver_values.hpp"
#include "rhopsi_pool.hpp"

namespace rhopsi::driver {
namespace {

const ArrayMaker*& makers() {
  static const ArrayMaker* first = nullptr;
  return first;
}

std::unique_ptr<Array> make_array(const Argument& argument, int rank) {
  for (const ArrayMaker* maker = makers(); maker != nullptr; maker = maker->next)
    if (std::strcmp(argument.type, maker->type) == 0 && rank == maker->rank) return maker->make();
  throw Error(std::string("internal: no entry asks for an argument of type '") + argument.type +
              "'");
}

[[noreturn]] void mistaken(const Argument& argument, const char* type) {
  throw Error(std::string("internal: argument '") + argument.name + "' is " + argument.type +
              " in the table and " + type + " in the call");
}

}  // namespace

bool enter(ArrayMaker& maker) {
  maker.next = makers();
  makers() = &maker;
  return true;
}

Arguments::Arguments(const Table<Argument>& table, int rank) : table_(table), rank_(rank) {
  for (const Argument& argument : table) {
    One one;
    if (is_array(argument)) {
      one.array = make_array(argument, has_own_shape(argument) ? argument.rank : rank);
    } else {
      one.scalar = std::make_unique<std::uint64_t>(0);
      with_type(argument.type,
                [&](auto type) { ::new (one.scalar.get()) typename decltype(type)::type{}; });
    }
    arguments_.push_back(std::move(one));
  }
}

Array& Arguments::array(int k, const char* type, int rank) const {
  const Argument& argument = row(k);
  const int own = has_own_shape(argument) ? argument.rank : rank_;
  if (std::strcmp(argument.type, type) != 0 || own != rank) mistaken(argument, type);
  return *array(static_cast<std::size_t>(k));
}

void* Arguments::scalar(int k, const char* type) const {
  if (std::strcmp(row(k).type, type) != 0) mistaken(row(k), type);
  return scalar(static_cast<std::size_t>(k));
}

namespace {

void print_help(const Program& program) {
  std::printf("usage: %s [options]\n\noptions:\n%s\nentries:\n", program.name, options_text);
  for (const auto& entry : program.entries) {
    std::printf("  %s\n", entry.name);
    for (std::size_t k = 0; k < entry.arguments.size(); ++k) {
      const Argument& argument = entry.arguments[k];
      if (is_further_part(entry.arguments, k)) continue;
      std::printf("    %-7s %s: %s%s\n", to_string(argument.mode), shown(argument).c_str(),
                  is_window(argument) && !is_array(argument) ? "array " : "", argument.type);
    }
  }
  if (program.parameters.size() > 0) std::printf("\nparameters:\n");
  for (const auto& parameter : program.parameters)
    std::printf("  %s: %s\n", parameter.name, parameter.type);
}

// The exit status of a run that reached its end but for its last checkpoint.
constexpr int without_checkpoint = 3;

// That of a program for indices of 32 bits where these are too few, which says nothing if whoever
// has started it knows of another one.
constexpr int needs_wide = 4;
bool has_wide() { return std::getenv("RHOPSI_HAS_WIDE") != nullptr; }

// After Kokkos has started.
class Session {
 public:
  Session(const Program& program, Request& request)
      : program_(program), request_(request), running_(program, request.entry, request.shape) {}

  int run() {
    load();
    return steps();
  }

 private:
  void load() {
    for (std::size_t k = 0; k < program_.parameters.size(); ++k)
      running_.set(program_.parameters[k], parameter_value(program_.parameters[k]));
    for (std::size_t k = 0; k < request_.table.size(); ++k) {
      const Argument& argument = request_.table[k];
      if (is_setting(argument))
        set_scalar(argument, running_.scalar(k), request_.options.set.at(shown(argument)));
      if (!is_input(argument) || is_further_part(request_.table, k)) continue;
      if (const io::Checkpoint::Array* const array = request_.saved(shown(argument))) {
        for (const std::size_t part : parts_of(request_.table, k))
          running_.load(part, array->shape.value_or(request_.shape), array->elements.data());
      } else {
        read_array(running_, request_.table, k, request_.options.in.at(shown(argument)));
      }
    }
    request_.checkpoint.arrays.clear();
  }

  double parameter_value(const Parameter& parameter) const {
    const std::string text = request_.options.set.at(parameter.name);
    const std::string what = std::string("--set ") + parameter.name;
    const std::string type = parameter.type;
    if (type == "bool") return parse_value<bool>(text, what) ? 1 : 0;
    if (type == "int32") return static_cast<double>(parse_value<std::int32_t>(text, what));
    if (type != "int64") return parse_real(text, what);
    // It travels as a double.
    constexpr std::int64_t exact = std::int64_t{1} << 53;
    return static_cast<double>(parse_integer(text, what, -exact, exact));
  }

  int steps() {
    install_signal_handlers();
    Report report;
    std::int64_t step = request_.checkpoint.step;
    Progress progress(!request_.options.quiet, step, request_.options.repeat, request_.elements);
    while (step < request_.options.repeat && interrupted_by() == 0) {
      const double begin = seconds_now();
      const std::int64_t times = calls_at(step);
      running_.call(times > 1);
      const double each = (seconds_now() - begin) / static_cast<double>(times);
      report.times.insert(report.times.end(), static_cast<std::size_t>(times), each);
      step += times;
      progress.step_done(step);
      if (saves_at(step)) progress.clear();
      after_step(step);
    }
    progress.clear();
    if (!request_.options.checkpoint.empty() && last_saved_ != step) save(step);
    if (interrupted_by() != 0 && step < request_.options.repeat) return interrupted(step);
    return finish(step, report);
  }

  // How many calls are one: as many as the entry takes at once, unless something is to be done
  // before these are over.
  std::int64_t calls_at(std::int64_t step) const {
    const std::int64_t times = request_.entry.times;
    const auto ends_within = [&](std::int64_t interval) {
      return interval > 0 && step % interval + times > interval;
    };
    const Options& options = request_.options;
    const bool whole = step + times <= options.repeat && !ends_within(options.every) &&
                       !ends_within(options.checkpoint_every);
    return whole ? times : 1;
  }

  void after_step(std::int64_t step) {
    if (request_.options.every > 0 && step % request_.options.every == 0)
      for (std::size_t k = 0; k < request_.table.size(); ++k)
        if (const std::string* const path = output(k)) write(k, with_step(*path, step));
    if (saves_at(step)) save(step);
  }

  bool saves_at(std::int64_t step) const {
    return request_.options.checkpoint_every > 0 && step % request_.options.checkpoint_every == 0;
  }

  const std::string* output(std::size_t k) const {
    const auto found = request_.options.out.find(shown(request_.table[k]));
    if (found == request_.options.out.end() || is_further_part(request_.table, k)) return nullptr;
    return &found->second;
  }

  void write(std::size_t k, const std::string& path) const {
    write_array(running_, request_.table, k, path, request_.options.spacing);
  }

  void save(std::int64_t step) {
    io::Checkpoint state;
    state.program = program_.name;
    state.entry = request_.entry.name;
    state.step = step;
    if (!program_.one_shape) state.shape = request_.shape;
    for (const auto& parameter : program_.parameters)
      state.values.emplace_back(parameter.name, request_.options.set.at(parameter.name));
    for (std::size_t k = 0; k < request_.table.size(); ++k) {
      const Argument& argument = request_.table[k];
      if (is_setting(argument))
        state.values.emplace_back(shown(argument), scalar_text(argument, running_.scalar(k)));
      if (!is_array(argument) || argument.mode != Mode::upd) continue;
      if (is_further_part(request_.table, k)) continue;
      state.arrays.push_back(
          {shown(argument), element_of(argument), 0, bytes_of(running_, request_.table, k)});
      if (has_own_shape(argument) || program_.one_shape)
        state.arrays.back().shape = shape_of(running_, argument, k);
    }
    try {
      state.write(request_.options.checkpoint);
      last_saved_ = step;
      failure_.clear();
    } catch (const io::Error& error) {
      // The run is worth more than its checkpoint. Of failures in a row the first is told.
      const bool first = failure_.empty();
      failure_ = error.what();
      if (first && step < request_.options.repeat && interrupted_by() == 0)
        diagnostics().warning(codes::checkpoint_unwritten, "no checkpoint of step " +
                                                               std::to_string(step) + ": " +
                                                               failure_ + "; the run goes on");
    }
  }

  // Is the file that --checkpoint names the state at `step`?
  bool saved_at(std::int64_t step) const {
    if (failure_.empty()) return !request_.options.checkpoint.empty();
    std::string message = "no checkpoint of step " + std::to_string(step) + ": " + failure_;
    if (last_saved_ >= 0) message += "; the last one is of step " + std::to_string(last_saved_);
    diagnostics().error(codes::checkpoint_unwritten, message);
    return false;
  }

  int interrupted(std::int64_t step) const {
    const bool saved = saved_at(step);
    std::fprintf(stderr, "interrupted after step %lld of %lld%s%s\n", static_cast<long long>(step),
                 static_cast<long long>(request_.options.repeat),
                 saved ? "; go on with --restart " : "; nothing was written",
                 saved ? request_.options.checkpoint.c_str() : "");
    if (failure_.empty()) return 128 + static_cast<int>(interrupted_by());
    diagnostics().print_json();
    return without_checkpoint;
  }

  int finish(std::int64_t step, Report& report) const {
    const bool ran = !report.times.empty();
    if (!failure_.empty()) (void)saved_at(step);
    for (std::size_t k = 0; k < request_.table.size(); ++k) {
      const Argument& argument = request_.table[k];
      const std::string* const path = output(k);
      // A restart at the last step has nothing but the state.
      if (path != nullptr && (ran || argument.mode == Mode::upd)) write(k, *path);
      if (is_array(argument) || argument.mode == Mode::obs || !ran) continue;
      std::printf("%s: %s\n", shown(argument).c_str(),
                  scalar_text(argument, running_.scalar(k)).c_str());
      report.values.emplace_back(shown(argument), scalar_text(argument, running_.scalar(k)));
    }
    report.program = program_.name;
    report.entry = request_.entry.name;
    report.element = program_.element;
    report.steps = step;
    tell_shapes(report);
    const rhopsi::detail::Place place = rhopsi::detail::place_of_kernels();
    report.machine = {place.space, place.device, static_cast<int>(rhopsi::detail::concurrency()),
                      program_.checked};
    report.peak_bytes = memory_use().peak;
    if (!request_.options.quiet) report.print_summary();
    if (request_.options.json) report.print_json();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw Error("cannot write to the standard output", codes::write_failed);
    return failure_.empty() ? 0 : without_checkpoint;
  }

  void tell_shapes(Report& report) const {
    report.shape = request_.shape;
    report.elements = request_.elements;
    if (!request_.own_shapes && !program_.one_shape) return;
    report.shapes.emplace();
    for (std::size_t k = 0; k < request_.table.size(); ++k) {
      const std::optional<Shape> shape = running_.shape(k);
      if (!shape || is_further_part(request_.table, k)) continue;
      report.shapes->emplace_back(shown(request_.table[k]), *shape);
      report.elements = std::max(report.elements, elements_of(*shape));
    }
  }

  const Program& program_;
  Request& request_;
  Running running_;
  std::int64_t last_saved_ = -1;
  std::string failure_;  // of the last attempt to write a checkpoint
};

int run_to_end(int argc, char** argv, const Program& program) {
  const Options options = OptionParser(argc, argv).parse();
  if (options.help) {
    print_help(program);
    return 0;
  }
  Request request(program, options);
  std::vector<char*> words{argv[0]};
  std::vector<std::string> for_kokkos = options.for_kokkos;
  for (std::string& word : for_kokkos) words.push_back(word.data());
  int count = static_cast<int>(words.size());
  words.push_back(nullptr);
  const rhopsi::detail::KokkosScope kokkos(count, words.data());
  return Session(program, request).run();
}

}  // namespace

int run(int argc, char** argv, const Program& program) {
  // Known before the options are read, since that may fail.
  diagnostics().json_wanted = std::find(argv, argv + argc, std::string("--json")) != argv + argc;
  kernel_failure_reader() = read_kernel_failure;
  try {
    return run_to_end(argc, argv, program);
  } catch (const NeedsWide& fault) {
    if (has_wide()) return needs_wide;
    diagnostics().error(fault.code(), fault.what());
  } catch (const Error& fault) {
    diagnostics().error(fault.code(), fault.what());
  } catch (const io::Error& fault) {
    diagnostics().error(code_of(fault), fault.what());
  } catch (const std::bad_alloc&) {
    diagnostics().error(codes::size, "out of memory");
  } catch (const std::exception& fault) {
    diagnostics().error(codes::run_failed, fault.what());
  } catch (...) {
    diagnostics().error(codes::run_failed, "unknown failure");
  }
  diagnostics().print_json();
  return 1;
}

}  // namespace rhopsi::driver
