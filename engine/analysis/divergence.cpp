#include "engine/analysis/divergence.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/analysis/dependency_pairs.hpp"
#include "engine/analysis/unify.hpp"

namespace rhopsi::analysis {

namespace {

bool may_use(const std::vector<bool>& usable, std::size_t rule) {
  return usable.empty() || usable[rule];
}

std::optional<Term> replay(TermBank& bank, const Rules& rules, const std::vector<bool>& usable,
                           Term term, const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    if (!may_use(usable, step.rule)) return std::nullopt;
    const auto next = rewrite_at(bank, rules, term, step);
    if (!next) return std::nullopt;
    term = *next;
  }
  return term;
}

// Whether what stays of both terms, whatever is rewritten, differs.
bool tops_differ(TermBank& bank, const Rules& rules, const RuleIndex& index, Term left,
                 Term right) {
  const PairProblem plain{{}, rules, false, nullptr};
  const Term first = cap(bank, plain, index, left, nullptr);
  const Term second = cap(bank, plain, index, right, nullptr);
  return !unify_apart(bank, first, second);
}

// All reducts by all rules, the term among them; nothing if there are too many.
std::optional<std::unordered_set<Term>> all_reducts(TermBank& bank, const RuleIndex& index,
                                                    Term start) {
  std::unordered_set<Term> seen{start};
  std::vector<Term> open{start};
  while (!open.empty()) {
    const Term term = open.back();
    open.pop_back();
    if (bank.size(term) > 100) return std::nullopt;
    for (const Reduct& each : reducts(bank, index, term)) {
      if (seen.insert(each.term).second) open.push_back(each.term);
      if (seen.size() > 300) return std::nullopt;
    }
  }
  return seen;
}

bool disjoint(const std::unordered_set<Term>& left, const std::unordered_set<Term>& right) {
  return std::ranges::none_of(left, [&](Term each) { return right.contains(each); });
}

bool finite_and_disjoint(TermBank& bank, const RuleIndex& index, Term left, Term right) {
  const auto of_left = all_reducts(bank, index, left);
  if (!of_left) return false;
  const auto of_right = all_reducts(bank, index, right);
  return of_right && disjoint(*of_left, *of_right);
}

// Terms without variables in the rules, not too many.
std::vector<Term> ground_terms(const TermBank& bank, const Rules& rules) {
  std::vector<Term> out;
  for (const Rule& rule : rules) {
    for (Term side : {rule.left, rule.right}) {
      for (Term each : subterms(bank, side)) {
        if (!bank.ground(each) || bank.size(each) > 20 || out.size() > 30) continue;
        if (std::ranges::find(out, each) == out.end()) out.push_back(each);
      }
    }
  }
  return out;
}

// The reducts of a side, with the step that made each.
class Exploration {
 public:
  Exploration(TermBank& bank, const RuleIndex& index, const std::vector<bool>& usable)
      : bank_(bank), index_(index), usable_(usable) {}

  void run(Term start, int depth, std::size_t limit) {
    terms_ = {start};
    made_[start] = {start, {}};
    std::size_t begin = 0;
    for (; depth > 0 && begin < terms_.size(); --depth) {
      const std::size_t end = terms_.size();
      for (; begin < end; ++begin) {
        if (terms_.size() >= limit || bank_.size(terms_[begin]) > 400) continue;
        for (const Reduct& each : reducts(bank_, index_, terms_[begin])) {
          if (!may_use(usable_, each.step.rule)) continue;
          if (!made_.emplace(each.term, Made{terms_[begin], each.step}).second) continue;
          terms_.push_back(each.term);
        }
      }
    }
  }

  const std::vector<Term>& terms() const { return terms_; }

  std::vector<Step> way_to(Term term) const {
    std::vector<Step> out;
    while (term != terms_.front()) {
      const Made& made = made_.at(term);
      out.push_back(made.step);
      term = made.from;
    }
    std::ranges::reverse(out);
    return out;
  }

 private:
  struct Made {
    Term from;
    Step step;
  };
  TermBank& bank_;
  const RuleIndex& index_;
  const std::vector<bool>& usable_;
  std::vector<Term> terms_;
  std::unordered_map<Term, Made> made_;
};

class DivergenceSearch {
 public:
  DivergenceSearch(TermBank& bank, const Rules& rules, const std::vector<bool>& usable)
      : bank_(bank), rules_(rules), usable_(usable), index_(bank, rules) {}

  std::optional<Divergence> look(const CriticalPair& pair, int depth) {
    const Substitution ground = constants_for({pair.peak, pair.left, pair.right});
    const Term peak = apply(bank_, pair.peak, ground);
    Exploration left(bank_, index_, usable_);
    Exploration right(bank_, index_, usable_);
    left.run(apply(bank_, pair.left, ground), depth, 150);
    right.run(apply(bank_, pair.right, ground), depth, 150);
    const Sides sides{left, {{pair.position, pair.inner}}, right, {{{}, pair.outer}}};
    return compare(peak, sides);
  }

  // Whether two reducts of the term differ for good.
  std::optional<Divergence> look(Term peak, int depth) {
    Exploration all(bank_, index_, usable_);
    all.run(peak, depth, 60);
    return compare(peak, {all, {}, all, {}});
  }

  // Whether all their reducts, or a model, keep two small reducts of the term apart.
  std::optional<Divergence> look_apart(Term peak, const Deadline& deadline) {
    peak = apply(bank_, peak, constants_for({peak}));
    Exploration all(bank_, index_, usable_);
    all.run(peak, 6, 300);
    std::vector<Term> small = all.terms();
    std::ranges::stable_sort(small, {}, [&](Term each) { return bank_.size(each); });
    if (small.size() > 16) small.resize(16);
    const std::pair<Reason, bool> ways[] = {
        {Reason::finite, false}, {Reason::model, false}, {Reason::model, true}};
    for (const auto& [reason, ordered] : ways) {
      for (std::size_t i = 0; i < small.size(); ++i) {
        for (std::size_t k = i + 1; k < small.size() && !deadline.over(); ++k) {
          Divergence out{peak, all.way_to(small[i]), all.way_to(small[k]), reason, {}};
          if (kept_apart(out, small[i], small[k], ordered, deadline)) return out;
        }
      }
    }
    return std::nullopt;
  }

 private:
  using Reason = Divergence::Reason;

  struct Sides {
    const Exploration& left;
    std::vector<Step> to_left;
    const Exploration& right;
    std::vector<Step> to_right;
  };

  std::optional<Divergence> compare(Term peak, const Sides& sides) {
    for (Reason reason : {Reason::normal_forms, Reason::tops, Reason::finite}) {
      for (Term a : sides.left.terms()) {
        if (reason == Reason::normal_forms && !is_normal(bank_, index_, a)) continue;
        if (reason == Reason::finite && a != sides.left.terms().front()) continue;
        for (Term b : sides.right.terms()) {
          if (a == b || !fits(reason, a, b, sides.right.terms().front())) continue;
          Divergence out{peak, sides.to_left, sides.to_right, reason, {}};
          for (const Step& each : sides.left.way_to(a)) out.left.push_back(each);
          for (const Step& each : sides.right.way_to(b)) out.right.push_back(each);
          if (verify(bank_, rules_, usable_, out)) return out;
        }
      }
    }
    return std::nullopt;
  }

  bool fits(Reason reason, Term a, Term b, Term start) {
    switch (reason) {
      case Reason::normal_forms:
        return is_normal(bank_, index_, b);
      case Reason::tops:
        return differ(a, b);
      case Reason::finite:
        return b == start && finite_and_disjoint(bank_, index_, a, b);
      case Reason::model:
        break;
    }
    return false;
  }

  bool kept_apart(Divergence& out, Term a, Term b, bool ordered, const Deadline& deadline) {
    if (out.reason == Reason::finite) {
      const auto& of_a = reducts_of(a);
      const auto& of_b = reducts_of(b);
      if (!of_a || !of_b || !disjoint(*of_a, *of_b)) return false;
    } else {
      if (joinable_within(bank_, index_, a, b, 3, 100)) return false;
      if (!find_model(out, a, b, ordered, deadline)) return false;
    }
    return verify(bank_, rules_, usable_, out);
  }

  // Ordered with either of the two below the other.
  bool find_model(Divergence& out, Term a, Term b, bool ordered, const Deadline& deadline) {
    const auto find = [&](Term first, Term second) {
      out.model = find_separating_model(bank_, rules_, first, second, ordered, 3,
                                        deadline.within(std::chrono::milliseconds(500)));
      return out.model.has_value();
    };
    if (find(a, b)) return true;
    if (!ordered) return false;
    std::swap(out.left, out.right);
    return find(b, a);
  }

  const std::optional<std::unordered_set<Term>>& reducts_of(Term term) {
    const auto [place, made] = closures_.try_emplace(term);
    if (made) place->second = all_reducts(bank_, index_, term);
    return place->second;
  }

  // Capping is costly and done once per term.
  bool differ(Term a, Term b) {
    const Term first = capped(a);
    const Term second = capped(b);
    if (bank_.is_variable(first) || bank_.is_variable(second)) return false;
    return !unify_apart(bank_, first, second);
  }

  Term capped(Term term) {
    if (const auto known = caps_.find(term); known != caps_.end()) return known->second;
    const PairProblem plain{{}, rules_, false, nullptr};
    const Term out = cap(bank_, plain, index_, term, nullptr);
    caps_.emplace(term, out);
    return out;
  }

  Substitution constants_for(std::initializer_list<Term> terms) {
    Substitution out;
    int count = 0;
    for (Term term : terms) {
      for (int each : variables(bank_, term)) {
        if (out.find(each)) continue;
        out.bind(each, constant(bank_.variable_sort(each), count++));
      }
    }
    return out;
  }

  Term constant(Sort sort, int number) {
    const auto key = std::pair(sort, number);
    if (const auto known = constants_.find(key); known != constants_.end()) return known->second;
    const int symbol = bank_.add_symbol({"c" + std::to_string(number + 1), {}, sort});
    return constants_.emplace(key, bank_.make(symbol, {})).first->second;
  }

  TermBank& bank_;
  const Rules& rules_;
  const std::vector<bool>& usable_;
  RuleIndex index_;
  std::unordered_map<Term, Term> caps_;
  std::unordered_map<Term, std::optional<std::unordered_set<Term>>> closures_;
  std::map<std::pair<Sort, int>, Term> constants_;
};

void describe_way(TermBank& bank, const Rules& rules, Term term, const std::vector<Step>& steps,
                  Proof& proof) {
  for (const Step& step : steps) {
    const auto next = rewrite_at(bank, rules, term, step);
    if (!next) return;
    term = *next;
    proof.add("-> " + to_string(bank, term) + "   at " + to_string(step.position) + " by " +
              to_string(bank, readable(bank, rules[step.rule])));
  }
}

}  // namespace

bool verify(TermBank& bank, const Rules& rules, const std::vector<bool>& usable,
            const Divergence& divergence) {
  const auto left = replay(bank, rules, usable, divergence.peak, divergence.left);
  const auto right = replay(bank, rules, usable, divergence.peak, divergence.right);
  if (!left || !right || *left == *right) return false;
  const RuleIndex index(bank, rules);
  switch (divergence.reason) {
    case Divergence::Reason::normal_forms:
      return is_normal(bank, index, *left) && is_normal(bank, index, *right);
    case Divergence::Reason::tops:
      return tops_differ(bank, rules, index, *left, *right);
    case Divergence::Reason::finite:
      return finite_and_disjoint(bank, index, *left, *right);
    case Divergence::Reason::model:
      break;
  }
  return divergence.model && separates(bank, rules, *left, *right, *divergence.model);
}

std::optional<Divergence> find_divergence(TermBank& bank, const Rules& rules,
                                          const std::vector<bool>& usable,
                                          const std::vector<CriticalPair>& pairs, int depth,
                                          const Deadline& deadline) {
  DivergenceSearch search(bank, rules, usable);
  for (const CriticalPair& pair : pairs) {
    if (deadline.over()) return std::nullopt;
    if (pair.left == pair.right) continue;
    if (!may_use(usable, pair.inner) || !may_use(usable, pair.outer)) continue;
    if (auto found = search.look(pair, depth)) return found;
  }
  return std::nullopt;
}

std::optional<Divergence> find_non_linear_divergence(TermBank& bank, const Rules& rules,
                                                     const std::vector<bool>& usable,
                                                     const Deadline& deadline) {
  DivergenceSearch search(bank, rules, usable);
  const std::vector<Term> ground = ground_terms(bank, rules);
  for (const Rule& rule : rules) {
    if (linear(bank, rule.left)) continue;
    const std::vector<int> all = variables(bank, rule.left);
    for (std::size_t shift = 0; shift < ground.size() && !deadline.over(); ++shift) {
      Substitution sigma;
      for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t k = 0; k < ground.size(); ++k) {
          const Term term = ground[(shift + k) % ground.size()];
          if (bank.sort(term) != bank.variable_sort(all[i])) continue;
          sigma.bind(all[i], term);
          break;
        }
      }
      const Term peak = apply(bank, rule.left, sigma);
      if (!bank.ground(peak)) continue;
      if (auto found = search.look(peak, 4)) return found;
    }
  }
  return std::nullopt;
}

std::optional<Divergence> find_separated_divergence(TermBank& bank, const Rules& rules,
                                                    std::vector<Term> peaks,
                                                    const Deadline& deadline) {
  const std::vector<bool> all;
  for (const Rule& rule : rules) {
    if (has_fresh_variables(bank, rule)) return std::nullopt;
  }
  DivergenceSearch search(bank, rules, all);
  for (Term each : ground_terms(bank, rules)) peaks.push_back(each);
  std::ranges::stable_sort(peaks, {}, [&](Term each) { return bank.size(each); });
  for (Term peak : peaks) {
    if (deadline.over()) return std::nullopt;
    if (auto found = search.look_apart(peak, deadline.part(0.3))) return found;
  }
  return std::nullopt;
}

Proof describe(TermBank& bank, const Rules& rules, const Divergence& divergence) {
  using Reason = Divergence::Reason;
  Proof proof{divergence.reason == Reason::normal_forms
                  ? "one term has two normal forms"
                  : "two reducts of one term have no reduct in common"};
  Proof left{"from " + to_string(bank, divergence.peak)};
  Proof right = left;
  describe_way(bank, rules, divergence.peak, divergence.left, left);
  describe_way(bank, rules, divergence.peak, divergence.right, right);
  proof.add(std::move(left));
  proof.add(std::move(right));
  if (divergence.reason == Reason::tops) {
    proof.add("what no rule can change at the tops of the two differs");
  } else if (divergence.reason == Reason::finite) {
    proof.add("both have finitely many reducts, and none in common");
  } else if (divergence.model) {
    proof.add(describe(bank, *divergence.model));
  }
  return proof;
}

}  // namespace rhopsi::analysis
