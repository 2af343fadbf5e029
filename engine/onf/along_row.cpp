#include "engine/onf/along_row.hpp"

#include <algorithm>

#include "engine/onf/alike.hpp"
#include "engine/onf/folded.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/nest_variables.hpp"

namespace rhopsi::onf {

namespace {

// Sums of a few numbers up to this do not overflow.
constexpr std::int64_t most_number = std::int64_t{1} << 30;

bool fits_row(std::int64_t number) { return -most_number <= number && number <= most_number; }

bool is_int64(const Expr& e) {
  return e.type.kind == Representation::Kind::scalar && e.type.scalar == Scalar::int64;
}

// by * value, which is no quotient.
std::optional<AlongRow> times_number(AlongRow value, std::int64_t by) {
  if (!fits_row(by)) return std::nullopt;
  value.index *= by;
  value.constant *= by;
  for (auto& [term, factor] : value.terms) {
    factor *= by;
    if (!fits_row(factor)) return std::nullopt;
  }
  if (by == 0) value.terms.clear();
  if (!fits_row(value.index) || !fits_row(value.constant)) return std::nullopt;
  return value;
}

// -(x / c) is (c - 1 - x) / c.
std::optional<AlongRow> negated(const AlongRow& value) {
  auto made = times_number(value, -1);
  if (made) made->constant += value.over - 1;
  return made;
}

// Neither is a quotient.
std::optional<AlongRow> plain_sum(AlongRow left, const AlongRow& right) {
  left.index += right.index;
  left.constant += right.constant;
  for (const auto& [term, factor] : right.terms) {
    const auto same = [&, &term = term](const auto& each) { return is_same(each.first, term); };
    auto found = std::ranges::find_if(left.terms, same);
    if (found == left.terms.end()) found = left.terms.insert(found, {term, 0});
    found->second += factor;
    if (!fits_row(found->second)) return std::nullopt;
  }
  std::erase_if(left.terms, [](const auto& each) { return each.second == 0; });
  if (!fits_row(left.index) || !fits_row(left.constant)) return std::nullopt;
  return left;
}

}  // namespace

std::optional<AlongRow> sum(const AlongRow& left, const AlongRow& right, std::int64_t by) {
  if (left.over > 1 && right.over > 1) return std::nullopt;
  const bool turned = right.over > 1;
  if (turned && by != 1 && by != -1) return std::nullopt;
  // The quotient, and what is added to it: x / c + y is (x + c y) / c.
  const auto first = !turned   ? std::optional(left)
                     : by == 1 ? std::optional(right)
                               : negated(right);
  const auto second = turned ? std::optional(left) : times_number(right, by);
  const auto added = first && second ? times_number(*second, first->over) : std::nullopt;
  return added ? plain_sum(*first, *added) : std::nullopt;
}

Expr of_integers(ScalarFunction function, Expr left, Expr right) {
  return folded(applied(function, Scalar::int64, {std::move(left), std::move(right)}));
}

Expr without_index(const AlongRow& value) {
  std::optional<Expr> made;
  const auto add = [&](const Expr& term, std::int64_t factor) {
    const std::int64_t size = factor < 0 ? -factor : factor;
    Expr part = size == 1 ? term : of_integers(ScalarFunction::multiply, term, integer(size));
    if (!made && factor < 0) made = integer(0);
    const auto function = factor < 0 ? ScalarFunction::subtract : ScalarFunction::add;
    made = made ? of_integers(function, std::move(*made), std::move(part)) : std::move(part);
  };
  for (const bool positive : {true, false}) {
    for (const auto& [term, factor] : value.terms) {
      if ((factor > 0) == positive) add(term, factor);
    }
  }
  if (value.constant != 0 || !made) {
    const std::int64_t sign = value.constant < 0 ? -1 : 1;
    add(integer(sign * value.constant), sign);
  }
  return *made;
}

RowNames::RowNames(const Nest& nest, bool of_rows)
    : index_(nest.indices.back()), own_(declared_in(nest.body)) {
  if (of_rows)
    own_.insert(index_);
  else
    own_.insert(nest.indices.begin(), nest.indices.end());
}

std::optional<AlongRow> RowNames::along(const Expr& e) const {
  if (!is_int64(e)) return std::nullopt;
  if (e.kind == Expr::Kind::integer)
    return fits_row(e.integer) ? std::optional(AlongRow{0, e.integer}) : std::nullopt;
  if (e.kind == Expr::Kind::variable) {
    if (e.variable == index_) return AlongRow{1, 0};
    if (const auto found = values_.find(e.variable); found != values_.end())
      return along(found->second);
  }
  // Before it is looked into: a length by itself, whatever it is computed from.
  if (is_everywhere(e) && e.kind != Expr::Kind::apply) return AlongRow{0, 0, {{e, 1}}};
  if (e.kind != Expr::Kind::apply || e.operands.size() != 2) return std::nullopt;
  const auto left = along(e.operands[0]), right = along(e.operands[1]);
  if (left && right) {
    switch (e.function) {
      case ScalarFunction::add:
        return sum(*left, *right, 1);
      case ScalarFunction::subtract:
        return sum(*left, *right, -1);
      case ScalarFunction::multiply:
        if (right->is_number() && left->over == 1) return times_number(*left, right->constant);
        if (left->is_number() && right->over == 1) return times_number(*right, left->constant);
        break;
      case ScalarFunction::divide:
        if (left->index != 0 && left->over == 1 && right->is_number() && right->constant > 0) {
          AlongRow quotient = *left;
          quotient.over = right->constant;
          return quotient;
        }
        break;
      default:
        break;
    }
  }
  if (is_everywhere(e)) return AlongRow{0, 0, {{e, 1}}};
  return std::nullopt;
}

// Is it computed of lengths and of what is known before the nest, and never an error?
bool RowNames::is_everywhere(const Expr& e) const {
  switch (e.kind) {
    case Expr::Kind::integer:
    case Expr::Kind::length:
    case Expr::Kind::extent:
      return true;
    case Expr::Kind::variable:
      return !own_.contains(e.variable);
    case Expr::Kind::apply: {
      const bool divides =
          e.function == ScalarFunction::divide || e.function == ScalarFunction::modulo;
      const bool safe =
          !divides || (e.operands[1].kind == Expr::Kind::integer && e.operands[1].integer > 0);
      return safe && is_int64(e) && std::ranges::all_of(e.operands, [&](const Expr& operand) {
               return is_everywhere(operand);
             });
    }
    default:
      return false;
  }
}

}  // namespace rhopsi::onf
