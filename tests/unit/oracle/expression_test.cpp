// Expressions: how they print, and that each call is the operation of its name.
#include "tests/oracle/evaluation.hpp"
#include "tests/unit/oracle/arrays.hpp"

namespace rhopsi::oracle {
namespace {

const Inputs inputs = {{"A", integers({2, 3}, {1, 2, 3, 4, 5, 6})},
                       {"B", reals({2, 3}, {0.5, 0, 0, 0, 0, 0.25})},
                       {"v", vector({2, 0})}};

Tree number(Integer value) { return literal(value); }

TEST(Expressions, PrintAsTheLanguageReadsThem) {
  const Tree a = input("A");
  const Tree sum = call("_+_", {call("take", {a, number(0), number(-2)}), input("B")});
  EXPECT_EQ(to_string(sum), "take(A, 0, -2) + B");
  EXPECT_EQ(to_string(call("_*_", {sum, literal(2.0)})), "(take(A, 0, -2) + B) * 2.0");
  EXPECT_EQ(to_string(call("-_", {call("-_", {a})})), "-(-A)");
  EXPECT_EQ(to_string(call("_-_", {a, number(-1)})), "A - (-1)");
  EXPECT_EQ(to_string(call("reshape", {a, literal(Shape{3, 2})})), "reshape(A, [3, 2])");
  EXPECT_EQ(to_string(call("!_", {call("_==_", {a, literal(0.25)})})), "!(A == 0.25)");
}

TEST(Expressions, AreEvaluatedWithTheirArguments) {
  const Tree sum = call("_+_", {call("rotate", {input("A"), number(1), number(1)}), input("B")});
  EXPECT_TRUE(same(evaluate(sum, inputs), reals({2, 3}, {2.5, 3, 1, 5, 6, 4.25})));
  const Tree last = call("_-_", {call("at", {call("shape", {input("A")}), number(1)}), number(1)});
  EXPECT_TRUE(same(evaluate(call("take", {input("A"), number(1), last}), inputs),
                   integers({2, 2}, {1, 2, 4, 5})));
  const Tree flat = call("reshape", {input("A"), call("index", {literal(Shape{6})})});
  EXPECT_TRUE(same(evaluate(flat, inputs), vector({1, 2, 3, 4, 5, 6})));
  EXPECT_TRUE(same(evaluate(call("shape", {input("A")}), inputs), vector({2, 3})));
  EXPECT_THROW(evaluate(call("take", {input("A"), number(0), number(3)}), inputs), Violation);
  EXPECT_THROW(evaluate(call("nothing", {input("A")}), inputs), std::invalid_argument);
}

TEST(Expressions, NamesChooseTheFunction) {
  const auto value = [&](const std::string& name, const std::vector<Tree>& arguments) {
    return evaluate(call(name, arguments), inputs);
  };
  const Tree v = input("v");
  EXPECT_TRUE(same(value("maximum", {v, number(0)}), scalar(Integer{2})));
  EXPECT_TRUE(same(value("product", {v}), scalar(Integer{0})));
  EXPECT_TRUE(same(value("cumsum", {v, number(0)}), vector({2, 2})));
  EXPECT_TRUE(same(value("outer_pow", {v, v}), reals({2, 2}, {4, 1, 0, 1})));
  EXPECT_TRUE(same(value("inner_max_sub", {v, v}), scalar(Integer{0})));
  EXPECT_TRUE(same(value("matmul", {v, input("A")}), vector({2, 4, 6})));
  EXPECT_TRUE(same(value("_%_", {number(-7), number(3)}), scalar(Integer{2})));
  EXPECT_TRUE(same(value("integer", {input("B")}), integers({2, 3}, {0, 0, 0, 0, 0, 0})));
  EXPECT_TRUE(same(value("update", {v, literal(Shape{1}), literal(Shape{1}), literal(Shape{1}),
                                    call("iota", {number(1)})}),
                   vector({2, 0})));
}

TEST(Expressions, KnowTheirPartsAndInputs) {
  const Tree tree = call("_+_", {call("reverse", {input("A"), number(0)}), number(1)});
  EXPECT_EQ(depth(tree), 2);
  EXPECT_EQ(calls(tree).size(), 2U);
  EXPECT_EQ(to_string(inputs_of(tree, inputs)), "A = int64 <2 3>: 1 2 3 4 5 6\n");
}

}  // namespace
}  // namespace rhopsi::oracle
