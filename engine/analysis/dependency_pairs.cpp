#include "engine/analysis/dependency_pairs.hpp"

#include <algorithm>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include "engine/analysis/unify.hpp"

namespace rhopsi::analysis {

namespace {

Term mark(TermBank& bank, const MarkedSymbols& symbols, Term term) {
  const std::vector<Term> arguments(bank.arguments(term).begin(), bank.arguments(term).end());
  return bank.make(symbols.of.at(bank.head(term)), arguments);
}

void add_marked(TermBank& bank, const Rules& rules, MarkedSymbols& symbols) {
  for (const Rule& rule : rules) {
    const int head = bank.head(rule.left);
    if (symbols.of.contains(head)) continue;
    Symbol copy = bank.symbol(head);
    copy.name += "#";
    copy.result = -1;
    symbols.of.emplace(head, bank.add_symbol(std::move(copy)));
  }
  symbols.marked.resize(static_cast<std::size_t>(bank.symbol_count()), false);
  for (const auto& [symbol, copy] : symbols.of) {
    symbols.marked[static_cast<std::size_t>(copy)] = true;
  }
}

// A left side of which an instance with normal arguments may be what `term` becomes.
bool may_be_redex(TermBank& bank, const PairProblem& problem, const RuleIndex& index, Term term,
                  const Term* left) {
  for (std::size_t number : index.of(bank.head(term))) {
    const Rule rule = rename(bank, index.rules()[number]);
    const auto sigma = unify(bank, rule.left, term);
    if (!sigma) continue;
    if (!problem.innermost) return true;
    if (!arguments_are_normal(bank, *problem.normal_forms, apply(bank, rule.left, *sigma))) {
      continue;
    }
    if (left && !is_normal(bank, *problem.normal_forms, apply(bank, *left, *sigma))) continue;
    return true;
  }
  return false;
}

}  // namespace

PairProblem dependency_pairs(TermBank& bank, const Rules& rules, bool innermost,
                             MarkedSymbols& symbols) {
  add_marked(bank, rules, symbols);
  const auto index = std::make_shared<const RuleIndex>(bank, rules);
  PairProblem problem{{}, rules, innermost, innermost ? index : nullptr};
  for (const Rule& rule : rules) {
    const Term left = mark(bank, symbols, rule.left);
    if (innermost && !arguments_are_normal(bank, *index, left)) continue;
    for (Term each : subterms(bank, rule.right)) {
      if (bank.is_variable(each) || !symbols.of.contains(bank.head(each))) continue;
      // A proper subterm of the left side terminates in a minimal chain, and is normal in an
      // innermost one.
      if (each != rule.left && is_subterm(bank, each, rule.left)) continue;
      const Rule pair{left, mark(bank, symbols, each)};
      if (std::ranges::find(problem.pairs, pair) == problem.pairs.end()) {
        problem.pairs.push_back(pair);
      }
    }
  }
  return problem;
}

Term cap(TermBank& bank, const PairProblem& problem, const RuleIndex& index, Term term,
         const Term* left) {
  const bool normal_variables = problem.innermost && left;
  if (bank.is_variable(term)) {
    if (normal_variables && occurs(bank, bank.variable_of(term), *left)) return term;
    const int fresh = bank.fresh_variable(bank.sort(term));
    return bank.variable(fresh);
  }
  if (normal_variables && is_subterm(bank, term, *left)) return term;
  std::vector<Term> arguments(bank.arguments(term).begin(), bank.arguments(term).end());
  for (Term& each : arguments) each = cap(bank, problem, index, each, left);
  const Term inner = bank.make(bank.head(term), arguments);
  if (!may_be_redex(bank, problem, index, inner, normal_variables ? left : nullptr)) return inner;
  const int fresh = bank.fresh_variable(bank.sort(term));
  return bank.variable(fresh);
}

namespace {

// Whether a chain may go from one pair to the next one.
class Graph {
 public:
  // Incomplete, and of no use, where the time is over.
  Graph(TermBank& bank, const PairProblem& problem, const Deadline& deadline)
      : bank_(bank), problem_(problem), index_(bank, problem.rules) {
    for (const Rule& pair : problem.pairs) {
      if (deadline.over()) return;
      capped_.push_back(cap(bank, problem, index_, pair.right, &pair.left));
      Substitution renaming;
      lefts_.push_back(rename(bank, pair.left, renaming));
    }
  }

  bool edge(std::size_t first, std::size_t second) {
    if (bank_.head(capped_[first]) != bank_.head(lefts_[second])) return false;
    const auto sigma = unify(bank_, capped_[first], lefts_[second]);
    if (!sigma) return false;
    if (!problem_.innermost) return true;
    const Term before = apply(bank_, problem_.pairs[first].left, *sigma);
    return is_normal(bank_, *problem_.normal_forms, before) &&
           is_normal(bank_, *problem_.normal_forms, apply(bank_, lefts_[second], *sigma));
  }

 private:
  TermBank& bank_;
  const PairProblem& problem_;
  RuleIndex index_;
  std::vector<Term> capped_;  // right sides; marked symbols have no rules, so roots stay
  std::vector<Term> lefts_;   // with variables of their own
};

}  // namespace

std::optional<std::vector<std::pair<std::size_t, std::size_t>>> estimated_edges(
    TermBank& bank, const PairProblem& problem, const Deadline& deadline) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  Graph estimated(bank, problem, deadline);
  for (std::size_t i = 0; i < problem.pairs.size(); ++i) {
    if (deadline.over()) return std::nullopt;
    for (std::size_t j = 0; j < problem.pairs.size(); ++j) {
      if (estimated.edge(i, j)) out.emplace_back(i, j);
    }
  }
  return out;
}

std::vector<PairProblem> components(TermBank& bank, const PairProblem& problem,
                                    const Deadline& deadline) {
  using Edges = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  const std::size_t count = problem.pairs.size();
  const auto edges = estimated_edges(bank, problem, deadline);
  if (!edges) return {problem};
  Edges graph(count);
  std::vector<bool> loop(count, false);
  for (const auto& [i, j] : *edges) {
    boost::add_edge(i, j, graph);
    if (i == j) loop[i] = true;
  }
  std::vector<int> component(count);
  if (count == 0) return {};
  const int number = boost::strong_components(
      graph,
      boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<Rules> out(static_cast<std::size_t>(number));
  std::vector<bool> cyclic(static_cast<std::size_t>(number), false);
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(component[i]);
    out[place].push_back(problem.pairs[i]);
    cyclic[place] = cyclic[place] || loop[i] || out[place].size() > 1;
  }
  std::vector<PairProblem> kept;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!cyclic[i]) continue;
    kept.push_back({std::move(out[i]), problem.rules, problem.innermost, problem.normal_forms});
  }
  return kept;
}

}  // namespace rhopsi::analysis
