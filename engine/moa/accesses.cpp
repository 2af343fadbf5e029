// Psi correspondence: an access to an array as an affine map to its elements in row-major order.
// Source: ../onf/access.cpp does the same for programs; Mullin (1988), chapter 3.
#include <algorithm>

#include "engine/moa/integers.hpp"
#include "engine/moa/normal_form.hpp"

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;

// An index that runs: of the box, or of a fold around the access.
struct Axis {
  ExprId index;
  std::optional<std::int64_t> low;
  std::optional<std::int64_t> count;
};

struct Found {
  ExprId load;
  std::vector<Axis> axes;
};

// Every access below `root`, with the folds around it; each once.
void collect(Expressions& expressions, ExprId root, std::vector<Axis>& axes,
             std::vector<Found>& found) {
  const Node& node = expressions[root];
  const bool known = std::ranges::find(found, root, &Found::load) != found.end();
  if (node.kind == Kind::load && !known) found.push_back({root, axes});
  const bool folds = node.kind == Kind::fold;
  for (std::size_t k = 0; k < node.operands.size(); ++k) {
    const bool inside = folds && k == 1;
    if (inside) {
      const ExprId index = expressions.variable(node.variable);
      axes.push_back({index, 0, expressions.constant(node.operands[0])});
    }
    collect(expressions, expressions[root].operands[k], axes, found);
    if (inside) axes.pop_back();
  }
}

std::string affine_text(const NormalForm& form, const Found& access) {
  Expressions& expressions = *form.expressions;
  const Node& node = expressions[access.load];
  const Leaf& leaf = form.leaves[number(node.leaf)];
  Sum offset;
  std::int64_t weight = 1;
  for (std::size_t axis = leaf.rank(); axis-- > 0;) {
    if (!leaf.shape[axis]) return "not known before the run";
    offset = add_scaled(offset, sum_of(expressions, node.operands[axis]), weight);
    weight *= *leaf.shape[axis];
  }
  offset = sum_of(expressions, expression_of(expressions, offset));
  std::int64_t start = offset.constant;
  std::string strides;
  std::string counts;
  for (const Axis& axis : access.axes) {
    if (!axis.low || !axis.count) return "not known before the run";
    std::int64_t stride = 0;
    const auto term =
        std::ranges::find(offset.terms, axis.index, &std::pair<ExprId, std::int64_t>::first);
    if (term != offset.terms.end()) {
      stride = term->second;
      offset.terms.erase(term);
    }
    start += stride * *axis.low;
    strides += " " + std::to_string(stride);
    counts += " " + std::to_string(*axis.count);
  }
  if (!offset.terms.empty()) return "not affine";
  return "start " + std::to_string(start) + " strides" + strides + " counts" + counts;
}

}  // namespace

std::string accesses_to_string(const NormalForm& form) {
  Expressions& expressions = *form.expressions;
  std::string text;
  for (const Piece& piece : form.pieces) {
    std::vector<Axis> axes;
    for (std::size_t k = 0; k < piece.box.size(); ++k) {
      const auto low = expressions.constant(piece.box[k].low);
      const auto high = expressions.constant(piece.box[k].high);
      std::optional<std::int64_t> count;
      if (low && high) count = *high - *low;
      axes.push_back({expressions.variable(form.indices[k]), low, count});
    }
    std::vector<Found> found;
    collect(expressions, piece.element, axes, found);
    for (const Found& access : found) {
      text += form.leaves[number(expressions[access.load].leaf)].name + ": " +
              affine_text(form, access) + "\n";
    }
  }
  return text;
}

}  // namespace rhopsi::moa
