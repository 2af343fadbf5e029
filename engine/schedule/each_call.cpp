#include "engine/schedule/each_call.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "engine/onf/each_name.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/schedule/round_body.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::Statement;
using onf::Statements;
using onf::VariableId;

// For a round; the first one has the name as it is, if nothing else has it.
VariableId added_in(onf::Function& function, onf::Variable variable, std::int64_t round) {
  if (round > 0) variable.name += "_" + std::to_string(round + 1);
  return added(function, std::move(variable));
}

// An array like that one, for a later round.
onf::ViewId array_in(onf::Function& function, onf::ViewId like, std::int64_t round) {
  onf::View view = function.views[onf::number(like)];
  function.blocks.push_back(onf::Block(function.blocks[onf::number(view.block)]));
  view.block = static_cast<onf::BlockId>(function.blocks.size() - 1);
  view.name += "_" + std::to_string(round + 1);
  function.views.push_back(std::move(view));
  return static_cast<onf::ViewId>(function.views.size() - 1);
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
        names_(function) {
    for (const Statement& statement : body_.statements()) {
      const auto* call = std::get_if<onf::Call>(&statement.form);
      if (call != nullptr && body_.has_behind(call->call)) front_ = body_.in_front(call->call);
    }
  }

  RoundsApart run(const std::optional<Expr>& first) {
    const std::int64_t times = callee_.repeats->times;
    rows_.resize(static_cast<std::size_t>(times));
    for (std::int64_t round = 0; round < times; ++round) {
      if (first) count(*first, round);
      for (std::size_t k = 0; k < body_.statements().size(); ++k) {
        const Statement& statement = body_.statements()[k];
        const bool call = std::holds_alternative<onf::Call>(statement.form);
        if (front_.empty() || front_[k] || call) add(statement, round);
      }
    }
    RoundsApart made;
    made_.push_back(std::move(call_));
    made.call = std::move(made_);
    for (std::int64_t round = 0; !front_.empty() && round < times; ++round)
      made.behind.push_back(behind(first, round));
    return made;
  }

 private:
  // What stands behind the call of a round, with the rows of that.
  Statements behind(const std::optional<Expr>& first, std::int64_t round) {
    Statements made;
    if (first) {
      made.push_back({onf::Let{*index_, count_of(*first, round)}, first->location});
    }
    for (std::size_t k = 0; k < body_.statements().size(); ++k) {
      const bool call = std::holds_alternative<onf::Call>(body_.statements()[k].form);
      if (!call && !front_[k]) made.push_back(body_.statements()[k]);
    }
    const auto& rows = rows_[static_cast<std::size_t>(round)];
    onf::each_name(
        made,
        [&](onf::ViewId& view) {
          if (const auto found = rows.find(view); found != rows.end()) view = found->second;
        },
        [](VariableId&) {});
    return made;
  }

  // Arrays of their own for the rows of a later round.
  void give_rows(const Expr& once, std::int64_t round, term::LocationId location) {
    for (const std::size_t k : callee_.repeats->rows) {
      if (round == 0) continue;
      Expr operand = once.operands[k];
      const onf::ViewId view = array_in(function_, operand.view, round);
      rows_[static_cast<std::size_t>(round)][operand.view] = view;
      operand.view = view;
      made_.push_back({onf::Declare{view}, location});
      std::get<onf::Call>(call_.form).call.operands.push_back(std::move(operand));
    }
  }

  static Expr count_of(const Expr& first, std::int64_t round) {
    return round == 0 ? first
                      : onf::applied(onf::ScalarFunction::add, onf::Scalar::int64,
                                     {first, onf::integer(round, first.location)});
  }

  void count(const Expr& first, std::int64_t round) {
    made_.push_back(
        {onf::Let{names_.declare(*index_, round), count_of(first, round)}, first.location});
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
      give_rows(once, round, statement.location);
    } else if (const bool again = body_.is_done_each_time(statement); round == 0 || again) {
      // What stands behind the call names what is the same in all rounds as it is.
      if (round > 0 || (index_ && (again || front_.empty()))) names_.rename(statement, round);
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
  const RoundBody body_;
  std::vector<bool> front_;  // of each statement; empty: there are none behind the call
  std::vector<std::map<onf::ViewId, onf::ViewId>> rows_;  // of each round
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
  return RoundBody(module, round).called();
}

onf::Function several_calls_of(const onf::Module& module, onf::FunctionId id,
                               std::vector<std::size_t> changing, std::int64_t times) {
  onf::Function several = module.functions[onf::number(id)];
  several.name += "_" + std::to_string(times) + "_times";
  const std::vector<std::size_t> rows = rows_given(several);
  const auto add = [&](std::size_t like, onf::Argument argument) {
    // Forms that no program stands behind have none.
    if (several.sorts.size() >= several.arguments.size())
      several.sorts.insert(several.sorts.begin() + std::ssize(several.arguments),
                           several.sorts[like]);
    several.arguments.push_back(std::move(argument));
  };
  for (std::int64_t round = 1; round < times; ++round) {
    for (const std::size_t k : changing) {
      const VariableId once = several.arguments[k].variable;
      const VariableId variable = added_in(several, several.variables[onf::number(once)], round);
      add(k, {term::Mode::obs, std::nullopt, variable});
    }
    for (const std::size_t k : rows) {
      add(k, {term::Mode::out, array_in(several, *several.arguments[k].view, round), {}});
    }
  }
  several.repeats = onf::Repeats{id, times, std::move(changing), rows};
  return several;
}

Statements rounds_together(const onf::Module& module, onf::Function& function, const Round& round,
                           onf::FunctionId several, const std::optional<Expr>& first) {
  RoundsApart apart = rounds_apart(module, function, round, several, first);
  // Of each round names of its own.
  for (Statements& behind : apart.behind)
    apart.call.push_back({onf::Scope{std::move(behind)}, apart.call.back().location});
  return std::move(apart.call);
}

RoundsApart rounds_apart(const onf::Module& module, onf::Function& function, const Round& round,
                         onf::FunctionId several, const std::optional<Expr>& first) {
  return Together(module, function, round, several).run(first);
}

}  // namespace rhopsi::schedule
