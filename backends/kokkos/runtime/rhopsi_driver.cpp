// main() of emitted programs: reads arguments and arrays, calls an entry again and again, writes
// what comes out. Knows neither Kokkos nor the program's types.
#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint_file.hpp"
#include "rhopsi_driver_diagnostics.hpp"
#include "rhopsi_driver_program.hpp"
#include "rhopsi_driver_report.hpp"
#include "rhopsi_driver_values.hpp"

namespace rhopsi::driver {
namespace {

void print_help(const AnyProgram& program) {
  std::printf("usage: %s [options]\n\noptions:\n%s\nentries:\n", program.name, options_text);
  for (const auto& entry : program.entries) {
    std::printf("  %s\n", entry.name);
    for (const Argument& argument : *entry.arguments)
      std::printf("    %-7s %s: %s\n", to_string(argument.mode), shown(argument).c_str(),
                  argument.type);
  }
  if (!program.parameters.empty()) std::printf("\nparameters:\n");
  for (const auto& parameter : program.parameters)
    std::printf("  %s: %s\n", parameter.name, parameter.type);
}

// The exit status of a run that reached its end but for its last checkpoint.
constexpr int without_checkpoint = 3;

class Session {
 public:
  // Finds everything that can be wrong before Kokkos starts and anything is computed.
  Session(AnyProgram& program, Options options)
      : program_(program),
        options_(std::move(options)),
        number_(find_entry()),
        entry_(program.entries[number_]),
        table_(*entry_.arguments) {
    if (!options_.restart.empty()) adopt_checkpoint();
    check_names();
    find_shape();
    for (const auto& [name, path] : options_.out) check_output(name, path);
    if (!options_.checkpoint.empty()) check_folder(options_.checkpoint);
  }

  int run() {
    program_.open(number_, shape_);
    load();
    return steps();
  }

 private:
  std::size_t find_entry() const {
    std::vector<std::string> names;
    for (const auto& entry : program_.entries) {
      if (options_.entry == entry.name) return names.size();
      names.emplace_back(entry.name);
    }
    if (names.empty()) throw Error("this program has no entries", codes::entry_needed);
    if (options_.entry.empty() && names.size() == 1) return 0;
    throw Error((options_.entry.empty() ? "--entry is needed"
                                        : "there is no entry '" + options_.entry + "'") +
                    "; the entries are: " + joined(names),
                options_.entry.empty() ? codes::entry_needed : codes::unknown_entry);
  }

  const Argument* find_argument(const std::string& name) const {
    for (const Argument& argument : table_)
      if (shown(argument) == name) return &argument;
    return nullptr;
  }

  [[noreturn]] void unknown(const std::string& option, const std::string& name,
                            const std::string& what, bool (*fits)(const Argument&),
                            const std::vector<std::string>& more = {}) const {
    std::vector<std::string> names = more;
    for (const Argument& argument : table_)
      if (fits(argument)) names.push_back(shown(argument));
    throw Error(option + ": '" + name + "' is no " + what + " of " + entry_.name +
                    (names.empty() ? "; it has none" : "; there are: " + joined(names)),
                option == "--set" ? codes::unknown_parameter : codes::unknown_argument);
  }

  void check_names() const {
    std::vector<std::string> parameters;
    for (const auto& parameter : program_.parameters) parameters.emplace_back(parameter.name);
    const auto parameter = [&](const std::string& name) {
      return std::find(parameters.begin(), parameters.end(), name) != parameters.end();
    };
    for (const auto& [name, path] : options_.in) {
      const Argument* const argument = find_argument(name);
      if (argument == nullptr || !is_input(*argument))
        unknown("--in", name, "input array", is_input);
    }
    for (const auto& [name, value] : options_.set) {
      const Argument* const argument = find_argument(name);
      if (!parameter(name) && (argument == nullptr || !is_setting(*argument)))
        unknown("--set", name, "parameter or scalar", is_setting, parameters);
    }
    for (const auto& [name, path] : options_.out) {
      const Argument* const argument = find_argument(name);
      if (argument == nullptr || !is_output(*argument))
        unknown("--out", name, "array that comes out", is_output);
    }
    check_complete(parameters);
  }

  void check_complete(const std::vector<std::string>& parameters) const {
    std::vector<std::string> missing;
    for (const std::string& name : parameters)
      if (options_.set.count(name) == 0) missing.push_back("--set " + name + "=VALUE");
    for (const Argument& argument : table_) {
      const std::string name = shown(argument);
      if (is_setting(argument) && options_.set.count(name) == 0)
        missing.push_back("--set " + name + "=VALUE");
      if (is_input(argument) && options_.in.count(name) == 0 && saved(name) == nullptr)
        missing.push_back("--in " + name + "=FILE.npy");
    }
    if (!missing.empty())
      throw Error(std::string(entry_.name) + " still needs " + joined(missing),
                  codes::missing_values);
  }

  // The shape is that of --shape, of the checkpoint, and of every input.
  void find_shape() {
    std::string source;
    const auto agree = [&](const std::vector<std::int64_t>& shape, const std::string& whose) {
      if (shape.size() != rank())
        throw Error(whose + " has rank " + std::to_string(shape.size()) + " (" + shape_text(shape) +
                        "), but the program's arrays have rank " + std::to_string(rank()),
                    codes::array_shape);
      if (!source.empty() && shape != shape_)
        throw Error(whose + " has shape " + shape_text(shape) + ", but " + source + " has " +
                        shape_text(shape_),
                    codes::array_shape);
      if (source.empty()) source = whose;
      shape_ = shape;
    };
    if (!options_.shape.empty()) agree(options_.shape, "--shape");
    if (!options_.restart.empty()) agree(checkpoint_.shape, "the checkpoint");
    for (const auto& [name, path] : options_.in) {
      const io::NpyHeader header = io::read_npy_header(path);
      check_element(*find_argument(name), header.element, path);
      agree(header.shape, "'" + path + "'");
    }
    if (rank() > 0 && source.empty())
      throw Error("--shape is needed: no input tells it", codes::bad_shape);
    std::int64_t size = 1;
    for (const std::int64_t side : shape_) {
      if (side == 0)
        throw Error("shape " + shape_text(shape_) + " has no elements", codes::bad_shape);
      if (side > (std::int64_t{1} << 50) / size)
        throw Error("shape " + shape_text(shape_) + " is too large", codes::bad_shape);
      size *= side;
    }
    elements_ = size;
  }

  static void check_element(const Argument& argument, io::ElementType held,
                            const std::string& path) {
    const std::string wanted = element_of(argument);
    const bool real = held == io::ElementType::float32 || held == io::ElementType::float64;
    if (real && wanted.rfind("float", 0) != 0)
      throw Error("'" + path + "' holds " + io::to_string(held) + ", but '" + shown(argument) +
                      "' is an array of " + wanted,
                  codes::array_type);
  }

  void check_output(const std::string& name, const std::string& path) const {
    if (!ends_with(path, ".npy") && !ends_with(path, ".vti"))
      throw malformed("--out " + name + ": '" + path + "' ends neither in .npy nor in .vti");
    if (ends_with(path, ".vti") && (rank() < 1 || rank() > 3))
      throw malformed("--out " + name + ": .vti holds arrays of rank 1 to 3, not " +
                      std::to_string(rank()));
    if (!options_.spacing.empty() && options_.spacing.size() != 1 &&
        options_.spacing.size() != rank())
      throw malformed("--spacing needs one distance or " + std::to_string(rank()));
    for (const auto& [other, other_path] : options_.out)
      if (other != name && other_path == path)
        throw malformed("--out: '" + name + "' and '" + other + "' are both to go to '" + path +
                        "'");
    check_folder(path);
  }

  static void check_folder(const std::string& path) {
    std::string folder = std::filesystem::path(path).parent_path().string();
    if (folder.empty()) folder = ".";
    if (access(folder.c_str(), W_OK | X_OK) != 0)
      throw Error("cannot write '" + path + "': " + std::strerror(errno), codes::unwritable);
  }

  // What the checkpoint saved stands in for --set; what both say is the user's choice.
  void adopt_checkpoint() {
    checkpoint_ = io::Checkpoint::read(options_.restart);
    const auto refuse = [&](const std::string& why) {
      throw io::Error("restart from", options_.restart, why);
    };
    if (checkpoint_.program != program_.name || checkpoint_.entry != entry_.name)
      refuse("it is of " + checkpoint_.program + ", entry " + checkpoint_.entry);
    if (checkpoint_.step > options_.repeat)
      refuse("it is of step " + std::to_string(checkpoint_.step) + ", beyond --repeat " +
             std::to_string(options_.repeat));
    for (const auto& saved : checkpoint_.arrays) {
      const Argument* const argument = find_argument(saved.name);
      if (argument == nullptr || argument->mode != Mode::upd ||
          argument->type != "array " + saved.type)
        refuse("its array '" + saved.name + "' of " + saved.type + " is not one of this program's");
      if (options_.in.count(saved.name) > 0)
        refuse("--in " + saved.name + " is given too, but the checkpoint holds it");
    }
    for (const auto& [name, value] : checkpoint_.values) {
      const auto [at, taken] = options_.set.emplace(name, value);
      if (!taken && at->second != value && !options_.quiet)
        std::fprintf(stderr, "note: %s is %s from here on; the checkpoint has %s\n", name.c_str(),
                     at->second.c_str(), value.c_str());
    }
    for (const Argument& argument : table_)
      if (is_array(argument) && argument.mode == Mode::upd && saved(shown(argument)) == nullptr)
        refuse("it does not hold '" + shown(argument) + "'");
  }

  const io::Checkpoint::Array* saved(const std::string& name) const {
    for (const auto& array : checkpoint_.arrays)
      if (array.name == name) return &array;
    return nullptr;
  }

  void load() {
    for (std::size_t k = 0; k < program_.parameters.size(); ++k)
      program_.set(k, parameter_value(program_.parameters[k]));
    for (std::size_t k = 0; k < table_.size(); ++k) {
      const Argument& argument = table_[k];
      Slot& slot = program_.slot(k);
      if (is_setting(argument)) set_scalar(argument, slot, options_.set.at(shown(argument)));
      if (!is_input(argument)) continue;
      if (const io::Checkpoint::Array* const array = saved(shown(argument))) {
        if (array->bytes != static_cast<std::size_t>(elements_) * size_of(element_of(argument)))
          throw io::Error("restart from", options_.restart,
                          "'" + array->name + "' has the wrong size");
        slot.load(array->elements.data());
      } else {
        read_array(argument, slot, options_.in.at(shown(argument)));
      }
    }
    checkpoint_.arrays.clear();
  }

  double parameter_value(const AnyProgram::ParameterName& parameter) const {
    const std::string text = options_.set.at(parameter.name);
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
    std::int64_t step = checkpoint_.step;
    Progress progress(!options_.quiet, step, options_.repeat, elements_);
    while (step < options_.repeat && interrupted_by() == 0) {
      const double begin = seconds_now();
      for (std::size_t k = 0; k < table_.size(); ++k)
        if (is_given(table_[k])) program_.slot(k).refresh();
      program_.call();
      report.times.push_back(seconds_now() - begin);
      ++step;
      progress.step_done(step);
      if (saves_at(step)) progress.clear();
      after_step(step);
    }
    progress.clear();
    if (!options_.checkpoint.empty() && last_saved_ != step) save(step);
    if (interrupted_by() != 0 && step < options_.repeat) return interrupted(step);
    return finish(step, report);
  }

  void after_step(std::int64_t step) {
    if (options_.every > 0 && step % options_.every == 0)
      for (std::size_t k = 0; k < table_.size(); ++k)
        if (const std::string* const path = output(table_[k])) write(k, with_step(*path, step));
    if (saves_at(step)) save(step);
  }

  bool saves_at(std::int64_t step) const {
    return options_.checkpoint_every > 0 && step % options_.checkpoint_every == 0;
  }

  const std::string* output(const Argument& argument) const {
    const auto found = options_.out.find(shown(argument));
    return found == options_.out.end() ? nullptr : &found->second;
  }

  std::vector<double> spacing() const {
    if (options_.spacing.size() != 1) return options_.spacing;
    return std::vector<double>(rank(), options_.spacing.front());
  }

  void write(std::size_t k, const std::string& path) const {
    write_array(table_[k], program_.slot(k), path, shape_, spacing());
  }

  void save(std::int64_t step) {
    io::Checkpoint state;
    state.program = program_.name;
    state.entry = entry_.name;
    state.step = step;
    state.shape = shape_;
    for (const auto& parameter : program_.parameters)
      state.values.emplace_back(parameter.name, options_.set.at(parameter.name));
    for (std::size_t k = 0; k < table_.size(); ++k) {
      const Argument& argument = table_[k];
      Slot& slot = program_.slot(k);
      if (is_setting(argument))
        state.values.emplace_back(shown(argument), scalar_text(argument, slot));
      if (is_array(argument) && argument.mode == Mode::upd)
        state.arrays.push_back(
            {shown(argument), element_of(argument), 0, bytes_of(argument, slot, elements_)});
    }
    try {
      state.write(options_.checkpoint);
      last_saved_ = step;
      failure_.clear();
    } catch (const io::Error& error) {
      // The run is worth more than its checkpoint. Of failures in a row the first is told.
      const bool first = failure_.empty();
      failure_ = error.what();
      if (first && step < options_.repeat && interrupted_by() == 0)
        diagnostics().warning(codes::checkpoint_unwritten, "no checkpoint of step " +
                                                               std::to_string(step) + ": " +
                                                               failure_ + "; the run goes on");
    }
  }

  // Is the file that --checkpoint names the state at `step`?
  bool saved_at(std::int64_t step) const {
    if (failure_.empty()) return !options_.checkpoint.empty();
    std::string message = "no checkpoint of step " + std::to_string(step) + ": " + failure_;
    if (last_saved_ >= 0) message += "; the last one is of step " + std::to_string(last_saved_);
    diagnostics().error(codes::checkpoint_unwritten, message);
    return false;
  }

  int interrupted(std::int64_t step) const {
    const bool saved = saved_at(step);
    std::fprintf(stderr, "interrupted after step %lld of %lld%s%s\n", static_cast<long long>(step),
                 static_cast<long long>(options_.repeat),
                 saved ? "; go on with --restart " : "; nothing was written",
                 saved ? options_.checkpoint.c_str() : "");
    if (failure_.empty()) return 128 + static_cast<int>(interrupted_by());
    diagnostics().print_json();
    return without_checkpoint;
  }

  int finish(std::int64_t step, Report& report) const {
    const bool ran = !report.times.empty();
    if (!failure_.empty()) (void)saved_at(step);
    for (std::size_t k = 0; k < table_.size(); ++k) {
      const Argument& argument = table_[k];
      Slot& slot = program_.slot(k);
      const std::string* const path = output(argument);
      // A restart at the last step has nothing but the state.
      if (path != nullptr && (ran || argument.mode == Mode::upd)) write(k, *path);
      if (is_array(argument) || argument.mode == Mode::obs || !ran) continue;
      std::printf("%s: %s\n", shown(argument).c_str(), scalar_text(argument, slot).c_str());
      report.values.emplace_back(shown(argument), scalar_text(argument, slot));
    }
    report.program = program_.name;
    report.entry = entry_.name;
    report.element = program_.element;
    report.shape = shape_;
    report.steps = step;
    report.elements = elements_;
    report.machine = program_.machine();
    report.peak_bytes = program_.peak_bytes();
    if (!options_.quiet) report.print_summary();
    if (options_.json) report.print_json();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw Error("cannot write to the standard output", codes::write_failed);
    return failure_.empty() ? 0 : without_checkpoint;
  }

  std::size_t rank() const { return static_cast<std::size_t>(program_.rank); }

  AnyProgram& program_;
  Options options_;
  std::size_t number_;
  const AnyProgram::EntryName& entry_;
  const std::vector<Argument>& table_;
  io::Checkpoint checkpoint_;
  std::vector<std::int64_t> shape_;
  std::int64_t elements_ = 1;
  std::int64_t last_saved_ = -1;
  std::string failure_;  // of the last attempt to write a checkpoint
};

int run(int argc, char** argv, AnyProgram& program) {
  const Options options = OptionParser(argc, argv).parse();
  if (options.help) {
    print_help(program);
    return 0;
  }
  Session session(program, options);
  std::vector<char*> words{argv[0]};
  std::vector<std::string> for_kokkos = options.for_kokkos;
  for (std::string& word : for_kokkos) words.push_back(word.data());
  int count = static_cast<int>(words.size());
  words.push_back(nullptr);
  program.start(count, words.data());
  const int status = session.run();
  program.close();
  return status;
}

}  // namespace

int drive(int argc, char** argv, AnyProgram& program) {
  // Known before the options are read, since that may fail.
  diagnostics().json_wanted = std::find(argv, argv + argc, std::string("--json")) != argv + argc;
  kernel_failure_reader() = read_kernel_failure;
  try {
    return run(argc, argv, program);
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
