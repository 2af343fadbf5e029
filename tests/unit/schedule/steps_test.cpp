// Forms made by hand: which steps are taken, which are refused and why.
#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "engine/onf/infix.hpp"
#include "engine/onf/verify.hpp"
#include "engine/schedule/schedule.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"

namespace rhopsi::schedule {
namespace {

using onf::ScalarFunction;

std::vector<onf::Nest> nests_of(const onf::Module& module) {
  std::vector<onf::Nest> nests;
  for (const onf::Statement& statement : module.functions[0].body) {
    if (const auto* nest = std::get_if<onf::Nest>(&statement.form)) nests.push_back(*nest);
  }
  return nests;
}
template <class Form>
std::size_t count_of(const onf::Module& module) {
  return std::size_t(
      std::ranges::count_if(module.functions[0].body, [](const onf::Statement& statement) {
        return std::holds_alternative<Form>(statement.form);
      }));
}

const Step* find(const Outcome& outcome, const std::string& name, bool holds) {
  const auto found = std::ranges::find_if(
      outcome.steps, [&](const Step& step) { return step.name == name && step.holds == holds; });
  return found == outcome.steps.end() ? nullptr : &*found;
}

// u = f(u at its own index); w = g(u): one pass, both in place.
TEST(Steps, WhatDependsAtItsOwnIndexAloneIsOnePassInPlace) {
  FormBuilder form(1, 1);
  const auto u = form.argument("u", term::Mode::upd), w = form.argument("w", term::Mode::upd);
  form.assign(u, sum(form.load(u, {0}), form.load(w, {0})));
  form.assign(w, sum(form.load(u, {0}), form.load(w, {0})));
  onf::Module module = form.finish();
  const Outcome outcome = apply(module);
  const auto nests = nests_of(module);
  ASSERT_EQ(nests.size(), 1u);
  EXPECT_EQ(nests[0].also.size(), 1u);
  EXPECT_EQ(count_of<onf::Allocate>(module), 0u);
  EXPECT_EQ(count_of<onf::Refill>(module), 0u);
  EXPECT_EQ(codes_of(module), std::vector<std::string>{});
}

// What is told beside a loop: the steps that it is made by, and no others.
TEST(Steps, ALoopKnowsTheStepsThatMadeIt) {
  FormBuilder form(2, 1);
  const auto u = form.argument("u", term::Mode::upd), w = form.argument("w", term::Mode::upd);
  const auto v = form.view("v"), alone = form.argument("alone", term::Mode::upd);
  form.assign(v, sum(form.load(u, {-1, 0}), form.load(u, {1, 0})), true);
  form.assign(w, sum(form.load(v, {0, 0}), form.load(w, {0, 0})));
  form.assign(u, sum(form.load(v, {1, 0}), form.load(u, {0, 0})));
  form.assign(alone, form.load(u, {0, 0}));
  onf::Module plain = form.finish(), module = plain;
  apply(plain, {"none", {{StepKind::drop}}});
  for (const onf::Nest& nest : nests_of(plain)) EXPECT_EQ(nest.made_by.size(), 0u);
  onf::Module device = module;  // whose threads have the elements without a step
  apply(device, {"none", {{StepKind::drop}}}, {"", true});
  for (const onf::Nest& nest : nests_of(device)) EXPECT_EQ(nest.made_by.size(), 0u);

  apply(module);
  ASSERT_EQ(count_of<onf::Pipeline>(module), 1u);
  using Words = std::vector<std::string>;
  const auto& statements = module.functions[0].body;
  const auto found = std::ranges::find_if(statements, [](const onf::Statement& statement) {
    return std::holds_alternative<onf::Pipeline>(statement.form);
  });
  const auto& planes = std::get<onf::Pipeline>(found->form);
  EXPECT_EQ(planes.made_by, (Words{"pipeline", "bind"}));
  ASSERT_EQ(planes.stages.size(), 2u);
  EXPECT_EQ(planes.stages[0].nest.made_by, (Words{"fuse", "share", "in_place"}));  // v and w
  EXPECT_EQ(planes.stages[1].nest.made_by, (Words{"fuse", "share", "in_place"}));  // u and alone
}

TEST(Steps, AReadBesideItsOwnIndexKeepsTwoPassesAndSaysSo) {
  FormBuilder form(1, 1);
  const auto u = form.argument("u", term::Mode::upd);
  const auto v = form.view("v");
  form.assign(v, sum(form.load(u, {-1}), form.load(u, {1})), true);
  form.assign(u, sum(form.load(v, {1}), form.load(u, {0})));
  onf::Module module = form.finish();
  Recipe recipe = standard_recipe();
  std::erase_if(recipe.steps, [](const RecipeStep& s) { return s.kind == StepKind::pipeline; });
  const Outcome outcome = apply(module, recipe);
  ASSERT_EQ(nests_of(module).size(), 2u);
  const Step* refused = find(outcome, "fuse", false);
  ASSERT_NE(refused, nullptr);
  EXPECT_NE(refused->condition.find("v is read at (1)"), std::string::npos) << refused->condition;
  EXPECT_NE(find(outcome, "in_place", true), nullptr);
  EXPECT_EQ(count_of<onf::Allocate>(module), 1u);  // v alone
}

TEST(Steps, AResultIsNotWrittenWhereItIsStillReadBeside) {
  FormBuilder form(1, 1);
  const auto u = form.argument("u", term::Mode::upd);
  form.assign(u, sum(form.load(u, {-1}), form.load(u, {1})));
  onf::Module module = form.finish();
  const Outcome outcome = apply(module);
  const Step* refused = find(outcome, "in_place", false);
  ASSERT_NE(refused, nullptr);
  EXPECT_NE(refused->condition.find("u is read at (-1)"), std::string::npos) << refused->condition;
  EXPECT_EQ(count_of<onf::Allocate>(module), 1u);
}

// Two time levels, next = f(p around, q); q = p; p = next: there is no third array.
TEST(Steps, TheOlderOfTwoTimeLevelsIsWrittenOverAndTheNamesChangePlaces) {
  for (const bool beside : {false, true}) {
    FormBuilder form(2, 1);
    const auto p = form.argument("p", term::Mode::upd), q = form.argument("q", term::Mode::upd);
    const auto next = form.view("next"), old = form.view("old");
    const onf::Expr before = form.load(q, {0, beside ? 1 : 0});
    form.assign(next, sum(sum(form.load(p, {1, 0}), form.load(p, {0, -1})), before), true);
    form.copy(old, p, true);
    form.copy(q, old);
    form.copy(p, next);
    onf::Module module = form.finish();
    const onf::Module plain = module;
    Recipe recipe = standard_recipe();
    std::erase_if(recipe.steps, [](const RecipeStep& s) { return s.kind == StepKind::pipeline; });
    const Outcome outcome = apply(module, recipe);
    EXPECT_EQ(count_of<onf::Allocate>(module), beside ? 1u : 0u);
    EXPECT_EQ(codes_of(module), std::vector<std::string>{});
    const Step* taken = find(outcome, "in_place", true);
    ASSERT_EQ(taken != nullptr, !beside);
    // One verdict, which tells why neither the one block is taken nor the other.
    EXPECT_EQ(std::ranges::count(outcome.steps, "in_place", &Step::name), 1);
    if (taken != nullptr) {
      EXPECT_EQ(taken->after, "the block of q, and the names change places");
    } else {
      const Step* refused = find(outcome, "in_place", false);
      ASSERT_NE(refused, nullptr);
      EXPECT_NE(
          refused->condition.find("or is so in another block and the names change places, but "
                                  "p is needed after this pass, and q is read at (0, 1)"),
          std::string::npos)
          << refused->condition;
      EXPECT_NE(refused->counterexample.find("q at (0, 1) may be overwritten"), std::string::npos)
          << refused->counterexample;
    }
    std::vector<Elements> arguments(2, Elements(15));
    for (std::size_t k = 0; k < 15; ++k)
      arguments[0][k] = double(k), arguments[1][k] = 0.5 * double(k * k);
    EXPECT_EQ(FormRun(module, {3, 5}, 1).run(arguments), FormRun(plain, {3, 5}, 2).run(arguments));
  }
}

// Of each axis and end as much as is read, corners only where two axes are left at once.
TEST(Steps, PadsAreRefilledAsFarAsTheyAreRead) {
  for (const bool corner : {false, true}) {
    FormBuilder form(2, 3);
    const auto u = form.argument("u", term::Mode::upd);
    onf::Expr element = sum(form.load(u, {-2, 0}), form.load(u, {0, 1}));
    if (corner) element = sum(std::move(element), form.load(u, {-1, 1}));
    form.assign(u, std::move(element));
    onf::Module module = form.finish();
    Recipe passes = standard_recipe();
    std::erase_if(passes.steps, [](const RecipeStep& s) { return s.kind == StepKind::pipeline; });
    apply(module, passes);
    const auto& first = std::get<onf::Refill>(module.functions[0].body.front().form);
    ASSERT_TRUE(first.halo);
    EXPECT_EQ(first.halo->axes, (std::vector<onf::Margin>{{2, 0}, {0, 1}}));
    EXPECT_EQ(first.halo->corners, corner);
    EXPECT_EQ(count_of<onf::Refill>(module), 1u);
  }
}

TEST(Steps, IndicesModuloBecomeAPadOfTheLeastWidth) {
  FormBuilder form(1, 0);
  const auto u = form.argument("u", term::Mode::upd);
  form.assign(u, sum(form.load(u, {-2}), form.load(u, {1})));
  onf::Module module = form.finish();
  apply(module);
  EXPECT_EQ(module.pad, 2);
}

TEST(Steps, AReadBeyondTheWidestPadStaysModulo) {
  FormBuilder form(1, 0);
  const auto u = form.argument("u", term::Mode::upd);
  form.assign(u, sum(form.load(u, {-20}), form.load(u, {1})));
  onf::Module module = form.finish();
  const onf::Module before = module;
  apply(module);
  EXPECT_EQ(module.pad, 1);
  EXPECT_EQ(codes_of(module), std::vector<std::string>{});
  const std::vector<Elements> given{{1, 2, 4, 8, 16, 32, 64}};
  EXPECT_EQ(FormRun(before, {7}, 1).run(given), FormRun(module, {7}, 2).run(given));
}

TEST(Steps, CopiesVanishAndArgumentsChangePlaces) {
  FormBuilder form(1, 0);
  const auto u = form.argument("u", term::Mode::upd), w = form.argument("w", term::Mode::upd);
  const auto t = form.view("t");
  form.copy(t, u, true);
  form.copy(u, w);
  form.copy(w, t);
  onf::Module module = form.finish();
  apply(module);
  EXPECT_EQ(nests_of(module).size(), 0u);
  EXPECT_EQ(FormRun(module, {3}, 1).run({{1, 2, 3}, {4, 5, 6}}),
            (std::vector<Elements>{{4, 5, 6}, {1, 2, 3}}));
}

// One step of a stencil with two fields and temporaries: never more than the arguments and one
// block for each temporary that lives with them.
TEST(Steps, BlocksAreUsedAgain) {
  FormBuilder form(1, 1);
  const auto u = form.argument("u", term::Mode::upd);
  auto last = u;
  for (int k = 0; k < 6; ++k) {
    const auto next = form.view("v" + std::to_string(k));
    form.assign(next, sum(form.load(last, {-1}), form.load(last, {1})), true);
    last = next;
  }
  form.copy(u, last);
  onf::Module module = form.finish();
  apply(module);
  FormRun machine(module, {5}, 1);
  machine.run({{1, 2, 3, 4, 5}});
  EXPECT_LE(machine.blocks(), 3u);
}

TEST(Steps, WhatIsComputedTwiceIsComputedOnce) {
  FormBuilder form(1, 1);
  const auto u = form.argument("u", term::Mode::upd);
  const onf::Expr shared = sum(form.load(u, {-1}), form.load(u, {1}));
  form.assign(u, apply(ScalarFunction::multiply, {shared, shared}));
  onf::Module module = form.finish();
  apply(module);
  EXPECT_EQ(nests_of(module).at(0).body.size(), 1u);
}

// It may be what the condition is there to prevent.
// if 0 < u[i] then f(u[i] + 1) * (u[i] + 1) else 0
onf::Module choice_of(const std::function<onf::Expr(onf::Expr)>& f) {
  FormBuilder form(1, 1);
  const auto u = form.argument("u", term::Mode::upd);
  const onf::Expr shared = sum(form.load(u, {0}), real(1));
  onf::Expr positive = apply(ScalarFunction::less, {real(0), form.load(u, {0})});
  positive.type.scalar = onf::Scalar::boolean;
  onf::Expr element;
  element.kind = onf::Expr::Kind::if_;
  element.type = real_type;
  element.operands = {std::move(positive), apply(ScalarFunction::multiply, {f(shared), shared}),
                      real(0)};
  form.assign(u, std::move(element));
  return form.finish();
}

TEST(Steps, WhatOnlyABranchComputesStaysInItWhereItTakesLong) {
  onf::Module module =
      choice_of([](onf::Expr e) { return apply(ScalarFunction::exp, {std::move(e)}); });
  apply(module);
  EXPECT_TRUE(nests_of(module).at(0).body.empty());
}

TEST(Steps, SidesOfAChoiceAreComputedInAnyCaseWhereTheyAreShort) {
  onf::Module module = choice_of([](const onf::Expr& e) { return e; });
  const onf::Module before = module;
  apply(module);
  const onf::Nest nest = nests_of(module).at(0);
  ASSERT_EQ(nest.body.size(), 2u);  // u[i] + 1, and its square
  EXPECT_EQ(nest.element.operands.at(1).kind, onf::Expr::Kind::variable);
  EXPECT_EQ(FormRun(before, {3}, 1).run({{-1, 0, 2}}), FormRun(module, {3}, 2).run({{-1, 0, 2}}));
}

TEST(Steps, ALoopLeavesAFunctionAsItIsAndSaysSo) {
  FormBuilder form(1, 1);
  const auto u = form.argument("u", term::Mode::upd);
  form.emit(onf::Iterate{integer(2), {{onf::Refill{u}, {}}}});
  onf::Module module = form.finish();
  const Outcome outcome = apply(module);
  ASSERT_EQ(outcome.kept.size(), 1u);
  EXPECT_EQ(outcome.kept[0].remark.code, "E0529");
  EXPECT_EQ(count_of<onf::Iterate>(module), 1u);
}

// --- what the verifier says of scheduled forms that are wrong

class Wrong : public ::testing::Test {
 protected:
  Wrong() : form(1, 1) {
    u = form.argument("u", term::Mode::upd);
    w = form.argument("w", term::Mode::upd);
    form.function.refills = true;
    nest.binding = onf::Binding::rows;
    nest.padded = true;
    nest.indices = form.indices;
    nest.target = u;
  }
  FormBuilder form;
  onf::ViewId u, w;
  onf::Nest nest;
};

TEST_F(Wrong, RacyNest) {
  form.emit(onf::Refill{u, onf::Halo{{{1, 1}}, false}});
  nest.element = form.load(u, {1});
  form.emit(nest);
  EXPECT_EQ(codes_of(form.finish()), std::vector<std::string>{"E0527"});
}

TEST_F(Wrong, RacyNestOfTwoArrays) {
  form.emit(onf::Refill{w, onf::Halo{{{1, 1}}, false}});
  nest.element = form.load(w, {-1});
  nest.also = {{w, form.load(u, {0})}};
  form.emit(nest);
  EXPECT_EQ(codes_of(form.finish()), std::vector<std::string>{"E0527"});
}

TEST_F(Wrong, OneArrayTwice) {
  nest.element = form.load(w, {0});
  nest.also = {{u, form.load(w, {0})}};
  form.emit(nest);
  EXPECT_EQ(codes_of(form.finish()), std::vector<std::string>{"E0525"});
}

TEST_F(Wrong, PadsOfAnArgumentAreStale) {
  nest.element = form.load(w, {1});
  form.emit(nest);
  EXPECT_EQ(codes_of(form.finish()), std::vector<std::string>{"E0521"});
}

TEST_F(Wrong, RefilledOnTheOtherEnd) {
  form.emit(onf::Refill{w, onf::Halo{{{1, 0}}, false}});
  nest.element = form.load(w, {1});
  form.emit(nest);
  EXPECT_EQ(codes_of(form.finish()), std::vector<std::string>{"E0521"});
}

TEST_F(Wrong, RefilledBeforeItWasWritten) {
  form.emit(onf::Refill{w, onf::Halo{{{1, 1}}, false}});
  nest.element = form.load(w, {0});
  nest.also = {{w, form.load(w, {0})}};
  form.emit(nest);
  onf::Nest next = nest;
  next.element = form.load(w, {1});
  next.also = {};
  form.emit(next);
  EXPECT_EQ(codes_of(form.finish()), std::vector<std::string>{"E0521"});
}

TEST_F(Wrong, BeyondThePad) {
  form.emit(onf::Refill{w, onf::Halo{{{1, 1}}, false}});
  nest.element = form.load(w, {2});
  form.emit(nest);
  const auto codes = codes_of(form.finish());
  EXPECT_NE(std::ranges::find(codes, "E0520"), codes.end());
}

TEST(Corners, AreNotThereUnlessRefilled) {
  for (const bool corners : {false, true}) {
    FormBuilder form(2, 1);
    const auto u = form.argument("u", term::Mode::upd), w = form.argument("w", term::Mode::obs);
    form.function.refills = true;
    form.emit(onf::Refill{w, onf::Halo{{{1, 1}, {1, 1}}, corners}});
    form.nest(u, form.load(w, {1, -1}));
    EXPECT_EQ(codes_of(form.finish()),
              corners ? std::vector<std::string>{} : std::vector<std::string>{"E0521"});
  }
}

// With the parentheses that operators that group to the left need, and no others.
TEST(Infix, IsReadAsItWas) {
  FormBuilder form(2, 0);
  const auto u = form.argument("u", term::Mode::upd);
  const auto of = [](ScalarFunction function, onf::Expr a, onf::Expr b) {
    return apply(function, {std::move(a), std::move(b)});
  };
  const onf::Expr i = form.position(0), j = form.position(1);
  const onf::Expr less = of(ScalarFunction::less, i, integer(3));
  for (const auto& [made, text] : std::vector<std::pair<onf::Expr, std::string>>{
           {of(ScalarFunction::subtract, of(ScalarFunction::subtract, i, j), integer(1)),
            "i - j - 1"},
           {of(ScalarFunction::subtract, i, of(ScalarFunction::subtract, j, integer(1))),
            "i - (j - 1)"},
           {of(ScalarFunction::multiply, sum(i, integer(1)), of(ScalarFunction::divide, j, i)),
            "(i + 1) * (j / i)"},
           {sum(of(ScalarFunction::multiply, i, j), integer(-2)), "i * j + -2"},
           {apply(ScalarFunction::negate, {sum(i, j)}), "-(i + j)"},
           {of(ScalarFunction::modulo, apply(ScalarFunction::negate, {i}), integer(-3)), "-i % -3"},
           {of(ScalarFunction::maximum, sum(i, j), integer(0)), "max(i + j, 0)"},
           {of(ScalarFunction::and_, less, of(ScalarFunction::or_, less, less)),
            "i < 3 && (i < 3 || i < 3)"},
           {form.load(u, {1, 0}), "u[(i + 1) % n0, j]"}}) {
    EXPECT_EQ(onf::infix(form.module, form.function, made), text);
  }
}

}  // namespace
}  // namespace rhopsi::schedule
