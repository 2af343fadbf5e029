// Expressions: reduced to their normal forms, and these lowered.
#include <algorithm>

#include "engine/lower/normal_form.hpp"
#include "engine/lower/shaped.hpp"
#include "engine/lower/short_folds.hpp"
#include "engine/moa/faults.hpp"
#include "engine/onf/print.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::lower {

using Kind = Representation::Kind;
using moa::ExprId;
using moa::LeafId;
using moa::Node;

Expr ShapedBody::of(onf::VariableId variable) const {
  Expr e;
  e.kind = Expr::Kind::variable;
  e.type = function_.variables[onf::number(variable)].type;
  e.variable = variable;
  return e;
}

onf::VariableId ShapedBody::new_variable(const std::string& name, onf::Scalar type,
                                         LocationId location) {
  const auto id = static_cast<onf::VariableId>(function_.variables.size());
  function_.variables.push_back({known_.fresh_name(name, 2), {Kind::scalar, type, {}}, location});
  return id;
}

// The lengths of whatever the view becomes.
std::vector<Expr> ShapedBody::own_extents(onf::ViewId view, std::size_t rank) {
  std::vector<Expr> extents;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    Expr length = integer_expr(0);
    length.kind = Expr::Kind::length;
    length.view = view;
    length.axis = static_cast<int>(axis);
    extents.push_back(std::move(length));
  }
  return extents;
}

onf::ViewId ShapedBody::new_view(const std::string& name, onf::Scalar element,
                                 std::optional<std::vector<Expr>> extents, std::size_t rank,
                                 LocationId location) {
  const auto view = static_cast<onf::ViewId>(function_.views.size());
  if (!extents) extents = own_extents(view, rank);
  const auto block = static_cast<onf::BlockId>(function_.blocks.size());
  function_.blocks.push_back({element, {}, std::move(extents)});
  function_.views.push_back({known_.fresh_name(name, 2), block, {}, false, false, location});
  return view;
}

ExprId ShapedBody::new_parameter(const std::string& name, onf::Scalar type, Expr value) {
  const moa::VariableId variable = base_.expressions->make_variable(name);
  base_.parameters.push_back(variable);
  parameters_.emplace(variable, std::move(value));
  return base_.expressions->variable(variable, type);
}

LeafId ShapedBody::new_leaf(const std::string& name, onf::Scalar element, moa::Vector lengths,
                            onf::ViewId view, SymbolId variable) {
  const auto id = static_cast<LeafId>(base_.leaves.size());
  moa::Leaf leaf{name, element, {}, variable, {}};
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    if (!lasting({lengths[axis]})) {
      lengths[axis] = base_.expressions->extent(id, static_cast<std::uint32_t>(axis));
    }
    leaf.shape.push_back(base_.expressions->constant(lengths[axis]));
  }
  leaf.lengths = std::move(lengths);
  base_.leaves.push_back(std::move(leaf));
  views_.push_back(view);
  return id;
}

LeafId ShapedBody::own_lengths(const std::string& name, onf::Scalar element, std::size_t rank,
                               onf::ViewId view, SymbolId variable) {
  const auto id = static_cast<LeafId>(base_.leaves.size());
  moa::Vector lengths;
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    lengths.push_back(base_.expressions->extent(id, axis));
  }
  return new_leaf(name, element, std::move(lengths), view, variable);
}

moa::Vector ShapedBody::without_stacked(moa::Vector lengths) const {
  const auto axis = static_cast<std::ptrdiff_t>(*context_.options.stacked);
  lengths.erase(lengths.begin() + axis);
  return lengths;
}

moa::Vector ShapedBody::lengths_of_domain() const {
  if (!domain_) return without_stacked(lengths_of(*stack_));
  moa::Vector lengths = lengths_of(*domain_);
  moa::Expressions& expressions = *base_.expressions;
  for (std::size_t axis = 0; axis < lengths.size() && axis < more_.size(); ++axis) {
    if (more_[axis] == 0) continue;
    lengths[axis] = expressions.subtract(lengths[axis], expressions.integer(-more_[axis]));
  }
  return lengths;
}

moa::Vector ShapedBody::lengths_of(LeafId leaf) const {
  return base_.leaves[moa::number(leaf)].lengths;
}

// Do these mean the same wherever they are read later? Not what reads elements, which would be
// computed again, nor numbers that are assigned.
bool ShapedBody::lasting(const moa::Vector& lengths) const {
  const auto passing = [&](ExprId id) {
    const Node& node = (*base_.expressions)[id];
    return node.kind == Node::Kind::load || node.kind == Node::Kind::fold ||
           (node.kind == Node::Kind::variable && changing_.contains(node.variable));
  };
  return std::ranges::none_of(
      lengths, [&](ExprId length) { return base_.expressions->any(length, passing); });
}

moa::Place ShapedBody::place_for(TermId term) const {
  moa::Place place = base_;
  const std::vector<SymbolId> free = term::free_variables(context_.store, term);
  for (const auto& [symbol, meaning] : state_.meanings) {
    const bool variable = context_.store[symbol].kind == SymbolKind::variable;
    if (variable && std::ranges::find(free, symbol) == free.end()) continue;
    place.meanings.emplace_back(symbol, meaning);
  }
  place.facts = state_.facts;
  return place;
}

// Messages of checks say where the expression stands.
Computation ShapedBody::computation(const moa::NormalForm& form, LocationId location) {
  Computation made(form, function_, views_, known_);
  const std::string where = onf::place(store(), location);
  made.place(location, where.empty() ? "" : " (" + where + ")");
  if (context_.options.one_shape) made.keep_loads_apart();
  made.write_to(*statements_);
  for (const auto& [variable, value] : parameters_) made.parameter(variable, value);
  return made;
}

void ShapedBody::report(const moa::Problem& problem, LocationId location) {
  const bool placed = problem.location != LocationId{};
  std::string message = problem.message;
  if (round_ > 0) message += " (in round " + std::to_string(round_ + 1) + " of the loop)";
  context_.report(problem.code, std::move(message), problem.advice,
                  placed ? problem.location : location);
}

// What the run would stumble over in any case is looked for where that is asked: a form can be made
// of it.
template <class Form>
bool ShapedBody::passes(const Form& form, LocationId location) {
  if (!context_.options.find_faults) return true;
  const auto fault = moa::certain_fault(form, state_.facts);
  if (fault) report(*fault, location);
  return !fault;
}

std::optional<LeafId> ShapedBody::array(TermId term, const std::string& name) {
  const LocationId location = store().location(term);
  if (store().is_variable(term)) {
    const auto found = state_.meanings.find(store().symbol(term));
    if (found != state_.meanings.end()) return std::get<LeafId>(found->second);
    context_.report("E0522", store()[store().symbol(term)].name + " is read before it is set", "",
                    location);
    return std::nullopt;
  }
  moa::Limits limits;
  // A row of remainders has a loop without them between its ends (schedule/own_ends.cpp), where
  // a box for each order of the lengths would be dozens.
  limits.remainders = 2;
  if (context_.options.one_shape) {
    limits.pieces = 1;
    if (has_domain()) limits.stored_shape = lengths_of_domain();
  }
  auto plan = moa::plan(library_, term, place_for(term), limits);
  if (!plan) {
    report(plan.error(), location);
    return std::nullopt;
  }
  if (!passes(*plan, location)) return std::nullopt;
  for (const moa::Stage& stage : plan->stages) {
    if (stage.form.rank() <= most_axes) continue;
    context_.report("E0513",
                    "this array has " + std::to_string(stage.form.rank()) +
                        " axes; compiled programs have arrays of at most " +
                        std::to_string(most_axes),
                    "", location);
    return std::nullopt;
  }
  if (context_.options.one_shape) {
    for (moa::Stage& stage : plan->stages) {
      for (moa::Piece& piece : stage.form.pieces)
        piece.element = without_short_folds(*base_.expressions, piece.element);
    }
  }
  Computation compute = computation(plan->result(), location);
  for (const moa::Stage& stage : plan->stages) {
    FormNests::reserve(stage.form, compute, index_names_);
  }
  LeafId made{};
  for (const moa::Stage& stage : plan->stages) {
    const bool last = &stage == &plan->stages.back();
    const onf::ViewId view = FormNests(stage.form, compute, function_, *statements_, index_names_)
                                 .write(last ? name : stage.name);
    function_.views[onf::number(view)].location = location;
    made = new_leaf(last ? name : stage.name, stage.form.element, stage.form.shape, view, {});
    compute.add_leaf(view);
    base_.leaves[moa::number(made)].elements = moa::constant_elements(stage.form);
  }
  for (const moa::Assumption& assumption : plan->stages.front().form.assumptions) {
    if (lasting({assumption.condition})) state_.facts.push_back(assumption.condition);
  }
  return made;
}

void ShapedBody::test(Computation& compute, Graph& graph, const moa::Assumption& assumption) {
  compute.require(graph, assumption);
  if (lasting({assumption.condition})) state_.facts.push_back(assumption.condition);
}

// What a form assumes, where nothing of it is computed.
void ShapedBody::test_all(const moa::NormalForm& form, LocationId location) {
  Computation compute = computation(form, location);
  std::vector<ExprId> roots;
  for (const moa::Assumption& assumption : form.assumptions) roots.push_back(assumption.condition);
  Graph graph(form, roots, {});
  for (const moa::Assumption& assumption : form.assumptions) test(compute, graph, assumption);
}

std::optional<std::vector<ExprId>> ShapedBody::numbers(TermId term, std::vector<Expr>& values) {
  const LocationId location = store().location(term);
  term = prepared(term);
  if (failed()) return std::nullopt;
  auto found = moa::reduce_numbers(library_, term, place_for(term));
  if (!found) {
    report(found.error(), location);
    return std::nullopt;
  }
  if (!passes(*found, location)) return std::nullopt;
  Computation compute = computation(found->form, location);
  std::vector<ExprId> roots = found->values;
  for (const moa::Assumption& assumption : found->form.assumptions) {
    roots.push_back(assumption.condition);
  }
  Graph graph(found->form, roots, {});
  for (const moa::Assumption& assumption : found->form.assumptions) {
    test(compute, graph, assumption);
  }
  for (ExprId value : found->values) {
    if (folds_elements(value)) {
      values.push_back(computed_in_kernel(found->form, compute, value, location));
      continue;
    }
    values.push_back(compute.value(graph, value));
    compute.check_exact(values.back());
    compute.forget_lazy();
  }
  return found->values;
}

// Does it take a loop that reads arrays?
bool ShapedBody::folds_elements(ExprId value) const {
  return base_.expressions->any(value, [&](ExprId id) {
    return (*base_.expressions)[id].kind == Node::Kind::fold && base_.expressions->reads(id);
  });
}

// Where the elements are: as the one element of an array without axes, which is then read.
Expr ShapedBody::computed_in_kernel(moa::NormalForm form, Computation& compute, ExprId value,
                                    LocationId location) {
  form.assumptions.clear();
  form.element = (*base_.expressions)[value].type;
  form.pieces = {{{}, value}};
  const onf::ViewId view =
      FormNests(form, compute, function_, *statements_, index_names_).write("x");
  function_.views[onf::number(view)].location = location;
  new_leaf("x", form.element, {}, view, {});
  compute.add_leaf(view);
  Expr element;
  element.kind = Expr::Kind::load;
  element.type = {Kind::scalar, form.element, {}};
  element.view = view;
  return element;
}

std::optional<Expr> ShapedBody::number(TermId term, ExprId* known) {
  std::vector<Expr> values;
  const auto found = numbers(term, values);
  if (!found) return std::nullopt;
  if (found->size() != 1) {
    context_.report("E0532", "one number is needed here", "", store().location(term));
    return std::nullopt;
  }
  if (known != nullptr) *known = found->front();
  return values.front();
}

// The guard holds from here on: it is tested, as far as it is not certain.
bool ShapedBody::require(TermId guard, const std::string& subject, LocationId location) {
  guard = written_out(guard);
  auto form = moa::require(library_, guard, subject, location, place_for(guard));
  if (!form) {
    report(form.error(), location);
    return false;
  }
  if (!passes(*form, location)) return false;
  test_all(*form, location);
  return true;
}

// --- functions that take statements

// Does its value take loops, branches or assignments?
bool ShapedBody::needs_statements(SymbolId symbol) {
  const auto [place, fresh] = needs_statements_.try_emplace(symbol, false);
  if (!fresh) return place->second;
  const Callable* callable = context_.program.find(symbol);
  const bool found = callable != nullptr && callable->body && takes_statements(*callable->body);
  return needs_statements_[symbol] = found;
}

// The same of a term: by a block in it, or by what it calls.
bool ShapedBody::takes_statements(TermId term) {
  bool found = false;
  term::for_each_subterm(store(), term, [&](TermId part) {
    if (found) return false;
    const term::Symbol& head = store().head(part);
    if (head.kind == SymbolKind::function || head.kind == SymbolKind::predicate) {
      found = needs_statements(store().symbol(part));
    } else if (store().is(part, Control::block)) {
      for (TermId each : children(part)) {
        const bool value = store().is(each, Control::value);
        const bool binds = store().is(each, Control::declare) && children(each).size() == 2;
        found = found || (!value && !binds);
      }
    }
    return !found;
  });
  return found;
}

// The term, with a variable in place of each call whose value takes statements. What is evaluated
// under a condition or for each index stays as it is.
TermId ShapedBody::prepared(TermId term) { return with_calls_inlined(written_out(term)); }

TermId ShapedBody::with_calls_inlined(TermId term) {
  const term::Symbol head = store().head(term);
  if (head.kind != SymbolKind::function && head.kind != SymbolKind::predicate) {
    const bool block =
        store().is(term, Control::block) && store().sort(term) != store().statement_sort();
    return block ? inlined(term) : term;
  }
  if (head.kind == SymbolKind::predicate &&
      term::builtin(store(), store().symbol(term)) != term::Builtin::none) {
    return term;
  }
  std::vector<TermId> parts = children(term);
  bool changed = false;
  for (TermId& part : parts) {
    const TermId made = with_calls_inlined(part);
    if (failed()) return term;
    changed = changed || made != part;
    part = made;
  }
  if (changed) term = context_.store.make(store().symbol(term), parts, {}, store().location(term));
  const bool statements = needs_statements(store().symbol(term)) || names_what_is_read_again(term);
  return statements ? inlined(term) : term;
}

// The value of a call or a value block, in a fresh variable.
TermId ShapedBody::inlined(TermId term) {
  const SymbolId symbol = store().symbol(term);
  const LocationId location = store().location(term);
  TermId body = term;
  const bool call = !store().is(term, Control::block);
  if (call) {
    if (std::ranges::find(inlining_, symbol) != inlining_.end()) {
      context_.report("E0508", store()[symbol].name + " calls itself", "write it as a loop",
                      location);
      return term;
    }
    const Callable& callee = *context_.program.find(symbol);
    const std::vector<TermId> parts = children(term);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      bind_argument(callee, k, parts[k]);
      if (failed()) return term;
    }
    if (callee.guard && !require(*callee.guard, store()[symbol].name, location)) return term;
    body = *callee.body;
    inlining_.push_back(symbol);
  } else if (!takes_statements(term)) {
    return term;
  }
  TermId result = term;
  const bool block = store().is(body, Control::block);
  for (TermId part : block ? children(body) : std::vector<TermId>{body}) {
    if (failed()) break;
    if (block && !store().is(part, Control::value)) {
      statement(part);
      continue;
    }
    const TermId value = block ? children(part)[0] : part;
    const SymbolId variable = context_.store.fresh_variable(call ? store()[symbol].name : "value",
                                                            store().sort(value), false);
    const TermId declared =
        context_.store.make(context_.store.control(Control::declare, store().statement_sort()),
                            {context_.store.make(variable), value}, location);
    declare(declared);
    result = context_.store.make(variable, {}, location);
    break;
  }
  if (call) inlining_.pop_back();
  return result;
}

}  // namespace rhopsi::lower
