#include "engine/schedule/own_layout.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "engine/onf/alike.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/infix.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/tile.hpp"
#include "engine/schedule/fold_statements.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/nest_steps.hpp"
#include "engine/schedule/own_sweeps.hpp"
#include "engine/schedule/own_variables.hpp"
#include "engine/schedule/plain_nests.hpp"
#include "engine/schedule/reads_across.hpp"
#include "engine/schedule/tell.hpp"
#include "engine/schedule/tile_folds.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::Fold;
using onf::Interval;
using onf::Nest;
using onf::Statement;
using onf::Statements;
using onf::VariableId;

// A last axis of fewer elements is shorter than a vector.
constexpr std::int64_t short_row = 8;
// A copy costs as much as some ten steps that read from row to row: as many elements or steps have
// to read each element again. Where reals may be computed in any order, vectors go along the steps
// otherwise, which is as fast for long rows.
constexpr std::int64_t worth_in_order = 16, worth_in_any_order = 128;
// Fewer lanes leave most of a tile idle.
constexpr std::int64_t fewest_lanes = 16;

std::optional<std::int64_t> known(const Expr& e) {
  return e.kind == Expr::Kind::integer ? std::optional(e.integer) : std::nullopt;
}
Expr applied(onf::ScalarFunction function, Expr left, Expr right) {
  Expr made;
  made.kind = Expr::Kind::apply;
  made.type = left.type;
  made.function = function;
  made.operands = {std::move(left), std::move(right)};
  return made;
}

class LayingOut {
 public:
  LayingOut(const onf::Module& module, onf::Function& function, const Nest& nest, Statements body,
            term::LocationId location, std::int64_t worth, std::vector<Step>& told)
      : module_(module),
        function_(function),
        nest_(nest),
        location_(location),
        worth_(worth),
        told_(told) {
    nest_.body = std::move(body);
  }

  std::optional<Statements> run() {
    const bool folds = std::ranges::any_of(nest_.body, is_fold);
    if (!folds || nest_.indices.empty() || reads_block_of(function_, nest_, nest_.target))
      return std::nullopt;
    const std::size_t variables = function_.variables.size(), blocks = function_.blocks.size(),
                      views = function_.views.size();
    const Nest as_written = nest_;
    label_ = nest_.label;
    const std::size_t told = told_.size();
    const std::size_t last = nest_.indices.size() - 1, axis = axis_of_lanes();
    const bool turns = axis != last && may_turn();
    cut(turns ? axis : last);
    if (turns) turn(axis);
    lane_ = nest_.indices.back();
    loops_ = loops_of(function_, nest_);
    loops_.back().length = across_ ? std::optional(nest_.box->back().high) : std::nullopt;
    declared_ = onf::declared_in(nest_.body);
    for (std::size_t at = 0; at < nest_.body.size(); ++at) {
      if (is_fold(nest_.body[at]) && has_tile(at)) copy_reads(std::get<Fold>(nest_.body[at].form));
    }
    if (!made_.empty() && has_lanes()) return all(as_written);
    function_.variables.resize(variables);
    function_.blocks.resize(blocks);
    function_.views.resize(views);
    told_.resize(told);
    told_.push_back(refused("layout", {as_written.label}, as_it_is(as_written)));
    return std::nullopt;
  }

 private:
  // --- the order of the nest

  static std::optional<std::int64_t> known_length(const Interval& interval) {
    const auto low = known(interval.low), high = known(interval.high);
    return low && high ? std::optional(*high - *low) : std::nullopt;
  }

  // The innermost axis that is not known to be short; the last one if there is none.
  std::size_t axis_of_lanes() const {
    for (std::size_t axis = nest_.indices.size(); axis-- > 0;) {
      if (known_length((*nest_.box)[axis]).value_or(short_row) >= short_row) return axis;
    }
    return nest_.indices.size() - 1;
  }

  // May it have another axis last?
  bool may_turn() {
    if (!is_whole(function_, nest_)) return false;
    bool goes_on = false;
    for (std::size_t at = 0; at < nest_.body.size(); ++at) {
      if (!is_fold(nest_.body[at])) continue;
      if (!has_tile(at)) return false;
      goes_on =
          goes_on || known(std::get<Fold>(nest_.body[at].form).count).value_or(worth_) >= worth_;
    }
    return goes_on;
  }

  // The new layout is for all indices of the axis or for none: for those below a number. Of a whole
  // axis, which has a length.
  void cut(std::size_t axis) {
    Interval& interval = (*nest_.box)[axis];
    const auto& extents = block_of(function_, nest_.target).extents;
    if (known(interval.low) != 0 || !extents || !onf::is_same((*extents)[axis], interval.high))
      return;
    if (known(interval.high).value_or(fewest_lanes) < fewest_lanes) return;
    onf::Variable variable;
    variable.name = unused(name(nest_.indices[axis]) + "_across");
    variable.type = interval.high.type;
    across_ = static_cast<VariableId>(function_.variables.size());
    function_.variables.push_back(variable);
    length_ = interval.high;
    interval.high = variable_of(*across_);
    want(length_, fewest_lanes);
  }
  // It stands outside of nests, where one name is one variable.
  std::string unused(const std::string& wanted) const {
    const auto is_taken = [&](const std::string& one) {
      return std::ranges::count(function_.variables, one, &onf::Variable::name) > 0;
    };
    std::string made = wanted;
    for (int k = 2; is_taken(made); ++k) made = wanted + std::to_string(k);
    return made;
  }
  Expr variable_of(VariableId id) const {
    Expr e;
    e.kind = Expr::Kind::variable;
    e.variable = id;
    e.type = function_.variables[onf::number(id)].type;
    return e;
  }
  // A length that has to be so large where the program runs.
  void want(const Expr& length, std::int64_t least) {
    if (known(length)) return;
    Expr more = applied(onf::ScalarFunction::subtract, length, number_like(length, least - 1));
    const bool again =
        std::ranges::any_of(wanted_, [&](const Expr& other) { return onf::is_same(more, other); });
    if (!again) wanted_.push_back(std::move(more));
  }
  // All of the lanes where each such length is large enough, and otherwise none.
  Expr how_many() const {
    if (wanted_.empty()) return length_;
    Expr least = wanted_.front();
    for (std::size_t k = 1; k < wanted_.size(); ++k)
      least = applied(onf::ScalarFunction::minimum, std::move(least), wanted_[k]);
    Expr enough = applied(onf::ScalarFunction::multiply, std::move(least), length_);
    return applied(
        onf::ScalarFunction::minimum, length_,
        applied(onf::ScalarFunction::maximum, number_like(length_, 0), std::move(enough)));
  }

  Statements all(const Nest& as_written) {
    Statements made;
    if (across_) made.push_back({onf::Let{*across_, how_many(), true}, location_});
    std::ranges::move(made_, std::back_inserter(made));
    const std::size_t axis = static_cast<std::size_t>(std::ranges::find(as_written.indices, lane_) -
                                                      as_written.indices.begin());
    made.push_back({std::move(nest_), location_});
    if (copy_back_) made.push_back({std::move(*copy_back_), location_});
    if (!across_ || wanted_.empty()) return made;
    Nest rest = with_own_variables(function_, as_written);
    (*rest.box)[axis].low = variable_of(*across_);
    rest.label += ", where they are few";
    made.push_back({std::move(rest), location_});
    return made;
  }

  void turn(std::size_t axis) {
    const std::string rows = std::to_string(*known_length(nest_.box->back()));
    const std::string target = function_.views[onf::number(nest_.target)].name;
    const Nest back = nest_;
    const auto last = [axis](auto& of_axes) {
      auto moved = std::move(of_axes[axis]);
      of_axes.erase(of_axes.begin() + static_cast<std::ptrdiff_t>(axis));
      of_axes.push_back(std::move(moved));
    };
    last(nest_.indices);
    last(*nest_.box);
    std::vector<Expr> extents;
    for (const Interval& interval : *nest_.box) extents.push_back(interval.high);
    for (const Statement& statement : nest_.body) {
      if (is_fold(statement)) want_steps(std::get<Fold>(statement.form));
    }
    nest_.target =
        fresh_array(function_, target + "_" + names_of(nest_.indices),
                    block_of(function_, nest_.target).element, std::move(extents), location_);
    nest_.label = function_.name + ": " + function_.views[onf::number(nest_.target)].name;
    add_step(nest_.made_by, "layout");
    made_.push_back({onf::Allocate{nest_.target}, location_});
    tell(target + " in rows of " + rows,
         function_.views[onf::number(nest_.target)].name + ", and a copy",
         "its folds take many steps for each element, and rows of " + rows +
             " are shorter than vectors");
    copy_back_ = copy(back, nest_.target, nest_.indices);
  }
  void want_steps(const Fold& fold) {
    std::set<VariableId> names;
    note_names(fold.count, names);
    if (names.empty()) want(fold.count, worth_);
  }

  // Of what lies at these indices of an array, to the target of the nest.
  Nest copy(const Nest& like, onf::ViewId from, const std::vector<VariableId>& indices) {
    Nest made = like;
    made.body.clear();
    made.binding = onf::Binding::nested;
    onf::Representation type = nest_.element.type;
    type.scalar = block_of(function_, made.target).element;
    made.element = element_of(function_, from, indices, type);
    add_step(made.made_by, "layout");
    return with_own_variables(function_, made);
  }

  // --- what is read

  // The nest with that fold alone, as its element.
  Nest alone(std::size_t at) const {
    const auto& fold = std::get<Fold>(nest_.body[at].form);
    Nest made = nest_;
    made.body.erase(made.body.begin() + static_cast<std::ptrdiff_t>(at) + 1, made.body.end());
    std::erase_if(made.body, [&](const Statement& other) {
      return is_fold(other) && name_of(other) != fold.variable;
    });
    made.element = variable_of(fold.variable);
    return made;
  }

  // Has the fold a tile that reads arrays where they lie?
  bool has_tile(std::size_t at) {
    const auto tile = usual_tile(module_, function_, alone(at));
    panels_ = panels_ || (tile && tile->packs);
    return tile && !tile->packs;
  }
  // Are all folds that had such a tile folded side by side now?
  bool has_lanes() const {
    for (std::size_t at = 0; at < nest_.body.size(); ++at) {
      if (!is_fold(nest_.body[at])) continue;
      const auto tile = usual_tile(module_, function_, alone(at));
      if (tile && tile->lanes == 1) return false;
    }
    return true;
  }

  void copy_reads(Fold& fold) {
    loops_.push_back({fold.index, length_of(fold.count)});
    for (Statement& statement : fold.body) {
      if (is_fold(statement))
        copy_reads(std::get<Fold>(statement.form));
      else
        visit(*std::get<onf::Let>(statement.form).value);
    }
    visit(fold.element);
    loops_.pop_back();
  }

  void visit(Expr& e) {
    if (e.kind == Expr::Kind::load) {
      if (auto element = laid_out(e)) e = std::move(*element);
      return;
    }
    for (Expr& operand : e.operands) visit(operand);
  }

  // Its element of the array that it has from now on, or nothing.
  std::optional<Expr> laid_out(const Expr& load) {
    const auto over = loops_of_part(load, loops_, lane_, declared_);
    if (!over || load.type.scalar == onf::Scalar::boolean) return std::nullopt;
    std::vector<VariableId> served, indices;
    for (const Loop& loop : *over) indices.push_back(loop.index);
    std::optional<Expr> longest;  // of what it serves, where that is not known
    bool often = false;
    for (const Loop& loop : loops_) {
      if (std::ranges::count(indices, loop.index) > 0) continue;
      served.push_back(loop.index);
      if (!loop.length || !is_before(*loop.length, loops_, declared_)) continue;
      if (known(*loop.length)) {
        often = often || *known(*loop.length) >= worth_;
      } else {
        longest =
            longest ? applied(onf::ScalarFunction::maximum, *longest, *loop.length) : *loop.length;
      }
    }
    if (!often && !longest) {
      seldom_ = true;
      return std::nullopt;
    }
    if (!often) want(*longest, worth_);
    const onf::ViewId array = array_of(load, *over, indices, served);
    Expr element = element_of(function_, array, indices, load.type);
    element.location = load.location;
    return element;
  }

  onf::ViewId array_of(const Expr& load, const Loops& over, const std::vector<VariableId>& indices,
                       const std::vector<VariableId>& served) {
    Nest part;
    part.binding = onf::Binding::nested;
    part.box = box_over(over);
    std::vector<Expr> extents;
    for (const Loop& loop : over) extents.push_back(*loop.length);
    part.indices = indices;
    part.element = load;
    for (const Nest& other : copied_) {
      if (is_same_copy(part, other)) return other.target;
    }
    const std::string from = function_.views[onf::number(load.view)].name;
    const std::string what = onf::infix(module_, function_, load);
    part.target = fresh_array(function_, from + "_" + names_of(indices), load.type.scalar,
                              std::move(extents), location_);
    const std::string made = function_.views[onf::number(part.target)].name;
    part.label = function_.name + ": " + made;
    add_step(part.made_by, "layout");
    tell(what + ", from row to row along " + name(lane_), made + ", in rows along " + name(lane_),
         "it is read again for all " + names_of(served, ", "));
    copied_.push_back(part);
    made_.push_back({onf::Allocate{part.target}, location_});
    made_.push_back({with_own_variables(function_, part), location_});
    return part.target;
  }
  // Under other names of the indices?
  static bool is_same_copy(const Nest& a, const Nest& b) {
    if (a.indices.size() != b.indices.size()) return false;
    std::map<VariableId, VariableId> names;
    for (std::size_t k = 0; k < a.indices.size(); ++k) {
      names.emplace(a.indices[k], b.indices[k]);
      if (!onf::is_same((*a.box)[k].high, (*b.box)[k].high)) return false;
    }
    Nest renamed = a;
    rename(renamed, names);
    return onf::is_same(renamed.element, b.element);
  }

  // --- what is told

  // Nothing is laid out anew.
  Telling as_it_is(const Nest& nest) const {
    const std::string why =
        panels_ ? "panels are made for it"
        : seldom_
            ? "it is read again for fewer than " + std::to_string(worth_) + " elements or steps"
            : "nothing is that is a part of an array, or its folds have no lanes even so";
    return {.before = "arrays in their rows",
            .condition = "what is read from row to row along " + name(nest.indices.back()) +
                         " is copied to rows, but " + why,
            .decider = "strides"};
  }
  void tell(std::string before, std::string after, std::string condition) {
    told_.push_back(taken("layout", {label_},
                          {std::move(before), std::move(after), std::move(condition), "strides"}));
  }
  const std::string& name(VariableId id) const { return function_.variables[onf::number(id)].name; }
  std::string names_of(const std::vector<VariableId>& indices,
                       const std::string& between = "") const {
    std::string text;
    for (const VariableId index : indices) text += (text.empty() ? "" : between) + name(index);
    return text;
  }

  const onf::Module& module_;
  onf::Function& function_;
  Nest nest_;
  std::string label_;  // as it is written
  term::LocationId location_;
  std::int64_t worth_;
  std::vector<Step>& told_;
  VariableId lane_{};
  Loops loops_;                    // around the place
  std::set<VariableId> declared_;  // in the nest, but for its indices
  std::vector<Nest> copied_;       // of the variables of the nest that reads them
  std::optional<Nest> copy_back_;
  Statements made_;
  bool panels_ = false;  // has a tile panels?
  bool seldom_ = false;  // is something read so, but not often enough?
  // Of the axis of the lanes: how many indices have the new layout, how long it is, and what has to
  // be more than 0 for it.
  std::optional<VariableId> across_;
  Expr length_;
  std::vector<Expr> wanted_;
};

}  // namespace

std::vector<Step> lay_out(onf::Module& module, const Recipe& recipe, const Surroundings& around) {
  const bool ordered = std::ranges::any_of(recipe.steps, [](const RecipeStep& step) {
    return step.kind == StepKind::layout && step.bound;
  });
  const std::int64_t worth = around.any_order ? worth_in_any_order : worth_in_order;
  const NestStep step = [worth](const onf::Module& whole, onf::Function& function, const Nest& nest,
                                Statements body, term::LocationId location,
                                std::vector<Step>& told) {
    return LayingOut(whole, function, nest, std::move(body), location, worth, told).run();
  };
  return take_in_nests(module, StepKind::layout, step, recipe,
                       ordered ? "`order` is that of all arrays over one domain, but these have "
                                 "shapes of their own, and each has the order that is best for it"
                               : around.no_layout);
}

}  // namespace rhopsi::schedule
