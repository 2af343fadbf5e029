// The search for loops: reductions between terms with variables, grown by narrowing, smallest
// first. (Payet 2008; Giesl, Thiemann, Schneider-Kamp 2005.)
#include <algorithm>
#include <map>
#include <queue>
#include <unordered_set>
#include <utility>

#include "engine/analysis/loop.hpp"
#include "engine/analysis/unify.hpp"

namespace rhopsi::analysis {

namespace {

// left rewrites by `steps` to a term that has `right` at `focus`.
struct Reduction {
  Term left;
  Term right;
  std::vector<Step> steps;
  Position focus;
};

Position joined(Position front, const Position& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

class LoopSearch {
 public:
  LoopSearch(TermBank& bank, const Rules& rules, bool innermost, const Deadline& deadline,
             std::size_t largest_term)
      : bank_(bank),
        rules_(rules),
        index_(bank, rules),
        innermost_(innermost),
        deadline_(deadline),
        largest_term_(largest_term) {}

  std::optional<Loop> run() {
    std::uint64_t largest_rule = 0;  // the rules themselves are always looked at
    for (const Rule& rule : rules_) {
      largest_rule = std::max(largest_rule, bank_.size(rule.left) + bank_.size(rule.right));
    }
    largest_term_ += largest_rule;
    for (std::size_t i = 0; i < rules_.size() && !deadline_.over(); ++i) start(i);
    while (!found_ && !(queues_[0].empty() && queues_[1].empty())) {
      for (int way : {0, 1}) {
        if (found_ || queues_[way].empty()) continue;
        if (deadline_.over() || seen_[way].size() > 400000) return found_;
        const Reduction next = queues_[way].top().reduction;
        queues_[way].pop();
        if (way == 0) {
          forward(next);
        } else {
          backward(next);
        }
      }
    }
    return found_;
  }

 private:
  struct Entry {
    std::uint64_t cost;
    std::uint64_t number;  // the older first
    Reduction reduction;
    bool operator<(const Entry& other) const {
      return std::pair(cost, number) > std::pair(other.cost, other.number);
    }
  };

  bool defined(Term term) const {
    return !bank_.is_variable(term) && index_.defined(bank_.head(term));
  }

  void start(std::size_t rule) {
    const Term right = rules_[rule].right;
    for (const Position& position : function_positions(bank_, right)) {
      const Term inner = subterm(bank_, right, position);
      if (!defined(inner)) continue;
      const Reduction made{rules_[rule].left, inner, {{{}, rule}}, position};
      add(0, made);
      add(1, made);
    }
  }

  // Variables become those of a fixed pool, which no rule has, so that equal reductions are equal.
  void name_variables(Reduction& reduction) {
    Substitution renaming;
    std::map<Sort, std::size_t> used;
    for (Term side : {reduction.left, reduction.right}) {
      for (int each : variables(bank_, side)) {
        if (renaming.find(each)) continue;
        const Sort sort = bank_.variable_sort(each);
        std::vector<int>& pool = pool_[sort];
        const std::size_t number = used[sort]++;
        while (pool.size() <= number) pool.push_back(bank_.fresh_variable(sort));
        renaming.bind(each, bank_.variable(pool[number]));
      }
    }
    reduction.left = apply(bank_, reduction.left, renaming);
    reduction.right = apply(bank_, reduction.right, renaming);
  }

  void add(int way, Reduction reduction) {
    if (found_ || deadline_.over()) return;
    const std::uint64_t size = bank_.size(reduction.left) + bank_.size(reduction.right);
    if (size > largest_term_) return;
    name_variables(reduction);
    if (!seen_[way].insert({reduction.left, reduction.right}).second) return;
    check(reduction);
    const std::uint64_t cost = size + 2 * reduction.steps.size();
    queues_[way].push({cost, count_++, std::move(reduction)});
  }

  void check(const Reduction& reduction) {
    if (match(bank_, reduction.left, reduction.right)) propose(reduction, {});
    if (found_) return;
    if (const auto both = semi_unify(bank_, reduction.left, reduction.right)) {
      propose(reduction, both->sigma);
    }
  }

  void propose(const Reduction& reduction, const Substitution& sigma) {
    Loop loop{apply(bank_, reduction.left, sigma), reduction.steps, reduction.focus};
    if (bank_.size(loop.start) > 5000) return;
    if (verify(bank_, rules_, innermost_, loop)) found_ = std::move(loop);
  }

  bool allowed(Term redex) const {
    return !innermost_ || arguments_are_normal(bank_, index_, redex);
  }

  void forward(const Reduction& reduction) {
    for (const Position& position : function_positions(bank_, reduction.right)) {
      const Term inner = subterm(bank_, reduction.right, position);
      for (std::size_t number : index_.of(bank_.head(inner))) {
        const Rule& rule = rules_[number];
        const auto sigma = unify(bank_, inner, rule.left);
        if (!sigma || !allowed(apply(bank_, rule.left, *sigma))) continue;
        Reduction next;
        next.left = apply(bank_, reduction.left, *sigma);
        const Term contractum = apply(bank_, rule.right, *sigma);
        next.right = replace(bank_, apply(bank_, reduction.right, *sigma), position, contractum);
        next.steps = reduction.steps;
        next.steps.push_back({joined(reduction.focus, position), number});
        next.focus = reduction.focus;
        if (position.empty()) {
          descend(next, rule.right);
        } else {
          add(0, next);
        }
        if (found_ || deadline_.over()) return;
      }
    }
  }

  // After a step at the root: what goes on is one of the calls of the right side.
  void descend(const Reduction& reduction, Term right_side) {
    for (const Position& position : function_positions(bank_, right_side)) {
      const Term inner = subterm(bank_, reduction.right, position);
      if (!defined(inner)) continue;
      Reduction next = reduction;
      next.right = inner;
      next.focus = joined(reduction.focus, position);
      add(0, std::move(next));
    }
  }

  void backward(const Reduction& reduction) {
    for (std::size_t number = 0; number < rules_.size(); ++number) {
      before(reduction, number);
      inside(reduction, number);
      if (found_ || deadline_.over()) return;
    }
  }

  // A step at the root that makes the left side.
  void before(const Reduction& reduction, std::size_t number) {
    const Rule& rule = rules_[number];
    for (const Position& position : function_positions(bank_, rule.right)) {
      const auto sigma = unify(bank_, subterm(bank_, rule.right, position), reduction.left);
      if (!sigma || !allowed(apply(bank_, rule.left, *sigma))) continue;
      Reduction next{apply(bank_, rule.left, *sigma),
                     apply(bank_, reduction.right, *sigma),
                     {{{}, number}},
                     joined(position, reduction.focus)};
      for (const Step& step : reduction.steps) {
        next.steps.push_back({joined(position, step.position), step.rule});
      }
      add(1, std::move(next));
    }
  }

  // A step inside the left side that makes it what it is.
  void inside(const Reduction& reduction, std::size_t number) {
    const Rule& rule = rules_[number];
    for (const Position& position : function_positions(bank_, reduction.left)) {
      if (position.empty()) continue;
      const auto sigma = unify(bank_, subterm(bank_, reduction.left, position), rule.right);
      if (!sigma || !allowed(apply(bank_, rule.left, *sigma))) continue;
      Reduction next;
      next.left = replace(bank_, apply(bank_, reduction.left, *sigma), position,
                          apply(bank_, rule.left, *sigma));
      next.right = apply(bank_, reduction.right, *sigma);
      next.steps.push_back({position, number});
      next.steps.insert(next.steps.end(), reduction.steps.begin(), reduction.steps.end());
      next.focus = reduction.focus;
      add(1, std::move(next));
    }
  }

  struct PairHash {
    std::size_t operator()(const std::pair<Term, Term>& pair) const {
      return static_cast<std::size_t>(pair.first) * 0x9e3779b97f4a7c15ULL +
             static_cast<std::size_t>(pair.second);
    }
  };

  TermBank& bank_;
  const Rules& rules_;
  RuleIndex index_;
  bool innermost_;
  Deadline deadline_;
  std::uint64_t largest_term_;
  std::priority_queue<Entry> queues_[2];
  std::unordered_set<std::pair<Term, Term>, PairHash> seen_[2];
  std::map<Sort, std::vector<int>> pool_;
  std::uint64_t count_ = 0;
  std::optional<Loop> found_;
};

}  // namespace

std::optional<Loop> find_loop(TermBank& bank, const Rules& rules, bool innermost,
                              const Deadline& deadline, std::size_t largest_term) {
  return LoopSearch(bank, rules, innermost, deadline, largest_term).run();
}

}  // namespace rhopsi::analysis
