// The symbols of a program for the terms of a store.
#pragma once

#include <optional>

#include "engine/normalise/program.hpp"

namespace rhopsi::normalise {

// The symbol of `term`'s root; none for what the program was not told of.
inline std::optional<Symbol> symbol_of(const Program& program, const term::Store& store,
                                       term::TermId term) {
  const term::SymbolId id = store.symbol(term);
  const auto count = static_cast<std::uint32_t>(store.children(term).size());
  if (store[id].kind == term::SymbolKind::control) {
    const auto found = program.of_construct.find({id, count});
    if (found == program.of_construct.end()) return std::nullopt;
    return found->second;
  }
  const auto place = static_cast<std::size_t>(id);
  if (place >= program.of_operation.size() || program.of_operation[place] == 0) return std::nullopt;
  return program.of_operation[place] - 1;
}

}  // namespace rhopsi::normalise
