#include "backends/kokkos/emit/interface.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "backends/kokkos/emit/text.hpp"
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
  return std::ranges::any_of(entry.slots, [](const EntrySlot& slot) { return slot.array(); });
}

std::string shape_words(const Interface& program, const EntrySlot& slot) {
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
    InterfaceEntry entry{std::move(point), {}, {}};
    entry.name = functions.unique(free_word(legal(entry.point.name)));
    NameTable arguments;
    for (const char* taken : names_beside_arguments) arguments.reserve(taken);
    for (const std::string& taken : {names.program, made.library(), entry.name})
      arguments.reserve(taken);
    for (const EntrySlot& slot : entry.point.slots)
      entry.arguments.push_back(argument_name(arguments, free_word(legal(slot.name))));
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
  return slot.own != nullptr ? slot.own->extents->size() : std::size_t(program.module->rank);
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
  for (std::size_t k = 0; k < entry.arguments.size(); ++k) {
    const EntrySlot& slot = entry.point.slots[k];
    const std::size_t rank = slot.array() ? axes(program, slot) : 0;
    lines.push_back("  " + entry.arguments[k] + ": " + mode_words(slot) + ", " +
                    onf::to_string(slot.type.scalar) +
                    (slot.array() ? ", " + std::to_string(rank) + (rank == 1 ? " axis" : " axes") +
                                        shape_words(program, slot)
                                  : ""));
  }
  const bool fewer = std::ranges::any_of(entry.point.slots,
                                         [](const EntrySlot& slot) { return !slot.less.empty(); });
  if (program.module->one_shape && has_arrays(entry.point)) {
    lines.push_back(fewer ? "  all other arrays have one shape, with elements"
                          : "  all arrays have one shape, with elements");
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
