#include "engine/schedule/each_call.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/make_expression.hpp"

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

Variables assigned_in(const Statements& body) {
  Variables assigned;
  onf::each_in(
      body,
      [&](const auto& form) {
        if constexpr (std::is_same_v<std::decay_t<decltype(form)>, onf::Assign>)
          assigned.insert(form.variable);
      },
      [](const Expr&) {});
  return assigned;
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

class Body {
 public:
  Body(const onf::Module& module, const Round& round) : module_(module) {
    flatten(round.body, body_);
    changed_ = assigned_in(body_);
    if (round.index) changed_.insert(*round.index);
    add_dependent(body_, changed_);
  }

  const Statements& statements() const { return body_; }

  std::optional<EachCall> called() const {
    const Statement* only = nullptr;
    for (const Statement& statement : body_) {
      if (std::holds_alternative<onf::Call>(statement.form)) {
        if (std::exchange(only, &statement) != nullptr) return std::nullopt;
      } else if (!is_of_numbers(statement)) {
        return std::nullopt;
      }
    }
    if (only == nullptr) return std::nullopt;
    const auto& call = std::get<onf::Call>(only->form);
    if (call.target || call.call.kind != Expr::Kind::call) return std::nullopt;
    // What fails first in a later round must not be told before what fails in an earlier call.
    const bool tests = std::ranges::any_of(body_, [&](const Statement& statement) {
      return has_check({statement}) && is_done_each_time(statement);
    });
    if (tests && has_check(module_.functions[onf::number(call.call.callee)].body))
      return std::nullopt;
    return each_call(*only, call.call);
  }

  // Does the body declare the variable, and not change it behind the call?
  bool keeps(VariableId variable) const {
    bool declared = false, behind = false, changes = false;
    for (const Statement& statement : body_) {
      behind = behind || std::holds_alternative<onf::Call>(statement.form);
      const auto* let = std::get_if<onf::Let>(&statement.form);
      declared = declared || (let != nullptr && let->variable == variable);
      changes = changes || (behind && assigned_in({statement}).contains(variable));
    }
    return declared && !changes;
  }

  // Has it to be done in each round?
  bool is_done_each_time(const Statement& statement) const {
    return names_any(statement, changed_);
  }

 private:
  std::optional<EachCall> each_call(const Statement& statement, const Expr& call) const {
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

  // A number that the callee changes: no other statement knows it, nor another operand.
  bool is_for_the_call(const Statement& statement, const Expr& operand) const {
    if (operand.kind != Expr::Kind::variable) return false;
    const Variables one{operand.variable};
    const bool elsewhere = std::ranges::any_of(body_, [&](const Statement& other) {
      return &other != &statement && names_any(other, one);
    });
    const auto& operands = std::get<onf::Call>(statement.form).call.operands;
    return !elsewhere && 1 == std::ranges::count_if(
                                  operands, [&](const Expr& each) { return names_any(each, one); });
  }

  // Computed from numbers, by what gives the same from the same.
  bool is_number(const Expr& whole) const {
    bool is = true;
    onf::each_part(whole, [&](const Expr& e) {
      const bool pure =
          e.kind != Expr::Kind::call || module_.functions[onf::number(e.callee)].device;
      is = is && pure && !onf::names_view(e) && e.kind != Expr::Kind::external &&
           e.kind != Expr::Kind::library;
    });
    return is;
  }
  bool is_of_numbers(const Statement& statement) const {
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

  const onf::Module& module_;
  Statements body_;
  Variables changed_;
};

// For a round; the first one has the name as it is, if nothing else has it.
VariableId added_in(onf::Function& function, onf::Variable variable, std::int64_t round) {
  if (round > 0) variable.name += "_" + std::to_string(round + 1);
  return added(function, std::move(variable));
}

// Variables of their own in place of those that the statements of a round declare. What is no part
// of it keeps the one that it has.
class Renaming {
 public:
  explicit Renaming(onf::Function& function) : function_(function) {}

  VariableId declare(VariableId variable, std::int64_t round) {
    const onf::Variable as = function_.variables[onf::number(variable)];
    return renamed_[variable] = added_in(function_, as, round);
  }
  void rename(Statement& statement, std::int64_t round) {
    Statements one{std::move(statement)};
    onf::each_in(
        one,
        [&](auto& form) {
          using Form = std::decay_t<decltype(form)>;
          if constexpr (std::is_same_v<Form, onf::Let>)
            form.variable = declare(form.variable, round);
          if constexpr (std::is_same_v<Form, onf::Assign>) rename(form.variable);
        },
        [&](Expr& whole) { rename(whole); });
    statement = std::move(one.front());
  }
  void rename(Expr& whole) const {
    onf::each_part(whole, [&](Expr& e) {
      if (e.kind == Expr::Kind::variable) rename(e.variable);
    });
  }

 private:
  void rename(VariableId& variable) const {
    if (const auto found = renamed_.find(variable); found != renamed_.end())
      variable = found->second;
  }

  onf::Function& function_;
  std::map<VariableId, VariableId> renamed_;
};

class Together {
 public:
  Together(const onf::Module& module, onf::Function& function, const Round& round,
           onf::FunctionId several)
      : function_(function),
        callee_(module.functions[onf::number(several)]),
        several_(several),
        index_(round.index),
        body_(module, round),
        names_(function) {}

  Statements run(const std::optional<Expr>& first) {
    for (std::int64_t round = 0; round < callee_.repeats->times; ++round) {
      if (first) count(*first, round);
      for (const Statement& statement : body_.statements()) add(statement, round);
    }
    made_.push_back(std::move(call_));
    return std::move(made_);
  }

 private:
  void count(const Expr& first, std::int64_t round) {
    Expr now = round == 0 ? first
                          : onf::applied(onf::ScalarFunction::add, onf::Scalar::int64,
                                         {first, onf::integer(round, first.location)});
    made_.push_back({onf::Let{names_.declare(*index_, round), std::move(now)}, first.location});
  }

  void add(Statement statement, std::int64_t round) {
    if (const auto* call = std::get_if<onf::Call>(&statement.form)) {
      const Expr once = call->call;
      if (round == 0) {
        call_ = statement;
        Expr& made = std::get<onf::Call>(call_.form).call;
        made.callee = several_;
        for (Expr& operand : made.operands) names_.rename(operand);
      }
      for (const std::size_t k : callee_.repeats->changing)
        give(number_now(once.operands[k], k, round, statement.location), k, round);
    } else if (round == 0 || body_.is_done_each_time(statement)) {
      if (round > 0 || index_) names_.rename(statement, round);
      made_.push_back(std::move(statement));
    }
  }

  // The operand as it is in this round, which later ones may change.
  Expr number_now(Expr value, std::size_t k, std::int64_t round, term::LocationId location) {
    const bool keeps = value.kind == Expr::Kind::variable &&
                       (value.variable == index_ || body_.keeps(value.variable));
    names_.rename(value);
    if (keeps) return value;
    Expr kept = value;
    kept.kind = Expr::Kind::variable;
    kept.operands.clear();
    kept.variable =
        added_in(function_, callee_.variables[onf::number(callee_.arguments[k].variable)], round);
    made_.push_back({onf::Let{kept.variable, std::move(value)}, location});
    return kept;
  }
  void give(Expr number, std::size_t k, std::int64_t round) {
    auto& operands = std::get<onf::Call>(call_.form).call.operands;
    if (round == 0) {
      operands[k] = std::move(number);
    } else {
      operands.push_back(std::move(number));
    }
  }

  onf::Function& function_;
  const onf::Function& callee_;
  const onf::FunctionId several_;
  const std::optional<VariableId> index_;
  const Body body_;
  Renaming names_;
  Statements made_;
  Statement call_{onf::Scope{}};
};

}  // namespace

VariableId added(onf::Function& function, onf::Variable variable) {
  const std::string wanted = variable.name;
  for (int number = 2;
       std::ranges::count(function.variables, variable.name, &onf::Variable::name) > 0; ++number)
    variable.name = wanted + "_" + std::to_string(number);
  function.variables.push_back(std::move(variable));
  return static_cast<VariableId>(function.variables.size() - 1);
}

std::optional<EachCall> called_each_time(const onf::Module& module, const Round& round) {
  return Body(module, round).called();
}

onf::Function several_calls_of(const onf::Module& module, onf::FunctionId id,
                               std::vector<std::size_t> changing, std::int64_t times) {
  onf::Function several = module.functions[onf::number(id)];
  several.name += "_" + std::to_string(times) + "_times";
  for (std::int64_t round = 1; round < times; ++round) {
    for (const std::size_t k : changing) {
      const VariableId once = several.arguments[k].variable;
      const VariableId variable = added_in(several, several.variables[onf::number(once)], round);
      // Forms that no program stands behind have none.
      if (several.sorts.size() >= several.arguments.size())
        several.sorts.insert(several.sorts.begin() + std::ssize(several.arguments),
                             several.sorts[k]);
      several.arguments.push_back({term::Mode::obs, std::nullopt, variable});
    }
  }
  several.repeats = onf::Repeats{id, times, std::move(changing)};
  return several;
}

Statements rounds_together(const onf::Module& module, onf::Function& function, const Round& round,
                           onf::FunctionId several, const std::optional<Expr>& first) {
  return Together(module, function, round, several).run(first);
}

}  // namespace rhopsi::schedule
