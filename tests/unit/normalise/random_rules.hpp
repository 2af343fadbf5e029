// Random rule sets and terms, and what they are for the normaliser.
#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "engine/normalise/machine.hpp"
#include "tests/unit/normalise/naive.hpp"

namespace rhopsi::tests {

inline constexpr std::array<int, 8> arities{0, 0, 0, 1, 1, 2, 3, 4};

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

  Tree tree(int depth, int variables) {
    if (variables > 0 && below(3) == 0) return {-1 - below(variables), {}};
    const int symbol = depth == 0 ? below(3) : below(static_cast<int>(arities.size()));
    Tree result{symbol, {}};
    for (int i = 0; i < arities[static_cast<std::size_t>(symbol)]; ++i) {
      result.arguments.push_back(tree(depth - 1, variables));
    }
    return result;
  }

  // Most rules make their redexes smaller, so that many sets terminate.
  std::vector<NaiveRule> rules(int count, bool conditional) {
    const bool many = count > 100;
    std::vector<NaiveRule> result;
    while (static_cast<int>(result.size()) < count) {
      NaiveRule rule{tree(3, 3), tree(2, 3), {}};
      if (rule.left.symbol < 0) continue;
      std::set<int> bound;
      collect(rule.left, bound);
      close(rule.right, bound);
      while (conditional && below(3) == 0) {
        NaiveCondition condition{tree(2, 3), tree(1, 3), below(2) == 0};
        close(condition.left, bound);
        close(condition.right, bound);
        rule.conditions.push_back(condition);
      }
      if (many ? size(rule.right) >= size(rule.left) || repeats(rule.right)
               : size(rule.right) > size(rule.left) && below(4) != 0) {
        continue;
      }
      result.push_back(rule);
    }
    return result;
  }

 private:
  static int size(const Tree& tree) {
    int sum = 1;
    for (const Tree& each : tree.arguments) sum += size(each);
    return sum;
  }
  static bool repeats(const Tree& tree) {
    std::set<int> variables;
    return !once(tree, variables);
  }
  static bool once(const Tree& tree, std::set<int>& variables) {
    if (tree.symbol < 0 && !variables.insert(tree.symbol).second) return false;
    return std::all_of(tree.arguments.begin(), tree.arguments.end(),
                       [&](const Tree& each) { return once(each, variables); });
  }
  static void collect(const Tree& tree, std::set<int>& variables) {
    if (tree.symbol < 0) variables.insert(tree.symbol);
    for (const Tree& each : tree.arguments) collect(each, variables);
  }
  void close(Tree& tree, const std::set<int>& bound) {
    if (tree.symbol < 0 && !bound.contains(tree.symbol)) tree = {below(3), {}};
    for (Tree& each : tree.arguments) close(each, bound);
  }

  std::mt19937 random_;
};

class Terms {
 public:
  // Sets with different tags have no symbol in common.
  explicit Terms(term::Store& store, const std::string& tag = "") : store_(store) {
    const term::SortId sort = store_.sort("S" + tag);
    for (std::size_t i = 0; i < arities.size(); ++i) {
      const std::vector<term::SortId> parameters(static_cast<std::size_t>(arities[i]), sort);
      symbols_.push_back(store_.operation(term::SymbolKind::function, tag + "f" + std::to_string(i),
                                          parameters, sort));
    }
    for (int i = 0; i < 3; ++i) variables_.push_back(store_.fresh_variable("x", sort));
  }

  term::TermId operator()(const Tree& tree) {
    std::vector<term::TermId> children;
    for (const Tree& each : tree.arguments) children.push_back((*this)(each));
    return store_.make(tree.symbol < 0 ? variables_[static_cast<std::size_t>(-1 - tree.symbol)]
                                       : symbols_[static_cast<std::size_t>(tree.symbol)],
                       children);
  }

  normalise::Rule operator()(const NaiveRule& rule) {
    normalise::Rule result{"r", (*this)(rule.left), (*this)(rule.right), {}};
    for (const auto& each : rule.conditions) {
      using Relation = normalise::Condition::Relation;
      result.conditions.push_back({each.different ? Relation::different : Relation::equal,
                                   (*this)(each.left), (*this)(each.right)});
    }
    return result;
  }

  Tree tree(const normalise::Machine& machine, normalise::Handle term) const {
    const term::SymbolId symbol = machine.program().symbols[machine.symbol(term)];
    const auto found = std::find(symbols_.begin(), symbols_.end(), symbol);
    Tree result{static_cast<int>(found - symbols_.begin()), {}};
    for (const normalise::Handle each : machine.arguments(term)) {
      result.arguments.push_back(tree(machine, each));
    }
    return result;
  }

 private:
  term::Store& store_;
  std::vector<term::SymbolId> symbols_;
  std::vector<term::SymbolId> variables_;
};

}  // namespace rhopsi::tests
