// The headers for C and C++, and the source of what they declare.
#include <algorithm>
#include <set>

#include "backends/kokkos/emit/interface.hpp"
#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/axes.hpp"

namespace rhopsi::kokkos {

namespace {

// --- texts of one entry

struct Signature {
  std::vector<std::string> cpp, c;  // parameters
  std::string returned = "void";    // by the C++ function
  // Parameters for any types of the arrays that it makes, among them the one that it returns; and
  // these types.
  std::vector<std::string> any, made;
};

// Where the functions are for any such types.
std::string calls(const Interface& program) { return program.library() + "_calls"; }

std::string view_type(const Interface& program, const EntrySlot& slot, bool constant) {
  return "rhopsi::ArrayView<" + std::string(constant ? "const " : "") + cpp_type(slot.type.scalar) +
         ", " + std::to_string(axes(program, slot)) + ">";
}

std::string made_type(const Interface& program, const EntrySlot& slot) {
  return "rhopsi::Made<" + cpp_type(slot.type.scalar) + ", " + std::to_string(axes(program, slot)) +
         ">";
}

// C knows neither the namespace of its integers nor references.
std::string c_type(onf::Scalar scalar) {
  const std::string type = cpp_type(scalar);
  return type.starts_with("std::") ? type.substr(5) : type;
}

Signature signature(const Interface& program, const InterfaceEntry& entry) {
  Signature made;
  if (program.has_parameters()) {
    made.cpp.push_back("const Parameters& parameters");
    made.any = made.cpp;
    made.c.push_back("const " + program.names->program + "_parameters* parameters");
  }
  for (const auto& [name, slot, slots] : entry.arguments) {
    const std::string type = c_type(slot.type.scalar);
    const bool read = slot.mode == term::Mode::obs;
    if (slot.made()) {
      made.c.push_back(program.names->program + "_array** " + name);
      if (slot.result) made.returned = made_type(program, slot);
      if (!slot.result) made.cpp.push_back(made_type(program, slot) + "& " + name);
      made.made.push_back("class " + name + "_type");
      made.any.push_back(name + "_type& " + name);
      continue;
    }
    const std::size_t before = made.cpp.size();
    if (slot.array()) {
      made.c.push_back((read ? "const " : "") + type + "* " + name);
      made.c.push_back("const int64_t* " + name + "_extents");
      made.c.push_back("const int64_t* " + name + "_strides");
      made.cpp.push_back("const " + view_type(program, slot, read) + "& " + name);
    } else if (slot.result) {
      made.c.push_back(type + "* " + name);
      made.returned = cpp_type(slot.type.scalar);
    } else {
      made.c.push_back(type + (read ? " " : "* ") + name);
      made.cpp.push_back(cpp_type(slot.type.scalar) + (read ? " " : "& ") + name);
    }
    made.any.insert(made.any.end(), made.cpp.begin() + std::ptrdiff_t(before), made.cpp.end());
  }
  return made;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void comment(const Interface& program, const InterfaceEntry& entry, bool c, Text& out) {
  const std::vector<std::string> lines = documentation(program, entry);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const bool last = k + 1 == lines.size();
    out.line((c ? (k == 0 ? "/* " : " * ") : "// ") + lines[k] + (c && last ? " */" : ""));
  }
}

// --- the C header

File c_header(const Interface& program) {
  const std::string& name = program.names->program;
  Text out;
  out.line("/* The functions of " + program.module->name + " for C, and whatever calls C.");
  out.raw(
      " *\n"
      " * An array is a pointer to its first element in memory of the host, its lengths, and its "
      "strides\n"
      " * in elements, where null stands for dense and row-major. Arrays that are dense are used "
      "where they\n"
      " * lie if they have no pads in the program, which runs on the host, and end in the block "
      "that "
      "they\n"
      " * began in: two time levels may change places. They are copied otherwise.\n"
      " *\n"
      " * Each function returns 0, or 1 where something was wrong, which the two functions of the "
      "error\n"
      " * tell; arrays that are set are then not to be relied on. One call runs at a time. Kokkos "
      "is started\n"
      " * by the first call if nobody has started it, and then ended when the process ends. */\n");
  out.raw("#ifndef RHOPSI_" + program.library() + "_H\n#define RHOPSI_" + program.library() +
          "_H\n\n#include <stdbool.h>\n#include <stdint.h>\n\n"
          "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
  if (program.has_parameters()) {
    out.line("/* The parameters of the program: all of them have to be set. */");
    out.open("typedef struct " + name + "_parameters {");
    for (std::size_t k = 0; k < program.module->parameters.size(); ++k)
      out.line(c_type(program.module->parameters[k].type) + " " + program.names->parameters[k] +
               ";");
    out.close("} " + name + "_parameters;");
    out.blank();
  }
  out.line(
      "/* An array that a function has made: dense, row-major, the caller's until it is freed, "
      "which keeps its memory for later calls. */");
  out.open("typedef struct " + name + "_array {");
  out.line("void* data;");
  out.line("int axes;");
  out.line("int64_t extents[6];");
  out.close("} " + name + "_array;");
  out.line("void " + name + "_free(" + name + "_array* array);");
  out.blank();
  out.line(
      "/* What was wrong with the last call of this thread: a sentence, and its code (\"E0611\"). "
      "*/");
  out.line("const char* " + name + "_error(void);");
  out.line("const char* " + name + "_error_code(void);");
  for (const InterfaceEntry& entry : program.entries) {
    out.blank();
    comment(program, entry, true, out);
    const Signature types = signature(program, entry);
    out.line("int " + name + "_" + entry.name + "(" + (types.c.empty() ? "void" : joined(types.c)) +
             ");");
  }
  out.raw("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
  return {program.library() + ".h", out.str()};
}

// --- the C++ header

File cpp_header(const Interface& program) {
  Text out;
  out.line("// The functions of " + program.module->name + " on arrays of the caller's.");
  out.raw(
      "//\n"
      "// Arrays are Kokkos::Views of the elements and axes that are named, of any layout; see\n"
      "// rhopsi_views.hpp for which of them are copied. Kokkos has been started by the caller. "
      "What is\n"
      "// wrong with the arguments or met on the way is thrown as rhopsi::Error; arrays that are "
      "set are\n"
      "// then not to be relied on. One call runs at a time, and is done when it returns.\n"
      "#pragma once\n\n");
  out.raw("#include \"" + program.library() + ".h\"\n#include \"rhopsi_views.hpp\"\n\n");
  out.line("namespace " + program.library() + " {");
  if (program.has_parameters()) {
    out.blank();
    out.line("using Parameters = ::" + program.names->program + "_parameters;");
  }
  for (const InterfaceEntry& entry : program.entries) {
    out.blank();
    comment(program, entry, false, out);
    const Signature types = signature(program, entry);
    out.line(types.returned + " " + entry.name + "(" + joined(types.cpp) + ");");
  }
  out.blank();
  out.line("}  // namespace " + program.library());
  return {program.library() + ".hpp", out.str()};
}

// --- what both headers declare

class Definitions {
 public:
  Definitions(const Interface& program, Text& out) : program_(program), out_(out) {}

  // Of an entry that makes arrays: for whatever these become.
  void for_any_array(const InterfaceEntry& entry) {
    const Signature types = signature(program_, entry);
    out_.line("template <" + joined(types.made) + ">");
    out_.open("void " + entry.name + "(" + joined(types.any) + ") {");
    body(entry);
    out_.close();
  }

  void cpp(const InterfaceEntry& entry) {
    const Signature types = signature(program_, entry);
    out_.open(types.returned + " " + entry.name + "(" + joined(types.cpp) + ") {");
    if (types.made.empty()) {
      body(entry);
    } else {
      std::vector<std::string> passed;
      if (program_.has_parameters()) passed.push_back("parameters");
      for (const InterfaceArgument& argument : entry.arguments) passed.push_back(argument.name);
      const std::string& last = passed.back();
      const bool returns = types.returned != "void";
      if (returns) out_.line(types.returned + " " + last + ";");
      out_.line(calls(program_) + "::" + entry.name + "(" + joined(passed) + ");");
      if (returns) out_.line("return " + last + ";");
    }
    out_.close();
  }

  void c(const InterfaceEntry& entry) {
    const std::string& name = program_.names->program;
    const Signature types = signature(program_, entry);
    out_.open("int " + name + "_" + entry.name + "(" + joined(types.c) + ") {");
    out_.open("return rhopsi::interface::guarded(failure(), [&] {");
    std::vector<std::string> passed;
    std::string assigned;
    std::vector<std::string> after;
    if (program_.has_parameters())
      passed.push_back("rhopsi::interface::given(\"the parameters\", parameters)");
    for (const auto& [argument, slot, slots] : entry.arguments) {
      if (slot.made()) {
        passed.push_back(argument + "_made");
        out_.line("auto& " + argument + "_given = " + given(slot, argument) + ";");
        out_.line("rhopsi::interface::Handing<" + name + "_array> " + argument + "_made;");
        after.push_back(argument + "_given = " + argument + "_made.release();");
      } else if (slot.array()) {
        passed.push_back(view_type(program_, slot, slot.mode == term::Mode::obs) + "(" + argument +
                         ", " + argument + "_extents, " + argument + "_strides)");
      } else if (slot.result) {
        out_.line("auto& " + argument + "_given = " + given(slot, argument) + ";");
        assigned = argument + "_given = ";
      } else {
        passed.push_back(slot.mode == term::Mode::obs ? argument : given(slot, argument));
      }
    }
    const std::string callee =
        program_.library() + "::" + (types.made.empty() ? "" : calls(program_) + "::") + entry.name;
    out_.line(assigned + callee + "(" + joined(passed) + ");");
    for (const std::string& line : after) out_.line(line);
    out_.close("});");
    out_.close();
  }

 private:
  void body(const InterfaceEntry& entry) {
    out_.line("const rhopsi::interface::Call call({" + joined(ranges(entry)) + "});");
    for (const auto& [name, slot, slots] : entry.arguments)
      if (slot.made()) out_.line("call.expect_apart(" + name + ");");
    one_shape(entry);
    program_struct(entry);
    for (const InterfaceArgument& argument : entry.arguments) {
      if (argument.slot.window)
        windows(entry, argument);
      else
        field(argument);
    }
    out_.line(call_text(*program_.module, *program_.names, entry.point,
                        [&](std::size_t k) { return entry.locals[k]; }));
    give_back(entry);
  }

  // What a pointer of C points to.
  static std::string given(const EntrySlot& slot, const std::string& argument) {
    return "rhopsi::interface::given(" +
           quoted(slot.result ? "the result" : "'" + slot.name + "'") + ", " + argument + ")";
  }

  std::vector<std::string> ranges(const InterfaceEntry& entry) const {
    std::vector<std::string> made;
    for (const auto& [name, slot, slots] : entry.arguments) {
      if (slot.array() && !slot.made()) made.push_back("rhopsi::interface::Range(" + name + ")");
    }
    return made;
  }

  void one_shape(const InterfaceEntry& entry) {
    if (!program_.module->one_shape) return;
    const InterfaceArgument* const first = teller(entry);
    if (first == nullptr) return;
    const EntrySlot& slot = first->slot;
    const std::string as = slot.window ? part(first->name, slot, true) : first->name;
    std::vector<std::string> words{quoted(program_.function(entry).name), quoted(slot.name), as};
    for (const InterfaceArgument& argument : entry.arguments) {
      if (argument.slot.whole() && slot.whole() && &argument != first)
        words.insert(words.end(), {quoted(argument.slot.name), argument.name});
    }
    if (words.size() > 3) out_.line("rhopsi::interface::expect_one_shape(" + joined(words) + ");");
    for (const InterfaceArgument& argument : entry.arguments) {
      for (const std::string& lengths : lengths_expected(entry, argument, slot)) {
        out_.line("rhopsi::interface::expect_lengths(" +
                  joined({words[1], words[2], quoted(argument.slot.name), argument.name}) + ", {" +
                  lengths + "});");
      }
    }
  }

  // Of an array with others than those of the one that tells the domain: of each axis which one of
  // the callers' domain it is, if it is one, and how much longer. A list of each slot.
  std::set<std::string> lengths_expected(const InterfaceEntry& entry,
                                         const InterfaceArgument& argument,
                                         const EntrySlot& first) const {
    const onf::Module& module = *program_.module;
    const auto rank = static_cast<std::size_t>(module.rank);
    const auto less_of = [&](const EntrySlot& slot) {
      std::vector<std::int64_t> less = slot.callers_less(module);
      less.resize(rank);
      return less;
    };
    const std::vector<std::int64_t> first_less = less_of(first);
    std::set<std::string> lists;
    const auto axis = [](std::string& list, const std::string& of, std::int64_t more) {
      list += (list.empty() ? "{" : ", {") + of + ", " + std::to_string(more) + "}";
    };
    for (const std::size_t k : argument.slots) {
      const EntrySlot& slot = entry.point.slots[k];
      std::string list;
      const std::vector<std::int64_t> less = less_of(slot);
      const bool other = slot.over_domain() && !slot.window && less != first_less;
      for (std::size_t a = 0; other && a < rank; ++a)
        axis(list, std::to_string(a), first_less[a] - less[a]);
      for (std::size_t a = 0; slot.window && a < slot.window->axes.size(); ++a) {
        const onf::Window::Axis& its = slot.window->axes[a];
        const std::int64_t more =
            its.of ? first_less[onf::given_axis(module.axes, *its.of)] + its.more : its.more;
        axis(list, callers_axis(its), more);
      }
      if (!list.empty()) lists.insert(std::move(list));
    }
    return lists;
  }
  std::string callers_axis(const onf::Window::Axis& axis) const {
    return axis.of ? std::to_string(onf::given_axis(program_.module->axes, *axis.of)) : "-1";
  }

  void program_struct(const InterfaceEntry& entry) {
    const std::string& name = program_.names->program;
    // Globally: a function of the namespace may have this name.
    out_.line("::" + name + " p{};");
    if (const InterfaceArgument* const first = teller(entry)) {
      const EntrySlot& slot = first->slot;
      std::string more = numbers_text(slot.less);
      const std::string axes = in_order();
      if (!slot.less.empty() && axes.empty())
        more = "rhopsi::Axes<" + std::to_string(program_.module->rank) + ">(), {" + more + "}";
      else if (!slot.less.empty())
        more = "{" + more + "}";
      out_.line("p.domain = call.domain(" +
                (slot.window ? part(first->name, slot, true) : first->name) + ", " +
                std::to_string(program_.module->pad) + axes + (more.empty() ? "" : ", " + more) +
                ");");
    }
    for (const std::string& parameter : program_.names->parameters)
      out_.line("p." + parameter + " = parameters." + parameter + ";");
  }

  static std::string field_type(const EntrySlot& slot, std::size_t axes) {
    return "rhopsi::Field<" + cpp_type(slot.type.scalar) + ", " + std::to_string(axes) + ">";
  }

  void field(const InterfaceArgument& argument) {
    const auto& [name, slot, slots] = argument;
    if (!slot.array()) {
      if (slot.result) out_.line(cpp_type(slot.type.scalar) + " " + name + "{};");
      return;
    }
    const std::string made = field_type(slot, axes(program_, slot)) + " " + name + "_field";
    const std::string called = quoted(slot.name);
    if (slot.made() || slot.result) {
      out_.line(made + ";");
    } else if (!slot.less.empty() && slot.mode == term::Mode::out) {
      out_.line(made + "(" + called + ", " + domain_of(slot) + ");");
    } else {
      const char* const how = slot.less.empty() ? "field" : "field_of_first";
      out_.line(made + " = call." + how + "(" + called + ", " +
                (slot.over_domain() ? domain_of(slot) + ", " + name + in_order() : name) + ");");
    }
  }

  const InterfaceArgument* teller(const InterfaceEntry& entry) const {
    return tells_domain(program_, entry);
  }
  // Where it begins, and which axes of the callers' domain or of the program's it has.
  struct Places {
    std::string begins, axes;
  };
  Places places(const onf::Window& window, bool of_callers) const {
    Places made;
    for (const onf::Window::Axis& axis : window.axes) {
      const std::string between = made.axes.empty() ? "" : ", ";
      made.begins += between + std::to_string(axis.first);
      made.axes += between + (of_callers ? callers_axis(axis)
                              : axis.of  ? std::to_string(*axis.of)
                                         : "-1");
    }
    return made;
  }
  std::string part(const std::string& array, const EntrySlot& slot, bool of_callers) const {
    const Places its = places(*slot.window, of_callers);
    return "rhopsi::interface::part<" + std::to_string(program_.module->rank) + ">(" + array +
           ", {" + its.begins + "}, {" + its.axes + "})";
  }

  // What is made of an array that comes in with lengths of its own.
  void windows(const InterfaceEntry& entry, const InterfaceArgument& argument) {
    for (const std::size_t k : argument.slots) {
      const EntrySlot& slot = entry.point.slots[k];
      if (slot.mode != term::Mode::obs) {
        out_.line("const auto " + entry.parts[k] + " = " + part(argument.name, slot, false) + ";");
        out_.line(field_type(slot, std::size_t(program_.module->rank)) + " " + entry.locals[k] +
                  " = call.field(" + joined({quoted(slot.name), domain_of(slot), entry.parts[k]}) +
                  ");");
        continue;
      }
      const auto [begins, axes] = places(*slot.window, false);
      const std::string part = argument.name + ", {" + begins + "}";
      if (slot.array()) {
        out_.line(field_type(slot, std::size_t(program_.module->rank)) + " " + entry.locals[k] +
                  " = call.window(" + quoted(slot.name) + ", " + domain_of(slot) + ", " + part +
                  ", {" + axes + "});");
      } else {
        out_.line("const " + cpp_type(slot.type.scalar) + " " + entry.locals[k] +
                  " = call.element(" + part + ");");
      }
    }
  }

  // Of the axes, where it is not the callers'.
  std::string in_order() const {
    const std::string axes = axes_text(*program_.module);
    return axes.empty()
               ? ""
               : ", rhopsi::Axes<" + std::to_string(program_.module->rank) + ">(" + axes + ")";
  }
  // Where an array over the domain is stored.
  static std::string domain_of(const EntrySlot& slot) {
    return slot.pads ? stored_text("p.domain", *slot.pads) : "p.domain";
  }

  // All that may lie in another's memory gets its own first.
  void give_back(const InterfaceEntry& entry) {
    std::vector<std::string> detached, made, stored;
    std::string returned;
    for (const auto& [name, slot, slots] : entry.arguments) {
      const std::string field = name + "_field";
      if (!slot.array()) {
        if (slot.result) returned = name;
      } else if (slot.window) {
        for (const std::size_t k : slots) {
          const EntrySlot& one = entry.point.slots[k];
          if (one.mode == term::Mode::obs) continue;
          const std::string where = entry.locals[k] + ", " + entry.parts[k] + ");";
          detached.push_back("call.detach(" + where);
          stored.push_back("call.store(" + quoted(one.name) + ", " + where);
        }
      } else if (slot.made()) {
        detached.push_back("call.detach(" + field + ");");
        made.push_back("call.make(" + quoted(slot.name) + ", " + field + ", " + name + ");");
      } else if (slot.mode != term::Mode::obs) {
        detached.push_back("call.detach(" + field + ", " + name + ");");
        stored.push_back((slot.less.empty() ? "call.store(" : "call.store_first(") +
                         quoted(slot.name) + ", " + field + ", " + name +
                         (slot.over_domain() ? in_order() : "") + ");");
      }
    }
    for (const auto* lines : {&detached, &made, &stored})
      for (const std::string& line : *lines) out_.line(line);
    if (!returned.empty()) out_.line("return " + returned + ";");
  }

  const Interface& program_;
  Text& out_;
};

void any_array_functions(const Interface& program, Definitions& definitions, Text& out) {
  const auto makes = [](const InterfaceEntry& entry) {
    return std::ranges::any_of(entry.point.slots, &EntrySlot::made);
  };
  if (std::ranges::none_of(program.entries, makes)) return;
  out.line("// What a call makes becomes Views, or arrays of C.");
  out.line("namespace " + calls(program) + " {");
  for (const InterfaceEntry& entry : program.entries) {
    if (!makes(entry)) continue;
    out.blank();
    definitions.for_any_array(entry);
  }
  out.blank();
  out.line("}  // namespace " + calls(program));
}

File source(const Interface& program) {
  const std::string& name = program.names->program;
  Text out;
  out.line("// What " + program.library() + ".hpp and " + program.library() + ".h declare.");
  out.raw("#include \"" + program.library() + ".hpp\"\n\n#include \"" + name +
          ".hpp\"\n#include \"rhopsi_interface.hpp\"\n\n");
  Definitions definitions(program, out);
  out.line("namespace " + program.library() + " {");
  any_array_functions(program, definitions, out);
  for (const InterfaceEntry& entry : program.entries) {
    out.blank();
    definitions.cpp(entry);
  }
  out.blank();
  out.line("}  // namespace " + program.library());
  out.blank();
  out.open("static rhopsi::interface::Failure& failure() {");
  out.line("thread_local rhopsi::interface::Failure last;");
  out.line("return last;");
  out.close();
  out.blank();
  out.line("void " + name + "_free(" + name + "_array* array) {" +
           " rhopsi::interface::give_back(array); }");
  out.line("const char* " + name + "_error(void) { return failure().message.c_str(); }");
  out.line("const char* " + name + "_error_code(void) { return failure().code.c_str(); }");
  for (const InterfaceEntry& entry : program.entries) {
    out.blank();
    definitions.c(entry);
  }
  return {program.library() + ".cpp", out.str()};
}

}  // namespace

std::vector<File> interface_files(const Interface& program) {
  return {c_header(program), cpp_header(program), source(program)};
}

}  // namespace rhopsi::kokkos
