#include "engine/onf/unrolling.hpp"

#include <algorithm>
#include <utility>

#include "engine/onf/circular.hpp"
#include "engine/onf/each_expression.hpp"

namespace rhopsi::onf {

namespace {

bool is_named_number(const Statement& statement) {
  const auto* let = std::get_if<Let>(&statement.form);
  return let != nullptr && let->constant && let->value;
}

Expr number_like(const Expr& index, std::int64_t value) {
  Expr e;
  e.kind = Expr::Kind::integer;
  e.type = index.type;
  e.integer = value;
  return e;
}

class Moving {
 public:
  Moving(const Nest& nest, std::int64_t by)
      : nest_(nest), axis_(nest.indices.size() - 2), by_(by) {}

  void move(Expr& e) const {
    if (const auto around = circular_index(nest_, e); around && around->axis == axis_) {
      return move_around(e, around->offset + by_);
    }
    if (is_index(e) || is_beside(e)) {
      e = sum_of(std::move(e), by_);
      return;
    }
    if (is_whole_modulo(e)) return move_modulo(e);
    for (Expr& operand : e.operands) move(operand);
  }

 private:
  bool is_index(const Expr& e) const {
    return e.kind == Expr::Kind::variable && e.variable == nest_.indices[axis_];
  }
  bool is_beside(const Expr& e) const {
    return e.kind == Expr::Kind::apply &&
           (e.function == ScalarFunction::add || e.function == ScalarFunction::subtract) &&
           is_index(e.operands[0]) && e.operands[1].kind == Expr::Kind::integer;
  }
  bool is_whole_modulo(const Expr& e) const {
    return e.kind == Expr::Kind::apply && e.function == ScalarFunction::modulo &&
           is_index(e.operands[0]);
  }
  // (j + c) mod n stays of that form, by which circular_index knows it, unless it is a row of the
  // loop: these are all in the domain, and are called what they are called where they are written.
  void move_around(Expr& e, std::int64_t offset) const {
    Expr& sum = e.operands[0];
    if (offset >= 0 && offset < nest_.rows_at_once) {
      Expr index = std::move(sum.operands[0]);
      e = sum_of(std::move(index), offset);
    } else {
      sum.operands[1].integer = offset;
    }
  }
  // j mod n, where j may be beyond the axis: not of that form, which is for an index within it.
  void move_modulo(Expr& e) const {
    Expr sum = sum_of(std::move(e.operands[0]), by_);
    std::ranges::reverse(sum.operands);
    e.operands[0] = std::move(sum);
  }

  const Nest& nest_;
  std::size_t axis_;
  std::int64_t by_;
};

}  // namespace

Expr sum_of(Expr index, std::int64_t by) {
  Expr& own = index;
  const bool sum = own.kind == Expr::Kind::apply && (own.function == ScalarFunction::add ||
                                                     own.function == ScalarFunction::subtract);
  if (sum && own.operands[1].kind == Expr::Kind::integer &&
      (own.operands[0].kind == Expr::Kind::variable ||
       own.operands[0].kind == Expr::Kind::extent)) {
    const std::int64_t before = own.operands[1].integer;
    by += own.function == ScalarFunction::add ? before : -before;
    Expr first = std::move(own.operands[0]);
    index = std::move(first);
  }
  if (by == 0) return index;
  Expr e;
  e.kind = Expr::Kind::apply;
  e.function = by < 0 ? ScalarFunction::subtract : ScalarFunction::add;
  e.type = index.type;
  Expr number = number_like(index, by < 0 ? -by : by);
  e.operands = {std::move(index), std::move(number)};
  return e;
}

void join_numbers(Expr& whole) {
  for (Expr& operand : whole.operands) join_numbers(operand);
  const auto sums = [](const Expr& e) {
    return (applies(e, ScalarFunction::add) || applies(e, ScalarFunction::subtract)) &&
           e.operands[1].kind == Expr::Kind::integer;
  };
  if (!sums(whole) || !sums(whole.operands[0])) return;
  if (whole.operands[0].operands[0].kind != Expr::Kind::extent) return;
  const std::int64_t number = whole.operands[1].integer;
  const bool more = whole.function == ScalarFunction::add;
  whole = sum_of(Expr(whole.operands[0]), more ? number : -number);
}

std::optional<std::string> rows_fault(const Nest& nest, bool in_planes) {
  if (nest.rows_at_once == 1) return std::nullopt;
  if (nest.rows_at_once < 1) return "a nest does no row at a time";
  const std::string several =
      "a nest does " + std::to_string(nest.rows_at_once) + " rows at once, but ";
  if (nest.binding != Binding::rows || nest.box || nest.tile || nest.joined) {
    return several + "has no loop over rows";
  }
  if (nest.indices.size() < (in_planes ? 3 : 2)) return several + "no rows lie side by side";
  if (!std::ranges::all_of(nest.body, is_named_number)) {
    return several + "does more for an element than to compute it";
  }
  return std::nullopt;
}

Nest moved_by_rows(const Nest& nest, std::int64_t by) {
  Nest made = nest;
  const Moving moving(nest, by);
  const auto move = [&](Expr& e) { moving.move(e); };
  each_in(
      made.body, [](const auto&) {}, move);
  move(made.element);
  for (Nest::Output& output : made.also) move(output.element);
  return made;
}

Expr moved_by_rows(const Nest& nest, Expr e, std::int64_t by) {
  Moving(nest, by).move(e);
  return e;
}

}  // namespace rhopsi::onf
