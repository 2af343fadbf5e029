// Other orders of the axes of arrays in memory, and of loops.
#include <algorithm>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include "engine/onf/axes.hpp"
#include "engine/onf/nests.hpp"
#include "engine/onf/print.hpp"
#include "engine/schedule/choice.hpp"
#include "engine/term/store.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"
#include "tests/unit/schedule/random_form.hpp"

namespace rhopsi::schedule {
namespace {

// The axes as `order` names them.
std::int64_t order_number(const std::vector<int>& order) {
  std::int64_t number = 0;
  for (const int axis : order) number = 10 * number + axis;
  return number;
}

const Step& laid_out(const Outcome& outcome, const std::string& name) {
  const auto found = std::ranges::find(outcome.steps, name, &Step::name);
  EXPECT_NE(found, outcome.steps.end()) << name;
  return *found;
}

// Any other order, or nothing where there is only one.
std::vector<int> any_other_order(int rank, std::mt19937& random) {
  std::vector<int> order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  const std::vector<int> as_it_is = order;
  while (rank > 1 && order == as_it_is) std::ranges::shuffle(order, random);
  return order;
}

void expect_the_same_laid_out(const RandomForm& form, unsigned seed, bool control) {
  std::mt19937 random(seed);
  const std::vector<int> order = any_other_order(form.module.rank, random);
  Recipe recipe = standard_recipe();
  recipe.steps.push_back({StepKind::layout, order_number(order)});
  // Of one step alone nothing else is to be seen.
  if (seed % 3 == 0) recipe.steps = {recipe.steps.back()};
  onf::Module module = form.module;
  const Outcome outcome = apply(module, recipe);
  term::Store store;
  const std::string text = "seed " + std::to_string(seed) + "\n" +
                           onf::to_string(store, form.module) + onf::to_string(store, module);
  ASSERT_EQ(errors_of(module), "") << text;
  ASSERT_EQ(laid_out(outcome, "layout").holds, form.module.rank > 1) << text;
  ASSERT_EQ(module.axes, form.module.rank > 1 ? order : std::vector<int>()) << text;
  std::size_t size = 1;
  for (const std::int64_t n : form.shape) size *= std::size_t(n);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Elements> arguments;
  for (const onf::Argument& argument : form.module.functions[0].arguments) {
    arguments.emplace_back(argument.view ? size : 1);
    for (double& element : arguments.back()) element = uniform(random);
  }
  if (control) arguments[arguments.size() - 2] = {double(random() % 6)};
  const auto expected = FormRun(form.module, form.shape, seed).run(arguments);
  const auto found = FormRun(module, form.shape, seed + 1).run(arguments);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const onf::Argument& argument = form.module.functions[0].arguments[k];
    if (!argument.view || argument.mode == term::Mode::obs) continue;
    ASSERT_EQ(expected[k].size(), found[k].size()) << text;
    ASSERT_EQ(std::memcmp(expected[k].data(), found[k].data(), size * sizeof(double)), 0)
        << "argument " << k << ", " << text;
  }
}

TEST(Layout, AnyOrderOfAxesComputesTheSame) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    expect_the_same_laid_out(random_form(seed), seed, false);
    ASSERT_FALSE(HasFatalFailure());
  }
  for (unsigned seed = 0; seed < 80; ++seed) {
    expect_the_same_laid_out(random_form_with_control(seed), seed, true);
    ASSERT_FALSE(HasFatalFailure());
  }
}

// u = u beside its index along each axis, in its own way.
onf::Module along_each_axis(int rank, std::int64_t pad = 0) {
  FormBuilder form(rank, pad);
  const auto u = form.argument("u", term::Mode::upd);
  std::vector<std::int64_t> offset(std::size_t(rank), 0);
  onf::Expr all = form.load(u, offset);
  for (int axis = 0; axis < rank; ++axis) {
    offset.assign(std::size_t(rank), 0);
    offset[std::size_t(axis)] = 1;
    all = sum(apply(onf::ScalarFunction::multiply, {real(axis + 2), form.load(u, offset)}), all);
  }
  form.assign(u, std::move(all));
  return form.finish();
}

std::vector<int> axes_chosen(std::vector<std::int64_t> extents) {
  onf::Module module = along_each_axis(static_cast<int>(extents.size()));
  Surroundings around;
  around.extents = std::move(extents);
  const Outcome outcome = apply(module, {"r", {{StepKind::layout}}, {}}, around);
  EXPECT_EQ(laid_out(outcome, "layout").holds, !module.axes.empty());
  EXPECT_EQ(errors_of(module), "");
  return module.axes;
}

TEST(Layout, RowsBecomeLong) {
  using Order = std::vector<int>;
  EXPECT_EQ(axes_chosen({256, 256, 3}), (Order{0, 2, 1}));
  EXPECT_EQ(axes_chosen({400, 9}), (Order{1, 0}));
  EXPECT_EQ(axes_chosen({100, 3, 5}), (Order{1, 2, 0}));
  EXPECT_EQ(axes_chosen({100, 80, 3, 2}), (Order{0, 2, 3, 1}));
  EXPECT_EQ(axes_chosen({5, 40, 2}), (Order{0, 2, 1}));  // the longest, where none is long
  EXPECT_EQ(axes_chosen({1, 1, 64}), Order{});
  EXPECT_EQ(axes_chosen({1000, 64}), Order{});
  EXPECT_EQ(axes_chosen({4, 5, 3}), Order{});
  EXPECT_EQ(axes_chosen({100, 0, 3}), Order{});
  EXPECT_EQ(axes_chosen({100, 3, 0}), Order{});
  EXPECT_EQ(axes_chosen({7}), Order{});
}

std::string layout_refused(onf::Module module, std::optional<std::int64_t> order,
                           const Surroundings& around = {}) {
  const Outcome outcome = apply(module, {"r", {{StepKind::layout, order}}, {}}, around);
  const Step& step = laid_out(outcome, "layout");
  EXPECT_FALSE(step.holds);
  EXPECT_TRUE(module.axes.empty());
  return step.condition + (step.counterexample.empty() ? "" : ": " + step.counterexample);
}

TEST(Layout, IsRefusedWithItsReason) {
  EXPECT_EQ(layout_refused(along_each_axis(2), 11),
            "each axis of the arrays is named once: 11 names axes 1, 1 of arrays with 2 axes");
  EXPECT_NE(layout_refused(along_each_axis(2), 201).find("201 names axes 2, 0, 1"),
            std::string::npos);
  EXPECT_NE(layout_refused(along_each_axis(3), 12).find("another order"), std::string::npos);
  EXPECT_NE(layout_refused(along_each_axis(3), std::nullopt).find("is not known here"),
            std::string::npos);
  Surroundings checked;
  checked.no_layout = "it is not checked";
  EXPECT_EQ(layout_refused(along_each_axis(2), 10, checked), checked.no_layout);
  onf::Module rotating = along_each_axis(2);
  onf::Function& function = rotating.functions[0];
  function.body.push_back({onf::Mutate{"turn", false, {}}, {}});
  EXPECT_EQ(layout_refused(rotating, 10),
            "axes are named by numbers in the text alone, but 'f' changes an array by a function "
            "of the library");
  // One whose axis is a number is of the axis that it is; no other is.
  const auto u = *rotating.functions[0].arguments[0].view;
  onf::Expr array;
  array.kind = onf::Expr::Kind::view;
  array.view = u;
  onf::Whole turned{u, false, {}, "turn", {array, integer(1)}, 1};
  function.body.back() = {turned, {}};
  onf::Module other = rotating;
  ASSERT_TRUE(laid_out(apply(other, {"r", {{StepKind::layout, 10}}, {}}), "layout").holds);
  EXPECT_EQ(std::get<onf::Whole>(other.functions[0].body.back().form).operands[1].integer, 0);
  for (const onf::Expr& axis : {integer(2), integer(-1), extent(0)}) {
    turned.operands[1] = axis;
    function.body.back() = {turned, {}};
    EXPECT_NE(layout_refused(rotating, 10).find("no number in the text"), std::string::npos);
  }
  turned.axis.reset();
  function.body.back() = {turned, {}};
  EXPECT_NE(layout_refused(rotating, 10).find("a function of the library"), std::string::npos);
}

TEST(Layout, LoopsSayThatItHasAPart) {
  using Words = std::vector<std::string>;
  const auto made_by = [](onf::Module module) {
    apply(module, {"r", {{StepKind::bind, 1}, {StepKind::layout, 10}}, {}});
    Words words;
    onf::each_nest(module.functions[0].body, [&](const onf::Nest& nest, const onf::Pipeline*) {
      words.insert(words.end(), nest.made_by.begin(), nest.made_by.end());
    });
    return words;
  };
  EXPECT_EQ(made_by(along_each_axis(2)), (Words{"layout", "bind"}));
  FormBuilder keeps_its_form(2, 0);
  const auto u = keeps_its_form.argument("u", term::Mode::upd);
  onf::Expr turned = keeps_its_form.load(u, {0, 0});
  std::swap(turned.operands[0], turned.operands[1]);
  keeps_its_form.assign(u, turned);
  EXPECT_EQ(made_by(keeps_its_form.finish()), Words{"layout"});
}

TEST(Layout, OneStepOfTwoChoosesTheOrder) {
  onf::Module module = along_each_axis(3);
  const Outcome outcome =
      apply(module, {"r", {{StepKind::layout, 201, "f"}, {StepKind::layout, 210}}, {}});
  ASSERT_EQ(outcome.steps.size(), 2u);
  EXPECT_TRUE(outcome.steps[0].holds);
  EXPECT_FALSE(outcome.steps[1].holds);
  EXPECT_EQ(module.axes, (std::vector<int>{2, 0, 1}));
}

TEST(Layout, TheVerifierRefusesOrdersThatAreNone) {
  for (const std::vector<int>& order : {std::vector<int>{0, 0}, {1}, {0, 1, 2}, {1, 2}, {-1, 0}}) {
    onf::Module module = along_each_axis(2);
    module.axes = order;
    EXPECT_EQ(codes_of(module), std::vector<std::string>{"E0525"});
  }
}

TEST(Layout, TheVerifierRefusesAxesOfTheProgramInAnotherOrder) {
  onf::Module module = along_each_axis(2);
  onf::permute_axes(module, {1, 0});
  EXPECT_EQ(errors_of(module), "");
  onf::Statement& last = module.functions[0].body.back();
  module.functions[0].body.push_back({onf::Mutate{"turn", false, {}}, last.location});
  EXPECT_EQ(codes_of(module), std::vector<std::string>{"E0525"});
}

// Taken twice it is the order of the program again.
TEST(Layout, OrdersAreComposed) {
  onf::Module module = along_each_axis(3, 1);
  term::Store store;
  const std::string before = onf::to_string(store, module);
  onf::permute_axes(module, {2, 0, 1});
  onf::permute_axes(module, {1, 2, 0});
  EXPECT_EQ(module.axes, (std::vector<int>{0, 1, 2}));
  module.axes.clear();
  EXPECT_EQ(onf::to_string(store, module), before);
}

// For arrays that are given once, and not where callers would have them turned around at each call.
TEST(Layout, IsChosenWhereRowsAreShort) {
  const auto axes_of = [](const std::vector<std::int64_t>& shape, bool given_once) {
    onf::Module module = along_each_axis(3);
    Question question;
    question.extents = shape;
    question.machine = standard_machine();
    question.around.extents = shape;
    question.given_once = given_once;
    const Choice choice = choose(module, question);
    apply(module, choice.recipe(), question.around);
    return module.axes;
  };
  EXPECT_EQ(axes_of({256, 256, 3}, true), (std::vector<int>{0, 2, 1}));
  EXPECT_EQ(axes_of({256, 256, 3}, false), std::vector<int>());
  EXPECT_EQ(axes_of({128, 128, 128}, true), std::vector<int>());
}

TEST(Interchange, LoopsOverTheDomainGoAlongRowsAndPlanes) {
  onf::Module module = along_each_axis(2);
  const Outcome outcome = apply(module, {"r", {{StepKind::interchange}}, {}});
  const Step& step = laid_out(outcome, "interchange");
  EXPECT_FALSE(step.holds);
  EXPECT_NE(step.condition.find("along rows"), std::string::npos) << step.condition;
  onf::Module planes = along_each_axis(2);
  Recipe recipe = standard_recipe();
  recipe.steps.push_back({StepKind::interchange});
  const Outcome piped = apply(planes, recipe);
  EXPECT_FALSE(laid_out(piped, "interchange").holds);
  EXPECT_NE(laid_out(piped, "interchange").condition.find("one after another"), std::string::npos);
}

}  // namespace
}  // namespace rhopsi::schedule
