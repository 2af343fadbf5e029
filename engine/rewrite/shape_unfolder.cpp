#include "engine/rewrite/shape_unfolder.hpp"

#include <algorithm>

#include "engine/rewrite/evaluate.hpp"
#include "engine/rewrite/match.hpp"
#include "engine/rewrite/prover.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

using term::Control;
using term::SymbolId;
using term::TermId;
using term::Unfolding;

namespace {

constexpr std::size_t most_unfolded_nodes = 2'000;

std::vector<TermId> children_of(const term::Store& store, TermId term) {
  const auto children = store.children(term);
  return {children.begin(), children.end()};
}

}  // namespace

void ShapeUnfolder::run(TermId condition, std::span<const TermId> facts, std::size_t most) {
  conditions_ = {condition};
  std::vector<TermId> large;
  for (const TermId fact : facts) {
    const bool small = term::size(store_, fact) <= most_unfolded_nodes;
    (small ? facts_ : large).push_back(fact);
  }
  if (term::size(store_, condition) <= most_unfolded_nodes) {
    unfold(facts_, most);
    unfold(conditions_, most);
  }
  facts_.insert(facts_.end(), large.begin(), large.end());
}

// What a step adds to the conditions comes last, and is unfolded in its turn.
void ShapeUnfolder::unfold(std::vector<TermId>& terms, std::size_t most) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    while (steps_.size() < most && term::size(store_, terms[i]) <= most_unfolded_nodes) {
      const auto step = find(terms[i]);
      if (!step) break;
      apply(*step);
    }
  }
}

// Parts before the whole; but which branch of an `if` stays is asked before anything in a branch is
// looked at, since what the other one asks for need not hold.
std::optional<Unfolding> ShapeUnfolder::find(TermId term) {
  if (done_.contains(term)) return std::nullopt;
  if (store_.bound(term).empty()) {
    const bool branches = store_.is(term, Control::if_);
    for (const TermId part : children_of(store_, term)) {
      if (auto step = find(part)) return step;
      if (!branches || part != store_.children(term)[0]) continue;
      if (auto step = choose(term)) return step;
    }
    if (auto step = branches ? std::nullopt : contract(term)) return step;
  }
  done_.insert(term);
  return std::nullopt;
}

std::optional<Unfolding> ShapeUnfolder::contract(TermId term) {
  const SymbolId symbol = store_.symbol(term);
  if (symbols_.shapes.contains(symbol)) return of_array(term);
  const bool of_vector_part =
      symbols_.components.contains(symbol) || symbols_.lengths.contains(symbol);
  return of_vector_part ? of_vector(term) : by_law(index_.numbers, symbol, term);
}

std::optional<Unfolding> ShapeUnfolder::by_law(
    const std::unordered_map<SymbolId, std::size_t>& laws, SymbolId operation, TermId term) {
  const auto found = laws.find(operation);
  if (found == laws.end()) return std::nullopt;
  const term::Rule& law = laws_[found->second];
  Matcher matcher(store_, law.variables);
  if (!matcher.match(law.left, term)) return std::nullopt;
  return Unfolding{found->second, matcher.values(), term,
                   term::instantiate(store_, law.right, matcher.binding())};
}

// Its shape: by a law, by what the array is, or that of a number, which has no axes.
std::optional<Unfolding> ShapeUnfolder::of_array(TermId shape) {
  const TermId array = store_.children(shape)[0];
  if (auto step = by_law(index_.shapes, store_.symbol(array), shape)) return step;
  const term::SymbolKind kind = store_.head(array).kind;
  if (kind == term::SymbolKind::integer_literal || kind == term::SymbolKind::real_literal) {
    const SymbolId list = store_.control(Control::vector_, store_.sort(shape));
    return Unfolding{std::nullopt, {}, shape, store_.make(list)};
  }
  return by_law(index_.arrays, store_.symbol(array), array);
}

// A component of a vector, or its length.
std::optional<Unfolding> ShapeUnfolder::of_vector(TermId term) {
  const std::vector<TermId> arguments = children_of(store_, term);
  const bool component = arguments.size() == 2;
  const TermId vector = arguments[0];
  const std::vector<TermId> parts = children_of(store_, vector);
  const auto known = [&](TermId after) { return Unfolding{std::nullopt, {}, term, after}; };
  if (store_.is(vector, Control::forall)) {
    if (!component) return known(parts[0]);
    const term::SortId sort = store_.sort(arguments[1]);
    const auto order = symbols_.orders.find(sort);
    if (order == symbols_.orders.end() || !order->second.less || !order->second.less_equal) {
      return std::nullopt;
    }
    return known(term::substitute(store_, parts[1], {{store_.bound(vector)[0], arguments[1]}}));
  }
  if (store_.is(vector, Control::vector_)) {
    if (!component) {
      const auto count = static_cast<std::int64_t>(parts.size());
      return known(store_.make(store_.integer_literal(count, store_.sort(term)), {}));
    }
    const auto place = evaluate(store_, interpretation_, arguments[1], {});
    const bool there = place && *place >= 0 && static_cast<std::size_t>(*place) < parts.size();
    return there ? std::optional(known(parts[static_cast<std::size_t>(*place)])) : std::nullopt;
  }
  if (store_.is(vector, Control::if_)) {
    std::vector<TermId> branches{parts[0]};
    for (std::size_t i = 1; i < parts.size(); ++i) {
      std::vector<TermId> of_branch = arguments;
      of_branch[0] = parts[i];
      branches.push_back(store_.make(store_.symbol(term), of_branch));
    }
    return known(store_.make(store_.control(Control::if_, store_.sort(term)), branches));
  }
  return by_law(index_.vectors, store_.symbol(vector), vector);
}

std::optional<Unfolding> ShapeUnfolder::choose(TermId term) {
  const std::vector<TermId> parts = children_of(store_, term);
  Prover prover(store_, interpretation_);
  for (const TermId fact : facts_) prover.assume(fact);
  if (prover.prove(parts[0])) return Unfolding{std::nullopt, {}, term, parts[1]};
  if (prover.prove(parts[0], false)) return Unfolding{std::nullopt, {}, term, parts[2]};
  return std::nullopt;
}

void ShapeUnfolder::apply(const Unfolding& step) {
  replaced_.clear();
  for (TermId& fact : facts_) fact = replaced(fact, step);
  bool asked = false;
  for (TermId& condition : conditions_) {
    const TermId after = replaced(condition, step);
    asked = asked || after != condition;
    condition = after;
  }
  steps_.push_back(step);
  const auto arguments = children_of(store_, step.before);
  const bool component = !step.law && symbols_.components.contains(store_.symbol(step.before));
  if (asked && component && store_.is(arguments[0], Control::forall)) {
    require_within(arguments[0], arguments[1]);
  }
}

void ShapeUnfolder::require_within(TermId vector, TermId place) {
  const ShapeSymbols::Order& order = symbols_.orders.at(store_.sort(place));
  const TermId zero = store_.make(store_.integer_literal(0, store_.sort(place)), {});
  const TermId count = store_.children(vector)[0];
  for (const TermId bound :
       {store_.make(*order.less_equal, {zero, place}), store_.make(*order.less, {place, count})}) {
    const auto value = evaluate(store_, interpretation_, bound, {});
    if (!value || *value == 0) conditions_.push_back(bound);
  }
}

TermId ShapeUnfolder::replaced(TermId term, const Unfolding& step) {
  if (const auto known = replaced_.find(term); known != replaced_.end()) return known->second;
  TermId result = term;
  if (store_.symbol(term) == store_.symbol(step.before) &&
      term::alpha_equal(store_, term, step.before)) {
    result = step.after;
  } else if (store_.bound(term).empty()) {
    std::vector<TermId> parts = children_of(store_, term);
    bool changed = false;
    for (TermId& part : parts) {
      const TermId after = replaced(part, step);
      changed = changed || after != part;
      part = after;
    }
    if (changed) result = store_.make(store_.symbol(term), parts, {}, store_.location(term));
  }
  replaced_.emplace(term, result);
  return result;
}

}  // namespace rhopsi::rewrite
