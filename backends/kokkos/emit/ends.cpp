// Choices by the place in the domain, as boundary conditions are, in loops along rows.
//
//   if 1 <= k then u[i, j, k - 1] else c    =>  u_row[k - 1]                      between the ends
//   if 1 <= i then u[i - 1, j, k] else c    =>  const bool here = 1 <= i;         before the row
//                                               const auto u_im1_or = choose_row(here, u_im1, cs);
//                                               u_im1_or[k]                      in it
//   if 1 <= i then f(i) else c              =>  blend(here, f(i), c)             in it
#include <algorithm>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/circular.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/positions.hpp"

namespace rhopsi::kokkos {

using onf::Expr;
using onf::Scalar;
using onf::ScalarFunction;

namespace {

// Of so many operations both sides are computed.
constexpr std::size_t most_operations = 64;

bool is_light_function(const Expr& e) {
  switch (e.type.scalar) {
    case Scalar::float32:
    case Scalar::float64:
      return e.function != ScalarFunction::modulo &&
             (e.function < ScalarFunction::exp || e.function > ScalarFunction::pow);
    case Scalar::boolean:
      return e.function >= ScalarFunction::less && e.function <= ScalarFunction::not_;
    default:
      return e.function <= ScalarFunction::maximum && !onf::may_trap(e);
  }
}

// May it be computed though nobody asks for it, at little cost? Arrays over the domain can be read
// beside every index, and what is chosen by the place is decided without a fault.
bool is_light(const onf::Positions& positions, const Expr& e, std::size_t& operations) {
  if (++operations > most_operations) return false;
  switch (e.kind) {
    case Expr::Kind::integer:
    case Expr::Kind::real:
    case Expr::Kind::boolean:
    case Expr::Kind::variable:
    case Expr::Kind::parameter:
    case Expr::Kind::extent:
    case Expr::Kind::load:
      return true;
    case Expr::Kind::apply:
      if (!is_light_function(e)) return false;
      break;
    case Expr::Kind::if_:
      break;
    default:
      return false;
  }
  const bool by_place = e.kind == Expr::Kind::if_ && positions.is_positional(e.operands[0]);
  return std::all_of(e.operands.begin() + (by_place ? 1 : 0), e.operands.end(),
                     [&](const Expr& part) { return is_light(positions, part, operations); });
}

// One argument of a macro, which takes the commas of template arguments for its own.
std::string of_macro(std::string text) {
  return text.find(',') == std::string::npos ? text : "(" + std::move(text) + ")";
}

Expr extent(std::size_t axis) {
  Expr e;
  e.kind = Expr::Kind::extent;
  e.axis = static_cast<int>(axis);
  e.type = {onf::Representation::Kind::scalar, Scalar::int64, {}};
  return e;
}

}  // namespace

// Is it a position in the domain, mostly one without going around?
bool FunctionWriter::is_position(const Expr& e) const {
  return kernel_ != nullptr && kernel_->nest != nullptr &&
         onf::Positions(*kernel_->nest).goes_around(e);
}

// What all elements of a row have in common, as a variable in front of it, and of a pipeline in
// front of all rows of a plane. `e`: what it depends on.
std::string FunctionWriter::in_front(const onf::Positions& positions, const Expr& e,
                                     const Declared& made) {
  const std::size_t last = kernel_->by_rows->indices.size() - 1;
  bool of_plane = kernel_->pipeline != nullptr;
  for (std::size_t axis = 1; axis < last; ++axis) {
    of_plane = of_plane && !positions.has_index(e, axis);
  }
  const auto [place, fresh] =
      (of_plane ? kernel_->values : kernel_->row_names).try_emplace(made.value);
  if (fresh) {
    place->second = locals_.unique(made.name);
    (of_plane ? kernel_->planes : kernel_->rows).push_back({made.type, place->second, made.value});
  }
  return place->second;
}

// A position that a row has as a whole is computed once for it, since what goes around keeps a loop
// from having vectors.
std::string FunctionWriter::position(const Expr& e) {
  const auto text = [&](const Expr& each) {
    return "rhopsi::position(" + arguments(each.operands) + ")";
  };
  if (kernel_->by_rows == nullptr) return text(e);
  const onf::Positions positions(kernel_->of_row != nullptr ? *kernel_->of_row : *kernel_->by_rows);
  if (positions.has_index(e.operands[0], kernel_->by_rows->indices.size() - 1)) return text(e);
  return in_front(positions, e.operands[0], {"std::int64_t", "place", text(positions.resolved(e))});
}

// A choice's condition, between the ends of a row as it is there.
Expr FunctionWriter::condition_here(const onf::Positions& positions, const Expr& choice) const {
  if (!kernel_->between_ends) return choice.operands[0];
  const onf::Nest& nest = kernel_->of_row != nullptr ? *kernel_->of_row : *kernel_->by_rows;
  return onf::between_ends(positions, nest, kernel_->row_reach, choice.operands[0]);
}

// In a loop along rows, outside of indices.
RowChoice FunctionWriter::row_choice(const Expr& e) {
  // Of several rows at once each has its own numbers of the same names.
  const onf::Positions positions(kernel_->of_row != nullptr ? *kernel_->of_row : *kernel_->by_rows);
  RowChoice choice{positions, condition_here(positions, e)};
  const Expr& condition = choice.condition;
  const auto always = [&](std::size_t branch) {
    choice.kind = RowChoice::Kind::branch;
    choice.branch = &e.operands[branch];
    return choice;
  };
  if (condition.kind == Expr::Kind::boolean) return always(condition.integer != 0 ? 1 : 2);
  choice.load = row_choice_reads(positions, e);
  if (choice.load) {
    choice.kind = RowChoice::Kind::row;
    return choice;
  }
  if (const auto side = plain_side(positions, condition, e)) return always(*side);
  std::size_t operations = 0;
  if (positions.is_positional(condition) && is_light(positions, e.operands[1], operations) &&
      is_light(positions, e.operands[2], operations)) {
    choice.kind = RowChoice::Kind::blend;
    choice.along = positions.has_index(condition, kernel_->by_rows->indices.size() - 1);
  }
  return choice;
}

// Empty: a choice like any other.
std::string FunctionWriter::choice_by_place(const Expr& e, int precedence) {
  if (kernel_ == nullptr || kernel_->by_rows == nullptr || narrows()) return {};
  const RowChoice choice = row_choice(e);
  switch (choice.kind) {
    case RowChoice::Kind::branch:
      // An integer says its type as the choice does, which is no literal.
      return choice.branch->kind == Expr::Kind::integer ? argument(*choice.branch)
                                                        : expression(*choice.branch, precedence);
    case RowChoice::Kind::row:
      return in_row(chosen_row(choice.positions, e), *choice.load);
    case RowChoice::Kind::blend:
      return "RHOPSI_BLEND(" + type_of(e.type) + ", " +
             of_macro(of_a_row(choice.positions, choice.condition)) + ", " +
             of_macro(argument(e.operands[1])) + ", " + of_macro(argument(e.operands[2])) + ")";
    case RowChoice::Kind::none:
      break;
  }
  return {};
}

namespace {

// The first index in it that is modulo the length of its axis, since what is written goes beyond
// the ends of that. Null: none.
const Expr* modulo_in(const Expr& e) {
  if (e.kind == Expr::Kind::apply && e.function == ScalarFunction::modulo) return &e;
  for (const Expr& part : e.operands) {
    if (const Expr* const found = modulo_in(part)) return found;
  }
  return nullptr;
}

}  // namespace

// A comparison of an index with an end of its axis. i + 3 < n0 + 2  =>  i < n0 - 1
std::string FunctionWriter::bound_text(const onf::Positions& positions, const Expr& condition) {
  const Expr& e = positions.of(condition);
  const bool order = e.kind == Expr::Kind::apply && e.function >= ScalarFunction::less &&
                     e.function <= ScalarFunction::greater_equal;
  if (!order) return expression(condition, 0);
  const Expr resolved = positions.resolved(e);
  const Expr* const modulo = modulo_in(resolved);
  const auto found = positions.bounds(e, true);
  if (found.size() != 1 || (modulo != nullptr && !positions.is_position(*modulo)))
    return expression(condition, 0);
  const onf::PositionBound& bound = found.front();
  if (std::string text = bound_at_end(bound); !text.empty()) return text;
  const std::string index =
      modulo != nullptr ? expression(*modulo, 0) : name(kernel_->by_rows->indices[bound.axis]);
  const std::string at =
      bound.from_end ? moved(expression(extent(bound.axis)), bound.at) : std::to_string(bound.at);
  return bound.least ? at + " <= " + index : index + " < " + at;
}

// The same along a row in a block at an end of it, where it holds of all elements, or of none, but
// at one of the ends.  k < n2 - 1  =>  !at.high || x < at.end - 1
std::string FunctionWriter::bound_at_end(const onf::PositionBound& bound) {
  const EndNames& end = kernel_->end;
  const onf::Margin& reach = kernel_->row_reach;
  if (end.block == 0 || bound.axis + 1 != kernel_->by_rows->indices.size()) return {};
  if (bound.from_end ? -bound.at > reach.high : bound.at > reach.low) return {};
  const std::string side = end.at + (bound.from_end ? ".high" : ".low");
  const std::string place = moved(end.at + (bound.from_end ? ".end" : ".begin"), bound.at);
  return (bound.from_end == bound.least ? side + " && " : "!" + side + " || ") +
         (bound.least ? place + " <= " + end.step : end.step + " < " + place);
}

// A condition; in front of the row, where all its elements have the same, and of a pipeline in
// front of all rows of a plane.
std::string FunctionWriter::of_a_row(const onf::Positions& positions, const Expr& condition) {
  const std::size_t last = kernel_->by_rows->indices.size() - 1;
  if (positions.has_index(condition, last)) return bound_text(positions, condition);
  const std::string text = bound_text(positions, positions.resolved(condition));
  return in_front(positions, condition, {"bool", "here", text});
}

namespace {

// Of loads of rows: at the same place along them?
bool at_one_place(const onf::Nest& nest, const Expr& a, const Expr& b) {
  const Expr &one = a.operands.back(), &other = b.operands.back();
  const std::size_t last = nest.indices.size() - 1;
  return onf::circular_index(nest, one).has_value() ==
             onf::circular_index(nest, other).has_value() &&
         onf::offset_from(nest, one, last) == onf::offset_from(nest, other, last);
}

}  // namespace

// Is it a number that all elements of all rows have, and nothing that may trap?
bool FunctionWriter::is_number_of_rows(const Expr& e) const {
  return e.type.kind == onf::Representation::Kind::scalar && invariant(e) && ends_quietly(e);
}

// One of the loads of what is an element of one row or another, or a number, by where the row is:
// all are at the same place along it. Nothing for anything else.
std::optional<Expr> FunctionWriter::row_choice_reads(const onf::Positions& positions,
                                                     const Expr& e) {
  if (goes_in_runs() || e.kind != Expr::Kind::if_) return std::nullopt;
  const Expr condition = condition_here(positions, e);
  const std::size_t last = kernel_->by_rows->indices.size() - 1;
  const bool decided = condition.kind == Expr::Kind::boolean;
  if (!decided && (!positions.is_positional(condition) || positions.has_index(condition, last)))
    return std::nullopt;
  std::optional<Expr> load;
  for (const std::size_t k : {1, 2}) {
    const Expr& branch = positions.of(e.operands[k]);
    if (decided && (condition.integer != 0) != (k == 1)) continue;
    if (is_number_of_rows(branch)) continue;
    const auto found =
        branch.kind == Expr::Kind::load
            ? (same_along_rows(branch.view) || row_of(branch).empty() ? std::nullopt
                                                                      : std::optional(branch))
            : row_choice_reads(positions, branch);
    if (!found || (load && !at_one_place(*kernel_->by_rows, *found, *load))) return std::nullopt;
    load = found;
  }
  return load;
}

// Is it an element that a choice names, which may be of a row that is chosen in front of the loop?
bool FunctionWriter::is_seen_through(const onf::Let& s) const {
  if (kernel_ == nullptr || kernel_->by_rows == nullptr || !s.value) return false;
  if (s.value->kind != Expr::Kind::load) return false;
  bool found = false;
  onf::each_of(*kernel_->by_rows, [&](const Expr& whole) {
    onf::each_part(whole, [&](const Expr& e) {
      const auto names = [&](const Expr& part) {
        return part.kind == Expr::Kind::variable && part.variable == s.variable;
      };
      found = found || (e.kind == Expr::Kind::if_ && std::ranges::any_of(e.operands, names));
    });
  });
  return found;
}

// Its row, as a variable in front of the loop along it.
std::string FunctionWriter::chosen_row(const onf::Positions& positions, const Expr& choice) {
  const Expr& e = positions.of(choice);
  if (e.kind == Expr::Kind::load) return row_of(e);
  if (e.kind != Expr::Kind::if_) return constant_row(e);
  const Expr condition = condition_here(positions, e);
  if (condition.kind == Expr::Kind::boolean)
    return chosen_row(positions, e.operands[condition.integer != 0 ? 1 : 2]);
  const std::string then = chosen_row(positions, e.operands[1]);
  const std::string otherwise = chosen_row(positions, e.operands[2]);
  const std::string text = "rhopsi::choose_row<" + type_of(e.type) + ">(" +
                           of_a_row(positions, condition) + ", " + then + ", " + otherwise + ")";
  const auto [place, fresh] = kernel_->row_names.try_emplace(text);
  if (fresh) {
    place->second = locals_.unique(then + "_or");
    kernel_->rows.push_back({"auto", place->second, text});
  }
  return place->second;
}

std::string FunctionWriter::constant_row(const Expr& number) {
  const Expr length = extent(kernel_->by_rows->indices.size() - 1);
  const std::string type = "rhopsi::ConstantRow<" + type_of(number.type) + ">";
  const bool literal = number.kind == Expr::Kind::integer || number.kind == Expr::Kind::real ||
                       number.kind == Expr::Kind::boolean;
  const std::string value = literal ? constant(number, true) : expression(number);
  const std::string made = hoisted(
      type, "constant",
      type + "(" + value + ", " + expression(length) + ", " + std::to_string(module_.pad) + ")");
  // Whoever holds the row has a copy of it.
  const std::string text = made + ".row()";
  const auto [place, fresh] = kernel_->row_names.try_emplace(text);
  if (fresh) {
    place->second = locals_.unique("constants");
    kernel_->rows.push_back({"auto", place->second, text});
  }
  return place->second;
}

}  // namespace rhopsi::kokkos
