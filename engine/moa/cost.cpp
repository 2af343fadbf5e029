#include "engine/moa/cost.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "engine/moa/plan.hpp"

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;
using Function = ScalarFunction;

class Counting {
 public:
  explicit Counting(const NormalForm& form) : form_(form), expressions_(*form.expressions) {}

  double volume() {
    double product = 1;
    for (ExprId length : form_.shape) product *= std::max(value(length), 0.0);
    return product;
  }

  Cost total() {
    Cost sum;
    for (const Piece& piece : form_.pieces) sum += of(piece);
    sum.nests = static_cast<double>(form_.pieces.size());
    return sum;
  }

 private:
  // What of a graph belongs to a loop: what depends on the loop's variables; or, of the whole
  // piece, what depends on none of them.
  struct Place {
    const std::vector<VariableId>* variables;
    bool outside;
  };

  Cost of(const Piece& piece) {
    values_.clear();
    folds_.clear();
    middle_.clear();
    side_by_side_.clear();
    double volume = 1;
    for (std::size_t axis = 0; axis < piece.box.size(); ++axis) {
      const double low = value(piece.box[axis].low);
      const double count = std::max(value(piece.box[axis].high) - low, 0.0);
      volume *= count;
      middle_[form_.indices[axis]] = low + std::max(count - 1, 0.0) / 2;
    }
    if (volume == 0) return {};
    values_.clear();
    Cost sum = at(piece.element, {&form_.indices, false}).scaled(volume);
    if (side_by_side_.size() > 1) {
      for (ExprId fold : side_by_side_) sum.in_chains += steps_of(fold) * volume;
    }
    sum += at(piece.element, {&form_.indices, true});
    return sum;
  }

  // Of what belongs to the place, for one round. Operands are older than what holds them, so that
  // a node is met when all its uses have been.
  Cost at(ExprId root, const Place& place) {
    Cost sum;
    std::unordered_set<VariableId> inner;
    std::map<ExprId, double, std::greater<>> work{{root, 1.0}};
    while (!work.empty()) {
      const auto [id, uses] = *work.begin();
      work.erase(work.begin());
      const Node& node = expressions_[id];
      if (node.operands.empty()) {
        if (node.kind == Kind::load && place.outside) sum.loads += std::min(uses, 1.0);
        continue;
      }
      const bool depends = depends_on(id, *place.variables);
      if (!depends && !place.outside) continue;
      const double times = std::min(uses, 1.0);
      const bool here = depends != place.outside &&
                        !std::ranges::any_of(free(id), [&](auto v) { return inner.contains(v); });
      if (node.kind == Kind::fold) inner.insert(node.variable);
      if (here) sum += own(id).scaled(times);
      if (here && node.kind == Kind::fold && place.variables == &form_.indices) {
        side_by_side_.push_back(id);
      }
      const bool chooses = node.kind == Kind::select || is_connective(node);
      for (std::size_t k = 0; k < node.operands.size(); ++k) {
        if (node.kind == Kind::load && is_address(node.operands[k])) continue;
        work[node.operands[k]] += chooses && k > 0 ? times / 2 : times;
      }
    }
    return sum;
  }

  // Of a node for given operands; of a fold with all its rounds.
  Cost own(ExprId id) {
    const Node& node = expressions_[id];
    Cost cost;
    if (node.kind == Kind::load) {
      cost.loads = 1;
    } else {
      cost.operations = 1;
    }
    if (node.kind != Kind::fold) return cost;
    if (const auto found = folds_.find(id); found != folds_.end()) return found->second;
    const double count = std::max(value(node.operands[0]), 0.0);
    middle_[node.variable] = std::max(count - 1, 0.0) / 2;
    const std::vector<VariableId> variables{node.variable};
    cost += at(node.operands[1], {&variables, false});
    cost = cost.scaled(count);
    folds_.emplace(id, cost);
    return cost;
  }

  // Operations and loads of a fold at one index; none where it is so short that its steps are
  // written out.
  double steps_of(ExprId fold) {
    constexpr double least = 8;
    if (value(expressions_[fold].operands[0]) < least) return 0;
    const Cost cost = own(fold);
    return operation_weight * cost.operations + load_weight * cost.loads;
  }

  // A sum of multiples of variables and lengths.
  bool is_address(ExprId id) const {
    const Node& node = expressions_[id];
    if (node.kind == Kind::load) return false;
    if (node.operands.empty()) return true;
    const bool linear = node.kind == Kind::apply &&
                        (node.function == Function::add || node.function == Function::subtract ||
                         node.function == Function::multiply || node.function == Function::negate);
    return linear && std::ranges::all_of(node.operands, [&](ExprId o) { return is_address(o); });
  }

  bool depends_on(ExprId id, const std::vector<VariableId>& variables) {
    const std::vector<VariableId>& found = free(id);
    return std::ranges::any_of(variables, [&](VariableId variable) {
      return std::ranges::binary_search(found, variable);
    });
  }

  // The variables that no fold within the expression binds, ascending.
  const std::vector<VariableId>& free(ExprId root) {
    std::vector<ExprId> work{root};
    while (!work.empty()) {
      const ExprId id = work.back();
      const Node& node = expressions_[id];
      const std::size_t before = work.size();
      for (ExprId operand : node.operands) {
        if (!free_.contains(operand)) work.push_back(operand);
      }
      if (work.size() > before) continue;
      work.pop_back();
      if (free_.contains(id)) continue;
      std::vector<VariableId> found;
      if (node.kind == Kind::variable) found.push_back(node.variable);
      for (std::size_t k = 0; k < node.operands.size(); ++k) {
        for (VariableId variable : free_.at(node.operands[k])) {
          const bool bound = node.kind == Kind::fold && k == 1 && variable == node.variable;
          if (!bound) found.push_back(variable);
        }
      }
      std::ranges::sort(found);
      found.erase(std::unique(found.begin(), found.end()), found.end());
      free_.emplace(id, std::move(found));
    }
    return free_.at(root);
  }

  // About what an integer is: an index is in the middle of its range.
  double value(ExprId id) {
    if (const auto found = values_.find(id); found != values_.end()) return found->second;
    const double result = estimate(expressions_[id]);
    values_.emplace(id, result);
    return result;
  }

  double estimate(const Node& node) {
    switch (node.kind) {
      case Kind::integer:
      case Kind::boolean:
        return static_cast<double>(node.integer);
      case Kind::variable: {
        const auto found = middle_.find(node.variable);
        return found == middle_.end() ? nominal_length / 2 : found->second;
      }
      case Kind::select:
        return std::max(value(node.operands[1]), value(node.operands[2]));
      case Kind::fold:
        return value(node.operands[0]);  // mostly a number of elements
      case Kind::apply:
        return estimate_apply(node);
      default:
        return nominal_length;
    }
  }

  double estimate_apply(const Node& node) {
    const double a = value(node.operands[0]);
    const double b = node.operands.size() > 1 ? value(node.operands[1]) : 0;
    switch (node.function) {
      case Function::add:
        return a + b;
      case Function::subtract:
        return a - b;
      case Function::negate:
        return -a;
      case Function::multiply:
        return a * b;
      case Function::divide:
        return b == 0 ? nominal_length : std::floor(a / b);
      case Function::modulo:
        return a >= 0 && a < b ? a : b / 2;
      case Function::minimum:
        return std::min(a, b);
      case Function::maximum:
        return std::max(a, b);
      case Function::convert:
        return a;
      default:
        return nominal_length;
    }
  }

  const NormalForm& form_;
  const Expressions& expressions_;
  std::unordered_map<ExprId, std::vector<VariableId>> free_;
  std::unordered_map<ExprId, double> values_;
  std::unordered_map<ExprId, Cost> folds_;
  std::unordered_map<VariableId, double> middle_;
  std::vector<ExprId> side_by_side_;  // folds that the piece's element has, none in another
};

}  // namespace

Cost& Cost::operator+=(const Cost& other) {
  operations += other.operations;
  loads += other.loads;
  stores += other.stores;
  allocations += other.allocations;
  nests += other.nests;
  in_chains += other.in_chains;
  return *this;
}

Cost Cost::scaled(double factor) const {
  return {operations * factor,  loads * factor, stores * factor,
          allocations * factor, nests * factor, in_chains * factor};
}

double Cost::weighted(const Limits& limits) const {
  return operation_weight * operations + load_weight * loads + store_weight * stores +
         limits.allocation * allocations + nest_weight * nests + chain_weight * in_chains;
}

std::int64_t rounded(double count) {
  return count < static_cast<double>(most_counted) ? std::llround(count) : most_counted;
}

double volume_of(const NormalForm& form) { return Counting(form).volume(); }

double largest_of(const NormalForm& form) {
  double largest = volume_of(form);
  for (const Leaf& leaf : form.leaves) {
    double volume = 1;
    for (const auto& length : leaf.shape) {
      volume *= length ? static_cast<double>(*length) : nominal_length;
    }
    largest = std::max(largest, volume);
  }
  return largest;
}

bool may_be_stored(const NormalForm& form, double largest, const Limits& limits) {
  constexpr double small_array = 1 << 24;  // elements
  const bool known = std::ranges::all_of(
      form.shape, [&](ExprId length) { return form.expressions->constant(length).has_value(); });
  const double most = known ? std::max(largest, small_array) : largest;
  return form.rank() <= limits.stored_axes && volume_of(form) <= most;
}

Cost cost_of(const NormalForm& form) { return Counting(form).total(); }

Cost with_stores(Cost cost, double volume) {
  cost.stores += volume;
  cost.allocations += 1;
  return cost;
}

Cost stored_cost(const NormalForm& form) { return with_stores(cost_of(form), volume_of(form)); }

}  // namespace rhopsi::moa
