#include "backends/reference/memo.hpp"

#include <algorithm>

#include "engine/term/operations.hpp"

namespace rhopsi::reference {

namespace {

// One body is called with different arrays in turn; more of them than this recompute.
constexpr std::size_t entries_per_term = 8;

}  // namespace

const std::vector<term::SymbolId>& Memo::free_variables(term::TermId term) {
  const auto found = free_variables_.find(term);
  if (found != free_variables_.end()) return found->second;
  return free_variables_.emplace(term, term::free_variables(store_, term)).first->second;
}

const Value* Memo::find(term::TermId term, const std::vector<Value>& variables) const {
  const auto found = entries_.find(term);
  if (found == entries_.end()) return nullptr;
  for (const Entry& entry : found->second.entries) {
    if (std::ranges::equal(entry.variables, variables, identical)) return &entry.value;
  }
  return nullptr;
}

void Memo::keep(term::TermId term, std::vector<Value> variables, Value value) {
  Entries& kept = entries_[term];
  if (kept.entries.size() < entries_per_term) {
    kept.entries.push_back({std::move(variables), std::move(value)});
    return;
  }
  kept.entries[kept.next] = {std::move(variables), std::move(value)};
  kept.next = (kept.next + 1) % entries_per_term;
}

}  // namespace rhopsi::reference
