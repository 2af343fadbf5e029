// A program that calls what was emitted, and the page of an emitted folder.
#include <algorithm>

#include "backends/kokkos/emit/interface.hpp"
#include "backends/kokkos/emit/text.hpp"
#include "engine/onf/axes.hpp"
#include "engine/onf/decided.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/scalar_size.hpp"

namespace rhopsi::kokkos {

namespace {

bool holds(const Interface& program, const std::vector<std::int64_t>& lengths) {
  const auto of_form = onf::in_order(lengths, program.module->axes);
  return std::ranges::all_of(program.entries, [&](const InterfaceEntry& entry) {
    return std::ranges::all_of(program.function(entry).preconditions, [&](const auto& each) {
      return onf::decided_by(of_form, each.condition).value_or(0) != 0;
    });
  });
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// The lengths of an array that comes in as windows, where the callers' domain has these.
std::vector<std::int64_t> window_shape(const onf::Module& module, const onf::Window& window,
                                       const std::vector<std::int64_t>& domain) {
  std::vector<std::int64_t> lengths;
  for (const onf::Window::Axis& axis : window.axes) {
    lengths.push_back(axis.more);
    if (axis.of) lengths.back() += domain[onf::given_axis(module.axes, *axis.of)];
  }
  return lengths;
}

std::string view_type(const Interface& program, const EntrySlot& slot) {
  return "Kokkos::View<" + cpp_type(slot.type.scalar) + std::string(axes(program, slot), '*') +
         ", Kokkos::LayoutRight, rhopsi::Memory>";
}

// Declares and fills what an argument is called with.
void declare(const Interface& program, const EntrySlot& slot, const std::string& name, Text& out) {
  const std::string type = cpp_type(slot.type.scalar);
  if (!slot.array()) {
    if (!slot.result)
      out.line(type + " " + name + " = " + sample_value(slot.type.scalar, "true") + ";");
    return;
  }
  if (slot.made()) {
    if (!slot.result)
      out.line("rhopsi::Made<" + type + ", " + std::to_string(axes(program, slot)) + "> " + name +
               ";");
    return;
  }
  std::vector<std::string> words;
  for (const std::int64_t length : sample_shape(program, slot))
    words.push_back(std::to_string(length));
  const std::string lengths = joined(words, ", ");
  out.line(view_type(program, slot) + " " + name + "(" + quoted(name) +
           (lengths.empty() ? "" : ", " + lengths) + ");");
  if (slot.mode != term::Mode::out) out.line("fill(" + name + ");");
}

void print(const InterfaceEntry& entry, Text& out) {
  for (const auto& [name, slot, slots] : entry.arguments) {
    if (slot.mode == term::Mode::obs) continue;
    out.line(slot.array() ? "print(" + quoted(name) + ", " + name + ");"
                          : "std::cout << " + quoted(name + ": ") + " << " + name + " << '\\n';");
  }
}

void call(const Interface& program, const InterfaceEntry& entry, Text& out) {
  if (program.has_parameters()) {
    out.line(program.library() + "::Parameters parameters{};");
    for (std::size_t k = 0; k < program.module->parameters.size(); ++k)
      out.line("parameters." + program.names->parameters[k] + " = " +
               sample_value(program.module->parameters[k].type, "true") + ";");
  }
  std::vector<std::string> passed;
  if (program.has_parameters()) passed.push_back("parameters");
  std::string returned;
  for (const auto& [name, slot, slots] : entry.arguments) {
    declare(program, slot, name, out);
    const bool back = slot.result && (slot.made() || !slot.array());
    if (back) returned = "const auto " + name + " = ";
    if (!back) passed.push_back(name);
  }
  out.line(returned + program.library() + "::" + entry.name + "(" + joined(passed, ", ") + ");");
  print(entry, out);
}

File example(const Interface& program, const InterfaceEntry& entry) {
  Text out;
  out.line("// Calls `" + entry.name + "` of " + program.module->name +
           " on arrays of this program's own. Lengths and values are examples: put yours.");
  out.raw("#include <iostream>\n\n#include <Kokkos_Core.hpp>\n\n#include \"" + program.library() +
          ".hpp\"\n\n");
  out.line("// 0, 1, 2, ... in row-major order.");
  out.line("template <class View>");
  out.open("void fill(const View& array) {");
  out.line("const auto host = Kokkos::create_mirror_view(array);");
  out.line("for (std::size_t k = 0; k < host.size(); ++k)");
  out.line("  host.data()[k] = static_cast<typename View::non_const_value_type>(k);");
  out.line("Kokkos::deep_copy(array, host);");
  out.close();
  out.blank();
  out.line("template <class View>");
  out.open("void print(const char* name, const View& array) {");
  out.line("const auto host = Kokkos::create_mirror_view(array);");
  out.line("Kokkos::deep_copy(host, array);");
  out.line("std::cout << name << \" of\";");
  out.line("for (std::size_t a = 0; a < static_cast<std::size_t>(View::rank); ++a)");
  out.line("  std::cout << ' ' << host.extent(a);");
  out.line("std::cout << ':';");
  out.line("for (std::size_t k = 0; k < host.size(); ++k) std::cout << ' ' << host.data()[k];");
  out.line("std::cout << '\\n';");
  out.close();
  out.blank();
  out.open("int main(int argc, char** argv) {");
  out.line("const Kokkos::ScopeGuard kokkos(argc, argv);");
  out.open("try {");
  call(program, entry, out);
  out.close("} catch (const rhopsi::Error& error) {");
  ++out.depth;
  out.line("std::cerr << \"error[\" << error.code() << \"]: \" << error.what() << '\\n';");
  out.line("return 1;");
  out.close();
  out.line("return 0;");
  out.close();
  return {"example.cpp", out.str()};
}

File page(const Interface& program, bool python) {
  const std::string& name = program.names->program;
  const std::string library = program.library();
  std::string text = "# " + program.module->name +
                     "\n\nEmitted from its specification: edit that instead. The folder needs "
                     "nothing but Kokkos.\n\n"
                     "| file | what |\n|---|---|\n"
                     "| `" +
                     library +
                     ".hpp` | the functions for C++, on `Kokkos::View`s |\n"
                     "| `" +
                     library +
                     ".h` | the same for C, and whatever calls C: pointers, lengths, strides |\n"
                     "| `example.cpp` | a program that calls one of them |\n";
  if (python)
    text += "| `" + module_name(program) +
            ".py`, `example.py` | the functions for Python, on NumPy arrays, and an example |\n";
  text += "| `" + name +
          ".hpp` | the kernels |\n"
          "| `main.cpp` | a command that reads and writes .npy files: `" +
          name +
          " --help` |\n\n"
          "## Building\n\n```\ncmake -S . -B build -DKokkos_ROOT=...\ncmake --build build          "
          "                # the command\n"
          "cmake --build build --target " +
          name + "_example   # the example\n";
  if (python)
    text += "cmake --build build --target " + name + "_python    # the library for Python\n";
  text += "```\n\nIn a project of your own:\n\n```cmake\nadd_subdirectory(" + name +
          ")\ntarget_link_libraries(yours PRIVATE " + library + ")\n```\n\n## Functions\n\n```\n";
  for (std::size_t k = 0; k < program.entries.size(); ++k) {
    if (k > 0) text += "\n";
    for (const std::string& line : documentation(program, program.entries[k])) text += line + "\n";
  }
  text += "```\n";
  if (program.has_parameters()) {
    text += "\nEach has the program's parameters as its first argument:";
    for (std::size_t k = 0; k < program.module->parameters.size(); ++k)
      text += (k > 0 ? ", `" : " `") + program.names->parameters[k] + "` (" +
              onf::to_string(program.module->parameters[k].type) + ")";
    text += ".\n";
  }
  if (!program.made_from.empty()) text += "\n## How it was made\n\n```\n";
  for (const std::string& line : program.made_from) text += line + "\n";
  if (!program.made_from.empty()) text += "```\n";
  return {"README.md", text};
}

}  // namespace

// Procedures are what programs are written for.
const InterfaceEntry* shown_entry(const Interface& program) {
  for (const InterfaceEntry& entry : program.entries)
    if (program.function(entry).procedure) return &entry;
  return program.entries.empty() ? nullptr : &program.entries.front();
}

std::string sample_value(onf::Scalar scalar, const char* truth) {
  return scalar == onf::Scalar::boolean ? truth : onf::is_real(scalar) ? "0.1" : "1";
}

std::vector<std::int64_t> sample_shape(const Interface& program, const EntrySlot& slot) {
  const auto& shape = program.module->one_shape;
  const bool of_shape = slot.over_domain() && shape;
  std::vector<std::int64_t> lengths(of_shape ? shape->size() : axes(program, slot), 8);
  for (std::size_t a = 0; slot.own != nullptr && a < lengths.size(); ++a) {
    const onf::Expr& extent = (*slot.own->extents)[a];
    if (extent.kind == onf::Expr::Kind::integer) lengths[a] = extent.integer;
  }
  if (!of_shape) return lengths;
  for (std::size_t a = 0; a < lengths.size(); ++a) lengths[a] = std::min(lengths[a], (*shape)[a]);
  if (!holds(program, lengths)) lengths = *shape;
  if (slot.window) return window_shape(*program.module, *slot.window, lengths);
  const std::vector<std::int64_t> less = slot.callers_less(*program.module);
  for (std::size_t a = 0; a < less.size(); ++a) lengths[a] -= less[a];
  return lengths;
}

std::vector<File> example_files(const Interface& program, bool python) {
  std::vector<File> files;
  if (const InterfaceEntry* const entry = shown_entry(program))
    files.push_back(example(program, *entry));
  files.push_back(page(program, python));
  return files;
}

}  // namespace rhopsi::kokkos
