#include "engine/normalise/machine.hpp"

namespace rhopsi::normalise {
namespace {

// Pieces are handed on when so much has come together.
constexpr std::size_t piece = 65536;

std::string name_of(const term::Symbol& symbol) {
  if (!symbol.name.empty()) return symbol.name;
  if (symbol.kind == term::SymbolKind::integer_literal) return std::to_string(symbol.integer);
  return "#" + std::to_string(static_cast<int>(symbol.control));
}

struct Open {
  Handle term;
  std::uint32_t next;
};

}  // namespace

void print(const term::Store& store, const Machine& machine, Handle term, const Output& output) {
  std::string text;
  std::vector<std::string> names(machine.program().symbols.size());
  std::vector<Open> open{{term, 0}};
  while (!open.empty()) {
    Open& top = open.back();
    const auto arguments = machine.arguments(top.term);
    if (top.next == 0) {
      std::string& name = names[machine.symbol(top.term)];
      if (name.empty()) name = name_of(store[machine.program().symbols[machine.symbol(top.term)]]);
      text += name;
    }
    if (top.next == arguments.size()) {
      if (!arguments.empty()) text += ')';
      open.pop_back();
    } else {
      text += top.next == 0 ? "(" : ", ";
      const Handle argument = arguments[top.next];
      ++top.next;
      open.push_back({argument, 0});
    }
    if (text.size() > piece) {
      output(text);
      text.clear();
    }
  }
  output(text);
}

std::string to_string(const term::Store& store, const Machine& machine, Handle term) {
  std::string text;
  print(store, machine, term, [&](std::string_view part) { text += part; });
  return text;
}

}  // namespace rhopsi::normalise
