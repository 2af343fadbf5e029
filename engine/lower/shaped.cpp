// The frame of a function: its arguments, their ranks, its guard, and what it gives back.
#include "engine/lower/shaped.hpp"

#include <algorithm>
#include <cstdlib>

#include "engine/lower/normal_form.hpp"
#include "engine/moa/facts.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/stacks.hpp"
#include "engine/onf/unrolling.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::lower {

using Kind = Representation::Kind;
using moa::ExprId;
using moa::LeafId;

ShapedBody::ShapedBody(Context& context, const moa::Library& library, const Callable& callable,
                       onf::FunctionId id)
    : context_(context),
      library_(library),
      callable_(callable),
      id_(id),
      known_(context.module, function_) {}

bool ShapedBody::is_array_sort(term::SortId sort) const {
  const auto type = onf::representation_of(store(), context_.program, sort, context_.table);
  return type && type->kind == Kind::array;
}

namespace {

void conjuncts(const term::Store& store, TermId condition, std::vector<TermId>& found) {
  if (term::builtin(store, store.symbol(condition)) != term::Builtin::and_) {
    found.push_back(condition);
    return;
  }
  const auto parts = store.children(condition);
  const TermId left = parts[0], right = parts[1];
  conjuncts(store, left, found);
  conjuncts(store, right, found);
}

}  // namespace

// Could this part of the guard hold where the arrays have so many axes?
bool ShapedBody::possible(TermId guard, const std::vector<std::size_t>& ranks) {
  moa::Place place;
  std::size_t number = 0;
  const std::vector<SymbolId> arrays = arrays_read();
  for (SymbolId parameter : callable_.parameters) {
    const term::Symbol& variable = store()[parameter];
    const auto type =
        onf::representation_of(store(), context_.program, variable.result, context_.table);
    if (type && type->kind == Kind::array) {
      if (std::ranges::find(arrays, parameter) == arrays.end()) continue;
      const auto leaf = static_cast<LeafId>(place.leaves.size());
      moa::Leaf made{variable.name, type->scalar, {}, parameter, {}};
      made.shape.resize(ranks[number++]);
      place.leaves.push_back(std::move(made));
      place.meanings.emplace_back(parameter, leaf);
    } else if (type && type->kind == Kind::scalar) {
      place.parameters.push_back(place.expressions->make_variable(variable.name));
      place.meanings.emplace_back(
          parameter, place.expressions->variable(place.parameters.back(), type->scalar));
    }
  }
  const auto value = moa::reduce_numbers(library_, guard, place);
  return value && place.expressions->constant(value->values[0]) != 0;
}

// The array arguments that have a value at entry.
std::vector<SymbolId> ShapedBody::arrays_read() const {
  std::vector<SymbolId> found;
  const term::Symbol& symbol = context_.store[callable_.symbol];
  for (std::size_t k = 0; k < callable_.parameters.size(); ++k) {
    const bool read = symbol.modes[k] != term::Mode::out;
    if (read && is_array_sort(context_.store[callable_.parameters[k]].result)) {
      found.push_back(callable_.parameters[k]);
    }
  }
  return found;
}

std::vector<std::string> ShapedBody::find_ranks() {
  std::vector<std::vector<std::size_t>> candidates;
  std::vector<SymbolId> arrays;
  for (SymbolId parameter : arrays_read()) {
    arrays.push_back(parameter);
    candidates.emplace_back();
    for (std::size_t rank = 0; rank <= most_axes; ++rank) candidates.back().push_back(rank);
  }
  std::vector<TermId> parts;
  if (callable_.guard) conjuncts(store(), *callable_.guard, parts);
  filter_ranks(parts, arrays, candidates);
  // What the guard leaves open is as it is given, and that may settle what depends on it.
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const auto given = context_.options.ranks.find(store()[arrays[k]].name);
    if (given != context_.options.ranks.end() && candidates[k].size() != 1) {
      candidates[k] = {given->second};
    }
  }
  filter_ranks(parts, arrays, candidates);
  std::vector<std::string> unknown;
  ranks_.clear();
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    if (candidates[k].size() != 1) unknown.push_back(store()[arrays[k]].name);
    ranks_.push_back(candidates[k].front());
  }
  return unknown;
}

// Leaves of the candidates, one list per array, those that parts of the guard may hold for; all,
// where none does, so that the guard is reported.
void ShapedBody::filter_ranks(const std::vector<TermId>& parts, const std::vector<SymbolId>& arrays,
                              std::vector<std::vector<std::size_t>>& candidates) {
  for (TermId part : parts) {
    std::vector<std::size_t> mentioned;
    const std::vector<SymbolId> free = term::free_variables(store(), part);
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      if (std::ranges::find(free, arrays[k]) != free.end()) mentioned.push_back(k);
    }
    constexpr std::size_t most_arrays = 3;
    if (mentioned.empty() || mentioned.size() > most_arrays) continue;
    std::vector<std::set<std::size_t>> left(arrays.size());
    std::vector<std::size_t> ranks(arrays.size(), 0);
    const std::function<void(std::size_t)> try_all = [&](std::size_t depth) {
      if (depth == mentioned.size()) {
        if (!possible(part, ranks)) return;
        for (std::size_t k : mentioned) left[k].insert(ranks[k]);
        return;
      }
      for (std::size_t rank : candidates[mentioned[depth]]) {
        ranks[mentioned[depth]] = rank;
        try_all(depth + 1);
      }
    };
    try_all(0);
    for (std::size_t k : mentioned) {
      if (!left[k].empty()) candidates[k].assign(left[k].begin(), left[k].end());
    }
  }
}

void ShapedBody::declare_array_argument(std::size_t number, const term::Symbol& variable) {
  const SymbolId parameter = callable_.parameters[number];
  const Representation type = context_.represent(variable.result, callable_.location);
  const std::vector<SymbolId> arrays = arrays_read();
  const auto place = std::ranges::find(arrays, parameter);
  // That of what comes out is known in the end.
  const std::size_t rank =
      place == arrays.end() ? 0 : ranks_[static_cast<std::size_t>(place - arrays.begin())];
  const bool of_domain =
      context_.options.one_shape && !context_.options.others.contains(variable.name);
  const bool as_first = of_domain && domain_ && base_.leaves[moa::number(*domain_)].rank() == rank;
  std::optional<std::vector<Expr>> extents;
  if (as_first) extents = own_extents(view_of(*domain_), rank);
  // Than the domain, and than the array that tells its lengths.
  std::vector<std::int64_t> less(rank), than_first(rank);
  const auto shorter = context_.options.less.find(variable.name);
  if (of_domain && shorter != context_.options.less.end()) less = shorter->second;
  less.resize(rank);
  for (std::size_t axis = 0; as_first && axis < rank; ++axis) {
    than_first[axis] = less[axis] - more_[axis];
    (*extents)[axis] = onf::sum_of((*extents)[axis], -than_first[axis]);
  }
  const onf::ViewId view =
      new_view(variable.name, type.scalar, std::move(extents), rank, callable_.location);
  function_.views[onf::number(view)].parameter = true;
  // Over a domain there are elements.
  for (std::size_t axis = 0; context_.options.one_shape && axis < rank; ++axis) {
    if (less[axis] > 0) continue;
    if (const auto length = known_.ranges.length(view, axis))
      known_.ranges.assume(compare_expr(onf::ScalarFunction::less, integer_expr(0), *length));
  }
  onf::Argument argument;
  argument.mode = store()[callable_.symbol].modes[number];
  argument.view = view;
  function_.arguments.push_back(argument);
  if (argument.mode == term::Mode::out) return;
  moa::Vector lengths;
  for (std::size_t axis = 0; as_first && axis < rank; ++axis) {
    lengths.push_back(base_.expressions->subtract(lengths_of(*domain_)[axis],
                                                  base_.expressions->integer(than_first[axis])));
  }
  const LeafId made =
      as_first ? new_leaf(variable.name, type.scalar, std::move(lengths), view, parameter)
               : own_lengths(variable.name, type.scalar, rank, view, parameter);
  if (of_domain && !domain_) {
    domain_ = made;
    more_ = less;
  }
  if (!of_domain && context_.options.one_shape) know_table(variable.name, made);
  state_.meanings.insert_or_assign(parameter, made);
}

// Of an array that comes in with lengths that have nothing to do with the domain's, as a table of
// weights has, these are numbers: the form is for such tables alone.
void ShapedBody::know_table(const std::string& name, LeafId array) {
  constexpr std::int64_t most_length = 32, far = 8;
  moa::Leaf& leaf = base_.leaves[moa::number(array)];
  const std::vector<std::int64_t>& lengths = context_.options.others.at(name);
  for (std::size_t axis = 0; axis < leaf.rank() && axis < lengths.size(); ++axis) {
    const std::int64_t length = lengths[axis];
    const bool apart = context_.options.stacked == axis &&
                       onf::is_stack_over(lengths, axis, context_.options.domain);
    const bool table = length <= most_length &&
                       std::ranges::none_of(context_.options.domain, [&](std::int64_t of_domain) {
                         return std::abs(of_domain - length) <= far;
                       });
    if (apart && !stack_) stack_ = array;
    if (!table && !apart) continue;
    leaf.shape[axis] = length;
    leaf.lengths[axis] = base_.expressions->integer(length);
    if (const auto of_view = known_.ranges.length(view_of(array), axis))
      known_.ranges.assume(
          compare_expr(onf::ScalarFunction::equal, *of_view, integer_expr(length)));
  }
}

void ShapedBody::declare_arguments() {
  const term::Symbol symbol = store()[callable_.symbol];
  for (std::size_t k = 0; k < callable_.parameters.size(); ++k) {
    const SymbolId parameter = callable_.parameters[k];
    const term::Symbol variable = store()[parameter];
    function_.sorts.push_back(store().name(symbol.parameters[k]));
    if (is_array_sort(variable.result)) {
      declare_array_argument(k, variable);
      continue;
    }
    const Representation type = context_.represent(variable.result, callable_.location);
    if (type.kind != Kind::scalar) {
      context_.report("E0510", "an entry takes arrays and numbers, not `" + variable.name + "`",
                      "make it from them inside", callable_.location);
      return;
    }
    onf::Argument argument;
    argument.mode = symbol.modes[k];
    argument.variable = new_variable(variable.name, type.scalar, callable_.location);
    function_.arguments.push_back(argument);
    known_.ranges.define(argument.variable, onf::Range{});
    if (argument.mode == term::Mode::obs) {
      state_.meanings.insert_or_assign(
          parameter, new_parameter(variable.name, type.scalar, of(argument.variable)));
    } else {
      slots_[parameter] = {{argument.variable}};
      if (argument.mode == term::Mode::upd) read_again(parameter);
    }
  }
}

// Lengths that the guard states are constants from here on.
void ShapedBody::adopt_known_lengths() {
  moa::Facts facts(*base_.expressions);
  for (ExprId fact : state_.facts) facts.assume(fact);
  for (moa::Leaf& leaf : base_.leaves) {
    for (std::size_t axis = 0; axis < leaf.rank(); ++axis) {
      const moa::Bounds bounds = facts.bounds(leaf.lengths[axis]);
      if (!bounds.low || bounds.low != bounds.high) continue;
      leaf.shape[axis] = *bounds.low;
      leaf.lengths[axis] = base_.expressions->integer(*bounds.low);
    }
  }
}

bool ShapedBody::lower() {
  const term::Symbol symbol = store()[callable_.symbol];
  function_.name = symbol.name;
  function_.location = callable_.location;
  function_.procedure = symbol.kind == SymbolKind::procedure;
  statements_ = &function_.body;
  for (const Callable* callable : context_.parameters()) {
    const term::Symbol parameter = store()[callable->symbol];
    Expr value;
    value.kind = Expr::Kind::parameter;
    value.type = context_.represent(parameter.result, callable->location);
    value.parameter = context_.parameter(*callable, value.type.scalar);
    state_.meanings.insert_or_assign(callable->symbol,
                                     new_parameter(parameter.name, value.type.scalar, value));
  }
  declare_arguments();
  if (!function_.procedure) {
    function_.result = context_.represent(symbol.result, callable_.location);
    function_.sorts.push_back(store().name(symbol.result));
  }
  if (failed()) return false;
  inlining_.push_back(callable_.symbol);
  if (callable_.guard) require(*callable_.guard, symbol.name, callable_.location);
  if (failed()) return false;
  adopt_known_lengths();
  if (function_.procedure) {
    body_statements();
    if (!failed()) finish();
  } else {
    return_value(*callable_.body);
  }
  if (failed()) return false;
  function_.body.insert(function_.body.begin(), first_.begin(), first_.end());
  context_.module.functions[onf::number(id_)] = std::move(function_);
  return true;
}

// One after the other. After a mistake those that do not read what it would have set are looked at
// all the same, so that all that is wrong is told at once.
void ShapedBody::body_statements() {
  const TermId body = *callable_.body;
  const bool block = store().is(body, Control::block);
  std::set<SymbolId> unknown;
  for (TermId part : block ? children(body) : std::vector<TermId>{body}) {
    const bool assigns = store().is(part, Control::assign);
    const bool reads_unknown = std::ranges::any_of(
        term::free_variables(context_.store, assigns ? children(part)[1] : part),
        [&](SymbolId symbol) { return unknown.contains(symbol); });
    const State before = state_;
    const std::size_t facts = known_.ranges.assumed();
    const std::size_t calls = inlining_.size();
    const Context::Attempt attempt(context_);
    if (!reads_unknown) statement(part);
    if (!reads_unknown && !failed()) {
      if (assigns) unknown.erase(store().symbol(children(part)[0]));
      continue;
    }
    state_ = before;
    known_.ranges.forget(facts);
    inlining_.resize(calls);
    std::vector<SymbolId> lost = assigned_in(part);
    if (store().is(part, Control::declare)) lost.push_back(store().symbol(children(part)[0]));
    unknown.insert(lost.begin(), lost.end());
  }
}

void ShapedBody::return_value(TermId term) {
  const LocationId location = store().location(term);
  if (store().is(term, Control::block)) {
    for (TermId part : children(term)) {
      if (failed()) return;
      if (store().is(part, Control::value)) return return_value(children(part)[0]);
      statement(part);
    }
  }
  Expr result;
  if (is_array_sort(store().sort(term))) {
    term = prepared(term);
    const auto leaf = failed() ? std::nullopt : array(term, "result");
    if (!leaf) return;
    result.kind = Expr::Kind::view;
    result.view = view_of(*leaf);
    result.type = {Kind::array, base_.leaves[moa::number(*leaf)].element, {}};
    function_.result_view = result.view;
  } else {
    const auto value = number(term);
    if (!value) return;
    result = *value;
  }
  emit(onf::Return{std::move(result)}, location);
}

// What the caller sees of arguments that come out.
void ShapedBody::finish() {
  std::vector<std::pair<onf::ViewId, onf::ViewId>> moves;
  for (std::size_t k = 0; k < callable_.parameters.size(); ++k) {
    const onf::Argument& argument = function_.arguments[k];
    if (!argument.view || argument.mode == term::Mode::obs) continue;
    const auto found = state_.meanings.find(callable_.parameters[k]);
    if (found == state_.meanings.end()) continue;  // the verifier reports it
    const auto leaf = std::get<LeafId>(found->second);
    if (argument.mode == term::Mode::out) {
      const onf::View& view = function_.views[onf::number(*argument.view)];
      function_.blocks[onf::number(view.block)].extents =
          own_extents(*argument.view, base_.leaves[moa::number(leaf)].rank());
    } else if (!keeps_rank(callable_.parameters[k], *argument.view, leaf)) {
      return;
    }
    moves.emplace_back(*argument.view, view_of(leaf));
  }
  move(std::move(moves));
}

// The caller's array has the rank that it came with.
bool ShapedBody::keeps_rank(SymbolId parameter, onf::ViewId view, LeafId leaf) {
  const onf::Block& block = function_.blocks[onf::number(function_.views[onf::number(view)].block)];
  const std::size_t given = block.extents->size();
  const std::size_t left = base_.leaves[moa::number(leaf)].rank();
  if (left == given) return true;
  context_.report("E0515",
                  store()[parameter].name + " comes with " + std::to_string(given) +
                      " axes and leaves with " + std::to_string(left),
                  "give the result to an `out` parameter of its own", callable_.location);
  return false;
}

namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
  }
  return text;
}

// The program's own procedures, or what was asked for.
std::vector<const Callable*> wanted(Context& context) {
  if (!context.options.entries.empty()) return context.entries();
  std::vector<const Callable*> found;
  for (const Callable& callable : context.program.callables) {
    if (!callable.body) continue;
    const auto& chosen = context.options.callables;
    const bool procedure = context.store[callable.symbol].kind == SymbolKind::procedure;
    if (chosen ? chosen(callable) : procedure) found.push_back(&callable);
  }
  return found;
}

}  // namespace

void lower_shaped(Context& context) {
  const moa::Library library(context.store, context.program, context.table);
  const bool named = !context.options.entries.empty();
  bool lowered = false;
  std::vector<std::pair<const Callable*, std::vector<std::string>>> open;
  for (const Callable* callable : wanted(context)) {
    const auto id = static_cast<onf::FunctionId>(context.module.functions.size());
    ShapedBody body(context, library, *callable, id);
    if (auto unknown = body.find_ranks(); !unknown.empty()) {
      open.emplace_back(callable, std::move(unknown));
      continue;
    }
    context.module.functions.emplace_back();
    const Context::Attempt attempt(context);
    if (!body.lower()) continue;
    context.module.order.push_back(id);
    lowered = true;
  }
  if (context.failed() || (lowered && !named)) return;
  for (const auto& [callable, unknown] : open) {
    const std::string& name = context.store[callable->symbol].name;
    context.report(
        "E0514",
        "the number of axes of " + joined(unknown) + ", which " + name + " takes, is not known",
        "state it in a guard, as in `guard dim(" + unknown.front() + ") == 2`", callable->location);
  }
}

}  // namespace rhopsi::lower
