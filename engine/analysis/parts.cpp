#include "engine/analysis/parts.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace rhopsi::analysis {

namespace {

// Numbers in classes, which can be made one.
class Classes {
 public:
  std::size_t add() {
    parents_.push_back(parents_.size());
    return parents_.size() - 1;
  }
  std::size_t of(std::size_t i) const {
    while (parents_[i] != i) i = parents_[i];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parents_[of(a)] = of(b); }

 private:
  std::vector<std::size_t> parents_;
};

// The most different sorts that all rules respect.
class Sorts {
 public:
  Sorts(const TermBank& bank, const Rules& rules) : bank_(bank) {
    for (const Rule& rule : rules) {
      variables_.clear();
      classes_.join(visit(rule.left), visit(rule.right));
    }
    for (const auto& [place, number] : nodes_) {
      if (place.second == 0) continue;
      below_[classes_.of(nodes_.at({place.first, 0}))].insert(classes_.of(number));
    }
  }

  std::size_t of(Term term) const { return classes_.of(nodes_.at({bank_.head(term), 0})); }

  // The sorts of subterms that terms of this sort may have, and the sort.
  std::set<std::size_t> within(std::size_t sort) const {
    std::set<std::size_t> out{sort};
    std::vector<std::size_t> open{sort};
    while (!open.empty()) {
      const auto found = below_.find(open.back());
      open.pop_back();
      if (found == below_.end()) continue;
      for (std::size_t each : found->second) {
        if (out.insert(each).second) open.push_back(each);
      }
    }
    return out;
  }

 private:
  std::size_t visit(Term term) {
    if (bank_.is_variable(term)) {
      const auto [place, made] = variables_.try_emplace(bank_.variable_of(term));
      if (made) place->second = classes_.add();
      return place->second;
    }
    const int head = bank_.head(term);
    for (std::size_t i = 0; i < bank_.arguments(term).size(); ++i) {
      classes_.join(node(head, i + 1), visit(bank_.arguments(term)[i]));
    }
    return node(head, 0);
  }

  // Of the result of a symbol (0) or of one of its arguments.
  std::size_t node(int symbol, std::size_t place) {
    const auto [found, made] = nodes_.try_emplace({symbol, place});
    if (made) found->second = classes_.add();
    return found->second;
  }

  const TermBank& bank_;
  Classes classes_;
  std::map<std::pair<int, std::size_t>, std::size_t> nodes_;
  std::map<int, std::size_t> variables_;  // of the rule at hand
  std::map<std::size_t, std::set<std::size_t>> below_;
};

}  // namespace

std::vector<Rules> persistent_parts(const TermBank& bank, const Rules& rules) {
  const Sorts sorts(bank, rules);
  std::map<std::size_t, std::vector<std::size_t>> rules_of;  // sort -> rules of that sort
  for (std::size_t i = 0; i < rules.size(); ++i) rules_of[sorts.of(rules[i].left)].push_back(i);
  std::vector<std::set<std::size_t>> parts;
  for (const auto& entry : rules_of) {
    std::set<std::size_t> part;
    for (std::size_t each : sorts.within(entry.first)) {
      const auto found = rules_of.find(each);
      if (found != rules_of.end()) part.insert(found->second.begin(), found->second.end());
    }
    const auto inside = [&](const auto& other) { return std::ranges::includes(other, part); };
    if (std::ranges::any_of(parts, inside)) continue;
    std::erase_if(parts, [&](const auto& other) { return std::ranges::includes(part, other); });
    parts.push_back(std::move(part));
  }
  std::ranges::sort(parts);
  std::vector<Rules> out;
  for (const auto& part : parts) {
    Rules& made = out.emplace_back();
    for (std::size_t each : part) made.push_back(rules[each]);
  }
  return out;
}

std::vector<Rules> commuting_parts(const Rules& rules, const std::vector<CriticalPair>& pairs) {
  Classes classes;
  for (std::size_t i = 0; i < rules.size(); ++i) classes.add();
  for (const CriticalPair& pair : pairs) {
    if (pair.left != pair.right) classes.join(pair.inner, pair.outer);
  }
  std::map<std::size_t, Rules> parts;
  for (std::size_t i = 0; i < rules.size(); ++i) parts[classes.of(i)].push_back(rules[i]);
  std::vector<Rules> out;
  for (auto& [root, part] : parts) out.push_back(std::move(part));
  return out;
}

}  // namespace rhopsi::analysis
