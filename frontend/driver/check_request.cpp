// Everything that can be wrong with a request is found before a compiler starts.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include <unistd.h>

#include "backends/io/npy.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/entries.hpp"
#include "frontend/driver/nearest.hpp"
#include "frontend/driver/restart.hpp"

namespace rhopsi::driver {
namespace {

namespace fs = std::filesystem;

struct Check {
  Session& session;
  const RunRequest& request;
  const term::Theory& program;
  const Entry& entry;
  syntax::Diagnostics& diagnostics;
  bool own_shapes = false;
  std::map<std::string, std::size_t> ranks = {};  // where they are known, of such arrays
  bool unreadable = false;

  void run() {
    check_arrays("--in", request.inputs, &EntryArgument::read, "only written");
    check_arrays("--out", request.outputs, &EntryArgument::written, "only read");
    check_missing_inputs();
    check_settings();
    check_missing_settings();
    for (const Pair& input : request.inputs) check_input(input);
    // A restart that cannot be read might have told the shape, too.
    if (!request.restart.empty() && !check_restart(session, request, program, entry, diagnostics)) {
      unreadable = true;
    }
    check_shape();
    check_spacing();
    check_destinations();
  }

  const EntryArgument* find(const std::string& name) const {
    for (const EntryArgument& argument : entry.arguments) {
      if (argument.name == name) return &argument;
    }
    return nullptr;
  }

  static bool named(const std::vector<Pair>& pairs, const std::string& name) {
    return std::any_of(pairs.begin(), pairs.end(),
                       [&](const Pair& pair) { return pair.name == name; });
  }

  void check_arrays(const std::string& option, const std::vector<Pair>& pairs,
                    bool EntryArgument::*allowed, const std::string& otherwise) {
    std::vector<std::string> names;
    for (const EntryArgument& argument : entry.arguments) {
      if (argument.array() && argument.*allowed) names.push_back(argument.name);
    }
    for (const Pair& pair : pairs) {
      const EntryArgument* argument = find(pair.name);
      if (argument != nullptr && argument->array() && argument->*allowed) continue;
      const std::string reason = argument == nullptr ? "is no argument of"
                                 : argument->array() ? "is " + otherwise + " by"
                                                     : "is a number, not an array, in";
      diagnostics.error(
          codes::unknown_argument,
          session.span(argument != nullptr ? argument->location : entry.callable->location),
          option + " " + pair.name + "=" + pair.shown() + ": '" + pair.name + "' " + reason + " '" +
              entry.name + "'",
          argument != nullptr && !argument->array() && argument->read
              ? "numbers are given by --set " + pair.name + "=..."
              : suggest(pair.name, names, "leave it out"));
    }
  }

  // A checkpoint holds the arrays that the entry updates.
  void check_missing_inputs() {
    std::vector<std::string> missing;
    for (const EntryArgument& argument : entry.arguments) {
      const bool saved = !request.restart.empty() && argument.written;
      if (argument.array() && argument.read && !saved && !named(request.inputs, argument.name)) {
        missing.push_back(argument.name);
      }
    }
    if (missing.empty()) return;
    diagnostics.error(codes::missing_input, session.span(entry.callable->location),
                      "'" + entry.name + "' reads " + enumerate(missing) + ", and no --in gives " +
                          (missing.size() == 1 ? "it" : "them"),
                      "add --in " + missing.front() + "=" + missing.front() + ".npy");
  }

  // Run-time parameters, and numbers among the arguments.
  std::vector<RunParameter> with_numbers(std::vector<RunParameter> settings) const {
    for (const EntryArgument& argument : entry.arguments) {
      if (argument.array() || !argument.read) continue;
      settings.push_back({argument.name, argument.type.scalar, argument.location, {}});
    }
    return settings;
  }

  // Parameters that only other entries need may be given, so that one command line does for all.
  void check_settings() {
    const auto possible = with_numbers(parameters(session, program));
    std::vector<std::string> names;
    for (const RunParameter& setting : possible) names.push_back(setting.name);
    for (const Pair& given : request.settings) {
      const auto found =
          std::find_if(possible.begin(), possible.end(),
                       [&](const RunParameter& setting) { return setting.name == given.name; });
      if (found != possible.end()) {
        check_value(given, found->type);
        continue;
      }
      diagnostics.error(codes::unknown_parameter, {},
                        "--set " + given.name + ": '" + program.name +
                            "' has no parameter or number of that name",
                        suggest(given.name, names, "it has no parameters"));
    }
  }

  // As programs read them, so that what they would refuse is told before they are compiled.
  static bool is_whole(const std::string& text) {
    std::int64_t value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, failure] = std::from_chars(text.data(), last, value);
    return failure == std::errc() && end == last;
  }

  void check_value(const Pair& given, onf::Scalar type) {
    const auto value = read_number("--set " + given.name, given.value, diagnostics);
    const bool real = type == onf::Scalar::float32 || type == onf::Scalar::float64;
    const bool truth = type == onf::Scalar::boolean;
    if (!value || real) return;
    if (truth ? *value == 0 || *value == 1 : is_whole(given.value)) return;
    diagnostics.error(
        codes::malformed_option, {},
        "--set " + given.name + ": " + given.value + " is no " + onf::to_string(type),
        truth ? "give true or false" : "give a whole number in digits, from -2^63 up to 2^63 - 1");
  }

  void check_missing_settings() {
    if (!request.restart.empty()) return;  // check_restart knows what the checkpoint holds
    std::vector<std::string> missing;
    std::optional<term::LocationId> first;
    for (const RunParameter& setting : with_numbers(parameters(session, program, entry))) {
      if (named(request.settings, setting.name)) continue;
      missing.push_back(setting.name);
      if (!first) first = setting.location;
    }
    if (missing.empty()) return;
    diagnostics.error(codes::missing_parameter, session.span(*first),
                      enumerate(missing) + (missing.size() == 1 ? " has" : " have") + " no value",
                      "add --set " + missing.front() + "=...");
  }

  void check_shape() {
    if (own_shapes) {
      if (request.shape.empty()) return;
      diagnostics.error(
          codes::bad_shape, {},
          "--shape is given, but every array of '" + program.name + "' has a shape of its own",
          "leave it out: an input brings its shape, and what comes out has the one "
          "that the program gives it");
      return;
    }
    const bool arrays = has_arrays(session, program);
    // An input that cannot be read might have told it.
    if (arrays != request.shape.empty() || unreadable) return;
    if (arrays) return report_missing_shape(diagnostics);
    diagnostics.error(codes::bad_shape, {},
                      "--shape is given, but '" + program.name + "' has no arrays", "leave it out");
  }

  // Of what comes out; what only the program knows is left to the run.
  std::optional<std::size_t> axes_of(const std::string& name) const {
    if (!own_shapes) return request.shape.size();
    const auto found = ranks.find(name);
    if (found == ranks.end()) return std::nullopt;
    return found->second;
  }

  void check_spacing() {
    if (!own_shapes) return check_spacing(request.shape.size());
    for (const Pair& output : request.outputs) {
      if (output.value.ends_with(".vti")) check_spacing(axes_of(output.name).value_or(0));
    }
  }

  // 0: not known.
  void check_spacing(std::size_t axes) {
    if (request.spacing.size() <= 1 || axes == 0 || request.spacing.size() == axes) return;
    diagnostics.error(codes::malformed_option, {},
                      "--spacing gives " + std::to_string(request.spacing.size()) +
                          " distances for " + std::to_string(axes) +
                          (axes == 1 ? " axis" : " axes"),
                      "give one distance for all axes, or one each");
  }

  void check_input(const Pair& input) {
    const EntryArgument* argument = find(input.name);
    if (argument == nullptr || !argument->array() || !argument->read) return;
    if (!request.restart.empty() && argument->written) {
      diagnostics.error(
          codes::unknown_argument, {},
          "--in " + input.name + " is given, but the checkpoint of --restart holds it",
          "leave one of them out");
    }
    try {
      check_header(input, *argument, io::read_sized_npy_header(input.value));
    } catch (const io::Error& error) {
      unreadable = true;
      diagnostics.error(codes::array_unreadable, session.span(argument->location),
                        "--in " + input.name + ": " + error.what(),
                        "give an array file in NumPy's format: --in " + input.name + "=file.npy");
    }
  }

  void check_header(const Pair& input, const EntryArgument& argument, const io::NpyHeader& header) {
    if (own_shapes) {
      check_axes(input, argument, header);
    } else if (header.shape.empty() || header.element_count == 0) {
      unreadable = true;
      diagnostics.error(
          codes::array_shape, session.span(argument.location),
          "--in " + input.name + ": '" + input.shown() + "' holds " +
              (header.shape.empty() ? "a single number, not an array"
                                    : "no elements: its shape is " + shape_text(header.shape)),
          "give an array with at least one axis, each of length 1 or more");
    } else if (header.shape.size() > most_axes && request.backend == Backend::kokkos) {
      unreadable = true;
      check_axes(input, argument, header);
    } else if (header.shape != request.shape) {
      diagnostics.error(codes::array_shape, session.span(argument.location),
                        "--in " + input.name + ": '" + input.shown() + "' has the shape " +
                            shape_text(header.shape) + ", the run " + shape_text(request.shape),
                        "every array of a run has the shape of --shape or, without it, of the "
                        "first --in");
    }
    const bool real_file =
        header.element == io::ElementType::float32 || header.element == io::ElementType::float64;
    const bool real_argument = argument.type.scalar == onf::Scalar::float32 ||
                               argument.type.scalar == onf::Scalar::float64;
    if (real_file && !real_argument) {
      diagnostics.error(codes::array_type, session.span(argument.location),
                        "--in " + input.name + ": '" + input.shown() + "' holds " +
                            io::to_string(header.element) + ", the argument " +
                            onf::to_string(argument.type.scalar),
                        "convert the file to " + onf::to_string(argument.type.scalar));
    }
  }

  void check_axes(const Pair& input, const EntryArgument& argument, const io::NpyHeader& header) {
    if (request.backend == Backend::reference || header.shape.size() <= most_axes) return;
    diagnostics.error(codes::array_shape, session.span(argument.location),
                      "--in " + input.name + ": '" + input.shown() + "' has " +
                          std::to_string(header.shape.size()) + " axes",
                      "compiled programs have arrays of at most " + std::to_string(most_axes));
  }

  void check_destinations() {
    std::set<std::string> seen;
    for (const Pair& output : request.outputs) {
      check_kind(output);
      check_destination("--out " + output.name, output.value, seen);
    }
    // A run may go on from the file that it replaces, so --restart is not among them.
    if (!request.checkpoint.empty()) check_destination("--checkpoint", request.checkpoint, seen);
    if (!request.certificate.empty()) {
      check_destination("--certificate", request.certificate, seen);
    }
  }

  void check_kind(const Pair& output) {
    const std::string kind = fs::path(output.value).extension().string();
    if (kind == ".npy") return;
    const std::size_t axes = axes_of(output.name).value_or(1);
    const bool drawable = axes >= 1 && axes <= 3;
    if (kind == ".vti" && drawable) return;
    diagnostics.error(codes::malformed_option, {},
                      "--out " + output.name + "=" + output.value +
                          (kind == ".vti" ? ": image data has one to three axes"
                                          : ": the kind of file is not known"),
                      "name a file that ends in .npy" + std::string(drawable ? " or .vti" : ""));
  }

  void check_destination(const std::string& option, const std::string& path,
                         std::set<std::string>& seen) {
    std::error_code failure;
    fs::path folder = fs::path(path).parent_path();
    if (folder.empty()) folder = ".";
    const auto refuse = [&](const std::string& reason, const std::string& advice) {
      diagnostics.error(codes::unwritable, {}, option + ": " + reason, advice);
    };
    // A path to nothing is made canonical only below a folder that is there.
    const fs::path place = fs::weakly_canonical(fs::absolute(path, failure), failure);
    if (!seen.insert(place.string()).second) {
      refuse("'" + path + "' is written twice", "name another file");
    } else if (!fs::is_directory(folder, failure)) {
      refuse("there is no folder '" + folder.string() + "'", "create it first");
    } else if (::access(folder.c_str(), W_OK | X_OK) != 0) {
      refuse("the folder '" + folder.string() + "' is not writable", "name another file");
    } else if (fs::is_directory(path, failure)) {
      refuse("'" + path + "' is a folder", "name a file");
    } else if (fs::exists(path, failure) && !fs::is_regular_file(path, failure)) {
      refuse("'" + path + "' is not a regular file", "name another file");
    }
  }
};

}  // namespace

void check_request(Session& session, const RunRequest& request, const term::Theory& program,
                   const Entry& entry, syntax::Diagnostics& diagnostics) {
  Check check{session, request, program, entry, diagnostics};
  check.own_shapes = has_own_shapes(session, program);
  if (check.own_shapes) check.ranks = ranks_of(request, entry);
  check.run();
}

}  // namespace rhopsi::driver
