#include "engine/rewrite/sequence.hpp"

#include <algorithm>

#include "engine/term/operations.hpp"
#include "engine/term/sequence.hpp"

namespace rhopsi::rewrite {

using term::Control;
using term::SymbolId;
using term::TermId;

namespace {

std::vector<SymbolId> declared_in(const term::Store& store, std::span<const TermId> statements) {
  std::vector<SymbolId> declared;
  for (const TermId statement : statements) {
    if (!store.is(statement, Control::declare)) continue;
    declared.push_back(store.symbol(store.children(statement)[0]));
  }
  return declared;
}

bool contains(std::span<const SymbolId> list, SymbolId symbol) {
  return std::ranges::find(list, symbol) != list.end();
}

}  // namespace

SequenceIndex::SequenceIndex(const term::Store& store, std::span<const term::Rule> rules)
    : store_(store) {
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    if (!term::is_sequence(store, rules[i].left)) continue;
    by_first_[store.symbol(store.children(rules[i].left)[0])].push_back(i);
  }
}

std::span<const std::uint32_t> SequenceIndex::candidates(TermId block) {
  found_.clear();
  for (const TermId statement : store_.children(block)) {
    const auto rules = by_first_.find(store_.symbol(statement));
    if (rules == by_first_.end()) continue;
    found_.insert(found_.end(), rules->second.begin(), rules->second.end());
  }
  std::ranges::sort(found_);
  found_.erase(std::ranges::unique(found_).begin(), found_.end());
  return found_;
}

bool fits_sequence(const term::Store& store, const Matcher& matcher, const term::Rule& rule,
                   std::span<const SymbolId> changed, TermId block, std::size_t first) {
  const std::vector<TermId>& values = matcher.values();
  for (std::size_t i = 0; i < rule.variables.size(); ++i) {
    if (!contains(changed, rule.variables[i])) continue;
    const SymbolId target = store.symbol(values[i]);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (k != i && term::occurs(store, target, values[k])) return false;
    }
  }
  const auto statements = store.children(block);
  const std::size_t length = store.children(rule.left).size();
  const auto declared = declared_in(store, statements.subspan(first, length));
  for (std::size_t i = first + length; i < statements.size(); ++i) {
    for (const SymbolId variable : declared) {
      if (term::occurs(store, variable, statements[i])) return false;
    }
  }
  return true;
}

TermId with_sequence(term::Store& store, TermId block, std::size_t first, std::size_t length,
                     TermId replacement) {
  const auto old = store.children(block);
  const auto old_bound = store.bound(block);
  const auto added = store.children(replacement);
  const auto gone = declared_in(store, old.subspan(first, length));
  std::vector<TermId> statements(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(first));
  statements.insert(statements.end(), added.begin(), added.end());
  statements.insert(statements.end(), old.begin() + static_cast<std::ptrdiff_t>(first + length),
                    old.end());
  std::vector<SymbolId> bound;
  for (const SymbolId variable : old_bound) {
    if (!contains(gone, variable)) bound.push_back(variable);
  }
  const auto new_bound = store.bound(replacement);
  bound.insert(bound.end(), new_bound.begin(), new_bound.end());
  return store.make(store.symbol(block), statements, bound, store.location(block));
}

}  // namespace rhopsi::rewrite
