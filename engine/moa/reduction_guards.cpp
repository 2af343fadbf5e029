// Domain conditions: decided, reported with their numbers, or left to the entry of the run.
#include <algorithm>

#include "engine/moa/reduction.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::moa {

using term::Builtin;
using term::Callable;
using term::LocationId;
using term::SymbolId;
using term::TermId;

void Reduction::check_guard(const Callable& callable, std::span<const Value> arguments,
                            LocationId location) {
  if (!callable.guard) return;
  Environment environment;
  for (std::size_t k = 0; k < callable.parameters.size(); ++k) {
    environment.values.emplace_back(callable.parameters[k], arguments[k]);
  }
  require(*callable.guard, environment, subject(callable, arguments).say(" needs "), location);
}

void Reduction::require(TermId guard, const Environment& environment, const std::string& subject,
                        LocationId location) {
  require(guard, environment, Complaint(subject + " needs "), location);
}

// Each conjunct for itself, so that what is said is what does not hold.
void Reduction::require(TermId guard, const Environment& environment, const Complaint& before,
                        LocationId location) {
  for (TermId part : term::conjuncts(store_, guard)) {
    const ExprId condition = scalar(part, environment);
    const auto known = facts_.decide(condition);
    if (known == true) continue;
    if (require_each(part, environment, before, location)) continue;
    if (decide_each(part, environment, before, location)) continue;
    Complaint complaint = explain(part, environment, before);
    if (!known) claim_each(part, environment, before, complaint);
    demand(condition, complaint, location);
  }
}

// The same of a condition on all of a few numbers: one after the other.
bool Reduction::require_each(TermId guard, const Environment& environment, const Complaint& before,
                             LocationId location) {
  constexpr std::int64_t most = 8;
  if (!store_.is(guard, term::Control::forall)) return false;
  const auto count = expressions_.constant(scalar(store_.children(guard)[0], environment));
  if (!count || *count > most) return false;
  const SymbolId index = store_.bound(guard)[0];
  for (std::int64_t k = 0; k < *count; ++k) {
    const Environment inner{&environment, {{index, expressions_.integer(k)}}};
    require(store_.children(guard)[1], inner, before, location);
  }
  return true;
}

// A condition on all of some more numbers, as the places that a long list names: whether it holds
// of each of them. False where that is open.
bool Reduction::decide_each(TermId guard, const Environment& environment, const Complaint& before,
                            LocationId location) {
  constexpr std::int64_t most = 256;
  if (!store_.is(guard, term::Control::forall)) return false;
  const auto count = expressions_.constant(scalar(store_.children(guard)[0], environment));
  if (!count || *count > most) return false;
  const std::size_t assumed = recorded();
  for (std::int64_t k = 0; k < *count; ++k) {
    const Environment inner{&environment, {{store_.bound(guard)[0], expressions_.integer(k)}}};
    for (TermId part : term::conjuncts(store_, store_.children(guard)[1])) {
      const Inside inside(*this);
      const ExprId condition = scalar(part, inner);
      const auto known = facts_.decide(condition);
      if (known == false) demand(condition, explain(part, inner, before), location);
      if (known == true && recorded() == assumed) continue;
      forget_from(assumed);
      return false;
    }
  }
  return true;
}

// The parts of a condition on all indices, at one of them that only the run knows.
void Reduction::claim_each(TermId guard, const Environment& environment, const Complaint& before,
                           Complaint& complaint) {
  if (!store_.is(guard, term::Control::forall)) return;
  const std::size_t assumed = recorded();
  const SymbolId index = store_.bound(guard)[0];
  complaint.count = scalar(store_.children(guard)[0], environment);
  complaint.index = expressions_.make_variable(name(index));
  const Rounds rounds(*this, complaint.index, complaint.count);
  const Environment inner{&environment, {{index, expressions_.variable(complaint.index)}}};
  for (TermId part : term::conjuncts(store_, store_.children(guard)[1])) {
    const ExprId condition = scalar(part, inner);
    if (facts_.decide(condition) == true) continue;
    Complaint each = explain(part, inner, before);
    complaint.claims.push_back({condition, std::move(each.pieces), std::move(each.numbers)});
    facts_.assume(condition);
  }
  // What this rests on was assumed when the whole condition was looked at.
  forget_from(assumed);
}

Reduction::Complaint& Reduction::Complaint::say(const std::string& text) {
  message += text;
  pieces.back() += text;
  return *this;
}

Reduction::Complaint& Reduction::Complaint::tell(ExprId number, const std::string& text) {
  message += text;
  pieces.emplace_back();
  numbers.push_back(number);
  return *this;
}

// Not so in a branch that the run may never take, and in a loop that may have no rounds.
bool Reduction::is_reached() {
  return path_.empty() && std::ranges::all_of(loops_, &Loop::certain);
}

// What is not certain: an error, or a test.
void Reduction::demand(ExprId condition, const Complaint& complaint, LocationId location,
                       const char* code) {
  const auto known = facts_.decide(condition);
  if (known == false && is_reached()) undefined(code, complaint.message, location);
  if (path_.empty()) facts_.assume(condition);
  test_on_entry(condition, complaint, location, code);
}

// The shape of an array: no length is negative.
Vector Reduction::checked_lengths(Vector shape, const std::string& subject, LocationId location) {
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const ExprId some =
        expressions_.apply(ScalarFunction::less_equal, {expressions_.integer(0), shape[axis]});
    if (facts_.decide(some) == true) continue;
    Complaint complaint(subject + " has a negative length on axis " + std::to_string(axis) + ": ");
    complaint.tell(shape[axis], shown(shape[axis]));
    demand(some, complaint, location, of_lengths);
  }
  return shape;
}

void Reduction::test_on_entry(ExprId condition, const Complaint& complaint, LocationId location,
                              const char* code) {
  if (collected_) {
    const ExprId within = for_all(under_path(condition, collected_->path), collected_->variable);
    collected_->conditions->push_back(within);
    return;
  }
  const ExprId tested = on_entry(condition);
  if (expressions_.constant(tested) == 1) return;
  const bool present = std::ranges::any_of(form_.assumptions, [&](const Assumption& assumption) {
    return assumption.condition == tested;
  });
  if (present) return;
  Assumption made{tested, complaint.message, location, code};
  // Within a loop, or under a condition, there may be no such numbers.
  if (tested == condition) {
    made.pieces = complaint.pieces;
    made.numbers = complaint.numbers;
    made.index = complaint.index;
    made.count = complaint.count;
    made.claims = complaint.claims;
  }
  form_.assumptions.push_back(std::move(made));
}

// How many tests there are, so that those made from here on can be dropped again.
std::size_t Reduction::recorded() const {
  return collected_ ? collected_->conditions->size() : form_.assumptions.size();
}

void Reduction::forget_from(std::size_t count) {
  if (collected_) {
    collected_->conditions->resize(count);
  } else {
    form_.assumptions.resize(count, Assumption{});
  }
}

// The condition where it is asked for, as one that can be tested before the first element is
// computed: for all indices that reach this place, under the conditions that lead to it.
ExprId Reduction::on_entry(ExprId condition) {
  return for_all(under_path(condition, 0), std::nullopt);
}

// Under the conditions that lead here, from the given one on.
ExprId Reduction::under_path(ExprId condition, std::size_t path) const {
  for (std::size_t k = path_.size(); k > path; --k) {
    condition = expressions_.apply(ScalarFunction::implies, {path_[k - 1], condition});
  }
  return condition;
}

// For all indices that are free in it; those that were made after `outer`, if one is given. Where a
// loop around has no rounds nothing is asked.
ExprId Reduction::for_all(ExprId condition, std::optional<VariableId> outer) {
  const auto is_inner = [&](VariableId variable) { return !outer || *outer < variable; };
  for (auto loop = loops_.rbegin(); loop != loops_.rend() && is_inner(loop->variable); ++loop) {
    const std::vector<VariableId> open = free_variables(condition);
    if (std::ranges::binary_search(open, loop->variable)) {
      condition = at_all(condition, loop->variable);
      continue;
    }
    if (loop->certain) continue;
    condition = expressions_.apply(ScalarFunction::implies, {loop->some, condition});
  }
  for (std::vector<VariableId> open = free_variables(condition);
       !open.empty() && is_inner(open.back()); open = free_variables(condition)) {
    condition = at_all(condition, open.back());
  }
  return condition;
}

ExprId Reduction::at_all(ExprId condition, VariableId variable) {
  const Interval* range = facts_.interval(variable);
  if (expressions_.constant(range->low) != 0) {
    const ExprId index = expressions_.variable(variable);
    condition = expressions_.substitute(condition, variable, expressions_.add(range->low, index));
  }
  const ExprId count = expressions_.subtract(range->high, range->low);
  return expressions_.fold(ScalarFunction::and_, variable, count, condition);
}

// The indices that no fold of the expression binds, outer ones first.
std::vector<VariableId> Reduction::free_variables(ExprId expression) const {
  std::vector<VariableId> found;
  std::vector<std::pair<ExprId, std::vector<VariableId>>> work{{expression, {}}};
  std::unordered_map<ExprId, bool> seen;
  while (!work.empty()) {
    auto [id, bound] = std::move(work.back());
    work.pop_back();
    const Node& node = expressions_[id];
    if (node.kind == Node::Kind::variable &&
        !std::ranges::binary_search(form_.parameters, node.variable) &&
        std::ranges::find(bound, node.variable) == bound.end() &&
        std::ranges::find(found, node.variable) == found.end()) {
      found.push_back(node.variable);
    }
    if (bound.empty() && !seen.emplace(id, true).second) continue;
    if (node.kind == Node::Kind::fold) bound.push_back(node.variable);
    for (ExprId operand : node.operands) work.emplace_back(operand, bound);
  }
  std::ranges::sort(found);  // inner ones are made later
  return found;
}

// "cat on axis 1": the operation, and its axis where it has one, which the run alone may know.
Reduction::Complaint Reduction::subject(const Callable& callable,
                                        std::span<const Value> arguments) const {
  Complaint text(name(callable.symbol));
  for (std::size_t k = 0; k < callable.parameters.size(); ++k) {
    if (name(callable.parameters[k]) != "axis") continue;
    const ExprId* axis = std::get_if<ExprId>(&arguments[k]);
    if (axis == nullptr || expressions_[*axis].type != Scalar::int64) continue;
    text.say(" on axis ").tell(*axis, to_string(form_, *axis));
  }
  return text;
}

// A length that is known by what was tested is shown as the number.
std::string Reduction::shown(ExprId value) {
  const bool integer = expressions_[value].type == Scalar::int64;
  const Bounds bounds = integer ? facts_.bounds(value) : Bounds{};
  if (bounds.low && bounds.low == bounds.high) return std::to_string(*bounds.low);
  return to_string(form_, value);
}

void Reduction::tell(Complaint& complaint, const Value& value) {
  if (const ExprId* scalar = std::get_if<ExprId>(&value)) {
    const bool truth = expressions_[*scalar].type == Scalar::boolean;
    truth ? complaint.say(shown(*scalar)) : complaint.tell(*scalar, shown(*scalar));
  } else if (const Vector* vector = std::get_if<Vector>(&value)) {
    complaint.say("[");
    for (std::size_t k = 0; k < vector->size(); ++k) {
      complaint.say(k == 0 ? "" : ", ").tell((*vector)[k], shown((*vector)[k]));
    }
    complaint.say("]");
  } else {
    complaint.say("an array");
  }
}

// The part of the condition that is not certain, with the numbers in it.
Reduction::Complaint Reduction::explain(TermId condition, const Environment& environment,
                                        const Complaint& before) {
  const auto holds = [&](TermId part) { return facts_.decide(scalar(part, environment)); };
  const auto of = [&](TermId part) { return explain(part, environment, before); };
  switch (term::builtin(store_, store_.symbol(condition))) {
    case Builtin::and_: {
      const TermId left = store_.children(condition)[0];
      const TermId right = store_.children(condition)[1];
      const auto first = holds(left);
      return of(first == false || (!first && holds(right) != false) ? left : right);
    }
    case Builtin::or_: {
      // Where this is said none of the alternatives holds.
      const ExprId left = scalar(store_.children(condition)[0], environment);
      const Inside inside(*this);
      facts_.assume(left, false);
      return of(store_.children(condition)[1]);
    }
    case Builtin::implies:
      if (holds(store_.children(condition)[0]) == true) return of(store_.children(condition)[1]);
      break;
    default:
      break;
  }
  if (store_.is(condition, term::Control::forall)) {
    const ExprId count = scalar(store_.children(condition)[0], environment);
    const SymbolId index = store_.bound(condition)[0];
    const auto known = expressions_.constant(count);
    for (std::int64_t k = 0; known && k < *known; ++k) {
      const Environment inner{&environment, {{index, expressions_.integer(k)}}};
      const TermId body = store_.children(condition)[1];
      if (facts_.decide(scalar(body, inner)) == false) return explain(body, inner, before);
    }
    return Complaint(before).say("`" + term::to_string(store_, condition) + "`");
  }
  if (store_.is(condition, term::Control::if_)) {
    const auto known = holds(store_.children(condition)[0]);
    if (known) return of(store_.children(condition)[*known ? 1 : 2]);
  }
  return explain_comparison(condition, environment, before);
}

// at(shape(A), k), where k is known.
std::optional<Reduction::Extent> Reduction::extent_of(TermId side, const Environment& environment) {
  const auto child_of = [&](TermId term, onf::Primitive::Kind kind) -> std::optional<TermId> {
    const onf::Primitive* found = library_.primitive(store_.symbol(term));
    if (found == nullptr || found->kind != kind) return std::nullopt;
    return store_.children(term)[0];
  };
  const auto vector = child_of(side, onf::Primitive::Kind::component);
  const auto array = vector ? child_of(*vector, onf::Primitive::Kind::shape) : std::nullopt;
  if (!array) return std::nullopt;
  const TermId place = store_.children(side)[1];
  const auto axis = expressions_.constant(scalar(place, environment));
  if (!axis) return std::nullopt;
  // The innermost environment alone holds the index of a condition on all axes.
  const bool counted = store_.is_variable(place) && environment.parent != nullptr &&
                       std::ranges::any_of(environment.values, [&](const auto& entry) {
                         return entry.first == store_.symbol(place);
                       });
  return Extent{*array, *axis, counted};
}

// "equal lengths on axis 0" for an equation between lengths; "`at(start, m) < at(shape(A), m)` on
// axis 1" where a length meets another number for each axis.
std::optional<std::string> Reduction::compared_extents(TermId condition,
                                                       const Environment& environment) {
  const auto left = extent_of(store_.children(condition)[0], environment);
  const auto right = extent_of(store_.children(condition)[1], environment);
  const bool equation =
      term::builtin(store_, store_.symbol(condition)) == Builtin::equal && left && right;
  if (!equation) {
    const auto& one = left ? left : right;
    if (!one || !one->counted) return std::nullopt;
    return "`" + term::to_string(store_, condition) + "` on axis " + std::to_string(one->axis);
  }
  const std::string first = std::to_string(left->axis), second = std::to_string(right->axis);
  if (first == second) return "equal lengths on axis " + first;
  if (term::alpha_equal(store_, left->array, right->array)) {
    return "equal lengths on axes " + first + " and " + second;
  }
  return "equal lengths on axis " + first + " of " + term::to_string(store_, left->array) +
         " and axis " + second + " of " + term::to_string(store_, right->array);
}

// "A has 3 axes": what a number without a name beside it is about. Of an operation whose meaning is
// the length of its argument's shape.
std::optional<std::string> Reduction::axes_text(TermId side, const Environment& environment) {
  const std::span<const TermId> arguments = store_.children(side);
  const auto callable = library_.callables.find(store_.symbol(side));
  if (arguments.size() != 1 || callable == library_.callables.end()) return std::nullopt;
  std::optional<TermId> meaning = callable->second->body;
  const auto rules = library_.meanings.find(store_.symbol(side));
  if (rules != library_.meanings.end()) meaning = rules->second.front().right;
  const auto is = [&](TermId term, onf::Primitive::Kind kind) {
    const onf::Primitive* found = library_.primitive(store_.symbol(term));
    return found != nullptr && found->kind == kind;
  };
  if (!meaning || !is(*meaning, onf::Primitive::Kind::length)) return std::nullopt;
  const TermId counted = store_.children(*meaning)[0];
  if (!is(counted, onf::Primitive::Kind::shape)) return std::nullopt;
  if (!store_.is_variable(store_.children(counted)[0])) return std::nullopt;
  const std::string of = term::to_string(store_, arguments[0]);
  const Value array = evaluate(arguments[0], environment);
  const ArrayPointer* found = std::get_if<ArrayPointer>(&array);
  if (found == nullptr) return std::nullopt;
  const std::size_t axes = (*found)->shape.size();
  return of + " has " + (axes == 1 ? "1 axis" : std::to_string(axes) + " axes");
}

Reduction::Complaint Reduction::explain_comparison(TermId condition, const Environment& environment,
                                                   const Complaint& before) {
  Complaint complaint(before);
  std::string text = "`" + term::to_string(store_, condition) + "`";
  if (store_.children(condition).size() != 2) return complaint.say(text);
  const SymbolId symbol = store_.symbol(condition);
  const Builtin builtin = term::builtin(store_, symbol);
  const bool equation = builtin == Builtin::equal || builtin == Builtin::not_equal;
  const onf::Primitive* comparison = library_.primitive(symbol);
  if (!equation && comparison == nullptr) return complaint.say(text);
  const TermId left = store_.children(condition)[0];
  const TermId right = store_.children(condition)[1];
  const bool shapes = std::ranges::all_of(std::vector{left, right}, [&](TermId side) {
    const onf::Primitive* found = library_.primitive(store_.symbol(side));
    return found != nullptr && found->kind == onf::Primitive::Kind::shape;
  });
  bool counted = false;
  if (builtin == Builtin::equal && shapes) {
    text = "equal shapes";
  } else if (const auto extents = compared_extents(condition, environment)) {
    text = *extents;
  } else {
    // The innermost environment alone holds the index of a condition on all of them.
    counted = environment.parent != nullptr && environment.values.size() == 1;
  }
  const Value sides[] = {evaluate(left, environment), evaluate(right, environment)};
  complaint.say(text + ": ");
  tell(complaint, sides[0]);
  complaint.say(" and ");
  tell(complaint, sides[1]);
  if (!counted) {
    for (const auto& [side, other] : {std::pair(left, right), std::pair(right, left)}) {
      const bool literal = store_.head(other).kind == term::SymbolKind::integer_literal;
      const auto axes = literal ? axes_text(side, environment) : std::nullopt;
      if (axes) complaint.say(", where " + *axes);
    }
    return complaint;
  }
  const auto& [index, at] = environment.values.front();
  tell(complaint.say(", where " + name(index) + " = "), at);
  return complaint;
}

}  // namespace rhopsi::moa
