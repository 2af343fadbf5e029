#include "engine/onf/positions.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/scalar_size.hpp"

namespace rhopsi::onf {

namespace {

// What is further than that from an index is not followed, so that nothing overflows.
constexpr std::int64_t most_offset = std::int64_t{1} << 30;
// Ends of rows that are longer are no ends.
constexpr std::int64_t most_reach = 16;

bool is_small(const LinearPosition& position) {
  const auto small = [](std::int64_t n) { return n > -most_offset && n < most_offset; };
  return small(position.index) && small(position.length) && small(position.number);
}

LinearPosition combined_positions(const LinearPosition& left, const LinearPosition& right,
                                  std::int64_t times) {
  return {left.index + times * right.index, left.length + times * right.length,
          left.number + times * right.number};
}

// By how many elements at the end that it counts from rows are cut, so that it is decided between.
std::int64_t reach_of(const PositionBound& bound) { return bound.from_end ? -bound.at : bound.at; }

// The condition that elements between the ends of rows fulfil or not.
bool holds_between(const PositionBound& bound) { return bound.least != bound.from_end; }

}  // namespace

bool may_trap(const Expr& e) {
  const bool divides = e.kind == Expr::Kind::apply && (e.function == ScalarFunction::divide ||
                                                       e.function == ScalarFunction::modulo);
  return divides && !is_real(e.type.scalar) &&
         (e.operands[1].kind != Expr::Kind::integer || e.operands[1].integer == 0);
}

bool always_has_value(const Expr& e) {
  using Kind = Expr::Kind;
  if (e.kind == Kind::call || e.kind == Kind::external || e.kind == Kind::library) return false;
  if (may_trap(e) && e.operands[1].kind != Kind::extent) return false;
  const bool cuts_off = e.kind == Kind::apply && e.function == ScalarFunction::convert &&
                        !is_real(e.type.scalar) && is_real(e.operands[0].type.scalar);
  return !cuts_off && std::ranges::all_of(e.operands, always_has_value);
}

Positions::Positions(const Nest& nest) : nest_(nest) {
  std::map<VariableId, const Expr*> named;
  for (const Statement& statement : nest.body) {
    const auto* let = std::get_if<Let>(&statement.form);
    if (let != nullptr && let->constant && let->value) named.emplace(let->variable, &*let->value);
  }
  meaning_ = [named = std::move(named)](VariableId variable) {
    const auto found = named.find(variable);
    return found == named.end() ? nullptr : found->second;
  };
}

const Expr& Positions::of(const Expr& e) const {
  if (e.kind != Expr::Kind::variable) return e;
  const Expr* found = meaning_(e.variable);
  return found == nullptr ? e : of(*found);
}

Expr Positions::resolved(const Expr& e) const {
  Expr made = of(e);
  for (Expr& operand : made.operands) operand = resolved(operand);
  return made;
}

std::optional<LinearPosition> Positions::linear(const Expr& given,
                                                std::optional<std::size_t>& axis) const {
  const Expr& e = of(given);
  const auto of_axis = [&](std::size_t found,
                           LinearPosition what) -> std::optional<LinearPosition> {
    if (axis && *axis != found) return std::nullopt;
    axis = found;
    return what;
  };
  if (e.kind == Expr::Kind::integer) return LinearPosition{0, 0, e.integer};
  if (e.kind == Expr::Kind::extent) return of_axis(static_cast<std::size_t>(e.axis), {0, 1, 0});
  if (e.kind == Expr::Kind::variable) {
    const auto found = std::ranges::find(nest_.indices, e.variable);
    if (found == nest_.indices.end()) return std::nullopt;
    return of_axis(static_cast<std::size_t>(found - nest_.indices.begin()), {1, 0, 0});
  }
  if (e.kind == Expr::Kind::apply && e.function == ScalarFunction::negate) {
    const auto value = linear(e.operands[0], axis);
    return value && is_small(*value) ? std::optional(combined_positions({}, *value, -1))
                                     : std::nullopt;
  }
  if (e.kind != Expr::Kind::apply || e.operands.size() != 2) return std::nullopt;
  if (is_position(e)) return linear(e.operands[0], axis);
  const auto left = linear(e.operands[0], axis);
  const auto right = left ? linear(e.operands[1], axis) : std::nullopt;
  if (!left || !right || !is_small(*left) || !is_small(*right)) return std::nullopt;
  const auto is_number = [](const LinearPosition& p) { return p.index == 0 && p.length == 0; };
  switch (e.function) {
    case ScalarFunction::add:
      return combined_positions(*left, *right, 1);
    case ScalarFunction::subtract:
      return combined_positions(*left, *right, -1);
    case ScalarFunction::multiply:
      if (is_number(*right)) return combined_positions({}, *left, right->number);
      if (is_number(*left)) return combined_positions({}, *right, left->number);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

bool Positions::is_position(const Expr& e) const {
  if (e.kind != Expr::Kind::apply || e.function != ScalarFunction::modulo) return false;
  const Expr &index = of(e.operands[0]), &length = of(e.operands[1]);
  return index.kind == Expr::Kind::variable && length.kind == Expr::Kind::extent &&
         static_cast<std::size_t>(length.axis) < nest_.indices.size() &&
         nest_.indices[static_cast<std::size_t>(length.axis)] == index.variable;
}

bool Positions::goes_around(const Expr& e) const {
  if (e.kind != Expr::Kind::apply || e.function != ScalarFunction::modulo) return false;
  const Expr& length = of(e.operands[1]);
  return length.kind == Expr::Kind::extent &&
         static_cast<std::size_t>(length.axis) < nest_.indices.size() &&
         has_index(e.operands[0], static_cast<std::size_t>(length.axis));
}

std::vector<PositionBound> Positions::bounds(const Expr& condition, bool holds) const {
  std::vector<PositionBound> found;
  follow(of(condition), holds, found);
  return found;
}

void Positions::follow(const Expr& e, bool holds, std::vector<PositionBound>& found) const {
  if (e.kind != Expr::Kind::apply) return;
  const auto part = [&](std::size_t k) -> const Expr& { return of(e.operands[k]); };
  const auto order = [&](std::size_t greater, std::int64_t by, std::int64_t otherwise) {
    if (holds) return at_least(part(greater), part(1 - greater), by, found);
    at_least(part(1 - greater), part(greater), otherwise, found);
  };
  switch (e.function) {
    case ScalarFunction::not_:
      return follow(part(0), !holds, found);
    case ScalarFunction::and_:
    case ScalarFunction::or_:
      if (holds != (e.function == ScalarFunction::and_)) return;
      follow(part(0), holds, found), follow(part(1), holds, found);
      return;
    case ScalarFunction::less:
      return order(1, 1, 0);
    case ScalarFunction::less_equal:
      return order(1, 0, 1);
    case ScalarFunction::greater:
      return order(0, 1, 0);
    case ScalarFunction::greater_equal:
      return order(0, 0, 1);
    case ScalarFunction::equal:
    case ScalarFunction::not_equal:
      if (holds != (e.function == ScalarFunction::equal)) return;
      at_least(part(0), part(1), 0, found), at_least(part(1), part(0), 0, found);
      return;
    default:
      return;
  }
}

// left - right >= by
void Positions::at_least(const Expr& left, const Expr& right, std::int64_t by,
                         std::vector<PositionBound>& found) const {
  std::optional<std::size_t> axis;
  const auto a = linear(left, axis);
  const auto b = a ? linear(right, axis) : std::nullopt;
  if (!a || !b || !axis || !is_small(*a) || !is_small(*b)) return;
  const LinearPosition gap = combined_positions(*a, *b, -1);
  const std::int64_t number = gap.number - by;
  // i >= -length * N - number, or i < length * N + number + 1
  if (gap.index == 1 && (gap.length == 0 || gap.length == -1)) {
    found.push_back({*axis, true, gap.length != 0, -number});
  }
  if (gap.index == -1 && (gap.length == 0 || gap.length == 1)) {
    found.push_back({*axis, false, gap.length != 0, number + 1});
  }
}

bool Positions::is_positional(const Expr& given) const {
  const Expr& e = of(given);
  switch (e.kind) {
    case Expr::Kind::integer:
    case Expr::Kind::boolean:
    case Expr::Kind::extent:
      return true;
    case Expr::Kind::variable:
      return std::ranges::count(nest_.indices, e.variable) > 0;
    case Expr::Kind::apply:
      if (may_trap(e) && !goes_around(e)) return false;
      break;
    case Expr::Kind::if_:
      break;
    default:
      return false;
  }
  return std::ranges::all_of(e.operands, [&](const Expr& part) { return is_positional(part); });
}

bool Positions::has_index(const Expr& given, std::size_t axis) const {
  const Expr& e = of(given);
  if (e.kind == Expr::Kind::variable) return e.variable == nest_.indices[axis];
  return std::ranges::any_of(e.operands, [&](const Expr& part) { return has_index(part, axis); });
}

std::optional<bool> decided_inside(const Positions& positions, const Expr& condition,
                                   std::int64_t ends) {
  const Expr& e = positions.of(condition);
  if (e.kind == Expr::Kind::boolean) return e.integer != 0;
  if (e.kind != Expr::Kind::apply) return std::nullopt;
  const auto part = [&](std::size_t k) { return decided_inside(positions, e.operands[k], ends); };
  const bool either = e.function == ScalarFunction::or_;
  if (e.function == ScalarFunction::not_) {
    const auto holds = part(0);
    return holds ? std::optional(!*holds) : std::nullopt;
  }
  if (either || e.function == ScalarFunction::and_) {
    const auto left = part(0), right = part(1);
    if (left == either || right == either) return either;
    return left && right ? std::optional(!either) : std::nullopt;
  }
  const bool unequal = e.function == ScalarFunction::not_equal;
  const std::vector<PositionBound> bounds = positions.bounds(e, !unequal);
  bool all = !bounds.empty();
  for (const PositionBound& bound : bounds) {
    const bool decided = reach_of(bound) <= ends;
    if (decided && !holds_between(bound)) return unequal;
    all = all && decided;
  }
  return all ? std::optional(!unequal) : std::nullopt;
}

namespace {

void add_distances(const Positions& positions, const Expr& given, bool holds,
                   std::vector<Margin>& found) {
  const Expr& e = positions.of(given);
  if (e.kind != Expr::Kind::apply) return;
  if (e.function == ScalarFunction::not_)
    return add_distances(positions, e.operands[0], !holds, found);
  const bool both = e.function == ScalarFunction::and_;
  if (both || e.function == ScalarFunction::or_) {
    if (holds != both) return;
    for (const Expr& part : e.operands) add_distances(positions, part, holds, found);
    return;
  }
  const bool equality = e.function == ScalarFunction::equal;
  const bool unequal = (equality || e.function == ScalarFunction::not_equal) && holds != equality;
  for (const PositionBound& bound : positions.bounds(e, unequal ? equality : holds)) {
    if (bound.axis >= found.size()) continue;
    Margin& distance = found[bound.axis];
    const bool before = bound.least && !bound.from_end, behind = !bound.least && bound.from_end;
    // What is not the first element has one before it, and what is not the last one behind it.
    const std::int64_t count = unequal ? (bound.at == 0 ? 1 : 0) : before ? bound.at : -bound.at;
    if (before) distance.low = std::max(distance.low, count);
    if (behind) distance.high = std::max(distance.high, count);
  }
}

}  // namespace

std::vector<Margin> distance_from_ends(const Positions& positions, std::size_t rank,
                                       const Expr& condition, bool holds) {
  std::vector<Margin> found(rank);
  add_distances(positions, condition, holds, found);
  return found;
}

void widen(std::vector<Margin>& distances, const std::vector<Margin>& by) {
  for (std::size_t axis = 0; axis < by.size(); ++axis) {
    distances[axis].low = std::max(distances[axis].low, by[axis].low);
    distances[axis].high = std::max(distances[axis].high, by[axis].high);
  }
}

Margin condition_reach(const Nest& nest) {
  Margin reach;
  const Positions positions(nest);
  each_of(nest, [&](const Expr& whole) {
    each_part(whole, [&](const Expr& e) {
      if (e.type.scalar != Scalar::boolean || e.kind != Expr::Kind::apply) return;
      for (const PositionBound& bound :
           positions.bounds(e, e.function != ScalarFunction::not_equal)) {
        const std::int64_t cut = reach_of(bound);
        if (bound.axis + 1 != nest.indices.size() || cut > most_reach) continue;
        std::int64_t& end = bound.from_end ? reach.high : reach.low;
        end = std::max(end, cut);
      }
    });
  });
  return reach;
}

namespace {

// Of a comparison; nothing where it differs from element to element, or from row to row.
std::optional<bool> decided_between_ends(const Positions& positions, const Nest& nest,
                                         const Margin& reach, const Expr& e) {
  const bool unequal = e.function == ScalarFunction::not_equal;
  const std::vector<PositionBound> bounds = positions.bounds(e, !unequal);
  bool all = !bounds.empty();
  for (const PositionBound& bound : bounds) {
    const std::int64_t cut = bound.from_end ? reach.high : reach.low;
    if (bound.axis + 1 != nest.indices.size() || reach_of(bound) > cut) {
      all = false;
    } else if (!holds_between(bound)) {
      return unequal;
    }
  }
  return all ? std::optional(!unequal) : std::nullopt;
}

}  // namespace

Expr between_ends(const Positions& positions, const Nest& nest, const Margin& reach,
                  const Expr& given) {
  Expr e = positions.of(given);
  if (e.kind != Expr::Kind::apply) return given;
  const bool both = e.function == ScalarFunction::and_, either = e.function == ScalarFunction::or_;
  if (!both && !either && e.function != ScalarFunction::not_) {
    const auto holds = decided_between_ends(positions, nest, reach, e);
    return holds ? truth(*holds) : given;
  }
  for (Expr& part : e.operands) part = between_ends(positions, nest, reach, part);
  const auto is = [&](std::size_t k, bool value) {
    return e.operands[k].kind == Expr::Kind::boolean && (e.operands[k].integer != 0) == value;
  };
  if (!both && !either) return is(0, true) || is(0, false) ? truth(is(0, false)) : e;
  if (is(0, either) || is(1, either)) return truth(either);
  if (is(0, both)) return e.operands[1];
  return is(1, both) ? e.operands[0] : e;
}

}  // namespace rhopsi::onf
