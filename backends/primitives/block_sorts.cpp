#include "backends/primitives/block_sorts.hpp"

#include <algorithm>

namespace rhopsi::primitives {

using onf::Representation;
using onf::Scalar;
using term::ExternalBlock;
using term::SortId;
using term::Store;
using term::Symbol;
using term::SymbolKind;

const TypeRow* find_type_row(std::string_view name) {
  const auto rows = type_rows();
  const auto found = std::ranges::find(rows, name, &TypeRow::name);
  return found == rows.end() ? nullptr : &*found;
}

bool has_name(const ExternalBlock& block, SortId sort, std::string_view name) {
  return std::ranges::any_of(block.types, [&](const ExternalBlock::Type& type) {
    return type.sort == sort && type.original == name;
  });
}

namespace {

bool is_index_scalar(const TypeRow* row) {
  return row != nullptr && row->path == Path::index && row->kind == Representation::Kind::scalar;
}

}  // namespace

bool sort_is_index_scalar(const ExternalBlock& block, SortId sort) {
  return std::ranges::any_of(block.types, [&](const ExternalBlock::Type& type) {
    return type.sort == sort && is_index_scalar(find_type_row(type.original));
  });
}

namespace {

bool sort_is_numeric(const ExternalBlock& block, SortId sort, bool reals_only) {
  return std::ranges::any_of(block.types, [&](const ExternalBlock::Type& type) {
    const TypeRow* row = find_type_row(type.original);
    return type.sort == sort && row != nullptr && row->path == Path::scalar &&
           row->scalar != Scalar::boolean &&
           (!reals_only || row->scalar == Scalar::float32 || row->scalar == Scalar::float64);
  });
}

bool sort_fits(const Store& store, const ExternalBlock& block, char letter, SortId sort) {
  switch (letter) {
    case 'T':
      return sort_is_numeric(block, sort, false);
    case 'R':
      return sort_is_numeric(block, sort, true);
    case 'S':
    case 'D':
      return sort_is_numeric(block, sort, false) || sort_is_index_scalar(block, sort) ||
             has_name(block, sort, "Bool");
    case 'B':
      return has_name(block, sort, "Bool");
    case 'P':
      return sort == store.predicate_sort() || has_name(block, sort, "Bool");
    case 'N':
      return sort_is_index_scalar(block, sort);
    case 'V':
      return sort != store.predicate_sort() && sort != store.statement_sort() &&
             !has_name(block, sort, "Array") && !has_name(block, sort, "Index");
    case 'Z':
      return true;
    case 'u':
      return has_name(block, sort, "Array");
    default:
      return has_name(block, sort, letter_text(letter));
  }
}

}  // namespace

Subject subject_of(const Store& store, const ExternalBlock& block, const Symbol& symbol,
                   std::optional<SortId>& same) {
  const auto fits = [&store, &block, &symbol, &same](char letter, std::size_t position) {
    const bool is_result = position == symbol.parameters.size();
    const SortId sort = is_result ? symbol.result : symbol.parameters[position];
    if (!sort_fits(store, block, letter, sort)) return false;
    const term::Mode wanted = letter == 'u' ? term::Mode::upd : term::Mode::obs;
    if (!is_result && position < symbol.modes.size() && symbol.modes[position] != wanted) {
      return false;
    }
    if (letter != 'T' && letter != 'R') return true;
    if (!same) same = sort;
    return *same == sort;
  };
  return {symbol.parameters.size(), symbol.kind != SymbolKind::procedure, fits};
}

}  // namespace rhopsi::primitives
