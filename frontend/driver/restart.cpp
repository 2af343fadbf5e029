#include "frontend/driver/restart.hpp"

#include <algorithm>
#include <filesystem>

#include "frontend/driver/codes.hpp"
#include "frontend/driver/nearest.hpp"

namespace rhopsi::driver {
namespace {

const Pair* find(const std::vector<Pair>& pairs, const std::string& name) {
  const auto found =
      std::find_if(pairs.begin(), pairs.end(), [&](const Pair& pair) { return pair.name == name; });
  return found == pairs.end() ? nullptr : &*found;
}

// Arrays that the entry updates are the state; those that it only writes are not.
bool saved(const EntryArgument& argument) {
  return argument.array() && argument.read && argument.written;
}

struct Fit {
  Session& session;
  const RunRequest& request;
  const term::Theory& program;
  const Entry& entry;
  const io::Checkpoint& checkpoint;
  syntax::Diagnostics& diagnostics;
  bool own_shapes = has_own_shapes(session, program);

  void run() {
    if (checkpoint.program != program.name || checkpoint.entry != entry.name) {
      refuse("it is of '" + checkpoint.entry + "' of '" + checkpoint.program + "'");
      return;
    }
    if (checkpoint.step < 0 || std::uint64_t(checkpoint.step) > request.repeat) {
      refuse("it is of step " + std::to_string(checkpoint.step) + ", beyond --repeat " +
             std::to_string(request.repeat));
    }
    check_shape();
    for (const auto& array : checkpoint.arrays) check_array(array);
    for (const EntryArgument& argument : entry.arguments) {
      const bool held = std::any_of(checkpoint.arrays.begin(), checkpoint.arrays.end(),
                                    [&](const auto& array) { return array.name == argument.name; });
      if (saved(argument) && !held) refuse("it does not hold '" + argument.name + "'");
    }
    check_values();
  }

  void refuse(const std::string& why) {
    diagnostics.error(codes::checkpoint_unusable, {},
                      "cannot restart from '" + request.restart + "': " + why,
                      "give the file that --checkpoint of the same program wrote");
  }

  void check_shape() {
    if (own_shapes || checkpoint.shape == request.shape) return;
    diagnostics.error(codes::array_shape, {},
                      "--restart: '" + request.restart + "' has the shape " +
                          shape_text(checkpoint.shape) + ", the run " + shape_text(request.shape),
                      "leave --shape out");
  }

  void check_array(const io::Checkpoint::Array& array) {
    for (const EntryArgument& argument : entry.arguments) {
      if (argument.name != array.name || !saved(argument)) continue;
      const std::string wanted = onf::to_string(argument.type.scalar);
      if (array.type != wanted) {
        refuse("its array '" + array.name + "' is of " + array.type + ", the program's of " +
               wanted);
      } else if (array.shape.has_value() != own_shapes) {
        refuse("its array '" + array.name + "' has " +
               (own_shapes ? "the shape of a domain" : "a shape of its own"));
      } else if (!array.fills(array.shape.value_or(checkpoint.shape),
                              bytes_of(argument.type.scalar))) {
        refuse("its array '" + array.name + "' has the wrong size");
      }
      return;
    }
    refuse("its array '" + array.name + "' is not one that '" + entry.name + "' updates");
  }

  static std::size_t bytes_of(onf::Scalar type) {
    if (type == onf::Scalar::boolean) return 1;
    return type == onf::Scalar::int32 || type == onf::Scalar::float32 ? 4 : 8;
  }

  std::vector<std::string> with_numbers(const std::vector<RunParameter>& settings) const {
    std::vector<std::string> names;
    for (const RunParameter& parameter : settings) names.push_back(parameter.name);
    for (const EntryArgument& argument : entry.arguments) {
      if (!argument.array() && argument.read) names.push_back(argument.name);
    }
    return names;
  }

  void check_values() {
    std::vector<std::string> missing;
    for (const std::string& name : with_numbers(parameters(session, program, entry))) {
      const bool held = std::any_of(checkpoint.values.begin(), checkpoint.values.end(),
                                    [&](const auto& value) { return value.first == name; });
      if (!held && find(request.settings, name) == nullptr) missing.push_back(name);
    }
    if (!missing.empty()) {
      diagnostics.error(codes::missing_parameter, {},
                        enumerate(missing) + (missing.size() == 1 ? " has" : " have") +
                            " no value, and the checkpoint holds none",
                        "add --set " + missing.front() + "=...");
    }
    const auto possible = with_numbers(parameters(session, program));
    for (const auto& [name, value] : checkpoint.values) {
      if (std::find(possible.begin(), possible.end(), name) != possible.end()) continue;
      refuse("it has a value of '" + name + "', which '" + program.name + "' has not");
    }
  }
};

}  // namespace

bool check_restart(Session& session, const RunRequest& request, const term::Theory& program,
                   const Entry& entry, syntax::Diagnostics& diagnostics) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(request.restart, failure)) {
    diagnostics.error(codes::array_unreadable, {},
                      "--restart: there is no file '" + request.restart + "'" +
                          (failure ? ": " + failure.message() : ""),
                      "give the file that --checkpoint wrote");
    return false;
  }
  try {
    const io::Checkpoint head = io::Checkpoint::read_head(request.restart);
    Fit{session, request, program, entry, head, diagnostics}.run();
    return true;
  } catch (const io::Error& error) {
    diagnostics.error(codes::checkpoint_unusable, {}, error.what(),
                      "give the file that --checkpoint wrote");
    return false;
  }
}

std::uint64_t calls_before(const RunRequest& request) {
  if (request.restart.empty()) return 0;
  try {
    const std::int64_t step = io::Checkpoint::read_head(request.restart).step;
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, step));
  } catch (const io::Error&) {
    return 0;
  }
}

void adopt_settings(const io::Checkpoint& checkpoint, RunRequest& request,
                    const Listener& listener) {
  for (const auto& [name, value] : checkpoint.values) {
    const Pair* const given = find(request.settings, name);
    if (given == nullptr) {
      request.settings.push_back({name, value});
    } else if (given->value != value) {
      listener.note("note: " + name + " is " + given->value + " from here on; the checkpoint has " +
                    value);
    }
  }
}

}  // namespace rhopsi::driver
