// Failing expressions are made smaller.
#include "tests/oracle/smaller.hpp"

#include "tests/unit/oracle/arrays.hpp"

namespace rhopsi::oracle {
namespace {

// Fails wherever a reverse stands directly below a take.
TEST(Smaller, KeepsWhatFailsAndNothingElse) {
  const Inputs inputs = {{"A", consecutive({3, 2})}, {"B", consecutive({2, 2})}};
  const Tree turned = call("reverse", {call("-_", {input("A")}), literal(Integer{0})});
  const Tree taken = call("take", {turned, literal(Integer{0}), literal(Integer{2})});
  const Tree tree = call("sum", {call("_+_", {taken, input("B")}), literal(Integer{1})});
  const auto fails = [](const Candidate& each) {
    const std::vector<Tree> all = calls(each.tree);
    return std::any_of(all.begin(), all.end(), [](const Tree& one) {
      return one->name == "take" && one->arguments[0]->name == "reverse";
    });
  };
  const Candidate found = smallest({tree, inputs}, fails);
  EXPECT_EQ(to_string(found.tree), "take(reverse(P1, 0), 0, 2)");
  EXPECT_EQ(to_string(found.inputs), "P1 = int64 <3 2>: 0 -1 -2 -3 -4 -5\n");
}

}  // namespace
}  // namespace rhopsi::oracle
