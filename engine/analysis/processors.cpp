#include "engine/analysis/processors.hpp"

#include <algorithm>
#include <map>

#include "engine/analysis/arctic.hpp"
#include "engine/analysis/path_order.hpp"

namespace rhopsi::analysis {

std::unique_ptr<ReductionPair> find_order(const TermBank& bank, const OrderProblem& problem,
                                          const std::vector<bool>& marked,
                                          const OrderAttempt& attempt, const Deadline& deadline) {
  const Deadline own = deadline.within(std::chrono::duration_cast<Deadline::Clock::duration>(
      std::chrono::duration<double>(attempt.seconds)));
  switch (attempt.kind) {
    case OrderAttempt::Kind::interpretation:
      return find_interpretation(bank, problem, marked, attempt.shape, own);
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
  ProjectionSearch(const TermBank& bank, const Rules& pairs) : bank_(bank), pairs_(pairs) {
    for (const Rule& pair : pairs) {
      for (Term side : {pair.left, pair.right}) {
        if (std::ranges::find(symbols_, bank.head(side)) == symbols_.end()) {
          symbols_.push_back(bank.head(side));
        }
      }
    }
  }

  bool find(Projection& out) {
    steps_ = 0;
    return choose(0, out);
  }

 private:
  bool choose(std::size_t next, Projection& out) {
    if (++steps_ > 20000) return false;
    if (!consistent(out)) return false;
    if (next == symbols_.size()) return strict(out);
    for (std::size_t i = 0; i < bank_.symbol(symbols_[next]).arity(); ++i) {
      out[symbols_[next]] = i;
      if (choose(next + 1, out)) return true;
    }
    out.erase(symbols_[next]);
    return false;
  }

  bool consistent(const Projection& projection) const {
    return std::ranges::all_of(pairs_, [&](const Rule& pair) {
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
  std::vector<int> symbols_;
  int steps_ = 0;
};

}  // namespace

std::optional<Reduced> subterm_criterion(TermBank& bank, const PairProblem& problem) {
  Projection projection;
  if (!ProjectionSearch(bank, problem.pairs).find(projection)) return std::nullopt;
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

}  // namespace rhopsi::analysis
