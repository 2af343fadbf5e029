#include "engine/verify/numbers.hpp"

#include <algorithm>

#include "engine/moa/expression.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::verify {

using onf::Representation;
using term::SymbolId;
using term::TermId;

namespace {

// The right sides of the equations of the operation.
std::vector<TermId> definitions_of(const moa::Library::Contents& library, SymbolId operation) {
  std::vector<TermId> sides;
  for (const auto* equations : {&library.shapes, &library.elements, &library.meanings}) {
    const auto rules = equations->find(operation);
    if (rules == equations->end()) continue;
    for (const moa::Equation& rule : rules->second) sides.push_back(rule.right);
  }
  const auto callable = library.callables.find(operation);
  if (callable != library.callables.end() && callable->second->body) {
    sides.push_back(*callable->second->body);
  }
  return sides;
}

bool promotes(const moa::Library::Contents& library, term::SortId sort) {
  const Representation* found = library.representation(sort);
  return found != nullptr && found->promotes;
}

bool has_literal_that_promotes(const moa::Library::Contents& library, TermId root) {
  bool found = false;
  term::for_each_subterm(library.store, root, [&](TermId part) {
    const bool literal = library.store.head(part).kind == term::SymbolKind::integer_literal;
    found = found || (literal && promotes(library, library.store.sort(part)));
    return !found;
  });
  return found;
}

// From an integer or a truth value, or a comparison whose result is a number.
bool makes_numbers(const moa::Library::Contents& library, SymbolId operation) {
  const term::Symbol& symbol = library.store[operation];
  if (!promotes(library, symbol.result)) return false;
  for (term::SortId each : symbol.parameters) {
    const Representation* found = library.representation(each);
    if (found != nullptr && found->kind == Representation::Kind::scalar && !found->promotes) {
      return true;
    }
  }
  const onf::Primitive* primitive = library.primitive(operation);
  if (primitive == nullptr || primitive->kind != onf::Primitive::Kind::scalar) return false;
  constexpr moa::Scalar operands[] = {moa::Scalar::float64, moa::Scalar::float64,
                                      moa::Scalar::float64};
  return primitive->function != onf::ScalarFunction::convert &&
         moa::result_type(primitive->function, operands) == moa::Scalar::boolean;
}

}  // namespace

std::vector<SymbolId> operations_behind(const moa::Library::Contents& library,
                                        const std::vector<TermId>& terms) {
  std::vector<SymbolId> found;
  const auto add = [&](TermId side) {
    for (SymbolId each : term::operations_in(library.store, side)) {
      if (std::ranges::find(found, each) == found.end()) found.push_back(each);
    }
  };
  std::ranges::for_each(terms, add);
  for (std::size_t k = 0; k < found.size(); ++k) {
    std::ranges::for_each(definitions_of(library, found[k]), add);
  }
  return found;
}

bool has_numbers_that_promote(const moa::Library::Contents& library,
                              const std::vector<TermId>& terms) {
  const auto literal = [&](TermId each) { return has_literal_that_promotes(library, each); };
  if (std::ranges::any_of(terms, literal)) return true;
  return std::ranges::any_of(operations_behind(library, terms), [&](SymbolId each) {
    return makes_numbers(library, each) ||
           std::ranges::any_of(definitions_of(library, each), literal);
  });
}

}  // namespace rhopsi::verify
