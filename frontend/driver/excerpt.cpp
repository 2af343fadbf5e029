#include "frontend/driver/excerpt.hpp"

#include <algorithm>
#include <vector>

namespace rhopsi::driver {

using term::Control;
using term::TermId;

namespace {

constexpr std::size_t most_levels = 3;
constexpr std::size_t most_beside = 24;
// Stands for the part while the surroundings are printed; no text of a specification has it.
constexpr char mark = '\x01';

TermId stand_in(term::Store& store, const std::string& text, TermId of) {
  return store.make(store.fresh_variable(text, store.sort(of)));
}

// Statements are shown one at a time.
bool ends_surroundings(const term::Store& store, TermId parent) {
  switch (store.head(parent).control) {
    case Control::block:
    case Control::for_:
    case Control::while_:
    case Control::iterate:
      return true;
    default:
      return false;
  }
}

// f(...), and nothing behind it?
bool is_call(const std::string& part) {
  const std::size_t open = part.find('(');
  if (open == 0 || open == std::string::npos || part.find(' ') < open) return false;
  int depth = 0;
  for (std::size_t i = open; i < part.size(); ++i) {
    depth += part[i] == '(' ? 1 : part[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1 == part.size();
  }
  return part.ends_with("...");
}

bool needs_parentheses(const std::string& part, const Excerpt& around) {
  const bool closed_before = around.before.empty() || around.before.ends_with("(") ||
                             around.before.ends_with(", ") || around.before.ends_with("= ") ||
                             around.before.ends_with("value ");
  const bool closed_after =
      around.after.empty() || around.after.starts_with(")") || around.after.starts_with(",");
  return part.find(' ') != std::string::npos && !is_call(part) && !(closed_before && closed_after);
}

}  // namespace

Excerpt excerpt(term::Store& store, TermId root, std::span<const std::uint32_t> position) {
  std::vector<TermId> way{root};
  for (const std::uint32_t child : position) way.push_back(store.children(way.back())[child]);
  TermId shown = stand_in(store, std::string(1, mark), way.back());
  bool more = false;
  std::size_t levels = 0;
  for (std::size_t depth = position.size(); depth > 0; --depth, ++levels) {
    const TermId parent = way[depth - 1];
    if (ends_surroundings(store, parent)) break;
    more = levels == most_levels;
    if (more) break;
    std::vector<TermId> children(store.children(parent).begin(), store.children(parent).end());
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (i == position[depth - 1]) {
        children[i] = shown;
      } else if (to_string(store, children[i], most_beside).size() > most_beside) {
        children[i] = stand_in(store, "...", children[i]);
      }
    }
    const std::vector<term::SymbolId> bound(store.bound(parent).begin(), store.bound(parent).end());
    shown = store.make(store.symbol(parent), children, bound);
  }
  const std::string text = to_string(store, shown);
  const std::size_t at = text.find(mark);
  Excerpt around{text.substr(0, at), text.substr(at + 1)};
  if (more) {
    if (!around.before.starts_with("...")) around.before = "... " + around.before;
    if (!around.after.ends_with("...")) around.after += " ...";
  }
  return around;
}

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char each) { return (static_cast<unsigned char>(each) & 0xC0U) != 0x80U; }));
}

std::string marked(const Excerpt& around, const std::string& part, const std::string& indent) {
  const bool enclosed = needs_parentheses(part, around);
  const std::string before = around.before + (enclosed ? "(" : "");
  const std::string after = (enclosed ? ")" : "") + around.after;
  return indent + before + part + after + "\n" + std::string(width(indent + before), ' ') +
         std::string(width(part), '^') + "\n";
}

}  // namespace rhopsi::driver
