#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/primitives/primitives.hpp"
#include "backends/reference/failure.hpp"
#include "backends/reference/machine.hpp"
#include "backends/reference/scalars.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::reference {

using term::Callable;
using term::SymbolId;

Value Machine::parameter(const Callable& callable) {
  const term::Symbol& symbol = store_[callable.symbol];
  const onf::Scalar type = scalar_of_sort(symbol.result);
  const auto found = options_.parameters.find(symbol.name);
  if (found == options_.parameters.end()) {
    fail(codes::parameters, fmt::format("The parameter `{}` has no value.", symbol.name));
  }
  if (const auto* integer = std::get_if<std::int64_t>(&found->second)) {
    return integer_value(*integer, type);
  }
  const double real = std::get<double>(found->second);
  const bool is_real = type == onf::Scalar::float32 || type == onf::Scalar::float64;
  if (!is_real && real != std::trunc(real)) {
    fail(codes::parameters, fmt::format("The parameter `{}` is of type {}; {} is none.",
                                        symbol.name, to_string(type), real));
  }
  return convert(Value(real), type);
}

// What a call may lead to at once: operations of the body and the guard, and what an
// external requires.
std::vector<SymbolId> Machine::called_by(const Callable& callable) const {
  std::vector<SymbolId> called;
  const auto add = [&](term::TermId term) {
    std::ranges::copy(operations_in(store_, term), std::back_inserter(called));
  };
  if (callable.guard) add(*callable.guard);
  if (callable.body) {
    add(*callable.body);
  } else {
    for (const auto& operation : callable.external->block->operations) {
      if (operation.required) called.push_back(operation.symbol);
    }
  }
  return called;
}

bool Machine::is_missing_parameter(const Callable& callable) const {
  if (callable.body || options_.parameters.contains(store_[callable.symbol].name)) return false;
  const auto found = onf::primitive_of(store_, program_, callable, table_);
  return found && found->kind == onf::Primitive::Kind::parameter;
}

// Walks everything that may be called, so that one message names all that is missing.
void Machine::check_parameters(SymbolId entry) {
  if (!checked_.insert(entry).second) return;
  std::vector<SymbolId> pending{entry};
  std::unordered_set<SymbolId> seen{entry};
  std::vector<std::string> missing;
  while (!pending.empty()) {
    const Callable* callable = concrete(pending.back());
    pending.pop_back();
    if (callable == nullptr) continue;
    for (SymbolId symbol : called_by(*callable)) {
      if (seen.insert(symbol).second) pending.push_back(symbol);
    }
    if (is_missing_parameter(*callable)) missing.push_back(store_[callable->symbol].name);
  }
  if (missing.empty()) return;
  checked_.erase(entry);
  std::ranges::sort(missing);
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  fail(codes::parameters,
       fmt::format("{} needed and {} no value: {}.",
                   missing.size() == 1 ? "A parameter is" : "Parameters are",
                   missing.size() == 1 ? "has" : "have", fmt::join(missing, ", ")));
}

// All padded arrays of a program are padded alike; without any, nothing is.
std::int64_t Machine::padding() {
  if (padding_) return *padding_;
  std::optional<std::int64_t> found;
  for (const Callable& callable : program_.callables) {
    if (!callable.external || !table_.closed(callable.external->block->backend)) continue;
    const auto symbol = primitives::padding_of(*callable.external->block);
    if (!symbol) continue;
    const std::int64_t width = padding_value(*symbol);
    if (found && *found != width) {
      fail(codes::padding,
           fmt::format("The program pads arrays by {} and by {} elements.", *found, width));
    }
    found = width;
  }
  padding_ = found.value_or(0);
  return *padding_;
}

std::int64_t Machine::padding_value(SymbolId symbol) {
  const Callable* callable = concrete(symbol);
  std::optional<std::int64_t> width;
  if (callable != nullptr && callable->body) {
    width = onf::constant_value(store_, program_, *callable->body, table_);
  }
  if (!width || *width < 0) {
    fail(codes::padding, fmt::format("{} has to be a constant of at least 0.", name(symbol)));
  }
  return *width;
}

}  // namespace rhopsi::reference
