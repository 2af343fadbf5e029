#include "engine/schedule/each_call.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "engine/onf/each_name.hpp"
#include "engine/onf/make_expression.hpp"
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

// The arguments that are written what rows were folded to.
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

// What a statement gives a value.
Variables set_in(const Statement& statement) {
  const Statements one{statement};
  Variables set = assigned_in(one);
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

class Body {
 public:
  Body(const onf::Module& module, const Round& round)
      : module_(module), condition_(round.condition) {
    flatten(round.body, body_);
    changed_ = assigned_in(body_);
    if (round.index) changed_.insert(*round.index);
    add_dependent(body_, changed_);
  }

  const Statements& statements() const { return body_; }

  std::optional<EachCall> called() const {
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

  // Do statements stand behind the call?
  bool has_behind(const Expr& call) const {
    return condition_ != nullptr || !rows_of(call).empty();
  }
  // Of each statement, whether it stands in front of it then: it declares rows, tests what is the
  // same in all rounds, or sets what the call is given, or what any of that is computed from.
  std::vector<bool> in_front(const Expr& call) const {
    Variables names;
    for (const Expr& operand : call.operands) add_named(operand, names);
    std::vector<bool> front(body_.size(), false);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t k = 0; k < body_.size(); ++k) {
        const bool declares = std::holds_alternative<onf::Declare>(body_[k].form);
        const bool tests = has_check({body_[k]}) && !is_done_each_time(body_[k]);
        if (front[k] || !(declares || tests || intersect(set_in(body_[k]), names))) continue;
        front[k] = more = true;
        const Statements one{body_[k]};
        onf::each_in(
            one, [](const auto&) {}, [&](const Expr& whole) { add_named(whole, names); });
      }
    }
    return front;
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
  std::set<onf::ViewId> rows_of(const Expr& call) const {
    std::set<onf::ViewId> rows;
    for (const std::size_t k : rows_given(module_.functions[onf::number(call.callee)]))
      rows.insert(call.operands[k].view);
    return rows;
  }
  // Does it declare these, or is it a fold of them?
  bool is_of_rows(const Statement& statement, const std::set<onf::ViewId>& rows) const {
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

  // What is in front names nothing of the rows, and what is behind nothing that changes in front.
  std::optional<EachCall> with_behind(const Statement& only, const Expr& call) const {
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
    if (condition_ != nullptr && (!is_number(*condition_) || names_any(*condition_, changing)))
      return std::nullopt;
    if (has_check(module_.functions[onf::number(call.callee)].body)) return std::nullopt;
    return each_call(only, call);
  }
  static bool traps(const Statement& statement) {
    bool any = false;
    const Statements one{statement};
    onf::each_in(
        one, [](const auto&) {},
        [&](const Expr& whole) {
          onf::each_part(whole, [&](const Expr& e) { any = any || onf::may_trap(e); });
        });
    return any;
  }

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
    onf::each_part(whole, [&](const Expr& e) { is = is && is_pure(e); });
    return is;
  }
  // But for its operands.
  bool is_pure(const Expr& e) const {
    const bool pure = e.kind != Expr::Kind::call || module_.functions[onf::number(e.callee)].device;
    return pure && !onf::names_view(e) && e.kind != Expr::Kind::external &&
           e.kind != Expr::Kind::library;
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
  const Expr* condition_;
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
      onf::View named = function_.views[onf::number(operand.view)];
      function_.blocks.push_back(onf::Block(function_.blocks[onf::number(named.block)]));
      named.block = static_cast<onf::BlockId>(function_.blocks.size() - 1);
      named.name += "_" + std::to_string(round + 1);
      function_.views.push_back(std::move(named));
      const auto view = static_cast<onf::ViewId>(function_.views.size() - 1);
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
  const Body body_;
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
  return Body(module, round).called();
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
      onf::View view = several.views[onf::number(*several.arguments[k].view)];
      several.blocks.push_back(onf::Block(several.blocks[onf::number(view.block)]));
      view.block = static_cast<onf::BlockId>(several.blocks.size() - 1);
      view.name += "_" + std::to_string(round + 1);
      several.views.push_back(std::move(view));
      add(k, {term::Mode::out, static_cast<onf::ViewId>(several.views.size() - 1), {}});
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
