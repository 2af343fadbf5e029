// Functions with loops, branches and checks: what of them becomes functions that are scheduled, and
// that they compute the same, to the bit.
#include <algorithm>
#include <cstring>
#include <iostream>
#include <utility>

#include <gtest/gtest.h>

#include "engine/onf/print.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/term/store.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"
#include "tests/unit/schedule/outlined.hpp"
#include "tests/unit/schedule/random_form.hpp"

namespace rhopsi::schedule {
namespace {

std::vector<Elements> some_arguments(const onf::Module& module,
                                     const std::vector<std::int64_t>& shape, unsigned seed) {
  std::mt19937 random(seed);
  std::size_t size = 1;
  for (const std::int64_t n : shape) size *= std::size_t(n);
  std::vector<Elements> arguments;
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const onf::Argument& argument : module.functions[0].arguments) {
    if (!argument.view) {
      const bool whole =
          module.functions[0].variables[onf::number(argument.variable)].type == int64_type;
      arguments.push_back({whole ? double(random() % 6) : uniform(random)});
      continue;
    }
    arguments.emplace_back(size);
    for (double& element : arguments.back()) element = uniform(random);
  }
  return arguments;
}

// Numbers of many rounds may be infinite, and their differences none; what is unset or stale has
// other bits than the form before has there.
void expect_equal(const std::vector<Elements>& expected, const std::vector<Elements>& found,
                  const onf::Function& function, const std::string& described) {
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const onf::Argument& argument = function.arguments[k];
    if (!argument.view || argument.mode == term::Mode::obs) continue;
    ASSERT_EQ(expected[k].size(), found[k].size());
    ASSERT_EQ(std::memcmp(expected[k].data(), found[k].data(), found[k].size() * sizeof(double)), 0)
        << "argument " << k << ", " << described;
  }
}

// Several calls in a row of the first function.
const onf::Function* several_of_first(const onf::Module& module) {
  const auto found = std::ranges::find_if(module.functions, [](const onf::Function& function) {
    return function.repeats && function.repeats->of == onf::FunctionId{0};
  });
  return found == module.functions.end() ? nullptr : &*found;
}

TEST(Outlined, RandomFormsComputeTheSame) {
  std::size_t parts = 0, repeated = 0, rows = 0, left = 0, whole = 0;
  for (unsigned seed = 0; seed < 800; ++seed) {
    const RandomForm form = random_form_with_control(seed);
    term::Store store;
    ASSERT_EQ(errors_of(form.module), "") << seed << onf::to_string(store, form.module);
    onf::Module module = form.module;
    Recipe recipe = calls_together(2 + seed % 2);
    // Of every fifth the callee alone is scheduled.
    for (RecipeStep& step : recipe.steps) step.on = seed % 5 == 4 ? "g" : "";
    const Outcome outcome = apply(module, recipe);
    const std::string described = "seed " + std::to_string(seed) + "\n" +
                                  onf::to_string(store, form.module) + "\n" +
                                  onf::to_string(store, module);
    ASSERT_EQ(errors_of(module), "") << described;
    const auto arguments = some_arguments(form.module, form.shape, seed);
    const auto expected = FormRun(form.module, form.shape, seed).run(arguments);
    const auto found = FormRun(module, form.shape, seed + 1).run(arguments);
    expect_equal(expected, found, form.module.functions[0], described);
    ASSERT_FALSE(HasFatalFailure());
    if (const onf::Function* row = several_of_first(module)) {
      ++rows;
      std::vector<Elements> by_one = arguments;
      for (std::int64_t k = 0; k < row->repeats->times; ++k) {
        std::vector<Elements> next =
            FormRun(form.module, form.shape, seed + unsigned(k)).run(by_one);
        for (std::size_t at = 0; at < next.size(); ++at) {
          if (form.module.functions[0].arguments[at].view) by_one[at] = std::move(next[at]);
        }
      }
      onf::Module together = module;
      together.functions[0] = *row;
      expect_equal(by_one, FormRun(together, form.shape, seed + 2).run(arguments),
                   form.module.functions[0], "in a row, " + described);
      ASSERT_FALSE(HasFatalFailure());
    }
    parts += parts_in(module);
    repeated += calls_repeated(module, module.functions[0].body) ? 1 : 0;
    left += outcome.kept.empty() ? 0 : 1;
    whole += outcome.outlines.empty() ? 1 : 0;
  }
  std::cout << parts << " parts; loops of several calls in " << repeated
            << " forms, of the whole form in " << rows << "; something left in " << left
            << "; no loop or branch in " << whole << "\n";
  EXPECT_GT(parts, 800u);
  EXPECT_GT(repeated, 20u);
  EXPECT_GT(rows, 10u);
  EXPECT_GT(left, 100u);
}

onf::Expr as_real(onf::Expr number) {
  onf::Expr e = apply(onf::ScalarFunction::convert, {std::move(number)});
  e.type = real_type;
  return e;
}

// iterate n { u = u + u at (0, 1); }, of two axes
struct Loop {
  explicit Loop(std::int64_t pad) : form(2, pad) {
    u = form.argument("u", term::Mode::upd);
    n = number_in(form, "n", int64_type);
    form.function.arguments.push_back({term::Mode::obs, std::nullopt, n});
    form.assign(u, sum(form.load(u, {0, 0}), form.load(u, {0, 1})));
    loop.count = named(n, int64_type);
    loop.body = std::exchange(form.function.body, {});
  }
  FormBuilder form;
  onf::ViewId u;
  onf::VariableId n;
  onf::Iterate loop;
};

TEST(Outlined, ALoopCallsSeveralRoundsAtOnce) {
  for (const std::int64_t pad : {0, 1}) {
    Loop made(pad);
    made.form.emit(made.loop);
    const onf::Module before = made.form.finish();
    onf::Module module = before;
    const Outcome outcome = apply(module, calls_together(3));
    ASSERT_EQ(errors_of(module), "");
    EXPECT_TRUE(outcome.kept.empty());
    // The part, and three calls of it.
    ASSERT_EQ(module.functions.size(), 3u);
    EXPECT_EQ(module.functions[1].name, "f_part_1");
    EXPECT_EQ(module.functions[1].part_of, onf::FunctionId{0});
    ASSERT_TRUE(module.functions[2].repeats);
    EXPECT_EQ(module.functions[2].repeats->times, 3);
    EXPECT_EQ(statements_of<onf::Iterate>(module.functions[0].body), 2u);
    ASSERT_EQ(outcome.outlines.size(), 1u);
    ASSERT_EQ(outcome.outlines[0].calls.size(), 1u);
    EXPECT_EQ(outcome.outlines[0].calls[0].callee, "f_part_1");
    EXPECT_EQ(outcome.outlines[0].calls[0].in_a_row, 0);
    for (const double rounds : {-1.0, 0.0, 1.0, 2.0, 3.0, 7.0}) {
      const std::vector<Elements> arguments = {{1, 2, 4, 8, 16, 32}, {rounds}};
      EXPECT_EQ(FormRun(before, {2, 3}, 1).run(arguments),
                FormRun(module, {2, 3}, 2).run(arguments))
          << rounds;
    }
  }
}

// What a round reads of its own number is a number of its call.
TEST(Outlined, RoundsThatDifferGiveTheirNumbers) {
  Loop made(1);
  onf::For loop;
  loop.index = number_in(made.form, "r", int64_type);
  loop.low = integer(0);
  loop.high = made.loop.count;
  made.form.assign(made.u,
                   sum(made.form.load(made.u, {-1, 1}), as_real(named(loop.index, int64_type))));
  loop.body = std::exchange(made.form.function.body, {});
  made.form.emit(loop);
  const onf::Module before = made.form.finish();
  onf::Module module = before;
  apply(module, calls_together(2));
  ASSERT_EQ(errors_of(module), "");
  EXPECT_EQ(parts_in(module), 1u);
  EXPECT_TRUE(calls_repeated(module, module.functions[0].body));
  term::Store store;
  for (const double rounds : {-1.0, 0.0, 1.0, 2.0, 5.0, 6.0}) {
    const std::vector<Elements> arguments = {{1, 2, 4}, {rounds}};
    EXPECT_EQ(FormRun(before, {3, 1}, 1).run(arguments), FormRun(module, {3, 1}, 2).run(arguments))
        << rounds << onf::to_string(store, module);
  }
}

// g(upd a, obs k): a = a + k at (0, 1)
onf::Function shifted_by_a_number() {
  FormBuilder form(2, 1);
  form.function.name = "g";
  const onf::ViewId a = form.argument("a", term::Mode::upd);
  const onf::VariableId k = number_in(form, "k", real_type);
  form.function.arguments.push_back({term::Mode::obs, std::nullopt, k});
  form.assign(a, sum(form.load(a, {0, 1}), named(k, real_type)));
  return form.function;
}

// A procedure that others call, too, is a part of the function whose numbers change.
TEST(Outlined, AProcedureIsAPartWhereItsNumbersChange) {
  Loop made(1);
  const auto x = number_in(made.form, "x", real_type);
  onf::Expr call;
  call.kind = onf::Expr::Kind::call;
  call.callee = onf::FunctionId{1};
  onf::Expr array;
  array.kind = onf::Expr::Kind::view;
  array.type = {onf::Representation::Kind::array, onf::Scalar::float64, {}};
  array.view = made.u;
  call.operands = {array, named(x, real_type)};
  onf::Iterate same = made.loop, changing = made.loop;
  same.body = {{onf::Call{std::nullopt, call}, {}}};
  changing.body = same.body;
  changing.body.push_back({onf::Assign{x, sum(named(x, real_type), real(0.5))}, {}});
  made.form.emit(onf::Let{x, real(2), false});
  made.form.emit(changing);
  made.form.emit(same);
  onf::Module before = made.form.finish();
  before.functions.push_back(shifted_by_a_number());
  before.order = {onf::FunctionId{1}, onf::FunctionId{0}};
  onf::Module module = before;
  apply(module, calls_together(2));
  ASSERT_EQ(errors_of(module), "");
  term::Store store;
  const std::string text = onf::to_string(store, module);
  EXPECT_NE(text.find("procedure g_2_times(upd a: array float64, k: float64)"), std::string::npos)
      << text;
  EXPECT_NE(text.find("f_part_g_2_times(u, k, k_2)"), std::string::npos) << text;
  for (const double rounds : {0.0, 1.0, 2.0, 5.0}) {
    const std::vector<Elements> arguments = {{1, 2, 4, 8, 16, 32}, {rounds}};
    EXPECT_EQ(FormRun(before, {2, 3}, 1).run(arguments), FormRun(module, {2, 3}, 2).run(arguments))
        << text;
  }
}

// A round that gives its call a number by a name makes the call that every other makes.
TEST(Outlined, NamesOfNumbersThatStayAreThoseOfAllRounds) {
  Loop made(1);
  const auto m = number_in(made.form, "m", real_type);
  made.form.emit(onf::Let{m, as_real(made.loop.count)});
  made.form.assign(made.u, sum(made.form.load(made.u, {-1, 1}), named(m, real_type)));
  made.loop.body = std::exchange(made.form.function.body, {});
  made.form.emit(made.loop);
  const onf::Module before = made.form.finish();
  onf::Module module = before;
  apply(module, calls_together(2));
  ASSERT_EQ(errors_of(module), "");
  EXPECT_EQ(parts_in(module), 1u);
  EXPECT_TRUE(calls_repeated(module, module.functions[0].body));
  EXPECT_EQ(module.functions[2].arguments.size(), 2u);
  for (const double rounds : {0.0, 1.0, 5.0}) {
    const std::vector<Elements> arguments = {{1, 2, 4}, {rounds}};
    EXPECT_EQ(FormRun(before, {3, 1}, 1).run(arguments), FormRun(module, {3, 1}, 2).run(arguments));
  }
}

// What a branch sets is declared in front of it, and keeps nothing there as it was.
TEST(Outlined, ARowEndsBeforeWhatABranchDeclares) {
  FormBuilder form(2, 1);
  const auto u = form.argument("u", term::Mode::upd);
  const auto w = form.view("w");
  form.assign(u, sum(form.load(u, {0, 1}), form.load(u, {1, 0})));
  form.assign(u, sum(form.load(u, {0, -1}), form.load(u, {1, 0})));
  form.emit(onf::Declare{w});
  onf::Statements outer = std::exchange(form.function.body, {});
  onf::If branch;
  branch.condition = truth_of(onf::ScalarFunction::less, {integer(2), extent(0)});
  form.assign(w, form.load(u, {0, 1}));
  branch.then = std::exchange(form.function.body, {});
  form.assign(w, form.load(u, {1, 0}));
  branch.otherwise = std::exchange(form.function.body, std::move(outer));
  form.emit(branch);
  form.assign(u, sum(form.load(w, {0, 0}), form.load(u, {0, 1})));
  const onf::Module before = form.finish();
  onf::Module module = before;
  const Outcome outcome = apply(module);
  ASSERT_EQ(errors_of(module), "");
  EXPECT_TRUE(outcome.kept.empty());
  EXPECT_EQ(statements_of<onf::Pipeline>(module.functions[1].body), 1u);
  for (const std::int64_t side : {2, 3}) {
    const std::vector<Elements> arguments = {side == 2 ? Elements{1, 2, 3, 4}
                                                       : Elements{1, 2, 3, 4, 5, 6}};
    EXPECT_EQ(FormRun(before, {side, 2}, 1).run(arguments),
              FormRun(module, {side, 2}, 2).run(arguments));
  }
}

// A check in front keeps nothing as it was; what is behind it is one part.
TEST(Outlined, ACheckStandsInFrontOfAPart) {
  FormBuilder form(2, 1);
  const auto u = form.argument("u", term::Mode::upd);
  form.emit(onf::Check{truth_of(onf::ScalarFunction::less, {integer(0), extent(0)}), "some"});
  form.assign(u, sum(form.load(u, {0, 1}), form.load(u, {1, 0})));
  form.assign(u, sum(form.load(u, {0, -1}), form.load(u, {1, 0})));
  const onf::Module before = form.finish();
  onf::Module module = before;
  const Outcome outcome = apply(module);
  ASSERT_EQ(errors_of(module), "");
  EXPECT_EQ(parts_in(module), 1u);
  EXPECT_EQ(statements_of<onf::Check>(module.functions[0].body), 1u);
  EXPECT_EQ(statements_of<onf::Call>(module.functions[0].body), 1u);
  // Both assignments are one pass, plane by plane.
  EXPECT_EQ(statements_of<onf::Pipeline>(module.functions[1].body), 1u);
  const std::vector<Elements> arguments = {{1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(FormRun(before, {2, 3}, 1).run(arguments), FormRun(module, {2, 3}, 2).run(arguments));
}

// What is tested of numbers between two of them is tested before both.
TEST(Outlined, ACheckOfNumbersPartsNoRows) {
  FormBuilder form(2, 1);
  const auto u = form.argument("u", term::Mode::upd);
  form.assign(u, sum(form.load(u, {0, 1}), form.load(u, {1, 0})));
  form.emit(onf::Check{truth_of(onf::ScalarFunction::less, {integer(0), extent(0)}), "some"});
  form.assign(u, sum(form.load(u, {0, -1}), form.load(u, {1, 0})));
  const onf::Module before = form.finish();
  onf::Module module = before;
  apply(module);
  ASSERT_EQ(errors_of(module), "");
  EXPECT_EQ(parts_in(module), 1u);
  EXPECT_TRUE(std::holds_alternative<onf::Check>(module.functions[0].body.front().form));
  const std::vector<Elements> arguments = {{1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(FormRun(before, {2, 3}, 1).run(arguments), FormRun(module, {2, 3}, 2).run(arguments));
}

// A result that becomes an argument in the end becomes it where it is made, unless somebody asks
// for what the argument was: then the part needs no array besides it.
TEST(Outlined, ResultsHaveTheirNamesWhereTheyAreMade) {
  for (const bool asked : {false, true}) {
    FormBuilder form(2, 0);
    const auto u = form.argument("u", term::Mode::upd);
    const auto p = form.argument("p", term::Mode::upd);
    const auto v = form.view("v");
    form.emit(onf::Allocate{v});
    form.nest(v, sum(form.load(u, {0, 0}), form.load(p, {0, 0})));
    // Between them elements are asked for.
    onf::Fold fold;
    fold.variable = number_in(form, "s", real_type), fold.index = number_in(form, "k", int64_type);
    fold.count = extent(0);
    fold.function = onf::ScalarFunction::add;
    fold.element = form.load(p, {0, 0});
    fold.element.operands = {named(fold.index, int64_type), integer(0)};
    form.emit(fold);
    form.assign(p, sum(form.load(asked ? u : v, {0, 0}), form.load(p, {0, 0})));
    form.emit(onf::Share{u, v});
    const onf::Module before = form.finish();
    onf::Module module = before;
    apply(module);
    ASSERT_EQ(errors_of(module), "");
    std::size_t out = 0;
    for (const onf::Function& function : module.functions) {
      for (const onf::Argument& argument : function.arguments)
        out += argument.mode == term::Mode::out ? 1 : 0;
    }
    EXPECT_EQ(out, asked ? 1u : 0u) << onf::to_string(term::Store(), module);
    const std::vector<Elements> arguments = {{1, 2, 3, 4, 5, 6}, {7, 1, 8, 2, 8, 1}};
    EXPECT_EQ(FormRun(before, {2, 3}, 1).run(arguments), FormRun(module, {2, 3}, 2).run(arguments));
  }
}

}  // namespace
}  // namespace rhopsi::schedule
