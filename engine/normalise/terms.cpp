// Terms into an arena and out of it.
#include <algorithm>
#include <new>
#include <stdexcept>
#include <unordered_map>

#include "engine/normalise/machine.hpp"
#include "engine/normalise/symbols.hpp"

namespace rhopsi::normalise {

Handle Machine::make(Symbol symbol, std::span<const Handle> arguments) {
  if (arguments.size() != program_.arity[symbol]) {
    throw std::invalid_argument("a term needs as many arguments as its symbol takes");
  }
  if (arguments.empty()) return program_.nullary[symbol];
  std::uint32_t flag = program_.defined(symbol) ? reducible : 0;
  const std::size_t words = static_cast<std::size_t>(free_ - heap_) + arguments.size() + 1;
  if (words > bounds_.bytes / sizeof(Handle)) throw std::bad_alloc();
  Handle* const node = take(arguments.size() + 1);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    flag |= heap_[arguments[i]] & reducible;
    node[i + 1] = arguments[i];
  }
  node[0] = symbol | flag;
  return static_cast<Handle>(node - heap_);
}

Handle Machine::make_preorder(std::span<const Symbol> symbols) {
  // From the last one: what has been made and not yet used are the arguments that follow.
  std::vector<Handle> made;
  for (std::size_t i = symbols.size(); i-- > 0;) {
    const std::size_t count = program_.arity[symbols[i]];
    if (count > made.size()) throw std::invalid_argument("a term ends too early");
    std::reverse(made.end() - static_cast<std::ptrdiff_t>(count), made.end());
    const Handle term = make(symbols[i], {made.data() + made.size() - count, count});
    made.resize(made.size() - count);
    made.push_back(term);
  }
  if (made.size() != 1) throw std::invalid_argument("one term is wanted");
  return made.front();
}

std::optional<Handle> Machine::load(const term::Store& store, term::TermId term) {
  std::unordered_map<term::TermId, Handle> made;
  std::vector<term::TermId> open{term};
  std::vector<Handle> arguments;
  while (!open.empty()) {
    const term::TermId top = open.back();
    if (made.contains(top)) {
      open.pop_back();
      continue;
    }
    const auto symbol = symbol_of(program_, store, top);
    if (!symbol || !store.bound(top).empty()) return std::nullopt;
    arguments.clear();
    bool ready = true;
    for (const term::TermId child : store.children(top)) {
      const auto found = made.find(child);
      if (found == made.end()) {
        open.push_back(child);
        ready = false;
      } else if (ready) {
        arguments.push_back(found->second);
      }
    }
    if (!ready) continue;
    made.emplace(top, make(*symbol, arguments));
    open.pop_back();
  }
  return made.at(term);
}

term::TermId Machine::unload(term::Store& store, Handle term) const {
  std::unordered_map<Handle, term::TermId> made;
  std::vector<Handle> open{term};
  std::vector<term::TermId> children;
  while (!open.empty()) {
    const Handle top = open.back();
    if (made.contains(top)) {
      open.pop_back();
      continue;
    }
    children.clear();
    bool ready = true;
    for (const Handle argument : arguments(top)) {
      const auto found = made.find(argument);
      if (found == made.end()) {
        open.push_back(argument);
        ready = false;
      } else if (ready) {
        children.push_back(found->second);
      }
    }
    if (!ready) continue;
    made.emplace(top, store.make(program_.symbols[symbol(top)], children));
    open.pop_back();
  }
  return made.at(term);
}

}  // namespace rhopsi::normalise
