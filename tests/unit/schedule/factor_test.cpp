// Sums of products with common factors taken out.
#include <algorithm>
#include <iostream>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "engine/onf/print.hpp"
#include "engine/schedule/choice.hpp"
#include "engine/schedule/polynomial.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/term/store.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"

namespace rhopsi::schedule {
namespace {

using onf::ScalarFunction;

Surroundings free_order() {
  Surroundings around;
  around.any_order = true;
  return around;
}

std::vector<Step> factored(const Outcome& outcome) {
  std::vector<Step> found;
  for (const Step& step : outcome.steps) {
    if (step.name == "factor") found.push_back(step);
  }
  return found;
}

// The result and two more fields, moved along by u and spread, as fluids are.
onf::Module moved_and_spread() {
  FormBuilder form(1, 0);
  std::vector<onf::ViewId> fields, results;
  for (const char* name : {"u", "v", "w"}) fields.push_back(form.argument(name, term::Mode::obs));
  for (const char* name : {"a", "b", "c"}) results.push_back(form.argument(name, term::Mode::upd));
  for (std::size_t k = 0; k < 3; ++k) {
    const auto at = [&](std::int64_t offset) { return form.load(fields[k], {offset}); };
    const onf::Expr moved =
        times(times(real(0.5), form.load(fields[0], {0})), difference(at(1), at(-1)));
    const onf::Expr spread =
        times(real(0.25), difference(sum(at(1), at(-1)), times(real(2), at(0))));
    form.assign(results[k], difference(sum(at(0), spread), moved));
  }
  return form.finish();
}

TEST(Factor, NeighboursOfSeveralValuesHaveOneFactor) {
  onf::Module module = moved_and_spread();
  const Outcome outcome = apply(
      module, {"r", {{StepKind::fuse}, {StepKind::factor}, {StepKind::share}}, {}}, free_order());
  ASSERT_EQ(factored(outcome).size(), 1u);
  const Step step = factored(outcome)[0];
  EXPECT_TRUE(step.holds) << to_string(step);
  EXPECT_EQ(step.decider, "polynomials");
  // Two factors, and of each value three products, of which one is with a number alone: a sum with
  // a product is one operation.
  EXPECT_EQ(step.before, "16 operations an element");
  EXPECT_EQ(step.after, "11 operations an element");
  EXPECT_TRUE(module.regrouped);
  EXPECT_EQ(errors_of(module), "");
  term::Store store;
  EXPECT_NE(onf::to_string(store, module).find("module hand rank 1 regrouped"), std::string::npos);
}

TEST(Factor, KeepsTheOrderOfAProgramThatHasOne) {
  onf::Module module = moved_and_spread();
  const Outcome outcome = apply(module, {"r", {{StepKind::fuse}, {StepKind::factor}}, {}});
  ASSERT_EQ(factored(outcome).size(), 1u);
  EXPECT_FALSE(factored(outcome)[0].holds);
  EXPECT_EQ(factored(outcome)[0].decider, "program");
  EXPECT_FALSE(module.regrouped);
}

TEST(Factor, IsRefusedWhereLittleIsSaved) {
  FormBuilder form(1, 0);
  const auto u = form.argument("u", term::Mode::obs), v = form.argument("v", term::Mode::upd);
  form.assign(v, times(real(0.25), sum(form.load(u, {1}), form.load(u, {-1}))));
  onf::Module module = form.finish();
  const Outcome outcome = apply(module, {"r", {{StepKind::factor}}, {}}, free_order());
  ASSERT_EQ(factored(outcome).size(), 1u);
  EXPECT_FALSE(factored(outcome)[0].holds);
  EXPECT_EQ(factored(outcome)[0].decider, "count");
  EXPECT_FALSE(module.regrouped);
}

// Where nothing is computed nothing is taken, whatever other sweeps have.
TEST(Factor, CopiesHaveNone) {
  const auto around = [](bool with_sum) {
    FormBuilder form(1, 0);
    const auto u = form.argument("u", term::Mode::obs), v = form.argument("v", term::Mode::upd),
               w = form.argument("w", term::Mode::upd);
    form.assign(v, form.load(u, {1}));
    form.assign(w, with_sum ? sum(form.load(u, {0}), form.load(u, {-1})) : form.load(u, {0}));
    onf::Module module = form.finish();
    const Outcome outcome = apply(module, {"r", {{StepKind::factor}}, {}}, free_order());
    EXPECT_FALSE(module.regrouped);
    return factored(outcome);
  };
  EXPECT_TRUE(around(false).empty());
  ASSERT_EQ(around(true).size(), 1u);
  EXPECT_FALSE(around(true)[0].holds);
}

// A factor in which no index is, as any other one.
TEST(Factor, OfTheWholeSumIsOne) {
  FormBuilder form(1, 0);
  const auto u = form.argument("u", term::Mode::obs), v = form.argument("v", term::Mode::upd);
  std::optional<onf::Expr> element;
  for (const std::int64_t at : {-3, -2, -1, 1, 2, 3}) {
    onf::Expr term = times(times(real(0.3), form.load(u, {0})), form.load(u, {at}));
    element = element ? sum(std::move(*element), std::move(term)) : std::move(term);
  }
  form.assign(v, std::move(*element));
  onf::Module module = form.finish();
  const Outcome outcome = apply(module, {"r", {{StepKind::factor}}, {}}, free_order());
  ASSERT_EQ(factored(outcome).size(), 1u);
  EXPECT_EQ(factored(outcome)[0].after, "7 operations an element");
}

TEST(Factor, StandsBeforePlanes) {
  onf::Module module = moved_and_spread();
  const Outcome outcome =
      apply(module, {"r", {{StepKind::pipeline}, {StepKind::factor}}, {}}, free_order());
  for (const Step& step : factored(outcome)) EXPECT_EQ(step.decider, "order") << to_string(step);
}

TEST(Factor, IsChosenWhereTheOrderIsFree) {
  const auto chosen = [](const Surroundings& around) {
    const Choice choice =
        choose(moved_and_spread(), {{"f"}, {1 << 14}, standard_machine(), false, around});
    return step_of(choice.recipe(), StepKind::factor) != nullptr;
  };
  EXPECT_TRUE(chosen(free_order()));
  EXPECT_FALSE(chosen({}));
  const auto tried = more_candidates(candidates().back(), 1000);
  EXPECT_EQ(std::ranges::count_if(tried,
                                  [](const Candidate& each) {
                                    return step_of(each.recipe, StepKind::factor) != nullptr;
                                  }),
            1);
}

// Elements of random sums and products of what is around the index. Of whole numbers, which are the
// same in any order.
class RandomElements {
 public:
  RandomElements(const FormBuilder& form, std::vector<onf::ViewId> fields, unsigned seed)
      : form_(form), fields_(std::move(fields)), random_(seed) {}

  onf::Expr element(int depth) {
    if (depth == 0 || below(6) == 0) return leaf();
    onf::Expr left = element(depth - 1);
    if (below(8) == 0) return apply(ScalarFunction::negate, {std::move(left)});
    if (below(8) == 0) return times(real(0.5), apply(ScalarFunction::divide, {left, real(0.5)}));
    if (below(10) == 0) {
      return apply(ScalarFunction::maximum, {std::move(left), element(depth - 1)});
    }
    constexpr ScalarFunction functions[] = {ScalarFunction::add, ScalarFunction::subtract,
                                            ScalarFunction::multiply};
    return apply(functions[below(3)], {std::move(left), element(depth - 1)});
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  onf::Expr leaf() {
    if (below(4) == 0) return real(double(below(5)) - 1);
    std::vector<std::int64_t> offset;
    for (std::size_t axis = 0; axis < form_.indices.size(); ++axis)
      offset.push_back(below(2) == 0 ? 0 : std::int64_t(below(3)) - 1);
    return form_.load(fields_[below(fields_.size())], offset);
  }

  const FormBuilder& form_;
  std::vector<onf::ViewId> fields_;
  std::mt19937 random_;
};

TEST(Factor, RandomSumsOfProductsAreTheSameNumbers) {
  int taken = 0, refused = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const int rank = 1 + int(seed % 3);
    FormBuilder form(rank, 0);
    std::vector<onf::ViewId> fields, results;
    for (const char* name : {"u", "v"}) fields.push_back(form.argument(name, term::Mode::obs));
    for (const char* name : {"a", "b", "c"})
      results.push_back(form.argument(name, term::Mode::upd));
    RandomElements random(form, fields, seed);
    for (const onf::ViewId result : results) form.assign(result, random.element(4));
    const onf::Module before = form.finish();
    onf::Module module = before;
    const Outcome outcome = apply(module,
                                  {"r",
                                   {{StepKind::fuse},
                                    {StepKind::factor},
                                    {StepKind::in_place},
                                    {StepKind::share},
                                    {StepKind::bind}},
                                   {}},
                                  free_order());
    for (const Step& step : factored(outcome)) ++(step.holds ? taken : refused);
    term::Store store;
    const std::string described = "seed " + std::to_string(seed) + "\n" +
                                  onf::to_string(store, before) + onf::to_string(store, module);
    ASSERT_EQ(errors_of(module), "") << described;
    const std::vector<std::int64_t> all{3, 2, 1}, shape(all.begin(), all.begin() + rank);
    std::size_t size = 1;
    for (const std::int64_t n : shape) size *= std::size_t(n);
    std::mt19937 numbers(seed);
    std::vector<Elements> arguments(5, Elements(size));
    for (Elements& each : arguments) {
      for (double& number : each) number = double(numbers() % 7) - 3;
    }
    EXPECT_EQ(FormRun(before, shape, 1).run(arguments), FormRun(module, shape, 2).run(arguments))
        << described;
  }
  std::cout << "factor: " << taken << " taken, " << refused << " refused\n";
  EXPECT_GT(taken, 50);
  EXPECT_GT(refused, 0);
}

// --- polynomials

class PolynomialTest : public testing::Test {
 protected:
  NodeId load(std::int64_t offset) { return graph.load(ValueId{0}, {offset}); }
  NodeId number(double value) {
    Node node;
    node.shell = real(value);
    return graph.make(std::move(node));
  }
  NodeId of(ScalarFunction function, NodeId left, NodeId right) {
    Node node;
    node.shell.kind = onf::Expr::Kind::apply;
    node.shell.type = real_type;
    node.shell.function = function;
    node.operands = {left, right};
    return graph.make(std::move(node));
  }
  NodeId plus(NodeId a, NodeId b) { return of(ScalarFunction::add, a, b); }
  NodeId minus(NodeId a, NodeId b) { return of(ScalarFunction::subtract, a, b); }
  NodeId product(NodeId a, NodeId b) { return of(ScalarFunction::multiply, a, b); }

  PolynomialTest() { graph.values.emplace_back().name = "u"; }
  Graph graph{"f", 1};
};

TEST_F(PolynomialTest, IsWhatTheOrderDoesNotChange) {
  const NodeId a = load(0), b = load(1);
  Polynomials polynomials(graph);
  const auto found = polynomials.of(product(plus(a, b), minus(a, b)));
  EXPECT_EQ(found, polynomials.of(minus(product(a, a), product(b, b))));
  EXPECT_EQ(found, (Polynomial{{{a, a}, 1}, {{b, b}, -1}}));
  EXPECT_EQ(polynomials.of(minus(a, a)), Polynomial());
  // A fraction is an atom, and a quotient a product.
  const NodeId half = number(0.5);
  EXPECT_EQ(polynomials.of(plus(product(half, a), product(a, half))),
            (Polynomial{{{std::min(a, half), std::max(a, half)}, 2}}));
  const NodeId quotient = of(ScalarFunction::divide, plus(a, b), half);
  EXPECT_EQ(polynomials.of(quotient)->size(), 2u);
  // By what varies it is neither.
  const NodeId other = of(ScalarFunction::divide, half, a);
  EXPECT_EQ(polynomials.of(other), (Polynomial{{{other}, 1}}));
}

TEST_F(PolynomialTest, KeepsWhatItIsTold) {
  const NodeId a = load(0), kept = product(number(0.5), a), b = load(1);
  Polynomials polynomials(graph, {kept});
  EXPECT_EQ(polynomials.of(plus(kept, b)), (Polynomial{{{kept}, 1}, {{b}, 1}}));
}

TEST_F(PolynomialTest, HasAnEnd) {
  Polynomials polynomials(graph);
  NodeId power = plus(load(0), load(1));
  for (int k = 0; k < 4; ++k) power = product(power, power);
  EXPECT_EQ(polynomials.of(power), std::nullopt);  // 16 factors
  NodeId many = load(0);
  for (std::int64_t k = 1; k < 200; ++k) many = plus(many, load(k));
  EXPECT_EQ(polynomials.of(many), std::nullopt);
  // A literal that is no whole number, and one that is too large for that, is an atom.
  NodeId large = load(0);
  for (int k = 0; k < 4; ++k) large = product(number(1 << 20), large);
  EXPECT_EQ(polynomials.of(large), std::nullopt);  // 2^80
  // What has an opposite is a coefficient.
  NodeId least = product(number(-8), load(0));
  for (int k = 0; k < 3; ++k) least = product(number(1 << 20), least);
  EXPECT_EQ(polynomials.of(least), std::nullopt);  // -2^63
  const NodeId huge = number(1e9);
  EXPECT_EQ(polynomials.of(huge), (Polynomial{{{huge}, 1}}));
}

}  // namespace
}  // namespace rhopsi::schedule
