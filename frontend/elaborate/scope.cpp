#include "frontend/elaborate/scope.hpp"

#include <algorithm>
#include <cstddef>

namespace rhopsi::elaborate {

Scope::Scope(term::Store& store, const term::Theory& theory) : store_(store), theory_(theory) {
  sorts_.emplace("Predicate", store.predicate_sort());
  for (const term::Type& type : theory.types) sorts_.emplace(store.name(type.sort), type.sort);
  for (const term::Callable& callable : theory.callables) {
    const term::Symbol& symbol = store[callable.symbol];
    Overloads& known = overloads_[symbol.name];
    if (!symbol.parameters.empty()) {
      known.by_first[symbol.parameters.front()].push_back(known.all.size());
    }
    known.all.push_back(callable.symbol);
  }
}

std::optional<term::SortId> Scope::sort(std::string_view name) const {
  auto found = sorts_.find(name);
  if (found == sorts_.end()) return std::nullopt;
  return found->second;
}

const std::vector<term::SymbolId>& Scope::overloads(std::string_view name) const {
  static const std::vector<term::SymbolId> none;
  const auto known = overloads_.find(name);
  return known == overloads_.end() ? none : known->second.all;
}

std::vector<term::SymbolId> Scope::overloads(std::string_view name,
                                             const std::vector<term::SortId>& first) const {
  const auto known = overloads_.find(name);
  if (known == overloads_.end()) return {};
  std::vector<std::size_t> places;
  for (const term::SortId sort : first) {
    const auto found = known->second.by_first.find(sort);
    if (found == known->second.by_first.end()) continue;
    places.insert(places.end(), found->second.begin(), found->second.end());
  }
  std::ranges::sort(places);
  std::vector<term::SymbolId> result;
  for (const std::size_t place : places) result.push_back(known->second.all[place]);
  return result;
}

std::vector<std::string> Scope::type_names() const {
  std::vector<std::string> names;
  for (const auto& [name, sort] : sorts_) names.push_back(name);
  return names;
}

std::vector<std::string> Scope::callable_names() const {
  std::vector<std::string> names;
  for (const auto& [name, overloads] : overloads_) names.push_back(name);
  return names;
}

std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> above(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::vector<std::size_t> row(right.size() + 1);
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t change = left[i - 1] == right[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      const bool swapped =
          i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::move(above);
    above = std::move(row);
  }
  return above.back();
}

namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

// The one of which the name is the beginning or the end, or the other way round: `trans` and
// `transpose`. The one that differs by the fewest letters.
std::optional<std::string> extended(std::string_view name,
                                    const std::vector<std::string>& candidates) {
  constexpr std::size_t least = 3;
  const std::string own = lower_case(name);
  std::optional<std::string> found;
  std::size_t best = 0;
  for (const std::string& candidate : candidates) {
    const std::string other = lower_case(candidate);
    const auto& [part, whole] =
        std::minmax(own, other, [](const auto& a, const auto& b) { return a.size() < b.size(); });
    if (part.size() < least || !(whole.starts_with(part) || whole.ends_with(part))) continue;
    const std::size_t here = whole.size() - part.size();
    if (candidate == name || (found && here >= best)) continue;
    best = here;
    found = candidate;
  }
  return found;
}

}  // namespace

std::optional<std::string> nearest(std::string_view name,
                                   const std::vector<std::string>& candidates) {
  // A third of the name may differ; names of one or two letters are all alike.
  if (name.size() < 2 || name.size() > 200) return std::nullopt;
  std::size_t best = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::optional<std::string> found;
  for (const std::string& candidate : candidates) {
    if (candidate == name || candidate.size() > name.size() + best) continue;
    const std::size_t here = edit_distance(name, candidate);
    if (here < best && here < candidate.size()) {
      best = here;
      found = candidate;
    }
  }
  return found ? found : extended(name, candidates);
}

term::LocationId locate(term::Store& store, const syntax::Span& span) {
  if (!span.file) return {};
  const syntax::SourceFile::Position position = span.file->position(span.begin);
  return store.location({span.file->path(), position.line, position.column});
}

}  // namespace rhopsi::elaborate
