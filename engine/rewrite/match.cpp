#include "engine/rewrite/match.hpp"

#include <algorithm>

namespace rhopsi::rewrite {

using term::Substitution;
using term::SymbolId;
using term::TermId;

Matcher::Matcher(const term::Store& store, std::span<const SymbolId> variables)
    : store_(store),
      variables_(variables.begin(), variables.end()),
      bound_terms_(variables.size()),
      is_bound_(variables.size(), false) {}

bool Matcher::match(TermId pattern, TermId subject) {
  is_bound_.assign(variables_.size(), false);
  return run(pattern, subject);
}

bool Matcher::instance_is(TermId term, TermId subject) {
  return store_.symbol(term) == store_.symbol(subject) && run(term, subject);
}

Substitution Matcher::binding() const {
  Substitution substitution;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (is_bound_[i]) substitution.emplace(variables_[i], bound_terms_[i]);
  }
  return substitution;
}

bool Matcher::run(TermId pattern_root, TermId subject_root) {
  scope_.clear();
  scope_starts_.clear();
  work_.assign(1, Pair{pattern_root, subject_root});
  return finish();
}

bool Matcher::match_sequence(TermId pattern, TermId subject, std::size_t first) {
  is_bound_.assign(variables_.size(), false);
  return run_sequence(pattern, subject, first);
}

bool Matcher::instance_is_sequence(TermId block, TermId subject, std::size_t first,
                                   std::size_t length) {
  return store_.children(block).size() == length && run_sequence(block, subject, first);
}

bool Matcher::run_sequence(TermId pattern, TermId subject, std::size_t first) {
  scope_.clear();
  scope_starts_.clear();
  work_.clear();
  const auto wanted = store_.children(pattern);
  const auto found = store_.children(subject).subspan(first, wanted.size());
  for (std::size_t i = wanted.size(); i-- > 0;) {
    if (store_.symbol(wanted[i]) != store_.symbol(found[i])) return false;
    work_.push_back({wanted[i], found[i]});
    if (!store_.is(wanted[i], term::Control::declare)) continue;
    const SymbolId one = store_.symbol(store_.children(wanted[i])[0]);
    const SymbolId other = store_.symbol(store_.children(found[i])[0]);
    if (store_[one].result != store_[other].result ||
        store_[one].assignable != store_[other].assignable) {
      return false;
    }
    scope_.emplace_back(one, other);
  }
  return finish();
}

bool Matcher::finish() {
  while (!work_.empty()) {
    const Pair pair = work_.back();
    work_.pop_back();
    if (pair.close) {
      scope_.resize(scope_starts_.back());
      scope_starts_.pop_back();
      continue;
    }
    const SymbolId pattern = store_.symbol(pair.pattern);
    const SymbolId subject = store_.symbol(pair.subject);
    if (store_.is_variable(pair.pattern)) {
      auto found = std::ranges::find(variables_, pattern);
      const bool matches =
          found != variables_.end()
              ? match_variable(static_cast<std::size_t>(found - variables_.begin()), pair.subject)
              : match_bound(pattern, subject);
      if (!matches) return false;
      continue;
    }
    const auto pattern_children = store_.children(pair.pattern);
    const auto subject_children = store_.children(pair.subject);
    const auto pattern_bound = store_.bound(pair.pattern);
    const auto subject_bound = store_.bound(pair.subject);
    if (pattern != subject || pattern_children.size() != subject_children.size() ||
        pattern_bound.size() != subject_bound.size()) {
      return false;
    }
    if (!pattern_bound.empty()) {
      scope_starts_.push_back(scope_.size());
      for (std::size_t i = 0; i < pattern_bound.size(); ++i) {
        if (store_[pattern_bound[i]].result != store_[subject_bound[i]].result) return false;
        scope_.emplace_back(pattern_bound[i], subject_bound[i]);
      }
      work_.push_back(Pair{{}, {}, true});
    }
    for (std::size_t i = pattern_children.size(); i-- > 0;) {
      work_.push_back(Pair{pattern_children[i], subject_children[i]});
    }
  }
  return true;
}

bool Matcher::match_variable(std::size_t variable, TermId subject) {
  if (is_bound_[variable]) return term::alpha_equal(store_, bound_terms_[variable], subject);
  if (store_[variables_[variable]].result != store_.sort(subject)) return false;
  if (!scope_.empty() && escapes(subject)) return false;
  bound_terms_[variable] = subject;
  is_bound_[variable] = true;
  return true;
}

bool Matcher::match_bound(SymbolId pattern, SymbolId subject) const {
  for (std::size_t i = scope_.size(); i-- > 0;) {
    const bool left = scope_[i].first == pattern;
    const bool right = scope_[i].second == subject;
    if (left || right) return left && right;
  }
  return pattern == subject;
}

bool Matcher::escapes(TermId subject) const {
  return std::ranges::any_of(term::free_variables(store_, subject), [&](SymbolId variable) {
    return std::ranges::any_of(scope_, [&](const auto& pair) { return pair.second == variable; });
  });
}

}  // namespace rhopsi::rewrite
