#include "engine/analysis/rewrite.hpp"

#include <algorithm>

#include "engine/analysis/unify.hpp"

namespace rhopsi::analysis {

RuleIndex::RuleIndex(const TermBank& bank, const Rules& rules)
    : rules_(rules), by_root_(static_cast<std::size_t>(bank.symbol_count())) {
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (!bank.is_variable(rules_[i].left)) continue;
    for_others_.push_back(i);
  }
  for (auto& each : by_root_) each = for_others_;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (bank.is_variable(rules_[i].left)) continue;
    by_root_[static_cast<std::size_t>(bank.head(rules_[i].left))].push_back(i);
  }
}

const std::vector<std::size_t>& RuleIndex::of(int symbol) const {
  const auto place = static_cast<std::size_t>(symbol);
  return place < by_root_.size() ? by_root_[place] : for_others_;
}

std::optional<Term> rewrite_at(TermBank& bank, const Rules& rules, Term term, const Step& step) {
  if (!has_position(bank, term, step.position)) return std::nullopt;
  const auto sigma = match(bank, rules[step.rule].left, subterm(bank, term, step.position));
  if (!sigma) return std::nullopt;
  return replace(bank, term, step.position, apply(bank, rules[step.rule].right, *sigma));
}

namespace {

bool redex(const TermBank& bank, const RuleIndex& index, Term term) {
  if (bank.is_variable(term)) return false;
  return std::ranges::any_of(index.of(bank.head(term)), [&](std::size_t rule) {
    return match(bank, index.rules()[rule].left, term).has_value();
  });
}

void collect_reducts(TermBank& bank, const RuleIndex& index, Term whole, Term term, bool innermost,
                     Position& path, std::vector<Reduct>& out) {
  if (bank.is_variable(term)) return;
  for (std::uint32_t i = 0; i < bank.arguments(term).size(); ++i) {
    path.push_back(i);
    collect_reducts(bank, index, whole, bank.arguments(term)[i], innermost, path, out);
    path.pop_back();
  }
  if (innermost && !arguments_are_normal(bank, index, term)) return;
  for (std::size_t rule : index.of(bank.head(term))) {
    const auto sigma = match(bank, index.rules()[rule].left, term);
    if (!sigma) continue;
    const Term made = apply(bank, index.rules()[rule].right, *sigma);
    out.push_back({replace(bank, whole, path, made), {path, rule}});
  }
}

// The first innermost redex in post-order, and the rule for it.
bool find_redex(const TermBank& bank, const RuleIndex& index, Term term, Position& path,
                Step& out) {
  if (bank.is_variable(term)) return false;
  for (std::uint32_t i = 0; i < bank.arguments(term).size(); ++i) {
    path.push_back(i);
    if (find_redex(bank, index, bank.arguments(term)[i], path, out)) return true;
    path.pop_back();
  }
  for (std::size_t rule : index.of(bank.head(term))) {
    if (!match(bank, index.rules()[rule].left, term)) continue;
    out = {path, rule};
    return true;
  }
  return false;
}

}  // namespace

bool is_normal(const TermBank& bank, const RuleIndex& index, Term term) {
  return !redex(bank, index, term) && arguments_are_normal(bank, index, term);
}

bool arguments_are_normal(const TermBank& bank, const RuleIndex& index, Term term) {
  return std::ranges::all_of(bank.arguments(term),
                             [&](Term each) { return is_normal(bank, index, each); });
}

std::vector<Reduct> reducts(TermBank& bank, const RuleIndex& index, Term term, bool innermost) {
  std::vector<Reduct> out;
  Position path;
  collect_reducts(bank, index, term, term, innermost, path, out);
  return out;
}

std::optional<Term> normalise(TermBank& bank, const RuleIndex& index, Term term, int steps,
                              std::vector<Step>* taken) {
  for (int i = 0; i <= steps; ++i) {
    if (bank.size(term) > 10000) return std::nullopt;
    Position path;
    Step step;
    if (!find_redex(bank, index, term, path, step)) return term;
    const auto made = rewrite_at(bank, index.rules(), term, step);
    if (!made) return std::nullopt;
    if (taken) taken->push_back(step);
    term = *made;
  }
  return std::nullopt;
}

}  // namespace rhopsi::analysis
