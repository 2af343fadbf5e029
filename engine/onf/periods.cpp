#include "engine/onf/periods.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <variant>

#include "engine/onf/along_row.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/folded.hpp"
#include "engine/onf/make_expression.hpp"

namespace rhopsi::onf {

namespace {

constexpr std::int64_t longest_period = 8;

// A quotient or remainder of a linear function of the index by a number, and of nothing else.
struct ByNumber {
  AlongRow value;
  std::int64_t divisor;
};

std::optional<ByNumber> by_number(const RowNames& names, const Expr& e) {
  if (!applies(e, ScalarFunction::divide) && !applies(e, ScalarFunction::modulo))
    return std::nullopt;
  const Expr& divisor = e.operands[1];
  if (divisor.kind != Expr::Kind::integer || divisor.integer <= 1) return std::nullopt;
  auto value = names.along(e.operands[0]);
  if (!value || value->index == 0 || value->over != 1 || !value->terms.empty()) return std::nullopt;
  return ByNumber{std::move(*value), divisor.integer};
}

// Calls `visit` with the expressions of the nest, in order, the names defined that stand before.
template <class SomeNest, class Visit>
void each_in_order(SomeNest& nest, RowNames& names, const Visit& visit) {
  for (auto& statement : nest.body) {
    auto* let = std::get_if<Let>(&statement.form);
    if (let == nullptr || !let->value) continue;
    const Expr value = *let->value;
    visit(*let->value);
    if (let->constant) names.define(let->variable, value);
  }
  visit(nest.element);
  for (auto& output : nest.also) visit(output.element);
}

bool has_names_alone(const Nest& nest) {
  return std::ranges::all_of(nest.body, [](const Statement& statement) {
    const auto* let = std::get_if<Let>(&statement.form);
    return let != nullptr && let->constant && let->value;
  });
}

std::int64_t floor_of(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

class InPeriod {
 public:
  InPeriod(const Nest& nest, std::int64_t residue)
      : made_(nest), names_(nest), period_(*nest.period), residue_(residue) {}

  Nest run() {
    each_in_order(made_, names_, [&](Expr& e) { e = known(std::move(e)); });
    return std::move(made_);
  }

 private:
  Expr known(Expr e) const {
    if (const auto found = by_number(names_, e)) {
      const auto& [value, by] = *found;
      if (value.index * period_.length % by == 0) {
        const std::int64_t first = value.index * residue_ + value.constant;
        if (e.function == ScalarFunction::modulo)
          return integer(first - by * floor_of(first, by), e.location);
        return of_rounds(value.index * period_.length / by, floor_of(first, by), e.location);
      }
    }
    for (Expr& operand : e.operands) operand = known(std::move(operand));
    return folded(std::move(e));
  }

  // factor * round + number.
  Expr of_rounds(std::int64_t factor, std::int64_t number, term::LocationId location) const {
    Expr made = of_variable(period_.round, scalar_of(Scalar::int64), location);
    if (factor != 1) made = of_integers(ScalarFunction::multiply, made, integer(factor));
    if (number == 0) return made;
    const auto function = number < 0 ? ScalarFunction::subtract : ScalarFunction::add;
    return of_integers(function, made, integer(number < 0 ? -number : number));
  }

  Nest made_;
  RowNames names_;
  Nest::Period period_;
  std::int64_t residue_;
};

}  // namespace

std::int64_t period_of(const Nest& nest) {
  if (!nest.box || nest.box->empty() || !has_names_alone(nest)) return 1;
  RowNames names(nest);
  std::int64_t length = 1;
  each_in_order(nest, names, [&](const Expr& whole) {
    each_part(whole, [&](const Expr& e) {
      const auto found = by_number(names, e);
      if (!found || found->divisor > longest_period) return;
      length = std::lcm(length, found->divisor / std::gcd(found->divisor, found->value.index));
    });
  });
  return length <= longest_period ? length : 1;
}

Nest in_period(const Nest& nest, std::int64_t residue) { return InPeriod(nest, residue).run(); }

std::string wrong_with_period(const Nest& nest) {
  if (nest.period->length < 2) return "has fewer than two indices";
  if (!nest.box || nest.box->empty()) return "is that of no axis";
  if (!has_names_alone(nest)) return "is one of a body that is more than names";
  if (nest.tile || nest.strip != 0 || !nest.loops.empty() || nest.row_blocks)
    return "is beside tiles, strips, turns or another order of loops";
  return "";
}

}  // namespace rhopsi::onf
