#include "backends/kokkos/emit/emit.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "backends/kokkos/emit/entries.hpp"
#include "backends/kokkos/emit/interface.hpp"
#include "backends/kokkos/emit/reachable.hpp"
#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/print.hpp"

namespace rhopsi::kokkos {

namespace {

// A function of the program as an object: for users' structs, and for rhopsi::evaluate.
void write_functor(const onf::Module& module, const Names& names, onf::FunctionId id, Text& out) {
  const std::string& name = names.functions[onf::number(id)];
  const bool device = module.functions[onf::number(id)].device;
  out.line("// " + module.functions[onf::number(id)].name + " as a function object" +
           (device ? ", for kernels too" : ", on the host"));
  out.line("template <class Program>");
  out.open("struct " + name + "_functor {");
  out.line("Program program;");
  out.line("template <class... Arguments>");
  out.open(std::string(device ? "KOKKOS_INLINE_FUNCTION " : "") +
           "auto operator()(const Arguments&... arguments) const {");
  out.line("return program." + name + "(arguments...);");
  out.close();
  out.close("};");
  out.blank();
}

std::string external_type(const onf::Module& module, const onf::OpaqueType& type,
                          const Names& names) {
  const onf::External& external = module.externals[onf::number(type.external)];
  std::string arguments;
  for (const auto& requirement : external.requirements) {
    if (!requirement.type) continue;
    arguments += (arguments.empty() ? "" : ", ") + cpp_type(names, module, *requirement.type);
  }
  return external.name + (arguments.empty() ? "" : "<" + arguments + ">") +
         "::" + foreign_identifier(type.original);
}

std::vector<onf::FunctionId> roots_of(const onf::Module& module,
                                      const std::vector<std::string>& entries) {
  std::vector<onf::FunctionId> roots;
  for (const EntryPoint& entry : entry_points(module, entries)) roots.push_back(entry.id);
  return roots;
}

// The functions that are reached from `roots`.
std::string program_header(const term::Store& store, const onf::Module& module, const Names& names,
                           const std::vector<onf::FunctionId>& roots) {
  Text out;
  out.line("// The program " + module.name +
           ", emitted from its specification: edit that instead.");
  out.raw("#pragma once\n\n#include <cstdint>\n#include <limits>\n#include <utility>\n\n");
  if (module.regrouped) {
    out.raw("#ifndef RHOPSI_REASSOCIATES\n");
    out.raw("#error \"sums of reals are in another order here: keep RHOPSI_FAST_MATH on, or ");
    out.raw("emit without reassociate\"\n#endif\n\n");
  }
  out.raw("#include \"rhopsi_shim.hpp\"\n");
  std::set<std::string> headers;
  for (const onf::External& external : module.externals) headers.insert(external.header);
  for (const std::string& header : headers) out.raw("#include \"" + header + "\"\n");
  out.blank();
  // The functions first: they tell which of them are wanted as objects.
  Text functions;
  functions.depth = 1;
  std::set<onf::FunctionId> objects;
  const std::set<onf::FunctionId> needed = reachable(module, roots);
  for (onf::FunctionId id : module.order) {
    if (!needed.contains(id)) continue;
    functions.blank();
    FunctionWriter writer(store, module, names, id, functions);
    writer.write();
    objects.insert(writer.evaluated().begin(), writer.evaluated().end());
    const onf::Function& function = module.functions[onf::number(id)];
    if (is_entry(function) && reads_elements(function)) objects.insert(id);
  }
  for (const onf::External& external : module.externals) {
    for (const auto& requirement : external.requirements) {
      if (!requirement.type) objects.insert(requirement.operation);
    }
  }
  for (onf::FunctionId id : objects) write_functor(module, names, id, out);
  if (!module.axes.empty())
    out.line("// Its arrays have the axes of the specification in the order " + axes_text(module) +
             ".");
  out.open("struct " + names.program + " {");
  out.line("rhopsi::Domain<" + std::to_string(module.rank) + "> domain;");
  for (std::size_t k = 0; k < module.parameters.size(); ++k) {
    const onf::Parameter& parameter = module.parameters[k];
    const std::string where = onf::place(store, parameter.location);
    out.line(cpp_type(parameter.type) + " " + names.parameters[k] + "{};" +
             (where.empty() ? "" : "  // " + in_comment(where)));
  }
  for (std::size_t k = 0; k < module.types.size(); ++k) {
    out.line("using " + names.types[k] + " = " + external_type(module, module.types[k], names) +
             ";");
  }
  out.raw(functions.str());
  out.close("};");
  return out.str();
}

// --- the table of entries

// "1, 0, 1, 2": below and above axis 0, then of axis 1.
std::string pads_of_axes(const onf::Halo& pads) {
  std::string text;
  for (const onf::Margin& margin : pads.axes) {
    text += (text.empty() ? "" : ", ") + std::to_string(margin.low) + ", " +
            std::to_string(margin.high);
  }
  return text;
}

// "2, {{0, 0, 0}, {-1, 3, 5}}"
std::string window_words(const onf::Window& window) {
  std::string axes;
  for (const onf::Window::Axis& axis : window.axes) {
    const std::string of = axis.of ? std::to_string(*axis.of) : "-1";
    axes += (axes.empty() ? "{" : ", {") + of + ", " + std::to_string(axis.first) + ", " +
            std::to_string(axis.more) + "}";
  }
  return std::to_string(window.axes.size()) + ", {" + axes + "}";
}

// What is told of an argument of a program over a domain where it is not as the program says.
std::string over_domain_words(const EntrySlot& slot) {
  if (!slot.pads && slot.less.empty() && !slot.window) return {};
  const std::string pads = slot.pads ? pads_of_axes(*slot.pads) : std::string("-1");
  std::string text = ", rhopsi::driver::of_the_domain, {" + pads + "}";
  if (!slot.less.empty() || slot.window) text += ", {" + numbers_text(slot.less) + "}";
  return slot.window ? text + ", " + window_words(*slot.window) : text;
}

// As the driver keeps it.
std::string described(const EntrySlot& slot) {
  return "{" + quoted(slot.name) + ", " + quoted(onf::to_string(slot.type)) +
         ", Mode::" + slot.mode_name() +
         (slot.own != nullptr ? ", " + std::to_string(slot.own->extents->size()) : "") +
         (slot.own == nullptr ? over_domain_words(slot) : "") + "}";
}

// The table of the entries, and what it is made of.
class Tables {
 public:
  Tables(const onf::Module& module, const Names& names, Text& out)
      : module_(module), names_(names), out_(out) {}

  // False where there are none, and no table.
  bool parameters() {
    if (module_.parameters.empty()) return false;
    out_.open("static const rhopsi::driver::Parameter rhopsi_parameters[] = {");
    for (std::size_t k = 0; k < module_.parameters.size(); ++k) {
      const onf::Parameter& parameter = module_.parameters[k];
      out_.line("{" + quoted(parameter.name) + ", " + quoted(onf::to_string(parameter.type)) +
                ", [](void* program, double v) { static_cast<" + names_.program + "*>(program)->" +
                names_.parameters[k] + " = static_cast<" + cpp_type(parameter.type) + ">(v); }},");
    }
    out_.close("};");
    return true;
  }

  bool entries(const std::vector<EntryPoint>& points) {
    Text table;
    table.depth = 2;
    for (std::size_t number = 0; number < points.size(); ++number) {
      if (repeats(points[number])) continue;  // is part of the one before
      const bool last = number + 1 == points.size();
      entry(points[number], last ? nullptr : &points[number + 1], table);
    }
    if (table.str().empty()) return false;
    out_.open("static const rhopsi::driver::Entry rhopsi_entries[] = {");
    out_.raw(table.str());
    out_.close("};");
    return true;
  }

 private:
  const onf::Function& function(const EntryPoint& point) const {
    return module_.functions[onf::number(point.id)];
  }
  const std::optional<onf::Repeats>& repeats(const EntryPoint& point) const {
    return function(point).repeats;
  }

  void entry(const EntryPoint& point, const EntryPoint* next, Text& table) {
    std::string arguments = "{}";
    if (!point.slots.empty()) {
      arguments = "rhopsi_arguments_" + std::to_string(count_++);
      out_.open("static const rhopsi::driver::Argument " + arguments + "[] = {");
      for (const EntrySlot& slot : point.slots) out_.line(described(slot) + ",");
      out_.close("};");
    }
    const bool several = next != nullptr && repeats(*next);
    table.open("{" + quoted(point.name) + ", " + arguments + ",");
    call(point, several ? "}," : "}},", table);
    if (several) {
      table.line(std::to_string(repeats(*next)->times) + ",");
      call(*next, "}},", table);
    }
    --table.depth;
  }

  void call(const EntryPoint& point, const std::string& end, Text& table) const {
    const std::string text = call_text(
        module_, names_, point, [&](std::size_t k) { return kept(point, point.slots[k], k); });
    const bool used = text.find("a.") != std::string::npos;
    table.open(std::string("[](void* program, rhopsi::driver::Arguments&") + (used ? " a" : "") +
               ") {");
    table.line(names_.program + "& p = *static_cast<" + names_.program + "*>(program);");
    table.line(text);
    table.close(end);
  }

  // An array that comes in has its pads filled, unless the function fills them itself.
  std::string kept(const EntryPoint& point, const EntrySlot& slot, std::size_t place) const {
    const std::string number = ">(" + std::to_string(place) + ")";
    const std::string element = cpp_type(slot.type.scalar);
    if (!slot.array()) return "a.scalar<" + element + number;
    if (slot.own != nullptr)
      return "a.array<" + element + ", " + std::to_string(slot.own->extents->size()) + number;
    const bool given = slot.mode != term::Mode::out;
    const bool fills = given && !function(point).refills && (module_.pad > 0 || slot.pads);
    return (fills ? "a.fresh<" : "a.array<") + element + ", " + std::to_string(module_.rank) +
           number;
  }

  const onf::Module& module_;
  const Names& names_;
  Text& out_;
  std::size_t count_ = 0;
};

std::string main_text(const onf::Module& module, const Names& names,
                      const std::vector<std::string>& wanted) {
  const std::string rank = std::to_string(module.rank);
  Text out;
  out.line("// The entries of " + module.name + ", for the driver.");
  out.raw("#include \"" + names.program + ".hpp\"\n#include \"rhopsi_driver.hpp\"\n\n");
  out.open("int main(int argc, char** argv) {");
  out.line("using rhopsi::driver::Mode;");
  Tables tables(module, names, out);
  const bool parameters = tables.parameters();
  const bool entries = tables.entries(entry_points(module, wanted));
  out.line("rhopsi::driver::Program rhopsi_program = rhopsi::driver::program_of<" + names.program +
           ", " + rank + ">();");
  const auto set = [&](const std::string& field, const std::string& value) {
    out.line("rhopsi_program." + field + " = " + value + ";");
  };
  set("name", quoted(module.name));
  set("element", quoted(onf::to_string(module.element)));
  set("pad", std::to_string(module.pad));
  for (std::size_t a = 0; a < module.axes.size(); ++a)
    set("axes[" + std::to_string(a) + "]", std::to_string(module.axes[a]));
  if (module.one_shape) set("one_shape", "true");
  if (parameters) set("parameters", "rhopsi_parameters");
  if (entries) set("entries", "rhopsi_entries");
  out.line("return rhopsi::driver::run(argc, argv, rhopsi_program);");
  out.close();
  return out.str();
}

// The targets beside the command: the library of the functions, and who calls it.
std::string caller_targets(const Interface& program, bool python) {
  const std::string& name = program.names->program;
  const std::string library = program.library();
  std::string text = "rhopsi_kernels(" + library + " " + library + ".cpp)\n";
  if (!program.entries.empty()) {
    text += "add_executable(" + name + "_example EXCLUDE_FROM_ALL example.cpp)\n" +
            "target_link_libraries(" + name + "_example PRIVATE " + library + ")\n";
  }
  if (python) text += "rhopsi_python(" + name + "_python " + library + " " + library + ".cpp)\n";
  return text;
}

// As Kokkos_DEVICES has it.
const char* device(Target target) {
  return target == Target::serial ? "SERIAL" : target == Target::openmp ? "OPENMP" : "CUDA";
}

// `program`: null where nobody calls it.
std::string cmake_text(const std::string& name, const Interface* program, const Options& options) {
  std::string text = "cmake_minimum_required(VERSION 3.16)\nproject(" + name + " LANGUAGES CXX)\n";
  if (options.checked) text += "set(RHOPSI_CHECKED ON CACHE BOOL \"Check every kernel\")\n";
  if (options.reassociate)
    text += "set(RHOPSI_FAST_MATH ON CACHE BOOL \"Let the compiler reassociate\")\n";
  if (options.serial_below)
    text += "set(RHOPSI_SERIAL_BELOW " + std::to_string(*options.serial_below) + ")\n";
  if (options.target) text += std::string("set(RHOPSI_TARGET ") + device(*options.target) + ")\n";
  text += "include(rhopsi_program.cmake)\nrhopsi_program(" + name + " main.cpp)\n";
  if (program != nullptr) text += caller_targets(*program, options.callers == Callers::python);
  return text;
}

}  // namespace

File emit_header(const term::Store& store, const onf::Module& module) {
  const Names names = kokkos::names_of(module);
  // Parts are called by their function alone.
  std::vector<onf::FunctionId> roots = module.order;
  std::erase_if(roots, [&](onf::FunctionId id) {
    return module.functions[onf::number(id)].part_of.has_value();
  });
  return {names.program + ".hpp", program_header(store, module, names, roots)};
}

std::set<onf::FunctionId> emitted_functions(const onf::Module& module,
                                            const std::vector<std::string>& entries) {
  return reachable(module, roots_of(module, entries));
}

std::vector<File> emit(const term::Store& store, const onf::Module& module,
                       const Options& options) {
  Names names = kokkos::names_of(module);
  names.device = options.target == Target::cuda;
  const bool python = options.callers == Callers::python;
  std::optional<Interface> program;
  if (options.callers != Callers::none)
    program = interface_of(store, module, names, options.entries);
  if (program) program->made_from = options.made_from;
  const std::vector<onf::FunctionId> roots = roots_of(module, options.entries);
  std::vector<File> files{
      {names.program + ".hpp", program_header(store, module, names, roots)},
      {"main.cpp", main_text(module, names, options.entries)},
      {"CMakeLists.txt", cmake_text(names.program, program ? &*program : nullptr, options)}};
  if (!program) return files;
  const auto add = [&](std::vector<File> more) {
    for (File& file : more) files.push_back(std::move(file));
  };
  add(interface_files(*program));
  add(example_files(*program, python));
  if (python) add(python_files(*program));
  return files;
}

}  // namespace rhopsi::kokkos
