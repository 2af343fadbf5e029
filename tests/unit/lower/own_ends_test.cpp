// The ends of rows by themselves, and rounds along rows.
#include "engine/onf/periods.hpp"
#include "tests/unit/lower/own_schedule.hpp"

namespace rhopsi {
namespace {

const std::vector<schedule::RecipeStep> rows = {{StepKind::bind, 1}};

std::string made(const std::string& lengths, const std::string& element) {
  return "  procedure p(obs a: Array, out b: Array)\n"
         "    guard dim(a) == 2 && 0 < at(shape(a), 0) && 0 < at(shape(a), 1) {\n"
         "    var m: Int = at(shape(a), 1) - 1;\n"
         "    b = forall (p < [at(shape(a), 0), " +
         lengths + "]) (" + element + "); }\n";
}

class OwnRows : public OwnSchedule {
 protected:
  std::string of(const std::string& lengths, const std::string& element) {
    return text_of(scheduled(made(lengths, element), rows));
  }
};

const std::string longer = "at(shape(a), 1) + 2";

TEST_F(OwnRows, NothingIsComparedBetweenThem) {
  const std::string text =
      of(longer, "psi([at(p, 0), max(at(p, 1) - 3, 0)], a) + psi([at(p, 0), min(at(p, 1), m)], a)");
  EXPECT_EQ(count(text, "nest nested"), 3u) << text;
  EXPECT_TRUE(says(text, " x [3, length(a, 1))")) << text;
  EXPECT_TRUE(says(text, "add(a[i, subtract(j, 3)], a[i, j])")) << text;
  EXPECT_TRUE(says(steps(), "the ends of j by themselves")) << steps();
}

// However many offsets there are, and whatever the lengths: one box between the ends. Rows that are
// read around the other axis are a number for each row.
TEST_F(OwnRows, NothingGoesAroundBetweenThem) {
  const std::string around =
      "psi([at(p, 0), (at(p, 1) + 4) % (m + 1)], a) + "
      "psi([at(p, 0), (at(p, 1) - 2) % (m + 1)], a) - "
      "psi([(at(p, 0) + 1) % at(shape(a), 0), at(p, 1)], a)";
  const std::string text = of("m + 1", around);
  EXPECT_EQ(count(text, "nest nested"), 3u) << text;
  EXPECT_TRUE(says(text, " x [2, subtract(length(a, 1), 4))")) << text;
  EXPECT_TRUE(says(text, "add(a[i, add(j, 4)], a[i, subtract(j, 2)])")) << text;
  EXPECT_TRUE(codes(scheduled(made("m + 1", around), rows)).empty());
  // Of two there are boxes, in which nothing goes around.
  const std::string few = of("m + 1", "psi([at(p, 0), (at(p, 1) + 1) % (m + 1)], a)");
  EXPECT_EQ(count(few, "nest nested"), 2u) << few;
  EXPECT_FALSE(says(few, "modulo(")) << few;
}

TEST_F(OwnRows, AreThoseOfQuotients) {
  const std::string text =
      of("2 * at(shape(a), 1)", "psi([at(p, 0), min((at(p, 1) + 1) / 2, m)], a)");
  EXPECT_EQ(count(text, "nest nested"), 2u) << text;
  EXPECT_TRUE(says(text, "x [0, subtract(multiply(length(a, 1), 2), 1))")) << text;
  EXPECT_EQ(count(text, " in rounds of 2"), 1u) << text;
}

// What changes in the middle of a row, or from row to row, is no end of it.
TEST_F(OwnRows, AreNowhereElse) {
  EXPECT_EQ(count(of("2 * at(shape(a), 1)", "psi([at(p, 0), min(at(p, 1), m)], a)"), "nest nested"),
            1u);
  EXPECT_EQ(count(of(longer, "psi([at(p, 0), min(at(p, 0) + at(p, 1), m)], a)"), "nest nested"),
            1u);
  EXPECT_EQ(count(of(longer, "psi([max(at(p, 0) - 1, 0), min(3, m)], a)"), "nest nested"), 1u);
}

// Nests that go by turns keep their rows whole, also where the array of the next one is made
// between.
TEST_F(OwnRows, StayWholeByTurns) {
  const std::string before = "psi([at(p, 0), max(at(p, 1) - 1, 0)], ";
  const std::string procedure =
      "  procedure p(upd a: Array, upd b: Array)\n"
      "    guard dim(a) == 2 && shape(a) == shape(b) && 0 < at(shape(a), 0) && 0 < at(shape(a), 1) "
      "{\n"
      "    a = forall (p < shape(a)) (" +
      before + "a) + psi(p, b)); b = forall (p < shape(a)) (" + before + "a)); }\n";
  const onf::Module module =
      scheduled(procedure, {{StepKind::in_place, 0}, {StepKind::bind, 1}, {StepKind::pipeline, 0}});
  EXPECT_TRUE(codes(module).empty()) << text_of(module);
  const std::string text = text_of(module);
  EXPECT_EQ(count(text, "nest nested"), 2u) << text;
  EXPECT_EQ(count(text, " by turns"), 1u) << text;
  EXPECT_EQ(count(text, " in place of "), 2u) << text;
}

TEST_F(OwnRows, NeedALoopOverRows) {
  const std::string text = text_of(
      scheduled(made(longer, "psi([at(p, 0), min(at(p, 1), m)], a)"), {{StepKind::bind, 0}}));
  EXPECT_EQ(count(text, "nest nested"), 1u) << text;
}

TEST_F(OwnRows, RoundsAreAsLongAsAllDivisorsNeed) {
  const std::string half = "psi([at(p, 0), min(at(p, 1) / 2, m)], a)";
  EXPECT_TRUE(says(of(longer, half), " in rounds of 2"));
  EXPECT_TRUE(says(of(longer, half + " + psi([at(p, 0), min((at(p, 1) + 1) / 3, m)], a)"),
                   " in rounds of 6"));
  EXPECT_TRUE(says(of(longer, "psi([at(p, 0), min(3 * at(p, 1) / 6, m)], a)"), " in rounds of 2"));
  EXPECT_TRUE(says(of(longer, "if (at(p, 0) + at(p, 1)) % 2 == 0 then 1.0 else " + half),
                   " in rounds of 2"));
  // Too many, and by nothing that changes along a row.
  EXPECT_FALSE(says(of(longer, half + " + psi([at(p, 0), min(at(p, 1) / 5, m)], a)"), "rounds"));
  EXPECT_FALSE(says(of(longer, "psi([at(p, 0) / 2, min(at(p, 1), m)], a)"), "rounds"));
}

TEST_F(OwnRows, ARoundKnowsQuotientsAndRemainders) {
  onf::Module module = scheduled(
      made(longer, "if at(p, 1) % 2 == 0 then psi([at(p, 0), min(at(p, 1) / 2, m)], a) else 2.0"),
      rows);
  const onf::Nest nest = first_nest(module);
  ASSERT_TRUE(nest.period.has_value());
  EXPECT_EQ(nest.period->length, 2);
  first_nest(module) = onf::in_period(nest, 1);
  EXPECT_TRUE(says(text_of(module), ":= 2")) << text_of(module);
  first_nest(module) = onf::in_period(nest, 0);
  EXPECT_TRUE(says(text_of(module), ":= a[i, j_round]")) << text_of(module);
}

TEST_F(OwnRows, TheVerifierRefusesRoundsOfOneIndex) {
  onf::Module module = scheduled(made(longer, "psi([at(p, 0), min(at(p, 1) / 2, m)], a)"), rows);
  first_nest(module).period->length = 1;
  EXPECT_TRUE(codes(module).contains("E0525"));
}

}  // namespace
}  // namespace rhopsi
