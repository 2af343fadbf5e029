// Branches around statements of arrays, which become choices in the elements of these: they compute
// the same, to the bit.
#include <utility>

#include <gtest/gtest.h>

#include "engine/schedule/schedule.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"
#include "tests/unit/schedule/outlined.hpp"

namespace rhopsi::schedule {
namespace {

// Of u and v and a number x; what a branch on it has on either side.
struct Branching {
  explicit Branching(std::int64_t pad) : form(2, pad) {
    u = form.argument("u", term::Mode::upd), v = form.argument("v", term::Mode::upd);
    x = number_in(form, "x", real_type);
    form.function.arguments.push_back({term::Mode::obs, std::nullopt, x});
  }
  onf::Expr is_below(double limit) const {
    return truth_of(onf::ScalarFunction::less, {named(x, real_type), real(limit)});
  }
  onf::Statements side(const std::function<void()>& write) {
    onf::Statements outside = std::exchange(form.function.body, {});
    write();
    return std::exchange(form.function.body, std::move(outside));
  }
  // target = sum of source here and there
  void add(onf::ViewId target, onf::ViewId source, const std::vector<std::int64_t>& there) {
    const auto made = form.view("made");
    form.assign(made, sum(form.load(source, {0, 0}), form.load(source, there)), true);
    form.copy(target, made);
  }
  void expect_same(const onf::Module& before, const onf::Module& after) const {
    for (const double number : {0.0, 1.0, 2.0, 3.0}) {
      const std::vector<Elements> arguments = {{1, 2, 4, 8, 16, 32}, {3, 1, 4, 1, 5, 9}, {number}};
      EXPECT_EQ(FormRun(before, {2, 3}, 1).run(arguments), FormRun(after, {2, 3}, 2).run(arguments))
          << number << text_of(after);
    }
  }
  FormBuilder form;
  onf::ViewId u, v;
  onf::VariableId x;
};

// With statements on either side, with some on one side alone, and in one another: one pass, in
// which each element is chosen.
TEST(BranchChoices, BranchesPartNoRows) {
  for (const std::int64_t pad : {0, 1}) {
    for (const int form : {0, 1, 2}) {
      Branching made(pad);
      made.add(made.u, made.v, {0, 1});
      const auto chain = [&] {
        made.add(made.v, made.u, {1, 0});
        made.add(made.u, made.v, {0, 1});
      };
      onf::Statements then = made.side(chain), otherwise;
      if (form == 0) otherwise = made.side([&] { made.add(made.u, made.u, {0, 1}); });
      if (form == 2) {
        otherwise = made.side([&] {
          onf::Statements inner = made.side([&] { made.add(made.v, made.v, {0, 1}); });
          made.form.emit(onf::If{made.is_below(2), std::move(inner), {}});
        });
      }
      made.form.emit(onf::If{made.is_below(1), std::move(then), std::move(otherwise)});
      made.add(made.v, made.u, {0, -1});
      const onf::Module before = made.form.finish();
      onf::Module module = before;
      apply(module);
      ASSERT_EQ(errors_of(module), "");
      ASSERT_EQ(parts_in(module), 0u) << text_of(module);
      EXPECT_EQ(statements_of<onf::If>(module.functions[0].body), 0u) << text_of(module);
      EXPECT_EQ(statements_of<onf::Pipeline>(module.functions[0].body), 1u) << text_of(module);
      made.expect_same(before, module);
    }
  }
}

// What a branch sets besides, numbers, is set behind it; so rounds of a loop are done together.
TEST(BranchChoices, NumbersAreSetBesideThem) {
  Branching made(0);
  const auto s = number_in(made.form, "s", real_type);
  made.form.emit(onf::Let{s, named(made.x, real_type), false});
  onf::Statements outside = std::exchange(made.form.function.body, {});
  const auto scale = [&](onf::ViewId source, double by) {
    return made.side([&] {
      const auto w = made.form.view("w");
      made.form.assign(w, times(made.form.load(source, {0, 1}), named(s, real_type)), true);
      made.form.copy(made.u, w);
      made.form.emit(onf::Assign{s, times(named(s, real_type), real(by))});
    });
  };
  const onf::Expr below = truth_of(onf::ScalarFunction::less, {named(s, real_type), real(1.5)});
  made.form.emit(onf::If{below, scale(made.v, 2), scale(made.u, 0.5)});
  made.add(made.v, made.u, {1, 0});
  onf::Statements body = std::exchange(made.form.function.body, std::move(outside));
  made.form.emit(onf::Iterate{integer(7), std::move(body)});
  const onf::Module before = made.form.finish();
  onf::Module module = before;
  apply(module, calls_together(3));
  ASSERT_EQ(errors_of(module), "");
  EXPECT_TRUE(calls_repeated(module, module.functions[0].body)) << text_of(module);
  made.expect_same(before, module);
}

// Not where something within the branch sets what they have read.
TEST(BranchChoices, NumbersThatAreReadBeforeAreNotSetBesideThem) {
  Branching made(0);
  const auto s = number_in(made.form, "s", real_type), r = number_in(made.form, "r", real_type);
  for (const auto variable : {s, r}) made.form.emit(onf::Let{variable, real(1), false});
  onf::Statements then = made.side([&] {
    made.form.emit(onf::Assign{r, sum(named(s, real_type), real(0.5))});
    onf::Statements inner = made.side([&] {
      made.add(made.u, made.v, {0, 1});
      made.form.emit(onf::Assign{s, real(7)});
    });
    made.form.emit(onf::If{made.is_below(2), std::move(inner), {}});
  });
  onf::Statements otherwise = made.side([&] { made.add(made.u, made.u, {1, 0}); });
  made.form.emit(onf::If{made.is_below(3), std::move(then), std::move(otherwise)});
  const auto w = made.form.view("w");
  made.form.assign(w, sum(made.form.load(made.u, {0, 1}), named(r, real_type)), true);
  made.form.copy(made.u, w);
  const onf::Module before = made.form.finish();
  onf::Module module = before;
  apply(module);
  ASSERT_EQ(errors_of(module), "");
  made.expect_same(before, module);
}

// One that may do nothing, with nothing beside it, is asked first. So is one of an element, one
// that may fail, and one that has much in it.
TEST(BranchChoices, OthersStayBranches) {
  enum class Of { alone, element, fails, much };
  for (const Of of : {Of::alone, Of::element, Of::fails, Of::much}) {
    Branching made(0);
    if (of != Of::alone) made.add(made.u, made.v, {0, 1});
    onf::Expr condition = made.is_below(1);
    if (of == Of::element) {
      onf::Expr first = made.form.load(made.u, {0, 0});
      first.operands = {integer(0), integer(0)};
      condition = truth_of(onf::ScalarFunction::less, {std::move(first), real(2)});
    } else if (of == Of::fails) {
      condition =
          truth_of(onf::ScalarFunction::less,
                   {apply(onf::ScalarFunction::modulo, {integer(3), extent(0)}), extent(1)});
      condition.operands[0].operands[1] = difference(extent(0), integer(1));
    }
    onf::Statements then = made.side([&] {
      for (int times = 0; times < (of == Of::much ? 9 : 1); ++times)
        made.add(made.u, made.u, {1, 0});
    });
    made.form.emit(onf::If{std::move(condition), std::move(then), {}});
    if (of != Of::alone) made.add(made.v, made.u, {0, -1});
    const onf::Module before = made.form.finish();
    onf::Module module = before;
    apply(module);
    ASSERT_EQ(errors_of(module), "") << int(of);
    EXPECT_EQ(statements_of<onf::If>(module.functions[0].body), 1u) << int(of) << text_of(module);
    made.expect_same(before, module);
  }
}

// What both sides compute is computed once, and what is asked on one side of a choice is known
// there.
TEST(BranchChoices, NothingIsAskedOrComputedTwice) {
  Branching made(0);
  const auto w = made.form.view("w");
  made.form.assign(w, sum(made.form.load(made.u, {0, 1}), made.form.load(made.v, {1, 0})), true);
  const auto side = [&](double by) {
    return made.side([&] {
      const auto a = made.form.view("a"), b = made.form.view("b");
      made.form.assign(a, times(made.form.load(w, {0, 0}), real(by)), true);
      made.form.assign(b, sum(made.form.load(a, {0, 0}), made.form.load(a, {0, 0})), true);
      made.form.copy(made.v, b);
    });
  };
  made.form.emit(onf::If{made.is_below(1), side(2), side(3)});
  const onf::Module before = made.form.finish();
  onf::Module module = before;
  apply(module, Recipe{"r", {{StepKind::fuse}, {StepKind::share}}, {}});
  ASSERT_EQ(errors_of(module), "");
  const std::string text = text_of(module);
  const auto count = [&](const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(count("if less(x, 1.0)"), 1u) << text;
  EXPECT_EQ(count("add(u["), 1u) << text;
  made.expect_same(before, module);
}

}  // namespace
}  // namespace rhopsi::schedule
