// Pads that only elements read which do not ask for them: those stay as they are.
#include <gtest/gtest.h>

#include "engine/schedule/schedule.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"

namespace rhopsi::schedule {
namespace {

using onf::Expr;
using onf::Margin;
using onf::ScalarFunction;

// w := if condition then u beside it else 0, on two axes, of which the condition is about the last.
class Guarded {
 public:
  explicit Guarded(std::int64_t pad) : form(2, pad) {
    u = form.argument("u", term::Mode::obs);
    w = form.argument("w", term::Mode::upd);
  }
  onf::Module module(const Expr& condition, std::int64_t by, bool where_it_holds = true) {
    const Expr read = form.load(u, {0, by});
    form.assign(w, where_it_holds ? choice_of(condition, read, real(0))
                                  : choice_of(condition, real(0), read));
    return form.finish();
  }
  Expr at() const { return form.position(1); }
  Expr ahead(std::int64_t by) const { return sum(at(), integer(by)); }

  FormBuilder form;
  onf::ViewId u{}, w{};
};

Expr compare(ScalarFunction function, Expr a, Expr b) {
  return truth_of(function, {std::move(a), std::move(b)});
}

// What of the pads of u is filled, along the last axis; the form computes what it did with stale
// pads, and is well formed.
Margin filled(onf::Module before) {
  onf::Module module = before;
  const Outcome outcome =
      apply(module, {"r", {{StepKind::pad}, {StepKind::refill}, {StepKind::bind}}, {}});
  EXPECT_EQ(outcome.functions, 1u);
  EXPECT_EQ(errors_of(module), "");
  for (const std::int64_t n : {1, 2, 3, 7}) {
    std::vector<Elements> arguments(2, Elements(std::size_t(2 * n)));
    for (std::size_t k = 0; k < arguments[0].size(); ++k) arguments[0][k] = double(k + 1);
    EXPECT_EQ(FormRun(before, {2, n}, 1).run(arguments)[1],
              FormRun(module, {2, n}, 2).run(arguments)[1]);
  }
  Margin found;
  for (const onf::Statement& statement : module.functions[0].body) {
    const auto* const refill = std::get_if<onf::Refill>(&statement.form);
    if (refill == nullptr) continue;
    if (!refill->halo) return {-1, -1};
    found.low = std::max(found.low, refill->halo->axes[1].low);
    found.high = std::max(found.high, refill->halo->axes[1].high);
  }
  return found;
}

TEST(Conditions, WhatNobodyAsksForIsNotFilled) {
  const auto of = [](ScalarFunction function, bool left, std::int64_t number, std::int64_t by,
                     bool where_it_holds = true) {
    Guarded guarded(2);
    Expr condition = left ? compare(function, integer(number), guarded.at())
                          : compare(function, guarded.ahead(number), extent(1));
    return filled(guarded.module(condition, by, where_it_holds));
  };
  constexpr bool from_first = true, from_last = false, elsewhere = false;
  EXPECT_EQ(of(ScalarFunction::less_equal, from_first, 1, -1), (Margin{0, 0}));
  EXPECT_EQ(of(ScalarFunction::less, from_first, 0, -1), (Margin{0, 0}));
  EXPECT_EQ(of(ScalarFunction::less_equal, from_first, 0, -1), (Margin{1, 0}));
  EXPECT_EQ(of(ScalarFunction::less_equal, from_first, 1, -2), (Margin{1, 0}));
  EXPECT_EQ(of(ScalarFunction::less_equal, from_first, 1, 1), (Margin{0, 1}));
  EXPECT_EQ(of(ScalarFunction::less, from_last, 1, 1), (Margin{0, 0}));
  EXPECT_EQ(of(ScalarFunction::less, from_last, 0, 1), (Margin{0, 1}));
  EXPECT_EQ(of(ScalarFunction::less, from_last, 1, 2), (Margin{0, 1}));
  EXPECT_EQ(of(ScalarFunction::less_equal, from_last, 2, 1), (Margin{0, 0}));
  // In the branch where the condition does not hold.
  EXPECT_EQ(of(ScalarFunction::greater, from_first, 1, -1, elsewhere), (Margin{0, 0}));
  EXPECT_EQ(of(ScalarFunction::greater_equal, from_last, 1, 1, elsewhere), (Margin{0, 0}));
  EXPECT_EQ(of(ScalarFunction::less_equal, from_first, 1, -1, elsewhere), (Margin{1, 0}));
  // What is not the first element has one before it.
  EXPECT_EQ(of(ScalarFunction::not_equal, from_first, 0, -1), (Margin{0, 0}));
  EXPECT_EQ(of(ScalarFunction::equal, from_first, 0, -1, elsewhere), (Margin{0, 0}));
  EXPECT_EQ(of(ScalarFunction::not_equal, from_last, 1, 1), (Margin{0, 0}));
  EXPECT_EQ(of(ScalarFunction::not_equal, from_first, 1, -1), (Margin{1, 0}));
  EXPECT_EQ(of(ScalarFunction::not_equal, from_first, 0, 1), (Margin{0, 1}));
  EXPECT_EQ(of(ScalarFunction::equal, from_first, 0, -1), (Margin{1, 0}));
  EXPECT_EQ(of(ScalarFunction::equal, from_first, 2, -2), (Margin{0, 0}));
}

TEST(Conditions, OfSeveralTogether) {
  const auto with = [](ScalarFunction function, bool where_it_holds) {
    Guarded guarded(1);
    const Expr first = compare(ScalarFunction::less_equal, integer(1), guarded.at());
    const Expr last = compare(ScalarFunction::less, guarded.ahead(1), extent(1));
    const Expr both = truth_of(function, {first, last});
    const Expr read =
        sum(guarded.form.load(guarded.u, {0, -1}), guarded.form.load(guarded.u, {0, 1}));
    guarded.form.assign(guarded.w,
                        where_it_holds
                            ? choice_of(both, read, real(0))
                            : choice_of(truth_of(ScalarFunction::not_, {both}), real(0), read));
    return filled(guarded.form.finish());
  };
  for (const bool holds : {true, false}) {
    EXPECT_EQ(with(ScalarFunction::and_, holds), (Margin{0, 0}));
    EXPECT_EQ(with(ScalarFunction::or_, holds), (Margin{1, 1}));
  }
}

// Who asks without a condition gets it, whatever others do.
TEST(Conditions, OneThatAsksIsEnough) {
  Guarded guarded(1);
  const Expr read = guarded.form.load(guarded.u, {0, -1});
  const Expr first = compare(ScalarFunction::less_equal, integer(1), guarded.at());
  guarded.form.assign(guarded.w, sum(choice_of(first, read, real(0)), read));
  EXPECT_EQ(filled(guarded.form.finish()), (Margin{1, 0}));
}

// A condition on one axis says nothing of another one.
TEST(Conditions, AreOfTheirAxis) {
  Guarded guarded(1);
  const Expr other = compare(ScalarFunction::less_equal, integer(1), guarded.form.position(0));
  EXPECT_EQ(filled(guarded.module(other, -1)), (Margin{1, 0}));
}

// The verifier finds that by itself.
TEST(Conditions, AFormThatLeavesOutTooMuchIsRefused) {
  for (const std::int64_t least : {0, 1}) {
    Guarded guarded(1);
    const Expr read = guarded.form.load(guarded.w, {0, -1});
    const Expr first = compare(ScalarFunction::less_equal, integer(least), guarded.at());
    guarded.form.nest(guarded.w, guarded.form.load(guarded.u, {0, 0}));  // its pads are stale
    const onf::ViewId made = guarded.form.view("made");
    guarded.form.emit(onf::Allocate{made});
    guarded.form.nest(made, choice_of(first, read, real(0)));
    guarded.form.emit(onf::Refill{made});
    guarded.form.emit(onf::Share{guarded.w, made, false, true});
    EXPECT_EQ(codes_of(guarded.form.finish()),
              least == 0 ? std::vector<std::string>{"E0521"} : std::vector<std::string>{});
  }
}

}  // namespace
}  // namespace rhopsi::schedule
