// Folds over all elements that a round of a loop begins with, or that decide whether it goes on,
// are part of what the round before makes: they compute the same, to the bit.
#include <utility>

#include <gtest/gtest.h>

#include "engine/schedule/schedule.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"
#include "tests/unit/schedule/outlined.hpp"

namespace rhopsi::schedule {
namespace {

// Of u and v, that change in loops: what their rounds are made of.
struct Changing {
  explicit Changing(std::int64_t pad) : form(2, pad) {
    u = form.argument("u", term::Mode::upd), v = form.argument("v", term::Mode::upd);
    n = number_in(form, "n", int64_type), limit = number_in(form, "limit", real_type);
    for (const onf::VariableId number : {n, limit})
      form.function.arguments.push_back({term::Mode::obs, std::nullopt, number});
  }
  // v = u; u = f(u, number)
  void add_step(onf::Expr number) {
    const auto w = form.view("w");
    form.assign(w, sum(sum(form.load(u, {0, 0}), form.load(u, {0, 1})), std::move(number)), true);
    form.copy(v, u);
    form.copy(u, w);
  }
  onf::VariableId add_fold(const char* name) {
    onf::Fold fold = greatest_difference(form, name, u, v);
    form.emit(fold);
    return fold.variable;
  }
  onf::Statements take_body() { return std::exchange(form.function.body, {}); }

  FormBuilder form;
  onf::ViewId u, v;
  onf::VariableId n, limit;
};

// How many folds the passes of all functions hold.
std::size_t folds_in_passes(const onf::Module& module) {
  std::size_t folds = 0;
  for (const onf::Function& function : module.functions) {
    for (const onf::Statement& statement : function.body) {
      const auto* pipeline = std::get_if<onf::Pipeline>(&statement.form);
      if (pipeline != nullptr) folds += pipeline->folds.size();
    }
  }
  return folds;
}

void expect_same(const onf::Module& before, const onf::Module& after) {
  for (const double limit : {-1.0, 3.0, 40.0, 700.0, 1e9}) {
    for (const double rounds : {-1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 7.0, 9.0}) {
      const std::vector<Elements> arguments = {
          {1, 2, 4, 8, 16, 32}, {3, 1, 4, 1, 5, 9}, {rounds}, {limit}};
      EXPECT_EQ(FormRun(before, {2, 3}, 1).run(arguments), FormRun(after, {2, 3}, 2).run(arguments))
          << rounds << " rounds, " << limit << text_of(after);
    }
  }
}

TEST(FoldsBehind, ConditionsAreFoldedWhereArraysAreMade) {
  for (const std::int64_t times : {1, 3}) {
    Changing made(1);
    onf::While loop;
    const onf::VariableId change = made.add_fold("change");
    loop.before = made.take_body();
    loop.condition = truth_of(onf::ScalarFunction::less,
                              {named(change, real_type), named(made.limit, real_type)});
    loop.bound = named(made.n, int64_type);
    made.add_step(real(1));
    loop.body = made.take_body();
    made.form.emit(loop);
    const onf::Module before = made.form.finish();
    onf::Module module = before;
    apply(module, calls_together(times));
    ASSERT_EQ(errors_of(module), "");
    // Several rounds are tried together, too, in a pass.
    EXPECT_EQ(statements_of<onf::While>(module.functions[0].body), times == 1 ? 1u : 3u)
        << text_of(module);
    EXPECT_EQ(folds_in_passes(module), times == 1 ? 1u : 1u + 3u) << text_of(module);
    expect_same(before, module);
  }
}

TEST(FoldsBehind, RoundsBeginWithWhatWasFoldedInTheOneBefore) {
  for (const bool index : {false, true}) {
    Changing made(0);
    const onf::VariableId change = made.add_fold("change");
    made.add_step(named(change, real_type));
    onf::Statements body = made.take_body();
    if (index) {
      made.form.emit(onf::For{number_in(made.form, "k", int64_type), integer(0),
                              named(made.n, int64_type), std::move(body)});
    } else {
      made.form.emit(onf::Iterate{named(made.n, int64_type), std::move(body)});
    }
    const onf::Module before = made.form.finish();
    onf::Module module = before;
    apply(module, calls_together(2));
    ASSERT_EQ(errors_of(module), "");
    EXPECT_EQ(folds_in_passes(module), 1u) << text_of(module);
    // One in front of the loop, and in the loop one of rows.
    EXPECT_EQ(statements_of<onf::Fold>(module.functions[0].body), 1u) << text_of(module);
    expect_same(before, module);
  }
}

// What a round has changed before, or knows of itself alone, is not known in the one before; and
// what may fail does so where it stands.
TEST(FoldsBehind, OthersStayWhereTheyAre) {
  enum class Of { changed, assigned, index, trap };
  for (const Of of : {Of::changed, Of::assigned, Of::index, Of::trap}) {
    Changing made(0);
    const onf::VariableId k = number_in(made.form, "k", int64_type);
    const onf::VariableId s = number_in(made.form, "s", real_type);
    made.form.emit(onf::Let{s, real(1), false});
    onf::Statements outside = made.take_body();
    if (of == Of::changed) made.add_step(real(1));
    if (of == Of::assigned) made.form.emit(onf::Assign{s, sum(named(s, real_type), real(1))});
    onf::Fold fold = greatest_difference(made.form, "change", made.u, made.v);
    auto& inner = std::get<onf::Fold>(fold.body.front().form);
    if (of == Of::assigned) inner.element = times(inner.element, named(s, real_type));
    onf::Expr divided = apply(onf::ScalarFunction::divide, {integer(12), named(k, int64_type)});
    if (of == Of::trap) divided.operands[1] = sum(integer(1), named(made.n, int64_type));
    if (of == Of::index || of == Of::trap) {
      onf::Expr number = of == Of::index ? named(k, int64_type) : std::move(divided);
      onf::Expr converted = apply(onf::ScalarFunction::convert, {std::move(number)});
      converted.type = real_type;
      inner.element = sum(inner.element, std::move(converted));
    }
    made.form.emit(fold);
    made.add_step(named(fold.variable, real_type));
    onf::Statements body = made.take_body();
    made.form.function.body = std::move(outside);
    made.form.emit(onf::For{k, integer(0), named(made.n, int64_type), std::move(body)});
    const onf::Module before = made.form.finish();
    onf::Module module = before;
    apply(module);
    ASSERT_EQ(errors_of(module), "");
    EXPECT_EQ(statements_of<onf::Fold>(module.functions[0].body), 0u) << text_of(module);
    if (of == Of::trap) continue;
    expect_same(before, module);
  }
}

}  // namespace
}  // namespace rhopsi::schedule
