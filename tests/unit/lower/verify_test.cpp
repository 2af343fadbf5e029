// Forms made by hand: what the verifier must refuse.
#include "engine/onf/verify.hpp"

#include "tests/unit/lower/fixture.hpp"
#include "tests/unit/lower/hand_made.hpp"

namespace rhopsi::onf {
namespace {

Expr extent(int axis) {
  Expr e;
  e.kind = Expr::Kind::extent;
  e.type = int64_type;
  e.axis = axis;
  return e;
}
Expr view(std::uint32_t id) {
  Expr e;
  e.kind = Expr::Kind::view;
  e.view = ViewId{id};
  return e;
}

// One function over arrays of rank 1: a (argument, view 0), b and c (views 1 and 2).
Module module_of(std::int64_t pad, Statements body) {
  Module module;
  module.name = "hand";
  module.rank = 1;
  module.pad = pad;
  Function f;
  f.name = "f";
  f.procedure = true;
  f.arguments = {{term::Mode::upd, ViewId{0}, {}}};
  f.blocks = {{Scalar::float64, {{pad, pad, Outside::circular}}}};
  f.views = {{"a", BlockId{0}, {}, true, false, {}},
             {"b", BlockId{0}, {}, false, false, {}},
             {"c", BlockId{0}, {}, false, false, {}}};
  f.variables = {{"i", int64_type, {}}};
  f.body = std::move(body);
  module.functions = {std::move(f)};
  module.order = {FunctionId{0}};
  return module;
}
// target[i] := source[index]
Statement nest(std::uint32_t target, std::uint32_t source, Expr index, bool padded) {
  Nest made;
  made.binding = Binding::nested;
  made.padded = padded;
  made.indices = {VariableId{0}};
  made.target = ViewId{target};
  made.element.kind = Expr::Kind::load;
  made.element.view = ViewId{source};
  made.element.operands = {std::move(index)};
  return {std::move(made), {}};
}
Expr shifted(std::int64_t by) {
  return apply(ScalarFunction::add, variable(VariableId{0}), integer(by));
}
Expr wrapped(std::int64_t by) { return apply(ScalarFunction::modulo, shifted(by), extent(0)); }

std::vector<std::string> codes(const Module& module) {
  std::vector<std::string> found;
  for (const Problem& problem : verify(module)) {
    if (problem.error) found.push_back(problem.code);
  }
  return found;
}
using Codes = std::vector<std::string>;

TEST(Verify, OffsetsWithinThePadAreFine) {
  EXPECT_EQ(codes(module_of(1, {nest(1, 0, shifted(-1), true), nest(2, 0, shifted(1), true)})),
            Codes{});
}

TEST(Verify, OffsetBeyondThePadIsRefused) {
  const Module module = module_of(1, {nest(1, 0, shifted(2), true)});
  ASSERT_EQ(codes(module), Codes{"E0520"});
  EXPECT_EQ(verify(module)[0].message, "offset 2 on axis 0 of a is larger than the pad of 1");
}

TEST(Verify, WrappingOffsetBeyondThePadIsRefusedUnderAPaddedScheduleOnly) {
  EXPECT_EQ(codes(module_of(1, {nest(1, 0, wrapped(-2), true)})), Codes{"E0520"});
  EXPECT_EQ(codes(module_of(1, {nest(1, 0, wrapped(-2), false)})), Codes{});
  EXPECT_EQ(codes(module_of(0, {nest(1, 0, wrapped(7), false)})), Codes{});
}

TEST(Verify, OffsetWithoutPadIsRefused) {
  EXPECT_EQ(codes(module_of(0, {nest(1, 0, shifted(1), false)})), Codes{"E0520"});
}

TEST(Verify, StaleHaloIsRefusedUntilItIsRefilled) {
  const Statement first = nest(1, 0, shifted(1), true);
  const Statement second = nest(2, 1, shifted(1), true);
  EXPECT_EQ(codes(module_of(1, {first, second})), Codes{"E0521"});
  const Statement refill{Mutate{"refill", true, {view(1)}}, {}};
  EXPECT_EQ(codes(module_of(1, {first, refill, second})), Codes{});
  // At its own point a stale array may be read.
  EXPECT_EQ(codes(module_of(1, {first, nest(2, 1, variable(VariableId{0}), true)})), Codes{});
}

TEST(Verify, HaloStaleFromTheRoundBeforeIsSeen) {
  Iterate loop{integer(3), {}};
  loop.body = {nest(1, 0, shifted(1), true), {Share{ViewId{0}, ViewId{1}, false, false}, {}}};
  EXPECT_EQ(codes(module_of(1, {{loop, {}}})), Codes{"E0521"});
  loop.body.push_back({Refill{ViewId{0}}, {}});
  EXPECT_EQ(codes(module_of(1, {{loop, {}}})), Codes{});
}

TEST(Verify, ReadBeforeItIsSetIsRefused) {
  EXPECT_EQ(codes(module_of(0, {nest(1, 2, variable(VariableId{0}), false)})), Codes{"E0522"});
}

TEST(Verify, UndecidedAccessIsARemark) {
  const auto problems = verify(module_of(
      0,
      {nest(1, 0, apply(ScalarFunction::multiply, variable(VariableId{0}), integer(2)), false)}));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].code, "E0524");
  EXPECT_FALSE(problems[0].error);
}

// Of each function one, and of those alone that are asked for.
TEST(Verify, UndecidedAccessesAreToldOnceForAFunction) {
  const Expr index = apply(ScalarFunction::multiply, variable(VariableId{0}), integer(2));
  const Module module = module_of(0, {nest(1, 0, index, false), nest(2, 1, index, false)});
  const auto remarks = undecided(module, {FunctionId{0}});
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0].message, "the access of a on axis 0 cannot be decided, nor 1 other of '" +
                                    module.functions[0].name + "'");
  EXPECT_TRUE(undecided(module, {}).empty());
}

TEST(Verify, StepsThatWrapOneAfterTheOtherDoNotAddUp) {
  const Expr twice = apply(ScalarFunction::modulo,
                           apply(ScalarFunction::add, wrapped(-2), integer(-2)), extent(0));
  EXPECT_EQ(codes(module_of(2, {nest(2, 0, twice, true)})), Codes{});
  EXPECT_EQ(codes(module_of(1, {nest(2, 0, twice, true)})), Codes{"E0520"});
}

}  // namespace
}  // namespace rhopsi::onf
