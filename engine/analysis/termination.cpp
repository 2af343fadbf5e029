#include "engine/analysis/termination.hpp"

#include <algorithm>

#include "engine/analysis/critical_pairs.hpp"
#include "engine/analysis/loop.hpp"
#include "engine/analysis/match_bounds.hpp"
#include "engine/analysis/processors.hpp"

namespace rhopsi::analysis {

namespace {

using Kind = OrderAttempt::Kind;

// Deeper terms are not analysed: everything here recurs over terms.
constexpr std::uint32_t deepest = 300;

const std::vector<OrderAttempt> whole_orders{
    {Kind::path_order_as_written, {}, 5},
    {Kind::path_order_permuted, {}, 5},
    {Kind::path_order, {}, 5},
    {Kind::knuth_bendix, {}, 2},
    {Kind::interpretation, {1, 3, 7}, 2},
};

const std::vector<OrderAttempt> removal_orders{
    {Kind::interpretation, {1, 1, 7}, 1}, {Kind::interpretation, {1, 3, 7}, 1},
    {Kind::knuth_bendix, {}, 1},          {Kind::path_order, {}, 1},
    {Kind::interpretation, {2, 1, 1}, 2}, {Kind::polynomial, {1, 1, 3}, 2},
};

const std::vector<OrderAttempt> pair_orders{
    {Kind::interpretation, {1, 1, 1}, 2},
    {Kind::interpretation, {1, 1, 3}, 2},
    {Kind::path_order_permuted, {}, 3},
    {Kind::interpretation, {1, 3, 3}, 3},
    {Kind::interpretation, {2, 1, 1}, 4},
    {Kind::arctic, {1, 3}, 2},
    {Kind::arctic, {2, 3}, 4},
    {Kind::polynomial, {1, 1, 3}, 4},
    {Kind::interpretation, {3, 1, 1}, 6},
    {Kind::arctic, {3, 3}, 8},
    {Kind::interpretation, {2, 3, 3}, 8},
    {Kind::polynomial, {1, 3, 7}, 8},
    {Kind::path_order, {}, 20},
    {Kind::interpretation, {4, 1, 1}, 20},
    {Kind::interpretation, {3, 3, 3}, 30},
    {Kind::arctic, {4, 3}, 30},
    {Kind::interpretation, {1, 7, 15}, 10},
    {Kind::interpretation, {5, 1, 1}, 60},
};

std::string strategy_name(Strategy strategy) {
  return strategy == Strategy::innermost ? "innermost rewriting" : "rewriting";
}

class Prover {
 public:
  Prover(TermBank& bank, const TerminationProblem& problem, const Deadline& deadline)
      : bank_(bank), problem_(problem), deadline_(deadline), stage_(deadline) {}

  Verdict run() {
    if (problem_.rules.empty()) return yes({"there are no rules"});
    for (const Rule& rule : problem_.rules) {
      if (bank_.depth(rule.left) > deepest || bank_.depth(rule.right) > deepest) {
        return maybe("terms nested deeper than " + std::to_string(deepest) +
                     " levels are not analysed");
      }
    }
    if (const auto broken = broken_variables()) return *broken;
    if (auto loop = search_loop(deadline_.part(0.05).within(std::chrono::seconds(1)), 40))
      return *loop;
    if (auto whole = by_one_order()) return *whole;
    Rules rules = problem_.rules;
    Proof removal{"rules are removed until none is left"};
    if (remove_rules(rules, removal)) return yes(std::move(removal));
    if (innermost()) rules = problem_.rules;
    if (auto bounded = by_match_bound(rules, removal)) return *bounded;
    stage_ = deadline_.part(strings(rules) && !innermost() ? 0.4 : 0.75);
    if (auto pairs = by_pairs(rules, removal)) return *pairs;
    if (auto reversed = by_reversal(rules, removal)) return *reversed;
    if (auto loop = search_loop(deadline_, 400)) return *loop;
    Verdict out = maybe(deadline_.over() ? "the time limit was reached"
                                         : "neither an order nor a loop was found");
    if (!stuck_.text.empty())
      out.proof.add(Proof{"nothing was found for the " + stuck_.text, stuck_.parts});
    return out;
  }

 private:
  static Verdict yes(Proof proof) { return {Answer::yes, std::move(proof)}; }
  static Verdict maybe(std::string reason) { return {Answer::maybe, {std::move(reason)}}; }
  bool innermost() const { return problem_.strategy == Strategy::innermost; }

  // Rules that no order orients, whatever their names.
  std::optional<Verdict> broken_variables() {
    const RuleIndex index(bank_, problem_.rules);
    bool found = false;
    for (const Rule& rule : problem_.rules) {
      if (!has_fresh_variables(bank_, rule)) continue;
      found = true;
      if (problem_.over_approximation) continue;
      if (!bank_.is_variable(rule.left) && innermost() &&
          !arguments_are_normal(bank_, index, rule.left)) {
        continue;
      }
      const std::string text = to_string(bank_, readable(bank_, rule));
      if (bank_.is_variable(rule.left)) return Verdict{Answer::no, {text + " rewrites every term"}};
      return Verdict{Answer::no,
                     {"the right side of " + text +
                      " has a variable that the left side does not "
                      "bind: the left side may be put there, and so on"}};
    }
    if (found) return maybe("a rule binds variables on its right side only");
    return std::nullopt;
  }

  std::optional<Verdict> search_loop(const Deadline& deadline, std::size_t size) {
    if (problem_.over_approximation) return std::nullopt;
    const auto loop = find_loop(bank_, problem_.rules, innermost(), deadline, size);
    if (!loop) return std::nullopt;
    return Verdict{Answer::no, describe(bank_, problem_.rules, *loop)};
  }

  std::optional<Verdict> by_one_order() {
    OrderProblem question;
    question.oriented = problem_.rules;
    question.monotone = true;
    question.all_strict = true;
    for (const OrderAttempt& attempt : whole_orders) {
      const auto order = find_order(bank_, question, {}, attempt, deadline_.part(0.1));
      if (order && verify(bank_, question, *order)) {
        return yes(order->describe(bank_, symbols_of(bank_, question)));
      }
    }
    return std::nullopt;
  }

  // True if nothing is left. For innermost rewriting nothing else counts: fewer rules have more
  // normal forms, and what is left may be harder.
  bool remove_rules(Rules& rules, Proof& proof) {
    for (std::size_t i = 0; i < removal_orders.size() && !rules.empty();) {
      auto reduced = rule_removal(bank_, rules, removal_orders[i], deadline_.part(0.1));
      if (!reduced) {
        ++i;
        continue;
      }
      rules = std::move(reduced->rest);
      proof.add(std::move(reduced->proof));
    }
    return rules.empty();
  }

  std::optional<Verdict> by_pairs(const Rules& rules, const Proof& removal) {
    bool as_innermost = innermost();
    Proof proof{"dependency pairs"};
    if (!innermost() && !removal.parts.empty()) {
      Proof before{"rules are removed first"};
      before.parts = removal.parts;
      proof.add(std::move(before));
    }
    if (!innermost() && locally_confluent_overlay(bank_, rules, stage_.part(0.2))) {
      proof.add("critical pairs are joinable overlays, so innermost rewriting is all that counts");
      as_innermost = true;
    }
    const PairProblem all = dependency_pairs(bank_, rules, as_innermost, symbols_);
    if (stage_.over()) return std::nullopt;
    if (!solve(all, proof, 0)) return std::nullopt;
    proof.text = "dependency pairs of " + strategy_name(problem_.strategy);
    return yes(std::move(proof));
  }

  // Strings may be read backwards.
  std::optional<Verdict> by_reversal(const Rules& rules, const Proof& removal) {
    if (innermost() || !strings(rules)) return std::nullopt;
    Rules backwards;
    for (const Rule& rule : rules) backwards.push_back({reversed(rule.left), reversed(rule.right)});
    stage_ = deadline_.part(0.8);
    auto verdict = by_pairs(backwards, removal);
    if (!verdict) return std::nullopt;
    return yes(Proof{"strings are reversed", {std::move(verdict->proof)}});
  }

  // Of the strings, or of the strings read backwards.
  std::optional<Verdict> by_match_bound(const Rules& rules, const Proof& removal) {
    if (!strings(rules)) return std::nullopt;
    for (bool backwards : {false, true}) {
      std::vector<StringRule> words;
      for (const Rule& rule : rules) {
        words.push_back({letters(rule.left, backwards), letters(rule.right, backwards)});
      }
      const auto found =
          find_match_bound(words, 20, deadline_.part(0.15).within(std::chrono::seconds(5)));
      if (!found || !verify(words, *found)) continue;
      Proof proof{std::string(backwards ? "strings are reversed: " : "") + "match-bounded by " +
                  std::to_string(found->bound) + ", with an automaton of " +
                  std::to_string(found->states) + " states and " +
                  std::to_string(found->edges.size()) + " edges"};
      if (!removal.parts.empty() && !innermost()) {
        proof.add(Proof{"rules are removed first", removal.parts});
      }
      return yes(std::move(proof));
    }
    return std::nullopt;
  }

  std::vector<int> letters(Term term, bool backwards) const {
    std::vector<int> out;
    for (; !bank_.is_variable(term); term = bank_.arguments(term).front()) {
      out.push_back(bank_.head(term));
    }
    if (backwards) std::ranges::reverse(out);
    return out;
  }

  bool strings(const Rules& rules) const {
    return std::ranges::all_of(rules, [&](const Rule& rule) {
      return string_end(rule.left) >= 0 && string_end(rule.left) == string_end(rule.right);
    });
  }

  // The variable below unary symbols; -1 for other terms.
  int string_end(Term term) const {
    while (!bank_.is_variable(term)) {
      if (bank_.arguments(term).size() != 1 || bank_.sort(term) != 0) return -1;
      term = bank_.arguments(term).front();
    }
    return bank_.variable_sort(bank_.variable_of(term)) == 0 ? bank_.variable_of(term) : -1;
  }

  Term reversed(Term term) {
    Term out = bank_.variable(string_end(term));
    for (; !bank_.is_variable(term); term = bank_.arguments(term).front()) {
      out = bank_.make(bank_.head(term), {out});
    }
    return out;
  }

  // Every component by the cheapest step that makes it smaller.
  bool solve(const PairProblem& problem, Proof& proof, std::size_t transformed) {
    const auto parts = components(bank_, problem, stage_);
    if (parts.empty()) {
      proof.add("the estimated dependency graph has no cycle");
      return true;
    }
    for (const PairProblem& part : parts) {
      if (!solve_component(part, proof, transformed)) return false;
    }
    return true;
  }

  bool solve_component(const PairProblem& part, Proof& proof, std::size_t transformed) {
    Proof own{"component of " + std::to_string(part.pairs.size()) +
              (part.pairs.size() == 1 ? " pair" : " pairs")};
    for (const Rule& pair : part.pairs) own.add(to_string(bank_, readable(bank_, pair)));
    if (auto reduced = subterm_criterion(bank_, part, stage_)) {
      return go_on(part, std::move(*reduced), std::move(own), proof, transformed);
    }
    // What has been transformed is tried cheaply only, so that the way back stays short.
    const std::size_t attempts = transformed > 0 ? 8 : pair_orders.size();
    for (std::size_t i = 0; i < attempts && !stage_.over(); ++i) {
      if (i == 4) {
        if (auto bounded = bounded_increase(bank_, part, stage_.part(0.1))) {
          return go_on(part, std::move(*bounded), std::move(own), proof, transformed);
        }
        if (auto changed = try_transformation(part, own, transformed)) {
          proof.add(std::move(*changed));
          return true;
        }
      }
      auto reduced = reduction_pair(bank_, part, symbols_.marked, pair_orders[i], stage_.part(0.5));
      if (reduced) return go_on(part, std::move(*reduced), std::move(own), proof, transformed);
    }
    if (transformed == 0) stuck_ = std::move(own);
    return false;
  }

  bool go_on(const PairProblem& part, Reduced reduced, Proof own, Proof& proof,
             std::size_t transformed) {
    own.add(std::move(reduced.proof));
    PairProblem rest = part;
    rest.pairs = std::move(reduced.rest);
    if (!rest.pairs.empty() && !solve(rest, own, transformed)) return false;
    proof.add(std::move(own));
    return true;
  }

  std::optional<Proof> try_transformation(const PairProblem& part, Proof own,
                                          std::size_t transformed) {
    if (!part.innermost || transformed >= 6) return std::nullopt;
    auto changed = transform_pairs(bank_, part, 40);
    if (!changed) return std::nullopt;
    own.add(std::move(changed->proof));
    PairProblem next = part;
    next.pairs = std::move(changed->rest);
    if (!solve(next, own, transformed + 1)) return std::nullopt;
    return own;
  }

  TermBank& bank_;
  const TerminationProblem& problem_;
  Deadline deadline_;
  Deadline stage_;  // of the attempt with pairs that is under way
  MarkedSymbols symbols_;
  Proof stuck_;  // the component that nothing was found for
};

}  // namespace

Verdict termination(TermBank& bank, const TerminationProblem& problem, const Deadline& deadline) {
  return Prover(bank, problem, deadline).run();
}

}  // namespace rhopsi::analysis
