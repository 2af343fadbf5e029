// Parts of elements that have conditions on the place in them, which become values as they are
// between the ends of the domain.
#include <algorithm>
#include <functional>
#include <utility>

#include <gtest/gtest.h>

#include "engine/schedule/schedule.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"

namespace rhopsi::schedule {
namespace {

using onf::Expr;
using onf::ScalarFunction;

Expr is_less(Expr a, Expr b) {
  return truth_of(ScalarFunction::less, {std::move(a), std::move(b)});
}

// w := what comes in through both faces of an element along one axis.
class Faces {
 public:
  // Seven operations of what is on both sides, or more.
  using Function = std::function<Expr(const Expr& left, const Expr& right)>;
  explicit Faces(int rank, int axis, Function function = {})
      : form(rank, 0), axis_(axis), function_(function ? std::move(function) : seven) {
    u = form.argument("u", term::Mode::upd);
    w = form.argument("w", term::Mode::upd);
  }

  static Expr seven(const Expr& left, const Expr& right) {
    const Expr gap = difference(right, left);
    return times(sum(times(gap, gap), times(left, right)), sum(real(0.3), times(gap, right)));
  }

  Expr beside(std::int64_t by) const {
    std::vector<std::int64_t> offset(std::size_t(form.module.rank), 0);
    offset[std::size_t(axis_)] = by;
    return form.load(u, offset);
  }
  Expr is_first() const { return is_less(form.position(axis_), integer(1)); }
  Expr is_not_last() const { return is_less(sum(form.position(axis_), integer(1)), extent(axis_)); }
  // Beyond the ends there is what is at them.
  Expr low() const { return function_(choice_of(is_first(), beside(0), beside(-1)), beside(0)); }
  Expr high() const { return function_(beside(0), choice_of(is_not_last(), beside(1), beside(0))); }

  FormBuilder form;
  onf::ViewId u{}, w{};

 private:
  int axis_;
  Function function_;
};

const Step* stored_part(const Outcome& outcome) {
  const auto found = std::ranges::find(outcome.steps, "materialise", &Step::name);
  return found == outcome.steps.end() ? nullptr : &*found;
}

void same_at_all_lengths(const onf::Module& before, const onf::Module& after) {
  EXPECT_EQ(errors_of(after), "");
  for (const std::int64_t n : {1, 2, 3, 8}) {
    const std::vector<std::int64_t> shape(std::size_t(before.rank), n);
    std::vector<Elements> arguments(2, Elements(std::size_t(before.rank == 1 ? n : n * n)));
    for (std::size_t k = 0; k < arguments[0].size(); ++k) arguments[0][k] = 1.0 / double(k + 3);
    EXPECT_EQ(FormRun(before, shape, 1).run(arguments), FormRun(after, shape, 2).run(arguments));
  }
}

Outcome scheduled(onf::Module& module, std::int64_t least = 7) {
  return apply(module, {"r", {{StepKind::materialise, least}}, {}});
}

TEST(Interior, WhatBothFacesComputeIsStored) {
  for (const int rank : {1, 2}) {
    for (int axis = 0; axis < rank; ++axis) {
      Faces faces(rank, axis);
      faces.form.assign(faces.w, difference(faces.high(), faces.low()));
      const onf::Module before = faces.form.finish();
      onf::Module module = before;
      const Outcome outcome = scheduled(module);
      ASSERT_NE(stored_part(outcome), nullptr);
      EXPECT_TRUE(stored_part(outcome)->holds);
      EXPECT_EQ(stored_part(outcome)->after, "stored, and computed where it is read at the ends");
      EXPECT_EQ(outcome.costs.at(0).after.passes.size(), 2u);
      // What is left of an element is a difference; what is at the ends counts nothing.
      const auto& passes = outcome.costs.at(0).work_after.passes;
      EXPECT_EQ(passes.at(0).stages.at(0).operations, 7);
      EXPECT_EQ(passes.at(1).stages.at(0).operations, 1);
      same_at_all_lengths(before, module);
    }
  }
}

// Nothing flows through the ends: only a branch computes the function, which is taken between them.
TEST(Interior, ABranchBetweenTheEndsIsComputedInAnyCase) {
  Faces faces(1, 0);
  const Expr low =
      choice_of(faces.is_first(), real(0), Faces::seven(faces.beside(-1), faces.beside(0)));
  const Expr high =
      choice_of(faces.is_not_last(), Faces::seven(faces.beside(0), faces.beside(1)), real(0));
  faces.form.assign(faces.w, difference(high, low));
  const onf::Module before = faces.form.finish();
  onf::Module module = before;
  const Outcome outcome = scheduled(module);
  ASSERT_NE(stored_part(outcome), nullptr);
  EXPECT_EQ(stored_part(outcome)->after, "stored");
  same_at_all_lengths(before, module);
}

// Further inside than boundary conditions reach there is no part that all elements have.
TEST(Interior, NotAConditionOfTheMiddle) {
  Faces faces(1, 0);
  const Expr low = Faces::seven(
      choice_of(is_less(faces.form.position(0), integer(17)), faces.beside(0), faces.beside(-1)),
      faces.beside(0));
  faces.form.assign(faces.w, difference(faces.high(), low));
  onf::Module module = faces.form.finish();
  const Outcome outcome = scheduled(module);
  EXPECT_EQ(stored_part(outcome), nullptr);
}

// A quotient of integers is computed for no element that did not ask for it.
TEST(Interior, NotWhatMayHaveNoNumber) {
  const auto divided = [](const Expr& left, const Expr& right) {
    Expr whole = apply(ScalarFunction::convert, {left});
    whole.type = int64_type;
    Expr quotient = apply(ScalarFunction::convert,
                          {apply(ScalarFunction::divide, {std::move(whole), integer(3)})});
    quotient.type = real_type;
    return times(std::move(quotient), Faces::seven(left, right));
  };
  Faces faces(1, 0, divided);
  faces.form.assign(faces.w, difference(faces.high(), faces.low()));
  onf::Module module = faces.form.finish();
  const Outcome outcome = scheduled(module);
  ASSERT_NE(stored_part(outcome), nullptr);
  EXPECT_EQ(outcome.costs.at(0).work_after.passes.at(0).stages.at(0).operations, 7);
}

// Little is computed for whole rows anyway.
TEST(Interior, NotWhatIsLittle) {
  Faces faces(1, 0, [](const Expr& left, const Expr& right) {
    return times(difference(right, left), sum(left, right));
  });
  faces.form.assign(faces.w, difference(faces.high(), faces.low()));
  onf::Module module = faces.form.finish();
  const Outcome outcome = scheduled(module, 1);
  EXPECT_EQ(stored_part(outcome), nullptr);
}

}  // namespace
}  // namespace rhopsi::schedule
