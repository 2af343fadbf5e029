// What conditions say of a place in the domain, and loads whose indices are told by them.
#include <gtest/gtest.h>

#include "engine/onf/circular_loads.hpp"
#include "engine/onf/decided.hpp"
#include "engine/onf/print.hpp"
#include "tests/unit/lower/hand_made.hpp"

namespace rhopsi::onf {
namespace {

using enum ScalarFunction;

Expr axis_length(int axis) {
  Expr e = integer(0);
  e.kind = Expr::Kind::extent;
  e.axis = axis;
  return e;
}
Expr choose(Expr condition, Expr then, Expr otherwise) {
  Expr e;
  e.kind = Expr::Kind::if_;
  e.type = then.type;
  e.operands = {std::move(condition), std::move(then), std::move(otherwise)};
  return e;
}

// A nest over i and k, and an array a.
class PositionsOfANest : public testing::Test {
 protected:
  PositionsOfANest() {
    module.rank = 2;
    function.variables = {{"i", int64_type}, {"k", int64_type}};
    function.blocks.emplace_back().element = Scalar::float64;
    function.views.emplace_back().name = "a";
    nest.indices = {VariableId{0}, VariableId{1}};
    nest.binding = Binding::nested;
  }
  static Expr load(Expr first, Expr last) {
    Expr e;
    e.kind = Expr::Kind::load;
    e.type = {Representation::Kind::scalar, Scalar::float64, {}};
    e.operands = {std::move(first), std::move(last)};
    return e;
  }
  std::string text(const Expr& e) const { return to_string(module, function, e); }
  // Along the last axis; "elsewhere" where one reads at no constant offset.
  std::string circular(Expr index) const {
    Expr whole = load(i, std::move(index));
    const auto none = [](VariableId) -> const Expr* { return nullptr; };
    const auto by_lengths = [](const Expr& condition) -> std::optional<bool> {
      const auto holds = decided_by({8, 9}, condition);
      return holds ? std::optional(*holds != 0) : std::nullopt;
    };
    return make_loads_circular(nest, whole, none, by_lengths) ? "elsewhere" : text(whole);
  }
  // Between ends as long as the conditions of the element ask for.
  std::string between(Expr condition) {
    nest.element = choose(condition, load(i, k), load(i, k));
    return text(between_ends(Positions(nest), nest, condition_reach(nest), condition));
  }

  Module module;
  Function function;
  Nest nest;
  const Expr i = variable(VariableId{0}), k = variable(VariableId{1});
  const Expr n = axis_length(1);
};

TEST_F(PositionsOfANest, NearestElements) {
  EXPECT_EQ(
      circular(choose(apply(less, k, integer(2)), integer(0), apply(subtract, k, integer(2)))),
      "if less(k, 2) then if equal(k, 0) then a[i, k] else a[i, modulo(add(k, -1), n1)] "
      "else a[i, modulo(add(k, -2), n1)]");
  const Expr last = apply(subtract, n, integer(1));
  EXPECT_EQ(circular(apply(minimum, apply(add, k, integer(1)), last)),
            "if less_equal(add(k, 1), subtract(n1, 1)) then a[i, modulo(add(k, 1), n1)] "
            "else a[i, k]");
}

// The element before that one too, where there is one.
TEST_F(PositionsOfANest, NearestOfTheNearest) {
  const auto before = [&](const Expr& e) {
    return choose(apply(less, e, integer(1)), integer(0), apply(subtract, e, integer(1)));
  };
  EXPECT_EQ(circular(before(before(k))),
            "if less(k, 1) then a[i, k] else if less(subtract(k, 1), 1) "
            "then a[i, modulo(add(k, -1), n1)] else a[i, modulo(add(k, -2), n1)]");
  const auto after = [&](const Expr& e) {
    const Expr next = apply(add, e, integer(1));
    return choose(apply(less, next, n), next, apply(subtract, n, integer(1)));
  };
  EXPECT_EQ(circular(after(before(k))),
            "if less(k, 1) then a[i, modulo(add(k, 1), n1)] else a[i, k]");
}

TEST_F(PositionsOfANest, MirrorImages) {
  // 2 n - 3 - k is n - 2 where k is n - 1.
  const Expr mirrored =
      apply(subtract, apply(subtract, apply(multiply, n, integer(2)), k), integer(3));
  const Expr beyond = apply(less_equal, n, apply(add, k, integer(1)));
  EXPECT_EQ(circular(choose(beyond, mirrored, apply(add, k, integer(1)))),
            "if less_equal(n1, add(k, 1)) then a[i, modulo(add(k, -1), n1)] "
            "else a[i, modulo(add(k, 1), n1)]");
  EXPECT_EQ(circular(choose(apply(less, k, integer(1)), apply(subtract, integer(1), k), k)),
            "if less(k, 1) then a[i, modulo(add(k, 1), n1)] else a[i, k]");
}

TEST_F(PositionsOfANest, OfNoConstantOffset) {
  EXPECT_EQ(circular(integer(0)), "elsewhere");
  EXPECT_EQ(circular(i), "elsewhere");
  EXPECT_EQ(circular(apply(subtract, n, k)), "elsewhere");
  EXPECT_EQ(circular(apply(multiply, k, integer(2))), "elsewhere");
  // More indices than a condition is worth.
  EXPECT_EQ(circular(choose(apply(less, k, integer(100)), integer(0), k)), "elsewhere");
  // A bound of the other axis says nothing of this one.
  EXPECT_EQ(circular(choose(apply(less, i, integer(1)), integer(0), k)), "elsewhere");
}

TEST_F(PositionsOfANest, BetweenTheEndsOfRows) {
  EXPECT_EQ(between(apply(less_equal, integer(2), k)), "true");
  EXPECT_EQ(between(apply(less, k, integer(2))), "false");
  EXPECT_EQ(between(apply(less, apply(add, k, integer(3)), n)), "true");
  EXPECT_EQ(between(apply(equal, k, apply(subtract, n, integer(1)))), "false");
  EXPECT_EQ(between(apply(not_equal, k, integer(0))), "true");
  // Where the elements differ far inside, or by rows, it stays.
  EXPECT_EQ(between(apply(less, k, integer(100))), "less(k, 100)");
  EXPECT_EQ(between(apply(less, apply(multiply, k, integer(2)), n)), "less(multiply(k, 2), n1)");
  const Expr first_row = apply(equal, i, integer(0));
  EXPECT_EQ(between(apply(or_, first_row, apply(equal, k, integer(0)))), "equal(i, 0)");
  EXPECT_EQ(between(apply(and_, apply(equal, k, integer(0)), first_row)), "false");
}

TEST_F(PositionsOfANest, EndsAreAsLongAsConditionsAsk) {
  nest.element = choose(apply(less, k, integer(2)), load(i, k),
                        choose(apply(less, apply(add, k, integer(3)), n), load(i, k), load(i, k)));
  EXPECT_EQ(condition_reach(nest), (Margin{2, 3}));
  nest.element = choose(apply(less, i, integer(2)), load(i, k), load(i, k));
  EXPECT_EQ(condition_reach(nest), Margin{});
}

}  // namespace
}  // namespace rhopsi::onf
