#include "backends/kokkos/emit/emit.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/print.hpp"

namespace rhopsi::kokkos {

namespace {

using onf::Representation;

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

// Does it read elements of its arguments, which on a GPU only kernels can?
bool reads_elements(const onf::Function& function) {
  return function.device &&
         std::ranges::any_of(function.arguments, [](const onf::Argument& argument) {
           return argument.view.has_value();
         });
}

bool plain(const Representation& type) { return type.kind == Representation::Kind::scalar; }

// Functions of arrays and scalars.
bool is_entry(const onf::Function& function) {
  for (const onf::Argument& argument : function.arguments) {
    if (argument.view) continue;
    if (!plain(function.variables[onf::number(argument.variable)].type)) return false;
  }
  return !function.result || plain(*function.result) ||
         function.result->kind == Representation::Kind::array;
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
         "::" + identifier(type.original);
}

std::string program_header(const term::Store& store, const onf::Module& module,
                           const Names& names) {
  Text out;
  out.line("// The program " + module.name +
           ", emitted from its specification: edit that instead.");
  out.raw("#pragma once\n\n#include <cstdint>\n#include <limits>\n#include <utility>\n\n");
  out.raw("#include \"rhopsi_shim.hpp\"\n");
  std::set<std::string> headers;
  for (const onf::External& external : module.externals) headers.insert(external.header);
  for (const std::string& header : headers) out.raw("#include \"" + header + "\"\n");
  out.blank();
  // The functions first: they tell which of them are wanted as objects.
  Text functions;
  functions.depth = 1;
  std::set<onf::FunctionId> objects;
  for (onf::FunctionId id : module.order) {
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
  out.open("struct " + names.program + " {");
  out.line("rhopsi::Domain<" + std::to_string(module.rank) + "> domain;");
  for (std::size_t k = 0; k < module.parameters.size(); ++k) {
    const onf::Parameter& parameter = module.parameters[k];
    const std::string where = onf::place(store, parameter.location);
    out.line(cpp_type(parameter.type) + " " + names.parameters[k] + "{};" +
             (where.empty() ? "" : "  // " + where));
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

// Those of the wanted names; without any, all.
std::vector<onf::FunctionId> entries_of(const onf::Module& module,
                                        const std::vector<std::string>& wanted) {
  std::vector<onf::FunctionId> found;
  for (onf::FunctionId id : module.order) {
    const onf::Function& function = module.functions[onf::number(id)];
    if (!wanted.empty() && std::ranges::count(wanted, function.name) == 0) continue;
    if (is_entry(function)) found.push_back(id);
  }
  return found;
}

// What the driver keeps for one argument or the result.
struct Slot {
  std::string name;
  Representation type;
  const char* mode = "";
  const onf::Block* own = nullptr;  // of an array that has a shape of its own

  std::string described() const {
    return "{" + quoted(name) + ", " + quoted(onf::to_string(type)) + ", Mode::" + mode +
           (own != nullptr ? ", " + std::to_string(own->extents->size()) : "") + "}";
  }
  std::string at(std::size_t place) const {
    const bool array = type.kind == Representation::Kind::array;
    return (array ? "a.array<" : "a.scalar<") + cpp_type(type.scalar) +
           (own != nullptr ? ", " + std::to_string(own->extents->size()) : "") + ">(" +
           std::to_string(place) + ")";
  }
};

void of_view(const onf::Function& function, onf::ViewId id, Slot& slot) {
  const onf::Block& block = function.blocks[onf::number(function.views[onf::number(id)].block)];
  slot.type = {Representation::Kind::array, block.element, {}};
  if (block.extents) slot.own = &block;
}

std::vector<Slot> slots_of(const onf::Function& function) {
  std::vector<Slot> slots;
  for (const onf::Argument& argument : function.arguments) {
    Slot slot;
    slot.mode = argument.mode == term::Mode::obs   ? "obs"
                : argument.mode == term::Mode::upd ? "upd"
                                                   : "out";
    if (argument.view) {
      slot.name = function.views[onf::number(*argument.view)].name;
      of_view(function, *argument.view, slot);
    } else {
      slot.name = function.variables[onf::number(argument.variable)].name;
      slot.type = function.variables[onf::number(argument.variable)].type;
    }
    slots.push_back(std::move(slot));
  }
  if (!function.result) return slots;
  Slot result{"result", *function.result, "result"};
  if (function.result_view) of_view(function, *function.result_view, result);
  slots.push_back(std::move(result));
  return slots;
}

struct EntryText {
  std::string table;  // the arguments' descriptions
  std::string call;
};

EntryText entry_text(const onf::Module& module, const Names& names, onf::FunctionId id) {
  const onf::Function& function = module.functions[onf::number(id)];
  const std::vector<Slot> slots = slots_of(function);
  EntryText made;
  std::string passed;
  std::string contracts;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    made.table += (made.table.empty() ? "" : ", ") + slots[k].described();
    if (k == function.arguments.size()) break;
    const bool read = slots[k].type.kind == Representation::Kind::array && function.device;
    passed += (passed.empty() ? "" : ", ") + slots[k].at(k) + (read ? ".read()" : "");
    // What runs in kernels too cannot look at shapes.
    if (!read || slots[k].own == nullptr) continue;
    const std::string lengths = contract(*slots[k].own);
    if (!lengths.empty())
      contracts += "rhopsi::expect_shape(" + slots[k].at(k) + ", {" + lengths + "}); ";
  }
  const std::string& name = names.functions[onf::number(id)];
  made.call = reads_elements(function) ? "rhopsi::evaluate(" + name + "_functor<" + names.program +
                                             ">{p}, " + passed + ");"
                                       : "p." + name + "(" + passed + ");";
  if (function.result) made.call = slots.back().at(slots.size() - 1) + " = " + made.call;
  made.call.insert(0, contracts);
  return made;
}

// The entries' names by which they are called from outside. Overloads are told apart by their
// sorts where these differ, and else by the ranks of their arrays.
std::vector<std::string> names_of(const onf::Module& module,
                                  const std::vector<onf::FunctionId>& entries) {
  const auto repeated = [](const std::vector<std::string>& names) {
    std::map<std::string, int> count;
    for (const std::string& name : names) ++count[name];
    std::vector<bool> more;
    for (const std::string& name : names) more.push_back(count[name] > 1);
    return more;
  };
  std::vector<std::string> names;
  for (onf::FunctionId id : entries) names.push_back(module.functions[onf::number(id)].name);
  const std::vector<bool> overloaded = repeated(names);
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (!overloaded[k]) continue;
    names[k] += ":";
    for (const std::string& sort : module.functions[onf::number(entries[k])].sorts) {
      names[k] += (names[k].back() == ':' ? "" : ",") + sort;
    }
  }
  const std::vector<bool> same_sorts = repeated(names);
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (!same_sorts[k]) continue;
    names[k] += ":";
    for (const Slot& slot : slots_of(module.functions[onf::number(entries[k])])) {
      if (slot.own == nullptr) continue;
      names[k] += (names[k].back() == ':' ? "" : ",") + std::to_string(slot.own->extents->size());
    }
  }
  return names;
}

std::string main_text(const onf::Module& module, const Names& names,
                      const std::vector<std::string>& wanted) {
  const std::string rank = std::to_string(module.rank);
  const std::string both = "<" + names.program + ", " + rank + ">";
  Text out;
  out.line("// The entries of " + module.name + ", for the driver.");
  out.raw("#include \"" + names.program + ".hpp\"\n#include \"rhopsi_driver.hpp\"\n\n");
  out.open("static rhopsi::driver::Program" + both + " program() {");
  out.line("using rhopsi::driver::Mode;");
  out.line("using Arguments = rhopsi::driver::Arguments<" + rank + ">;");
  out.line("rhopsi::driver::Program" + both + " made{};");
  out.line("made.name = " + quoted(module.name) + ";");
  out.line("made.element = " + quoted(onf::to_string(module.element)) + ";");
  out.line("made.pad = " + std::to_string(module.pad) + ";");
  out.open("made.parameters = {");
  for (std::size_t k = 0; k < module.parameters.size(); ++k) {
    const onf::Parameter& parameter = module.parameters[k];
    out.line("{" + quoted(parameter.name) + ", " + quoted(onf::to_string(parameter.type)) +
             ", [](" + names.program + "& p, double v) { p." + names.parameters[k] +
             " = static_cast<" + cpp_type(parameter.type) + ">(v); }},");
  }
  out.close("};");
  const std::vector<onf::FunctionId> entries = entries_of(module, wanted);
  const std::vector<std::string> called = names_of(module, entries);
  out.open("made.entries = {");
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const EntryText text = entry_text(module, names, entries[k]);
    out.open("{" + quoted(called[k]) + ", {" + text.table + "},");
    const bool used = text.call.find("a.") != std::string::npos;
    out.line("[](" + names.program + "& p, Arguments&" + (used ? " a" : "") + ") { " + text.call +
             " }" + (module.functions[onf::number(entries[k])].refills ? ", true" : "") + "},");
    --out.depth;
  }
  out.close("};");
  out.line("return made;");
  out.close();
  out.blank();
  out.line(
      "int main(int argc, char** argv) { return rhopsi::driver::run(argc, argv, program()); }");
  return out.str();
}

std::string cmake_text(const Names& names, const Options& options) {
  std::string text =
      "cmake_minimum_required(VERSION 3.16)\nproject(" + names.program + " LANGUAGES CXX)\n";
  if (options.checked) text += "set(RHOPSI_CHECKED ON CACHE BOOL \"Check every kernel\")\n";
  text += "include(rhopsi_program.cmake)\nrhopsi_program(" + names.program + " main.cpp)\n";
  for (const std::string& folder : options.include_directories) {
    text += "target_include_directories(" + names.program + " PRIVATE \"" + folder + "\")\n";
  }
  const char* device = options.target == Target::openmp ? "OPENMP"
                       : options.target == Target::cuda ? "CUDA"
                                                        : "SERIAL";
  text += std::string("if(NOT \"") + device +
          "\" IN_LIST Kokkos_DEVICES)\n"
          "  message(WARNING \"This Kokkos has no " +
          device + " backend: the program runs on ${Kokkos_DEVICES}\")\nendif()\n";
  return text;
}

}  // namespace

File emit_header(const term::Store& store, const onf::Module& module) {
  const Names names = kokkos::names_of(module);
  return {names.program + ".hpp", program_header(store, module, names)};
}

std::vector<File> emit(const term::Store& store, const onf::Module& module,
                       const Options& options) {
  const Names names = kokkos::names_of(module);
  return {{names.program + ".hpp", program_header(store, module, names)},
          {"main.cpp", main_text(module, names, options.entries)},
          {"CMakeLists.txt", cmake_text(names, options)}};
}

}  // namespace rhopsi::kokkos
