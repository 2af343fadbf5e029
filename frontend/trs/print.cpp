#include <string_view>

#include "frontend/trs/read.hpp"

namespace rhopsi::trs {

namespace {

std::string quoted(const std::string& name) {
  const bool plain = !name.empty() && name.find_first_of(" \t\n\v\f\r();") == std::string::npos &&
                     name.front() != '|' && name.front() != ':' && name.front() != '"';
  return plain ? name : "|" + name + "|";
}

}  // namespace

std::string print(const System& system, const Rule& rule, const Term& term) {
  std::string text;
  std::vector<std::uint32_t> missing;  // arguments of the symbols that are open
  for (std::int32_t each : term) {
    if (!text.empty()) text += ' ';
    std::uint32_t arity = 0;
    if (each < 0) {
      text += quoted(rule.variables[static_cast<std::size_t>(~each)].name);
    } else {
      const Symbol& symbol = system.symbols[static_cast<std::size_t>(each)];
      arity = symbol.arity;
      text += (arity > 0 ? "(" : "") + quoted(symbol.name);
    }
    if (arity > 0) {
      missing.push_back(arity);
      continue;
    }
    while (!missing.empty() && --missing.back() == 0) {
      missing.pop_back();
      text += ')';
    }
  }
  return text;
}

std::string print(const System& system) {
  const bool sorted = !system.sorts.empty();
  std::string text = sorted ? "(format MSTRS)\n" : "(format TRS)\n";
  if (system.strategy == Strategy::innermost) text += "(strategy innermost)\n";
  if (system.strategy == Strategy::outermost) text += "(strategy outermost)\n";
  for (const std::string& each : system.sorts) text += "(sort " + quoted(each) + ")\n";
  for (const Symbol& each : system.symbols) {
    text += "(fun " + quoted(each.name) + " ";
    if (!sorted) {
      text += std::to_string(each.arity);
    } else if (each.arity == 0) {
      text += quoted(system.sorts[each.result]);
    } else {
      text += "(->";
      for (std::uint32_t sort : each.parameters) text += " " + quoted(system.sorts[sort]);
      text += " " + quoted(system.sorts[each.result]) + ")";
    }
    text += ")\n";
  }
  for (const Rule& each : system.rules) {
    text += "(rule " + print(system, each, each.left) + " " + print(system, each, each.right);
    for (const Condition& condition : each.conditions) {
      text += " (= " + print(system, each, condition.left) + " " +
              print(system, each, condition.right) + ")";
    }
    text += ")\n";
  }
  return text;
}

}  // namespace rhopsi::trs
