#include "engine/analysis/path_order.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace rhopsi::analysis {

namespace {

using Functions = std::map<int, PathOrder::Function>;

// The definition of the order, word by word.
class PathComparison {
 public:
  PathComparison(const TermBank& bank, const Functions& functions)
      : bank_(bank), functions_(functions) {}

  bool greater(Term s, Term t) {
    const auto known = greater_.find({s, t});
    if (known != greater_.end()) return known->second;
    const bool answer = decide(s, t);
    greater_.emplace(std::pair{s, t}, answer);
    return answer;
  }

  bool equal(Term s, Term t) {
    s = collapsed(s);
    t = collapsed(t);
    if (s == t) return true;
    if (bank_.is_variable(s) || bank_.is_variable(t)) return false;
    const auto& f = functions_.at(bank_.head(s));
    const auto& g = functions_.at(bank_.head(t));
    if (f.precedence != g.precedence) return false;
    for (std::size_t k = 0; k < std::max(f.slots.size(), g.slots.size()); ++k) {
      const int i = slot(f, k);
      const int j = slot(g, k);
      if ((i < 0) != (j < 0)) return false;
      if (i >= 0 && !equal(argument(s, i), argument(t, j))) return false;
    }
    return true;
  }

 private:
  static int slot(const PathOrder::Function& f, std::size_t k) {
    return k < f.slots.size() ? f.slots[k] : -1;
  }
  Term argument(Term term, int i) const {
    return bank_.arguments(term)[static_cast<std::size_t>(i)];
  }
  Term collapsed(Term term) const {
    while (!bank_.is_variable(term)) {
      const int argument_number = functions_.at(bank_.head(term)).collapses_to;
      if (argument_number < 0) break;
      term = argument(term, argument_number);
    }
    return term;
  }

  bool decide(Term s, Term t) {
    s = collapsed(s);
    t = collapsed(t);
    if (bank_.is_variable(s)) return false;
    const auto& f = functions_.at(bank_.head(s));
    for (int i : f.slots) {
      if (i >= 0 && (equal(argument(s, i), t) || greater(argument(s, i), t))) return true;
    }
    if (bank_.is_variable(t)) return false;
    const auto& g = functions_.at(bank_.head(t));
    if (f.precedence < g.precedence) return false;
    for (int j : g.slots) {
      if (j >= 0 && !greater(s, argument(t, j))) return false;
    }
    return f.precedence > g.precedence || lexicographic(s, f, t, g);
  }

  bool lexicographic(Term s, const PathOrder::Function& f, Term t, const PathOrder::Function& g) {
    for (std::size_t k = 0; k < std::max(f.slots.size(), g.slots.size()); ++k) {
      const int i = slot(f, k);
      const int j = slot(g, k);
      if (i < 0 && j < 0) continue;
      if (i < 0 || j < 0) return j < 0;
      if (greater(argument(s, i), argument(t, j))) return true;
      if (!equal(argument(s, i), argument(t, j))) return false;
    }
    return false;
  }

  const TermBank& bank_;
  const Functions& functions_;
  std::map<std::pair<Term, Term>, bool> greater_;
};

template <class Function>
std::string precedence_text(const TermBank& bank, const std::vector<int>& symbols,
                            const std::map<int, Function>& functions) {
  std::vector<int> ordered;
  for (int each : symbols) {
    if (functions.contains(each)) ordered.push_back(each);
  }
  std::ranges::stable_sort(ordered, [&](int a, int b) {
    return functions.at(a).precedence > functions.at(b).precedence;
  });
  std::string text;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    if (i > 0) {
      const bool same =
          functions.at(ordered[i]).precedence == functions.at(ordered[i - 1]).precedence;
      text += same ? ", " : " > ";
    }
    text += bank.symbol(ordered[i]).name;
  }
  return text;
}

std::string filter_text(const PathOrder::Function& function) {
  if (function.collapses_to >= 0) return std::to_string(function.collapses_to + 1);
  std::string text;
  for (int each : function.slots) {
    if (each >= 0) text += (text.empty() ? "" : ", ") + std::to_string(each + 1);
  }
  return "[" + text + "]";
}

bool plain(const PathOrder::Function& function) {
  for (std::size_t i = 0; i < function.slots.size(); ++i) {
    if (function.slots[i] != static_cast<int>(i)) return false;
  }
  return function.collapses_to < 0;
}

}  // namespace

Relation PathOrder::compare(const TermBank& bank, Term left, Term right) const {
  PathComparison comparison(bank, functions_);
  if (comparison.greater(left, right)) return Relation::strict;
  return comparison.equal(left, right) ? Relation::weak : Relation::none;
}

bool PathOrder::regards(int symbol, std::size_t argument) const {
  const auto found = functions_.find(symbol);
  if (found == functions_.end()) return true;
  const int number = static_cast<int>(argument);
  if (found->second.collapses_to >= 0) return found->second.collapses_to == number;
  return std::ranges::find(found->second.slots, number) != found->second.slots.end();
}

bool PathOrder::monotone(const TermBank& bank, int symbol) const {
  const auto found = functions_.find(symbol);
  if (found == functions_.end() || found->second.collapses_to >= 0) return false;
  for (std::size_t i = 0; i < bank.symbol(symbol).arity(); ++i) {
    if (std::ranges::count(found->second.slots, static_cast<int>(i)) != 1) return false;
  }
  return true;
}

Proof PathOrder::describe(const TermBank& bank, const std::vector<int>& symbols) const {
  Proof proof{"lexicographic path order"};
  proof.add("precedence: " + precedence_text(bank, symbols, functions_));
  std::string statuses;
  for (int each : symbols) {
    const auto found = functions_.find(each);
    if (found == functions_.end() || plain(found->second)) continue;
    statuses +=
        (statuses.empty() ? "" : ", ") + bank.symbol(each).name + " " + filter_text(found->second);
  }
  if (!statuses.empty()) {
    proof.add("arguments compared, in this order; a number without brackets stands for the term: " +
              statuses);
  }
  return proof;
}

namespace {

class KnuthBendixComparison {
 public:
  KnuthBendixComparison(const TermBank& bank, std::int64_t variable_weight,
                        const std::map<int, KnuthBendixOrder::Function>& functions)
      : bank_(bank), variable_weight_(variable_weight), functions_(functions) {}

  bool greater(Term s, Term t) {
    if (bank_.is_variable(s) || !variables_suffice(s, t)) return false;
    const std::int64_t difference = weight(s) - weight(t);
    if (difference != 0) return difference > 0;
    if (bank_.is_variable(t)) return s != t;  // then s is a tower of symbols of weight 0
    if (bank_.head(s) != bank_.head(t)) {
      return functions_.at(bank_.head(s)).precedence > functions_.at(bank_.head(t)).precedence;
    }
    for (std::size_t i = 0; i < bank_.arguments(s).size(); ++i) {
      if (bank_.arguments(s)[i] == bank_.arguments(t)[i]) continue;
      return greater(bank_.arguments(s)[i], bank_.arguments(t)[i]);
    }
    return false;
  }

 private:
  bool variables_suffice(Term s, Term t) const {
    const auto more = variable_occurrences(bank_, s);
    const auto fewer = variable_occurrences(bank_, t);
    return std::ranges::all_of(fewer, [&](int each) {
      return std::ranges::count(more, each) >= std::ranges::count(fewer, each);
    });
  }

  std::int64_t weight(Term term) const {
    if (bank_.is_variable(term)) return variable_weight_;
    std::int64_t sum = functions_.at(bank_.head(term)).weight;
    for (Term each : bank_.arguments(term)) sum += weight(each);
    return sum;
  }

  const TermBank& bank_;
  std::int64_t variable_weight_;
  const std::map<int, KnuthBendixOrder::Function>& functions_;
};

}  // namespace

Relation KnuthBendixOrder::compare(const TermBank& bank, Term left, Term right) const {
  if (left == right) return Relation::weak;
  KnuthBendixComparison comparison(bank, variable_weight_, functions_);
  return comparison.greater(left, right) ? Relation::strict : Relation::none;
}

bool KnuthBendixOrder::monotone(const TermBank& bank, int symbol) const {
  const auto found = functions_.find(symbol);
  if (found == functions_.end() || variable_weight_ < 1 || found->second.weight < 0) return false;
  const std::size_t arity = bank.symbol(symbol).arity();
  if (arity == 0) return found->second.weight >= variable_weight_;
  if (arity > 1 || found->second.weight > 0) return true;
  return std::ranges::all_of(functions_, [&](const auto& other) {
    return other.first == symbol || other.second.precedence < found->second.precedence;
  });
}

Proof KnuthBendixOrder::describe(const TermBank& bank, const std::vector<int>& symbols) const {
  Proof proof{"Knuth-Bendix order"};
  std::string weights = "weights: variables " + std::to_string(variable_weight_);
  for (int each : symbols) {
    const auto found = functions_.find(each);
    if (found == functions_.end()) continue;
    weights += ", " + bank.symbol(each).name + " " + std::to_string(found->second.weight);
  }
  proof.add(weights);
  proof.add("precedence: " + precedence_text(bank, symbols, functions_));
  return proof;
}

}  // namespace rhopsi::analysis
