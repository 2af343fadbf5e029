// The equations of a theory by which shapes are known.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/term/oracle.hpp"
#include "engine/term/rule.hpp"

namespace rhopsi::rewrite {

// What a target calls the shape of an array, a component and the length of a vector, and the order
// of integers.
struct ShapeSymbols {
  struct Order {
    std::optional<term::SymbolId> less;
    std::optional<term::SymbolId> less_equal;
  };

  ShapeSymbols(const term::Store& store, std::span<const term::Callable> callables,
               const term::Interpretation& interpretation);

  std::unordered_set<term::SymbolId> shapes;
  std::unordered_set<term::SymbolId> components;
  std::unordered_set<term::SymbolId> lengths;
  std::unordered_set<term::SortId> arrays;
  std::unordered_set<term::SortId> vectors;
  std::unordered_set<term::SortId> integers;  // of components
  std::map<term::SortId, Order> orders;
  std::unordered_set<term::SymbolId> given;  // a body or an external, and not by an axiom
};

// Of the axioms that are no theorems and hold without a condition, in their order:
//
//   shape(f(x1, ..., xn)) == s     says which shape an operation gives
//   f(x1, ..., xn) == v            says what a function of arrays or vectors is, whose value is an
//                                  array, a vector, or an integer that is no fold
//
// with distinct variables x1 to xn on the left side and without f on the right one, where the
// target gives f no meaning of its own. Of two about the same operation the first.
std::vector<term::Rule> shape_laws(term::Store& store, const ShapeSymbols& symbols,
                                   const term::Interpretation& interpretation,
                                   std::span<const term::Axiom> axioms);

// The laws by the operation f that they are about.
struct LawIndex {
  LawIndex() = default;
  LawIndex(const term::Store& store, const ShapeSymbols& symbols, std::span<const term::Rule> laws);

  std::unordered_map<term::SymbolId, std::size_t> shapes;
  std::unordered_map<term::SymbolId, std::size_t> arrays;
  std::unordered_map<term::SymbolId, std::size_t> vectors;
  std::unordered_map<term::SymbolId, std::size_t> numbers;
};

}  // namespace rhopsi::rewrite
