#include "engine/schedule/repeat_calls.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "engine/onf/each_expression.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::Statement;
using onf::Statements;
using onf::VariableId;

// Numbers that statements change.
std::set<VariableId> changed_by(const Statements& body) {
  std::set<VariableId> changed;
  onf::each_in(
      body,
      [&](const auto& s) {
        if constexpr (std::is_same_v<std::decay_t<decltype(s)>, onf::Assign>)
          changed.insert(s.variable);
      },
      [](const Expr&) {});
  return changed;
}

bool names_any(const Expr& whole, const std::set<VariableId>& variables) {
  bool any = false;
  onf::each_part(whole, [&](const Expr& e) {
    any = any || (e.kind == Expr::Kind::variable && variables.contains(e.variable));
  });
  return any;
}

// Nothing but numbers, which nobody but the function knows how to compute.
bool is_of_numbers(const Expr& whole) {
  bool is = true;
  onf::each_part(whole, [&](const Expr& e) {
    is = is && !onf::names_view(e) && e.kind != Expr::Kind::call &&
         e.kind != Expr::Kind::external && e.kind != Expr::Kind::library;
  });
  return is;
}

class Body {
 public:
  Body(const onf::Module& module, onf::FunctionId id)
      : function_(module.functions[onf::number(id)]), changed_(changed_by(function_.body)) {}

  std::optional<onf::FunctionId> called() const {
    if (!function_.procedure || function_.result || function_.part_of || function_.repeats)
      return std::nullopt;
    std::optional<onf::FunctionId> callee;
    for (const Statement& statement : function_.body) {
      if (const auto* call = std::get_if<onf::Call>(&statement.form)) {
        if (callee || !is_the_same_each_time(*call)) return std::nullopt;
        callee = call->call.callee;
      } else if (!is_of_numbers_alone(statement)) {
        return std::nullopt;
      }
    }
    return callee;
  }

  // What has to be done in each call, apart from the call.
  bool is_done_each_time(const Statement& statement) const {
    bool any = false;
    const Statements one{statement};
    onf::each_in(
        one,
        [&](const auto& s) { any = any || std::is_same_v<std::decay_t<decltype(s)>, onf::Assign>; },
        [&](const Expr& whole) { any = any || names_any(whole, changed_); });
    return any && !std::holds_alternative<onf::Call>(statement.form);
  }

 private:
  bool is_the_same_each_time(const onf::Call& call) const {
    if (call.target || call.call.kind != Expr::Kind::call) return false;
    std::set<onf::ViewId> views;
    return std::ranges::all_of(call.call.operands, [&](const Expr& operand) {
      if (operand.kind == Expr::Kind::view)
        return is_argument(operand.view) && views.insert(operand.view).second;
      return is_of_numbers(operand) && !names_any(operand, changed_);
    });
  }
  bool is_argument(onf::ViewId view) const {
    return std::ranges::any_of(
        function_.arguments, [&](const onf::Argument& argument) { return argument.view == view; });
  }
  bool is_argument(VariableId variable) const {
    return std::ranges::any_of(function_.arguments, [&](const onf::Argument& argument) {
      return !argument.view && argument.variable == variable;
    });
  }

  bool is_of_numbers_alone(const Statement& statement) const {
    if (const auto* let = std::get_if<onf::Let>(&statement.form))
      return let->constant && let->value && is_of_numbers(*let->value) &&
             !names_any(*let->value, changed_);
    return tests_or_counts(statement);
  }
  // Numbers that are counted are those that come out.
  bool tests_or_counts(const Statement& statement) const {
    if (const auto* assign = std::get_if<onf::Assign>(&statement.form))
      return is_argument(assign->variable) && is_of_numbers(assign->value);
    if (const auto* check = std::get_if<onf::Check>(&statement.form))
      return is_of_numbers(check->condition) && std::ranges::all_of(check->numbers, is_of_numbers);
    const auto* branch = std::get_if<onf::If>(&statement.form);
    const auto all = [&](const Statements& body) {
      return std::ranges::all_of(body, [&](const Statement& s) { return tests_or_counts(s); });
    };
    return branch != nullptr && is_of_numbers(branch->condition) && all(branch->then) &&
           all(branch->otherwise);
  }

  const onf::Function& function_;
  std::set<VariableId> changed_;
};

}  // namespace

std::optional<onf::FunctionId> called_each_time(const onf::Module& module, onf::FunctionId id) {
  return Body(module, id).called();
}

onf::Function calls_in_a_row(const onf::Module& module, onf::FunctionId id,
                             onf::FunctionId several) {
  const Body body(module, id);
  onf::Function made = module.functions[onf::number(id)];
  const std::int64_t times = module.functions[onf::number(several)].repeats->times;
  made.name += "_" + std::to_string(times) + "_times";
  made.repeats = onf::Repeats{id, times};
  Statements again;
  for (Statement& statement : made.body) {
    if (body.is_done_each_time(statement)) again.push_back(statement);
    if (auto* call = std::get_if<onf::Call>(&statement.form)) call->call.callee = several;
  }
  if (again.empty()) return made;
  Expr rounds;
  rounds.kind = Expr::Kind::integer;
  rounds.type = {onf::Representation::Kind::scalar, onf::Scalar::int64, {}};
  rounds.integer = times - 1;
  made.body.push_back({onf::Iterate{std::move(rounds), std::move(again)}, made.location});
  return made;
}

}  // namespace rhopsi::schedule
