// Schedules of programs whose arrays have shapes of their own: what the steps make of statements,
// what they refuse, and what the verifier refuses of forms made by hand.
#include "tests/unit/lower/own_schedule.hpp"

#include <functional>

namespace rhopsi {
namespace {

const std::string chain =
    "  procedure p(obs a: Array, upd c: Array) guard dim(a) == 1 && dim(c) == 1 {\n"
    "    var t = a * c;\n"
    "    var w = t * t - a;\n"
    "    c = w + t;\n"
    "  }\n";
const std::string leap =
    "  procedure p(upd u: Array, upd v: Array) guard dim(u) == 1 && dim(v) == 1 {\n"
    "    var next = rotate(u, 0, 1) - v;\n"
    "    v = u;\n"
    "    u = next;\n"
    "  }\n";

TEST_F(OwnSchedule, AChainIsOneSweepInPlace) {
  const std::string text = text_of(scheduled(chain, {{StepKind::fuse}, {StepKind::in_place}}));
  EXPECT_EQ(count(text, "nest "), 1u) << text;
  EXPECT_EQ(count(text, "allocate "), 1u) << text;
  EXPECT_TRUE(says(text, "allocate c1: float64 [length(a, 0)] in place of c")) << text;
}

TEST_F(OwnSchedule, AtMostSoManyArraysAtOnce) {
  scheduled(chain, {{StepKind::fuse, 1}});
  EXPECT_TRUE(says(
      steps(), "refused, t; w stays; no more than 1 array is made at once, but these would be 2"))
      << steps();
}

TEST_F(OwnSchedule, TheOldLevelGivesItsBlockToTheNextOne) {
  const std::string text = text_of(scheduled(leap, {{StepKind::in_place}, {StepKind::bind}}));
  EXPECT_TRUE(says(text, "] in place of v")) << text;
  EXPECT_EQ(count(text, "allocate "), 1u) << text;
  EXPECT_TRUE(says(text, "nest nested joined (i)")) << text;
  EXPECT_TRUE(says(steps(), "boxes, a loop for each => one loop over rows")) << steps();
}

TEST_F(OwnSchedule, WhatIsReadElsewhereIsStored) {
  scheduled(
      "  procedure p(upd u: Array) guard dim(u) == 1 { var t = 2 * u; var w = t * t;\n"
      "    u = rotate(w, 0, 1) + w; }\n",
      {{StepKind::fuse}});
  EXPECT_TRUE(says(steps(), "refused")) << steps();
  EXPECT_TRUE(
      says(steps(),
           "what it reads of w it reads at its own index, but it reads w[i + 1]: element [0] "
           "needs w[1], which the same loop may not have computed yet"))
      << steps();
}

// Nobody knows how large an outer product is; but so large is what is made of it.
TEST_F(OwnSchedule, WhatIsReadAloneByAnArrayOfItsSizeIsNotStored) {
  const std::string product =
      "    var z: Array = forall (p < [at(shape(x), 0), at(shape(y), 0)])\n"
      "      (psi(take(p, 1), x) * psi(drop(p, 1), y));\n";
  const std::string head =
      "  procedure p(obs x: Array, obs y: Array, out h: Array)\n"
      "    guard dim(x) == 1 && dim(y) == 1 {\n";
  const std::string text =
      text_of(scheduled(head + product + "    var t = 2.0 * z; var s = t * t + z; h = s - t; }\n",
                        {{StepKind::fuse}}));
  EXPECT_TRUE(says(text, "allocate h1")) << text;
  for (const char* const array : {"allocate z", "allocate t", "allocate s"})
    EXPECT_FALSE(says(text, array)) << text;
  // Whether there is room for z is found before the assertion is tested.
  const std::string tested =
      text_of(scheduled(head + product + "    assert psi([], sum(x, 0)) < 100.0; h = 2.0 * z; }\n",
                        {{StepKind::fuse}}));
  EXPECT_TRUE(says(tested, "allocate z")) << tested;
}

// As the language has expressions, without parentheses that it does not need.
TEST_F(OwnSchedule, WhatAnElementNeedsIsToldInfix) {
  scheduled(
      "  procedure p(upd u: Array) guard dim(u) == 1 && 4 <= at(shape(u), 0) {\n"
      "    var t = 2 * u; u = drop(t, 0, 2) + reverse(drop(t, 0, 2), 0); }\n",
      {{StepKind::fuse}, {StepKind::in_place}});
  EXPECT_TRUE(says(steps(), "but it reads t[i + 2]: element [0] needs t[2], which")) << steps();
  scheduled(
      "  procedure p(upd u: Array) guard dim(u) == 1 && 4 <= at(shape(u), 0) {\n"
      "    u = 2 * reverse(u, 0); }\n",
      {{StepKind::in_place}});
  EXPECT_TRUE(says(steps(),
                   "u is read at its own index alone, but also as u[shape(u)[0] - i - 1]: "
                   "u[shape(u)[0] - 1] may be overwritten before element [0] has read it"))
      << steps();
}

// Names of what a program does not name stand for what is computed, or for nothing if that is long.
TEST_F(OwnSchedule, WhatIsComputedOnTheWayIsWrittenOut) {
  scheduled(
      "  procedure p(upd u: Array, obs k: Int) guard dim(u) == 1 && 0 < at(shape(u), 0) {\n"
      "    u = u + rotate(u, 0, k); }\n",
      {{StepKind::in_place}});
  EXPECT_TRUE(says(steps(), "also as u[i + k % shape(u)[0]]: ")) << steps();
  scheduled(
      "  procedure p(upd u: Array, obs k: Int, obs m: Int)\n"
      "    guard dim(u) == 1 && 0 < k && 0 < m && at(shape(u), 0) == k * m {\n"
      "    u = u + rotate(reshape(transpose(reshape(u, [m, k])), [k * m]), 0, k * k - 2 * m); }\n",
      {{StepKind::in_place}});
  EXPECT_TRUE(
      says(steps(), "also as u[...]: u[...] may be overwritten before element [i] has read it"))
      << steps();
}

TEST_F(OwnSchedule, WhatOnlyOneSideIsKnownToBeAsLongAsHasItsOwnBlock) {
  const std::string text = text_of(
      scheduled("  procedure p(upd u: Array, obs v: Array) guard dim(u) == 1 && dim(v) == 1 {\n"
                "    u = take(u, 0, at(shape(u), 0) / 2);\n"
                "  }\n",
                {{StepKind::in_place}}));
  EXPECT_FALSE(says(text, "in place of")) << text;
  EXPECT_TRUE(says(steps(),
                   "it is as long as u along axis 0, but u1 has shape(u)[0] / 2 elements and u "
                   "shape(u)[0] elements"))
      << steps();
}

TEST_F(OwnSchedule, WhatMayFailLeavesTheCallersArrays) {
  const std::string text = text_of(
      scheduled("  procedure p(upd u: Array, upd v: Array) guard dim(u) == 1 && dim(v) == 1 {\n"
                "    u = 2 * u; v = u + v;\n"
                "  }\n",
                {{StepKind::in_place}}));
  EXPECT_FALSE(says(text, "in place of u")) << text;
  EXPECT_TRUE(says(steps(), "nothing may fail any more")) << steps();
}

// Of steps that are refused is told which array, which statement and which lengths it is.
TEST_F(OwnSchedule, WhatKeepsSweepsApartIsTold) {
  const std::string vectors = " guard dim(a) == 1 && dim(c) == 1 {\n";
  scheduled("  procedure p(obs a: Array, upd c: Array)" + vectors +
                "    var t = 2 * a;\n    var d = a;\n    for k in 0 .. 3 { d = t + d; };\n    c = "
                "t + t;\n  }\n",
            {{StepKind::fuse}});
  EXPECT_TRUE(says(steps(),
                   "what is in between neither reads t nor changes what it is computed from, but "
                   "t[i] is read"))
      << steps();
  scheduled("  procedure p(obs a: Array, upd c: Array)" + vectors +
                "    var t = 2 * a;\n    c = take(t, 0, 2);\n  }\n",
            {{StepKind::fuse}});
  EXPECT_TRUE(says(steps(),
                   "both are made by the same boxes, but along axis 0 t has shape(a)[0] elements "
                   "and c1 2 elements"))
      << steps();
}

TEST_F(OwnSchedule, WhatKeepsABlockFromBeingTakenIsTold) {
  scheduled("  procedure p(obs a: Array, out c: Array) guard dim(a) == 1 { c = 2 * a; }\n",
            {{StepKind::in_place}});
  EXPECT_TRUE(says(steps(), "nobody needs a any more, but the caller keeps it")) << steps();
  scheduled(
      "  procedure p(upd u: Array, out v: Array) guard dim(u) == 1 { v = 2 * u; u = rotate(u, 0, "
      "1); }\n",
      {{StepKind::in_place}});
  EXPECT_TRUE(says(steps(), "nobody needs u any more, but it is read")) << steps();
  scheduled(
      "  procedure p(upd u: Array, out v: Array) guard dim(u) == 1 {\n"
      "    u = 2 * u; v = cat(u, u, 0);\n  }\n",
      {{StepKind::in_place}});
  EXPECT_TRUE(says(steps(),
                   "nothing may fail any more, since the caller has its arrays as they were then, "
                   "but there may be no room for v1 of the lengths ["))
      << steps();
  scheduled(
      "  procedure p(obs a: Array, obs b: Array, out c: Array)\n"
      "      guard dim(a) == 1 && dim(b) == 1 { c = a + b; }\n",
      {{StepKind::in_place}});
  EXPECT_EQ(count(steps(), "in_place at"), 1u) << steps();
  EXPECT_TRUE(says(steps(),
                   "in place of a: nobody needs a any more, but the caller keeps it; in "
                   "place of b: nobody needs b"))
      << steps();
}

TEST_F(OwnSchedule, WhatIsNotReadAndMadeAllTheSameIsTold) {
  scheduled("  procedure p(upd u: Array) guard dim(u) == 1 { var t = cat(u, u, 0); u = u + u; }\n",
            {{StepKind::drop}});
  EXPECT_TRUE(
      says(steps(),
           "it is no larger than an argument, so that there is room for it, but no argument "
           "is known to be as large as ["))
      << steps();
}

// Refusals are those of what there is in the end.
TEST_F(OwnSchedule, WhatIsTakenLaterIsNotToldAsRefused) {
  scheduled(chain, {{StepKind::fuse}, {StepKind::in_place}});
  EXPECT_FALSE(says(steps(), "fuse at p: c1: refused")) << steps();
  EXPECT_EQ(count(steps(), "in_place at p: c1: "), 1u) << steps();
}

TEST_F(OwnSchedule, WhatNobodyReadsIsNotMade) {
  const std::string text = text_of(
      scheduled("  procedure p(upd u: Array) guard dim(u) == 1 { var t = 2 * u; u = u + u; }\n",
                {{StepKind::drop}}));
  EXPECT_EQ(count(text, "allocate "), 1u) << text;
  EXPECT_TRUE(says(steps(), "nobody reads it")) << steps();
}

// Whatever of the two is read by nobody is given up, and the rest is told.
TEST_F(OwnSchedule, WhatNobodyReadsIsFusedAway) {
  onf::Module module = scheduled(
      "  procedure p(upd u: Array) guard dim(u) == 1 {\n"
      "    var v = 2 * u;\n"
      "    var w = v + u;\n"
      "    u = v;\n"
      "  }\n",
      {{StepKind::fuse}});
  EXPECT_TRUE(says(steps(), "v in one sweep")) << steps();
  EXPECT_FALSE(says(text_of(module), "w[")) << text_of(module);
}

TEST_F(OwnSchedule, StepsOfArraysOverTheDomainAreRefused) {
  scheduled(leap, {{StepKind::unroll}});
  EXPECT_TRUE(says(steps(), "every array has the shape of the run")) << steps();
  EXPECT_TRUE(says(steps(), "have shapes of their own")) << steps();
}

// --- forms that are wrong

TEST_F(OwnSchedule, TheVerifierRefusesANestThatReadsWhatIsNotThere) {
  onf::Module module = scheduled(leap, {{StepKind::in_place}});
  first_allocation(module).in_place_of.reset();
  EXPECT_TRUE(codes(module).contains("E0527"));
}

TEST_F(OwnSchedule, TheVerifierRefusesARace) {
  onf::Module module = scheduled(leap, {{StepKind::in_place}});
  const onf::ViewId u = view(module, "u"), next = view(module, "next");
  onf::Nest& nest = first_nest(module);
  const std::function<void(onf::Expr&)> race = [&](onf::Expr& e) {
    if (e.kind == onf::Expr::Kind::load && e.view == u) e.view = next;
    for (onf::Expr& operand : e.operands) race(operand);
  };
  race(nest.element);
  EXPECT_TRUE(codes(module).contains("E0527"));
}

TEST_F(OwnSchedule, TheVerifierRefusesABlockOfAnotherLength) {
  onf::Module module = scheduled(leap, {{StepKind::in_place}});
  const onf::View& next = module.functions[0].views[onf::number(view(module, "next"))];
  auto& extents = *module.functions[0].blocks[onf::number(next.block)].extents;
  onf::Expr one;
  one.type = extents[0].type;
  one.integer = 1;
  onf::Expr more = one;
  more.kind = onf::Expr::Kind::apply;
  more.function = onf::ScalarFunction::add;
  more.operands = {extents[0], one};
  extents[0] = more;
  EXPECT_TRUE(codes(module).contains("E0525"));
}

TEST_F(OwnSchedule, TheVerifierRefusesABlockOfAnotherType) {
  onf::Module module = scheduled(leap, {{StepKind::in_place}});
  const onf::View& next = module.functions[0].views[onf::number(view(module, "next"))];
  module.functions[0].blocks[onf::number(next.block)].element = onf::Scalar::float32;
  EXPECT_TRUE(codes(module).contains("E0525"));
}

TEST_F(OwnSchedule, TheVerifierRefusesToReadWhatHasNoBlockAnyMore) {
  onf::Module module = scheduled(leap, {{StepKind::in_place}});
  first_allocation(module).in_place_of = view(module, "u");
  EXPECT_TRUE(codes(module).contains("E0522"));
}

const std::string transposed =
    "  procedure p(obs a: Array, obs b: Array, obs d: Array, out c: Array)\n"
    "      guard dim(a) == 2 && dim(b) == 2 && dim(d) == 2 {\n"
    "    c = transpose(a) * transpose(b) - transpose(d);\n"
    "  }\n";

TEST_F(OwnSchedule, TheInnermostLoopGoesAlongWhatLiesSideBySide) {
  const std::string text = text_of(scheduled(transposed, {{StepKind::interchange}}));
  EXPECT_TRUE(says(text, " loops 1, 0")) << text << steps();
  EXPECT_TRUE(says(steps(), "interchange at p: c")) << steps();
  scheduled(
      "  procedure p(obs a: Array, obs b: Array, out c: Array) guard dim(a) == 2 && dim(b) == 2 {\n"
      "    c = a * b - transpose(a);\n"
      "  }\n",
      {{StepKind::interchange}});
  EXPECT_TRUE(says(steps(),
                   "but along j 4 of 5 accesses lie side by side, and along i 1 of 5: "
                   "along i a[i, j] goes from row to row"))
      << steps();
}

TEST_F(OwnSchedule, LoopsOfFoldsAndOfSeveralBoxesStay) {
  scheduled("  procedure p(obs a: Array, out c: Array) guard dim(a) == 3 { c = sum(a, 0); }\n",
            {{StepKind::interchange}});
  EXPECT_TRUE(says(steps(), "its element is a fold")) << steps();
  scheduled(
      "  procedure p(obs a: Array, out c: Array) guard dim(a) == 2 { c = rotate(a, 0, 1); }\n",
      {{StepKind::interchange}});
  EXPECT_TRUE(says(steps(), "has one box, but it has 2, and several are one loop over rows"))
      << steps();
}

TEST_F(OwnSchedule, TheVerifierRefusesOrdersThatABoxDoesNotHave) {
  onf::Module module = scheduled(transposed, {{StepKind::interchange}});
  EXPECT_EQ(first_nest(module).loops, (std::vector<int>{1, 0}));
  EXPECT_EQ(first_nest(module).made_by, std::vector<std::string>{"interchange"});
  for (const std::vector<int>& order : {std::vector<int>{0, 0}, {1}, {0, 1, 2}, {1, 2}}) {
    first_nest(module).loops = order;
    EXPECT_TRUE(codes(module).contains("E0525"));
  }
}

TEST_F(OwnSchedule, WhereLinesAreReadAcrossTheInnermostLoopIsInStrips) {
  EXPECT_TRUE(says(text_of(scheduled(transposed, {{StepKind::tile}})), " in strips of 8"));
  EXPECT_TRUE(says(steps(), "3 loads go from line to line along j and side by side along i"))
      << steps();
  EXPECT_TRUE(says(text_of(scheduled(transposed, {{StepKind::tile, 3}})), " in strips of 3"));
  // The loop along which the lines lie comes right around the strip.
  const std::string turned =
      "  procedure p(obs a: Array, out c: Array) guard dim(a) == 3 { c = transpose(a); }\n";
  EXPECT_TRUE(
      says(text_of(scheduled(turned, {{StepKind::tile}})), " loops 1, 0, 2 in strips of 8"));
}

TEST_F(OwnSchedule, StripsAreForNothingElse) {
  scheduled("  procedure p(obs a: Array, out c: Array) guard dim(a) == 2 { c = a * 2.0; }\n",
            {{StepKind::tile}});
  EXPECT_TRUE(says(steps(), "refused, loops i, j")) << steps();
  EXPECT_TRUE(says(steps(), "but nothing goes from line to line")) << steps();
  scheduled("  procedure p(obs a: Array, out c: Array) guard dim(a) == 3 { c = sum(a, 0); }\n",
            {{StepKind::tile}});
  EXPECT_TRUE(says(steps(), "its element is a fold")) << steps();
  scheduled(
      "  procedure p(obs a: Array, out c: Array) guard dim(a) == 2 {\n"
      "    c = rotate(transpose(a), 0, 1);\n"
      "  }\n",
      {{StepKind::tile}});
  EXPECT_TRUE(says(steps(), "several are one loop over rows")) << steps();
}

TEST_F(OwnSchedule, TheVerifierRefusesStripsOfOtherLoops) {
  onf::Module module = scheduled(transposed, {{StepKind::tile}});
  EXPECT_EQ(first_nest(module).made_by, std::vector<std::string>{"tile"});
  for (const bool negative : {false, true}) {
    onf::Module other = module;
    onf::Nest& nest = first_nest(other);
    if (negative) {
      nest.strip = -1;
    } else {
      nest.tile = onf::Tile{};
    }
    EXPECT_TRUE(codes(other).contains("E0525"));
  }
  onf::Module vector = scheduled(
      "  procedure p(obs a: Array, out c: Array) guard dim(a) == 1 { c = a * 2.0; }\n", {});
  first_nest(vector).strip = 8;
  EXPECT_TRUE(codes(vector).contains("E0525"));
}

TEST_F(OwnSchedule, TheVerifierRefusesArgumentsThatAreLeftWithoutABlock) {
  onf::Module module = scheduled(leap, {{StepKind::in_place}});
  const onf::ViewId v = view(module, "v");
  std::erase_if(body(module), [&](const onf::Statement& statement) {
    const auto* share = std::get_if<onf::Share>(&statement.form);
    return share != nullptr && share->target == v;
  });
  EXPECT_TRUE(codes(module).contains("E0522"));
}

TEST_F(OwnSchedule, TheVerifierRefusesBoxesThatAreJoinedToOtherArrays) {
  onf::Module module = scheduled(leap, {{StepKind::bind}});
  first_nest(module).joined = true;
  EXPECT_TRUE(codes(module).contains("E0525"));
}

}  // namespace
}  // namespace rhopsi
