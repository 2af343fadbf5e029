#include "backends/primitives/messages.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rhopsi::primitives {

using term::ExternalBlock;
using term::SortId;
using term::Store;
using term::Symbol;
using term::SymbolKind;

std::string quoted_path(const ExternalBlock& block) {
  return fmt::format("`{} {}`", block.backend, block.path);
}

std::string symbol_text(const Store& store, std::string_view original, const Symbol& symbol) {
  std::vector<std::string> parameters;
  for (SortId sort : symbol.parameters) parameters.push_back(store.name(sort));
  std::string text = fmt::format("`{}({})", original, fmt::join(parameters, ", "));
  if (symbol.kind == SymbolKind::function) text += ": " + store.name(symbol.result);
  return text + "`";
}

std::vector<const OperationRow*> rows_of(Path path) {
  std::vector<const OperationRow*> found;
  for (const OperationRow& row : operation_rows()) {
    if (row.path == path) found.push_back(&row);
  }
  return found;
}

std::string offered_operations(Path path) {
  std::vector<std::string> names;
  for (const OperationRow* row : rows_of(path)) {
    std::string name(row->name);
    if (name.ends_with('#')) name = name.substr(0, name.size() - 1) + "0 .. 5";
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string offered_types(Path path) {
  std::vector<std::string_view> names;
  for (const TypeRow& row : type_rows()) {
    if (row.path == path) names.push_back(row.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string legend(std::string_view pattern) {
  std::string text;
  if (pattern.find('T') != pattern.npos) text += ", T one numeric type of the block";
  if (pattern.find('R') != pattern.npos) text += ", R one of Real, Float and Double";
  if (pattern.find('N') != pattern.npos) {
    text += ", N any of Axis, Offset, ScalarIndex and AxisLength";
  }
  if (pattern.find('S') != pattern.npos) text += ", S and D scalar types of the block";
  return text;
}

std::string misfit_text(const Store& store, const Symbol& symbol, const Misfit& misfit) {
  if (misfit.kind == Misfit::Kind::count) {
    return fmt::format("{} arguments are not what it takes", symbol.parameters.size());
  }
  if (misfit.letter == 0) return "it is a procedure, without a result";
  const std::string expected = letter_text(misfit.letter);
  if (misfit.kind == Misfit::Kind::result) {
    return symbol.kind == SymbolKind::procedure
               ? fmt::format("it is no procedure, its result is {}", expected)
               : fmt::format("the result is {} where {} stands", store.name(symbol.result),
                             expected);
  }
  return fmt::format("argument {} is {} where {} stands", misfit.position + 1,
                     store.name(symbol.parameters[misfit.position]), expected);
}

}  // namespace rhopsi::primitives
