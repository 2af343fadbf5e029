#include "engine/onf/over_domain.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "engine/onf/circular_loads.hpp"
#include "engine/onf/decided.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/forward_copies.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/narrow_rounds.hpp"
#include "engine/onf/positions.hpp"
#include "engine/onf/preconditions.hpp"
#include "engine/onf/scalar_size.hpp"
#include "engine/onf/unrolling.hpp"
#include "engine/onf/where_asked.hpp"
#include "engine/onf/windows.hpp"

namespace rhopsi::onf {

namespace {

using Kind = Expr::Kind;

// One function of the module.
class Mover {
 public:
  // What the lengths decide is added to `decided`.
  Mover(Function& function, const std::vector<std::int64_t>& lengths, Preconditions& decided)
      : function_(function),
        lengths_(lengths),
        decided_(decided),
        windows_(function, lengths),
        at_(function.location) {}

  using Lengths = std::map<std::string, std::vector<std::int64_t>>;

  std::optional<DomainObstacle> run(const Lengths& others, const Lengths& less) {
    note_parts(less);
    look_for_windows(others);
    if (!found_) look_at_axes();
    for (const Argument& argument : function_.arguments) {
      if (argument.view && !argument.window && !found_) look_for_part(*argument.view);
    }
    if (found_) return std::move(found_);
    move(function_.body);
    give_away_parts();
    for (Block& block : function_.blocks) {
      block.extents.reset();  // of numbers too, which nothing names any more
      block.box.assign(lengths_.size(), {});
    }
    function_.result_view.reset();
    return std::move(found_);
  }

 private:
  void fail(std::string what) { fail(std::move(what), at_); }
  void fail(std::string what, term::LocationId location) {
    if (!found_) found_ = DomainObstacle{{}, std::move(what), location};
  }

  // Has each array as many axes as the domain, or none?
  void look_at_axes() {
    for (const Argument& argument : function_.arguments) {
      if (argument.view && !argument.window) name_array(*argument.view);
    }
    if (function_.result_view) name_array(*function_.result_view);
    for (const View& view : function_.views) {
      const auto& extents = function_.blocks[number(view.block)].extents;
      const auto id = static_cast<ViewId>(&view - function_.views.data());
      if (windows_.is_one(id) || windows_.is_window(id)) continue;
      if (!extents || (extents->size() != lengths_.size() && !extents->empty()))
        fail("has an array of another number of axes");
    }
  }

  void note_parts(const Lengths& less) {
    for (const Argument& argument : function_.arguments) {
      if (!argument.view || argument.window) continue;
      const auto given = less.find(function_.views[number(*argument.view)].name);
      if (given != less.end()) less_[block_of(*argument.view)] = given->second;
    }
  }

  void look_for_windows(const Lengths& others) {
    std::vector<ViewId> views;
    for (const Argument& argument : function_.arguments) {
      if (!argument.view || argument.window || argument.mode != term::Mode::obs) continue;
      const auto given = others.find(function_.views[number(*argument.view)].name);
      if (given == others.end()) continue;
      const std::string& name = function_.views[number(*argument.view)].name;
      const auto& extents = function_.blocks[number(block_of(*argument.view))].extents;
      if (!extents || extents->size() != given->second.size())
        return fail("is given " + name + " with another number of axes");
      windows_.add(*argument.view, given->second);
      views.push_back(*argument.view);
    }
    if (auto obstacle = windows_.make_arguments()) return fail(std::move(*obstacle));
    for (const ViewId view : views) check_lengths(view);
  }
  // What the program says of its lengths has to be what they are, wherever the form is used.
  void check_lengths(ViewId view) {
    std::vector<Expr> extents = *function_.blocks[number(block_of(view))].extents;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      rename(extents[axis]);
      const auto here = decided_by(lengths_, extents[axis]);
      if (here != windows_.length_here(view, axis)) return refuse_lengths(view, at_);
      Expr equal = applied(ScalarFunction::equal, Scalar::boolean,
                           {std::move(extents[axis]), windows_.length(view, axis)});
      decided_.add(std::move(equal), true);
    }
  }

  bool has_no_axes(ViewId view) const {
    const auto& extents = function_.blocks[number(function_.views[number(view)].block)].extents;
    return extents && extents->empty();
  }
  // An array without axes is a number that is made where it is used, and not given away.
  void name_array(ViewId view) {
    if (has_no_axes(view)) fail("has an array of another number of axes");
  }

  // --- parts of the domain

  BlockId block_of(ViewId view) const { return function_.views[number(view)].block; }
  // By how many elements the array is shorter along each axis; empty: by none.
  const std::vector<std::int64_t>& less_of(ViewId view) const {
    static const std::vector<std::int64_t> none;
    const auto found = less_.find(block_of(view));
    return found == less_.end() ? none : found->second;
  }
  bool is_out(ViewId view) const {
    return std::ranges::any_of(function_.arguments, [&](const Argument& argument) {
      return argument.view == view && argument.mode == term::Mode::out;
    });
  }
  // Of an array whose block tells its lengths, which are no other array's.
  void look_for_part(ViewId view) {
    std::vector<std::int64_t> less;
    std::vector<Expr> extents = *function_.blocks[number(block_of(view))].extents;
    for (std::size_t axis = 0; axis < extents.size() && !found_; ++axis) {
      rename(extents[axis]);
      if (const auto by = less_than_length(extents[axis], axis)) less.push_back(*by);
    }
    if (less.size() < extents.size()) return refuse_lengths(view, at_);
    if (std::ranges::all_of(less, [](std::int64_t by) { return by == 0; })) return;
    if (!is_real(function_.blocks[number(block_of(view))].element))
      return refuse_lengths(view, at_);
    less_[block_of(view)] = std::move(less);
  }
  void give_away_parts() {
    for (Argument& argument : function_.arguments) {
      if (argument.view) argument.less = less_of(*argument.view);
    }
    if (function_.result_view) function_.result_less = less_of(*function_.result_view);
  }
  void refuse_lengths(ViewId view, term::LocationId location) {
    fail("makes an array of other lengths, " + function_.views[number(view)].name, location);
  }

  // --- expressions

  // An array has the domain's lengths, or so many elements less: each is asked for its lengths
  // where it comes in, is declared or allocated.
  void rename(Expr& whole) {
    each_part(whole, [&](Expr& e) {
      if (e.kind == Kind::length) {
        if (windows_.is_one(e.view)) {
          e = windows_.length(e.view, static_cast<std::size_t>(e.axis));
          return;
        }
        const auto& less = less_of(e.view);
        e.kind = Kind::extent;
        e.view = {};
        if (!less.empty()) e = sum_of(e, -less[static_cast<std::size_t>(e.axis)]);
      } else if (e.kind == Kind::variable) {
        const auto found = lengths_in_.find(e.variable);
        if (found == lengths_in_.end()) return;
        const term::LocationId location = e.location;
        e = found->second;
        e.location = location;
      } else if (e.kind == Kind::load && windows_.is_one(e.view)) {
        if (!windows_.replace(e))
          fail("reads " + function_.views[number(e.view)].name +
               " outside of a loop over all axes");
      } else if (e.kind == Kind::load && has_no_axes(e.view)) {
        const auto found = numbers_.find(e.view);
        // It was to be made by what could not be moved.
        if (found == numbers_.end()) return fail("reads a number that is not made");
        e.kind = Kind::variable;
        e.variable = found->second;
        e.view = {};
      } else if (e.kind == Kind::view) {
        name_array(e.view);
      }
    });
    join_numbers(whole);
  }
  static bool is_extent(const Expr& e, std::size_t axis) {
    return e.kind == Kind::extent && static_cast<std::size_t>(e.axis) == axis;
  }
  // A number that is it has to be the length of that axis wherever the form is used.
  bool is_length(const Expr& e, std::size_t axis) const {
    if (e.kind != Kind::integer) return is_extent(e, axis);
    if (e.integer != lengths_[axis]) return false;
    decided_.add_length(axis, e);
    return true;
  }

  // By how many it is less than the length of that axis.
  std::optional<std::int64_t> less_than_length(const Expr& e, std::size_t axis) const {
    if (is_length(e, axis)) return 0;
    const bool less = is_less(e) && is_extent(e.operands[0], axis);
    return less ? std::optional(e.operands[1].integer) : std::nullopt;
  }
  static bool is_less(const Expr& e) {
    return e.kind == Kind::apply && e.function == ScalarFunction::subtract &&
           e.operands[0].kind == Kind::extent && e.operands[1].kind == Kind::integer &&
           e.operands[1].integer > 0;
  }

  // A number that is the length of the axis by which an index goes around is that length.
  void name_lengths(Expr& whole) const {
    each_part(whole, [&](Expr& e) {
      if (e.kind != Kind::load) return;
      for (std::size_t axis = 0; axis < e.operands.size(); ++axis)
        name_length(e.operands[axis], axis);
    });
  }
  void name_length(Expr& index, std::size_t axis) const {
    each_part(index, [&](Expr& e) {
      if (e.kind != Kind::apply || e.function != ScalarFunction::modulo) return;
      Expr& length = e.operands[1];
      if (length.kind != Kind::integer || !is_length(length, axis)) return;
      length.kind = Kind::extent;
      length.axis = static_cast<int>(axis);
      length.integer = 0;
    });
  }

  // --- statements

  void move(Statements& body) {
    Statements made;
    for (Statement& statement : body) {
      if (found_) return;
      at_ = statement.location == term::LocationId{} ? function_.location : statement.location;
      auto* const nest = std::get_if<Nest>(&statement.form);
      if (nest != nullptr && nest->box && nest->box->empty()) {
        number_of(*nest, made);
        continue;
      }
      auto* const choice = std::get_if<If>(&statement.form);
      if (choice != nullptr && chosen(*choice, made)) continue;
      if (std::visit([&](auto& form) { return keep(form); }, statement.form)) {
        made.push_back(std::move(statement));
      }
    }
    body = std::move(made);
  }

  // What does not run in every call.
  void move_perhaps(Statements& body) {
    ++perhaps_;
    move(body);
    --perhaps_;
  }

  // The one element of an array without axes, as a number: it is computed where the nest stood.
  void number_of(Nest& nest, Statements& made) {
    move(nest.body);
    rename(nest.element);
    std::ranges::move(nest.body, std::back_inserter(made));
    const View& view = function_.views[number(nest.target)];
    const auto variable = static_cast<VariableId>(function_.variables.size());
    function_.variables.push_back({view.name, nest.element.type, at_});
    numbers_[nest.target] = variable;
    made.push_back({Let{variable, std::move(nest.element), true}, at_});
  }

  // What the lengths decide of it has to be so wherever the form is used.
  std::optional<bool> relied_on(const Expr& condition) const {
    const auto holds = decided_by(lengths_, condition);
    if (!holds) return std::nullopt;
    decided_.add(condition, *holds != 0);
    return *holds != 0;
  }

  // A branch that the lengths choose stands alone.
  bool chosen(If& choice, Statements& made) {
    rename(choice.condition);
    const auto holds = relied_on(choice.condition);
    if (!holds) return false;
    Statements& taken = *holds ? choice.then : choice.otherwise;
    move(taken);
    std::ranges::move(taken, std::back_inserter(made));
    return true;
  }

  // Renames what the statement names; false: it is gone.
  template <class Other>
  bool keep(Other&) {
    fail("has a statement that only arrays with shapes of their own take");
    return true;
  }
  bool keep(Declare& s) {
    name_array(s.view);
    if (!found_) look_for_part(s.view);
    return true;
  }
  bool keep(Share& s) {
    name_array(s.target), name_array(s.source);
    if (!found_) look_for_part(s.target);
    if (less_of(s.source) == less_of(s.target)) return true;
    if (perhaps_ > 0 || !is_out(s.target)) refuse_lengths(s.source, at_);
    less_[block_of(s.target)] = less_of(s.source);
    return true;
  }
  bool keep(Fold& s) {
    rename(s.count);
    move_perhaps(s.body);
    rename(s.element);
    return true;
  }
  bool keep(Return& s) {
    if (s.value) rename(*s.value);
    return true;
  }
  bool keep(Assign& s) {
    rename(s.value);
    return true;
  }
  bool keep(Let& s) {
    if (!s.value) return true;
    rename(*s.value);
    const bool length = s.value->kind == Kind::extent || is_less(*s.value);
    if (!length || !s.constant) return true;
    lengths_in_.emplace(s.variable, *s.value);
    return false;
  }
  bool keep(Allocate& s) {
    if (has_no_axes(s.view)) return false;
    look_for_part(s.view);
    if (s.in_place_of) fail("has been scheduled");
    return true;
  }
  bool keep(Check& s) {
    rename(s.condition);
    for (Expr& one : s.numbers) rename(one);
    const auto holds = decided_by(lengths_, s.condition);
    if (holds && *holds == 0) fail("tests what these lengths do not fulfil: " + s.message, {});
    if (holds && *holds != 0) decided_.add_test(s.condition, s.message, perhaps_ > 0);
    return !holds;
  }
  bool keep(Nest& s) {
    const std::string& made = function_.views[number(s.target)].name;
    const std::vector<std::int64_t>& less = less_of(s.target);
    for (std::size_t axis = 0; axis < lengths_.size(); ++axis) {
      Interval& interval = (*s.box)[axis];
      rename(interval.low), rename(interval.high);
      const bool whole = interval.low.kind == Kind::integer && interval.low.integer == 0 &&
                         less_than_length(interval.high, axis) == (less.empty() ? 0 : less[axis]);
      if (!whole) fail("makes a part of " + made + " by a loop of its own");
    }
    s.box.reset();
    indices_in_.clear();
    where_asked_ = {};
    Statements kept;
    for (Statement& statement : s.body) {
      auto* const let = std::get_if<Let>(&statement.form);
      if (let == nullptr || !let->value) {
        if (where_asked_.put(statement)) continue;
        fail("makes elements of " + made + " by statements");
        return true;
      }
      if (!keep_value(s, statement)) continue;
      kept.push_back(std::move(statement));
    }
    s.body = std::move(kept);
    element(s, s.element);
    return true;
  }
  // A number of the element. Only at the ends of an axis it may be at a constant offset, as the
  // first element is from the second, and then it is computed where conditions ask for it.
  bool keep_value(const Nest& nest, Statement& statement) {
    auto& let = std::get<Let>(statement.form);
    Expr as_written = *let.value;
    const auto elsewhere = move_element(nest, *let.value);
    if (!elsewhere) {
      check_beyond(nest, *let.value);
      indices_in_.insert_or_assign(let.variable, *let.value);
      return true;
    }
    let.value = std::move(as_written);
    if (!let.constant || !where_asked_.put(statement)) refuse_access(*elsewhere);
    return false;
  }
  void element(const Nest& nest, Expr& whole) {
    if (const auto elsewhere = move_element(nest, whole)) return refuse_access(*elsewhere);
    check_beyond(nest, whole);
  }
  void check_beyond(const Nest& nest, const Expr& whole) {
    if (!less_of(nest.target).empty() && !always_has_value(whole))
      fail("may fail beyond " + function_.views[number(nest.target)].name +
           ", which is an array of other lengths");
  }
  void refuse_access(const Expr& load) {
    fail("reads " + function_.views[number(load.view)].name +
         " at an index that is no constant offset from its own");
  }
  // The access that is at no constant offset, if there is one.
  std::optional<Expr> move_element(const Nest& nest, Expr& whole) {
    where_asked_.substitute(whole);
    const auto meaning = [&](VariableId variable) -> const Expr* {
      const auto found = indices_in_.find(variable);
      return found == indices_in_.end() ? nullptr : &found->second;
    };
    windows_.replace(nest, meaning, whole);
    rename(whole);
    name_lengths(whole);
    const auto by_lengths = [&](const Expr& condition) { return relied_on(condition); };
    return make_loads_circular(nest, whole, meaning, by_lengths);
  }
  bool keep(Scope& s) {
    move(s.body);
    return true;
  }
  bool keep(If& s) {
    rename(s.condition);
    move_perhaps(s.then);
    move_perhaps(s.otherwise);
    return true;
  }
  bool keep(For& s) {
    if (narrow_ && has_narrow_rounds(s)) fail("changes a part of an array in each round of a loop");
    rename(s.low), rename(s.high);
    move_perhaps(s.body);
    return true;
  }
  bool keep(Iterate& s) {
    rename(s.count);
    move_perhaps(s.body);
    return true;
  }
  bool keep(While& s) {
    move(s.before);
    rename(s.condition), rename(s.bound);
    move_perhaps(s.body);
    return true;
  }

  Function& function_;
  const bool narrow_ = has_narrow_loops_alone(function_.body);
  const std::vector<std::int64_t>& lengths_;
  Preconditions& decided_;
  Windows windows_;
  std::map<BlockId, std::vector<std::int64_t>> less_;  // of those that are parts of the domain
  std::map<VariableId, Expr> lengths_in_;              // what variables hold
  std::map<VariableId, Expr> indices_in_;              // the same, in the nest that is looked at
  WhereAsked where_asked_;                             // there
  std::map<ViewId, VariableId> numbers_;               // what arrays without axes were
  int perhaps_ = 0;                                    // branches and loops around
  term::LocationId at_;
  std::optional<DomainObstacle> found_;
};

}  // namespace

std::optional<DomainObstacle> put_over_domain(
    Module& module, const std::vector<std::int64_t>& lengths,
    const std::map<std::string, std::vector<std::int64_t>>& others,
    const std::map<std::string, std::vector<std::int64_t>>& less) {
  for (const FunctionId id : module.order) {
    Function& function = module.functions[number(id)];
    forward_copies(function, lengths.size());
    Preconditions decided(module, function, lengths.size());
    if (auto found = Mover(function, lengths, decided).run(others, less)) {
      found->function = id;
      return found;
    }
    decided.finish();
  }
  module.rank = static_cast<int>(lengths.size());
  module.one_shape = lengths;
  return std::nullopt;
}

}  // namespace rhopsi::onf
