#include "engine/onf/circular_loads.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/onf/alike.hpp"
#include "engine/onf/make_expression.hpp"

namespace rhopsi::onf {

namespace {

// As many indices as a number may stand for in a row: pads are as wide.
constexpr std::int64_t most_points = 8;

// Which indices of an axis there may be, as far as it was asked: first <= i < end, counted from the
// first index and, in [1], from the length.
struct Span {
  std::array<std::optional<std::int64_t>, 2> first{0, std::nullopt};
  std::array<std::optional<std::int64_t>, 2> end{std::nullopt, 0};

  void from(std::size_t base, std::int64_t at) {
    first[base] = std::max(first[base].value_or(at), at);
  }
  void below(std::size_t base, std::int64_t at) {
    end[base] = std::min(end[base].value_or(at), at);
  }
};
using Spans = std::vector<Span>;

Expr index_apply(ScalarFunction function, Scalar type, Expr left, Expr right) {
  return applied(function, type, {std::move(left), std::move(right)});
}
Expr index_choice(Expr condition, Expr then, Expr otherwise) {
  Expr e;
  e.kind = Expr::Kind::if_;
  e.type = then.type;
  e.location = then.location;
  e.operands = {std::move(condition), std::move(then), std::move(otherwise)};
  return e;
}

class LoadRewriter {
 public:
  LoadRewriter(const Nest& nest, Positions::Meaning meaning, LengthsDecide decided)
      : nest_(nest), positions_(nest, std::move(meaning)), decided_(std::move(decided)) {}

  void rewrite(Expr& e, const Spans& spans) {
    if (e.kind == Expr::Kind::if_) {
      rewrite(e.operands[0], spans);
      rewrite(e.operands[1], narrowed(e.operands[0], true, spans));
      rewrite(e.operands[2], narrowed(e.operands[0], false, spans));
      return;
    }
    if (e.kind == Expr::Kind::load) {
      e = placed(std::move(e), 0, spans);
      return;
    }
    for (Expr& operand : e.operands) rewrite(operand, spans);
  }

  std::optional<Expr> elsewhere() { return std::move(elsewhere_); }

 private:
  Spans narrowed(const Expr& condition, bool holds, Spans spans) const {
    for (const PositionBound& bound : positions_.bounds(condition, holds)) {
      Span& span = spans[bound.axis];
      const std::size_t base = bound.from_end ? 1 : 0;
      bound.least ? span.from(base, bound.at) : span.below(base, bound.at);
    }
    return spans;
  }

  // --- conditions

  static bool is_sum(const Expr& e) {
    return e.kind == Expr::Kind::apply &&
           (e.function == ScalarFunction::add || e.function == ScalarFunction::subtract);
  }
  // Of integers, as indices are.
  static bool is_comparison(const Expr& e) {
    return e.kind == Expr::Kind::apply && e.operands.size() == 2 &&
           e.type.scalar == Scalar::boolean && e.operands[0].type.scalar == Scalar::int64;
  }
  // min(a, b)  =>  if a <= b then a else b
  static Expr with_choice(Expr e) {
    const bool least = e.kind == Expr::Kind::apply && e.function == ScalarFunction::minimum;
    const bool most = e.kind == Expr::Kind::apply && e.function == ScalarFunction::maximum;
    if (!least && !most) return e;
    const auto order = least ? ScalarFunction::less_equal : ScalarFunction::greater_equal;
    Expr test = index_apply(order, Scalar::boolean, e.operands[0], e.operands[1]);
    return index_choice(std::move(test), std::move(e.operands[0]), std::move(e.operands[1]));
  }
  // (if c then a else b) < d  =>  if c then a < d else b < d, where a variable may stand for it
  Expr with_choices_outside(const Expr& given) const {
    Expr made = with_choice(positions_.of(given));
    if (!is_sum(made) && !is_comparison(made)) return made;
    for (Expr& operand : made.operands) operand = with_choices_outside(operand);
    return choice_outside(std::move(made));
  }
  // What the spans and the lengths leave of a comparison.
  std::optional<bool> decided(const Expr& condition, const Spans& spans) const {
    if (!is_comparison(condition)) return std::nullopt;
    for (const bool holds : {true, false}) {
      const auto bounds = positions_.bounds(condition, holds);
      const auto implied = [&](const PositionBound& bound) {
        const Span& span = spans[bound.axis];
        const std::size_t base = bound.from_end ? 1 : 0;
        return bound.least ? span.first[base] && *span.first[base] >= bound.at
                           : span.end[base] && *span.end[base] <= bound.at;
      };
      if (!bounds.empty() && std::ranges::all_of(bounds, implied)) return holds;
    }
    return decided_(positions_.resolved(condition));
  }

  // --- loads

  // The load, whose indices before the axis are circular.
  Expr placed(Expr load, std::size_t axis, const Spans& spans) {
    if (axis == load.operands.size()) return load;
    const Expr index = with_choice(congruent(load.operands[axis], axis));
    if (index.kind == Expr::Kind::if_) return chosen(std::move(load), axis, index, spans);
    std::optional<std::size_t> its = axis;
    const auto where = positions_.linear(index, its);
    if (!where) {
      if (!elsewhere_) elsewhere_ = load;
      return load;
    }
    if (where->index == 1) return moved(std::move(load), axis, where->number, spans);
    return at_points(std::move(load), axis, *where, spans);
  }

  // The same modulo the length of the axis: without quotients by it, variables looked up.
  Expr congruent(const Expr& given, std::size_t axis) const {
    const Expr& e = positions_.of(given);
    const bool quotient = e.kind == Expr::Kind::apply && e.function == ScalarFunction::modulo &&
                          e.operands[1].kind == Expr::Kind::extent &&
                          static_cast<std::size_t>(e.operands[1].axis) == axis;
    if (quotient) return congruent(e.operands[0], axis);
    Expr made = e;
    if (!is_sum(e)) return made;
    for (Expr& operand : made.operands) operand = with_choice(congruent(operand, axis));
    return choice_outside(std::move(made));
  }
  // (if c then a else b) + d  =>  if c then a + d else b + d
  static Expr choice_outside(Expr whole) {
    for (std::size_t k = 0; k < 2; ++k) {
      if (whole.operands[k].kind != Expr::Kind::if_) continue;
      Expr inner = std::move(whole.operands[k]);
      inner.type = whole.type;
      for (std::size_t branch : {1, 2}) {
        Expr part = whole;
        part.operands[k] = std::move(inner.operands[branch]);
        inner.operands[branch] = choice_outside(std::move(part));
      }
      return inner;
    }
    return whole;
  }

  Expr chosen(Expr load, std::size_t axis, const Expr& index, const Spans& spans) {
    const Expr test = with_choices_outside(index.operands[0]);
    if (test.kind == Expr::Kind::if_) {
      const auto where = [&](std::size_t branch) {
        return index_choice(test.operands[branch], index.operands[1], index.operands[2]);
      };
      return chosen(std::move(load), axis, index_choice(test.operands[0], where(1), where(2)),
                    spans);
    }
    if (const auto holds = decided(test, spans)) {
      load.operands[axis] = index.operands[*holds ? 1 : 2];
      return placed(std::move(load), axis, spans);
    }
    Expr parts[2] = {load, std::move(load)};
    for (std::size_t k : {0, 1}) {
      parts[k].operands[axis] = index.operands[k + 1];
      parts[k] = placed(std::move(parts[k]), axis, narrowed(index.operands[0], k == 0, spans));
    }
    if (is_same(parts[0], parts[1])) return std::move(parts[0]);
    Expr condition = index.operands[0];
    rewrite(condition, spans);
    return index_choice(std::move(condition), std::move(parts[0]), std::move(parts[1]));
  }

  // Of an index that is n N + c or n N + c - i: one offset for each i that there may be.
  Expr at_points(Expr load, std::size_t axis, const LinearPosition& where, const Spans& spans) {
    for (std::size_t base : {0, 1}) {
      const auto& [first, end] = std::pair(spans[axis].first[base], spans[axis].end[base]);
      if (!first || !end || *end - *first > most_points) continue;
      const auto at = [&](std::int64_t point) {
        return moved(load, axis, where.number + (where.index - 1) * point, spans);
      };
      Expr made = at(std::max(*first, *end - 1));
      for (std::int64_t point = *end - 2; point >= *first; --point) {
        Expr one = integer(point);
        if (base == 1) one = index_apply(ScalarFunction::add, Scalar::int64, extent(axis), one);
        Expr test =
            index_apply(ScalarFunction::equal, Scalar::boolean, index_of(axis), std::move(one));
        made = index_choice(std::move(test), at(point), std::move(made));
      }
      return made;
    }
    if (!elsewhere_) elsewhere_ = load;
    return load;
  }

  Expr moved(Expr load, std::size_t axis, std::int64_t offset, const Spans& spans) {
    Expr sum = index_apply(ScalarFunction::add, Scalar::int64, index_of(axis), integer(offset));
    load.operands[axis] = offset == 0 ? index_of(axis)
                                      : index_apply(ScalarFunction::modulo, Scalar::int64,
                                                    std::move(sum), extent(axis));
    return placed(std::move(load), axis + 1, spans);
  }
  Expr index_of(std::size_t axis) const {
    Expr e = integer(0);
    e.kind = Expr::Kind::variable;
    e.variable = nest_.indices[axis];
    return e;
  }

  const Nest& nest_;
  Positions positions_;
  LengthsDecide decided_;
  std::optional<Expr> elsewhere_;
};

}  // namespace

std::optional<Expr> make_loads_circular(const Nest& nest, Expr& whole, Positions::Meaning meaning,
                                        LengthsDecide decided) {
  LoadRewriter rewriter(nest, std::move(meaning), std::move(decided));
  rewriter.rewrite(whole, Spans(nest.indices.size()));
  return rewriter.elsewhere();
}

}  // namespace rhopsi::onf
