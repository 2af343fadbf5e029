#include "tests/unit/schedule/random_form.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>
#include <utility>

#include "tests/unit/schedule/forms.hpp"

namespace rhopsi::schedule {

namespace {

enum class Kind { sweeps, control, boxes, faces };

class Writer {
 public:
  explicit Writer(unsigned seed, Kind kind = Kind::sweeps)
      : random_(seed),
        form_(1 + int(seed % 4), seed / 4 % 2 == 0 ? 3 : 0),
        control_(kind == Kind::control),
        boxes_(kind == Kind::boxes),
        faces_(kind == Kind::faces) {}

  RandomForm write() {
    arguments();
    const int statements = below(12) + 1;
    for (int k = 0; k < statements; ++k) statement();
    // What is still unset at the end takes any value.
    for (const onf::ViewId view : unset_) {
      form_.assign(view, element(2));
    }
    RandomForm made{form_.finish(), {}, over_boxes_};
    for (int axis = 0; axis < made.module.rank; ++axis) made.shape.push_back(1 + below(6));
    // Of axis 1 more, so that there are tiles side by side.
    if (made.module.rank == 3) made.shape[1] = 1 + below(14);
    return made;
  }

  // g(upd a, obs c, obs k: a number): a few assignments.
  onf::Function callee() {
    form_.function.name = "g";
    set_ = {form_.argument("a", term::Mode::upd), form_.argument("c", term::Mode::obs)};
    changed_ = {set_[0]};
    last_ = set_[0];
    numbers_ = {variable("k", real_type)};
    form_.function.arguments.push_back({term::Mode::obs, std::nullopt, numbers_[0]});
    const int statements = 1 + below(3);
    for (int k = 0; k < statements; ++k) statement();
    return form_.function;
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

  void arguments() {
    arrays();
    if (!control_) return;
    integer_ = variable("n", int64_type);
    numbers_ = {variable("x", real_type)};
    form_.function.arguments.push_back({term::Mode::obs, std::nullopt, *integer_});
    form_.function.arguments.push_back({term::Mode::obs, std::nullopt, numbers_[0]});
    last_ = set_[0];
    counted_ = variable("y", real_type);
    form_.emit(onf::Let{*counted_, real(0.25), false});
    numbers_.push_back(*counted_);
  }
  void arrays() {
    set_.push_back(form_.argument("a", term::Mode::upd));
    changed_.push_back(set_[0]);
    if (below(2) == 0) set_.push_back(form_.argument("c", term::Mode::obs));
    for (int k = 0; k < below(3); ++k) {
      set_.push_back(form_.argument("b" + std::to_string(k), term::Mode::upd));
      changed_.push_back(set_.back());
    }
    if (below(3) == 0) {
      unset_.push_back(form_.argument("o", term::Mode::out));
    }
  }

  // Often what was computed last, so that few statements come to nothing.
  onf::ViewId any() { return below(2) == 0 ? last_ : set_[std::size_t(below(int(set_.size())))]; }

  void statement() {
    if (control_ && below(3) == 0) return controlled();
    if (boxes_ && below(3) != 0) return over_a_box();
    if (faces_ && below(3) != 0) return through_faces();
    const int kind = below(8);
    if (kind < 2 || (kind == 2 && unset_.empty())) {  // another variable
      const onf::ViewId made = form_.view("v" + std::to_string(locals_++));
      if (kind == 0) {
        form_.copy(made, any(), true);
      } else {
        form_.assign(made, element(3), true);
      }
      set_.push_back(made);
      changed_.push_back(made);
      last_ = made;
    } else if (kind == 2) {
      form_.assign(unset_.back(), element(3));
      set_.push_back(unset_.back());
      changed_.push_back(unset_.back());
      unset_.pop_back();
    } else {
      const onf::ViewId target = changed_[std::size_t(below(int(changed_.size())))];
      if (kind == 3) {
        form_.copy(target, any());
      } else {
        form_.assign(target, element(3));
      }
      last_ = target;
    }
  }

  // --- statements over boxes: elsewhere the array keeps its value, or has another one

  void over_a_box() {
    const onf::ViewId target = changed_[std::size_t(below(int(changed_.size())))];
    const std::vector<std::int64_t> here(std::size_t(form_.module.rank), 0);
    const int kind = below(4);
    const onf::Expr elsewhere = kind == 0   ? real(0.5)
                                : kind == 1 ? form_.load(any(), here)
                                            : form_.load(target, here);
    onf::Expr value = element(3);
    for (onf::Expr& condition : box()) {
      value = choice_of(std::move(condition), std::move(value), elsewhere);
    }
    form_.assign(target, std::move(value));
    last_ = target;
    ++over_boxes_;
  }

  // What holds of the indices of a box: one without some ends of some axes, or a plane of these.
  std::vector<onf::Expr> box() {
    std::vector<onf::Expr> holds;
    const int plane = below(3) == 0 ? below(form_.module.rank) : -1;
    const int often = below(3);  // all ends, about half of them, or few
    for (int axis = 0; axis < form_.module.rank; ++axis) {
      if (axis == plane) {
        add_plane(axis, below(3), holds);
        continue;
      }
      if (below(1 + often) == 0) holds.push_back(begins_at(axis, 1 + below(3)));
      if (below(1 + often) == 0) holds.push_back(ends_before(axis, 1 + below(3)));
    }
    if (holds.empty()) holds.push_back(begins_at(0, 1));
    return holds;
  }
  void add_plane(int axis, std::int64_t at, std::vector<onf::Expr>& holds) {
    if (below(2) == 0) {
      holds.push_back(begins_at(axis, at));
      holds.push_back(less(form_.position(axis), integer(at + 1)));
    } else {  // from the end
      holds.push_back(ends_before(axis, at));
      holds.push_back(less(extent(axis), sum(form_.position(axis), integer(at + 2))));
    }
  }
  onf::Expr begins_at(int axis, std::int64_t low) {
    return less(integer(low - 1), form_.position(axis));
  }
  onf::Expr ends_before(int axis, std::int64_t high) {
    return less(sum(form_.position(axis), integer(high)), extent(axis));
  }

  // --- statements of the same function of two faces or more, with conditions at the ends

  void through_faces() {
    const onf::ViewId target = changed_[std::size_t(below(int(changed_.size())))];
    onf::Expr value = form_.load(target, std::vector<std::int64_t>(indices(), 0));
    for (int axes = 1 + below(2); axes > 0; --axes) {
      const int axis = below(form_.module.rank);
      const onf::ViewId from = any();
      const std::mt19937 function = random_;
      onf::Expr sum = face(from, axis, -1, 3);
      for (std::int64_t at = 0; at < 2; ++at) {
        random_ = function;
        onf::Expr other = face(from, axis, at, 3);
        if (at > 0 && below(2) == 0) continue;
        sum = apply(onf::ScalarFunction::subtract, {std::move(sum), std::move(other)});
      }
      onf::Expr part = apply(onf::ScalarFunction::multiply, {real(0.125), std::move(sum)});
      // Conditions of another axis, or none, around all of it.
      if (below(4) == 0) part = choice_of(begins_at(below(form_.module.rank), 1), part, real(0.5));
      value = apply(onf::ScalarFunction::add, {std::move(value), std::move(part)});
    }
    form_.assign(target, std::move(value));
    last_ = target;
  }

  // Some function of what is on both sides of it, no product of two, which grows from statement to
  // statement.
  onf::Expr face(onf::ViewId from, int axis, std::int64_t at, int depth) {
    using onf::ScalarFunction;
    if (depth == 0) {
      if (below(6) == 0) return real(0.25 * (below(9) - 4));
      return beside(from, axis, at + below(2));
    }
    const int kind = below(6);
    onf::Expr left = face(from, axis, at, depth - 1);
    if (kind == 0) return apply(ScalarFunction::multiply, {real(-0.75), std::move(left)});
    onf::Expr right = face(from, axis, at, depth - 1);
    if (kind == 1 && depth == 1) {
      onf::Expr condition = less(left, right);
      return choice_of(std::move(condition), std::move(left), std::move(right));
    }
    return apply(kind % 2 == 0 ? ScalarFunction::add : ScalarFunction::subtract,
                 {std::move(left), std::move(right)});
  }

  // The element that is so far away, or another one or a number where there is none.
  onf::Expr beside(onf::ViewId from, int axis, std::int64_t by) {
    std::vector<std::int64_t> offset(indices(), 0);
    onf::Expr end = form_.load(from, offset);
    // As many numbers whichever element it is, so that faces have one function.
    const int kind = below(3), corner = below(4), how = below(2);
    if (kind == 0) end = real(0.75);
    if (kind == 1) {
      offset[std::size_t(axis)] = -by;
      end = form_.load(from, offset);
    }
    offset[std::size_t(axis)] = by;
    const int other = (axis + 1) % form_.module.rank;
    const bool at_corner = corner == 0 && other != axis;
    if (at_corner) offset[std::size_t(other)] = 1;
    onf::Expr made = form_.load(from, offset);
    if (at_corner) made = choice_of(ends_before(other, 1), std::move(made), end);
    if (by < 0) return choice_of(begins_at(axis, -by), std::move(made), std::move(end));
    if (by == 0) return made;
    if (how == 0) return choice_of(ends_before(axis, by), std::move(made), std::move(end));
    return choice_of(less(sum(extent(axis), integer(-by - 1)), form_.position(axis)),
                     std::move(end), std::move(made));
  }
  std::size_t indices() const { return std::size_t(form_.module.rank); }

  // --- loops, branches and what no schedule takes

  onf::VariableId variable(const std::string& name, const onf::Representation& type) {
    form_.function.variables.push_back({name, type, {}});
    return static_cast<onf::VariableId>(form_.function.variables.size() - 1);
  }
  onf::Expr named(onf::VariableId id) const {
    onf::Expr e;
    e.kind = onf::Expr::Kind::variable;
    e.variable = id;
    e.type = form_.function.variables[onf::number(id)].type;
    return e;
  }
  static onf::Expr less(onf::Expr a, onf::Expr b) {
    return truth_of(onf::ScalarFunction::less, {std::move(a), std::move(b)});
  }

  // Statements whose names are not seen outside, but for one that may count them.
  onf::Statements block(int statements, std::optional<onf::VariableId> index = std::nullopt) {
    const auto set = set_, changed = changed_, unset = unset_;
    const auto recent = recent_;
    const auto numbers = numbers_;
    const auto last = last_;
    onf::Statements outside = std::exchange(form_.function.body, {});
    ++depth_;
    if (index) number_of(*index);
    if (below(3) == 0) count_on();
    for (int k = 0; k < statements; ++k) statement();
    if (below(3) == 0) count_on();
    --depth_;
    set_ = set, changed_ = changed, unset_ = unset, recent_ = recent, last_ = last;
    numbers_ = numbers;
    return std::exchange(form_.function.body, std::move(outside));
  }

  void number_of(onf::VariableId index) {
    numbers_.push_back(variable("z", real_type));
    onf::Expr number = apply(onf::ScalarFunction::convert, {named(index)});
    number.type = real_type;
    form_.emit(onf::Let{numbers_.back(), std::move(number)});
  }
  // y = 0.5 * y + a number
  void count_on() {
    const onf::VariableId more = numbers_[std::size_t(below(int(numbers_.size())))];
    onf::Expr half = apply(onf::ScalarFunction::multiply, {real(0.5), named(*counted_)});
    form_.emit(
        onf::Assign{*counted_, apply(onf::ScalarFunction::add, {std::move(half), named(more)})});
  }

  onf::Expr count() { return below(2) == 0 ? named(*integer_) : integer(below(5)); }

  // total = the sum of elements along axis 0, on the host
  onf::VariableId total(const std::string& name) {
    const onf::VariableId sum = variable(name, real_type), at = variable("k", int64_type);
    onf::Expr element;
    element.kind = onf::Expr::Kind::load;
    element.type = real_type;
    element.view = any();
    for (int axis = 0; axis < form_.module.rank; ++axis) {
      element.operands.push_back(axis == 0 ? named(at) : integer(0));
    }
    onf::Fold fold;
    fold.variable = sum, fold.index = at, fold.count = extent(0);
    fold.function = onf::ScalarFunction::add;
    fold.element = std::move(element);
    form_.emit(std::move(fold));
    return sum;
  }

  // greatest = the greatest difference of elements of two arrays, one of them beside the other
  onf::VariableId greatest(const std::string& name) {
    const onf::VariableId made = variable(name, real_type);
    std::vector<onf::VariableId> indices;
    onf::Expr element, other;
    element.kind = onf::Expr::Kind::load;
    element.type = real_type;
    element.view = any();
    for (int axis = 0; axis < form_.module.rank; ++axis) {
      indices.push_back(variable("q" + std::to_string(axis), int64_type));
      element.operands.push_back(named(indices.back()));
    }
    other = element;
    other.view = any();
    const int beside = below(form_.module.rank);
    onf::Expr& moved = other.operands[std::size_t(beside)];
    moved = apply(onf::ScalarFunction::modulo,
                  {sum(std::move(moved), integer(below(5) - 2)), extent(beside)});
    moved.type = int64_type;
    onf::Expr difference =
        apply(onf::ScalarFunction::subtract, {std::move(element), std::move(other)});
    for (int axis = form_.module.rank - 1; axis >= 0; --axis) {
      onf::Fold fold;
      fold.variable = axis == 0 ? made : variable("part", real_type);
      fold.index = indices[std::size_t(axis)], fold.count = extent(axis);
      fold.function = onf::ScalarFunction::maximum;
      fold.element = std::move(difference);
      if (axis + 1 < form_.module.rank) fold.body = std::exchange(inner_, {});
      difference = named(fold.variable);
      if (axis == 0) {
        form_.emit(std::move(fold));
      } else {
        inner_.push_back({std::move(fold), {}});
      }
    }
    return made;
  }

  // A nest whose element takes statements.
  void folded_nest() {
    const onf::ViewId result = form_.view("folded");
    form_.emit(onf::Allocate{result});
    form_.nest(result, real(0));
    auto& nest = std::get<onf::Nest>(form_.function.body.back().form);
    onf::Fold fold;
    fold.variable = variable("s", real_type), fold.index = variable("m", int64_type);
    fold.count = integer(1 + below(3));
    fold.function = onf::ScalarFunction::add;
    fold.element = load();
    nest.element = named(fold.variable);
    nest.body.push_back({std::move(fold), {}});
    if (form_.module.pad > 0) form_.emit(onf::Refill{result});
    const onf::ViewId target = changed_[std::size_t(below(int(changed_.size())))];
    form_.emit(onf::Share{target, result, false, true});
    last_ = target;
  }

  void call() {
    const onf::ViewId target = changed_[std::size_t(below(int(changed_.size())))];
    const onf::ViewId source = any();
    if (source == target) return;
    onf::Expr e;
    e.kind = onf::Expr::Kind::call;
    e.callee = onf::FunctionId{1};
    for (const onf::ViewId view : {target, source}) {
      onf::Expr operand;
      operand.kind = onf::Expr::Kind::view;
      operand.type = {onf::Representation::Kind::array, onf::Scalar::float64, {}};
      operand.view = view;
      e.operands.push_back(std::move(operand));
    }
    e.operands.push_back(named(numbers_[std::size_t(below(int(numbers_.size())))]));
    form_.emit(onf::Call{std::nullopt, std::move(e)});
    last_ = target;
  }

  void controlled() {
    const std::string number = std::to_string(locals_++);
    if (below(4) == 0) {
      numbers_.push_back(greatest("greatest" + number));
      return;
    }
    switch (below(depth_ < 2 ? 9 : 5)) {
      case 0:
        return folded_nest();
      case 1:
        numbers_.push_back(total("total" + number));
        return;
      case 2:
        numbers_.push_back(variable("t" + number, real_type));
        form_.emit(onf::Let{numbers_.back(), apply(onf::ScalarFunction::multiply,
                                                   {real(0.5), named(numbers_.front())})});
        return;
      case 3:
        return call();
      case 4:
        form_.emit(onf::Check{less(integer(0), extent(0)), "some"});
        return;
      case 5:
        return iterate();
      case 6: {
        onf::For loop;
        loop.index = variable("r" + number, int64_type);
        loop.low = integer(below(2));
        loop.high = count();
        loop.body = block(1 + below(3), loop.index);
        form_.emit(std::move(loop));
        return;
      }
      case 7: {
        onf::If branch;
        branch.condition = less(named(*integer_), integer(3));
        branch.then = block(1 + below(3));
        if (below(2) == 0) branch.otherwise = block(1 + below(2));
        form_.emit(std::move(branch));
        return;
      }
      default: {
        onf::While loop;
        onf::Statements outside = std::exchange(form_.function.body, {});
        const onf::VariableId tested = total("tested" + number);
        loop.before = std::exchange(form_.function.body, std::move(outside));
        loop.condition = less(named(tested), real(0.5));
        loop.bound = integer(below(4));
        loop.body = block(1 + below(3));
        form_.emit(std::move(loop));
      }
    }
  }
  void iterate() {
    onf::Iterate loop;
    loop.count = count();
    loop.body = block(1 + below(2));
    form_.emit(std::move(loop));
  }

  onf::Expr load() {
    std::vector<std::int64_t> offset(std::size_t(form_.module.rank), 0);
    if (below(3) != 0) offset[std::size_t(below(form_.module.rank))] = below(7) - 3;
    if (below(6) == 0) offset[std::size_t(below(form_.module.rank))] = below(7) - 3;
    return form_.load(any(), offset);
  }

  // What was computed already, at its index or beside it.
  onf::Expr again() {
    const onf::Expr& found = recent_[std::size_t(below(int(recent_.size())))];
    if (below(2) == 0) return found;
    const int axis = below(form_.module.rank);
    onf::Expr moved = found;
    return move(moved, axis, below(2) == 0 ? 1 : -1) ? moved : found;
  }
  // False where an element would be too far away for the pads.
  bool move(onf::Expr& e, int axis, std::int64_t by) {
    if (e.kind == onf::Expr::Kind::load) {
      std::vector<std::int64_t> offset;
      for (const onf::Expr& index : e.operands) offset.push_back(offset_of(index));
      offset[std::size_t(axis)] += by;
      e = form_.load(e.view, offset);
      return std::abs(offset[std::size_t(axis)]) <= 3;
    }
    return std::ranges::all_of(e.operands, [&](onf::Expr& o) { return move(o, axis, by); });
  }
  // The number in i + number, or in that modulo the length.
  static std::int64_t offset_of(const onf::Expr& index) {
    const bool wrapped =
        index.kind == onf::Expr::Kind::apply && index.function == onf::ScalarFunction::modulo;
    const onf::Expr& at = wrapped ? index.operands[0] : index;
    return at.kind == onf::Expr::Kind::variable ? 0 : at.operands[1].integer;
  }

  onf::Expr position() {
    onf::Expr made =
        apply(onf::ScalarFunction::convert, {form_.position(below(form_.module.rank))});
    made.type = real_type;
    return made;
  }

  onf::Expr element(int depth) {
    using onf::ScalarFunction;
    const int kind = depth == 0 ? 0 : below(6);
    if (kind < 2) {
      if (kind == 1 && below(3) == 0) return real(0.25 * (below(9) - 4));
      if (!numbers_.empty() && below(5) == 0) {
        return named(numbers_[std::size_t(below(int(numbers_.size())))]);
      }
      if (kind == 1 && below(4) == 0) return position();
      recent_.push_back(load());
      return recent_.back();
    }
    if (kind == 2 && !recent_.empty()) return again();
    if (kind == 3 && below(4) == 0) {
      // Each in a statement of its own: arguments are evaluated in any order, and forms have to be
      // the same under every compiler.
      onf::Expr less_one = element(depth - 1);
      onf::Expr condition = less(std::move(less_one), element(depth - 1));
      onf::Expr then = element(depth - 1);
      onf::Expr otherwise = element(depth - 1);
      return choice_of(std::move(condition), std::move(then), std::move(otherwise));
    }
    constexpr ScalarFunction functions[] = {ScalarFunction::add, ScalarFunction::subtract,
                                            ScalarFunction::multiply};
    const ScalarFunction function = functions[below(3)];
    onf::Expr made = apply(function, {element(depth - 1), element(depth - 1)});
    recent_.push_back(made);
    return made;
  }

  std::mt19937 random_;
  FormBuilder form_;
  std::vector<onf::ViewId> set_, changed_, unset_;
  std::vector<onf::Expr> recent_;
  onf::ViewId last_{};
  int locals_ = 0;
  bool control_, boxes_, faces_;
  std::size_t over_boxes_ = 0;
  std::optional<onf::VariableId> integer_ = {}, counted_ = {};
  std::vector<onf::VariableId> numbers_ = {};
  onf::Statements inner_ = {};  // of a fold
  int depth_ = 0;               // of blocks
};

}  // namespace

RandomForm random_form(unsigned seed) { return Writer(seed).write(); }

RandomForm random_form_over_boxes(unsigned seed) { return Writer(seed, Kind::boxes).write(); }

RandomForm random_form_of_faces(unsigned seed) { return Writer(seed, Kind::faces).write(); }

RandomForm random_form_with_control(unsigned seed) {
  RandomForm made = Writer(seed, Kind::control).write();
  // Of the same rank, with the same pads.
  made.module.functions.push_back(Writer(seed + 8000).callee());
  made.module.order = {onf::FunctionId{1}, onf::FunctionId{0}};
  return made;
}

}  // namespace rhopsi::schedule
