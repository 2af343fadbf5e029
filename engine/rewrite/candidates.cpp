#include "engine/rewrite/candidates.hpp"

#include <algorithm>

namespace rhopsi::rewrite {

using term::Control;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;

namespace {

RuleTraits traits_of(const term::Store& store, const term::Rule& rule) {
  RuleTraits traits;
  traits.has_conditions = rule.condition.has_value();
  const auto change = [&](TermId target) {
    const SymbolId variable = store.symbol(target);
    if (std::ranges::find(rule.variables, variable) != rule.variables.end()) {
      traits.changed.push_back(variable);
    }
  };
  term::for_each_subterm(store, rule.right, [&](TermId subterm) {
    const term::Symbol& head = store.head(subterm);
    const auto children = store.children(subterm);
    if (head.control == Control::block) traits.has_statements = true;
    if (head.control == Control::assign) change(children[0]);
    if (head.kind == SymbolKind::procedure) {
      for (std::size_t i = 0; i < children.size(); ++i) {
        if (head.modes[i] != term::Mode::obs) change(children[i]);
      }
    }
    return true;
  });
  return traits;
}

}  // namespace

Candidates::Candidates(const term::Store& store, std::span<const term::Rule> rules)
    : store_(store), rules_(rules), index_(store, rules) {
  for (const term::Rule& rule : rules) {
    matchers_.emplace_back(store, rule.variables);
    traits_.push_back(traits_of(store, rule));
  }
}

std::span<const std::uint32_t> Candidates::rules_at(TermId term) const {
  return index_.candidates(store_.symbol(term));
}

bool Candidates::changes(std::uint32_t rule, TermId term) {
  Matcher& matcher = matchers_[rule];
  if (!matcher.match(rules_[rule].left, term)) return false;
  return !matcher.instance_is(rules_[rule].right, term);
}

Candidates::Summary Candidates::summary(TermId root) {
  if (summaries_.size() < store_.term_count()) summaries_.resize(store_.term_count());
  const auto known = [&](TermId term) -> Summary& {
    return summaries_[static_cast<std::size_t>(term)];
  };
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
  Summary summary;
  summary.size = 1;
  for (TermId child : store_.children(term)) {
    const Summary& part = summaries_[static_cast<std::size_t>(child)];
    summary.plain = std::min(summary.plain, part.plain);
    summary.contextual = std::min(summary.contextual, part.contextual);
    summary.size = std::min(most, summary.size + part.size);
  }
  for (std::uint32_t rule : rules_at(term)) {
    std::uint32_t& first = traits_[rule].contextual() ? summary.contextual : summary.plain;
    if (rule < first && changes(rule, term)) first = rule;
  }
  summaries_[static_cast<std::size_t>(term)] = summary;
}

}  // namespace rhopsi::rewrite
