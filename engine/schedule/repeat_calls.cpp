#include "engine/schedule/repeat_calls.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/lists.hpp"
#include "engine/onf/make_expression.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::FunctionId;
using onf::Statement;
using onf::Statements;
using onf::VariableId;

template <class Form>
constexpr bool is_counted = std::is_same_v<Form, onf::For> || std::is_same_v<Form, onf::Iterate>;

Round round_of(const onf::For& loop) { return {loop.body, loop.index}; }
Round round_of(const onf::Iterate& loop) { return {loop.body}; }
Round round_of(const onf::While& loop) { return {loop.body, std::nullopt, &loop.condition}; }

Expr combined(onf::ScalarFunction function, Expr a, Expr b) {
  return onf::applied(function, onf::Scalar::int64, {std::move(a), std::move(b)});
}

bool is_zero(const Expr& e) { return e.kind == Expr::Kind::integer && e.integer == 0; }

// How many rounds there are.
Expr rounds_of(const onf::Iterate& loop) { return loop.count; }
Expr rounds_of(const onf::For& loop) {
  if (is_zero(loop.low)) return loop.high;
  const bool literals =
      loop.low.kind == Expr::Kind::integer && loop.high.kind == Expr::Kind::integer;
  std::int64_t count = 0;
  if (literals && !__builtin_sub_overflow(loop.high.integer, loop.low.integer, &count))
    return onf::integer(count, loop.low.location);
  // Of ends that are far apart and the wrong way round the difference is beyond 64 bits.
  return combined(onf::ScalarFunction::subtract, loop.high,
                  combined(onf::ScalarFunction::minimum, loop.low, loop.high));
}
std::optional<std::int64_t> known_rounds(const Expr& rounds) {
  if (rounds.kind != Expr::Kind::integer) return std::nullopt;
  return std::max<std::int64_t>(0, rounds.integer);
}

class Repeating {
 public:
  Repeating(const onf::Module& module, onf::Function& function,
            const std::map<FunctionId, FunctionId>& repeated)
      : module_(module), function_(function), repeated_(repeated) {}

  Statements run(Statements body) {
    Statements made;
    for (Statement& statement : body) {
      std::optional<Statements> loops = std::visit(
          [&](auto& form) { return loops_for(form, statement.location); }, statement.form);
      if (loops) {
        ++count;
        std::ranges::move(*loops, std::back_inserter(made));
        continue;
      }
      onf::each_list_of(statement, [&](Statements& inner) { inner = run(std::move(inner)); });
      made.push_back(std::move(statement));
    }
    return made;
  }

  std::size_t count = 0;

 private:
  std::optional<FunctionId> several_of(const Round& round) const {
    const auto each = called_each_time(module_, round);
    if (!each) return std::nullopt;
    const auto found = repeated_.find(each->callee);
    if (found == repeated_.end()) return std::nullopt;
    return gives_all(module_, *each, found->second) ? std::optional(found->second) : std::nullopt;
  }

  // Rounds of several, and what is left of them.
  template <class Form>
  std::optional<Statements> loops_for(const Form& loop, term::LocationId location) {
    if constexpr (is_counted<Form>) {
      const auto several = several_of(round_of(loop));
      if (!several) return std::nullopt;
      Statements made;
      const Expr times = onf::integer(module_.functions[onf::number(*several)].repeats->times, {});
      const Expr rounds = kept(rounds_of(loop), "rounds", location, made);
      add_loops(loop, *several, divided(rounds, times), rounds, location, made);
      return made;
    } else if constexpr (std::is_same_v<Form, onf::While>) {
      if (!loop.before.empty()) return std::nullopt;
      const auto several = several_of(round_of(loop));
      return several ? tried_together(loop, *several, location) : std::nullopt;
    }
    return std::nullopt;
  }

  // Several rounds are done before it is known whether the loop goes on so long. Where it does not,
  // all is as it was before them, and the rounds that there are are done one by one. So are as many
  // at the beginning, for loops that end soon: what is done in vain is less than they take then.
  //
  //   while c(r) bound b { part(u, rows); r = fold of rows }
  //     =>  going = true; done = 0
  //         while c(r) bound min(b, 2) { part(u, rows); r = fold of rows; done = done + 1 }
  //         while going && c(r) bound (b - done) / 2 {
  //           u_before = u; r_before = r; part_2_times(u, rows, rows_2); r = fold of rows
  //           going = c(r); if going { r = fold of rows_2; done = done + 2 }
  //           else { u = u_before; r = r_before }
  //         }
  //         while c(r) bound b - done { part(u, rows); r = fold of rows }
  std::optional<Statements> tried_together(const onf::While& loop, FunctionId several,
                                           term::LocationId location) {
    const auto numbers = numbers_to_keep(loop);
    if (!numbers) return std::nullopt;
    const std::int64_t times = module_.functions[onf::number(several)].repeats->times;
    Statements made;
    const Expr bound = kept(loop.bound, "bound", location, made);
    const VariableId going = named("going", onf::scalar_of(onf::Scalar::boolean), location);
    const VariableId done = named("done", onf::scalar_of(onf::Scalar::int64), location);
    made.push_back({onf::Let{going, onf::truth(true, location), false}, location});
    made.push_back({onf::Let{done, onf::integer(0, location), false}, location});
    const auto add = [&](const Expr& rounds) {
      Expr more = combined(onf::ScalarFunction::add, of(done, location), rounds);
      return Statement{onf::Assign{done, std::move(more)}, location};
    };
    const Expr left = combined(onf::ScalarFunction::subtract, bound, of(done, location));
    onf::While first = loop;
    first.bound = combined(onf::ScalarFunction::minimum, bound, onf::integer(times, location));
    first.body.push_back(add(onf::integer(1, location)));
    made.push_back({std::move(first), location});
    onf::While together;
    together.condition = onf::applied(onf::ScalarFunction::and_, onf::Scalar::boolean,
                                      {of(going, location), loop.condition});
    together.bound = divided(left, onf::integer(times, location));
    Statements restore = keep(loop, *numbers, location, together.body);
    RoundsApart apart = rounds_apart(module_, function_, round_of(loop), several, std::nullopt);
    std::ranges::move(apart.call, std::back_inserter(together.body));
    for (std::int64_t round = 0; round < times; ++round) {
      Statements behind = std::move(apart.behind[static_cast<std::size_t>(round)]);
      const bool last = round + 1 == times;
      Statements all = {{onf::Scope{std::move(behind)}, location},
                        last ? add(onf::integer(times, location))
                             : Statement{onf::Assign{going, loop.condition}, location}};
      if (round == 0) {
        std::ranges::move(all, std::back_inserter(together.body));
      } else {
        together.body.push_back({onf::If{of(going, location), std::move(all), {}}, location});
      }
    }
    together.body.push_back({onf::If{onf::applied(onf::ScalarFunction::not_, onf::Scalar::boolean,
                                                  {of(going, location)}),
                                     std::move(restore),
                                     {}},
                             location});
    made.push_back({std::move(together), location});
    onf::While rest = loop;
    rest.bound = left;
    made.push_back({std::move(rest), location});
    return made;
  }

  VariableId named(const char* name, onf::Representation type, term::LocationId location) {
    return added(function_, {name, std::move(type), location});
  }
  Expr of(VariableId variable, term::LocationId location) const {
    return onf::of_variable(variable, function_.variables[onf::number(variable)].type, location);
  }

  // Numbers of the function that a round changes after something has read them. Others are set in
  // every round before they are read, and may have no value before. Nothing: it is not known of
  // one.
  static std::optional<std::vector<VariableId>> numbers_to_keep(const onf::While& loop) {
    std::set<VariableId> own, assigned, read, set;
    onf::each_in(
        loop.body,
        [&](const auto& s) {
          using Form = std::decay_t<decltype(s)>;
          if constexpr (std::is_same_v<Form, onf::Let>) own.insert(s.variable);
          if constexpr (std::is_same_v<Form, onf::Assign>) assigned.insert(s.variable);
        },
        [](const Expr&) {});
    note_reads(loop.condition, set, read);
    note_reads(loop.body, set, read);
    std::vector<VariableId> kept;
    for (const VariableId variable : assigned) {
      if (own.contains(variable)) continue;
      if (read.contains(variable)) {
        kept.push_back(variable);
      } else if (!set.contains(variable)) {
        return std::nullopt;
      }
    }
    return kept;
  }
  static void note_reads(const Expr& whole, const std::set<VariableId>& set,
                         std::set<VariableId>& read) {
    onf::each_part(whole, [&](const Expr& e) {
      if (e.kind == Expr::Kind::variable && !set.contains(e.variable)) read.insert(e.variable);
    });
  }
  // Adds what is read before it is set, and what is set then in any case.
  static void note_reads(const Statements& body, std::set<VariableId>& set,
                         std::set<VariableId>& read) {
    for (const Statement& statement : body) {
      if (const auto* branch = std::get_if<onf::If>(&statement.form)) {
        note_reads(branch->condition, set, read);
        std::set<VariableId> then = set, otherwise = set;
        note_reads(branch->then, then, read);
        note_reads(branch->otherwise, otherwise, read);
        std::ranges::set_intersection(then, otherwise, std::inserter(set, set.end()));
      } else if (const auto* scope = std::get_if<onf::Scope>(&statement.form)) {
        note_reads(scope->body, set, read);
      } else {
        const Statements one{statement};
        onf::each_in(
            one, [](const auto&) {}, [&](const Expr& whole) { note_reads(whole, set, read); });
        const auto* assign = std::get_if<onf::Assign>(&statement.form);
        if (assign != nullptr) set.insert(assign->variable);
      }
    }
  }

  // Names what there is before the rounds; returns what puts it back.
  Statements keep(const onf::While& loop, const std::vector<VariableId>& numbers,
                  term::LocationId location, Statements& made) {
    Statements restore;
    onf::each_in(
        loop.body,
        [&](const auto& s) {
          if constexpr (std::is_same_v<std::decay_t<decltype(s)>, onf::Call>)
            keep_arguments(s.call, location, made, restore);
        },
        [](const Expr&) {});
    for (const VariableId variable : numbers) keep_number(variable, location, made, restore);
    return restore;
  }
  void keep_number(VariableId variable, term::LocationId location, Statements& made,
                   Statements& restore) {
    const onf::Variable now = function_.variables[onf::number(variable)];
    const VariableId before = added(function_, {now.name + "_before", now.type, location});
    made.push_back({onf::Let{before, of(variable, location)}, location});
    restore.push_back({onf::Assign{variable, of(before, location)}, location});
  }
  // Those that it changes: arrays get blocks of their own then.
  void keep_arguments(const Expr& call, term::LocationId location, Statements& made,
                      Statements& restore) {
    const onf::Function& callee = module_.functions[onf::number(call.callee)];
    for (std::size_t k = 0; k < call.operands.size(); ++k) {
      if (callee.arguments[k].mode != term::Mode::upd) continue;
      if (!callee.arguments[k].view) {
        keep_number(call.operands[k].variable, location, made, restore);
        continue;
      }
      const onf::ViewId view = call.operands[k].view;
      onf::View before = function_.views[onf::number(view)];
      before.name += "_before";
      before.parameter = false;
      function_.views.push_back(std::move(before));
      const auto kept = static_cast<onf::ViewId>(function_.views.size() - 1);
      made.push_back({onf::Share{kept, view, true}, location});
      restore.push_back({onf::Share{view, kept, false, true}, location});
    }
  }

  // What the loops may change is computed before them. A number of rounds is not below 0.
  Expr kept(Expr value, const char* name, term::LocationId location, Statements& made) {
    if (value.kind == Expr::Kind::integer) return value;
    Expr variable = onf::integer(0, value.location);
    variable.kind = Expr::Kind::variable;
    variable.variable = added(function_, {name, value.type, location});
    made.push_back({onf::Let{variable.variable, std::move(value)}, location});
    return variable;
  }
  static Expr divided(const Expr& rounds, const Expr& times) {
    if (const auto known = known_rounds(rounds))
      return onf::integer(*known / times.integer, rounds.location);
    return combined(onf::ScalarFunction::divide,
                    combined(onf::ScalarFunction::maximum, rounds, onf::integer(0)), times);
  }

  void add_loops(const onf::Iterate& loop, FunctionId several, Expr together, const Expr& rounds,
                 term::LocationId location, Statements& made) {
    const std::int64_t times = module_.functions[onf::number(several)].repeats->times;
    Expr left = combined(onf::ScalarFunction::modulo,
                         combined(onf::ScalarFunction::maximum, rounds, onf::integer(0)),
                         onf::integer(times));
    if (const auto known = known_rounds(rounds)) left = onf::integer(*known % times);
    Statements body = rounds_together(module_, function_, round_of(loop), several);
    made.push_back({onf::Iterate{std::move(together), std::move(body)}, location});
    if (left.kind != Expr::Kind::integer || left.integer > 0)
      made.push_back({onf::Iterate{std::move(left), loop.body}, location});
  }

  // first + times * 0, first + times * 1, ... begin the rounds that are done together.
  void add_loops(const onf::For& loop, FunctionId several, Expr together, const Expr& rounds,
                 term::LocationId location, Statements& made) {
    if (!names_index(loop))
      return add_loops(onf::Iterate{rounds, loop.body}, several, std::move(together), rounds,
                       location, made);
    const std::int64_t times = module_.functions[onf::number(several)].repeats->times;
    const Expr low = kept(loop.low, "first", location, made);
    const Expr high = is_zero(loop.low) ? rounds : kept(loop.high, "last", location, made);
    const auto begin = [&](Expr of) {
      Expr behind = combined(onf::ScalarFunction::multiply, std::move(of), onf::integer(times));
      return is_zero(low) ? behind : combined(onf::ScalarFunction::add, low, std::move(behind));
    };
    Expr block = low;
    block.kind = Expr::Kind::variable;
    block.variable = added(function_, {"block", low.type, location});
    Expr left = begin(together);
    Statements body = rounds_together(module_, function_, round_of(loop), several, begin(block));
    made.push_back({onf::For{block.variable, onf::integer(0), std::move(together), std::move(body)},
                    location});
    made.push_back({onf::For{loop.index, std::move(left), high, loop.body}, location});
  }
  static bool names_index(const onf::For& loop) {
    bool names = false;
    onf::each_in(
        loop.body, [](const auto&) {},
        [&](const Expr& whole) {
          onf::each_part(whole, [&](const Expr& e) {
            names = names || (e.kind == Expr::Kind::variable && e.variable == loop.index);
          });
        });
    return names;
  }

  const onf::Module& module_;
  onf::Function& function_;
  const std::map<FunctionId, FunctionId>& repeated_;
};

// --- calls

class Calls {
 public:
  explicit Calls(const onf::Module& module) : module_(module) {}

  void note(const Statements& body, double times) {
    for (const Statement& statement : body)
      std::visit([&](const auto& form) { note(form, times); }, statement.form);
  }

  std::vector<CallSite> sites;

 private:
  template <class Form>
  void note(const Form& form, double times) {
    if constexpr (std::is_same_v<Form, onf::Call>) {
      if (form.call.kind == Expr::Kind::call) sites.push_back({form.call.callee, times});
    } else if constexpr (std::is_same_v<Form, onf::If>) {
      note(form.then, times);
      note(form.otherwise, times);
    } else if constexpr (std::is_same_v<Form, onf::Scope>) {
      note(form.body, times);
    } else if constexpr (std::is_same_v<Form, onf::While>) {
      note(form.before, times);
      const std::size_t first = sites.size();
      note(form.body, times * usual_rounds);
      const auto each = form.before.empty() ? called_each_time(module_, round_of(form))
                                            : std::optional<EachCall>{};
      if (!each || sites.size() != first + 1) return;
      sites[first].in_a_row = 0;
      sites[first].changing = each->changing;
    } else if constexpr (is_counted<Form>) {
      const auto rounds = known_rounds(rounds_of(form));
      const std::size_t first = sites.size();
      note(form.body, times * (rounds ? static_cast<double>(*rounds) : usual_rounds));
      const auto each = called_each_time(module_, round_of(form));
      if (!each || sites.size() != first + 1) return;
      sites[first].in_a_row = rounds.value_or(0);
      sites[first].changing = each->changing;
    }
  }

  const onf::Module& module_;
};

}  // namespace

bool gives_all(const onf::Module& module, const EachCall& each, FunctionId several) {
  return std::ranges::includes(module.functions[onf::number(several)].repeats->changing,
                               each.changing);
}

std::optional<EachCall> called_each_time(const onf::Module& module, FunctionId id) {
  const onf::Function& function = module.functions[onf::number(id)];
  if (!function.procedure || function.result || function.part_of || function.repeats)
    return std::nullopt;
  return called_each_time(module, Round{function.body});
}

onf::Function calls_in_a_row(const onf::Module& module, FunctionId id, FunctionId several) {
  const onf::Function& once = module.functions[onf::number(id)];
  const std::int64_t times = module.functions[onf::number(several)].repeats->times;
  onf::Function made = once;
  made.name += "_" + std::to_string(times) + "_times";
  made.repeats = onf::Repeats{id, times};
  made.body = rounds_together(module, made, {once.body}, several);
  return made;
}

std::vector<CallSite> call_sites(const onf::Module& module, FunctionId id) {
  Calls calls(module);
  calls.note(module.functions[onf::number(id)].body, 1);
  return std::move(calls.sites);
}

std::size_t repeat_in_loops(onf::Module& module, FunctionId id,
                            const std::map<FunctionId, FunctionId>& repeated) {
  onf::Function function = module.functions[onf::number(id)];
  Repeating repeating(module, function, repeated);
  function.body = repeating.run(std::move(function.body));
  module.functions[onf::number(id)] = std::move(function);
  return repeating.count;
}

}  // namespace rhopsi::schedule
