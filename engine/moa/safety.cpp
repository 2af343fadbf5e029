#include "engine/moa/safety.hpp"

#include <algorithm>
#include <unordered_set>

#include "engine/moa/facts.hpp"

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;
using Function = ScalarFunction;

bool is_real(Scalar type) { return type == Scalar::float32 || type == Scalar::float64; }

class Walk {
 public:
  Walk(const NormalForm& form, const std::vector<Assumption>& assumed, const StoredShapes& stored,
       bool everything)
      : form_(form),
        expressions_(*form.expressions),
        stored_(stored),
        everything_(everything),
        facts_(*form.expressions) {
    for (const Assumption& assumption : assumed) facts_.assume(assumption.condition);
  }

  bool run() {
    seen_.emplace_back();
    bool safe = std::ranges::all_of(form_.shape, [&](ExprId length) { return visit(length); });
    for (const Piece& piece : form_.pieces) {
      for (const Interval& interval : piece.box) {
        safe = safe && visit(interval.low) && visit(interval.high);
      }
      safe = safe && within([&] {
               for (std::size_t axis = 0; axis < piece.box.size(); ++axis) {
                 facts_.range(form_.indices[axis], piece.box[axis].low, piece.box[axis].high);
               }
               return in_all_cases(piece, 0);
             });
    }
    return safe;
  }

 private:
  // What is seen to be safe in there is so in there only.
  template <class Body>
  bool within(const Body& body) {
    const Facts::Mark mark = facts_.mark();
    seen_.emplace_back();
    const bool safe = body();
    seen_.pop_back();
    facts_.restore(mark);
    return safe;
  }

  // An index below the greater of two bounds is below one of them, and so on: what follows from
  // sums of bounds alone has to follow in each case. `side`: two for each axis.
  bool in_all_cases(const Piece& piece, std::size_t side) {
    if (side == 2 * piece.box.size()) return visit(piece.element);
    const Interval& interval = piece.box[side / 2];
    const bool low = side % 2 == 0;
    const ExprId index = expressions_.variable(form_.indices[side / 2]);
    const Cases all = cases(index, low ? interval.low : interval.high, low);
    if (all.size() == 1 && all[0].size() <= 1) return in_all_cases(piece, side + 1);
    return std::ranges::all_of(all, [&](const std::vector<ExprId>& conditions) {
      return within([&] {
        for (ExprId condition : conditions) facts_.assume(condition);
        // No box has an index below 0.
        if (certain(Function::less, index, expressions_.integer(0))) return true;
        return in_all_cases(piece, side + 1);
      });
    });
  }

  using Cases = std::vector<std::vector<ExprId>>;

  // bound <= index, or index < bound, without minima and maxima at the top of the bound: one of
  // the cases holds, and in it all of its conditions.
  Cases cases(ExprId index, ExprId bound, bool low) {
    constexpr std::size_t most = 16;
    const Node& node = expressions_[bound];
    const bool chooses = node.kind == Kind::apply &&
                         (node.function == Function::minimum || node.function == Function::maximum);
    if (!chooses) {
      return {{low ? expressions_.apply(Function::less_equal, {bound, index})
                   : expressions_.apply(Function::less, {index, bound})}};
    }
    Cases found = cases(index, node.operands[0], low);
    const Cases other = cases(index, node.operands[1], low);
    const bool both = low == (node.function == Function::maximum);
    if ((both ? found.size() * other.size() : found.size() + other.size()) > most) return {{}};
    if (!both) {
      found.insert(found.end(), other.begin(), other.end());
      return found;
    }
    Cases product;
    for (const auto& left : found) {
      for (const auto& right : other) {
        product.push_back(left);
        product.back().insert(product.back().end(), right.begin(), right.end());
      }
    }
    return product;
  }

  bool visit(ExprId id) {
    const bool seen = std::ranges::any_of(seen_, [&](const auto& set) { return set.contains(id); });
    if (seen) return true;
    if (left_ == 0) return false;
    --left_;
    if (!visit(expressions_[id])) return false;
    seen_.back().insert(id);
    return true;
  }

  bool visit(const Node& node) {
    switch (node.kind) {
      case Kind::select:
        return visit(node.operands[0]) && under(node.operands[0], true, node.operands[1]) &&
               under(node.operands[0], false, node.operands[2]);
      case Kind::fold:
        return fold(node);
      case Kind::load:
        return all(node) && load(node);
      case Kind::apply:
        if (is_connective(node)) {
          return visit(node.operands[0]) &&
                 under(node.operands[0], node.function == Function::and_, node.operands[1]);
        }
        return all(node) && apply(node);
      default:
        return true;
    }
  }

  bool all(const Node& node) {
    return std::ranges::all_of(node.operands, [&](ExprId operand) { return visit(operand); });
  }

  bool under(ExprId condition, bool positive, ExprId body) {
    return within([&] {
      facts_.assume(condition, positive);
      return visit(body);
    });
  }

  bool fold(const Node& node) {
    const ExprId count = node.operands[0];
    if (!visit(count)) return false;
    if (everything_) {
      const bool has_value = expressions_.unit(node.function, node.type) ||
                             certain(Function::less, expressions_.integer(0), count);
      if (!has_value || divides(node)) return false;
    }
    return within([&] {
      facts_.range(node.variable, expressions_.integer(0), count);
      return visit(node.operands[1]);
    });
  }

  bool apply(const Node& node) {
    if (!everything_ || node.type != Scalar::int64) return true;
    if (divides(node)) {
      return certain(Function::not_equal, node.operands[1], expressions_.integer(0));
    }
    return node.function != Function::convert || !is_real(expressions_[node.operands[0]].type);
  }

  bool load(const Node& node) {
    const auto found = stored_.find(node.leaf);
    if (found == stored_.end() && !everything_) return true;
    const Leaf& leaf = form_.leaves[number(node.leaf)];
    for (std::uint32_t axis = 0; axis < node.operands.size(); ++axis) {
      const ExprId index = node.operands[axis];
      const ExprId length = found != stored_.end()  ? found->second[axis]
                            : !leaf.lengths.empty() ? leaf.lengths[axis]
                            : leaf.shape[axis]      ? expressions_.integer(*leaf.shape[axis])
                                                    : expressions_.extent(node.leaf, axis);
      if (!inside(index, length)) return false;
    }
    return true;
  }

  // 0 <= index < length, of an index that is chosen in each case.
  bool inside(ExprId index, ExprId length) {
    if (is_remainder(index, length)) return true;
    const Node node = expressions_[index];
    if (node.kind == Kind::select) {
      const auto in_case = [&](bool positive, ExprId chosen) {
        return within([&] {
          facts_.assume(node.operands[0], positive);
          return inside(chosen, length);
        });
      };
      return in_case(true, node.operands[1]) && in_case(false, node.operands[2]);
    }
    return certain(Function::less_equal, expressions_.integer(0), index) &&
           certain(Function::less, index, length);
  }

  // index % n, where n is not beyond the length.
  bool is_remainder(ExprId index, ExprId length) {
    const Node& node = expressions_[index];
    return node.kind == Kind::apply && node.function == Function::modulo &&
           certain(Function::less, expressions_.integer(0), node.operands[1]) &&
           (node.operands[1] == length || certain(Function::less_equal, node.operands[1], length));
  }

  bool certain(Function function, ExprId left, ExprId right) {
    return facts_.decide(expressions_.apply(function, {left, right})) == true;
  }

  const NormalForm& form_;
  Expressions& expressions_;
  const StoredShapes& stored_;
  bool everything_;
  Facts facts_;
  std::vector<std::unordered_set<ExprId>> seen_;  // of the conditions around the present place
  std::size_t left_ = 50'000;                     // nodes; what is larger counts as unsafe
};

}  // namespace

bool cannot_fail(const NormalForm& form, const std::vector<Assumption>& assumed,
                 const StoredShapes& stored) {
  return Walk(form, assumed, stored, true).run();
}

bool stays_within(const NormalForm& form, const std::vector<Assumption>& assumed,
                  const StoredShapes& stored) {
  return Walk(form, assumed, stored, false).run();
}

}  // namespace rhopsi::moa
