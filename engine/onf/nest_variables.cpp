#include "engine/onf/nest_variables.hpp"

#include <algorithm>
#include <ranges>
#include <type_traits>

#include "engine/onf/each_expression.hpp"

namespace rhopsi::onf {

namespace {

bool is_int64(const Expr& e) {
  return e.type.kind == Representation::Kind::scalar && e.type.scalar == Scalar::int64;
}

bool computes_indices(ScalarFunction function) {
  switch (function) {
    case ScalarFunction::add:
    case ScalarFunction::subtract:
    case ScalarFunction::multiply:
    case ScalarFunction::divide:
    case ScalarFunction::modulo:
    case ScalarFunction::negate:
    case ScalarFunction::plus:
    case ScalarFunction::minimum:
    case ScalarFunction::maximum:
    case ScalarFunction::absolute:
      return true;
    default:
      return false;
  }
}

// Sums and the like of indices and of what `known` says is known before the nest.
template <class Known>
bool is_index(const Expr& e, const Known& known) {
  if (!is_int64(e)) return false;
  switch (e.kind) {
    case Expr::Kind::integer:
    case Expr::Kind::length:
      return true;
    case Expr::Kind::variable:
      return known(e.variable);
    case Expr::Kind::apply:
      return computes_indices(e.function) &&
             std::ranges::all_of(e.operands,
                                 [&](const Expr& operand) { return is_index(operand, known); });
    default:
      return false;
  }
}

void variables_of(const Expr& e, std::set<VariableId>& found) {
  if (e.kind == Expr::Kind::variable) found.insert(e.variable);
  for (const Expr& operand : e.operands) variables_of(operand, found);
}

void read_as_components(const Expr& e, std::set<VariableId>& found) {
  for (const Expr& operand : e.operands) {
    if (e.kind == Expr::Kind::load) variables_of(operand, found);
    read_as_components(operand, found);
  }
}

}  // namespace

std::set<VariableId> declared_in(const Statements& body) {
  std::set<VariableId> found;
  const auto form = [&](const auto& s) {
    using S = std::decay_t<decltype(s)>;
    if constexpr (std::is_same_v<S, Let> || std::is_same_v<S, Lazy> || std::is_same_v<S, Fold>) {
      found.insert(s.variable);
    }
    if constexpr (std::is_same_v<S, For> || std::is_same_v<S, Fold>) found.insert(s.index);
  };
  each_in(body, form, [](const Expr&) {});
  return found;
}

std::set<VariableId> assigned_in(const Statements& body) {
  std::set<VariableId> found;
  const auto form = [&](const auto& s) {
    if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Assign>) found.insert(s.variable);
  };
  each_in(body, form, [](const Expr&) {});
  return found;
}

std::set<VariableId> given_to_calls(const Statements& body) {
  std::set<VariableId> found;
  const auto form = [&](const auto& s) {
    if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Call>) {
      for (const Expr& operand : s.call.operands) {
        if (operand.kind == Expr::Kind::variable) found.insert(operand.variable);
      }
    }
  };
  each_in(body, form, [](const Expr&) {});
  return found;
}

std::set<VariableId> index_variables(const Nest& nest) {
  std::set<VariableId> indices(nest.indices.begin(), nest.indices.end());
  std::set<VariableId> inner = declared_in(nest.body);
  std::set<VariableId> used;
  std::vector<const Let*> computed;  // in order: none is computed from a later one
  const auto known = [&](VariableId variable) {
    return indices.contains(variable) || !inner.contains(variable);
  };
  const auto form = [&](const auto& s) {
    using S = std::decay_t<decltype(s)>;
    if constexpr (std::is_same_v<S, Fold>) {
      indices.insert(s.index);
      variables_of(s.count, used);
    }
    if constexpr (std::is_same_v<S, Let>) {
      if (!s.constant || !s.value || !is_index(*s.value, known)) return;
      computed.push_back(&s);
      inner.erase(s.variable);
    }
  };
  const auto visit = [&](const Expr& e) { read_as_components(e, used); };
  each_in(nest.body, form, visit);
  visit(nest.element);
  for (const Nest::Output& output : nest.also) visit(output.element);
  for (const Let* let : computed | std::views::reverse) {
    if (!used.contains(let->variable)) continue;
    indices.insert(let->variable);
    variables_of(*let->value, used);
  }
  return indices;
}

Captured captured_by(const Nest& nest) {
  Captured found;
  found.views.insert(nest.target);
  std::set<VariableId> inner = declared_in(nest.body);
  inner.insert(nest.indices.begin(), nest.indices.end());
  const auto see = [&](const Expr& whole) {
    each_part(whole, [&](const Expr& e) {
      if (names_view(e)) found.views.insert(e.view);
      if (e.kind == Expr::Kind::variable && !inner.contains(e.variable)) {
        found.variables.insert(e.variable);
      }
    });
  };
  for (const Interval& interval : nest.box.value_or(std::vector<Interval>{})) {
    see(interval.low);
    see(interval.high);
  }
  each_in(
      nest.body, [](const auto&) {}, see);
  see(nest.element);
  for (const Nest::Output& output : nest.also) {
    found.views.insert(output.target);
    see(output.element);
  }
  return found;
}

std::vector<ViewId> targets_of(const Nest& nest) {
  std::vector<ViewId> targets = {nest.target};
  for (const Nest::Output& output : nest.also) targets.push_back(output.target);
  return targets;
}

}  // namespace rhopsi::onf
