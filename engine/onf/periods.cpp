#include "engine/onf/periods.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <type_traits>

#include "engine/onf/along_row.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/folded.hpp"
#include "engine/onf/make_expression.hpp"

namespace rhopsi::onf {

namespace {

constexpr std::int64_t longest_period = 8;

// A quotient or remainder by a number of what is linear in the indices of the nest.
struct ByNumber {
  AlongRow value;
  std::int64_t divisor;
};

std::optional<ByNumber> by_number(const Nest& nest, const RowNames& names, const Expr& e) {
  if (!applies(e, ScalarFunction::divide) && !applies(e, ScalarFunction::modulo))
    return std::nullopt;
  const Expr& divisor = e.operands[1];
  if (divisor.kind != Expr::Kind::integer || divisor.integer <= 1) return std::nullopt;
  auto value = names.along(e.operands[0]);
  if (!value || value->index == 0 || value->over != 1) return std::nullopt;
  const bool of_indices = std::ranges::all_of(value->terms, [&](const auto& each) {
    return each.first.kind == Expr::Kind::variable &&
           std::ranges::count(nest.indices, each.first.variable) > 0;
  });
  if (!of_indices) return std::nullopt;
  return ByNumber{std::move(*value), divisor.integer};
}

// Calls `visit` with the expressions of the nest, in order, the names defined that stand before,
// and the name that it is the value of or null.
template <class SomeNest, class Visit>
void each_in_order(SomeNest& nest, RowNames& names, const Visit& visit) {
  const Let* let = nullptr;
  const auto form = [&](const auto& statement) {
    let = nullptr;
    if constexpr (std::is_same_v<std::decay_t<decltype(statement)>, Let>) let = &statement;
  };
  each_in(nest.body, form, [&](auto& e) {
    const bool names_it = let != nullptr && let->constant && let->value && &*let->value == &e;
    const auto value = names_it ? std::optional(e) : std::nullopt;
    visit(e, names_it ? let : nullptr);
    if (names_it) names.define(let->variable, *value);
  });
  visit(nest.element, nullptr);
  for (auto& output : nest.also) visit(output.element, nullptr);
}

// Is the body one of names, branches and tests, without loops and calls?
bool is_straight(const Statements& body) {
  bool straight = true;
  const auto form = [&](const auto& s) {
    using S = std::decay_t<decltype(s)>;
    straight =
        straight && (std::is_same_v<S, Let> || std::is_same_v<S, Assign> ||
                     std::is_same_v<S, Lazy> || std::is_same_v<S, If> || std::is_same_v<S, Check>);
  };
  each_in(body, form, [](const auto&) {});
  return straight;
}

class InPeriod {
 public:
  InPeriod(const Nest& nest, std::int64_t residue)
      : made_(nest), names_(nest, true), period_(*nest.period), residue_(residue) {}

  Nest run() {
    each_in_order(made_, names_, [&](Expr& e, const Let* let) {
      e = known(std::move(e));
      const bool literal = e.kind == Expr::Kind::integer || e.kind == Expr::Kind::boolean;
      if (literal && let != nullptr) literals_.insert_or_assign(let->variable, e);
    });
    return std::move(made_);
  }

 private:
  Expr known(Expr e) const {
    if (e.kind == Expr::Kind::variable) {
      const auto found = literals_.find(e.variable);
      return found == literals_.end() ? e : found->second;
    }
    if (const auto found = by_number(made_, names_, e)) {
      const auto& [value, by] = *found;
      if (value.index * period_.length % by == 0) {
        AlongRow first = value;
        first.constant += value.index * residue_;
        return of_round(e, first, value.index * period_.length / by);
      }
    }
    for (Expr& operand : e.operands) operand = known(std::move(operand));
    return folded(std::move(e));
  }

  // The quotient or remainder of factor * divisor * round + first, by what it is at round 0.
  Expr of_round(Expr e, const AlongRow& first, std::int64_t factor) const {
    const std::int64_t by = e.operands[1].integer;
    const bool quotient = e.function == ScalarFunction::divide;
    const std::int64_t whole = floor_of(first.constant, by);
    std::int64_t number = quotient ? whole : first.constant - by * whole;
    std::optional<Expr> made;
    if (quotient) {
      made = of_variable(period_.round, scalar_of(Scalar::int64), e.location);
      if (factor != 1)
        made = of_integers(ScalarFunction::multiply, std::move(*made), integer(factor));
    }
    if (!first.terms.empty()) {
      e.operands[0] = without_index(first);
      number = 0;
      made = made ? of_integers(ScalarFunction::add, std::move(*made), std::move(e)) : std::move(e);
    }
    if (!made) return integer(number, e.location);
    if (number == 0) return *made;
    const auto function = number < 0 ? ScalarFunction::subtract : ScalarFunction::add;
    return of_integers(function, std::move(*made), integer(number < 0 ? -number : number));
  }

  Nest made_;
  RowNames names_;
  std::map<VariableId, Expr> literals_;  // names of these
  Nest::Period period_;
  std::int64_t residue_;
};

}  // namespace

std::int64_t period_of(const Nest& nest) {
  if (!nest.box || nest.box->empty() || !is_straight(nest.body)) return 1;
  RowNames names(nest, true);
  std::int64_t length = 1;
  each_in_order(nest, names, [&](const Expr& whole, const Let*) {
    each_part(whole, [&](const Expr& e) {
      const auto found = by_number(nest, names, e);
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
  if (!is_straight(nest.body)) return "is one of a body that has loops or calls";
  if (nest.binding != Binding::nested) return "is that of no loops that are nested";
  if (nest.tile || nest.strip != 0 || !nest.loops.empty() || nest.row_blocks)
    return "is beside tiles, strips, turns or another order of loops";
  return "";
}

}  // namespace rhopsi::onf
