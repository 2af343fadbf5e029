// Elements as sums of products: what they are whatever the order in which reals are computed.
// Internal to this folder.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "engine/schedule/graph.hpp"

namespace rhopsi::schedule {

// A product of atoms in ascending order, each as often as it is a factor. Atoms are nodes that are
// no sums or products themselves, or are kept as they are.
using Monomial = std::vector<NodeId>;
// A sum of products with coefficients, none of which is 0. Two elements that have one polynomial
// are equal, whatever their atoms are.
using Polynomial = std::map<Monomial, std::int64_t>;

// The more of these there are, the longer a search for factors takes.
inline constexpr std::size_t most_monomials = 96;
inline constexpr std::size_t most_factors = 8;

// The polynomials of nodes. Remembers what it has found; the graph may get more nodes.
class Polynomials {
 public:
  // `kept` are atoms, whatever they are.
  explicit Polynomials(Graph& graph, std::set<NodeId> kept = {})
      : graph_(graph), kept_(std::move(kept)) {}

  // Is the node a sum, difference or product of reals, or a quotient by what no index is in, which
  // is a product with its inverse?
  bool is_sum_or_product(NodeId node);
  // Nothing where there would be too many monomials or factors, or a coefficient beyond 2^53. Whole
  // numbers are coefficients, other literals atoms.
  std::optional<Polynomial> of(NodeId node);
  // Is no index in it?
  bool invariant(NodeId node);
  bool keeps(NodeId node) const { return kept_.contains(node); }
  // From now on it is an atom; nothing has been asked of it yet.
  void keep(NodeId node) { kept_.insert(node); }

 private:
  std::optional<Polynomial> of_operation(NodeId node);

  Graph& graph_;
  std::set<NodeId> kept_;
  std::unordered_map<NodeId, std::optional<Polynomial>> known_;
  std::unordered_map<NodeId, bool> invariant_;
};

// a + factor * b; nothing where it is too large, see Polynomials::of.
std::optional<Polynomial> sum_of(Polynomial a, const Polynomial& b, std::int64_t factor = 1);
// Nothing where it is too large, see Polynomials::of.
std::optional<Polynomial> product_of(const Polynomial& a, const Polynomial& b);

}  // namespace rhopsi::schedule
