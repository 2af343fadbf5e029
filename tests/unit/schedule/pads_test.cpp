// The least pads of each array and axis, in forms made by hand.
#include "engine/onf/pads.hpp"

#include <gtest/gtest.h>

#include "tests/unit/schedule/forms.hpp"

namespace rhopsi::schedule {
namespace {

using onf::Margin;
using Margins = std::vector<Margin>;
using Why = onf::PadReason::Why;

Margins pads_of(const onf::Module& module, onf::ViewId view, std::size_t function = 0) {
  const onf::Function& f = module.functions[function];
  return onf::pads_of(module, f.blocks[onf::number(f.views[onf::number(view)].block)]).axes;
}

std::string error_codes(const onf::Module& module) {
  std::string text;
  for (const std::string& code : codes_of(module)) text += code + " ";
  return text;
}

std::size_t refills_in(const onf::Module& module) {
  std::size_t count = 0;
  for (const onf::Statement& statement : module.functions[0].body) {
    count += std::holds_alternative<onf::Refill>(statement.form) ? 1 : 0;
  }
  return count;
}

TEST(LeastPads, EachArrayAxisAndEndHasItsOwn) {
  FormBuilder form(2, 3);
  const auto u = form.argument("u", term::Mode::upd);
  const auto v = form.argument("v", term::Mode::obs);
  const auto w = form.argument("w", term::Mode::upd);
  form.assign(u, sum(sum(form.load(u, {-2, 0}), form.load(u, {0, 1})),
                     sum(form.load(v, {0, 1}), form.load(w, {0, 0}))));
  form.assign(w, form.load(v, {0, 0}));
  onf::Module module = form.finish();
  const std::vector<onf::ArrayPads> found = onf::narrow_pads(module);
  EXPECT_EQ(error_codes(module), "");
  EXPECT_EQ(pads_of(module, u), (Margins{{2, 0}, {0, 1}}));
  EXPECT_EQ(pads_of(module, v), (Margins{{0, 0}, {0, 1}}));
  EXPECT_EQ(pads_of(module, w), (Margins{{0, 0}, {0, 0}}));
  // u and its new value are names of one array; w and its, of another.
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].names.size(), 2U);
  EXPECT_EQ(found[0].axes[0].low.width, 2);
  EXPECT_EQ(found[0].axes[0].low.why, Why::read);
  EXPECT_EQ(found[0].axes[0].high.why, Why::nothing);
  // What has no pads is not refilled.
  EXPECT_EQ(refills_in(module), 1U);
  // Once more changes nothing.
  (void)onf::narrow_pads(module);
  EXPECT_EQ(pads_of(module, u), (Margins{{2, 0}, {0, 1}}));
}

// A loop whose reads go through another function's arguments: both have the same pads.
TEST(LeastPads, ArgumentsHaveThePadsOfWhatIsPassed) {
  FormBuilder form(1, 2);
  const auto u = form.argument("u", term::Mode::upd);
  const auto v = form.argument("v", term::Mode::obs);
  form.assign(u, sum(form.load(u, {-1}), form.load(v, {2})));
  onf::Module module = form.finish();
  // f calls g(a, b), which is what f was.
  onf::Function caller = module.functions[0];
  caller.name = "caller";
  caller.views[0].name = "a";
  caller.views[1].name = "b";
  onf::Expr call;
  call.kind = onf::Expr::Kind::call;
  call.callee = onf::FunctionId{0};
  for (const onf::ViewId view : {u, v}) {
    onf::Expr passed;
    passed.kind = onf::Expr::Kind::view;
    passed.view = view;
    call.operands.push_back(passed);
  }
  caller.body = {{onf::Call{std::nullopt, call}, {}}};
  module.functions.push_back(caller);
  module.order.push_back(onf::FunctionId{1});
  (void)onf::narrow_pads(module);
  EXPECT_EQ(error_codes(module), "");
  for (const std::size_t function : {0U, 1U}) {
    EXPECT_EQ(pads_of(module, u, function), (Margins{{1, 0}}));
    EXPECT_EQ(pads_of(module, v, function), (Margins{{0, 2}}));
  }
  // One of the two alone is refused.
  module.functions[1].blocks[0].box[0].low = 2;
  EXPECT_EQ(error_codes(module), "E0525 ");
  module.functions[1].blocks[0].box[0].low = 1;
  // Passed by turns, the two are one array as far as pads go.
  std::swap(call.operands[0], call.operands[1]);
  module.functions[1].body.push_back({onf::Call{std::nullopt, call}, {}});
  module.functions[1].arguments[1].mode = term::Mode::upd;
  (void)onf::narrow_pads(module);
  EXPECT_EQ(error_codes(module), "");
  for (const std::size_t function : {0U, 1U}) {
    EXPECT_EQ(pads_of(module, u, function), (Margins{{1, 2}}));
    EXPECT_EQ(pads_of(module, v, function), (Margins{{1, 2}}));
  }
}

// Pads of a result are computed from those of its operands.
TEST(LeastPads, OperandsHaveThePadsOfAResultThatIsReadThere) {
  FormBuilder form(1, 3);
  const auto u = form.argument("u", term::Mode::upd);
  const auto v = form.argument("v", term::Mode::obs);
  const auto t = form.view("t");
  onf::Expr operand;
  operand.kind = onf::Expr::Kind::view;
  operand.view = v;
  onf::Whole negated;
  negated.target = t;
  negated.pointwise = true;
  negated.function = onf::ScalarFunction::negate;
  negated.operands = {operand};
  form.emit(negated);
  form.assign(u, form.load(t, {2}));
  onf::Module module = form.finish();
  const auto found = onf::narrow_pads(module);
  EXPECT_EQ(error_codes(module), "");
  EXPECT_EQ(pads_of(module, t), (Margins{{0, 2}}));
  EXPECT_EQ(pads_of(module, v), (Margins{{0, 2}}));
  EXPECT_EQ(pads_of(module, u), (Margins{{0, 0}}));
  EXPECT_EQ(found[1].axes[0].high.why, Why::computed);
  // The operand's being narrower is refused.
  module.functions[0].blocks[onf::number(module.functions[0].views[1].block)].box[0].high = 1;
  EXPECT_EQ(error_codes(module), "E0525 ");
}

// What cannot be decided, what is read one by one, and what a user's own code has.
TEST(LeastPads, WhereReadsAreNotKnownTheModulesWidthStays) {
  FormBuilder form(1, 2);
  const auto u = form.argument("u", term::Mode::upd);
  const auto v = form.argument("v", term::Mode::obs);
  const auto w = form.argument("w", term::Mode::obs);
  onf::Expr far = form.load(v, {0});
  far.operands[0] = apply(onf::ScalarFunction::multiply, {form.position(0), integer(2)});
  form.assign(u, far);
  onf::Expr one = form.load(w, {0});
  one.operands[0] = integer(0);
  onf::Variable x{"x", one.type, {}};
  form.function.variables.push_back(x);
  form.emit(onf::Let{onf::VariableId(form.function.variables.size() - 1), one});
  onf::Module module = form.finish();
  const auto found = onf::narrow_pads(module);
  EXPECT_EQ(pads_of(module, u), (Margins{{0, 0}}));
  EXPECT_EQ(pads_of(module, v), (Margins{{2, 2}}));
  EXPECT_EQ(found[1].axes[0].low.why, Why::undecided);
  EXPECT_EQ(pads_of(module, w), (Margins{{2, 2}}));
  EXPECT_EQ(found[2].axes[0].low.why, Why::element);
}

// It may read what it likes of pads, and makes arrays with the module's.
TEST(LeastPads, WhatAUsersOwnCodeHasKeepsTheModulesWidth) {
  FormBuilder form(1, 2);
  const auto u = form.argument("u", term::Mode::upd);
  const auto v = form.argument("v", term::Mode::obs);
  const auto t = form.view("t");
  onf::Expr call;
  call.kind = onf::Expr::Kind::external;
  onf::Expr passed;
  passed.kind = onf::Expr::Kind::view;
  passed.view = v;
  call.operands = {passed};
  form.emit(onf::Call{t, call});
  form.assign(u, sum(form.load(t, {0}), form.load(u, {1})));
  onf::Module module = form.finish();
  const auto found = onf::narrow_pads(module);
  EXPECT_EQ(error_codes(module), "");
  EXPECT_EQ(pads_of(module, u), (Margins{{0, 1}}));
  EXPECT_EQ(pads_of(module, v), (Margins{{2, 2}}));
  EXPECT_EQ(pads_of(module, t), (Margins{{2, 2}}));
  EXPECT_EQ(found[1].axes[0].high.why, Why::user_code);
}

TEST(LeastPads, AModuleWithoutPadsStaysAsItIs) {
  FormBuilder form(1, 0);
  const auto u = form.argument("u", term::Mode::upd);
  form.assign(u, form.load(u, {-2}));
  onf::Module module = form.finish();
  EXPECT_TRUE(onf::narrow_pads(module).empty());
  EXPECT_EQ(pads_of(module, u), (Margins{{0, 0}}));
}

}  // namespace
}  // namespace rhopsi::schedule
