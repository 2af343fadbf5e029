// Psi correspondence: an access to an array as an affine map to its elements in row-major order.
// Source: ../onf/access.cpp does the same for programs; Mullin (1988), chapter 3.
#include <algorithm>
#include <set>

#include "engine/moa/integers.hpp"
#include "engine/moa/normal_form.hpp"

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;
using Function = ScalarFunction;

// An index that runs: of the box, or of a fold around the access. `length`: where `count` is none.
struct Axis {
  ExprId index;
  std::optional<std::int64_t> low;
  std::optional<std::int64_t> count;
  ExprId length;

  friend bool operator==(const Axis&, const Axis&) = default;
};

// Where an access stands: the indices that run there, as far as the conditions around it leave
// them; and whether one of these is not about one index alone.
struct Around {
  std::vector<Axis> axes;
  bool conditional = false;
  bool never = false;

  friend bool operator==(const Around&, const Around&) = default;
};

struct Found {
  ExprId load;
  std::size_t around;
};

// Every access below a root, with what is around it.
class Accesses {
 public:
  Accesses(const NormalForm& form, Around around) : form_(form), expressions_(*form.expressions) {
    around_.push_back(std::move(around));
  }

  const std::vector<Found>& below(ExprId root) {
    visit(root, 0);
    // What is read anyway is read under conditions too.
    std::set<ExprId> always;
    for (const Found& each : found_) {
      if (each.around == 0) always.insert(each.load);
    }
    std::erase_if(
        found_, [&](const Found& each) { return each.around != 0 && always.contains(each.load); });
    return found_;
  }

  const Around& around(std::size_t place) const { return around_[place]; }

 private:
  void visit(ExprId root, std::size_t here) {
    if (around_[here].never || !seen_.emplace(root, here).second) return;
    const Node& node = expressions_[root];
    switch (node.kind) {
      case Kind::select:
        visit(node.operands[0], here);
        visit(node.operands[1], under(node.operands[0], true, here));
        visit(node.operands[2], under(node.operands[0], false, here));
        return;
      case Kind::fold:
        visit(node.operands[0], here);
        visit(node.operands[1], within(node, here));
        return;
      case Kind::load:
        found_.push_back({root, here});
        break;
      default:
        break;
    }
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      const bool decided = is_connective(node) && k == 1;
      const bool conjunction = node.function == Function::and_;
      visit(node.operands[k], decided ? under(node.operands[0], conjunction, here) : here);
    }
  }

  std::size_t numbered(Around around) {
    const auto known = std::ranges::find(around_, around);
    if (known != around_.end()) return static_cast<std::size_t>(known - around_.begin());
    around_.push_back(std::move(around));
    return around_.size() - 1;
  }

  std::size_t within(const Node& fold, std::size_t here) {
    Around inside = around_[here];
    const ExprId count = fold.operands[0];
    inside.axes.push_back(
        {expressions_.variable(fold.variable), 0, expressions_.constant(count), count});
    return numbered(std::move(inside));
  }

  std::size_t under(ExprId condition, bool positive, std::size_t here) {
    Around inside = around_[here];
    restrict(inside, condition, positive);
    return numbered(std::move(inside));
  }

  void restrict(Around& around, ExprId condition, bool positive) {
    const Node& node = expressions_[condition];
    const bool applies = node.kind == Kind::apply && !node.operands.empty();
    if (applies && node.function == Function::not_) {
      return restrict(around, node.operands[0], !positive);
    }
    if (applies && is_connective(node) && (node.function == Function::and_) == positive) {
      restrict(around, node.operands[0], positive);
      return restrict(around, node.operands[1], positive);
    }
    if (!applies || !restricted(around, node, positive)) around.conditional = true;
  }

  // Where the condition is about one index whose ends are known: false where it is not.
  bool restricted(Around& around, const Node& node, bool positive) {
    if (node.operands.size() != 2 || expressions_[node.operands[0]].type != Scalar::int64) {
      return false;
    }
    const auto difference = exactly_scaled(sum_of(expressions_, node.operands[0]),
                                           sum_of(expressions_, node.operands[1]), -1);
    if (!difference || difference->terms.size() != 1) return false;
    const auto [term, factor] = difference->terms.front();
    const auto axis = std::ranges::find(around.axes, term, &Axis::index);
    if (axis == around.axes.end() || !axis->low || !axis->count) return false;
    if (!is_moderate(factor) || !is_moderate(difference->constant)) return false;
    switch (node.function) {
      case Function::less:
        keep(around, *axis, factor, difference->constant, positive);
        return true;
      case Function::less_equal:
        keep(around, *axis, factor, difference->constant - 1, positive);
        return true;
      case Function::equal:
      case Function::not_equal:
        return keep_equal(around, *axis, factor, difference->constant,
                          (node.function == Function::equal) == positive);
      default:
        return false;
    }
  }

  static void keep(Around& around, Axis& axis, std::int64_t low, std::int64_t high) {
    const std::int64_t first = std::max(*axis.low, low);
    const std::int64_t count = std::min(*axis.low + *axis.count, high) - first;
    axis.low = first;
    axis.count = std::max<std::int64_t>(count, 0);
    if (count <= 0) around.never = true;
  }

  // factor * index + rest < 0, or not: it changes once.
  static void keep(Around& around, Axis& axis, std::int64_t factor, std::int64_t rest,
                   bool negative) {
    const std::int64_t place =
        factor > 0 ? ceiling_quotient(-rest, factor) : euclidean_quotient(rest, -factor) + 1;
    const bool below = (factor > 0) == negative;
    keep(around, axis, below ? *axis.low : place, below ? place : *axis.low + *axis.count);
  }

  // factor * index + rest == 0, or not: then one end may be left out.
  static bool keep_equal(Around& around, Axis& axis, std::int64_t factor, std::int64_t rest,
                         bool equal) {
    const std::int64_t low = *axis.low, high = low + *axis.count;
    if (rest % factor != 0) {
      if (equal) around.never = true;
      return true;
    }
    const std::int64_t place = -rest / factor;
    if (equal) {
      keep(around, axis, place, place + 1);
    } else if (place == low) {
      keep(around, axis, low + 1, high);
    } else if (place == high - 1) {
      keep(around, axis, low, place);
    } else {
      return place < low || place >= high;
    }
    return true;
  }

  const NormalForm& form_;
  Expressions& expressions_;
  std::vector<Around> around_;
  std::vector<Found> found_;
  std::set<std::pair<ExprId, std::size_t>> seen_;
};

// How many: a number, or what follows from the indices around.
std::optional<std::string> count_text(const NormalForm& form, const Around& around,
                                      const Axis& axis) {
  if (axis.count) return std::to_string(*axis.count);
  const Expressions& expressions = *form.expressions;
  const auto runs = [&](ExprId term) {
    return std::ranges::find(around.axes, term, &Axis::index) != around.axes.end();
  };
  const Sum length = sum_of(expressions, axis.length);
  const bool affine =
      std::ranges::all_of(length.terms, [&](const auto& each) { return runs(each.first); });
  if (!affine) return std::nullopt;
  return "(" + to_string(form, axis.length) + ")";
}

std::string affine_text(const NormalForm& form, ExprId load, const Around& around) {
  Expressions& expressions = *form.expressions;
  const Node& node = expressions[load];
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
  for (const Axis& axis : around.axes) {
    const auto count = count_text(form, around, axis);
    if (!axis.low || !count) return "not known before the run";
    std::int64_t stride = 0;
    const auto term =
        std::ranges::find(offset.terms, axis.index, &std::pair<ExprId, std::int64_t>::first);
    if (term != offset.terms.end()) {
      stride = term->second;
      offset.terms.erase(term);
    }
    start += stride * *axis.low;
    strides += " " + std::to_string(stride);
    counts += " " + *count;
  }
  if (!offset.terms.empty()) return "not affine";
  return "start " + std::to_string(start) + " strides" + strides + " counts" + counts;
}

Around around_of(const NormalForm& form, const Piece& piece) {
  Expressions& expressions = *form.expressions;
  Around around;
  for (std::size_t k = 0; k < piece.box.size(); ++k) {
    const auto low = expressions.constant(piece.box[k].low);
    const auto high = expressions.constant(piece.box[k].high);
    Axis axis{expressions.variable(form.indices[k]), low, std::nullopt,
              expressions.subtract(piece.box[k].high, piece.box[k].low)};
    if (low && high) axis.count = *high - *low;
    around.axes.push_back(axis);
  }
  return around;
}

}  // namespace

std::string accesses_to_string(const NormalForm& form) {
  std::string text;
  for (const Piece& piece : form.pieces) {
    Accesses accesses(form, around_of(form, piece));
    std::set<std::pair<ExprId, std::string>> told;
    for (const Found& access : accesses.below(piece.element)) {
      const Around& around = accesses.around(access.around);
      std::string line = affine_text(form, access.load, around);
      if (around.conditional) line += ", under a condition";
      if (!told.emplace(access.load, line).second) continue;
      text += form.leaves[number((*form.expressions)[access.load].leaf)].name + ": " + line + "\n";
    }
  }
  return text;
}

}  // namespace rhopsi::moa
