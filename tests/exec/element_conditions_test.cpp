// Conditions of elements, and what loops make of them: both sides are computed where that can be,
// and only where it can be. Bit for bit what the reference computes.
#include <gtest/gtest.h>

#include "tests/exec/compared.hpp"

namespace rhopsi::exec {
namespace {

// `life` and `ridges` compare elements; `ends` reads a neighbour only where there is one, and
// `chosen` where an element says, behind a test of that element.
const char* const text_of_conditions =
    "package conditions imports moa.library;\n"
    "program Conditions = implement Expressions in {\n"
    "  use Expressions;\n"
    "  function three(u: Array, axis: Int): Array =\n"
    "    rotate(u, axis, -1) + u + rotate(u, axis, 1);\n"
    "  procedure life(upd u: Array) guard dim(u) == 2 {\n"
    "    var n = three(three(u, 0), 1) - u;\n"
    "    u = n == 3 || u == 1 && n == 2;\n"
    "  };\n"
    "  procedure ridges(upd u: Array, obs least: Number) guard dim(u) == 2 {\n"
    "    var m = sqrt(u * u + rotate(u, 0, 1) * rotate(u, 0, 1));\n"
    "    var kept = select(m >= rotate(m, 1, 1) && m >= rotate(m, 1, -1), m, 0);\n"
    "    u = select(kept >= array(least), kept, 0 - u);\n"
    "  };\n"
    "  procedure ends(upd u: Array) guard dim(u) == 1 {\n"
    "    u = forall (i < at(shape(u), 0))\n"
    "      (if i + 1 < at(shape(u), 0) && psi([i + 1], u) > 0.5 then psi([i], u) else 2);\n"
    "  };\n"
    "  function within(x: Array, a: Array, k: Int): Array\n"
    "    guard dim(a) == 1 && shape(x) == shape(a) =\n"
    "    forall (i < at(shape(a), 0)) (psi([i], x) +\n"
    "      (if i * k < 7 then psi([i], x) + psi([(i * k) % 7], a) else psi([(i * k) % 7], a)));\n"
    "  procedure either(upd u: Array, obs a: Array, obs b: Array, obs k: Int)\n"
    "    guard dim(u) == 1 && shape(a) == shape(u) && shape(b) == shape(u) &&\n"
    "      7 <= at(shape(u), 0) && 0 <= k {\n"
    "    u = within(if k < 3 then a else b, a, k);\n"
    "  };\n"
    "  procedure total(upd u: Array, out s: Array) guard dim(u) == 2 {\n"
    "    s = array(psi([], sum(ravel(rotate(u, 0, 1) - u * u), 0)));\n"
    "  };\n"
    "  procedure chosen(upd u: Array, obs v: Array) guard dim(u) == 1 && dim(v) == 1 {\n"
    "    u = forall (i < at(shape(u), 0))\n"
    "      (if psi([i], u) < 0.5 &&\n"
    "          psi([(i + integer(psi([i], u) * 100)) % at(shape(v), 0)], v) > 0.5\n"
    "        then psi([i], u) else 3);\n"
    "  };\n"
    "};\n";

class ElementConditions : public testing::Test {
 protected:
  Words words(const std::string& entry, const Words& more) const {
    Words words = {"run", file, "-p", "Conditions", "--entry", entry, "--repeat", "3"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::string emitted(const std::string& entry, const std::string& shape) const {
    const Outcome outcome = rhopsi({"emit", file, "-p", "Conditions", "--entry", entry, "--shape",
                                    shape, "--schedule", "full", "--emit", "cxx"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.out;
  }
  std::string input(const std::string& name, const Shape& shape) const {
    return name + "=" + random_field(folder, name, shape, 1);
  }

  const Folder folder;
  const std::string file = folder.write("conditions.mg", text_of_conditions);
};

TEST_F(ElementConditions, ComputeTheSameWithoutBranches) {
  for (const Words& schedule : {Words{}, Words{"--schedule", "full"}, Words{"--checked"}}) {
    compared(folder, words("life", {"--in", input("u", {33, 70})}), "u", schedule);
    compared(folder, words("ridges", {"--in", input("u", {33, 70}), "--set", "least=0.7"}), "u",
             schedule);
    for (const Shape& shape : {Shape{1}, Shape{300}}) {
      compared(folder, words("ends", {"--in", input("u", shape)}), "u", schedule);
      compared(folder, words("chosen", {"--in", input("u", shape), "--in", input("v", {7})}), "u",
               schedule);
    }
  }
}

// What one condition has decided says nothing where it does not hold.
TEST_F(ElementConditions, AnswersAreThoseOfTheirBranch) {
  for (const char* const k : {"k=1", "k=2", "k=4"}) {
    compared(folder,
             words("either", {"--in", input("u", {9}), "--in", input("a", {9}), "--in",
                              input("b", {9}), "--set", k}),
             "u");
  }
}

// The number of its elements is counted where their axes are not gone through one by one.
TEST_F(ElementConditions, SumsOfWhatIsTurned) {
  for (const Words& schedule : {Words{}, Words{"--schedule", "full"}})
    compared(folder, words("total", {"--in", input("u", {9, 14})}), "s", schedule);
}

// What is computed for a condition is not computed again for what it chooses.
TEST_F(ElementConditions, OfRealsHaveNoBranches) {
  const std::string life = emitted("life", "64,64");
  EXPECT_NE(life.find("rhopsi::either("), std::string::npos) << life;
  EXPECT_NE(life.find("rhopsi::both("), std::string::npos) << life;
  const std::string ridges = emitted("ridges", "64,64");
  EXPECT_NE(ridges.find("rhopsi::both("), std::string::npos) << ridges;
  const std::string ends = emitted("ends", "64");
  EXPECT_EQ(ends.find("rhopsi::both("), std::string::npos) << ends;
}

}  // namespace
}  // namespace rhopsi::exec
