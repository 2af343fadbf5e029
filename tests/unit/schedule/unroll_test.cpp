// Several rows in one loop: how many, where it is refused, wrong forms that the verifier rejects,
// and rows of any number.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/unrolling.hpp"
#include "engine/onf/verify.hpp"
#include "engine/schedule/choice.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/schedule/steps.hpp"
#include "engine/term/store.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"
#include "tests/unit/schedule/two_sweeps.hpp"

namespace rhopsi::schedule {
namespace {

// All 3^rank neighbours.
Offsets box_of(int rank) {
  Offsets offsets{{}};
  for (int axis = 0; axis < rank; ++axis) {
    Offsets longer;
    for (const auto& offset : offsets) {
      for (const std::int64_t by : {-1, 0, 1}) {
        longer.push_back(offset);
        longer.back().push_back(by);
      }
    }
    offsets = std::move(longer);
  }
  return offsets;
}

Offsets seven() {
  Offsets offsets = cross;
  offsets.push_back({0, 0, 0});
  return offsets;
}

Recipe recipe_with(std::optional<std::int64_t> rows, bool planes = false) {
  Recipe recipe{"r", {{StepKind::drop}}, {}};
  if (planes) {
    recipe.steps.push_back({StepKind::pipeline});
    recipe.steps.push_back({StepKind::tile});
  }
  for (const StepKind kind : {StepKind::pad, StepKind::in_place, StepKind::bind})
    recipe.steps.push_back({kind});
  recipe.steps.push_back({StepKind::unroll, rows});
  return recipe;
}

std::vector<Step> unrolled(const Outcome& outcome) {
  std::vector<Step> steps;
  for (const Step& step : outcome.steps) {
    if (step.name == "unroll") steps.push_back(step);
  }
  return steps;
}

std::vector<onf::Nest*> nests_of(onf::Module& module) {
  std::vector<onf::Nest*> nests;
  for (onf::Statement& statement : module.functions[0].body) {
    if (auto* nest = std::get_if<onf::Nest>(&statement.form)) nests.push_back(nest);
    if (auto* pipeline = std::get_if<onf::Pipeline>(&statement.form)) {
      for (onf::Pipeline::Stage& stage : pipeline->stages) nests.push_back(&stage.nest);
    }
  }
  return nests;
}

// v = the weighted sum of u at these offsets, which go around where there are no pads.
onf::Module sum_at(const Offsets& offsets, std::int64_t pad = 1) {
  FormBuilder form(int(offsets[0].size()), pad);
  const auto u = form.argument("u", term::Mode::obs), v = form.argument("v", term::Mode::upd);
  onf::Expr made = form.load(u, offsets[0]);
  for (std::size_t k = 1; k < offsets.size(); ++k) {
    made = sum(apply(onf::ScalarFunction::multiply, {made, real(0.7)}), form.load(u, offsets[k]));
  }
  form.assign(v, std::move(made));
  return form.finish();
}

TEST(Unroll, AsManyRowsAsSaveAccesses) {
  onf::Module module = sum_at(box_of(2));
  const Outcome outcome = apply(module, recipe_with({}));
  EXPECT_EQ(codes_of(module), std::vector<std::string>{});
  ASSERT_EQ(unrolled(outcome).size(), 1u);
  EXPECT_EQ(to_string(unrolled(outcome)[0]),
            "unroll at f: v: 1 row in a loop, 9 loads an element => 4 rows in a loop, 4.5 loads an "
            "element; no row of the loop reads what another one writes (offsets)");
  EXPECT_EQ(nests_of(module)[0]->rows_at_once, 4);
  EXPECT_EQ(nests_of(module)[0]->made_by, (std::vector<std::string>{"in_place", "unroll", "bind"}));
  term::Store store;
  EXPECT_NE(onf::to_string(store, module).find("nest rows padded (i, j) by 4 rows \""),
            std::string::npos);
  // Of 27 points as many; of 7 points two rows save too little, unless a bound says so.
  onf::Module many = sum_at(box_of(3));
  apply(many, recipe_with({}));
  EXPECT_EQ(nests_of(many)[0]->rows_at_once, 4);
  onf::Module few = sum_at(seven());
  const Outcome refused = apply(few, recipe_with({}));
  EXPECT_FALSE(unrolled(refused)[0].holds);
  EXPECT_EQ(unrolled(refused)[0].decider, "count of accesses");
  EXPECT_EQ(nests_of(few)[0]->rows_at_once, 1);
  onf::Module told = sum_at(seven());
  EXPECT_TRUE(unrolled(apply(told, recipe_with(3)))[0].holds);
  EXPECT_EQ(nests_of(told)[0]->rows_at_once, 3);
}

TEST(Unroll, IsChosenWhereRowsShareEnoughAndNothingWaitsForMemory) {
  const auto chosen = [](const Offsets& offsets, std::vector<std::int64_t> extents) {
    const Choice choice =
        choose(sum_at(offsets), {{"f"}, std::move(extents), standard_machine(), false, {}, 1});
    const Candidate& best = choice.answers[choice.best].candidate;
    const bool has = std::ranges::count(best.recipe.steps, StepKind::unroll, &RecipeStep::kind) > 0;
    EXPECT_EQ(best.name.ends_with(", unrolled"), has) << to_string(choice);
    return has;
  };
  EXPECT_TRUE(chosen(box_of(2), {256, 1024}));
  EXPECT_FALSE(chosen(box_of(2), {8192, 8192}));  // from memory
  EXPECT_FALSE(chosen(seven(), {32, 32, 128}));   // not enough
}

TEST(Unroll, IsTriedByMeasurement) {
  const auto having = [](const std::vector<Candidate>& all) {
    return std::ranges::count_if(all, [](const Candidate& each) {
      return std::ranges::count(each.recipe.steps, StepKind::unroll, &RecipeStep::kind) == 1;
    });
  };
  EXPECT_EQ(having(candidates()), 0);
  EXPECT_EQ(having(more_candidates(candidates().back(), 1000)), 2);
  Candidate unrolled = candidates().back();
  unrolled.recipe.steps.push_back({StepKind::unroll});
  const auto without = [](const Candidate& each) {
    return each.name.ends_with(", without unroll") &&
           std::ranges::count(each.recipe.steps, StepKind::unroll, &RecipeStep::kind) == 0;
  };
  EXPECT_EQ(std::ranges::count_if(more_candidates(unrolled, 1000), without), 1);
  const auto full = standard_recipe().steps;
  EXPECT_EQ(std::ranges::count(full, StepKind::unroll, &RecipeStep::kind), 0);
}

TEST(Unroll, LoadsOfRowsAreCountedOnce) {
  onf::Module one = sum_at(box_of(2)), four = one;
  const Outcome alone = apply(one, recipe_with(std::nullopt)),
                bounded = apply(four, recipe_with(2));
  // Four rows read six rows; two read four. One element is stored.
  EXPECT_DOUBLE_EQ(alone.costs[0].work_after.passes[0].stages[0].loads, 4.5 + 1);
  EXPECT_DOUBLE_EQ(bounded.costs[0].work_after.passes[0].stages[0].loads, 6 + 1);
  EXPECT_DOUBLE_EQ(alone.costs[0].work_after.passes[0].stages[0].streams, 1.5 + 1);
}

TEST(Unroll, IsRefusedWhereThereIsNothingToShare) {
  const auto reason = [](onf::Module module, const Recipe& recipe,
                         const Surroundings& around = {}) {
    const std::vector<Step> steps = unrolled(apply(module, recipe, around));
    for (onf::Nest* nest : nests_of(module)) EXPECT_EQ(nest->rows_at_once, 1);
    return steps.empty() || steps[0].holds ? std::string("taken") : steps[0].condition;
  };
  EXPECT_EQ(reason(sum_at(box_of(1)), recipe_with(2)),
            "rows lie side by side, but of one axis there is one row");
  EXPECT_EQ(reason(sum_at({{0, -1}, {0, 0}, {0, 1}}), recipe_with(2)),
            "rows side by side read rows in common, but no two of them do");
  Surroundings device;
  device.device = true;
  EXPECT_EQ(reason(sum_at(box_of(2)), recipe_with(2), device),
            "a loop goes over a row, but a thread of a device has one element");
  Recipe nested = recipe_with(2);
  std::erase_if(nested.steps, [](const RecipeStep& s) { return s.kind == StepKind::bind; });
  EXPECT_EQ(reason(sum_at(box_of(2)), nested),
            "a loop goes over a row, but there is one loop per axis");
  EXPECT_EQ(reason(two_in_one(box_of(2), box_of(2)), recipe_with(2, true)),
            "rows lie side by side in a plane, but of two axes a plane is one row");
}

// Where a value lies is not what the step decides; that a row is not where one beside it reads is.
TEST(Unroll, IsRefusedWhereARowReadsWhatOneBesideItWrites) {
  Graph graph("f", 2);
  graph.values.push_back({"u", onf::Scalar::float64, 0, {}, {}});
  Node load;
  load.kind = Node::Kind::load;
  load.offset = {-1, 0};
  const NodeId before = graph.make(load);
  load.offset = {0, 0};
  const NodeId own = graph.make(load);
  Node both;
  both.shell.kind = onf::Expr::Kind::apply;
  both.operands = {before, own};
  graph.values.push_back({"v", onf::Scalar::float64, {}, graph.make(both), {}});
  graph.sweeps.push_back({{static_cast<ValueId>(1)}, {}});
  graph.passes.push_back({0, 1, {0}, {{}}});
  Storage apart, together;
  apart.of = {{static_cast<ValueId>(0), 0}, {static_cast<ValueId>(1), 1}};
  together.of = {{static_cast<ValueId>(0), 0}, {static_cast<ValueId>(1), 0}};
  std::vector<Step> steps;
  const std::vector<bool> alone(graph.sweeps.size(), false);
  EXPECT_EQ(unroll(graph, apart, {2, true, false, alone}, steps), std::vector<std::int64_t>{2});
  EXPECT_EQ(unroll(graph, together, {2, true, false, alone}, steps), std::vector<std::int64_t>{1});
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[1].condition,
            "no row of the loop reads what another one writes, but u is read at (-1, 0) and "
            "overwritten");
  EXPECT_EQ(steps[1].counterexample,
            "on 2x1 the row of element 0 needs u at (1, 0), which a row beside it writes");
}

TEST(Unroll, WrongFormsAreRejected) {
  using Errors = std::vector<std::string>;
  onf::Module right = sum_at(box_of(2));
  apply(right, recipe_with(2));
  EXPECT_EQ(codes_of(right), Errors{});
  const auto broken = [](onf::Module module, const auto& how) {
    how(*nests_of(module)[0], module);
    return codes_of(module);
  };
  const Errors malformed{"E0525"};
  EXPECT_EQ(broken(right, [](onf::Nest& nest, onf::Module&) { nest.rows_at_once = 0; }), malformed);
  EXPECT_EQ(
      broken(right, [](onf::Nest& nest, onf::Module&) { nest.binding = onf::Binding::nested; }),
      malformed);
  // What an element computes besides has to be numbers with names.
  EXPECT_EQ(broken(right,
                   [](onf::Nest& nest, onf::Module&) {
                     onf::Check check;
                     check.condition.kind = onf::Expr::Kind::boolean;
                     check.condition.integer = 1;
                     nest.body.push_back({std::move(check), {}});
                   }),
            malformed);
  // In place: a row of the loop reads what the one before it writes.
  EXPECT_EQ(broken(right,
                   [](onf::Nest& nest, onf::Module&) {
                     onf::each_part(nest.element, [&](onf::Expr& e) {
                       if (e.kind == onf::Expr::Kind::load) e.view = nest.target;
                     });
                   }),
            (Errors{"E0527", "E0521"}));
  onf::Module line = sum_at(box_of(1));
  apply(line, recipe_with({}));
  EXPECT_EQ(broken(line, [](onf::Nest& nest, onf::Module&) { nest.rows_at_once = 2; }), malformed);
  onf::Module planes = two_in_one(box_of(3), box_of(3));
  apply(planes, recipe_with(2, true));
  ASSERT_EQ(nests_of(planes).size(), 2u);
  EXPECT_EQ(nests_of(planes)[0]->rows_at_once, 2);
  EXPECT_EQ(codes_of(planes), Errors{});
  onf::Module rows = two_in_one(box_of(2), box_of(2));
  apply(rows, recipe_with(2, true));
  ASSERT_EQ(nests_of(rows).size(), 2u);
  EXPECT_EQ(broken(rows, [](onf::Nest& nest, onf::Module&) { nest.rows_at_once = 2; }), malformed);
}

// Plain, in planes and in tiles; fewer rows than are done at once, and what is left of them.
TEST(Unroll, RowsOfAnyNumberComputeTheSame) {
  const std::vector<std::pair<Offsets, Offsets>> programs = {
      {seven(), cross}, {box_of(3), {{0, 0, 0}, {0, 2, 0}, {1, -1, 1}}}};
  for (const auto& [first, second] : programs) {
    for (const bool planes : {false, true}) {
      for (const std::int64_t rows : {2, 3, 8}) {
        const onf::Module before = two_in_one(first, second);
        onf::Module after = before;
        apply(after, recipe_with(rows, planes));
        ASSERT_EQ(codes_of(after), std::vector<std::string>{});
        ASSERT_EQ(nests_of(after)[0]->rows_at_once, rows);
        for (const std::vector<std::int64_t>& shape :
             {std::vector<std::int64_t>{3, 1, 2}, {2, 7, 3}, {1, 8, 1}, {4, 17, 2}}) {
          const Elements u = numbers(std::size_t(shape[0] * shape[1] * shape[2]), 7);
          const auto expected = FormRun(before, shape, 1).run({u});
          const auto found = FormRun(after, shape, 2).run({u});
          EXPECT_TRUE(equal_bits(expected[0], found[0])) << planes << " " << rows;
        }
      }
    }
  }
}

std::string text_of(const onf::Expr& e) {
  if (e.kind == onf::Expr::Kind::variable) return "i";
  if (e.function == onf::ScalarFunction::modulo) return "(" + text_of(e.operands[0]) + ") mod n";
  return (e.function == onf::ScalarFunction::subtract ? "i - " : "i + ") +
         std::to_string(e.operands[1].integer);
}

// The rows that each row of a loop reads, in the order of the loads.
std::vector<std::string> rows_read_by(const onf::Nest& nest, std::int64_t row) {
  std::vector<std::string> indices;
  onf::each_load(onf::moved_by_rows(nest, row),
                 [&](const onf::Expr& load) { indices.push_back(text_of(load.operands[0])); });
  return indices;
}

onf::Nest rows_at_once(onf::Module module, std::int64_t rows) {
  onf::Nest nest = *nests_of(module)[0];
  nest.binding = onf::Binding::rows;
  nest.rows_at_once = rows;
  return nest;
}

// The index of the rows moves wherever it stands.
TEST(Unroll, AnIndexMovesInItsForm) {
  using Rows = std::vector<std::string>;
  const onf::Nest nest = rows_at_once(sum_at({{-1, 0}, {1, 0}, {0, -1}}), 3);
  EXPECT_EQ(rows_read_by(nest, 0), (Rows{"i - 1", "i + 1", "i"}));
  EXPECT_EQ(rows_read_by(nest, 1), (Rows{"i", "i + 2", "i + 1"}));
  EXPECT_EQ(rows_read_by(nest, 2), (Rows{"i + 1", "i + 3", "i + 2"}));
}

// One that goes around stays of the form that says how, but where it is that of a row of the loop.
TEST(Unroll, NoRowOfTheLoopIsReadAround) {
  using Rows = std::vector<std::string>;
  const Offsets offsets = {{-1, 0}, {1, 0}, {0, -1}, {2, 1}, {-2, 0}, {3, 0}};
  const onf::Nest nest = rows_at_once(sum_at(offsets, 0), 3);
  EXPECT_EQ(rows_read_by(nest, 0),
            (Rows{"(i + -1) mod n", "i + 1", "i", "i + 2", "(i + -2) mod n", "(i + 3) mod n"}));
  EXPECT_EQ(rows_read_by(nest, 1),
            (Rows{"i", "i + 2", "i + 1", "(i + 3) mod n", "(i + -1) mod n", "(i + 4) mod n"}));
  EXPECT_EQ(rows_read_by(nest, 2),
            (Rows{"i + 1", "(i + 3) mod n", "i + 2", "(i + 4) mod n", "i", "(i + 5) mod n"}));
  // Of an index alone the same.
  onf::Expr i = integer(0);
  i.kind = onf::Expr::Kind::variable;
  i.variable = nest.indices[0];
  const onf::Expr next = apply(onf::ScalarFunction::modulo, {sum(i, integer(1)), extent(0)});
  EXPECT_EQ(text_of(onf::moved_by_rows(nest, next, 0)), "i + 1");
  EXPECT_EQ(text_of(onf::moved_by_rows(nest, next, 2)), "(i + 3) mod n");
}

}  // namespace
}  // namespace rhopsi::schedule
