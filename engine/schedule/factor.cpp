// Sums of products put together by common factors, for all values of a sweep at once.
//
//   v + k * (v[i + 1] + v[i - 1] - 2 * v) - c * u * (v[i + 1] - v[i - 1])
//     => v * (1 - 2 * k) + v[i + 1] * (k - c * u) + v[i - 1] * (k + c * u)
//
// There the factors of the neighbours are the same whatever v is, so that several values share
// them, as in A. Hosangadi, F. Fallah, R. Kastner, Optimizing Polynomial Expressions by Algebraic
// Factorization and Common Subexpression Elimination (TCAD 25, 2006), of which this tries three
// orders in which factors are taken out, and no others.
#include <algorithm>
#include <utility>

#include "engine/onf/weight.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/polynomial.hpp"
#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::ScalarFunction;

// So many of the operations at most may be left, for the digits that another order may cost.
constexpr double most_left = 0.9;

// Which factor of a monomial is taken out.
enum class Order : std::uint8_t {
  neighbours,  // one that is read beside the element, of these the one that is in most monomials
  frequent,    // the one that is in most monomials, with an index in it
  any,         // the same, with or without
};

bool is_apply_of(const Node& node, ScalarFunction function) {
  return node.kind == Node::Kind::scalar && node.shell.kind == Expr::Kind::apply &&
         node.shell.function == function;
}
bool is_sum_of_two(const Node& node) {
  return is_apply_of(node, ScalarFunction::add) || is_apply_of(node, ScalarFunction::subtract);
}

// Of elements that are computed together: nodes count once, and a product that is summed at once
// everywhere counts nothing, since processors have one instruction for both.
class JoinedOperations {
 public:
  JoinedOperations(const Graph& graph, Polynomials& facts) : graph_(graph), facts_(facts) {}

  double of(const std::vector<NodeId>& elements) {
    for (const NodeId id : elements) visit(id);
    double sum = 0;
    for (const auto& [id, uses] : uses_) {
      const bool joined = joined_.contains(id) && joined_.at(id) == uses;
      if (!joined) sum += weight_of(graph_, id);
    }
    return sum;
  }

 private:
  void visit(NodeId id) {
    const Node& node = graph_[id];
    if (node.kind != Node::Kind::scalar || facts_.invariant(id)) return;
    if (++uses_[id] > 1) return;
    for (const NodeId operand : node.operands) visit(operand);
    if (!is_sum_of_two(node)) return;
    const auto product = std::ranges::find_if(node.operands, [&](NodeId operand) {
      return is_apply_of(graph_[operand], ScalarFunction::multiply) && !facts_.invariant(operand);
    });
    if (product != node.operands.end()) ++joined_[*product];
  }

  const Graph& graph_;
  Polynomials& facts_;
  std::map<NodeId, int> uses_, joined_;
};

// Nodes from polynomials.
class Factored {
 public:
  Factored(Graph& graph, Polynomials& facts, Order order, const Expr& like)
      : graph_(graph), facts_(facts), order_(order) {
    shell_.kind = Expr::Kind::apply;
    shell_.type = like.type;
    shell_.location = like.location;
  }

  NodeId of(const Polynomial& sum) {
    count(sum);
    return node_of(sum);
  }

 private:
  struct Term {
    bool added;  // otherwise it is subtracted
    NodeId node;
  };
  // What an atom is multiplied with, where its first coefficient is positive, and the atom's sign.
  using Factors = std::map<Polynomial, std::vector<Term>>;

  void count(const Polynomial& sum) {
    for (const auto& [monomial, coefficient] : sum) {
      for (std::size_t k = 0; k < monomial.size(); ++k) {
        if (k == 0 || monomial[k] != monomial[k - 1]) ++frequency_[monomial[k]];
      }
    }
  }

  bool beside(NodeId id) {
    if (const auto found = beside_.find(id); found != beside_.end()) return found->second;
    const Node& node = graph_[id];
    const bool made = node.kind == Node::Kind::load
                          ? !at_own_point({node.offset})
                          : std::ranges::any_of(node.operands, [&](NodeId k) { return beside(k); });
    beside_.emplace(id, made);
    return made;
  }

  // The factor that is taken out; nothing where no index is in the monomial.
  std::optional<NodeId> pivot_of(const Monomial& monomial) {
    std::optional<NodeId> best;
    std::pair<bool, int> rank;
    if (std::ranges::all_of(monomial, [&](NodeId atom) { return facts_.invariant(atom); }))
      return {};
    for (const NodeId atom : monomial) {
      if (order_ != Order::any && facts_.invariant(atom)) continue;
      const std::pair its{order_ == Order::neighbours && beside(atom), frequency_[atom]};
      if (best && its <= rank) continue;
      best = atom;
      rank = its;
    }
    return best;
  }

  NodeId node_of(const Polynomial& sum) {
    Polynomial without;  // an index
    std::map<NodeId, Polynomial> by_pivot;
    for (const auto& [monomial, coefficient] : sum) {
      const auto pivot = pivot_of(monomial);
      if (!pivot) {
        without.emplace(monomial, coefficient);
        continue;
      }
      Monomial rest = monomial;
      rest.erase(std::ranges::find(rest, *pivot));
      by_pivot[*pivot].emplace(std::move(rest), coefficient);
    }
    Factors factors;
    for (auto& [pivot, factor] : by_pivot) {
      const bool added = factor.begin()->second > 0;
      if (!added) factor = *sum_of({}, factor, -1);
      factors[std::move(factor)].push_back({added, pivot});
    }
    std::vector<Term> terms = invariant_terms(without);
    for (const auto& [factor, pivots] : factors) terms.push_back(product(factor, pivots));
    return sum_of_terms(std::move(terms));
  }

  Term product(const Polynomial& factor, const std::vector<Term>& pivots) {
    const bool added = std::ranges::any_of(pivots, &Term::added);
    std::vector<Term> turned = pivots;
    if (!added) {
      for (Term& term : turned) term.added = true;
    }
    const NodeId sum = sum_of_terms(std::move(turned));
    if (factor == Polynomial{{Monomial(), 1}}) return {added, sum};
    return {added, apply(ScalarFunction::multiply, {node_of(factor), sum})};
  }

  // Of coefficients and what no index is in, as one.
  std::vector<Term> invariant_terms(const Polynomial& sum) {
    std::vector<Term> parts;
    for (const auto& [monomial, coefficient] : sum) {
      const std::int64_t times = coefficient < 0 ? -coefficient : coefficient;
      std::optional<NodeId> made;
      if (times != 1 || monomial.empty()) made = number(times);
      for (const NodeId atom : monomial)
        made = made ? apply(ScalarFunction::multiply, {*made, atom}) : atom;
      parts.push_back({coefficient > 0, *made});
    }
    if (parts.size() < 2) return parts;
    return {{true, sum_of_terms(std::move(parts))}};
  }

  NodeId sum_of_terms(std::vector<Term> terms) {
    if (terms.empty()) return number(0);
    // What begins is not negated, if one of them need not be; what has no product is first, so that
    // each other one is summed as it is multiplied.
    std::ranges::stable_sort(terms, {}, [&](const Term& term) {
      return std::pair(!term.added, is_apply_of(graph_[term.node], ScalarFunction::multiply));
    });
    NodeId sum = terms.front().node;
    if (!terms.front().added) sum = apply(ScalarFunction::negate, {sum});
    for (std::size_t k = 1; k < terms.size(); ++k) {
      sum = apply(terms[k].added ? ScalarFunction::add : ScalarFunction::subtract,
                  {sum, terms[k].node});
    }
    return sum;
  }

  NodeId number(std::int64_t value) {
    Node node;
    node.shell.kind = Expr::Kind::integer;
    node.shell.type = shell_.type;
    node.shell.integer = value;
    return graph_.make(std::move(node));
  }
  NodeId apply(ScalarFunction function, std::vector<NodeId> operands) {
    Node node;
    node.shell = shell_;
    node.shell.function = function;
    node.operands = std::move(operands);
    return graph_.make(std::move(node));
  }

  Graph& graph_;
  Polynomials& facts_;
  Order order_;
  Expr shell_;
  std::map<NodeId, int> frequency_;
  std::map<NodeId, bool> beside_;
};

// The elements of a sweep with factors taken out in one order.
class Attempt {
 public:
  Attempt(Graph& graph, std::set<NodeId> kept, Order order)
      : graph_(graph), polynomials_(graph, std::move(kept)), order_(order) {}

  NodeId of(NodeId id) {
    if (const auto found = done_.find(id); found != done_.end()) return found->second;
    const NodeId made = polynomials_.invariant(id) ? id : changed(id);
    done_.emplace(id, made);
    return made;
  }

 private:
  NodeId changed(NodeId id) {
    if (polynomials_.is_sum_or_product(id)) {
      if (const auto whole = polynomials_.of(id)) return factored(id, *whole);
    }
    Node node = graph_[id];
    if (node.operands.empty()) return id;
    for (NodeId& operand : node.operands) operand = of(operand);
    const NodeId made = graph_.make(std::move(node));
    if (polynomials_.keeps(id)) polynomials_.keep(made);
    return made;
  }

  // Atoms have sums in them too. The result is taken apart again: it has to be the same sum.
  NodeId factored(NodeId id, const Polynomial& whole) {
    Polynomial sum;
    for (const auto& [monomial, coefficient] : whole) {
      Monomial atoms;
      for (const NodeId atom : monomial) atoms.push_back(of(atom));
      std::ranges::sort(atoms);
      const auto more = sum_of(std::move(sum), {{std::move(atoms), coefficient}});
      if (!more) return id;
      sum = *more;
    }
    const Expr like = graph_[id].shell;
    const NodeId made = Factored(graph_, polynomials_, order_, like).of(sum);
    return polynomials_.of(made) == sum ? made : id;
  }

  Graph& graph_;
  Polynomials polynomials_;
  Order order_;
  std::map<NodeId, NodeId> done_;
};

class Factoring {
 public:
  Factoring(Graph& graph, std::vector<Step>& steps) : graph_(graph), steps_(steps) {}

  void run() {
    bool any = false;
    for (Sweep& sweep : graph_.sweeps) any = once(sweep) || any;
    if (!any && before_ > 0) refuse();
  }

 private:
  static std::string count_text(double operations) {
    const auto count = static_cast<std::int64_t>(operations);
    return std::to_string(count) + (count == 1 ? " operation" : " operations") + " an element";
  }

  // The nodes that several others of these elements have as operands.
  std::set<NodeId> shared(const std::vector<NodeId>& elements) const {
    std::map<NodeId, int> uses;
    const auto visit = [&](const auto& self, NodeId id) -> void {
      if (++uses[id] > 1) return;
      for (const NodeId operand : graph_[id].operands) self(self, operand);
    };
    for (const NodeId id : elements) visit(visit, id);
    std::set<NodeId> found;
    for (const auto& [id, count] : uses) {
      if (count > 1) found.insert(id);
    }
    return found;
  }

  double operations(const std::vector<NodeId>& elements) {
    Polynomials facts(graph_);
    return JoinedOperations(graph_, facts).of(elements);
  }

  bool once(Sweep& sweep) {
    std::vector<NodeId> elements;
    for (const ValueId value : sweep.defines) elements.push_back(graph_[value].definition);
    const double before = operations(elements);
    double least = before;
    std::vector<NodeId> best;
    for (const auto& kept : {std::set<NodeId>(), shared(elements)}) {
      for (const Order order : {Order::neighbours, Order::frequent, Order::any}) {
        Attempt attempt(graph_, kept, order);
        std::vector<NodeId> made;
        for (const NodeId id : elements) made.push_back(attempt.of(id));
        const double its = operations(made);
        if (its >= least) continue;
        least = its;
        best = std::move(made);
      }
    }
    note(before, least);
    if (best.empty() || least > most_left * before) return false;
    for (std::size_t k = 0; k < best.size(); ++k) graph_[sweep.defines[k]].definition = best[k];
    add_step(sweep.made_by, "factor");
    steps_.push_back(taken("factor", site_of(graph_, sweep),
                           {.before = count_text(before),
                            .after = count_text(least),
                            .condition = "both are one sum of products, and reals may be summed "
                                         "and multiplied in any order",
                            .decider = "polynomials"}));
    return true;
  }

  // Of the sweep where most is saved.
  void note(double before, double least) {
    if (before == 0 || (before_ > 0 && least * before_ >= least_ * before)) return;
    before_ = before;
    least_ = least;
  }

  void refuse() {
    steps_.push_back(refused("factor", {graph_.name()},
                             {.before = count_text(before_),
                              .condition = "a tenth of them at least is saved, but " +
                                           count_text(least_) + " would be left",
                              .decider = "count"}));
  }

  Graph& graph_;
  std::vector<Step>& steps_;
  double before_ = 0, least_ = 0;
};

}  // namespace

void factor(Graph& graph, bool any_order, std::vector<Step>& steps) {
  if (any_order) return Factoring(graph, steps).run();
  steps.push_back(
      refused("factor", {graph.name()},
              {.before = "sums and products as they are written",
               .condition = "reals may be summed and multiplied in any order, but here they "
                            "keep the order in which they are written",
               .decider = "program"}));
}

}  // namespace rhopsi::schedule
