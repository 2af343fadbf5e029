// Folds over all elements in functions that are outlined, of their rows, and loops that such folds
// stand in: they compute the same, to the bit.
#include <utility>

#include <gtest/gtest.h>

#include "engine/onf/print.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/term/store.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"
#include "tests/unit/schedule/outlined.hpp"

namespace rhopsi::schedule {
namespace {

// How much a step has changed: of each row where it is made, and then of these. A second fold of
// what the first one decides parts the row.
TEST(Outlined, FoldsOfAllElementsAreThoseOfRows) {
  for (const bool asked : {false, true}) {
    FormBuilder form(2, 0);
    const auto u = form.argument("u", term::Mode::upd);
    const auto v = form.view("v");
    form.assign(v, sum(form.load(u, {0, 1}), form.load(u, {1, 0})), true);
    const onf::Fold first = greatest_difference(form, "first", v, u);
    form.emit(first);
    onf::Expr last = sum(form.load(v, {0, 0}), form.load(u, {0, -1}));
    if (asked) last = sum(std::move(last), named(first.variable, real_type));
    form.assign(u, std::move(last));
    const onf::Fold second = greatest_difference(form, "second", u, v);
    form.emit(second);
    form.assign(v, sum(form.load(u, {0, 0}), named(second.variable, real_type)));
    form.copy(u, v);
    const onf::Module before = form.finish();
    onf::Module module = before;
    apply(module);
    ASSERT_EQ(errors_of(module), "");
    const std::string text = onf::to_string(term::Store(), module);
    EXPECT_EQ(parts_in(module), asked ? 3u : 2u) << text;
    std::size_t folds = 0;
    for (const onf::Function& function : module.functions) {
      for (const onf::Statement& statement : function.body) {
        const auto* pipeline = std::get_if<onf::Pipeline>(&statement.form);
        if (pipeline != nullptr) folds += pipeline->folds.size();
      }
    }
    EXPECT_EQ(folds, 2u) << text;
    const std::vector<Elements> arguments = {{1, 2, 3, 4, 5, 6}};
    EXPECT_EQ(FormRun(before, {2, 3}, 1).run(arguments), FormRun(module, {2, 3}, 2).run(arguments));
  }
}

// u = u + u at (0, 1); r = the greatest change; y = y + 1; in a loop, and then u = u + r + y.
struct Growing {
  explicit Growing(std::int64_t pad) : form(2, pad) {
    u = form.argument("u", term::Mode::upd);
    n = number_in(form, "n", int64_type), limit = number_in(form, "limit", real_type);
    for (const onf::VariableId number : {n, limit})
      form.function.arguments.push_back({term::Mode::obs, std::nullopt, number});
    r = number_in(form, "r", real_type), y = number_in(form, "y", real_type);
    form.emit(onf::Let{r, real(-1), false});
    form.emit(onf::Let{y, real(0), false});
    onf::Statements outside = std::exchange(form.function.body, {});
    const auto v = form.view("v");
    form.assign(v, sum(form.load(u, {0, 0}), form.load(u, {0, 1})), true);
    const onf::Fold change = greatest_difference(form, "change", v, u);
    form.emit(change);
    form.emit(onf::Assign{r, named(change.variable, real_type)});
    form.emit(onf::Assign{y, sum(named(y, real_type), real(1))});
    form.copy(u, v);
    body = std::exchange(form.function.body, std::move(outside));
  }
  onf::Module finish() {
    form.assign(u, sum(form.load(u, {0, 0}), sum(named(r, real_type), named(y, real_type))));
    return form.finish();
  }
  FormBuilder form;
  onf::ViewId u;
  onf::VariableId n, limit, r, y;
  onf::Statements body;
};

// Of what the rounds of a loop come to each has its own.
TEST(Outlined, RoundsThatAreFoldedAreDoneTogether) {
  for (const std::int64_t pad : {0, 1}) {
    Growing made(pad);
    made.form.emit(onf::Iterate{named(made.n, int64_type), made.body});
    const onf::Module before = made.finish();
    onf::Module module = before;
    apply(module, calls_together(3));
    ASSERT_EQ(errors_of(module), "");
    const std::string text = onf::to_string(term::Store(), module);
    EXPECT_TRUE(calls_repeated(module, module.functions[0].body)) << text;
    for (const double rounds : {-1.0, 0.0, 1.0, 2.0, 3.0, 7.0}) {
      const std::vector<Elements> arguments = {{1, 2, 4, 8, 16, 32}, {rounds}, {0}};
      EXPECT_EQ(FormRun(before, {2, 3}, 1).run(arguments),
                FormRun(module, {2, 3}, 2).run(arguments))
          << rounds << text;
    }
  }
}

// A loop that goes on while little changes: rounds are done together, and one by one where it has
// not gone on so long.
TEST(Outlined, RoundsAreTriedTogether) {
  for (const std::int64_t pad : {0, 1}) {
    Growing made(pad);
    onf::While loop;
    loop.condition = truth_of(onf::ScalarFunction::less,
                              {named(made.r, real_type), named(made.limit, real_type)});
    loop.bound = named(made.n, int64_type);
    loop.body = made.body;
    made.form.emit(loop);
    const onf::Module before = made.finish();
    onf::Module module = before;
    apply(module, calls_together(3));
    ASSERT_EQ(errors_of(module), "");
    const std::string text = onf::to_string(term::Store(), module);
    EXPECT_EQ(statements_of<onf::While>(module.functions[0].body), 3u) << text;
    for (const double limit : {-2.0, 0.0, 20.0, 70.0, 300.0, 1000.0, 3000.0, 1e4, 3e4, 1e9}) {
      for (const double rounds : {-1.0, 0.0, 1.0, 2.0, 3.0, 5.0, 6.0, 8.0, 13.0}) {
        const std::vector<Elements> arguments = {{1, 2, 4, 8, 16, 32}, {rounds}, {limit}};
        EXPECT_EQ(FormRun(before, {2, 3}, 1).run(arguments),
                  FormRun(module, {2, 3}, 2).run(arguments))
            << rounds << " below " << limit << text;
      }
    }
  }
}

// What the next round is given comes from the last one, or what is tested has an effect before it:
// such rounds stay one by one.
TEST(Outlined, RoundsThatNeedEachOtherStayApart) {
  for (const bool given : {false, true}) {
    Growing made(0);
    onf::While loop;
    loop.condition = truth_of(onf::ScalarFunction::less,
                              {named(made.r, real_type), named(made.limit, real_type)});
    loop.bound = named(made.n, int64_type);
    loop.body = std::move(made.body);
    onf::Statements outside = std::exchange(made.form.function.body, {});
    const onf::VariableId& number = given ? made.r : made.y;
    made.form.assign(made.u, sum(made.form.load(made.u, {0, 0}), named(number, real_type)));
    // In front of the rest, with y behind it; or with a test of y in every round.
    std::ranges::move(made.form.function.body, std::inserter(loop.body, loop.body.begin()));
    made.form.function.body = std::move(outside);
    if (!given) {
      loop.condition = truth_of(onf::ScalarFunction::less,
                                {named(made.y, real_type), named(made.limit, real_type)});
    }
    made.form.emit(loop);
    const onf::Module before = made.finish();
    onf::Module module = before;
    apply(module, calls_together(2));
    ASSERT_EQ(errors_of(module), "");
    EXPECT_EQ(statements_of<onf::While>(module.functions[0].body), 1u)
        << onf::to_string(term::Store(), module);
    for (const double limit : {3.0, 100.0}) {
      const std::vector<Elements> arguments = {{1, 2, 4, 8, 16, 32}, {5}, {limit}};
      EXPECT_EQ(FormRun(before, {2, 3}, 1).run(arguments),
                FormRun(module, {2, 3}, 2).run(arguments));
    }
  }
}

// One of what is read elsewhere than at a distance from its own index stays, and keeps no other
// from being one of rows.
TEST(Outlined, FoldsThatNobodyCanFollowStayWhole) {
  FormBuilder form(2, 0);
  const auto u = form.argument("u", term::Mode::upd);
  const auto v = form.view("v");
  form.assign(v, sum(form.load(u, {0, 1}), form.load(u, {1, 0})), true);
  const onf::Fold first = greatest_difference(form, "first", v, u);
  form.emit(first);
  onf::Fold second = greatest_difference(form, "second", v, u);
  auto& inner = std::get<onf::Fold>(second.body.front().form);
  inner.element.operands[0].operands[1] = integer(0);
  form.emit(second);
  form.assign(u, sum(named(first.variable, real_type), named(second.variable, real_type)));
  const onf::Module before = form.finish();
  onf::Module module = before;
  const Outcome outcome = apply(module);
  ASSERT_EQ(errors_of(module), "");
  EXPECT_TRUE(outcome.kept.empty());
  EXPECT_EQ(parts_in(module), 2u);
  EXPECT_EQ(module.functions[1].name, "f_part_1");
  EXPECT_EQ(statements_of<onf::Pipeline>(module.functions[1].body), 1u);
  const std::vector<Elements> arguments = {{1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(FormRun(before, {2, 3}, 1).run(arguments), FormRun(module, {2, 3}, 2).run(arguments));
}

// Where the order of steps matters, or no array is made beside it, a fold stays one.
TEST(Outlined, FoldsInOrderStayWhole) {
  for (const bool ordered : {false, true}) {
    FormBuilder form(2, 0);
    const auto u = form.argument("u", term::Mode::upd);
    const auto v = form.argument("v", term::Mode::obs);
    if (ordered) form.assign(u, sum(form.load(u, {0, 1}), form.load(v, {1, 0})));
    onf::Fold fold = greatest_difference(form, "s", u, v);
    if (ordered) {
      fold.function = onf::ScalarFunction::add;
      std::get<onf::Fold>(fold.body.front().form).function = fold.function;
    }
    form.emit(fold);
    form.assign(u, named(fold.variable, real_type));
    const onf::Module before = form.finish();
    onf::Module module = before;
    apply(module);
    ASSERT_EQ(errors_of(module), "");
    EXPECT_EQ(statements_of<onf::Fold>(module.functions[0].body), 1u);
    const auto& stays = *std::ranges::find_if(module.functions[0].body, [](const auto& each) {
      return std::holds_alternative<onf::Fold>(each.form);
    });
    EXPECT_EQ(std::get<onf::Fold>(stays.form).body.size(), 1u) << "of both axes";
    const std::vector<Elements> arguments = {{1, 2, 3, 4, 5, 6}, {7, 1, 8, 2, 8, 1}};
    EXPECT_EQ(FormRun(before, {2, 3}, 1).run(arguments), FormRun(module, {2, 3}, 2).run(arguments));
  }
}

}  // namespace
}  // namespace rhopsi::schedule
