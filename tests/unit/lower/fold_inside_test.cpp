// Folds of elements that are chosen by where they are: in which ranges of the indices what is
// chosen is known, and what it is.
#include "engine/onf/fold_inside.hpp"

#include <gtest/gtest.h>

#include "engine/lower/normal_form.hpp"
#include "engine/onf/print.hpp"
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi {
namespace {

using moa::test::Input;
using onf::Expr;
using onf::ScalarFunction;

class FoldsInside : public ::testing::Test {
 protected:
  // fold add (k < length(A, 0)) A[k], whose element is to be chosen.
  void SetUp() override {
    module = lower::module_of_forms("forms");
    const std::optional<std::int64_t> any;
    const auto form =
        moa::test::expressions().reduce("sum(A, 0)", {{"A", {any}, onf::Scalar::float64}});
    ASSERT_TRUE(form && lower::lower(*form, "f", module));
    for (onf::Statement& statement : function().body) {
      if (auto* found = std::get_if<onf::Fold>(&statement.form)) fold = found;
    }
    ASSERT_NE(fold, nullptr);
    index.kind = Expr::Kind::variable;
    index.variable = fold->index;
    index.type = function().variables[onf::number(fold->index)].type;
    length = fold->count;
    truth = index.type;
    truth.scalar = onf::Scalar::boolean;
    element = fold->element;
  }
  onf::Function& function() { return module.functions.back(); }

  Expr number(std::int64_t value) const {
    Expr made = index;
    made.kind = Expr::Kind::integer;
    made.integer = value;
    return made;
  }
  Expr apply(ScalarFunction f, Expr left, Expr right) const {
    Expr made;
    made.kind = Expr::Kind::apply;
    made.function = f;
    made.type = f == ScalarFunction::add || f == ScalarFunction::subtract ? index.type : truth;
    made.operands = {std::move(left), std::move(right)};
    return made;
  }
  // "from..until, ...: element" where the fold's element is chosen by this condition.
  std::string inside(const Expr& condition) {
    Expr zero = element;
    zero.kind = Expr::Kind::real;
    zero.real = 0;
    zero.operands.clear();
    fold->element = element;
    fold->element.kind = Expr::Kind::if_;
    fold->element.operands = {condition, element, zero};
    const auto form = onf::fold_form(function(), *fold);
    if (!form) return "no form";
    const auto found = onf::fold_inside(*form, onf::LengthProducts(function(), *fold));
    if (!found) return "none";
    std::string said = std::to_string(found->ranges.back().from) + "..";
    for (const Expr& end : found->ranges.back().until) {
      said += onf::to_string(module, function(), end) + ", ";
    }
    return said + ": " + onf::to_string(module, function(), found->form.folds.back().element);
  }

  onf::Module module;
  onf::Fold* fold = nullptr;
  Expr index, length, element;
  onf::Representation truth;
};

TEST_F(FoldsInside, ANumberIsAPlaceNearTheLowEndAndALengthOneNearTheHighEnd) {
  const std::string load = onf::to_string(module, function(), element);
  const std::string n = onf::to_string(module, function(), length);
  const Expr next = apply(ScalarFunction::add, index, number(1));
  EXPECT_EQ(inside(apply(ScalarFunction::less_equal, number(1), index)), "1..: " + load);
  EXPECT_EQ(inside(apply(ScalarFunction::less, number(1), index)), "2..: " + load);
  EXPECT_EQ(inside(apply(ScalarFunction::less, index, number(3))), "3..: 0.0");
  EXPECT_EQ(inside(apply(ScalarFunction::less_equal, index, number(3))), "4..: 0.0");
  EXPECT_EQ(inside(apply(ScalarFunction::less, next, length)), "0..add(" + n + ", -1), : " + load);
  EXPECT_EQ(inside(apply(ScalarFunction::less_equal, next, length)), "0.." + n + ", : " + load);
  EXPECT_EQ(inside(apply(ScalarFunction::less_equal, length, next)),
            "0..add(" + n + ", -1), : 0.0");
  EXPECT_EQ(inside(apply(ScalarFunction::less, length, next)), "0.." + n + ", : 0.0");
  EXPECT_EQ(inside(apply(ScalarFunction::less, index,
                         apply(ScalarFunction::subtract, length, number(2)))),
            "0..add(" + n + ", -2), : " + load);
}

TEST_F(FoldsInside, OfSeveralComparisonsAllRangesHold) {
  const std::string load = onf::to_string(module, function(), element);
  const std::string n = onf::to_string(module, function(), length);
  const Expr low = apply(ScalarFunction::less_equal, number(2), index);
  const Expr high = apply(ScalarFunction::less, index, length);
  EXPECT_EQ(inside(apply(ScalarFunction::and_, low, high)), "2.." + n + ", : " + load);
  EXPECT_EQ(inside(apply(ScalarFunction::or_, low, high)), "2.." + n + ", : " + load);
  // One that is known decides for both, or leaves the other one.
  const Expr other = apply(ScalarFunction::less, element, element);
  EXPECT_EQ(inside(apply(ScalarFunction::or_, low, other)), "2..: " + load);
  EXPECT_EQ(inside(apply(ScalarFunction::and_, low, other)), "none");
}

TEST_F(FoldsInside, WhatIsNoPlaceStaysAChoice) {
  EXPECT_EQ(inside(apply(ScalarFunction::less, element, element)), "none");
  EXPECT_EQ(inside(apply(ScalarFunction::less, number(1), length)), "none");
  EXPECT_EQ(inside(apply(ScalarFunction::equal, number(1), index)), "none");
  EXPECT_EQ(inside(apply(ScalarFunction::less, index, index)), "none");
  // Sums that 64 bits may not hold.
  const Expr far = apply(ScalarFunction::add, index, number(std::int64_t{1} << 62));
  EXPECT_EQ(inside(apply(ScalarFunction::less, far, length)), "none");
}

}  // namespace
}  // namespace rhopsi
