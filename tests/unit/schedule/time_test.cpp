// Machines as text, what a call does, how long it is predicted to take, and what is chosen.
#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "engine/schedule/choice.hpp"
#include "tests/unit/schedule/forms.hpp"
#include "tests/unit/schedule/two_sweeps.hpp"

namespace rhopsi::schedule {
namespace {

// v = f(u beside its index); u = g(v beside it).
onf::Module two_sweeps(std::int64_t pad = 1) {
  FormBuilder form(2, pad);
  const auto u = form.argument("u", term::Mode::upd);
  const auto v = form.view("v");
  form.assign(v, sum(form.load(u, {-1, 0}), form.load(u, {1, 0})), true);
  form.assign(u, sum(form.load(v, {0, 1}), form.load(v, {-1, 0})));
  return form.finish();
}

Question about(std::vector<std::int64_t> extents, Machine machine = standard_machine()) {
  return {{"f"}, std::move(extents), std::move(machine), false, {}, 0};
}

Candidate named(const std::string& name) {
  for (const Candidate& candidate : candidates()) {
    if (candidate.name == name) return candidate;
  }
  ADD_FAILURE() << name;
  return {};
}

double predicted(const std::string& name, const Question& question) {
  return predict(two_sweeps(), named(name), question).seconds;
}

TEST(Machines, AreReadAsTheyArePrinted) {
  Machine machine = standard_machine();
  machine.threads = 7;
  machine.caches.push_back({1e9, 14, 5e9});
  Machine again;
  EXPECT_EQ(read_machine(to_string(machine), again), std::nullopt);
  EXPECT_EQ(again, machine);
}

TEST(Machines, WhatIsLeftOutStaysAndMistakesAreTold) {
  Machine machine = standard_machine();
  EXPECT_EQ(read_machine("# mine\n\nthreads = 3  # of them\n", machine), std::nullopt);
  EXPECT_EQ(machine.threads, 3);
  EXPECT_EQ(machine.caches, standard_machine().caches);
  for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
           {"threads 3", "line 1: this is not KEY = NUMBER"},
           {"\nthread = 3", "line 2: no figure is called 'thread'"},
           {"threads = many", "line 1: 'many' is no number of threads"},
           {"threads = 0.5", "line 1: '0.5' is no number of threads"},
           {"region = -1", "line 1: '-1' is no positive number"},
           {"memory.one = nan", "line 1: 'nan' is no positive number"},
           {"cache9.bytes = 1", "line 1: no figure is called 'cache9.bytes'"}}) {
    Machine made = standard_machine();
    EXPECT_EQ(read_machine(text, made).value_or("nothing"), says) << text;
  }
}

TEST(Recipes, AreReadAsTheyArePrinted) {
  for (const Candidate& candidate : more_candidates({"full", "", standard_recipe()}, 1000)) {
    const auto again = read_recipe(to_string(candidate.recipe));
    ASSERT_TRUE(again) << candidate.name;
    EXPECT_EQ(to_string(*again), to_string(candidate.recipe));
  }
  for (const char* text :
       {"", "schedule x = {\n  fuse;\n", "schedule x = {\n  melt;\n};\n",
        "schedule x = {\n  fuse(max_values = 0);\n};\n", "schedule x = {\n  fuse(most = 1);\n};\n",
        "schedule x = {\n  drop(a = 1);\n};\n", "schedule x = {\n  fuse;\n};\nmore"}) {
    EXPECT_FALSE(read_recipe(text)) << text;
  }
}

// In memory fewer streams take less time, and calls in one less again.
TEST(Times, FollowTheTraffic) {
  const Question large = about({4096, 4096});
  EXPECT_LT(predicted("passes", large), predicted("off", large));
  EXPECT_LT(predicted("planes", large), predicted("passes", large));
  EXPECT_LT(predicted("repeat-2", large), predicted("planes", large));
  const Answer planes = predict(two_sweeps(), named("planes"), large);
  ASSERT_EQ(planes.times.size(), 1u);
  ASSERT_EQ(planes.times[0].second.passes.size(), 1u);
  // u is read once and written once, whole.
  EXPECT_NEAR(planes.times[0].second.passes[0].memory_bytes, 16.0 * 4096 * 4096, 1);
  EXPECT_EQ(planes.times[0].second.passes[0].bound(), "memory");
  // What is written and not read is read all the same, before it is overwritten: v, and u in turn.
  const Answer passes = predict(two_sweeps(), named("passes"), large);
  ASSERT_EQ(passes.times[0].second.passes.size(), 2u);
  EXPECT_NEAR(passes.times[0].second.passes[0].memory_bytes, 24.0 * 4096 * 4096, 1);
}

// The work that is predicted of one operation for each element, in seconds.
double operations_of_one(const std::function<onf::Expr(const onf::Expr&)>& of,
                         const std::string& candidate = "passes") {
  FormBuilder form(2, 0);
  const auto u = form.argument("u", term::Mode::upd);
  form.assign(u, of(form.load(u, {0, 0})));
  return predict(form.finish(), named(candidate), about({4096, 4096}))
      .times.at(0)
      .second.passes.at(0)
      .operations;
}

// Of exponentials loops are vectors, of sines those over rows; most powers are computed one by one,
// but cubes are products.
TEST(Times, FunctionsThatVectorsHave) {
  using onf::ScalarFunction;
  const auto of = [](ScalarFunction function) {
    return operations_of_one([=](const onf::Expr& u) { return apply(function, {u}); });
  };
  const double power = operations_of_one([](const onf::Expr& u) {
    return apply(ScalarFunction::pow, {u, real(2.5)});
  });
  EXPECT_LT(2 * of(ScalarFunction::exp), power);
  EXPECT_LT(2 * of(ScalarFunction::sin), power);
  EXPECT_EQ(
      operations_of_one([](const onf::Expr& u) { return apply(ScalarFunction::sin, {u}); }, "off"),
      power);
  const double cube = operations_of_one([](const onf::Expr& u) {
    return apply(ScalarFunction::pow, {u, real(3)});
  });
  EXPECT_EQ(cube, operations_of_one([](const onf::Expr& u) { return times(times(u, u), u); }));
}

TEST(Times, NothingCrossesACacheThatHoldsAllArrays) {
  const Answer small = predict(two_sweeps(), named("passes"), about({16, 16}));
  for (const PassTime& pass : small.times[0].second.passes) {
    EXPECT_EQ(pass.traffic, 0);
    EXPECT_FALSE(pass.threads);
  }
}

// h is changed by its neighbours in e, and e by those in h, in turns.
onf::Module by_turns() {
  FormBuilder form(2, 1);
  const auto h = form.argument("h", term::Mode::upd), e = form.argument("e", term::Mode::upd);
  form.assign(h, sum(form.load(h, {0, 0}), sum(form.load(e, {0, 1}), form.load(e, {1, 0}))));
  form.assign(e, sum(form.load(e, {0, 0}), sum(form.load(h, {0, -1}), form.load(h, {-1, 0}))));
  return form.finish();
}

// Plane by plane h is stored in its array and, for e, in a ring.
TEST(Times, WhatIsStoredTwiceCountsTwice) {
  const auto stores = [](const std::string& name) {
    onf::Module module = by_turns();
    const Outcome outcome = apply(module, named(name).recipe);
    double sum = 0;
    for (const PassWork& pass : outcome.costs.at(0).work_after.passes) {
      for (const StageWork& stage : pass.stages) sum += stage.stores;
    }
    return sum;
  };
  EXPECT_EQ(stores("fused"), 2);
  EXPECT_EQ(stores("planes"), 3);
}

// Rows so long that two of them leave the caches have to be fetched again.
TEST(Times, PlanesThatDoNotFitCrossAgain) {
  Machine machine = standard_machine();
  machine.caches.resize(2);
  const Answer fits = predict(two_sweeps(), named("planes"), about({4096, 4096}, machine));
  const Answer not_any_more = predict(two_sweeps(), named("planes"), about({64, 1 << 20}, machine));
  const auto bytes = [](const Answer& answer, double elements) {
    return answer.times[0].second.passes[0].memory_bytes / elements;
  };
  EXPECT_GT(bytes(not_any_more, 64.0 * (1 << 20)), 1.5 * bytes(fits, 4096.0 * 4096));
}

TEST(Times, MoreThreadsTakeLessUnlessThereIsLittleToDo) {
  Machine one = standard_machine();
  one.threads = 1;
  one.memory_all = one.memory_one;
  EXPECT_LT(predicted("planes", about({4096, 4096})),
            predicted("planes", about({4096, 4096}, one)));
  EXPECT_EQ(predicted("planes", about({32, 32})), predicted("planes", about({32, 32}, one)));
}

// Where another schedule runs, the best has no star.
TEST(Choices, WhatRunsHasAStar) {
  const Choice choice = choose(two_sweeps(), about({4096, 4096}));
  const auto stars = [](const std::string& text) { return std::ranges::count(text, '*'); };
  EXPECT_EQ(stars(to_string(choice)), 1);
  EXPECT_NE(to_string(choice).find("\nchosen: "), std::string::npos) << to_string(choice);
  const std::string beside = to_string_beside(choice, std::nullopt);
  EXPECT_EQ(stars(beside), 0) << beside;
  EXPECT_NE(beside.find("\nwould be chosen: "), std::string::npos) << beside;
  const auto fused = find_answer(choice, candidates()[2].recipe);
  ASSERT_TRUE(fused);
  EXPECT_NE(to_string_beside(choice, fused).find("* fused: "), std::string::npos);
  EXPECT_EQ(find_answer(choice, {"other", {{StepKind::fuse, 7}}, {}}), std::nullopt);
}

TEST(Choices, AreTheSameForTheSameMachine) {
  const Choice choice = choose(two_sweeps(), about({4096, 4096}));
  EXPECT_EQ(to_string(choice), to_string(choose(two_sweeps(), about({4096, 4096}))));
  const Answer& best = choice.answers[choice.best];
  EXPECT_TRUE(best.candidate.name.starts_with("repeat-")) << to_string(choice);
  EXPECT_NE(choice.why.find(" of what is written; its slowest pass waits for "), std::string::npos);
  for (const Answer& answer : choice.answers) {
    EXPECT_LE(best.seconds, answer.seconds / 0.98 + 1e-12) << answer.candidate.name;
  }
}

// Calls that are too few to be one, and those that are left over, are made one by one.
TEST(Choices, LookAtHowManyCallsThereAre) {
  Question question = about({4096, 4096});
  question.calls = 1;
  const Choice once = choose(two_sweeps(), question);
  EXPECT_EQ(once.answers[once.best].candidate.name, "planes") << to_string(once);
  const double planes = predicted("planes", question);
  EXPECT_EQ(predicted("repeat-2", question), planes);
  question.calls = 2;
  const double two = predicted("repeat-2", question);
  EXPECT_LT(two, planes);
  question.calls = 3;
  EXPECT_DOUBLE_EQ(predicted("repeat-2", question), (2 * two + planes) / 3);
}

TEST(Choices, StartThreadsWhereThesePay) {
  Machine slow = standard_machine();
  slow.region = 1e-3;
  const Choice waits = choose(two_sweeps(), about({100, 100}, slow));
  EXPECT_TRUE(waits.answers[waits.best].candidate.name.ends_with(", one thread"))
      << to_string(waits);
  onf::Module module = two_sweeps();
  EXPECT_EQ(apply(module, waits.recipe()).serial_below, 16384);
  Machine quick = standard_machine();
  quick.region = 1e-9;
  const Choice starts = choose(two_sweeps(), about({60, 60}, quick));
  EXPECT_TRUE(starts.answers[starts.best].candidate.name.ends_with(", all threads"))
      << to_string(starts);
}

// One sweep that reads all neighbours: its pads would be filled with each call.
TEST(Choices, FillNoPadsWhereTheEndsOfRowsTakeLess) {
  FormBuilder form(3, 0);
  const auto u = form.argument("u", term::Mode::obs), w = form.argument("w", term::Mode::upd);
  onf::Expr all = form.load(u, {0, 0, 0});
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const std::int64_t o : {-1, 1}) {
      std::vector<std::int64_t> offset(3, 0);
      offset[axis] = o;
      all = sum(std::move(all), form.load(u, offset));
    }
  }
  form.assign(w, std::move(all));
  const onf::Module module = form.finish();
  const auto of_boundary = [](const Choice& choice) {
    return std::ranges::count(choice.recipe().steps, StepKind::boundary, &RecipeStep::kind);
  };
  const Choice large = choose(module, about({128, 128, 128}));
  EXPECT_TRUE(large.answers[large.best].candidate.name.ends_with(", peeled")) << to_string(large);
  EXPECT_EQ(of_boundary(large), 1);
  EXPECT_EQ(std::ranges::count(large.recipe().steps, StepKind::pad, &RecipeStep::kind), 0);
  Question device = about({128, 128, 128});
  device.device = true;
  EXPECT_EQ(of_boundary(choose(module, device)), 0);
  // One program serves all that are small.
  for (const std::int64_t n : {1, 3, 12}) {
    EXPECT_EQ(of_boundary(choose(module, about({n, 2 * n, n}))), 0) << n;
  }
}

// Arrays that callers give have no pads: with some they are copied, in and out, at each call.
TEST(Choices, TakeNoPadsForCallersWhereCopiesTakeLonger) {
  const auto pads = [](const onf::Module& module, const Question& question) {
    const Choice choice = choose(module, question);
    return std::ranges::count(choice.recipe().steps, StepKind::pad, &RecipeStep::kind);
  };
  const onf::Module heat = two_in_one(cross, {{0, 0, 0}});
  Question question = about({160, 160, 160});
  EXPECT_EQ(pads(heat, question), 1);
  question.copied = true;
  EXPECT_EQ(pads(heat, question), 0);
  question.device = true;
  EXPECT_EQ(pads(heat, question), 1);
  // A program that has pads itself is copied anyway.
  Question padded = about({160, 160, 160});
  padded.copied = true;
  const onf::Module itself = two_in_one(cross, {{0, 0, 0}}, 1);
  EXPECT_EQ(to_string(choose(itself, padded)), to_string(choose(itself, about({160, 160, 160}))));
}

// The square of the sum of u at an index and its neighbours along both axes.
onf::Expr around(const FormBuilder& form, onf::ViewId u, std::int64_t i, std::int64_t j) {
  onf::Expr all = sum(form.load(u, {i, j}), form.load(u, {i, j + 1}));
  all = sum(std::move(all), sum(form.load(u, {i, j - 1}), form.load(u, {i + 1, j})));
  all = sum(std::move(all), form.load(u, {i - 1, j}));
  onf::Expr copy = all;
  return times(std::move(copy), std::move(all));
}
// Five indices compute that for each element, which goes to u itself or to another array.
onf::Module computed_again(bool in_place) {
  FormBuilder form(2, 0);
  const auto u = form.argument("u", in_place ? term::Mode::upd : term::Mode::obs);
  const auto w = in_place ? u : form.argument("w", term::Mode::upd);
  onf::Expr all = around(form, u, 0, 0);
  for (const std::int64_t o : {-1, 1}) {
    all = sum(std::move(all), around(form, u, o, 0));
    all = sum(std::move(all), around(form, u, 0, o));
  }
  form.assign(w, std::move(all));
  return form.finish();
}
const RecipeStep* stored_in(const Choice& choice) {
  const auto& steps = choice.recipe().steps;
  const auto found = std::ranges::find(steps, StepKind::materialise, &RecipeStep::kind);
  return found == steps.end() ? nullptr : &*found;
}

TEST(Choices, StoreWhatSeveralIndicesCompute) {
  for (const bool in_place : {false, true}) {
    onf::Module module = computed_again(in_place);
    const Choice choice = choose(module, about({1000, 1000}));
    ASSERT_NE(stored_in(choice), nullptr) << to_string(choice);
    const Answer& best = choice.answers[choice.best];
    EXPECT_NE(best.candidate.name.find(", materialise 16"), std::string::npos) << to_string(choice);
    const Answer plain = predict(module, named("planes"), about({1000, 1000}));
    EXPECT_LT(best.seconds, 0.7 * plain.seconds);
    const Outcome outcome = apply(module, choice.recipe());
    const auto step = std::ranges::find(outcome.steps, "materialise", &Step::name);
    ASSERT_NE(step, outcome.steps.end());
    // Of five sums of four additions and a product each four are not computed again.
    EXPECT_TRUE(step->holds);
    EXPECT_NE(step->condition.find("which here are 20"), std::string::npos) << step->condition;
    EXPECT_EQ(errors_of(module), "");
  }
}

// u becomes the sum of nine neighbours, row by row: three indices compute the sum of three of them.
onf::Module sum_of_nine() {
  FormBuilder form(2, 0);
  const auto u = form.argument("u", term::Mode::upd);
  const auto row = [&](std::int64_t j) {
    return sum(sum(form.load(u, {-1, j}), form.load(u, {0, j})), form.load(u, {1, j}));
  };
  form.assign(u, sum(sum(row(-1), row(0)), row(1)));
  return form.finish();
}

// Where a pass waits for memory, what is computed again takes no time.
TEST(Choices, StoreNothingThatTakesNoTime) {
  const onf::Module module = sum_of_nine();
  const Choice in_memory = choose(module, about({8192, 8192}));
  EXPECT_EQ(stored_in(in_memory), nullptr) << to_string(in_memory);
  EXPECT_NE(stored_in(choose(module, about({300, 300}))), nullptr);
  Question device = about({1000, 1000});
  device.device = true;
  EXPECT_EQ(stored_in(choose(computed_again(true), device)), nullptr);
  // Nothing is the same at several indices.
  EXPECT_EQ(stored_in(choose(two_sweeps(), about({300, 300}))), nullptr);
}

// Where the last cache holds all, it is soon there, and planes that wait in rings are stored and
// loaded once more for nothing.
TEST(Choices, PassesAreOneByOneInACache) {
  Machine machine = standard_machine();
  machine.operations = 2e10;
  machine.region = 1e-6;
  machine.caches = {{32768, 1, 2e11}, {1048576, 1, 1.5e11}, {33554432, 2, 1.2e11}};
  const auto chosen = [&](std::int64_t n) {
    const Choice choice = choose(by_turns(), about({n, n}, machine));
    return choice.answers[choice.best].candidate.name;
  };
  EXPECT_TRUE(chosen(512).starts_with("passes")) << chosen(512);
  EXPECT_TRUE(chosen(4096).starts_with("repeat-")) << chosen(4096);
}

// Other bounds take the place of the one that there is.
TEST(Choices, OfMoreCandidatesEachStoresOnce) {
  const Choice choice = choose(computed_again(true), about({1000, 1000}));
  std::size_t bounds = 0, without = 0;
  for (const Candidate& candidate :
       more_candidates(choice.answers[choice.best].candidate, 1000000)) {
    const auto count =
        std::ranges::count(candidate.recipe.steps, StepKind::materialise, &RecipeStep::kind);
    EXPECT_LE(count, 1) << candidate.name;
    const bool bound = candidate.name.find(", materialise 16, materialise ") != std::string::npos;
    bounds += bound ? 1 : 0;
    without += candidate.name.ends_with(", without materialise") && count == 0 ? 1 : 0;
  }
  EXPECT_EQ(bounds, 5u);
  EXPECT_EQ(without, 1u);
}

// Several calls in runs go through memory once.
TEST(Choices, TakeCallsTogetherOverArraysOfOneAxis) {
  FormBuilder form(1, 0);
  const auto u = form.argument("u", term::Mode::upd);
  form.assign(u, sum(form.load(u, {-1}), sum(form.load(u, {0}), form.load(u, {1}))));
  const onf::Module module = form.finish();
  const Choice choice = choose(module, about({8000000}));
  EXPECT_TRUE(choice.answers[choice.best].candidate.name.starts_with("repeat-"))
      << to_string(choice);
}

TEST(Choices, WhatKeepsItsFormHasNone) {
  onf::Module module = two_sweeps();
  Question question = about({100, 100});
  question.entries = {"g"};
  const Choice choice = choose(module, question);
  EXPECT_EQ(choice.best, 0u);
  EXPECT_TRUE(choice.recipe().steps.empty());
  EXPECT_EQ(choice.why, "every schedule leaves the entry as it is");
}

// Where there are no planes, what asks for them is what there is without.
TEST(Choices, OnADeviceAreWithoutPlanes) {
  Question question = about({4096, 4096});
  question.device = true;
  question.around = {"no planes"};
  const Choice choice = choose(two_sweeps(), question);
  for (const Answer& answer : choice.answers) {
    const std::string& name = answer.candidate.name;
    EXPECT_EQ(answer.same_as, name == "off" || name == "passes" ? "" : "passes") << name;
    EXPECT_GT(answer.seconds, 2 * question.machine.device_launch);
  }
}

}  // namespace
}  // namespace rhopsi::schedule
