#include "engine/schedule/hoisting.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "engine/onf/alike.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/infix.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/tile.hpp"
#include "engine/onf/weight.hpp"
#include "engine/schedule/fold_statements.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/own_variables.hpp"
#include "engine/schedule/plain_nests.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::Fold;
using onf::Let;
using onf::Nest;
using onf::Statement;
using onf::Statements;
using onf::VariableId;

// Elements that an array of known lengths may have, whatever else there is.
constexpr std::int64_t most_of_numbers = 65536;

// Statements around a place, those before it.
struct Around {
  const Statements* body;
  std::size_t end;
};

// A value that may be computed before the nest.
struct Invariant {
  Statements body;    // what it is computed from, of the nest, in order
  Expr value;         // of these
  Loops over, other;  // the loops around it: those that it depends on, and not
};

class Hoisting {
 public:
  Hoisting(const onf::Module& module, onf::Function& function, const Nest& nest, Statements body,
           term::LocationId location, std::vector<Step>& told)
      : module_(module), function_(function), nest_(nest), location_(location), told_(told) {
    nest_.body = std::move(body);
    original_ = nest_;
    declared_ = onf::declared_in(nest_.body);
    loops_ = loops_of(function_, nest_);
    declared_.insert(nest_.indices.begin(), nest_.indices.end());
  }

  std::optional<Statements> run() {
    share_same(function_, nest_.body, nest_.element);
    go(nest_.body, nest_.element);
    if (made_.empty()) return std::nullopt;
    made_.push_back({std::move(nest_), location_});
    return std::move(made_);
  }

 private:
  bool in_fold() const { return loops_.size() > nest_.indices.size(); }

  void go(Statements& body, Expr& element) {
    around_.push_back({&body, 0});
    for (std::size_t at = 0; at < body.size(); ++at) {
      around_.back().end = at;
      if (is_fold(body[at])) {
        if (take_fold(body[at])) continue;
        auto& fold = std::get<Fold>(body[at].form);
        loops_.push_back({fold.index, length_of(fold.count)});
        go(fold.body, fold.element);
        loops_.pop_back();
      } else {
        Expr& value = *std::get<Let>(body[at].form).value;
        if (!take_for_folds(body, at, value)) find_functions(value);
      }
    }
    around_.back().end = body.size();
    find_functions(element);
    around_.pop_back();
  }

  // --- what may have an array

  bool take_fold(Statement& statement) {
    const auto& fold = std::get<Fold>(statement.form);
    const auto steps = known_steps(fold);
    if (steps && *steps < fewest_steps) return false;
    std::set<VariableId> names;
    note_names(statement, names);
    Invariant value = value_of(std::move(names));
    if (!is_common(value)) return false;
    value.body.push_back(statement);
    value.value.kind = Expr::Kind::variable;
    value.value.variable = fold.variable;
    value.value.type = type_of(fold.variable);
    value.value.location = statement.location;
    auto element = take(std::move(value), "the fold " + name(fold.variable));
    if (!element) return false;
    statement.form = Let{fold.variable, std::move(*element)};
    return true;
  }

  // A quotient or the like in front of a fold that needs it.
  bool take_for_folds(const Statements& body, std::size_t at, Expr& e) {
    if (in_fold() || !onf::is_costly(e) || !is_for_fold(body, at)) return false;
    std::set<VariableId> names;
    note_names(e, names);
    Invariant value = value_of(std::move(names));
    if (value.over.empty() || std::ranges::any_of(value.body, is_fold)) return false;
    value.value = e;
    auto element = take(std::move(value), name(name_of(body[at])));
    if (element) e = std::move(*element);
    return element.has_value();
  }
  bool is_for_fold(const Statements& body, std::size_t at) const {
    std::set<VariableId> found{name_of(body[at])};
    for (std::size_t later = at + 1; later < body.size(); ++later) {
      std::set<VariableId> names;
      note_names(body[later], names);
      const bool needs =
          std::ranges::any_of(names, [&](VariableId id) { return found.contains(id); });
      if (!needs) continue;
      const auto* fold = std::get_if<Fold>(&body[later].form);
      if (fold != nullptr && known_steps(*fold).value_or(fewest_steps) >= fewest_steps) return true;
      found.insert(name_of(body[later]));
    }
    return false;
  }

  // The largest parts with functions of the mathematical library that every element computes.
  void find_functions(Expr& e) {
    if (onf::weight_of_all(e) < onf::of_an_exponential) return;
    if (take_function(e)) return;
    if (onf::is_lazy(e)) return find_functions(e.operands.front());
    for (Expr& operand : e.operands) find_functions(operand);
  }
  bool take_function(Expr& e) {
    std::set<VariableId> names;
    note_names(e, names);
    Invariant value = value_of(std::move(names));
    if (!is_common(value) || std::ranges::any_of(value.body, is_fold)) return false;
    if (in_fold() ? is_operand(value) : !varies_along_rows(value)) return false;
    value.value = e;
    auto element = take(std::move(value), '`' + onf::infix(module_, function_, e) + '`');
    if (element) e = std::move(*element);
    return element.has_value();
  }
  // Of the steps of a fold: a tile computes it once for many rows, or lanes.
  bool is_operand(const Invariant& value) const {
    return nest_.indices.size() > 1 && value.other.size() == 1 && is_of_nest(value.other.front());
  }
  // Otherwise it is computed in front of the loop along rows. What is beside folds takes no time.
  bool varies_along_rows(const Invariant& value) const {
    const bool last = std::ranges::any_of(
        value.over, [&](const Loop& loop) { return loop.index == nest_.indices.back(); });
    return last && std::ranges::none_of(original_.body, is_fold);
  }

  // --- what a value depends on

  // What is named at this place, without a value yet.
  Invariant value_of(std::set<VariableId> names) const {
    Invariant made;
    for (std::size_t level = around_.size(); level-- > 0;) {
      const auto& [body, end] = around_[level];
      for (std::size_t at = end; at-- > 0;) {
        if (!names.contains(name_of((*body)[at]))) continue;
        made.body.push_back((*body)[at]);
        note_names((*body)[at], names);
      }
    }
    std::ranges::reverse(made.body);
    for (const Loop& loop : loops_) {
      (names.contains(loop.index) ? made.over : made.other).push_back(loop);
    }
    return made;
  }
  // Is it the same for several elements, or steps? What is so for all is before the nest already.
  static bool is_common(const Invariant& value) {
    return !value.over.empty() && std::ranges::any_of(value.other, [](const Loop& loop) {
      return !loop.length || loop.length->kind != Expr::Kind::integer || loop.length->integer > 1;
    });
  }
  bool is_of_nest(const Loop& loop) const {
    return std::ranges::count(nest_.indices, loop.index) > 0;
  }

  // --- whether it gets one

  // Its element of the array that it has from now on, or nothing.
  std::optional<Expr> take(Invariant value, const std::string& what) {
    const std::string obstacle = obstacle_to(value);
    const bool common = !value.other.empty();
    Telling told{.before = what + (common ? " for each " + names_of(value.other)
                                          : " in each step of a fold"),
                 .after = "an array over " + names_of(value.over),
                 .condition = common ? "it is the same for all " + names_of(value.other)
                                     : "a fold needs it, which has a tile where it is an element",
                 .decider = "form"};
    if (!obstacle.empty()) told.condition += ", but " + obstacle;
    const Site site{nest_.label};
    told_.push_back(obstacle.empty() ? taken("hoist", site, std::move(told))
                                     : refused("hoist", site, std::move(told)));
    if (!obstacle.empty()) return std::nullopt;
    return stored(std::move(value));
  }
  std::string obstacle_to(const Invariant& value) const {
    const onf::Representation& type = value.value.type;
    if (type.kind != onf::Representation::Kind::scalar || type.scalar == onf::Scalar::boolean)
      return "it is no number";
    if (!never_fails(value.body) || !never_fails(value.value)) return "it may be an error";
    for (const Loop& loop : value.over) {
      const std::string& index = name(loop.index);
      if (!loop.length) return index + " does not begin at 0";
      std::set<VariableId> names;
      note_names(*loop.length, names);
      for (const VariableId id : names) {
        if (declared_.contains(id))
          return "how many " + index + " there are depends on " + name(id);
      }
    }
    if (!is_small(value)) {
      return "an array over " + names_of(value.over) + " may be larger than all that there are";
    }
    if (reads_block_of(function_, nest_of(value), nest_.target))
      return "it reads what the nest overwrites";
    return {};
  }

  // Has an array that is there as many elements, or are they few?
  bool is_small(const Invariant& value) const {
    const auto is_axis = [&](const Loop& loop) { return is_of_nest(loop); };
    if (std::ranges::all_of(value.over, is_axis)) return true;
    if (value.over.size() == 1 && value.over.front().length->kind == Expr::Kind::length)
      return true;
    std::int64_t elements = 1;
    for (const Loop& loop : value.over) {
      const bool known = loop.length->kind == Expr::Kind::integer && loop.length->integer >= 0 &&
                         loop.length->integer <= most_of_numbers;
      elements = known && elements <= most_of_numbers ? elements * loop.length->integer
                                                      : most_of_numbers + 1;
    }
    if (elements <= most_of_numbers) return true;
    bool found = false;
    onf::each_of(original_, [&](const Expr& e) { found = found || goes_through(e, value.over); });
    return found;
  }
  // Does it surely read an array with all these indices, each by itself along an axis?
  static bool goes_through(const Expr& e, const Loops& loops) {
    const bool has_all =
        e.kind == Expr::Kind::load && std::ranges::all_of(loops, [&](const Loop& loop) {
          return std::ranges::any_of(e.operands, [&](const Expr& component) {
            return component.kind == Expr::Kind::variable && component.variable == loop.index;
          });
        });
    const auto parts = std::span(e.operands).first(onf::is_lazy(e) ? 1 : e.operands.size());
    return has_all ||
           std::ranges::any_of(parts, [&](const Expr& part) { return goes_through(part, loops); });
  }

  // --- its array

  // Of the nest's own variables, and without a target.
  Nest nest_of(const Invariant& value) const {
    Nest made;
    made.binding = onf::Binding::nested;
    add_step(made.made_by, "hoist");
    for (const Loop& loop : value.over) made.indices.push_back(loop.index);
    made.box = box_over(value.over);
    made.body = value.body;
    made.element = value.value;
    return made;
  }
  Expr stored(Invariant value) {
    Nest part = nest_of(value);
    std::vector<Expr> extents;
    for (const Loop& loop : value.over) extents.push_back(*loop.length);
    const std::string wanted =
        function_.views[onf::number(nest_.target)].name + "_" + names_of(value.over, "");
    const onf::ViewId array =
        fresh_array(function_, wanted, value.value.type.scalar, std::move(extents), location_);
    part.target = array;
    part.label = function_.name + ": " + function_.views[onf::number(array)].name;
    const onf::Representation type = value.value.type;
    Expr element = element_of(function_, array, part.indices, type);
    element.location = value.value.location;
    made_.push_back({onf::Allocate{array}, location_});
    part = with_own_variables(function_, part);
    Statements body = std::exchange(part.body, {});
    auto inner = Hoisting(module_, function_, part, body, location_, told_).run();
    if (inner) {
      for (Statement& statement : *inner) made_.push_back(std::move(statement));
    } else {
      part.body = std::move(body);
      made_.push_back({std::move(part), location_});
    }
    return element;
  }

  // --- what is told

  const std::string& name(VariableId id) const { return function_.variables[onf::number(id)].name; }
  const onf::Representation& type_of(VariableId id) const {
    return function_.variables[onf::number(id)].type;
  }
  std::string names_of(const Loops& loops, const std::string& between = ", ") const {
    std::string text;
    for (const Loop& loop : loops) text += (text.empty() ? "" : between) + name(loop.index);
    return text;
  }

  const onf::Module& module_;
  onf::Function& function_;
  Nest nest_;
  Nest original_;
  term::LocationId location_;
  std::vector<Step>& told_;
  std::set<VariableId> declared_;  // in the nest, its indices among them
  Loops loops_;                    // around the place
  std::vector<Around> around_;
  Statements made_;
};

}  // namespace

std::optional<Statements> hoisted(const onf::Module& module, onf::Function& function,
                                  const Nest& nest, Statements body, term::LocationId location,
                                  std::vector<Step>& told) {
  return Hoisting(module, function, nest, std::move(body), location, told).run();
}

}  // namespace rhopsi::schedule
