#include "backends/kokkos/emit/interface.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "backends/kokkos/emit/text.hpp"
#include "engine/onf/axes.hpp"
#include "engine/onf/print.hpp"

namespace rhopsi::kokkos {

namespace {

std::string legal(const std::string& name) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : name + ",") {
    if (c != ':' && c != ',') {
      word += c;
      continue;
    }
    if (!word.empty()) words.push_back(word);
    word.clear();
  }
  return joined_identifier(words);
}

bool is_one_of(std::initializer_list<const char*> words, const std::string& word) {
  return std::ranges::count(words, word) > 0;
}

// With a `_` where a language or what is emitted has the word for itself, as identifier() does.
std::string free_word(const std::string& word) {
  const bool taken =
      is_one_of({"parameters", "domain", "call", "p", "restrict", "numpy", "ctypes"}, word);
  return taken ? word + "_" : python_word(word);
}

// What the bodies of functions name, in C++ and in C, or in the Python module.
constexpr std::array<const char*, 18> names_beside_functions{
    "Parameters", "parameters", "array",   "free",      "error",         "error_code",
    "Error",      "os",         "weakref", "any",       "isinstance",    "max",
    "super",      "tuple",      "type",    "TypeError", "OverflowError", "ValueError"};
constexpr std::array<const char*, 7> names_beside_arguments{
    "failure", "int32_t", "int64_t", "_check", "_given", "_integer", "_taken"};

// Behind the names of arguments, for variables of their own.
constexpr std::array<const char*, 6> tails{"_extents", "_strides", "_field",
                                           "_made",    "_given",   "_type"};

std::string argument_name(NameTable& arguments, const std::string& wanted) {
  std::string name;
  do {
    name = arguments.unique(wanted);
  } while (std::ranges::any_of(tails,
                               [&](const char* tail) { return arguments.contains(name + tail); }));
  for (const char* tail : tails) arguments.reserve(name + tail);
  return name;
}

bool has_arrays(const EntryPoint& entry) {
  return std::ranges::any_of(
      entry.slots, [](const EntrySlot& slot) { return slot.array() || slot.window.has_value(); });
}

// The slots of an entry as callers have them.
std::vector<InterfaceArgument> arguments_of(const std::vector<EntrySlot>& slots) {
  std::vector<InterfaceArgument> made;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const auto same = std::ranges::find_if(made, [&](const InterfaceArgument& each) {
      return slots[k].window && each.slot.window && each.slot.name == slots[k].name;
    });
    if (same != made.end()) {
      same->slots.push_back(k);
      continue;
    }
    made.push_back({{}, slots[k], {k}});
    if (slots[k].window) made.back().slot.type.kind = onf::Representation::Kind::array;
  }
  return made;
}

// Names of the arguments, and behind them of what is made of them.
void name_arguments(const Interface& program, InterfaceEntry& entry) {
  NameTable names;
  for (const char* taken : names_beside_arguments) names.reserve(taken);
  for (const std::string& taken : {program.names->program, program.library(), entry.name})
    names.reserve(taken);
  for (InterfaceArgument& argument : entry.arguments)
    argument.name = argument_name(names, free_word(legal(argument.slot.name)));
  entry.locals.resize(entry.point.slots.size());
  entry.parts.resize(entry.point.slots.size());
  for (const InterfaceArgument& argument : entry.arguments) {
    const bool windows = argument.slot.window.has_value();
    for (std::size_t number = 0; number < argument.slots.size(); ++number) {
      entry.locals[argument.slots[number]] =
          windows ? names.unique(argument.name + "_" + std::to_string(number))
                  : argument.name + (argument.slot.array() ? "_field" : "");
      if (windows)
        entry.parts[argument.slots[number]] =
            names.unique(entry.locals[argument.slots[number]] + "_given");
    }
  }
}

// "n0 x n1"
std::string domain_words(const onf::Module& module) {
  std::string lengths;
  for (int axis = 0; axis < module.rank; ++axis)
    lengths += (axis > 0 ? " x n" : "n") + std::to_string(axis);
  return lengths;
}

// Of an array that comes in with lengths of its own, by those of the domain: "n0+1 x 3".
std::string window_words(const onf::Module& module, const onf::Window& window) {
  std::string lengths;
  for (const onf::Window::Axis& axis : window.axes) {
    lengths += lengths.empty() ? ", of lengths " : " x ";
    if (axis.of) lengths += "n" + std::to_string(onf::given_axis(module.axes, *axis.of));
    if (axis.of && axis.more > 0) lengths += "+";
    if (!axis.of || axis.more != 0) lengths += std::to_string(axis.more);
  }
  return lengths;
}

std::string shape_words(const Interface& program, const EntrySlot& slot) {
  if (slot.window) return window_words(*program.module, *slot.window);
  if (!slot.less.empty())
    return ", without the last " + numbers_text(slot.callers_less(*program.module));
  if (slot.own == nullptr) return program.module->one_shape ? "" : ", over the domain";
  std::string lengths;
  bool any = false;
  for (const onf::Expr& extent : *slot.own->extents) {
    const bool known = extent.kind == onf::Expr::Kind::integer;
    any = any || known;
    lengths += (lengths.empty() ? "" : " x ") + (known ? std::to_string(extent.integer) : "any");
  }
  return any ? ", of shape " + lengths : "";
}

const char* mode_words(const EntrySlot& slot) {
  if (slot.result) return "the result";
  if (slot.mode == term::Mode::obs) return "read";
  return slot.mode == term::Mode::upd ? "read and set" : "set";
}

}  // namespace

Interface interface_of(const term::Store& store, const onf::Module& module, const Names& names,
                       const std::vector<std::string>& wanted) {
  Interface made{&store, &module, &names, {}};
  NameTable functions;
  for (const char* taken : names_beside_functions) functions.reserve(taken);
  for (EntryPoint& point : entry_points(module, wanted)) {
    if (wanted.empty() && !has_arrays(point)) continue;
    InterfaceEntry entry{std::move(point), {}, {}, {}, {}};
    entry.name = functions.unique(free_word(legal(entry.point.name)));
    entry.arguments = arguments_of(entry.point.slots);
    name_arguments(made, entry);
    made.entries.push_back(std::move(entry));
  }
  return made;
}

std::string python_word(const std::string& word) {
  const bool taken =
      is_one_of({"as",     "def",    "del",   "elif",  "except", "exec",     "finally", "from",
                 "global", "import", "in",    "is",    "lambda", "nonlocal", "pass",    "raise",
                 "with",   "yield",  "async", "await", "None",   "True",     "False"},
                word);
  return taken ? word + "_" : word;
}

std::string module_name(const Interface& program) { return free_word(program.names->program); }

std::size_t axes(const Interface& program, const EntrySlot& slot) {
  if (slot.window) return slot.window->axes.size();
  return slot.own != nullptr ? slot.own->extents->size() : std::size_t(program.module->rank);
}

const InterfaceArgument* tells_domain(const Interface& program, const InterfaceEntry& entry) {
  const auto first = [&](const auto& is) -> const InterfaceArgument* {
    const auto found = std::ranges::find_if(
        entry.arguments, [&](const InterfaceArgument& each) { return is(each.slot); });
    return found == entry.arguments.end() ? nullptr : &*found;
  };
  if (const auto* whole = first([](const EntrySlot& slot) { return slot.whole(); })) return whole;
  const auto* shorter = first([](const EntrySlot& slot) {
    return slot.over_domain() && !slot.window && !slot.less.empty();
  });
  if (shorter != nullptr) return shorter;
  return first([&](const EntrySlot& slot) {
    if (!slot.window) return false;
    const auto& axes = slot.window->axes;
    const auto has = [](const onf::Window::Axis& axis) { return axis.of.has_value(); };
    return std::ranges::count_if(axes, has) == program.module->rank &&
           std::ranges::all_of(axes,
                               [&](const auto& axis) { return !has(axis) || axis.more == 0; });
  });
}

std::vector<std::string> documentation(const Interface& program, const InterfaceEntry& entry) {
  const std::string where = onf::place(*program.store, program.function(entry).location);
  std::string title = entry.name;
  if (entry.name != entry.point.name) title += " (" + entry.point.name + ")";
  std::vector<std::string> lines{in_comment(title + (where.empty() ? "" : ", " + where))};
  if (const auto& repeats = program.function(entry).repeats) {
    lines.push_back("  does what " + std::to_string(repeats->times) + " calls of " +
                    program.module->functions[onf::number(repeats->of)].name + " in a row do");
  }
  bool tables = false;
  for (const auto& [name, slot, slots] : entry.arguments) {
    const std::size_t rank = slot.array() ? axes(program, slot) : 0;
    tables = tables || slot.window;
    lines.push_back("  " + name + ": " + mode_words(slot) + ", " +
                    onf::to_string(slot.type.scalar) +
                    (slot.array() ? ", " + std::to_string(rank) + (rank == 1 ? " axis" : " axes") +
                                        shape_words(program, slot)
                                  : ""));
  }
  const bool fewer = std::ranges::any_of(entry.point.slots,
                                         [](const EntrySlot& slot) { return !slot.less.empty(); });
  if (program.module->one_shape && has_arrays(entry.point)) {
    const bool others = std::ranges::any_of(entry.arguments, [](const InterfaceArgument& each) {
      return each.slot.array() && !each.slot.window;
    });
    const std::string which = fewer || tables ? "  all other arrays" : "  all arrays";
    lines.push_back((others ? which + " have one shape, " : "  ") +
                    (tables ? domain_words(*program.module) + ", " : "") + "with elements");
    for (const onf::Precondition& each : program.function(entry).preconditions)
      lines.push_back("  " + in_comment(each.otherwise));
  }
  const std::string order = axes_text(*program.module);
  if (!order.empty() && has_arrays(entry.point)) {
    lines.push_back("  the program keeps axes in the order " + order +
                    ": what is used where it lies has to be dense in that one");
  }
  return lines;
}

}  // namespace rhopsi::kokkos
