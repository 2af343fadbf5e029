#include "engine/moa/pieces.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "engine/moa/integers.hpp"

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;
using Function = ScalarFunction;

// Cuts of one axis, ascending: a box [low, high) becomes [low, cut) ... [cut, high).
struct Cut {
  std::size_t axis;
  std::vector<ExprId> places;
};

// An index with a coefficient and what does not depend on any variable.
struct Affine {
  std::size_t axis;
  std::int64_t factor;
  Sum rest;
};

class Splitter {
 public:
  Splitter(Reduction& reduction, const NormalForm& form, const ArrayPointer& array,
           const Limits& limits)
      : reduction_(reduction),
        facts_(reduction.facts()),
        outside_(reduction.facts()),
        form_(form),
        expressions_(*form.expressions),
        array_(array),
        left_(std::max<std::size_t>(limits.pieces, 1)),
        remainders_(limits.remainders) {
    for (VariableId index : form.indices) index_.push_back(expressions_.variable(index));
  }

  std::vector<Piece> run() {
    std::vector<Interval> box;
    for (std::size_t axis = 0; axis < form_.rank(); ++axis) {
      box.push_back({expressions_.integer(0), form_.shape[axis]});
      if (is_single(box[axis])) index_[axis] = box[axis].low;
    }
    std::vector<Piece> pieces;
    --left_;
    visit(std::move(box), pieces);
    join_neighbours(pieces);
    return pieces;
  }

 private:
  // Neighbours whose elements are computed alike are one box.
  void join_neighbours(std::vector<Piece>& pieces) {
    for (std::size_t k = 0; k < pieces.size();) {
      const auto other = std::find_if(
          pieces.begin() + static_cast<std::ptrdiff_t>(k) + 1, pieces.end(),
          [&](const Piece& piece) { return joined(pieces[k], piece) || joined(piece, pieces[k]); });
      if (other == pieces.end()) {
        ++k;
        continue;
      }
      pieces[k].box =
          joined(pieces[k], *other) ? *joined(pieces[k], *other) : *joined(*other, pieces[k]);
      pieces.erase(other);
      k = 0;  // what it has become may have other neighbours
    }
  }

  // The box of both, where the second begins as the first ends: on one axis, and they are the same
  // on all others. [5, 3) and [3, 8) together are not [5, 8): neither may end before it begins.
  std::optional<std::vector<Interval>> joined(const Piece& first, const Piece& second) {
    if (first.element != second.element) return std::nullopt;
    std::optional<std::vector<Interval>> whole;
    for (std::size_t axis = 0; axis < first.box.size(); ++axis) {
      const Interval& a = first.box[axis];
      const Interval& b = second.box[axis];
      if (a.low == b.low && a.high == b.high) continue;
      if (whole || a.high != b.low || !is_forward(a) || !is_forward(b)) return std::nullopt;
      whole = first.box;
      (*whole)[axis].high = b.high;
    }
    return whole;
  }

  // Whether the box has an index or not.
  bool is_forward(const Interval& interval) {
    return outside_.decide(
               expressions_.apply(Function::less_equal, {interval.low, interval.high})) == true;
  }

  bool is_empty(const std::vector<Interval>& box) {
    return std::ranges::any_of(box, [&](const Interval& interval) {
      return facts_.decide(
                 expressions_.apply(Function::less_equal, {interval.high, interval.low})) == true;
    });
  }

  void visit(std::vector<Interval> box, std::vector<Piece>& pieces) {
    if (is_empty(box)) return;
    const Facts::Mark mark = facts_.mark();
    reduction_.enter_context();
    for (std::size_t axis = 0; axis < box.size(); ++axis) {
      facts_.range(form_.indices[axis], box[axis].low, box[axis].high);
    }
    ExprId element = reduction_.element(array_, index_);
    if (pieces.empty() && done_.empty()) by_lengths_ = remainders(element) <= remainders_;
    std::optional<Cut> cut = find_cut(element, box);
    if (!cut && settle(element, box)) cut = find_cut(element, box);
    if (!cut) {
      pieces.push_back({std::move(box), element});
    } else {
      left_ -= cut->places.size();
      const std::size_t first = pieces.size();
      descend(*cut, box, pieces);
      merge(pieces, first, std::move(box));
    }
    facts_.restore(mark);
    reduction_.enter_context();
  }

  // Has the interval one index, and is it known?
  bool is_single(const Interval& interval) {
    const auto low = expressions_.constant(interval.low);
    const auto high = expressions_.constant(interval.high);
    return low && high && *high - *low == 1;
  }

  // What is open along other axes may not be so where an index is a number: i + j < 3 at j = 1.
  // Elsewhere an index stays an index, so that boxes can be joined.
  bool settle(ExprId& element, const std::vector<Interval>& box) {
    Vector index = index_;
    for (std::size_t axis = 0; axis < box.size(); ++axis) {
      if (is_single(box[axis])) index[axis] = box[axis].low;
    }
    if (index == index_) return false;
    const std::size_t open = open_places(element);
    if (open == 0) return false;
    const ExprId settled = reduction_.element(array_, index);
    if (open_places(settled) >= open && !find_cut(settled, box)) return false;
    element = settled;
    return true;
  }

  // Conditions, quotients and remainders of indices, and lengths of folds that depend on them.
  std::size_t open_places(ExprId element) {
    std::size_t count = 0;
    expressions_.any(element, [&](ExprId id) {
      const Node& node = expressions_[id];
      const bool open = node.kind == Kind::apply && !expressions_.reads(id) &&
                        (node.type == Scalar::boolean || divides(node));
      const bool varies = node.kind == Kind::fold && !is_free(node.operands[0]);
      if (open || varies) ++count;
      return false;
    });
    return count;
  }

  // Different remainders of indices by lengths that are not known.
  std::size_t remainders(ExprId element) {
    std::size_t count = 0;
    expressions_.any(element, [&](ExprId id) {
      const Node& node = expressions_[id];
      const bool found = node.kind == Kind::apply && node.function == Function::modulo &&
                         node.type == Scalar::int64 && !expressions_.constant(node.operands[1]) &&
                         affine(sum_of(expressions_, node.operands[0]));
      if (found) ++count;
      return false;
    });
    return count;
  }

  void descend(const Cut& cut, const std::vector<Interval>& box, std::vector<Piece>& pieces) {
    const std::size_t done = done_.size();
    for (ExprId place : cut.places) done_.emplace_back(cut.axis, place);
    for (std::size_t k = 0; k <= cut.places.size(); ++k) {
      std::vector<Interval> part = box;
      const bool last = k == cut.places.size();
      // What has its end before its beginning is empty. By what holds whether the box has an index
      // or not.
      Interval& interval = part[cut.axis];
      if (k > 0) interval.low = outside_.maximum(cut.places[k - 1], interval.low);
      if (!last) interval.high = outside_.minimum(cut.places[k], interval.high);
      const Facts::Mark mark = facts_.mark();
      const ExprId index = index_[cut.axis];
      if (k > 0) {
        facts_.assume(expressions_.apply(Function::less_equal, {cut.places[k - 1], index}));
      }
      if (!last) facts_.assume(expressions_.apply(Function::less, {index, cut.places[k]}));
      visit(std::move(part), pieces);
      facts_.restore(mark);
    }
    done_.resize(done);
  }

  // Parts that turned out to be alike are one again.
  void merge(std::vector<Piece>& pieces, std::size_t first, std::vector<Interval> box) {
    if (pieces.size() < first + 2) return;
    const auto alike = [&](const Piece& piece) { return piece.element == pieces[first].element; };
    if (!std::all_of(pieces.begin() + static_cast<std::ptrdiff_t>(first), pieces.end(), alike)) {
      return;
    }
    pieces.resize(first + 1);
    pieces[first].box = std::move(box);
  }

  // The first place, from the root, at which the box should be split.
  std::optional<Cut> find_cut(ExprId element, const std::vector<Interval>& box) {
    std::vector<ExprId> work{element};
    std::unordered_set<ExprId> seen;
    while (!work.empty()) {
      const ExprId id = work.back();
      work.pop_back();
      if (!seen.insert(id).second) continue;
      const Node& node = expressions_[id];
      std::optional<Cut> cut;
      if (node.kind == Kind::apply && node.type == Scalar::boolean) {
        cut = of_condition(id, box);
      } else if (node.kind == Kind::apply && node.type == Scalar::int64 &&
                 (node.function == Function::modulo || node.function == Function::divide)) {
        cut = of_modulo(node, box);
      }
      if (cut && cut->places.size() <= left_) return cut;
      for (auto it = node.operands.rbegin(); it != node.operands.rend(); ++it) work.push_back(*it);
    }
    return std::nullopt;
  }

  std::optional<Affine> affine(const Sum& sum) {
    std::optional<Affine> found;
    Sum rest{{}, sum.constant};
    for (const auto& [term, factor] : sum.terms) {
      const auto at = std::ranges::find(index_, term);
      if (at == index_.end()) {
        if (!is_free(term)) return std::nullopt;
        rest.terms.emplace_back(term, factor);
      } else if (found) {
        return std::nullopt;
      } else {
        found = Affine{static_cast<std::size_t>(at - index_.begin()), factor, {}};
      }
    }
    if (!found || !is_moderate(found->factor) || !is_moderate(rest.constant)) return std::nullopt;
    found->rest = std::move(rest);
    return found;
  }

  // Far enough from the ends of 64 bits for a sum of two: without a cut a form is only longer.
  // Known before the first element is: no indices, no elements, and nothing that may fail where no
  // element asks for it.
  bool is_free(ExprId expression) {
    if (expressions_.reads(expression) || outside_.may_fail(expression)) return false;
    return !expressions_.any(expression, [&](ExprId id) {
      const Node& node = expressions_[id];
      const bool index = node.kind == Kind::variable &&
                         !std::ranges::binary_search(form_.parameters, node.variable);
      return index || node.kind == Kind::fold;
    });
  }

  std::optional<Cut> of_condition(ExprId condition, const std::vector<Interval>& box) {
    const Node& node = expressions_[condition];
    if (node.kind != Kind::apply || node.operands.empty()) return std::nullopt;
    if (node.operands.size() != 2 || expressions_[node.operands[0]].type != Scalar::int64) {
      for (ExprId operand : node.operands) {
        if (expressions_[operand].type != Scalar::boolean) break;
        if (auto cut = of_condition(operand, box)) return cut;
      }
      return std::nullopt;
    }
    const Sum difference = add_scaled(sum_of(expressions_, node.operands[0]),
                                      sum_of(expressions_, node.operands[1]), -1);
    const auto found = affine(difference);
    if (!found) return of_quotient(node.function, difference, box);
    switch (node.function) {
      case Function::less:
        return cut_where_negative(*found, box);
      case Function::less_equal: {
        Affine shifted = *found;
        shifted.rest.constant -= 1;
        return cut_where_negative(shifted, box);
      }
      case Function::equal:
      case Function::not_equal:
        return cut_at_zero(*found, box);
      default:
        return std::nullopt;
    }
  }

  // x / d < c where x < c * d, for a positive d; and x / -d is -(x / d).
  std::optional<Cut> of_quotient(Function function, const Sum& difference,
                                 const std::vector<Interval>& box) {
    const bool less = function == Function::less;
    if ((!less && function != Function::less_equal) || difference.terms.size() != 1) {
      return std::nullopt;
    }
    auto [quotient, sign] = difference.terms.front();
    const Node& node = expressions_[quotient];
    const bool divided = node.kind == Kind::apply && node.function == Function::divide &&
                         node.type == Scalar::int64 && !expressions_.reads(quotient);
    const auto by = divided ? expressions_.constant(node.operands[1]) : std::nullopt;
    if (!by || *by == 0 || *by == INT64_MIN || (sign != 1 && sign != -1)) return std::nullopt;
    auto form = affine(sum_of(expressions_, node.operands[0]));
    const std::int64_t bound = difference.constant;
    if (!form || !form->rest.terms.empty() || !is_moderate(bound)) return std::nullopt;
    if (*by < 0) sign = -sign;
    // sign * q + bound < 0, or <= 0: q < least, or not.
    const std::int64_t gap = less ? 0 : 1;
    const std::int64_t least = sign > 0 ? gap - bound : bound + 1 - gap;
    std::int64_t place = 0;
    if (__builtin_mul_overflow(least, std::abs(*by), &place) || !is_moderate(place)) {
      return std::nullopt;
    }
    form->rest.constant -= place;
    return cut_where_negative(*form, box);
  }

  // factor * i + rest < 0 changes once along the axis.
  std::optional<Cut> cut_where_negative(const Affine& form, const std::vector<Interval>& box) {
    if (form.rest.terms.empty()) {
      const std::int64_t r = form.rest.constant;
      const std::int64_t place = form.factor > 0 ? ceiling_quotient(-r, form.factor)
                                                 : euclidean_quotient(r, -form.factor) + 1;
      return checked({form.axis, {expressions_.integer(place)}}, box);
    }
    if (form.factor != 1 && form.factor != -1) return std::nullopt;
    Sum place = add_scaled({}, form.rest, -form.factor);
    if (form.factor == -1) place.constant += 1;
    return checked({form.axis, {expression_of(expressions_, place)}}, box);
  }

  std::optional<Cut> cut_at_zero(const Affine& form, const std::vector<Interval>& box) {
    const bool constant = form.rest.terms.empty();
    if (constant && form.rest.constant % form.factor != 0) return std::nullopt;
    if (!constant && form.factor != 1 && form.factor != -1) return std::nullopt;
    if (std::ranges::any_of(form.rest.terms, [&](const auto& t) { return decides(t.first); })) {
      return std::nullopt;
    }
    Sum place = constant ? Sum{{}, -form.rest.constant / form.factor}
                         : add_scaled({}, form.rest, -form.factor);
    const ExprId low = expression_of(expressions_, place);
    place.constant += 1;
    return checked({form.axis, {low, expression_of(expressions_, place)}}, box);
  }

  // A place that depends on conditions, such as the rank of a number among others, is another one
  // in each case: with a few of those every order of the numbers would be boxes of its own.
  bool decides(ExprId expression) {
    return expressions_.any(expression,
                            [&](ExprId id) { return expressions_[id].type == Scalar::boolean; });
  }

  std::optional<Cut> of_modulo(const Node& node, const std::vector<Interval>& box) {
    const auto form = affine(sum_of(expressions_, node.operands[0]));
    if (!form || expressions_.reads(node.operands[0])) return std::nullopt;
    const auto by = expressions_.constant(node.operands[1]);
    if (by && *by > 0 && form->rest.terms.empty()) return cut_by_periods(*form, *by, box);
    const bool stays = !by_lengths_ || (form->factor != 1 && form->factor != -1);
    if (by || stays || !is_free(node.operands[1])) return std::nullopt;
    return cut_by_length(*form, node, box);
  }

  // Where factor * i + rest crosses a multiple of the modulus, if that is seldom.
  std::optional<Cut> cut_by_periods(const Affine& form, std::int64_t modulus,
                                    const std::vector<Interval>& box) {
    constexpr std::int64_t most_periods = 4;
    const auto low = expressions_.constant(box[form.axis].low);
    const auto high = expressions_.constant(box[form.axis].high);
    if (!low || !high) return std::nullopt;
    const std::int64_t r = form.rest.constant;
    std::int64_t first = 0;
    std::int64_t last = 0;
    if (__builtin_mul_overflow(form.factor, *low, &first) || !is_moderate(first) ||
        __builtin_mul_overflow(form.factor, *high - 1, &last) || !is_moderate(last)) {
      return std::nullopt;
    }
    first = euclidean_quotient(first + r, modulus);
    last = euclidean_quotient(last + r, modulus);
    const bool rising = form.factor > 0;
    if (!rising) std::swap(first, last);
    if (last - first + 1 > most_periods) return std::nullopt;
    Cut cut{form.axis, {}};
    for (std::int64_t q = first + 1; q <= last; ++q) {
      const std::int64_t place = rising ? ceiling_quotient(q * modulus - r, form.factor)
                                        : euclidean_quotient(r - q * modulus, -form.factor) + 1;
      cut.places.push_back(expressions_.integer(place));
    }
    if (!rising) std::ranges::reverse(cut.places);
    const auto [end, unused] = std::ranges::unique(cut.places);
    cut.places.erase(end, cut.places.end());
    return checked(std::move(cut), box);
  }

  // The same where the modulus is a length that is not known: one crossing at 0, one at the
  // length, if it certainly is no more than these.
  std::optional<Cut> cut_by_length(const Affine& form, const Node& node,
                                   const std::vector<Interval>& box) {
    const ExprId value = node.operands[0];
    const ExprId length = node.operands[1];
    const ExprId zero = expressions_.integer(0);
    const auto certain = [&](ExprId low, ExprId high) {
      return facts_.decide(expressions_.apply(Function::less, {low, high})) == true;
    };
    const ExprId above = expressions_.add(value, length);
    const ExprId below = expressions_.subtract(value, length);
    if (certain(above, zero) || !certain(expressions_.integer(-1), above)) return std::nullopt;
    if (!certain(below, length)) return std::nullopt;
    const auto crossing = [&](ExprId at) {
      Sum place = add_scaled(add_scaled({}, form.rest, -form.factor), sum_of(expressions_, at),
                             form.factor);
      if (form.factor == -1) place.constant += 1;
      return expression_of(expressions_, place);
    };
    std::vector<ExprId> places;
    if (!certain(expressions_.integer(-1), value)) places.push_back(crossing(zero));
    if (!certain(value, length)) places.push_back(crossing(length));
    if (form.factor == -1) std::ranges::reverse(places);
    return checked({form.axis, std::move(places)}, box);
  }

  // A cut has to leave something on both sides, as far as that is known; what it has not decided a
  // second one there would not either.
  std::optional<Cut> checked(Cut cut, const std::vector<Interval>& box) {
    const Interval& interval = box[cut.axis];
    std::erase_if(cut.places, [&](ExprId place) {
      const auto outside = [&](ExprId a, ExprId b) {
        return facts_.decide(expressions_.apply(Function::less_equal, {a, b})) == true;
      };
      return std::ranges::find(done_, std::pair(cut.axis, place)) != done_.end() ||
             outside(place, interval.low) || outside(interval.high, place);
    });
    if (cut.places.empty()) return std::nullopt;
    return cut;
  }

  Reduction& reduction_;
  Facts& facts_;
  Facts outside_;  // as they were before any index
  const NormalForm& form_;
  Expressions& expressions_;
  const ArrayPointer& array_;
  std::size_t left_, remainders_;
  bool by_lengths_ = true;                            // remainders by lengths are split
  std::vector<std::pair<std::size_t, ExprId>> done_;  // cuts around the present box
  Vector index_;
};

}  // namespace

std::vector<Piece> split(Reduction& reduction, const NormalForm& form, const ArrayPointer& array,
                         const Limits& limits) {
  return Splitter(reduction, form, array, limits).run();
}

}  // namespace rhopsi::moa
