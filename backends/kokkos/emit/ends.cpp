// Choices by the place in the domain, as boundary conditions are, in loops along rows.
//
//   if 1 <= k then u[i, j, k - 1] else c    =>  u_row[k - 1]                      between the ends
//   if 1 <= i then u[i - 1, j, k] else c    =>  const bool inside = 1 <= i;       before the row
//                                               blend(inside, u_im1[k], c)       in it
#include <algorithm>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
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
// beside every index.
bool is_light(const Expr& e, std::size_t& operations) {
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
  return std::ranges::all_of(e.operands,
                             [&](const Expr& part) { return is_light(part, operations); });
}

}  // namespace

// Is it the index of a nest's axis, modulo the length of that?
bool FunctionWriter::is_position(const Expr& e) const {
  return kernel_ != nullptr && kernel_->nest != nullptr &&
         onf::Positions(*kernel_->nest).is_position(e);
}

// Empty: a choice like any other.
std::string FunctionWriter::choice_by_place(const Expr& e, int precedence) {
  if (kernel_ == nullptr || kernel_->by_rows == nullptr || narrows()) return {};
  // Of several rows at once each has its own numbers of the same names.
  const onf::Nest& nest = kernel_->of_row != nullptr ? *kernel_->of_row : *kernel_->by_rows;
  const onf::Positions positions(nest);
  Expr condition = e.operands[0];
  if (kernel_->between_ends) {
    condition = onf::between_ends(positions, nest, kernel_->row_reach, condition);
  }
  if (condition.kind == Expr::Kind::boolean) {
    return expression(e.operands[condition.integer != 0 ? 1 : 2], precedence);
  }
  if (std::string text = plain_choice(positions, condition, e, precedence); !text.empty())
    return text;
  std::size_t operations = 0;
  const bool both_computed = positions.is_positional(condition) &&
                             is_light(e.operands[1], operations) &&
                             is_light(e.operands[2], operations);
  if (!both_computed) return {};
  return "rhopsi::blend<" + type_of(e.type) + ">(" + of_a_row(positions, condition) + ", " +
         argument(e.operands[1]) + ", " + argument(e.operands[2]) + ")";
}

// A condition; in front of the row, where all its elements have the same, and of a pipeline in
// front of all rows of a plane.
std::string FunctionWriter::of_a_row(const onf::Positions& positions, const Expr& condition) {
  const std::size_t last = kernel_->by_rows->indices.size() - 1;
  if (positions.has_index(condition, last)) return expression(condition, 0);
  const std::string text = expression(positions.resolved(condition), 0);
  bool of_plane = kernel_->pipeline != nullptr;
  for (std::size_t axis = 1; axis < last; ++axis) {
    of_plane = of_plane && !positions.has_index(condition, axis);
  }
  const auto [place, fresh] = (of_plane ? kernel_->values : kernel_->row_names).try_emplace(text);
  if (fresh) {
    place->second = locals_.unique("here");
    (of_plane ? kernel_->planes : kernel_->rows)
        .push_back("const bool " + place->second + " = " + text + ";");
  }
  return place->second;
}

}  // namespace rhopsi::kokkos
