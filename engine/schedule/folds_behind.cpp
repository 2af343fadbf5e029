#include "engine/schedule/folds_behind.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/onf/each_name.hpp"
#include "engine/onf/lists.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/positions.hpp"
#include "engine/schedule/each_call.hpp"
#include "engine/schedule/row.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::Statement;
using onf::Statements;
using onf::VariableId;
using onf::ViewId;

template <class Form>
constexpr bool is_loop = std::is_same_v<Form, onf::For> || std::is_same_v<Form, onf::Iterate> ||
                         std::is_same_v<Form, onf::While>;

bool names(const Statement& statement, VariableId variable) {
  return mentions_of({statement}).variables.contains(variable);
}

class FoldsBehind {
 public:
  FoldsBehind(onf::Function& function, const std::set<VariableId>& folds)
      : function_(function), folds_(folds) {}

  Statements walk(Statements body) {
    Statements made;
    for (Statement& statement : body) {
      onf::each_list_of(statement, [&](Statements& inner) { inner = walk(std::move(inner)); });
      std::visit(
          [&](auto& form) {
            using Form = std::decay_t<decltype(form)>;
            if constexpr (std::is_same_v<Form, onf::While>)
              take_condition(form, statement.location, made);
            if constexpr (is_loop<Form>) take_heads(form, made);
          },
          statement.form);
      made.push_back(std::move(statement));
    }
    return made;
  }

  std::size_t count = 0;

 private:
  bool is_fold(const Statement& statement) const {
    const auto* fold = std::get_if<onf::Fold>(&statement.form);
    return fold != nullptr && folds_.contains(fold->variable);
  }

  // --- conditions

  void take_condition(onf::While& loop, term::LocationId location, Statements& made) {
    const bool of_folds = std::ranges::all_of(loop.before, [&](const Statement& statement) {
      return is_fold(statement) || is_plain(statement);
    });
    if (!of_folds || !is_plain(loop.condition) ||
        std::ranges::none_of(loop.before,
                             [&](const Statement& statement) { return is_fold(statement); }))
      return;
    const VariableId go = added(function_, {"go", onf::scalar_of(onf::Scalar::boolean), location});
    Statements before = std::exchange(loop.before, {});
    Expr condition = std::exchange(
        loop.condition, onf::of_variable(go, onf::scalar_of(onf::Scalar::boolean), location));
    Statements again = before;
    again.push_back({onf::Assign{go, condition}, location});
    std::ranges::move(renamed(std::move(again)), std::back_inserter(loop.body));
    std::ranges::move(before, std::back_inserter(made));
    made.push_back({onf::Let{go, std::move(condition), false}, location});
    ++count;
  }

  // A number that is computed without reading an array, or anything that may fail.
  static bool is_plain(const Statement& statement) {
    const auto* let = std::get_if<onf::Let>(&statement.form);
    return let != nullptr && (!let->value || is_plain(*let->value));
  }
  static bool is_plain(const Expr& value) {
    return !onf::names_views(value) && onf::always_has_value(value);
  }

  // With names of its own for what it declares.
  Statements renamed(Statements body) {
    std::map<VariableId, VariableId> own;
    for (const VariableId variable : onf::declared_in(body))
      own.emplace(variable, added(function_, function_.variables[onf::number(variable)]));
    onf::each_name(
        body, [](ViewId&) {},
        [&](VariableId& variable) {
          if (const auto found = own.find(variable); found != own.end()) variable = found->second;
        });
    return body;
  }

  // --- heads of rounds

  template <class Loop>
  void take_heads(Loop& loop, Statements& made) {
    std::optional<VariableId> index;
    if constexpr (std::is_same_v<Loop, onf::For>) index = loop.index;
    for (std::size_t at = 0; at < loop.body.size(); ++at) {
      if (!is_fold(loop.body[at])) continue;
      auto group = group_of(loop.body, at, index);
      if (!group) continue;
      move_behind(loop.body, at, std::move(*group), made);
      ++count;
    }
  }

  // The fold, and in front of it what it is computed from: numbers that the body declares. Nothing
  // where that is not the same at the end of the round as where the next one computes it, or where
  // no array that it reads is changed in between.
  std::optional<Statements> group_of(const Statements& body, std::size_t at,
                                     std::optional<VariableId> index) const {
    const Statements front(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(at));
    const Statements behind(body.begin() + static_cast<std::ptrdiff_t>(at) + 1, body.end());
    Statements group{body[at]};
    for (std::size_t k = at; k-- > 0;) {
      const auto* let = std::get_if<onf::Let>(&body[k].form);
      if (let == nullptr || !names_in(group, let->variable)) continue;
      if (!let->constant || !is_plain(body[k])) return std::nullopt;
      group.insert(group.begin(), body[k]);
    }
    const Mentions of_group = mentions_of(group);
    std::set<VariableId> changes = onf::assigned_in(front);
    changes.merge(onf::given_to_calls(front));
    changes.merge(onf::declared_in(body));
    if (index) changes.insert(*index);
    for (const VariableId own : onf::declared_in(group)) changes.erase(own);
    if (std::ranges::any_of(changes,
                            [&](VariableId each) { return of_group.variables.contains(each); }))
      return std::nullopt;
    const std::set<ViewId> set_in_front = set_in(front), set_behind = set_in(behind);
    bool changed = false;
    for (const auto& [view, times] : of_group.views) {
      if (set_in_front.contains(view)) return std::nullopt;
      changed = changed || set_behind.contains(view);
    }
    return changed ? std::optional(std::move(group)) : std::nullopt;
  }
  static bool names_in(const Statements& body, VariableId variable) {
    return std::ranges::any_of(body, [&](const Statement& each) { return names(each, variable); });
  }
  // All that is named otherwise than by a load: loads change nothing.
  static std::set<ViewId> set_in(const Statements& body) {
    std::map<ViewId, std::size_t> named = mentions_of(body).views;
    onf::each_in(
        body, [](const auto&) {},
        [&](const Expr& whole) {
          onf::each_part(whole, [&](const Expr& e) {
            if (e.kind == Expr::Kind::load || e.kind == Expr::Kind::length) --named[e.view];
          });
        });
    std::set<ViewId> set;
    for (const auto& [view, times] : named) {
      if (times > 0) set.insert(view);
    }
    return set;
  }

  void move_behind(Statements& body, std::size_t at, Statements group, Statements& made) {
    const term::LocationId location = body[at].location;
    const VariableId value = std::get<onf::Fold>(body[at].form).variable;
    onf::Variable like = function_.variables[onf::number(value)];
    const onf::Representation type = like.type;
    like.name += "_next";
    const VariableId next = added(function_, std::move(like));
    const auto of = [&](VariableId variable) { return onf::of_variable(variable, type, location); };
    const auto computed = [&](Statements statements, auto form) {
      Statements own = renamed(std::move(statements));
      const VariableId result = std::get<onf::Fold>(own.back().form).variable;
      form.variable = next;
      form.value = of(result);
      own.push_back({std::move(form), location});
      return own;
    };
    std::ranges::move(computed(group, onf::Let{next, std::nullopt, false}),
                      std::back_inserter(made));
    body[at] = {onf::Let{value, of(next)}, location};
    std::ranges::move(computed(std::move(group), onf::Assign{next, {}}), std::back_inserter(body));
  }

  onf::Function& function_;
  const std::set<VariableId>& folds_;
};

// Those that cannot fail wherever they stand.
std::set<VariableId> safe_folds(onf::Function& function, int rank, FoldsByRows which) {
  const std::size_t variables = function.variables.size();
  std::set<VariableId> safe;
  for (const auto& [variable, apart] : domain_folds(function, rank, which)) {
    bool has_value = true;
    onf::each_of(apart.terms,
                 [&](const Expr& whole) { has_value = has_value && onf::always_has_value(whole); });
    if (has_value) safe.insert(variable);
  }
  function.variables.resize(variables);
  return safe;
}

}  // namespace

std::size_t take_folds_behind(onf::Function& function, int rank, FoldsByRows which) {
  const std::set<VariableId> folds = safe_folds(function, rank, which);
  if (folds.empty()) return 0;
  FoldsBehind taking(function, folds);
  Statements body = std::move(function.body);
  function.body = taking.walk(std::move(body));
  return taking.count;
}

}  // namespace rhopsi::schedule
