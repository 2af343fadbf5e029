// main() of an emitted program: reads arguments and arrays, calls an entry again and again,
// writes what comes out.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rhopsi_driver_checkpoint.hpp"
#include "rhopsi_driver_program.hpp"
#include "rhopsi_driver_report.hpp"

namespace rhopsi::driver {

template <class P, int R>
class Session {
 public:
  // Finds everything that can be wrong before Kokkos starts and anything is computed.
  Session(const Program<P, R>& program, Options options)
      : program_(program), options_(std::move(options)), entry_(find_entry()) {
    if (!options_.restart.empty()) adopt_checkpoint();
    check_names();
    find_shape();
    for (const auto& [name, path] : options_.out) check_output(name, path);
    if (!options_.checkpoint.empty()) check_folder(options_.checkpoint);
  }

  int run() {
    Domain<R> domain{};
    for (int a = 0; a < R; ++a) domain.extent[a] = shape_[static_cast<std::size_t>(a)];
    domain.pad = program_.pad;
    P state{domain};
    Arguments<R> arguments(entry_.arguments, domain);
    load(state, arguments);
    return steps(state, arguments);
  }

 private:
  const Entry<P, R>& find_entry() const {
    std::vector<std::string> names;
    for (const auto& entry : program_.entries) {
      if (options_.entry == entry.name) return entry;
      names.emplace_back(entry.name);
    }
    if (names.empty()) throw Error("this program has no entries");
    if (options_.entry.empty() && names.size() == 1) return program_.entries.front();
    throw Error((options_.entry.empty() ? "--entry is needed"
                                        : "there is no entry '" + options_.entry + "'") +
                "; the entries are: " + joined(names));
  }

  const Argument* find_argument(const std::string& name) const {
    for (const Argument& argument : entry_.arguments)
      if (argument.shown() == name) return &argument;
    return nullptr;
  }

  [[noreturn]] void unknown(const std::string& option, const std::string& name,
                            const std::string& what, bool (*fits)(const Argument&),
                            const std::vector<std::string>& more = {}) const {
    std::vector<std::string> names = more;
    for (const Argument& argument : entry_.arguments)
      if (fits(argument)) names.push_back(argument.shown());
    throw Error(option + ": '" + name + "' is no " + what + " of " + entry_.name +
                (names.empty() ? "; it has none" : "; there are: " + joined(names)));
  }

  static bool is_input(const Argument& a) { return a.array() && a.given(); }
  static bool is_setting(const Argument& a) { return !a.array() && a.given(); }
  static bool is_output(const Argument& a) { return a.array() && a.mode != Mode::obs; }

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
    for (const Argument& argument : entry_.arguments) {
      const std::string name = argument.shown();
      if (is_setting(argument) && options_.set.count(name) == 0)
        missing.push_back("--set " + name + "=VALUE");
      if (is_input(argument) && options_.in.count(name) == 0 && saved(name) == nullptr)
        missing.push_back("--in " + name + "=FILE.npy");
    }
    if (!missing.empty()) throw Error(std::string(entry_.name) + " still needs " + joined(missing));
  }

  // The shape is that of --shape, of the checkpoint, and of every input.
  void find_shape() {
    std::string source;
    const auto agree = [&](const std::vector<std::int64_t>& shape, const std::string& whose) {
      if (shape.size() != R)
        throw Error(whose + " has rank " + std::to_string(shape.size()) + " (" +
                    shape_text(shape) + "), but the program's arrays have rank " +
                    std::to_string(R));
      if (!source.empty() && shape != shape_)
        throw Error(whose + " has shape " + shape_text(shape) + ", but " + source + " has " +
                    shape_text(shape_));
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
    if (R > 0 && source.empty()) throw Error("--shape is needed: no input tells it");
    std::int64_t size = 1;
    for (const std::int64_t side : shape_) {
      if (side == 0) throw Error("shape " + shape_text(shape_) + " has no elements");
      if (side > (std::int64_t{1} << 50) / size)
        throw Error("shape " + shape_text(shape_) + " is too large");
      size *= side;
    }
    elements_ = size;
  }

  static void check_element(const Argument& argument, io::ElementType held,
                            const std::string& path) {
    const std::string wanted = argument.element();
    const bool real = held == io::ElementType::float32 || held == io::ElementType::float64;
    if (real && wanted.rfind("float", 0) != 0)
      throw Error("'" + path + "' holds " + io::to_string(held) + ", but '" + argument.shown() +
                  "' is an array of " + wanted);
  }

  void check_output(const std::string& name, const std::string& path) const {
    if (!ends_with(path, ".npy") && !ends_with(path, ".vti"))
      throw Error("--out " + name + ": '" + path + "' ends neither in .npy nor in .vti");
    if (ends_with(path, ".vti") && (R < 1 || R > 3))
      throw Error("--out " + name + ": .vti holds arrays of rank 1 to 3, not " + std::to_string(R));
    if (!options_.spacing.empty() && options_.spacing.size() != 1 && options_.spacing.size() != R)
      throw Error("--spacing needs one distance or " + std::to_string(R));
    for (const auto& [other, other_path] : options_.out)
      if (other != name && other_path == path)
        throw Error("--out: '" + name + "' and '" + other + "' are both to go to '" + path + "'");
    check_folder(path);
  }

  static void check_folder(const std::string& path) {
    std::string folder = std::filesystem::path(path).parent_path().string();
    if (folder.empty()) folder = ".";
    if (access(folder.c_str(), W_OK | X_OK) != 0)
      throw Error("cannot write '" + path + "': " + std::strerror(errno));
  }

  // What the checkpoint saved stands in for --set; what both say is the user's choice.
  void adopt_checkpoint() {
    checkpoint_ = Checkpoint::read(options_.restart);
    const auto refuse = [&](const std::string& why) {
      throw Error("cannot restart from '" + options_.restart + "': " + why);
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
    for (const Argument& argument : entry_.arguments)
      if (argument.array() && argument.mode == Mode::upd && saved(argument.shown()) == nullptr)
        refuse("it does not hold '" + argument.shown() + "'");
  }

  const Checkpoint::Array* saved(const std::string& name) const {
    for (const auto& array : checkpoint_.arrays)
      if (array.name == name) return &array;
    return nullptr;
  }

  void load(P& state, Arguments<R>& arguments) {
    for (const auto& parameter : program_.parameters)
      parameter.set(state, parameter_value(parameter));
    for (const auto& slot : arguments.slots()) {
      const Argument& argument = slot->argument;
      if (is_setting(argument)) slot->parse(options_.set.at(argument.shown()));
      if (!is_input(argument)) continue;
      if (const Checkpoint::Array* const array = saved(argument.shown())) {
        if (array->bytes.size() !=
            static_cast<std::size_t>(elements_) * io_size(argument.element()))
          throw Error("cannot restart from '" + options_.restart + "': '" + array->name +
                      "' has the wrong size");
        slot->restore(array->bytes);
      } else {
        slot->read_file(options_.in.at(argument.shown()));
      }
    }
    checkpoint_.arrays.clear();
  }

  static std::size_t io_size(const std::string& element) {
    return element == "bool" ? 1 : element == "int32" || element == "float32" ? 4 : 8;
  }

  double parameter_value(const Parameter<P>& parameter) const {
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

  int steps(P& state, Arguments<R>& arguments) {
    install_signal_handlers();
    Report report;
    std::int64_t step = checkpoint_.step;
    Progress progress(!options_.quiet, step, options_.repeat, elements_);
    Kokkos::fence();
    while (step < options_.repeat && interrupted_by() == 0) {
      const double begin = seconds_now();
      for (const auto& slot : arguments.slots())
        if (slot->argument.given()) slot->refresh();
      entry_.call(state, arguments);
      Kokkos::fence();
      report.times.push_back(seconds_now() - begin);
      ++step;
      progress.step_done(step);
      after_step(arguments, step);
    }
    progress.clear();
    const bool asked = !options_.checkpoint.empty();
    if (asked && last_saved_ != step) save(arguments, step);
    if (interrupted_by() != 0 && step < options_.repeat) return interrupted(step, asked);
    finish(arguments, step, report);
    return 0;
  }

  void after_step(const Arguments<R>& arguments, std::int64_t step) {
    if (options_.every > 0 && step % options_.every == 0)
      for (const auto& slot : arguments.slots())
        if (const std::string* const path = output(slot->argument))
          slot->write_file(with_step(*path, step), spacing());
    if (options_.checkpoint_every > 0 && step % options_.checkpoint_every == 0)
      save(arguments, step);
  }

  const std::string* output(const Argument& argument) const {
    const auto found = options_.out.find(argument.shown());
    return found == options_.out.end() ? nullptr : &found->second;
  }

  std::vector<double> spacing() const {
    if (options_.spacing.size() != 1) return options_.spacing;
    return std::vector<double>(R, options_.spacing.front());
  }

  void save(const Arguments<R>& arguments, std::int64_t step) {
    Checkpoint state;
    state.program = program_.name;
    state.entry = entry_.name;
    state.step = step;
    state.shape = shape_;
    for (const auto& parameter : program_.parameters)
      state.values.emplace_back(parameter.name, options_.set.at(parameter.name));
    for (const auto& slot : arguments.slots()) {
      const Argument& argument = slot->argument;
      if (is_setting(argument)) state.values.emplace_back(argument.shown(), slot->text());
      if (argument.array() && argument.mode == Mode::upd)
        state.arrays.push_back({argument.shown(), argument.element(), slot->bytes()});
    }
    state.write(options_.checkpoint);
    last_saved_ = step;
  }

  int interrupted(std::int64_t step, bool saved) const {
    std::fprintf(stderr, "interrupted after step %lld of %lld%s%s\n", static_cast<long long>(step),
                 static_cast<long long>(options_.repeat),
                 saved ? "; go on with --restart " : "; nothing was written",
                 saved ? options_.checkpoint.c_str() : "");
    return 128 + static_cast<int>(interrupted_by());
  }

  void finish(const Arguments<R>& arguments, std::int64_t step, Report& report) const {
    const bool ran = !report.times.empty();
    for (const auto& slot : arguments.slots()) {
      const Argument& argument = slot->argument;
      const std::string* const path = output(argument);
      // A restart at the last step has nothing but the state.
      if (path != nullptr && (ran || argument.mode == Mode::upd))
        slot->write_file(*path, spacing());
      if (argument.array() || argument.mode == Mode::obs || !ran) continue;
      std::printf("%s: %s\n", argument.shown().c_str(), slot->text().c_str());
      report.values.emplace_back(argument.shown(), slot->text());
    }
    report.program = program_.name;
    report.entry = entry_.name;
    report.element = program_.element;
    report.shape = shape_;
    report.steps = step;
    report.elements = elements_;
    if (!options_.quiet) report.print_summary();
    if (options_.json) report.print_json();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw Error("cannot write to the standard output");
  }

  const Program<P, R>& program_;
  Options options_;
  const Entry<P, R>& entry_;
  Checkpoint checkpoint_;
  std::vector<std::int64_t> shape_;
  std::int64_t elements_ = 1;
  std::int64_t last_saved_ = -1;
};

template <class P, int R>
int run(int argc, char** argv, const Program<P, R>& program) {
  try {
    const Options options = OptionParser(argc, argv).parse();
    if (options.help) {
      print_help(program);
      return 0;
    }
    Session<P, R> session(program, options);
    std::vector<char*> words{argv[0]};
    std::vector<std::string> for_kokkos = options.for_kokkos;
    for (std::string& word : for_kokkos) words.push_back(word.data());
    int count = static_cast<int>(words.size());
    words.push_back(nullptr);
    const Kokkos::ScopeGuard kokkos(count, words.data());
    return session.run();
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "error: %s\n", fault.what());
  } catch (...) {
    std::fprintf(stderr, "error: unknown failure\n");
  }
  return 1;
}

}  // namespace rhopsi::driver
