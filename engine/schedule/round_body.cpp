#include "engine/schedule/round_body.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/positions.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::Statement;
using onf::Statements;
using onf::VariableId;
using Variables = std::set<VariableId>;

bool names_any(const Expr& whole, const Variables& variables) {
  bool any = false;
  onf::each_part(whole, [&](const Expr& e) {
    any = any || (e.kind == Expr::Kind::variable && variables.contains(e.variable));
  });
  return any;
}

// In what it computes, and in what it gives a value.
bool names_any(const Statement& statement, const Variables& variables) {
  bool any = false;
  const Statements one{statement};
  onf::each_in(
      one,
      [&](const auto& form) {
        using Form = std::decay_t<decltype(form)>;
        if constexpr (std::is_same_v<Form, onf::Assign> || std::is_same_v<Form, onf::Let>)
          any = any || variables.contains(form.variable);
      },
      [&](const Expr& whole) { any = any || names_any(whole, variables); });
  return any;
}

// And those that are computed from such.
void add_dependent(const Statements& body, Variables& changed) {
  for (std::size_t before = 0; before != changed.size();) {
    before = changed.size();
    onf::each_in(
        body,
        [&](const auto& form) {
          if constexpr (std::is_same_v<std::decay_t<decltype(form)>, onf::Let>) {
            if (form.value && names_any(*form.value, changed)) changed.insert(form.variable);
          }
        },
        [](const Expr&) {});
  }
}

bool has_check(const Statements& body) {
  bool has = false;
  onf::each_in(
      body,
      [&](const auto& form) {
        has = has || std::is_same_v<std::decay_t<decltype(form)>, onf::Check>;
      },
      [](const Expr&) {});
  return has;
}

// Statements of scopes among those around them; every name is declared once.
void flatten(const Statements& body, Statements& flat) {
  for (const Statement& statement : body) {
    if (const auto* scope = std::get_if<onf::Scope>(&statement.form)) {
      flatten(scope->body, flat);
    } else {
      flat.push_back(statement);
    }
  }
}

// What a statement gives a value.
Variables set_in(const Statement& statement) {
  const Statements one{statement};
  Variables set = onf::assigned_in(one);
  onf::each_in(
      one,
      [&](const auto& form) {
        using Form = std::decay_t<decltype(form)>;
        if constexpr (std::is_same_v<Form, onf::Let> || std::is_same_v<Form, onf::Fold>)
          set.insert(form.variable);
      },
      [](const Expr&) {});
  return set;
}

void add_named(const Expr& whole, Variables& names) {
  onf::each_part(whole, [&](const Expr& e) {
    if (e.kind == Expr::Kind::variable) names.insert(e.variable);
  });
}

bool intersect(const Variables& a, const Variables& b) {
  return std::ranges::any_of(a, [&](VariableId each) { return b.contains(each); });
}

}  // namespace

std::vector<std::size_t> rows_given(const onf::Function& callee) {
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < callee.arguments.size(); ++k) {
    const onf::Argument& argument = callee.arguments[k];
    if (!argument.view || argument.mode != term::Mode::out) continue;
    const onf::BlockId block = callee.views[onf::number(*argument.view)].block;
    if (callee.blocks[onf::number(block)].same_along_rows()) rows.push_back(k);
  }
  return rows;
}

RoundBody::RoundBody(const onf::Module& module, const Round& round)
    : module_(module), condition_(round.condition) {
  flatten(round.body, body_);
  changed_ = onf::assigned_in(body_);
  if (round.index) changed_.insert(*round.index);
  add_dependent(body_, changed_);
}

std::optional<EachCall> RoundBody::called() const {
  const Statement* only = nullptr;
  for (const Statement& statement : body_) {
    if (!std::holds_alternative<onf::Call>(statement.form)) continue;
    if (std::exchange(only, &statement) != nullptr) return std::nullopt;
  }
  if (only == nullptr) return std::nullopt;
  const auto& call = std::get<onf::Call>(only->form);
  if (call.target || call.call.kind != Expr::Kind::call) return std::nullopt;
  const std::set<onf::ViewId> rows = rows_of(call.call);
  const bool known = std::ranges::all_of(body_, [&](const Statement& statement) {
    return &statement == only || is_of_numbers(statement) || is_of_rows(statement, rows);
  });
  if (!known) return std::nullopt;
  if (has_behind(call.call)) return with_behind(*only, call.call);
  // What fails first in a later round must not be told before what fails in an earlier call.
  const bool tests = std::ranges::any_of(body_, [&](const Statement& statement) {
    return has_check({statement}) && is_done_each_time(statement);
  });
  if (tests && has_check(module_.functions[onf::number(call.call.callee)].body))
    return std::nullopt;
  return each_call(*only, call.call);
}

bool RoundBody::has_behind(const Expr& call) const {
  return condition_ != nullptr || !rows_of(call).empty();
}

std::vector<bool> RoundBody::in_front(const Expr& call) const {
  Variables names;
  for (const Expr& operand : call.operands) add_named(operand, names);
  std::vector<bool> front(body_.size(), false);
  for (bool more = true; more;) {
    more = false;
    // What fails first is told: no test comes to stand in front of one that is done each time.
    bool tested = false;
    for (std::size_t k = 0; k < body_.size(); ++k) {
      const bool declares = std::holds_alternative<onf::Declare>(body_[k].form);
      const bool check = has_check({body_[k]}), again = is_done_each_time(body_[k]);
      const bool tests = check && !again && !tested;
      tested = tested || (check && again);
      if (front[k] || !(declares || tests || intersect(set_in(body_[k]), names))) continue;
      front[k] = more = true;
      const Statements one{body_[k]};
      onf::each_in(
          one, [](const auto&) {}, [&](const Expr& whole) { add_named(whole, names); });
    }
  }
  return front;
}

bool RoundBody::keeps(VariableId variable) const {
  bool declared = false, behind = false, changes = false;
  for (const Statement& statement : body_) {
    behind = behind || std::holds_alternative<onf::Call>(statement.form);
    const auto* let = std::get_if<onf::Let>(&statement.form);
    declared = declared || (let != nullptr && let->variable == variable);
    changes = changes || (behind && onf::assigned_in({statement}).contains(variable));
  }
  return declared && !changes;
}

bool RoundBody::is_done_each_time(const Statement& statement) const {
  return names_any(statement, changed_);
}

std::set<onf::ViewId> RoundBody::rows_of(const Expr& call) const {
  std::set<onf::ViewId> rows;
  for (const std::size_t k : rows_given(module_.functions[onf::number(call.callee)]))
    rows.insert(call.operands[k].view);
  return rows;
}

bool RoundBody::is_of_rows(const Statement& statement, const std::set<onf::ViewId>& rows) const {
  if (const auto* declared = std::get_if<onf::Declare>(&statement.form))
    return rows.contains(declared->view);
  bool is = std::holds_alternative<onf::Fold>(statement.form);
  const Statements one{statement};
  onf::each_in(
      one,
      [&](const auto& form) {
        using Form = std::decay_t<decltype(form)>;
        if constexpr (std::is_same_v<Form, onf::Fold>)
          is = is && form.function.has_value();
        else
          is = is && std::is_same_v<Form, onf::Let>;
      },
      [&](const Expr& whole) {
        onf::each_part(whole, [&](const Expr& e) {
          const bool of_rows = e.kind == Expr::Kind::load && rows.contains(e.view);
          is = is && (of_rows || is_pure(e));
        });
      });
  return is;
}

std::optional<EachCall> RoundBody::with_behind(const Statement& only, const Expr& call) const {
  const std::vector<bool> front = in_front(call);
  Variables changing;
  for (std::size_t k = 0; k < body_.size(); ++k) {
    if (!front[k] || std::holds_alternative<onf::Declare>(body_[k].form)) continue;
    const bool again = is_done_each_time(body_[k]);
    const bool plain =
        is_of_numbers(body_[k]) && !(again && has_check({body_[k]})) && !traps(body_[k]);
    if (!plain) return std::nullopt;
    if (again) changing.merge(set_in(body_[k]));
  }
  for (std::size_t k = 0; k < body_.size(); ++k) {
    if (!front[k] && &body_[k] != &only && names_any(body_[k], changing)) return std::nullopt;
  }
  // Nor does the condition, or what the call itself changes.
  const onf::Function& callee = module_.functions[onf::number(call.callee)];
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    if (callee.arguments[k].mode != term::Mode::obs) add_named(call.operands[k], changing);
  }
  if (condition_ != nullptr && (!is_number(*condition_) || names_any(*condition_, changing)))
    return std::nullopt;
  if (has_check(callee.body)) return std::nullopt;
  return each_call(only, call);
}

bool RoundBody::traps(const Statement& statement) {
  bool any = false;
  const Statements one{statement};
  onf::each_in(
      one, [](const auto&) {},
      [&](const Expr& whole) {
        onf::each_part(whole, [&](const Expr& e) { any = any || onf::may_trap(e); });
      });
  return any;
}

std::optional<EachCall> RoundBody::each_call(const Statement& statement, const Expr& call) const {
  const onf::Function& callee = module_.functions[onf::number(call.callee)];
  EachCall each{call.callee};
  std::set<onf::ViewId> views;
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    const Expr& operand = call.operands[k];
    if (operand.kind == Expr::Kind::view) {
      if (!views.insert(operand.view).second) return std::nullopt;
    } else if (!is_number(operand)) {
      return std::nullopt;
    } else if (callee.arguments[k].mode != term::Mode::obs) {
      if (!is_for_the_call(statement, operand)) return std::nullopt;
    } else if (names_any(operand, changed_)) {
      if (operand.type.kind != onf::Representation::Kind::scalar) return std::nullopt;
      each.changing.push_back(k);
    }
  }
  return each;
}

bool RoundBody::is_for_the_call(const Statement& statement, const Expr& operand) const {
  if (operand.kind != Expr::Kind::variable) return false;
  const Variables one{operand.variable};
  const bool elsewhere = std::ranges::any_of(
      body_, [&](const Statement& other) { return &other != &statement && names_any(other, one); });
  const auto& operands = std::get<onf::Call>(statement.form).call.operands;
  return !elsewhere && 1 == std::ranges::count_if(
                                operands, [&](const Expr& each) { return names_any(each, one); });
}

bool RoundBody::is_number(const Expr& whole) const {
  bool is = true;
  onf::each_part(whole, [&](const Expr& e) { is = is && is_pure(e); });
  return is;
}

bool RoundBody::is_pure(const Expr& e) const {
  const bool pure = e.kind != Expr::Kind::call || module_.functions[onf::number(e.callee)].device;
  return pure && !onf::names_view(e) && e.kind != Expr::Kind::external &&
         e.kind != Expr::Kind::library;
}

bool RoundBody::is_of_numbers(const Statement& statement) const {
  const auto number = [&](const Expr& e) { return is_number(e); };
  const auto all = [&](const Statements& body) {
    return std::ranges::all_of(body, [&](const Statement& s) { return is_of_numbers(s); });
  };
  if (const auto* let = std::get_if<onf::Let>(&statement.form))
    return !let->value || is_number(*let->value);
  if (const auto* assign = std::get_if<onf::Assign>(&statement.form))
    return is_number(assign->value);
  if (const auto* check = std::get_if<onf::Check>(&statement.form))
    return is_number(check->condition) && std::ranges::all_of(check->numbers, number);
  if (const auto* scope = std::get_if<onf::Scope>(&statement.form)) return all(scope->body);
  const auto* branch = std::get_if<onf::If>(&statement.form);
  return branch != nullptr && is_number(branch->condition) && all(branch->then) &&
         all(branch->otherwise);
}

}  // namespace rhopsi::schedule
