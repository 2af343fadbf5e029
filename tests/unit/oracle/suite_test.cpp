// The random expressions themselves.
#include "tests/oracle/suite.hpp"

#include "tests/unit/oracle/arrays.hpp"

namespace rhopsi::oracle {
namespace {

TEST(Suite, ExpressionsAreTheSameForTheSameSeed) {
  Suite first(7);
  Suite second(7);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(to_string(first.next()), to_string(second.next()));
}

TEST(Suite, ValuesAreThoseOfTheTree) {
  Suite suite(3);
  for (int i = 0; i < 2000; ++i) {
    const Case one = suite.next();
    EXPECT_TRUE(identical(evaluate(one.tree, one.inputs), one.value)) << to_string(one);
    EXPECT_LE(depth(one.tree), 8) << to_string(one);
  }
}

std::string text_of(const std::vector<Pair>& pairs) {
  std::string text;
  for (const Pair& pair : pairs) text += to_string(pair) + "\n";
  return text;
}

TEST(Suite, PairsAreReadOffTheTree) {
  const Inputs inputs = {{"A", consecutive({2, 3})}, {"v", vector({1})}};
  const Tree length = call(
      "_+_",
      {call("integer", {call("sum", {input("v"), literal(Integer{0})})}), literal(Integer{1})});
  const Tree axis = call("_-_", {call("dim", {input("A")}), literal(Integer{1})});
  const Tree tree =
      call("take", {call("reverse", {input("A"), axis}), literal(Integer{0}), length});
  EXPECT_EQ(text_of(pairs_in(tree, inputs)),
            "argument 0 of take(Axn) on axis 0 is reverse(Ax) on axis 1\n"
            "argument 2 of take(Axn) on axis 0 is sum(Ax) on axis 0\n");
}

TEST(Suite, PairsWhoseRanksNeverFitAreNotPossible) {
  const Place trace{&operation("trace", "A"), 0, -1};
  EXPECT_TRUE(possible({trace, &operation("outer_add", "AA"), -1}));
  EXPECT_FALSE(possible({trace, &operation("ravel", "A"), -1}));
  EXPECT_TRUE(possible({trace, &operation("take", "Axn"), 1}));
  EXPECT_FALSE(possible({trace, &operation("take", "Axn"), 2}));
  EXPECT_FALSE(possible({{&operation("take", "Axn"), 0, 0}, &operation("dim", "A"), -1}));
  EXPECT_TRUE(possible({{&operation("take", "Axn"), 2, 0}, &operation("dim", "A"), -1}));
}

TEST(Suite, EveryPossiblePairIsMet) {
  Suite suite(1);
  for (int i = 0; i < 10000; ++i) suite.next();
  EXPECT_EQ(text_of(suite.coverage().missing()), "");
  EXPECT_EQ(suite.coverage().missing_operations().size(), 0U);
}

TEST(Suite, EveryPossiblePairIsMetInTheFineCount) {
  Suite suite(1, Grain::fine);
  for (int i = 0; i < 34000; ++i) suite.next();
  EXPECT_EQ(text_of(suite.coverage().missing()), "");
}

}  // namespace
}  // namespace rhopsi::oracle
