// What is left of a function whose rows of statements have become parts.
#include <algorithm>
#include <set>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/schedule/outline.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::Statement;
using onf::Statements;
using onf::ViewId;

// --- refills

class Refilling {
 public:
  Refilling(const onf::Module& module, onf::Function& function, std::int64_t pad)
      : module_(module), function_(function) {
    all_.axes.assign(static_cast<std::size_t>(module.rank), {pad, pad});
    all_.corners = true;
  }

  Statements run(Statements body) {
    Statements made;
    for (Statement& statement : body) {
      std::set<ViewId> read;
      std::visit([&](auto& form) { step(form, read); }, statement.form);
      refill(read, statement.location, made);
      made.push_back(std::move(statement));
    }
    return made;
  }

 private:
  void refill(const std::set<ViewId>& read, term::LocationId location, Statements& made) const {
    for (const ViewId view : read) made.push_back({onf::Refill{view, all_}, location});
  }
  static void note(const Expr& whole, std::set<ViewId>& read) {
    onf::each_part(whole, [&](const Expr& e) {
      if (e.kind == Expr::Kind::load || e.kind == Expr::Kind::view) read.insert(e.view);
    });
  }
  void inside(Statements& body) { body = run(std::move(body)); }

  // What only names arrays, or hands them to a function that refills for itself.
  void step(onf::Declare&, std::set<ViewId>&) {}
  void step(onf::Allocate&, std::set<ViewId>&) {}
  void step(onf::Refill&, std::set<ViewId>&) {}
  void step(onf::Share&, std::set<ViewId>&) {}
  void step(onf::Return& s, std::set<ViewId>& read) {
    if (s.value && s.value->kind != Expr::Kind::view) note(*s.value, read);
  }
  void step(onf::Call& s, std::set<ViewId>& read) {
    const bool refills =
        s.call.kind == Expr::Kind::call && module_.functions[onf::number(s.call.callee)].refills;
    if (!refills) note(s.call, read);
  }
  void step(onf::If& s, std::set<ViewId>& read) {
    note(s.condition, read);
    inside(s.then);
    inside(s.otherwise);
  }
  void step(onf::For& s, std::set<ViewId>& read) {
    note(s.low, read);
    note(s.high, read);
    inside(s.body);
  }
  void step(onf::Iterate& s, std::set<ViewId>& read) {
    note(s.count, read);
    inside(s.body);
  }
  void step(onf::Scope& s, std::set<ViewId>&) { inside(s.body); }
  void step(onf::While& s, std::set<ViewId>& read) {
    note(s.bound, read);
    std::set<ViewId> tested;
    note(s.condition, tested);
    inside(s.before);
    refill(tested, function_.location, s.before);
    inside(s.body);
  }
  // Everything else reads where it stands.
  template <class Form>
  void step(Form& form, std::set<ViewId>& read) {
    Statements alone(1);
    alone[0].form = form;
    onf::each_in(
        std::as_const(alone), [](const auto&) {}, [&](const Expr& e) { note(e, read); });
  }

  const onf::Module& module_;
  onf::Function& function_;
  onf::Halo all_;
};

// --- loops that call one function

Expr number_of(std::int64_t value, const Expr& like) {
  Expr e;
  e.kind = Expr::Kind::integer;
  e.type = {onf::Representation::Kind::scalar, onf::Scalar::int64, {}};
  e.integer = value;
  e.location = like.location;
  return e;
}
Expr applied(onf::ScalarFunction function, Expr a, Expr b) {
  Expr e;
  e.kind = Expr::Kind::apply;
  e.function = function;
  e.type = {onf::Representation::Kind::scalar, onf::Scalar::int64, {}};
  e.location = a.location;
  e.operands = {std::move(a), std::move(b)};
  return e;
}

// Through scopes, with the names that are only given to its operands written out.
struct OnlyCall {
  std::map<onf::VariableId, Expr> named;
  std::optional<onf::Call> call;

  bool follow(const Statements& body) {
    return std::ranges::all_of(body, [&](const Statement& statement) {
      if (call) return false;
      if (const auto* scope = std::get_if<onf::Scope>(&statement.form)) return follow(scope->body);
      if (const auto* let = std::get_if<onf::Let>(&statement.form)) return name(*let);
      const auto* found = std::get_if<onf::Call>(&statement.form);
      if (found == nullptr) return false;
      call = *found;
      for (Expr& operand : call->call.operands) write_out(operand);
      return true;
    });
  }

 private:
  bool name(const onf::Let& let) {
    if (!let.constant || !let.value || !onf::is_arithmetic(*let.value, true)) return false;
    Expr value = *let.value;
    write_out(value);
    named.insert_or_assign(let.variable, std::move(value));
    return true;
  }
  void write_out(Expr& e) const {
    if (e.kind == Expr::Kind::variable) {
      if (const auto found = named.find(e.variable); found != named.end()) e = found->second;
      return;
    }
    for (Expr& operand : e.operands) write_out(operand);
  }
};

// The call that is all that a body does.
std::optional<onf::Call> only_call(const Statements& body) {
  OnlyCall only;
  if (!only.follow(body)) return std::nullopt;
  return std::move(only.call);
}

// Do all rounds of a loop make this call?
bool is_the_same_in_each_round(const onf::Call& call, std::optional<onf::VariableId> index) {
  if (call.target || call.call.kind != Expr::Kind::call) return false;
  std::set<ViewId> views;
  for (const Expr& operand : call.call.operands) {
    if (operand.kind == Expr::Kind::view) {
      if (!views.insert(operand.view).second) return false;
      continue;
    }
    bool same = true;
    onf::each_part(operand, [&](const Expr& e) {
      same =
          same && !onf::names_view(e) && !(e.kind == Expr::Kind::variable && e.variable == index);
    });
    if (!same) return false;
  }
  return true;
}

class Repeating {
 public:
  Repeating(const onf::Module& module, const std::map<onf::FunctionId, onf::FunctionId>& repeated)
      : module_(module), repeated_(repeated) {}

  Statements run(Statements body) {
    Statements made;
    for (Statement& statement : body) {
      if (auto two = loops_for(statement)) {
        ++count;
        for (Statement& each : *two) made.push_back(std::move(each));
        continue;
      }
      std::visit(
          [&](auto& form) {
            using Form = std::decay_t<decltype(form)>;
            if constexpr (std::is_same_v<Form, onf::If>) {
              form.then = run(std::move(form.then));
              form.otherwise = run(std::move(form.otherwise));
            } else if constexpr (std::is_same_v<Form, onf::While> ||
                                 std::is_same_v<Form, onf::For> ||
                                 std::is_same_v<Form, onf::Iterate> ||
                                 std::is_same_v<Form, onf::Scope>) {
              form.body = run(std::move(form.body));
            }
          },
          statement.form);
      made.push_back(std::move(statement));
    }
    return made;
  }

  std::size_t count = 0;

 private:
  // Rounds of several calls, and of one.
  std::optional<Statements> loops_for(const Statement& statement) const {
    const auto* counted = std::get_if<onf::For>(&statement.form);
    const auto* iterated = std::get_if<onf::Iterate>(&statement.form);
    if (counted == nullptr && iterated == nullptr) return std::nullopt;
    const auto call = only_call(counted != nullptr ? counted->body : iterated->body);
    const auto index = counted != nullptr ? std::optional(counted->index) : std::nullopt;
    if (!call || !is_the_same_in_each_round(*call, index)) return std::nullopt;
    const auto found = repeated_.find(call->call.callee);
    if (found == repeated_.end()) return std::nullopt;
    Expr rounds = counted == nullptr
                      ? iterated->count
                      : applied(onf::ScalarFunction::subtract, counted->high, counted->low);
    // What the first loop changes is not read by the second.
    bool fixed = true;
    onf::each_part(rounds, [&](const Expr& e) { fixed = fixed && !onf::names_view(e); });
    if (!fixed) return std::nullopt;
    rounds = applied(onf::ScalarFunction::maximum, rounds, number_of(0, rounds));
    onf::Call several = *call;
    several.call.callee = found->second;
    const Expr times =
        number_of(module_.functions[onf::number(found->second)].repeats->times, rounds);
    Statements made;
    made.push_back({onf::Iterate{applied(onf::ScalarFunction::divide, rounds, times),
                                 {{std::move(several), statement.location}}},
                    statement.location});
    made.push_back({onf::Iterate{applied(onf::ScalarFunction::modulo, rounds, times),
                                 {{*call, statement.location}}},
                    statement.location});
    return made;
  }

  const onf::Module& module_;
  const std::map<onf::FunctionId, onf::FunctionId>& repeated_;
};

// --- calls

std::optional<std::int64_t> rounds_of(const onf::For& loop) {
  if (loop.low.kind != Expr::Kind::integer || loop.high.kind != Expr::Kind::integer) {
    return std::nullopt;
  }
  return std::max<std::int64_t>(0, loop.high.integer - loop.low.integer);
}
std::optional<std::int64_t> rounds_of(const onf::Iterate& loop) {
  if (loop.count.kind != Expr::Kind::integer) return std::nullopt;
  return std::max<std::int64_t>(0, loop.count.integer);
}
std::optional<std::int64_t> rounds_of(const onf::While&) { return std::nullopt; }

void note_calls(const Statements& body, double times, std::vector<CallSite>& sites) {
  for (const Statement& statement : body) {
    std::visit(
        [&](const auto& form) {
          using Form = std::decay_t<decltype(form)>;
          if constexpr (std::is_same_v<Form, onf::Call>) {
            if (form.call.kind == Expr::Kind::call) sites.push_back({form.call.callee, times, 1});
          } else if constexpr (std::is_same_v<Form, onf::If>) {
            note_calls(form.then, times, sites);
            note_calls(form.otherwise, times, sites);
          } else if constexpr (std::is_same_v<Form, onf::Scope>) {
            note_calls(form.body, times, sites);
          } else if constexpr (std::is_same_v<Form, onf::For> ||
                               std::is_same_v<Form, onf::Iterate> ||
                               std::is_same_v<Form, onf::While>) {
            const auto rounds = rounds_of(form);
            const std::size_t first = sites.size();
            if constexpr (std::is_same_v<Form, onf::While>) note_calls(form.before, times, sites);
            note_calls(form.body, times * (rounds ? double(*rounds) : usual_rounds), sites);
            const auto call =
                std::is_same_v<Form, onf::While> ? std::nullopt : only_call(form.body);
            std::optional<onf::VariableId> index;
            if constexpr (std::is_same_v<Form, onf::For>) index = form.index;
            if (call && sites.size() == first + 1 && is_the_same_in_each_round(*call, index)) {
              sites[first].in_a_row = rounds.value_or(0);
            }
          }
        },
        statement.form);
  }
}

}  // namespace

void refill_what_is_read(onf::Module& module, onf::FunctionId id, std::int64_t pad) {
  if (pad == 0) return;
  onf::Function& function = module.functions[onf::number(id)];
  Refilling refilling(module, function, pad);
  function.body = refilling.run(std::move(function.body));
}

std::size_t repeat_in_loops(onf::Module& module, onf::FunctionId id,
                            const std::map<onf::FunctionId, onf::FunctionId>& repeated) {
  onf::Function& function = module.functions[onf::number(id)];
  Repeating repeating(module, repeated);
  function.body = repeating.run(std::move(function.body));
  return repeating.count;
}

std::vector<CallSite> call_sites(const onf::Module& module, onf::FunctionId id) {
  std::vector<CallSite> sites;
  note_calls(module.functions[onf::number(id)].body, 1, sites);
  return sites;
}

}  // namespace rhopsi::schedule
