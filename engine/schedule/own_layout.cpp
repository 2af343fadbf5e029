#include "engine/schedule/own_layout.hpp"

#include <algorithm>
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
#include "engine/schedule/own_variables.hpp"
#include "engine/schedule/plain_nests.hpp"
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

// Lanes of a vector, and steps that a copied element has to serve.
constexpr std::int64_t few = 8;

std::optional<std::int64_t> known(const Expr& e) {
  return e.kind == Expr::Kind::integer ? std::optional(e.integer) : std::nullopt;
}
// Or not known.
bool is_long(const Expr& length) { return known(length).value_or(few) >= few; }

class LayingOut {
 public:
  LayingOut(const onf::Module& module, onf::Function& function, const Nest& nest, Statements body,
            term::LocationId location, std::vector<Step>& told)
      : module_(module), function_(function), nest_(nest), location_(location), told_(told) {
    nest_.body = std::move(body);
  }

  std::optional<Statements> run() {
    const bool folds = std::ranges::any_of(nest_.body, is_fold);
    if (!folds || nest_.indices.empty() || reads_block_of(function_, nest_, nest_.target))
      return std::nullopt;
    put_long_axis_last();
    lane_ = nest_.indices.back();
    loops_ = loops_of(function_, nest_);
    declared_ = onf::declared_in(nest_.body);
    for (std::size_t at = 0; at < nest_.body.size(); ++at) {
      if (is_fold(nest_.body[at]) && is_folded_along_lanes(at))
        go(std::get<Fold>(nest_.body[at].form));
    }
    if (made_.empty()) {
      told_.push_back(refused("layout", {nest_.label}, as_it_is()));
      return std::nullopt;
    }
    made_.push_back({std::move(nest_), location_});
    if (copy_back_) made_.push_back({std::move(*copy_back_), location_});
    return std::move(made_);
  }

 private:
  // --- the order of the nest

  std::optional<std::int64_t> length(std::size_t axis) const {
    const Interval& interval = (*nest_.box)[axis];
    const auto low = known(interval.low), high = known(interval.high);
    return low && high ? std::optional(*high - *low) : std::nullopt;
  }

  // The innermost axis of many elements; the last one if that has many, or no other has.
  std::size_t axis_of_lanes() const {
    for (std::size_t axis = nest_.indices.size(); axis-- > 0;) {
      if (length(axis).value_or(few) >= few) return axis;
    }
    return nest_.indices.size() - 1;
  }

  void put_long_axis_last() {
    const std::size_t last = nest_.indices.size() - 1, axis = axis_of_lanes();
    if (axis == last || !is_whole(function_, nest_)) return;
    const auto goes_on = [](const Statement& statement) {
      return is_fold(statement) && is_long(std::get<Fold>(statement.form).count);
    };
    if (std::ranges::none_of(nest_.body, goes_on)) return;
    for (std::size_t at = 0; at < nest_.body.size(); ++at) {
      if (is_fold(nest_.body[at]) && !is_folded_along_lanes(at)) return;
    }
    turn(axis);
  }

  void turn(std::size_t axis) {
    const std::string rows = std::to_string(*length(nest_.indices.size() - 1));
    const onf::View target = function_.views[onf::number(nest_.target)];
    Nest back = nest_;
    const auto last = [axis](auto& of_axes) {
      std::rotate(of_axes.begin() + static_cast<std::ptrdiff_t>(axis),
                  of_axes.begin() + static_cast<std::ptrdiff_t>(axis) + 1, of_axes.end());
    };
    last(nest_.indices);
    last(*nest_.box);
    std::vector<Expr> extents;
    for (const Interval& interval : *nest_.box) extents.push_back(interval.high);
    const onf::Scalar element = function_.blocks[onf::number(target.block)].element;
    nest_.target = fresh_array(function_, target.name + "_" + names_of(nest_.indices), element,
                               std::move(extents), location_);
    nest_.label = function_.name + ": " + function_.views[onf::number(nest_.target)].name;
    add_step(nest_.made_by, "layout");
    made_.push_back({onf::Allocate{nest_.target}, location_});
    tell(back.label, target.name + " in rows of " + rows,
         function_.views[onf::number(nest_.target)].name + ", and a copy",
         "its folds take many steps for each element, and rows of " + rows +
             " are shorter than vectors");
    copy_back_ = copy(back, nest_.target, nest_.indices);
  }

  // Of what lies at these indices of an array, to the target of the nest.
  Nest copy(const Nest& like, onf::ViewId from, const std::vector<VariableId>& indices) {
    Nest made = like;
    made.body.clear();
    made.binding = onf::Binding::nested;
    const onf::View& target = function_.views[onf::number(made.target)];
    onf::Representation type = nest_.element.type;
    type.scalar = function_.blocks[onf::number(target.block)].element;
    made.element = element_of(function_, from, indices, type);
    add_step(made.made_by, "layout");
    return with_own_variables(function_, made);
  }

  // --- what is read

  // Would a tile have the elements of this fold side by side, and read arrays where they lie?
  bool is_folded_along_lanes(std::size_t at) {
    const auto& fold = std::get<Fold>(nest_.body[at].form);
    Nest alone = nest_;
    alone.body.erase(alone.body.begin() + static_cast<std::ptrdiff_t>(at) + 1, alone.body.end());
    std::erase_if(alone.body, [&](const Statement& other) {
      return is_fold(other) && name_of(other) != fold.variable;
    });
    alone.element = element_of_fold(fold);
    const auto form = onf::tile_form(function_, alone);
    if (!form) return false;
    tiled_ = true;
    const bool panels = has_panels(module_, function_, alone, *form);
    panels_ = panels_ || panels;
    return !panels;
  }
  Expr element_of_fold(const Fold& fold) const {
    Expr e;
    e.kind = Expr::Kind::variable;
    e.variable = fold.variable;
    e.type = function_.variables[onf::number(fold.variable)].type;
    return e;
  }

  void go(Fold& fold) {
    loops_.push_back({fold.index, length_of(fold.count)});
    for (Statement& statement : fold.body) {
      if (is_fold(statement))
        go(std::get<Fold>(statement.form));
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

  // The loop that is the only one in the component, as itself and a number; null: there is none.
  // Nothing: it is something else.
  std::optional<const Loop*> loop_of(const Expr& component) const {
    const Loop* found = nullptr;
    std::set<VariableId> names;
    note_names(component, names);
    for (const Loop& loop : loops_) {
      if (!names.contains(loop.index)) continue;
      if (found != nullptr || !onf::counts_with(component, loop.index)) return std::nullopt;
      found = &loop;
    }
    const bool other = std::ranges::any_of(names, [&](VariableId id) {
      return declared_.contains(id) && (found == nullptr || id != found->index);
    });
    return other ? std::nullopt : std::optional(found);
  }

  // The loops that the load is in, the lane's last; nothing where it lies side by side already or
  // is no part of an array of which each axis has one index.
  std::optional<Loops> loops_in(const Expr& load) const {
    Loops over;
    std::optional<Loop> lane;
    for (const Expr& component : load.operands) {
      const auto loop = loop_of(component);
      if (!loop) return std::nullopt;
      if (*loop == nullptr) continue;
      const bool known_before = std::ranges::any_of(
          over, [&](const Loop& other) { return other.index == (*loop)->index; });
      if (known_before || !(*loop)->length || !is_constant(*(*loop)->length)) return std::nullopt;
      if ((*loop)->index != lane_)
        over.push_back(**loop);
      else if (lane || &component == &load.operands.back())
        return std::nullopt;
      else
        lane = **loop;
    }
    if (!lane) return std::nullopt;
    over.push_back(*lane);
    return over;
  }
  // Before the nest?
  bool is_constant(const Expr& length) const {
    std::set<VariableId> names;
    note_names(length, names);
    return std::ranges::none_of(names, [&](VariableId id) {
      return declared_.contains(id) ||
             std::ranges::any_of(loops_, [&](const Loop& loop) { return loop.index == id; });
    });
  }

  // Its element of the array that it has from now on, or nothing.
  std::optional<Expr> laid_out(const Expr& load) {
    const auto over = loops_in(load);
    if (!over || load.type.scalar == onf::Scalar::boolean) return std::nullopt;
    std::vector<VariableId> served, indices;
    bool often = false;
    for (const Loop& loop : *over) indices.push_back(loop.index);
    for (const Loop& loop : loops_) {
      if (std::ranges::count(indices, loop.index) > 0) continue;
      served.push_back(loop.index);
      often = often || (loop.length && is_long(*loop.length));
    }
    if (!often) return std::nullopt;
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
    tell(nest_.label, what + ", from row to row along " + name(lane_),
         made + ", in rows along " + name(lane_),
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
  Telling as_it_is() const {
    const std::string along = "along " + name(lane_);
    std::string why = panels_  ? "panels are made for it"
                      : tiled_ ? "nothing is"
                               : "its folds have no tile";
    return {.before = "arrays in their rows",
            .condition = "what is read " + along +
                         " from row to row, and more than once, is copied to rows " + along +
                         ", but " + why,
            .decider = "strides"};
  }

  void tell(const std::string& label, std::string before, std::string after,
            std::string condition) {
    told_.push_back(taken("layout", {label},
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
  term::LocationId location_;
  std::vector<Step>& told_;
  VariableId lane_{};
  Loops loops_;                    // around the place
  std::set<VariableId> declared_;  // in the nest, but for its indices
  std::vector<Nest> copied_;       // of the variables of the nest that reads them
  std::optional<Nest> copy_back_;
  Statements made_;
  bool tiled_ = false, panels_ = false;  // has a fold a tile, and one with panels?
};

std::optional<Statements> nests_laid_out(const onf::Module& module, onf::Function& function,
                                         const Nest& nest, Statements body,
                                         term::LocationId location, std::vector<Step>& told) {
  return LayingOut(module, function, nest, std::move(body), location, told).run();
}

}  // namespace

std::vector<Step> lay_out(onf::Module& module, const Recipe& recipe, const Surroundings& around) {
  const bool ordered = std::ranges::any_of(recipe.steps, [](const RecipeStep& step) {
    return step.kind == StepKind::layout && step.bound;
  });
  return take_in_nests(module, StepKind::layout, nests_laid_out, recipe,
                       ordered ? "`order` is that of all arrays over one domain, but these have "
                                 "shapes of their own, and each has the order that is best for it"
                               : around.no_layout);
}

}  // namespace rhopsi::schedule
