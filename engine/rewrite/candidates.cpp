#include "engine/rewrite/candidates.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/term/sequence.hpp"

namespace rhopsi::rewrite {

using term::Control;
using term::SymbolId;
using term::TermId;

namespace {

// May the two be equal for some values of their variables? No where symbols differ at a place,
// or a variable would have to equal a term that it is a part of.
bool may_be_equal(const term::Store& store, TermId left, TermId right) {
  std::vector<std::pair<TermId, TermId>> pending{{left, right}};
  while (!pending.empty()) {
    const auto [l, r] = pending.back();
    pending.pop_back();
    const bool left_variable = store.is_variable(l);
    const bool right_variable = store.is_variable(r);
    if (left_variable && right_variable) continue;
    if (left_variable && term::occurs(store, store.symbol(l), r)) return false;
    if (right_variable && term::occurs(store, store.symbol(r), l)) return false;
    if (left_variable || right_variable) continue;
    const auto left_children = store.children(l);
    const auto right_children = store.children(r);
    if (store.symbol(l) != store.symbol(r) || left_children.size() != right_children.size()) {
      return false;
    }
    for (std::size_t i = 0; i < left_children.size(); ++i) {
      pending.emplace_back(left_children[i], right_children[i]);
    }
  }
  return true;
}

// The rule's variables that statements of this side change.
std::vector<SymbolId> changed_parameters(const term::Store& store, const term::Rule& rule,
                                         TermId side) {
  std::vector<SymbolId> changed = term::changed_variables(store, side);
  std::erase_if(changed, [&](SymbolId variable) {
    return std::ranges::find(rule.variables, variable) == rule.variables.end();
  });
  return changed;
}

RuleTraits traits_of(const term::Store& store, const term::Rule& rule) {
  RuleTraits traits;
  traits.has_conditions = rule.condition.has_value();
  traits.may_keep = may_be_equal(store, rule.left, rule.right);
  traits.sequence = term::is_sequence(store, rule.left);
  if (!traits.sequence) {
    traits.changed = changed_parameters(store, rule, rule.right);
  } else {
    traits.may_keep = true;
    traits.changed = changed_parameters(store, rule, rule.left);
  }
  term::for_each_subterm(store, rule.right, [&](TermId subterm) {
    if (store.is(subterm, Control::block)) traits.has_statements = true;
    return !traits.has_statements;
  });
  return traits;
}

}  // namespace

Candidates::Candidates(const term::Store& store, std::span<const term::Rule> rules)
    : store_(store), rules_(rules), net_(store, rules), sequences_(store, rules) {
  for (const term::Rule& rule : rules) {
    matchers_.emplace_back(store, rule.variables);
    traits_.push_back(traits_of(store, rule));
  }
  places_.resize(rules.size());
}

std::span<const std::uint32_t> Candidates::rules_at(TermId term) {
  if (sequences_.empty() || !store_.is(term, Control::block)) return net_.candidates(term);
  merged_.clear();
  std::ranges::set_union(net_.candidates(term), sequences_.candidates(term),
                         std::back_inserter(merged_));
  return merged_;
}

bool Candidates::changes(std::uint32_t rule, TermId term, std::size_t from) {
  if (traits_[rule].sequence) return changes_sequence(rule, term, from);
  if (from > 0) return false;
  ++attempts_;
  Matcher& matcher = matchers_[rule];
  if (!matcher.match(rules_[rule].left, term)) return false;
  return !traits_[rule].may_keep || !matcher.instance_is(rules_[rule].right, term);
}

bool Candidates::changes_sequence(std::uint32_t rule, TermId block, std::size_t from) {
  const std::size_t length = store_.children(rules_[rule].left).size();
  const std::size_t last = store_.children(block).size();
  for (; from + length <= last; ++from) {
    ++attempts_;
    Matcher& matcher = matchers_[rule];
    if (!matcher.match_sequence(rules_[rule].left, block, from)) continue;
    if (!fits_sequence(store_, matcher, rules_[rule], traits_[rule].changed, block, from)) continue;
    if (matcher.instance_is_sequence(rules_[rule].right, block, from, length)) continue;
    places_[rule] = from;
    return true;
  }
  return false;
}

Candidates::Summary Candidates::summary(TermId root) {
  const auto known = [&](TermId term) { return summaries_.get(term); };
  if (known(root).size != 0) return known(root);
  std::vector<std::pair<TermId, std::uint32_t>> stack{{root, 0}};
  while (!stack.empty()) {
    auto& [term, next] = stack.back();
    const auto children = store_.children(term);
    while (next < children.size() && known(children[next]).size != 0) ++next;
    if (next < children.size()) {
      stack.emplace_back(children[next], 0);
    } else {
      summarise(term);
      stack.pop_back();
    }
  }
  return known(root);
}

void Candidates::summarise(TermId term) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 4;
  ++summarised_;
  Summary summary;
  summary.size = 1;
  for (TermId child : store_.children(term)) {
    const Summary part = summaries_.get(child);
    summary.plain = std::min(summary.plain, part.plain);
    summary.contextual = std::min(summary.contextual, part.contextual);
    summary.size = std::min(most, summary.size + part.size);
  }
  for (std::uint32_t rule : rules_at(term)) {
    std::uint32_t& first = traits_[rule].contextual() ? summary.contextual : summary.plain;
    if (rule < first && changes(rule, term)) first = rule;
  }
  summaries_[term] = summary;
}

}  // namespace rhopsi::rewrite
