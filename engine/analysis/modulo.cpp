#include "engine/analysis/modulo.hpp"

#include <algorithm>

#include "engine/analysis/path_order.hpp"
#include "engine/analysis/unify.hpp"

namespace rhopsi::analysis {

namespace {

constexpr int most_steps = 2'000;
constexpr int most_rounds = 5;
constexpr std::size_t largest_term = 2'000;

class Joiner {
 public:
  Joiner(TermBank& bank, const ModuloProblem& problem, const Arithmetic& arithmetic,
         const Deadline& deadline)
      : bank_(bank),
        problem_(problem),
        arithmetic_(arithmetic),
        deadline_(deadline),
        index_(bank, problem.rules),
        canonical_(bank, arithmetic) {}

  ModuloFinding run() {
    ModuloFinding out;
    const auto found = critical_pairs(bank_, problem_.rules, deadline_);
    out.complete = found.has_value();
    const auto pairs = found.value_or(std::vector<CriticalPair>{});
    out.pairs = pairs.size();
    for (const CriticalPair& pair : pairs) {
      if (deadline_.over()) {
        out.complete = false;
        break;
      }
      take(pair, out);
    }
    out.obstacle = obstacle(out);
    return out;
  }

 private:
  void take(const CriticalPair& pair, ModuloFinding& out) {
    hypotheses_ = conditions_of(pair);
    if (!hypotheses_.empty() && problem_.follows(hypotheses_, std::nullopt)) {
      ++out.excluded;
      return;
    }
    // What a condition says is known in the words of the rules, too.
    const std::vector<Term> stated = hypotheses_;
    for (Term each : stated) {
      const Term other = rewritten(each);
      if (other != each) hypotheses_.push_back(other);
    }
    OpenPair open{pair, rewritten(pair.left), rewritten(pair.right), stated};
    const bool rewrites_itself = pair.inner == pair.outer && problem_.opaque[pair.inner];
    if (!rewrites_itself && meet(open)) return;
    out.open.push_back(std::move(open));
  }

  // Takes turns at rewriting and arithmetic.
  bool meet(OpenPair& open) {
    Term left = open.left;
    Term right = open.right;
    for (int round = 0; round < most_rounds; ++round) {
      const auto one = canonical_.of(left);
      const auto other = canonical_.of(right);
      if (!one || !other) return false;
      if (*one == *other) return true;
      left = rewritten(*one);
      right = rewritten(*other);
      if (left == *one && right == *other) break;
    }
    open.apart = open.hypotheses.empty() && is_normal(bank_, index_, left) &&
                 is_normal(bank_, index_, right) && is_normal(bank_, index_, open.left) &&
                 is_normal(bank_, index_, open.right) && canonical_.of(left) == left &&
                 canonical_.of(right) == right;
    return false;
  }

  // Innermost first, by rules whose conditions follow from the hypotheses.
  Term rewritten(Term term) {
    for (int i = 0; i < most_steps && bank_.size(term) <= largest_term && !deadline_.over(); ++i) {
      const auto next = step(term);
      if (!next) break;
      term = *next;
    }
    return term;
  }

  std::optional<Term> step(Term term) {
    if (bank_.is_variable(term)) return std::nullopt;
    std::vector<Term> arguments(bank_.arguments(term).begin(), bank_.arguments(term).end());
    for (Term& each : arguments) {
      const auto next = step(each);
      if (!next) continue;
      each = *next;
      return bank_.make(bank_.head(term), arguments);
    }
    for (std::size_t rule : index_.of(bank_.head(term))) {
      if (problem_.opaque[rule]) continue;
      const auto sigma = match(bank_, problem_.rules[rule].left, term);
      if (!sigma || !applies(rule, *sigma)) continue;
      const Term made = apply(bank_, problem_.rules[rule].right, *sigma);
      if (made != term) return made;
    }
    return std::nullopt;
  }

  bool applies(std::size_t rule, const Substitution& sigma) {
    if (!problem_.conditions[rule]) return true;
    if (deciding_) return false;  // conditions of conditions are not asked
    deciding_ = true;
    const Term goal = rewritten(apply(bank_, *problem_.conditions[rule], sigma));
    deciding_ = false;
    return problem_.follows(hypotheses_, goal);
  }

  std::vector<Term> conditions_of(const CriticalPair& pair) {
    std::vector<Term> out;
    const auto add = [&](std::size_t rule, Term redex) {
      if (!problem_.conditions[rule]) return;
      const auto sigma = match(bank_, problem_.rules[rule].left, redex);
      if (sigma) out.push_back(apply(bank_, *problem_.conditions[rule], *sigma));
    };
    add(pair.outer, pair.peak);
    add(pair.inner, subterm(bank_, pair.peak, pair.position));
    return out;
  }

  // ------------------------------------------------------------ what the theorem asks for

  std::string obstacle(ModuloFinding& out) {
    for (const Rule& rule : problem_.rules) {
      const std::string text = "`" + to_string(bank_, readable(bank_, rule)) + "`";
      if (bank_.is_variable(rule.left) || arithmetic_.literal(bank_.head(rule.left))) {
        return "the left side of " + text + " is a number";
      }
      for (Term each : subterms(bank_, rule.left)) {
        if (bank_.is_variable(each) || !arithmetic_.interprets(bank_.head(each))) continue;
        return "the left side of " + text +
               " holds arithmetic, and does not match what is equal to it";
      }
    }
    OrderProblem orders;
    orders.oriented = problem_.rules;
    orders.monotone = true;
    orders.all_strict = true;
    PathOrderShape shape;
    shape.lowest = [&](int symbol) {
      return arithmetic_.interprets(symbol) || arithmetic_.literal(symbol);
    };
    const auto order = find_path_order(bank_, orders, shape, deadline_);
    if (!order || !verify(bank_, orders, *order) || !below_all(*order, shape)) {
      return "no path order in which arithmetic is below all else makes every rule smaller";
    }
    out.order = order->describe(bank_, symbols_of(bank_, orders));
    return {};
  }

  static bool below_all(const PathOrder& order, const PathOrderShape& shape) {
    return std::ranges::all_of(order.functions(), [&](const auto& each) {
      return (each.second.precedence == 0) == shape.lowest(each.first);
    });
  }

  TermBank& bank_;
  const ModuloProblem& problem_;
  const Arithmetic& arithmetic_;
  const Deadline& deadline_;
  RuleIndex index_;
  CanonicalTerms canonical_;
  std::vector<Term> hypotheses_;
  bool deciding_ = false;
};

}  // namespace

ModuloFinding join_modulo(TermBank& bank, const ModuloProblem& problem,
                          const Arithmetic& arithmetic, const Deadline& deadline) {
  return Joiner(bank, problem, arithmetic, deadline).run();
}

}  // namespace rhopsi::analysis
