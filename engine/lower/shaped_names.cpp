// What functions name and read again, where arrays have shapes of their own: a name keeps its array
// there, too, if that is worth it.
//
//   function box(u) = { var s = cumsum(u, 0); value drop(s, 0, 8) - drop(s, 0, -8); }
//   b = box(v)   =>   s = cumsum(v, 0); b = drop(s, 0, 8) - drop(s, 0, -8)
//
// Without it each element of b would compute two elements of s, each from the beginning.
#include <algorithm>
#include <set>
#include <vector>

#include "engine/lower/shaped.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::lower {

using moa::ExprId;
using moa::LeafId;

namespace {

// An array that a block names.
struct Named {
  LeafId leaf;
  bool costly;            // too much to compute an element of it wherever that is read
  std::size_t reads = 0;  // of different elements, by one of what comes behind it
};

// Counts the elements of these arrays that an element of the form reads, each once.
void count_reads(const moa::NormalForm& form, std::vector<Named>& named) {
  const moa::Expressions& expressions = *form.expressions;
  for (Named& each : named) {
    std::size_t most = 0;
    for (const moa::Piece& piece : form.pieces) {
      std::set<moa::Vector> places;
      bool many = false;
      (void)expressions.any(piece.element, [&](ExprId id) {
        const moa::Node& node = expressions[id];
        if (node.kind == moa::Node::Kind::load && node.leaf == each.leaf)
          places.insert(node.operands);
        const bool folds = node.kind == moa::Node::Kind::fold;
        many = many || (folds && expressions.any(id, [&](ExprId inner) {
                 return expressions[inner].kind == moa::Node::Kind::load &&
                        expressions[inner].leaf == each.leaf;
               }));
        return false;
      });
      most = std::max(most, many ? 2 : places.size());
    }
    each.reads += most;
  }
}

}  // namespace

// Is an element of it a fold, or many operations?
bool ShapedBody::is_costly(const moa::NormalForm& form) const {
  constexpr double many = 24;
  return std::ranges::any_of(form.pieces, [&](const moa::Piece& piece) {
    return folds_elements(piece.element) || weight_of(*base_.expressions, piece.element) > many;
  });
}

// Is the call's value a block that names such an array and reads several of its elements for one?
bool ShapedBody::names_what_is_read_again(TermId call) {
  if (context_.options.one_shape || !is_array_sort(store().sort(call))) return false;
  const Callable* callable = context_.program.find(store().symbol(call));
  if (callable == nullptr || !callable->body) return false;
  const TermId body = *callable->body;
  if (!store().is(body, Control::block) || store().head(call).kind != SymbolKind::function)
    return false;
  term::Substitution values;
  const std::vector<TermId> arguments = children(call);
  for (std::size_t k = 0; k < arguments.size(); ++k)
    values.emplace(callable->parameters[k], arguments[k]);
  moa::Place place = place_for(call);
  moa::Limits plain;
  plain.trials = 0;
  plain.pieces = 1;
  std::vector<Named> named;
  for (const TermId part : children(body)) {
    const bool last = store().is(part, Control::value);
    const TermId value = term::substitute(context_.store, children(part)[last ? 0 : 1], values);
    if (!is_array_sort(store().sort(value))) {
      values.insert_or_assign(store().symbol(children(part)[0]), value);
      continue;
    }
    const auto form = moa::reduce(library_, value, place, plain);
    if (!form) return false;
    count_reads(*form, named);
    if (last) break;
    const SymbolId symbol = store().symbol(children(part)[0]);
    const auto leaf = static_cast<LeafId>(place.leaves.size());
    moa::Leaf array{store()[symbol].name, form->element, {}, symbol, form->shape};
    for (const ExprId length : form->shape)
      array.shape.push_back(base_.expressions->constant(length));
    place.leaves.push_back(std::move(array));
    place.meanings.emplace_back(symbol, leaf);
    named.push_back({leaf, is_costly(*form)});
  }
  return std::ranges::any_of(named,
                             [](const Named& each) { return each.costly && each.reads > 1; });
}

}  // namespace rhopsi::lower
