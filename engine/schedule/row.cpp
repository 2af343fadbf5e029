#include "engine/schedule/row.hpp"

#include <type_traits>
#include <utility>
#include <variant>

#include "engine/onf/positions.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Statement;
using onf::Statements;
using onf::VariableId;
using onf::ViewId;

Mentions mentions_of(const Statements& body) {
  Mentions found;
  onf::each_name(
      body, [&](ViewId view) { ++found.views[view]; },
      [&](onf::VariableId variable) { ++found.variables[variable]; });
  return found;
}

Uses::Uses(const onf::Module& module, const Statements& row) : module_(module) { follow(row); }

std::set<ViewId> Uses::written() const {
  std::set<ViewId> found;
  for (const auto& [view, use] : of) {
    if (use.written) found.insert(view);
  }
  return found;
}

void Uses::read(ViewId view) {
  if (declared.contains(view)) return;
  Use& use = named(view);
  use.read_first = use.read_first || !use.written;
}

void Uses::write(ViewId view) {
  if (!declared.contains(view)) named(view).written = true;
}

Use& Uses::named(ViewId view) {
  Use& use = of[view];
  if (!std::exchange(use.known, true)) order.push_back(view);
  return use;
}

void Uses::read(const Expr& whole) {
  onf::each_part(whole, [&](const Expr& e) {
    if (onf::names_view(e)) read(e.view);
    if (e.kind == Expr::Kind::variable) variables.insert(e.variable);
  });
}

void Uses::follow(const Statements& row) {
  for (const Statement& statement : row) {
    std::visit([&](const auto& form) { step(form); }, statement.form);
  }
}

void Uses::step(const onf::Declare& s) { declared.insert(s.view); }
void Uses::step(const onf::Allocate& s) { declared.insert(s.view); }
void Uses::step(const onf::Refill& s) { read(s.view); }
void Uses::step(const onf::Mutate& s) {
  for (const Expr& operand : s.operands) read(operand);
}

void Uses::step(const onf::Nest& s) {
  inner.insert(s.indices.begin(), s.indices.end());
  follow(s.body);
  read(s.element);
  write(s.target);
}

void Uses::step(const onf::Let& s) {
  if (s.value) read(*s.value);
  inner.insert(s.variable);
}

void Uses::step(const onf::Whole& s) {
  for (const Expr& operand : s.operands) read(operand);
  declared.insert(s.target);
}

void Uses::step(const onf::RowFold& s) {
  read(s.source);
  write(s.target);
}

void Uses::step(const onf::Share& s) {
  read(s.source);
  if (s.declares) {
    declared.insert(s.target);
  } else {
    write(s.target);
  }
}

void Uses::step(const onf::Call& s) {
  const onf::Function& callee = module_.functions[onf::number(s.call.callee)];
  for (const bool reads : {true, false}) {
    for (std::size_t k = 0; k < s.call.operands.size(); ++k) {
      const Expr& operand = s.call.operands[k];
      const term::Mode mode = callee.arguments[k].mode;
      if (reads && mode != term::Mode::out) read(operand);
      if (!reads && mode != term::Mode::obs && operand.kind == Expr::Kind::view) {
        write(operand.view);
      }
    }
  }
  if (s.target) declared.insert(*s.target);
}

void Uses::step(const onf::Scope& s) { follow(s.body); }

// What only one side writes keeps its value on the other one.
void Uses::step(const onf::If& s) {
  read(s.condition);
  const Uses then(module_, s.then), otherwise(module_, s.otherwise);
  for (const Uses* side : {&then, &otherwise}) {
    const std::set<ViewId> other = (side == &then ? otherwise : then).written();
    for (const ViewId view : side->order) {
      const Use& use = side->of.at(view);
      const bool alone = use.written && !other.contains(view);
      if (use.read_first || alone) read(view);
      one_sided = one_sided || alone;
    }
    one_sided = one_sided || side->one_sided;
    declared.insert(side->declared.begin(), side->declared.end());
    variables.insert(side->variables.begin(), side->variables.end());
    inner.insert(side->inner.begin(), side->inner.end());
  }
  for (const Uses* side : {&then, &otherwise}) {
    for (const ViewId view : side->written()) write(view);
  }
}

bool has_two_sides(const onf::If& branch) {
  return weight_of(branch.then) > 0 && weight_of(branch.otherwise) > 0;
}

bool is_choice(const Statements& body, const onf::If& branch) {
  // More are rather gone through where they are asked for.
  constexpr int most = 12;
  const int weight = weight_of(branch.then) + weight_of(branch.otherwise);
  return weight > 0 && weight <= most && !onf::names_views(branch.condition) &&
         onf::always_has_value(branch.condition) &&
         (weight_of(body) > weight || has_two_sides(branch));
}
// Nests, operations and calls in the row; a call counts one, the others two.
int weight_of(const Statements& row) {
  int weight = 0;
  for (const Statement& statement : row) {
    if (const auto* scope = std::get_if<onf::Scope>(&statement.form)) {
      weight += weight_of(scope->body);
    } else if (const auto* branch = std::get_if<onf::If>(&statement.form)) {
      weight += weight_of(branch->then) + weight_of(branch->otherwise);
    } else if (std::holds_alternative<onf::Nest>(statement.form) ||
               std::holds_alternative<onf::Whole>(statement.form)) {
      weight += 2;
    } else if (std::holds_alternative<onf::Call>(statement.form)) {
      weight += 1;
    }
  }
  return weight;
}

void take_own_names(onf::Function& part, const onf::Function& whole, const Uses& uses) {
  std::map<ViewId, ViewId> views;
  std::map<VariableId, VariableId> variables;
  const auto view = [&](ViewId& old) {
    const auto [place, added] = views.emplace(old, static_cast<ViewId>(part.views.size()));
    if (added) {
      onf::View named = whole.views[onf::number(old)];
      part.blocks.push_back(whole.blocks[onf::number(named.block)]);
      named.block = static_cast<onf::BlockId>(part.blocks.size() - 1);
      named.parameter = false;
      part.views.push_back(std::move(named));
    }
    old = place->second;
  };
  const auto variable = [&](VariableId& old) {
    const auto [place, added] =
        variables.emplace(old, static_cast<VariableId>(part.variables.size()));
    if (added) part.variables.push_back(whole.variables[onf::number(old)]);
    old = place->second;
  };
  // What comes from outside stays named there.
  const auto share = [&](onf::Share& s) { s.last_use = s.last_use && !uses.of.contains(s.source); };
  onf::each_in(
      part.body,
      [&](auto& s) {
        if constexpr (std::is_same_v<std::decay_t<decltype(s)>, onf::Share>) share(s);
      },
      [](Expr&) {});
  for (onf::Argument& argument : part.arguments) {
    if (argument.view) {
      view(*argument.view);
      part.views[onf::number(*argument.view)].parameter = true;
    } else {
      variable(argument.variable);
    }
  }
  onf::each_name(part.body, view, variable);
  part.sorts.assign(part.arguments.size(), {});
}

}  // namespace rhopsi::schedule
