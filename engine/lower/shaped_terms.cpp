// Over a domain: variables of arrays that are longer or shorter than it, as padded ones are. What
// they are stands where they are read, as if they were calls of functions.
//
//   var p = pad_edge(u, 0, 1, 1); t = drop(p, 0, 2) - u
//   =>  t = drop(pad_edge(u', 0, 1, 1), 0, 2) - u
//
// u' is what u is where p is declared.
#include <algorithm>

#include "engine/lower/shaped.hpp"
#include "engine/onf/scalar_size.hpp"
#include "engine/onf/weight.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::lower {

using moa::LeafId;

// Is it set in one place alone, which is its declaration or a call?
bool ShapedBody::set_once(SymbolId variable) {
  if (!assigned_anywhere_) {
    assigned_anywhere_.emplace();
    for (const Callable& callable : context_.program.callables) {
      if (callable.body) find_assigned(*callable.body, *assigned_anywhere_);
    }
  }
  return !assigned_anywhere_->contains(variable);
}

TermId ShapedBody::written_out(TermId term) {
  return terms_.empty() ? term : term::substitute(context_.store, term, terms_);
}

// Has it as many axes as the domain, and lengths that may be those of it?
bool ShapedBody::may_be_of_domain(const moa::Vector& lengths) const {
  if (!has_domain() || lengths.empty()) return true;
  const moa::Vector domain = lengths_of_domain();
  if (context_.options.stacked && lengths.size() == domain.size() + 1)
    return may_be_of_domain(without_stacked(lengths));
  if (domain.size() != lengths.size()) return false;
  for (std::size_t axis = 0; axis < domain.size(); ++axis) {
    const bool known = base_.expressions->constant(lengths[axis]).has_value();
    if (!known && !same_lengths({lengths[axis]}, {domain[axis]})) return false;
  }
  return true;
}

// Numbers that are assigned mean something else where the term is read.
bool ShapedBody::keeps_meaning(SymbolId variable) const {
  const auto found = state_.meanings.find(variable);
  if (found == state_.meanings.end()) return true;  // bound, or no variable of the program
  if (std::holds_alternative<LeafId>(found->second)) return true;
  if (const auto* number = std::get_if<moa::ExprId>(&found->second)) return lasting({*number});
  return lasting(std::get<moa::Vector>(found->second));
}

// The variables of the term under names that nothing else sets.
TermId ShapedBody::pinned(TermId term) {
  term::Substitution pins;
  for (const SymbolId variable : term::free_variables(store(), term)) {
    const auto found = state_.meanings.find(variable);
    if (found == state_.meanings.end()) continue;
    const moa::Place::Meaning meaning = found->second;
    const SymbolId pin =
        context_.store.fresh_variable(store()[variable].name, store()[variable].result, false);
    state_.meanings.insert_or_assign(pin, meaning);
    pins.emplace(variable, context_.store.make(pin));
  }
  return term::substitute(context_.store, term, pins);
}

// Of the operations on reals of an element; what is used twice counts once.
double ShapedBody::weight_of(const moa::Expressions& expressions, moa::ExprId element) {
  double weight = 0;
  const auto count = [&](moa::ExprId id) {
    const moa::Node& node = expressions[id];
    if (node.kind != moa::Node::Kind::apply || !onf::is_real(node.type)) return false;
    onf::Expr alone;
    alone.kind = onf::Expr::Kind::apply;
    alone.function = node.function;
    alone.type = {Kind::scalar, node.type, {}};
    weight += onf::weight_of(alone);
    return false;
  };
  (void)expressions.any(element, count);
  return weight;
}

// Has it the lengths of the domain but for a number of elements on each axis, and is not computed
// in no time wherever it is read? It is stored then, as the first elements of an array over the
// domain.
bool ShapedBody::is_part(const moa::NormalForm& form) {
  constexpr double cheap = 6;
  moa::Expressions& expressions = *base_.expressions;
  const moa::Vector domain = lengths_of_domain();
  double weight = 0;
  for (const moa::Piece& piece : form.pieces)
    weight = std::max(weight, weight_of(expressions, piece.element));
  if (!onf::is_real(form.element) || weight <= cheap || domain.size() != form.shape.size())
    return false;
  moa::Facts facts(expressions);
  for (std::size_t axis = 0; axis < domain.size(); ++axis) {
    const moa::Bounds less = facts.bounds(expressions.subtract(domain[axis], form.shape[axis]));
    if (!less.low || less.low != less.high || *less.low < 0) return false;
  }
  return true;
}

// True: `target` is no array of its own, but that term, which is prepared.
bool ShapedBody::stands_for(SymbolId target, TermId term, LocationId location) {
  terms_.erase(target);
  if (!context_.options.one_shape || !set_once(target) || store().is_variable(term)) return false;
  moa::Limits plain;
  plain.trials = 0;
  const auto form = moa::reduce(library_, term, place_for(term), plain);
  if (!form || may_be_of_domain(form->shape)) return false;
  if (context_.options.stores_parts && is_part(*form)) {
    ++context_.stored_parts;
    return false;
  }
  const std::vector<SymbolId> read = term::free_variables(store(), term);
  if (!std::ranges::all_of(read, [&](SymbolId each) { return keeps_meaning(each); })) return false;
  test_all(*form, location);
  terms_.insert_or_assign(target, pinned(term));
  return true;
}

}  // namespace rhopsi::lower
