// Loops that change a part of an array in each round write that part, in place: recurrences along
// an axis take as long as they have elements.
#include "engine/onf/each_expression.hpp"
#include "tests/unit/lower/own_schedule.hpp"

namespace rhopsi {
namespace {

std::string rounds(const std::string& body) {
  return "  procedure p(upd x: Array, obs a: Array) guard dim(x) == 2 && dim(a) == 2 &&\n"
         "      shape(a) == shape(x) {\n"
         "    for i in 1 .. at(shape(x), 0) {\n" +
         body + "    };\n  }\n";
}

const std::string forward = rounds(
    "      x = update(x, [i, 0], [1, at(shape(x), 1)], [1, 1],\n"
    "                 take(drop(a, 0, i), 0, 1) + take(drop(x, 0, i - 1), 0, 1));\n");

TEST_F(OwnSchedule, ARoundWritesWhatItChanges) {
  const std::string text = text_of(scheduled(forward, {{StepKind::in_place}}));
  EXPECT_EQ(count(text, "nest "), 1u) << text;
  EXPECT_TRUE(says(text, "in [i, add(i, 1)) x [0, length(x, 1))")) << text;
  EXPECT_TRUE(
      says(steps(),
           "it is as large, and keeps what is read of the other one, which nobody needs any "
           "more, elsewhere than at its own index"))
      << steps();
}

// Elements that the round changes, too, may be overwritten before they are read.
TEST_F(OwnSchedule, WhatReadsWhatItChangesHasABlockOfItsOwn) {
  const std::string text =
      text_of(scheduled(rounds("      x = update(x, [i, 0], [1, at(shape(x), 1)], [1, 1],\n"
                               "                 reverse(take(drop(x, 0, i), 0, 1), 1));\n"),
                        {{StepKind::in_place}}));
  EXPECT_FALSE(says(text, "in place of")) << text;
  EXPECT_TRUE(says(steps(), "may be overwritten before element")) << steps();
}

TEST_F(OwnSchedule, TheVerifierRefusesARoundThatReadsWhatItWrites) {
  onf::Module module = scheduled(forward, {{StepKind::in_place}});
  EXPECT_FALSE(codes(module).contains("E0526"));
  EXPECT_FALSE(codes(module).contains("E0527"));
  // The row itself in place of the one before.
  onf::Nest& nest = first_nest(module);
  onf::each_part(nest.element, [&](onf::Expr& e) {
    if (e.kind == onf::Expr::Kind::load && e.view == nest.target) {
      std::swap(e.operands[1], e.operands[0]);
    }
  });
  EXPECT_TRUE(codes(module).contains("E0527"));
}

}  // namespace
}  // namespace rhopsi
