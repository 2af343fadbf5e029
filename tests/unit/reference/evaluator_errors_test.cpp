#include "tests/unit/reference/program_fixture.hpp"

namespace rhopsi::reference {
namespace {

constexpr const char* program_text = R"(implementation Fluid = external Kokkos parameters.fluid {
  require type Real; require type Int;
  function nu(): Real;
  function dt(): Real;
  function steps(): Int;
};
implementation Foreign = external C++ lib.matrices { type Matrix; function unit(n: Int): Int; require type Int; };
program P = {
  use Arrays; use Integers; use Fluid; use Foreign;
  function positive(n: Int): Int guard 0 < n = n;
  function guarded(n: Int): Int =
    positive(n - 1);
  function asserted(n: Int): Int = {
    assert n < 3;
    value n;
  };
  function quotient(a: Int, b: Int): Int = a / b;
  function sum(a: Array, b: Array): Array = a + b;
  function element(a: Array, ix: Index): Real = psi(ix, a);
  function forever(n: Int): Int = forever(n + 1);
  function viscous(): Real = nu() * dt();
  function indirect(): Real = if 1 < 2 then 1.0 else viscous();
  function count(): Int = steps();
  function foreign(n: Int): Int = unit(n);
  function matrix(m: Matrix): Int = 1;
  function lazy(n: Int): Int = if n != 0 && 10 / n > 1 then 1 else 0;
  function axis(a: Array, n: Axis): Array = rotate(a, n, 1);
};)";

class Errors : public Programs {
 protected:
  Errors() {
    load(program_text);
    options.domain = {2, 3};
  }
};

TEST_F(Errors, NameTheirPlaceAndReason) {
  expect_error("guarded", {integer(1)}, codes::guard, "`positive(Int): Int`", 13);
  EXPECT_EQ(call("guarded", {integer(2)}), integer(1));
  expect_error("asserted", {integer(3)}, codes::assertion, "does not hold", 15);
  expect_error("quotient", {integer(7), integer(0)}, codes::division_by_zero, "7 is divided by 0",
               18);
  expect_error("sum", {sample({2, 3}), sample({3, 2})}, codes::shapes, "(2, 3) and (3, 2)", 19);
  expect_error("element", {sample({2, 3}), Index{1, 3}}, codes::index_range,
               "(1, 3) is out of range on axis 1 of an array of shape (2, 3)", 20);
  expect_error("element", {sample({2, 3}), Index{1}}, codes::shapes, "1 components", 20);
  expect_error("axis", {sample({2, 3}), integer(2)}, codes::index_range, "no axis 2", 28);
  EXPECT_EQ(call("lazy", {integer(0)}), integer(0));
}

TEST_F(Errors, RecursionIsBounded) {
  expect_error("forever", {integer(0)}, codes::depth, "nest", 21);
  options.max_call_depth = 1 << 30;
  expect_error("forever", {integer(0)}, codes::depth, "nest too deeply", 21);
}

TEST_F(Errors, ForeignExternalsAreNotRun) {
  expect_error("foreign", {integer(1)}, codes::foreign, "use the backend kokkos", 25);
  EXPECT_EQ(error("matrix", {integer(1)}).code, codes::arguments);
}

TEST_F(Errors, MissingParametersAreNamedTogether) {
  EXPECT_NE(error("viscous").message.find("Parameters are needed and have no value: dt, nu."),
            std::string::npos);
  EXPECT_EQ(error("indirect").code, codes::parameters);  // wherever they are used
  options.parameters = {{"nu", 0.5}};
  EXPECT_NE(error("viscous").message.find("A parameter is needed and has no value: dt."),
            std::string::npos);
  options.parameters = {{"nu", 0.5}, {"dt", std::int64_t{3}}, {"steps", 2.5}};
  EXPECT_EQ(call("viscous"), real(1.5));
  EXPECT_NE(error("count").message.find("`steps` is of type int64; 2.5 is none"),
            std::string::npos);
  options.parameters["steps"] = 4.0;
  EXPECT_EQ(call("count"), integer(4));
}

TEST_F(Errors, CallsFromOutsideAreChecked) {
  EXPECT_EQ(error("quotient", {integer(1)}).code, codes::arguments);
  EXPECT_EQ(error("quotient", {integer(1), real(2)}).code, codes::arguments);
  EXPECT_EQ(error("sum", {sample({2, 3}), array_of<float>({1}, {1})}).code, codes::arguments);
  options.domain = {2, -3};
  EXPECT_EQ(error("quotient", {integer(1), integer(1)}).code, codes::shapes);
  options.domain = {std::int64_t{1} << 30, std::int64_t{1} << 30};
  EXPECT_EQ(error("quotient", {integer(1), integer(1)}).code, codes::size);
}

TEST_F(Errors, AnEvaluatorGoesOnAfterAnError) {
  Evaluator evaluator(store, *program, *table, options);
  std::vector<Value> arguments{integer(7), integer(0)};
  EXPECT_FALSE(evaluator.call(symbol("quotient"), arguments));
  arguments[1] = integer(2);
  const auto result = evaluator.call(symbol("quotient"), arguments);
  ASSERT_TRUE(result);
  EXPECT_EQ(**result, integer(3));
}

TEST_F(Errors, UnsetVariablesInTermsByHand) {
  const auto variable = store.fresh_variable("x", store.sort("Int"));
  const auto term = store.make(variable);
  Evaluator evaluator(store, *program, *table, options);
  const auto result = evaluator.evaluate(term, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, codes::unset);
  EXPECT_EQ(*evaluator.evaluate(term, {{variable, integer(5)}}), integer(5));
  const auto literal = store.make(store.integer_literal(1, store.sort("Nowhere")));
  EXPECT_EQ(evaluator.evaluate(literal, {}).error().code, codes::representation);
}

TEST_F(Errors, DeepTermsAreAnErrorNotACrash) {
  const auto* negate = program->overloads(store, "-_").front();
  term::TermId term = store.make(store.integer_literal(1, store[negate->symbol].parameters[0]));
  for (int i = 0; i < 1000000; ++i) term = store.make(negate->symbol, {term});
  Evaluator evaluator(store, *program, *table, options);
  const auto result = evaluator.evaluate(term, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, codes::depth);
}

TEST_F(Programs, PaddingsMustAgree) {
  load(R"(program P = {
    use Arrays;
    require type Offset literals integer;
    function one(): Offset = 1;
    function two(): Offset = 2;
    use Padding[padding => one];
    use Padding[padding => two, refillPadding => refillTwice];
    function element(a: Array, ix: Index): Real = psi(ix, a);
  };)");
  options.domain = {2};
  expect_error("element", {sample({2}), Index{0}}, codes::padding, "by 1 and by 2", 9);
}

}  // namespace
}  // namespace rhopsi::reference
