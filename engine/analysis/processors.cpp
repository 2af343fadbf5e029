#include "engine/analysis/processors.hpp"

#include <algorithm>
#include <map>

#include "engine/analysis/arctic.hpp"
#include "engine/analysis/path_order.hpp"
#include "engine/analysis/polynomial.hpp"

namespace rhopsi::analysis {

std::unique_ptr<ReductionPair> find_order(const TermBank& bank, const OrderProblem& problem,
                                          const std::vector<bool>& marked,
                                          const OrderAttempt& attempt, const Deadline& deadline) {
  const Deadline own = deadline.within(std::chrono::duration_cast<Deadline::Clock::duration>(
      std::chrono::duration<double>(attempt.seconds)));
  switch (attempt.kind) {
    case OrderAttempt::Kind::interpretation:
      return find_interpretation(bank, problem, marked, attempt.shape, own);
    case OrderAttempt::Kind::polynomial:
      return find_polynomial(bank, problem, attempt.shape.coefficient, attempt.shape.constant, own);
    case OrderAttempt::Kind::arctic:
      return find_arctic_interpretation(bank, problem, marked, attempt.shape.dimension,
                                        attempt.shape.coefficient, own);
    case OrderAttempt::Kind::path_order:
      return find_path_order(bank, problem, {true, true}, own);
    case OrderAttempt::Kind::path_order_permuted:
      return find_path_order(bank, problem, {true, false}, own);
    case OrderAttempt::Kind::path_order_as_written:
      return find_path_order(bank, problem, {false, false}, own);
    case OrderAttempt::Kind::knuth_bendix:
      return find_knuth_bendix_order(bank, problem, own);
  }
  return nullptr;
}

namespace {

void list_rules(TermBank& bank, const std::string& title, const Rules& rules, Proof& proof) {
  Proof list{title};
  for (const Rule& rule : rules) list.add(to_string(bank, readable(bank, rule)));
  if (!rules.empty()) proof.add(std::move(list));
}

// The choice of an argument for each marked symbol.
using Projection = std::map<int, std::size_t>;

Term projected(const TermBank& bank, Term term, const Projection& projection) {
  const auto found = projection.find(bank.head(term));
  return found == projection.end() ? term : bank.arguments(term)[found->second];
}

class ProjectionSearch {
 public:
  ProjectionSearch(const TermBank& bank, const Rules& pairs, const Deadline& deadline)
      : bank_(bank), pairs_(pairs), deadline_(deadline) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      for (Term side : {pairs[i].left, pairs[i].right}) {
        const int head = bank.head(side);
        std::vector<std::size_t>& own = pairs_of_[head];
        if (own.empty()) symbols_.push_back(head);
        if (own.empty() || own.back() != i) own.push_back(i);
      }
    }
  }

  bool find(Projection& out) {
    steps_ = 0;
    return choose(0, out);
  }

 private:
  bool choose(std::size_t next, Projection& out) {
    if (++steps_ > 20000 || deadline_.over()) return false;
    if (next > 0 && !consistent(symbols_[next - 1], out)) return false;
    if (next == symbols_.size()) return strict(out);
    for (std::size_t i = 0; i < bank_.symbol(symbols_[next]).arity(); ++i) {
      out[symbols_[next]] = i;
      if (choose(next + 1, out)) return true;
    }
    out.erase(symbols_[next]);
    return false;
  }

  // With what the last choice says; the pairs of the symbols before were looked at then.
  bool consistent(int last, const Projection& projection) const {
    return std::ranges::all_of(pairs_of_.at(last), [&](std::size_t number) {
      const Rule& pair = pairs_[number];
      if (!projection.contains(bank_.head(pair.left))) return true;
      if (!projection.contains(bank_.head(pair.right))) return true;
      return is_subterm(bank_, projected(bank_, pair.right, projection),
                        projected(bank_, pair.left, projection));
    });
  }

  bool strict(const Projection& projection) const {
    return std::ranges::any_of(pairs_, [&](const Rule& pair) {
      return projected(bank_, pair.right, projection) != projected(bank_, pair.left, projection);
    });
  }

  const TermBank& bank_;
  const Rules& pairs_;
  const Deadline& deadline_;
  std::vector<int> symbols_;
  std::map<int, std::vector<std::size_t>> pairs_of_;  // in which the symbol is a root
  int steps_ = 0;
};

}  // namespace

std::optional<Reduced> subterm_criterion(TermBank& bank, const PairProblem& problem,
                                         const Deadline& deadline) {
  Projection projection;
  if (!ProjectionSearch(bank, problem.pairs, deadline).find(projection)) return std::nullopt;
  Reduced out;
  std::string text = "subterm criterion:";
  for (const auto& [symbol, argument] : projection) {
    text += " " + bank.symbol(symbol).name + " by argument " + std::to_string(argument + 1);
  }
  out.proof.text = text;
  Rules strict;
  for (const Rule& pair : problem.pairs) {
    const Term left = projected(bank, pair.left, projection);
    const Term right = projected(bank, pair.right, projection);
    if (!is_subterm(bank, right, left)) return std::nullopt;
    (left == right ? out.rest : strict).push_back(pair);
  }
  list_rules(bank, "decreasing:", strict, out.proof);
  return out;
}

std::optional<Reduced> reduction_pair(TermBank& bank, const PairProblem& problem,
                                      const std::vector<bool>& marked, const OrderAttempt& attempt,
                                      const Deadline& deadline) {
  OrderProblem question;
  question.oriented = problem.pairs;
  question.rules = problem.rules;
  const auto order = find_order(bank, question, marked, attempt, deadline);
  if (!order) return std::nullopt;
  const auto orientation = verify(bank, question, *order);
  if (!orientation) return std::nullopt;
  Reduced out;
  OrderProblem shown;
  shown.oriented = problem.pairs;
  Rules strict;
  for (std::size_t i = 0; i < problem.pairs.size(); ++i) {
    (orientation->strict[i] ? strict : out.rest).push_back(problem.pairs[i]);
  }
  for (std::size_t i = 0; i < problem.rules.size(); ++i) {
    if (orientation->usable[i]) shown.rules.push_back(problem.rules[i]);
  }
  out.proof = order->describe(bank, symbols_of(bank, shown));
  list_rules(bank, "strictly decreasing:", strict, out.proof);
  list_rules(bank, "usable rules, weakly decreasing:", shown.rules, out.proof);
  return out;
}

std::optional<Reduced> rule_removal(TermBank& bank, const Rules& rules, const OrderAttempt& attempt,
                                    const Deadline& deadline) {
  OrderProblem question;
  question.oriented = rules;
  question.monotone = true;
  const auto order = find_order(bank, question, {}, attempt, deadline);
  if (!order) return std::nullopt;
  const auto orientation = verify(bank, question, *order);
  if (!orientation) return std::nullopt;
  Reduced out;
  Rules strict;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    (orientation->strict[i] ? strict : out.rest).push_back(rules[i]);
  }
  out.proof = order->describe(bank, symbols_of(bank, question));
  if (!out.rest.empty()) list_rules(bank, "strictly decreasing, removed:", strict, out.proof);
  return out;
}

std::optional<Proof> relative_termination(TermBank& bank, const Rules& ending, const Rules& others,
                                          const Deadline& deadline) {
  using Kind = OrderAttempt::Kind;
  static const std::vector<OrderAttempt> attempts{
      {Kind::interpretation, {1, 1, 3}, 1}, {Kind::interpretation, {1, 3, 7}, 1},
      {Kind::polynomial, {1, 1, 3}, 2},     {Kind::interpretation, {2, 1, 1}, 2},
      {Kind::interpretation, {2, 3, 3}, 3},
  };
  Rules rules = others;
  for (const Rule& rule : ending) {
    if (std::ranges::find(rules, rule) == rules.end()) rules.push_back(rule);
  }
  const auto left = [&] {
    return std::ranges::any_of(
        ending, [&](const Rule& rule) { return std::ranges::find(rules, rule) != rules.end(); });
  };
  Proof proof{"each makes a term smaller in an order in which no rule makes one larger"};
  for (std::size_t i = 0; left();) {
    if (i == attempts.size() || deadline.over()) return std::nullopt;
    auto reduced = rule_removal(bank, rules, attempts[i], deadline.part(0.3));
    if (!reduced) {
      ++i;
      continue;
    }
    rules = std::move(reduced->rest);
    proof.add(std::move(reduced->proof));
  }
  return proof;
}

}  // namespace rhopsi::analysis
