// Everything that can be wrong with a request is found before a compiler starts.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "backends/io/npy.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/entries.hpp"
#include "frontend/driver/nearest.hpp"

namespace rhopsi::driver {
namespace {

namespace fs = std::filesystem;
using Kind = onf::Representation::Kind;

struct Check {
  Session& session;
  const RunRequest& request;
  const onf::Module& module;
  const Entry& entry;
  syntax::Diagnostics& diagnostics;

  void run() {
    check_names("--in", request.inputs, &EntryArgument::read, "only written");
    check_names("--out", request.outputs, &EntryArgument::written, "only read");
    check_missing_inputs();
    check_parameters();
    check_shape();
    for (const Pair& input : request.inputs) check_input(input);
    check_destinations();
  }

  const EntryArgument* find(const std::string& name) const {
    for (const EntryArgument& argument : entry.arguments) {
      if (argument.name == name) return &argument;
    }
    return nullptr;
  }

  void check_names(const std::string& option, const std::vector<Pair>& pairs,
                   bool EntryArgument::*allowed, const std::string& otherwise) {
    std::vector<std::string> names;
    for (const EntryArgument& argument : entry.arguments) {
      if (argument.*allowed) names.push_back(argument.name);
    }
    for (const Pair& pair : pairs) {
      const EntryArgument* argument = find(pair.name);
      if (argument != nullptr && argument->*allowed) continue;
      diagnostics.error(
          codes::unknown_argument,
          session.span(argument != nullptr ? argument->location : entry.function->location),
          option + " " + pair.name + "=" + pair.value + ": '" + pair.name + "' is " +
              (argument != nullptr ? otherwise + " by" : std::string("no argument of")) + " '" +
              entry.function->name + "'",
          suggest(pair.name, names, "leave it out"));
    }
  }

  void check_missing_inputs() {
    if (!request.restart.empty()) return;
    std::vector<std::string> missing;
    for (const EntryArgument& argument : entry.arguments) {
      const auto named = [&](const Pair& pair) { return pair.name == argument.name; };
      if (argument.read &&
          std::none_of(request.inputs.begin(), request.inputs.end(), named)) {
        missing.push_back(argument.name);
      }
    }
    if (missing.empty()) return;
    diagnostics.error(codes::missing_input, session.span(entry.function->location),
                      "'" + entry.function->name + "' reads " + enumerate(missing) +
                          ", and no --in gives " + (missing.size() == 1 ? "it" : "them"),
                      "add --in " + missing.front() + "=" + missing.front() + ".npy");
  }

  void check_parameters() {
    std::vector<std::string> known;
    std::vector<std::string> missing;
    for (const onf::Parameter& parameter : module.parameters) {
      known.push_back(parameter.name);
      const auto named = [&](const Pair& pair) { return pair.name == parameter.name; };
      if (std::none_of(request.settings.begin(), request.settings.end(), named)) {
        missing.push_back(parameter.name);
      }
    }
    for (const Pair& setting : request.settings) {
      if (std::find(known.begin(), known.end(), setting.name) == known.end()) {
        diagnostics.error(codes::unknown_parameter, {},
                          "--set " + setting.name + ": '" + module.name +
                              "' has no parameter of that name",
                          suggest(setting.name, known, "it has no parameters"));
      } else {
        read_number("--set " + setting.name, setting.value, diagnostics);
      }
    }
    if (missing.empty()) return;
    const auto first = std::find_if(
        module.parameters.begin(), module.parameters.end(),
        [&](const onf::Parameter& parameter) { return parameter.name == missing.front(); });
    diagnostics.error(codes::missing_parameter, session.span(first->location),
                      std::string(missing.size() == 1 ? "the parameter " : "the parameters ") +
                          enumerate(missing) + (missing.size() == 1 ? " has" : " have") +
                          " no value",
                      "add --set " + missing.front() + "=...");
  }

  void check_shape() {
    if (int(request.shape.size()) == module.rank) return;
    diagnostics.error(codes::bad_shape, {},
                      "the run has " + std::to_string(request.shape.size()) +
                          " axes, the program " + std::to_string(module.rank),
                      "give --shape with that many lengths");
  }

  void check_input(const Pair& input) {
    const EntryArgument* argument = find(input.name);
    if (argument == nullptr || !argument->read) return;
    if (argument->type.kind == Kind::scalar) {
      read_number("--in " + input.name, input.value, diagnostics);
      return;
    }
    try {
      check_header(input, *argument, io::read_npy_header(input.value));
    } catch (const io::Error& error) {
      diagnostics.error(codes::array_unreadable, session.span(argument->location),
                        "--in " + input.name + ": " + error.what(),
                        "give an array file in NumPy's format: --in " + input.name + "=file.npy");
    }
  }

  void check_header(const Pair& input, const EntryArgument& argument, const io::NpyHeader& header) {
    if (header.shape != request.shape) {
      diagnostics.error(codes::array_shape, session.span(argument.location),
                        "--in " + input.name + ": '" + input.value + "' has the shape " +
                            shape_text(header.shape) + ", the run " + shape_text(request.shape),
                        "every array of a run has the shape of --shape or, without it, of the "
                        "first --in");
    }
    const bool real_file = header.element == io::ElementType::float32 ||
                           header.element == io::ElementType::float64;
    const bool real_argument = argument.type.scalar == onf::Scalar::float32 ||
                               argument.type.scalar == onf::Scalar::float64;
    if (real_file && !real_argument) {
      diagnostics.error(codes::array_type, session.span(argument.location),
                        "--in " + input.name + ": '" + input.value + "' holds " +
                            io::to_string(header.element) + ", the argument " +
                            onf::to_string(argument.type.scalar),
                        "convert the file to " + onf::to_string(argument.type.scalar));
    }
  }

  void check_destinations() {
    std::set<std::string> seen;
    for (const Pair& output : request.outputs) {
      const EntryArgument* argument = find(output.name);
      if (argument != nullptr && argument->type.kind == Kind::array) {
        check_kind(output);
      }
      check_destination("--out " + output.name, output.value, seen);
    }
    if (!request.checkpoint.empty()) check_destination("--checkpoint", request.checkpoint, seen);
    if (request.restart.empty()) return;
    std::error_code failure;
    if (!fs::is_regular_file(request.restart, failure)) {
      diagnostics.error(codes::array_unreadable, {},
                        "--restart: there is no file '" + request.restart + "'",
                        "give the file that --checkpoint wrote");
    }
  }

  void check_kind(const Pair& output) {
    const std::string kind = fs::path(output.value).extension().string();
    if (kind == ".npy") return;
    const bool drawable = request.shape.size() >= 1 && request.shape.size() <= 3;
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
    if (!seen.insert(fs::weakly_canonical(path, failure).string()).second) {
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

void check_request(Session& session, const RunRequest& request, const onf::Module& module,
                   const Entry& entry, syntax::Diagnostics& diagnostics) {
  Check{session, request, module, entry, diagnostics}.run();
}

}  // namespace rhopsi::driver
