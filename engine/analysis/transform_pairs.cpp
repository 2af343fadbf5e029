// Pairs of innermost problems made more precise. (Giesl, Thiemann, Schneider-Kamp, Falke 2006,
// section 6.)
#include <algorithm>

#include "engine/analysis/processors.hpp"
#include "engine/analysis/unify.hpp"

namespace rhopsi::analysis {

namespace {

class Transformation {
 public:
  Transformation(TermBank& bank, const PairProblem& problem)
      : bank_(bank), problem_(problem), index_(bank, problem.rules) {}

  // The first of rewriting, narrowing and instantiation that changes something.
  std::optional<Reduced> run(std::size_t limit) {
    Reduced out;
    out.proof.text = "pairs are replaced";
    bool changed = false;
    for (const Rule& pair : problem_.pairs) {
      const Rules after = step(pair);
      if (after.size() == 1 && same(after.front(), pair)) {
        add(out.rest, pair);
        continue;
      }
      changed = true;
      Proof line{to_string(bank_, readable(bank_, pair)) + "   by " + how_};
      for (const Rule& each : after) line.add("=> " + to_string(bank_, readable(bank_, each)));
      if (after.empty()) line.add("=> none");
      out.proof.add(std::move(line));
      for (const Rule& each : after) add(out.rest, each);
      if (out.rest.size() > limit) return std::nullopt;
    }
    if (!changed) return std::nullopt;
    return out;
  }

 private:
  static bool too_large(const TermBank& bank, const Rule& pair) {
    return bank.size(pair.left) + bank.size(pair.right) > 200;
  }

  bool same(const Rule& a, const Rule& b) { return variant(a, b) && variant(b, a); }
  bool variant(const Rule& a, const Rule& b) {
    Substitution sigma;
    return match_into(bank_, a.left, b.left, sigma) && match_into(bank_, a.right, b.right, sigma);
  }

  void add(Rules& rules, const Rule& rule) {
    if (std::ranges::none_of(rules, [&](const Rule& each) { return same(each, rule); })) {
      rules.push_back(rule);
    }
  }

  Rules step(const Rule& pair) {
    if (too_large(bank_, pair)) return {pair};
    if (auto rewritten = rewriting(pair)) {
      how_ = "rewriting the right side, whose usable rules do not overlap";
      for (int i = 0; i < 30 && !too_large(bank_, *rewritten); ++i) {
        const auto next = rewriting(*rewritten);
        if (!next) break;
        rewritten = next;
      }
      return {*rewritten};
    }
    const Rules before = instantiation(pair);
    if (before.size() < 2 && !(before.size() == 1 && same(before.front(), pair))) {
      how_ = "instantiation with the only pair before";
      return before;
    }
    if (auto narrowed = narrowing(pair)) {
      how_ = "narrowing the right side, which no left side fits yet";
      return *narrowed;
    }
    how_ = "instantiation with the pairs before";
    return before;
  }

  // --- rewriting: what the redex becomes does not depend on the steps chosen
  std::optional<Rule> rewriting(const Rule& pair) {
    for (const Position& position : function_positions(bank_, pair.right)) {
      if (position.empty()) continue;
      const Term redex = subterm(bank_, pair.right, position);
      for (std::size_t number : index_.of(bank_.head(redex))) {
        const auto made = rewrite_at(bank_, problem_.rules, pair.right, {position, number});
        if (!made || !usable_do_not_overlap(redex)) continue;
        return Rule{pair.left, *made};
      }
    }
    return std::nullopt;
  }

  void collect_usable(Term term, std::vector<bool>& usable) const {
    if (bank_.is_variable(term)) return;
    for (std::size_t number : index_.of(bank_.head(term))) {
      if (usable[number]) continue;
      usable[number] = true;
      collect_usable(problem_.rules[number].right, usable);
    }
    for (Term each : bank_.arguments(term)) collect_usable(each, usable);
  }

  bool usable_do_not_overlap(Term term) {
    std::vector<bool> usable(problem_.rules.size(), false);
    collect_usable(term, usable);
    for (std::size_t i = 0; i < usable.size(); ++i) {
      for (std::size_t j = 0; j < usable.size(); ++j) {
        if (usable[i] && usable[j] && overlap(i, j)) return false;
      }
    }
    return true;
  }

  bool overlap(std::size_t inner, std::size_t outer) {
    for (const Position& position : function_positions(bank_, problem_.rules[outer].left)) {
      if (position.empty() && inner == outer) continue;
      const Term part = subterm(bank_, problem_.rules[outer].left, position);
      if (unify_apart(bank_, part, problem_.rules[inner].left)) return true;
    }
    return false;
  }

  // --- narrowing: a step has to come before the next pair
  std::optional<Rules> narrowing(const Rule& pair) {
    for (const Rule& next : problem_.pairs) {
      Substitution renaming;
      const Term left = rename(bank_, next.left, renaming);
      const auto sigma = unify(bank_, pair.right, left);
      if (!sigma) continue;
      if (is_normal(bank_, *problem_.normal_forms, apply(bank_, pair.left, *sigma)) &&
          is_normal(bank_, *problem_.normal_forms, apply(bank_, left, *sigma))) {
        return std::nullopt;
      }
    }
    std::optional<Rules> fewest;
    for (std::uint32_t i = 0; i < bank_.arguments(pair.right).size(); ++i) {
      if (!has_to_change(pair, i)) continue;
      Rules narrowed = narrowed_within(pair, i);
      if (!fewest || narrowed.size() < fewest->size()) fewest = std::move(narrowed);
    }
    return fewest ? *fewest : narrowed_within(pair, std::nullopt);
  }

  // No next left side fits this argument of the right side as it is. Steps in different arguments
  // do not meet, so that the first one in this argument may come before all others.
  bool has_to_change(const Rule& pair, std::uint32_t argument) {
    return std::ranges::none_of(problem_.pairs, [&](const Rule& next) {
      return bank_.head(next.left) == bank_.head(pair.right) &&
             unify_apart(bank_, bank_.arguments(pair.right)[argument],
                         bank_.arguments(next.left)[argument]);
    });
  }

  // By a step anywhere below the root, or within that argument.
  Rules narrowed_within(const Rule& pair, std::optional<std::uint32_t> argument) {
    Rules out;
    for (const Position& position : function_positions(bank_, pair.right)) {
      if (position.empty() || (argument && position.front() != *argument)) continue;
      const Term part = subterm(bank_, pair.right, position);
      for (std::size_t number : index_.of(bank_.head(part))) {
        const Rule rule = rename(bank_, problem_.rules[number]);
        const auto sigma = unify(bank_, part, rule.left);
        if (!sigma) continue;
        const Term left = apply(bank_, pair.left, *sigma);
        if (!is_normal(bank_, *problem_.normal_forms, left)) continue;
        if (!arguments_are_normal(bank_, *problem_.normal_forms, apply(bank_, rule.left, *sigma))) {
          continue;
        }
        const Term right = replace(bank_, apply(bank_, pair.right, *sigma), position,
                                   apply(bank_, rule.right, *sigma));
        add(out, {left, right});
      }
    }
    return out;
  }

  // --- instantiation: what the pairs before leave of the left side
  Rules instantiation(const Rule& pair) {
    Rules out;
    for (const Rule& before : problem_.pairs) {
      if (bank_.head(before.right) != bank_.head(pair.left)) continue;
      const Rule apart = rename(bank_, before);
      const Term capped = cap(bank_, problem_, index_, apart.right, &apart.left);
      const auto sigma = unify(bank_, capped, pair.left);
      if (!sigma) continue;
      if (!is_normal(bank_, *problem_.normal_forms, apply(bank_, apart.left, *sigma))) continue;
      const Term left = apply(bank_, pair.left, *sigma);
      if (!is_normal(bank_, *problem_.normal_forms, left)) continue;
      add(out, {left, apply(bank_, pair.right, *sigma)});
    }
    return out;
  }

  TermBank& bank_;
  const PairProblem& problem_;
  RuleIndex index_;
  std::string how_;
};

}  // namespace

std::optional<Reduced> transform_pairs(TermBank& bank, const PairProblem& problem,
                                       std::size_t limit) {
  return Transformation(bank, problem).run(limit);
}

}  // namespace rhopsi::analysis
