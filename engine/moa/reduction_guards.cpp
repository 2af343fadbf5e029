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
  if (facts_.decide(scalar(*callable.guard, environment)) == true) return;
  require(*callable.guard, environment, subject(callable, arguments), location);
}

void Reduction::require(TermId guard, const Environment& environment, const std::string& subject,
                        LocationId location) {
  const ExprId condition = scalar(guard, environment);
  const auto known = facts_.decide(condition);
  if (known == true) return;
  const std::string message = subject + " needs " + explain(guard, environment);
  // In a branch that the run may never take it is no error yet.
  if (known == false && path_.empty()) fail("E0534", message, "", location);
  if (path_.empty()) facts_.assume(condition);
  test_on_entry(condition, message, location);
}

void Reduction::test_on_entry(ExprId condition, const std::string& message, LocationId location) {
  const ExprId tested = on_entry(condition);
  if (expressions_.constant(tested) == 1) return;
  const bool recorded = std::ranges::any_of(form_.assumptions, [&](const Assumption& assumption) {
    return assumption.condition == tested;
  });
  if (!recorded) form_.assumptions.push_back({tested, message, location});
}

// The condition where it is asked for, as one that can be tested before the first element is
// computed: for all indices that reach this place, under the conditions that lead to it.
ExprId Reduction::on_entry(ExprId condition) {
  ExprId whole = condition;
  for (auto it = path_.rbegin(); it != path_.rend(); ++it) {
    whole = expressions_.apply(ScalarFunction::implies, {*it, whole});
  }
  for (std::vector<VariableId> open = free_variables(whole); !open.empty();
       open = free_variables(whole)) {
    const VariableId variable = open.back();
    const Interval* range = facts_.interval(variable);
    const ExprId index = expressions_.variable(variable);
    if (expressions_.constant(range->low) != 0) {
      whole = expressions_.substitute(whole, variable, expressions_.add(range->low, index));
    }
    const ExprId count = expressions_.subtract(range->high, range->low);
    whole = expressions_.fold(ScalarFunction::and_, variable, count, whole);
  }
  return whole;
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

// "cat on axis 1": the operation, and its axis where it has one.
std::string Reduction::subject(const Callable& callable, std::span<const Value> arguments) const {
  std::string text = name(callable.symbol);
  for (std::size_t k = 0; k < callable.parameters.size(); ++k) {
    if (name(callable.parameters[k]) != "axis") continue;
    if (const ExprId* axis = std::get_if<ExprId>(&arguments[k])) {
      if (const auto known = expressions_.constant(*axis)) {
        text += " on axis " + std::to_string(*known);
      }
    }
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

std::string Reduction::shown(const Value& value) {
  if (const ExprId* scalar = std::get_if<ExprId>(&value)) return shown(*scalar);
  if (const Vector* vector = std::get_if<Vector>(&value)) {
    std::string text = "[";
    for (ExprId component : *vector) {
      text += (text.size() > 1 ? ", " : "") + shown(component);
    }
    return text + "]";
  }
  return "an array";
}

// The part of the condition that is not certain, with the numbers in it.
std::string Reduction::explain(TermId condition, const Environment& environment) {
  const auto holds = [&](TermId part) { return facts_.decide(scalar(part, environment)); };
  switch (term::builtin(store_, store_.symbol(condition))) {
    case Builtin::and_: {
      const TermId left = store_.children(condition)[0];
      const TermId right = store_.children(condition)[1];
      const auto first = holds(left);
      if (first == false || (!first && holds(right) != false)) return explain(left, environment);
      return explain(right, environment);
    }
    case Builtin::or_: {
      // What is known to be false already is not what was wanted.
      const TermId right = store_.children(condition)[1];
      if (holds(store_.children(condition)[0]) == false) return explain(right, environment);
      break;
    }
    case Builtin::implies:
      if (holds(store_.children(condition)[0]) == true) {
        return explain(store_.children(condition)[1], environment);
      }
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
      if (facts_.decide(scalar(body, inner)) != true) return explain(body, inner);
    }
    return "`" + term::to_string(store_, condition) + "`";
  }
  if (store_.is(condition, term::Control::if_)) {
    const auto known = holds(store_.children(condition)[0]);
    if (known) return explain(store_.children(condition)[*known ? 1 : 2], environment);
  }
  return explain_comparison(condition, environment);
}

// "equal lengths on axis 0: 3 and 4" for an equation between lengths of one axis.
std::optional<std::string> Reduction::compared_extent(TermId condition,
                                                      const Environment& environment) {
  std::optional<std::int64_t> axis;
  for (std::size_t k = 0; k < 2; ++k) {
    const TermId side = store_.children(condition)[k];
    const onf::Primitive* outer = library_.primitive(store_.symbol(side));
    if (outer == nullptr || outer->kind != onf::Primitive::Kind::component) return std::nullopt;
    const TermId vector = store_.children(side)[0];
    const onf::Primitive* inner = library_.primitive(store_.symbol(vector));
    if (inner == nullptr || inner->kind != onf::Primitive::Kind::shape) return std::nullopt;
    const auto here = expressions_.constant(scalar(store_.children(side)[1], environment));
    if (!here || (axis && *axis != *here)) return std::nullopt;
    axis = here;
  }
  return "equal lengths on axis " + std::to_string(*axis);
}

std::string Reduction::explain_comparison(TermId condition, const Environment& environment) {
  std::string text = "`" + term::to_string(store_, condition) + "`";
  if (store_.children(condition).size() != 2) return text;
  const SymbolId symbol = store_.symbol(condition);
  const bool equation = term::builtin(store_, symbol) == Builtin::equal;
  const onf::Primitive* comparison = library_.primitive(symbol);
  if (!equation && comparison == nullptr) return text;
  const TermId left = store_.children(condition)[0];
  const TermId right = store_.children(condition)[1];
  if (equation) {
    const bool shapes = std::ranges::all_of(std::vector{left, right}, [&](TermId side) {
      const onf::Primitive* found = library_.primitive(store_.symbol(side));
      return found != nullptr && found->kind == onf::Primitive::Kind::shape;
    });
    if (shapes) {
      text = "equal shapes";
    } else if (const auto extent = compared_extent(condition, environment)) {
      text = *extent;
    }
  }
  const std::string a = shown(evaluate(left, environment));
  const std::string b = shown(evaluate(right, environment));
  return text + ": " + a + " and " + b;
}

}  // namespace rhopsi::moa
