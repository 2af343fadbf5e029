#include "frontend/driver/entries.hpp"

#include <fstream>
#include <sstream>

#include "backends/io/npy.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/nearest.hpp"

namespace rhopsi::driver {
namespace {

using Kind = onf::Representation::Kind;

bool runnable(const onf::Representation& type) {
  return type.kind == Kind::scalar || type.kind == Kind::array;
}

EntryArgument argument_of(const onf::Function& function, const onf::Argument& argument) {
  EntryArgument result;
  if (argument.view) {
    const onf::View& view = function.views[onf::number(*argument.view)];
    result.name = view.name;
    result.location = view.location;
    result.type.kind = Kind::array;
    result.type.scalar = function.blocks[onf::number(view.block)].element;
  } else {
    const onf::Variable& variable = function.variables[onf::number(argument.variable)];
    result.name = variable.name;
    result.location = variable.location;
    result.type = variable.type;
  }
  result.read = argument.mode != term::Mode::out;
  result.written = argument.mode != term::Mode::obs;
  return result;
}

std::optional<Entry> entry_of(const onf::Function& function) {
  Entry entry{&function, {}};
  for (const onf::Argument& argument : function.arguments) {
    entry.arguments.push_back(argument_of(function, argument));
    if (!runnable(entry.arguments.back().type)) return std::nullopt;
  }
  if (function.result) {
    if (!runnable(*function.result)) return std::nullopt;
    EntryArgument result;
    result.name = "result";
    result.type = *function.result;
    result.read = false;
    result.written = true;
    result.location = function.location;
    entry.arguments.push_back(result);
  }
  return entry;
}

std::vector<std::string> names_of(const std::vector<Entry>& all, bool procedures_only) {
  std::vector<std::string> names;
  for (const Entry& entry : all) {
    if (!procedures_only || entry.function->procedure) names.push_back(entry.function->name);
  }
  return names;
}

}  // namespace

std::vector<Entry> entries(const onf::Module& module) {
  std::vector<Entry> all;
  for (const onf::Function& function : module.functions) {
    if (auto entry = entry_of(function)) all.push_back(std::move(*entry));
  }
  return all;
}

std::optional<Entry> find_entry(Session& session, const onf::Module& module,
                                const std::string& name, syntax::Diagnostics& diagnostics) {
  const std::vector<Entry> all = entries(module);
  const auto procedures = names_of(all, true);
  for (const Entry& entry : all) {
    const bool only = name.empty() && procedures.size() == 1 && entry.function->procedure;
    if (only || (!name.empty() && entry.function->name == name)) return entry;
  }
  if (name.empty()) {
    diagnostics.error(codes::entry_needed, {},
                      "'" + module.name + "' has " +
                          (procedures.empty() ? std::string("no procedure")
                                              : "several procedures") +
                          ": which shall run?",
                      "name one with --entry; " +
                          suggest("", names_of(all, !procedures.empty()), "there is none"));
    return std::nullopt;
  }
  for (const onf::Function& function : module.functions) {
    if (function.name != name) continue;
    diagnostics.error(codes::unknown_entry, session.span(function.location),
                      "'" + name + "' cannot be run: an argument or its result is neither an "
                      "array nor a number",
                      suggest(name, names_of(all, false), "nothing in this program can be run"));
    return std::nullopt;
  }
  diagnostics.error(codes::unknown_entry, {},
                    "'" + module.name + "' has no procedure or function '" + name + "'",
                    suggest(name, names_of(all, false), "nothing in this program can be run"));
  return std::nullopt;
}

namespace {

// The head of a checkpoint is lines of text; backends/kokkos/runtime writes it.
std::vector<std::int64_t> checkpoint_shape(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!std::getline(file, line) || line.rfind("RHOPSI-CHECKPOINT", 0) != 0) return {};
  while (std::getline(file, line) && line != "end") {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (key != "shape") continue;
    std::vector<std::int64_t> shape;
    for (std::int64_t length = 0; words >> length;) shape.push_back(length);
    return shape;
  }
  return {};
}

}  // namespace

std::vector<std::int64_t> shape_of(const RunRequest& request) {
  if (!request.shape.empty()) return request.shape;
  if (!request.restart.empty()) return checkpoint_shape(request.restart);
  for (const Pair& input : request.inputs) {
    try {
      return io::read_npy_header(input.value).shape;
    } catch (const io::Error&) {
      continue;  // check_request will report it
    }
  }
  return {};
}

}  // namespace rhopsi::driver
