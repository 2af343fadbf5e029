#include "engine/onf/preconditions.hpp"

#include <algorithm>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/infix.hpp"
#include "engine/onf/make_expression.hpp"

namespace rhopsi::onf {

namespace {

using Kind = Expr::Kind;

Expr applied(ScalarFunction function, std::vector<Expr> operands) {
  return onf::applied(function, Scalar::boolean, std::move(operands));
}

// Integers are ordered, so a comparison that does not hold is another one that does.
Expr negated(Expr e) {
  constexpr std::pair<ScalarFunction, ScalarFunction> opposite[] = {
      {ScalarFunction::less, ScalarFunction::greater_equal},
      {ScalarFunction::greater, ScalarFunction::less_equal},
      {ScalarFunction::equal, ScalarFunction::not_equal}};
  for (const auto& [one, other] : opposite) {
    if (e.kind != Kind::apply || (e.function != one && e.function != other)) continue;
    e.function = e.function == one ? other : one;
    return e;
  }
  if (e.kind == Kind::apply && e.function == ScalarFunction::not_) {
    Expr inner = std::move(e.operands[0]);
    return inner;
  }
  return applied(ScalarFunction::not_, {std::move(e)});
}

}  // namespace

Preconditions::Preconditions(const Module& module, Function& function, std::size_t rank)
    : module_(module), function_(function), ranges_(module, function) {
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (const auto length = ranges_.affine(extent(axis)))
      ranges_.assume_at_most(Affine{1, {}}, *length);
  }
}

void Preconditions::add(Precondition made) {
  if (follows(made.condition)) return;
  ranges_.assume(made.condition);
  if (made.otherwise.empty()) made.otherwise = "it needs `" + needed(made.condition) + "`";
  function_.preconditions.push_back(std::move(made));
}

void Preconditions::add(Expr condition, bool holds) {
  if (!holds) condition = negated(std::move(condition));
  add({std::move(condition), {}, Precondition::Elsewhere::other_lengths});
}

void Preconditions::add_test(Expr condition, std::string otherwise, bool perhaps) {
  if (perhaps) {
    perhaps_tested_.push_back(
        {std::move(condition), std::move(otherwise), Precondition::Elsewhere::own_shapes});
  } else {
    add({std::move(condition), std::move(otherwise), Precondition::Elsewhere::none});
  }
}

void Preconditions::add_length(std::size_t axis, const Expr& number) {
  Expr length = number;
  length.type = scalar_of(Scalar::int64);
  add({applied(ScalarFunction::equal, {extent(axis), std::move(length)}),
       {},
       Precondition::Elsewhere::own_shapes});
}

void Preconditions::finish() {
  for (Precondition& made : perhaps_tested_) add(std::move(made));
  perhaps_tested_.clear();
}

// left + by <= right
bool Preconditions::below(const Expr& left, const Expr& right, std::int64_t by) {
  const auto from = ranges_.affine(left), to = ranges_.affine(right);
  if (!from || !to) return false;
  auto between = difference(*to, *from);
  if (!between || __builtin_sub_overflow(between->constant, by, &between->constant)) return false;
  return ranges_.not_negative(*between);
}

bool Preconditions::follows(const Expr& e) {
  if (e.kind == Kind::boolean) return e.integer != 0;
  if (e.kind != Kind::apply) return false;
  const auto& parts = e.operands;
  switch (e.function) {
    case ScalarFunction::less:
      return below(parts[0], parts[1], 1);
    case ScalarFunction::less_equal:
      return below(parts[0], parts[1], 0);
    case ScalarFunction::greater:
      return below(parts[1], parts[0], 1);
    case ScalarFunction::greater_equal:
      return below(parts[1], parts[0], 0);
    case ScalarFunction::equal:
      return below(parts[0], parts[1], 0) && below(parts[1], parts[0], 0);
    case ScalarFunction::not_equal:
      return below(parts[0], parts[1], 1) || below(parts[1], parts[0], 1);
    case ScalarFunction::and_:
      return follows(parts[0]) && follows(parts[1]);
    case ScalarFunction::or_:
      return follows(parts[0]) || follows(parts[1]);
    default:
      return false;
  }
}

std::string Preconditions::needed(Expr condition) const {
  const auto first = std::ranges::find_if(function_.arguments, [](const Argument& argument) {
    return argument.view.has_value() && !argument.window;
  });
  each_part(condition, [&](Expr& e) {
    if (e.kind != Kind::extent || first == function_.arguments.end()) return;
    e.kind = Kind::length;
    e.view = *first->view;
  });
  return infix(module_, function_, condition);
}

}  // namespace rhopsi::onf
