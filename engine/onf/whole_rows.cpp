#include "engine/onf/whole_rows.hpp"

#include <algorithm>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/tile.hpp"

namespace rhopsi::onf {

namespace {

bool depends_on_indices(const Expr& e, const std::vector<VariableId>& indices) {
  return std::ranges::any_of(indices, [&](VariableId index) { return depends_on(e, index); });
}

// i, i + a, a + i or i - a, where a is the same for all elements.
bool is_moved(const Expr& e, VariableId index, const std::vector<VariableId>& indices) {
  if (e.kind == Expr::Kind::variable) return e.variable == index;
  if (e.kind != Expr::Kind::apply || e.operands.size() != 2) return false;
  const Expr &left = e.operands[0], &right = e.operands[1];
  if (e.function != ScalarFunction::add && e.function != ScalarFunction::subtract) return false;
  if (is_moved(left, index, indices)) return !depends_on_indices(right, indices);
  return e.function == ScalarFunction::add && !depends_on_indices(left, indices) &&
         is_moved(right, index, indices);
}

bool is_along_memory(const Expr& e, const std::vector<VariableId>& indices) {
  if (e.kind == Expr::Kind::variable)
    return std::ranges::find(indices, e.variable) == indices.end();
  if (e.kind == Expr::Kind::load && depends_on_indices(e, indices)) {
    if (e.operands.size() != indices.size()) return false;
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
      if (!is_moved(e.operands[axis], indices[axis], indices)) return false;
    }
    return true;
  }
  return std::ranges::all_of(e.operands,
                             [&](const Expr& part) { return is_along_memory(part, indices); });
}

}  // namespace

bool reads_along_memory(const Nest& nest) {
  if (!nest.box || nest.indices.size() < 2 || nest.binding != Binding::nested || nest.tile ||
      nest.strip > 0 || !nest.loops.empty()) {
    return false;
  }
  const Expr& first = nest.box->back().low;
  if (first.kind != Expr::Kind::integer || first.integer != 0) return false;
  const bool names = std::ranges::all_of(nest.body, [](const Statement& statement) {
    return std::holds_alternative<Let>(statement.form);
  });
  bool along = names;
  each_of(nest, [&](const Expr& whole) { along = along && is_along_memory(whole, nest.indices); });
  return along;
}

}  // namespace rhopsi::onf
