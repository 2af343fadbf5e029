// What has to hold of a row so that loops over it may take the form of sines for near angles.
#include "engine/onf/near_angles.hpp"

#include <gtest/gtest.h>

#include "engine/onf/infix.hpp"
#include "tests/unit/schedule/forms.hpp"

namespace rhopsi::schedule {
namespace {

using onf::ScalarFunction;

class NearAngles : public testing::Test {
 protected:
  // The test of u = element, as text; empty where there is none.
  std::string test_of(onf::Expr element, onf::Statements body = {}) {
    onf::Nest nest;
    nest.indices = form_.indices;
    nest.target = u_;
    nest.element = std::move(element);
    nest.body = std::move(body);
    const auto test = onf::nearness_test(nest);
    if (!test) return {};
    names_ = test->body.size();
    return onf::infix(form_.module, form_.function, test->element);
  }
  onf::Expr u(std::int64_t offset = 0) const { return form_.load(u_, {0, offset}); }

  FormBuilder form_{2, 1};
  onf::ViewId u_ = form_.argument("u", term::Mode::upd);
  std::size_t names_ = 0;
};

TEST_F(NearAngles, AreAskedForOnceEach) {
  EXPECT_EQ(test_of(u()), "");
  EXPECT_EQ(test_of(apply(ScalarFunction::exp, {u()})), "");
  EXPECT_EQ(test_of(sum(apply(ScalarFunction::sin, {u()}), apply(ScalarFunction::cos, {u()}))),
            "abs(u[i, j]) < 1048576.0");
  EXPECT_EQ(test_of(apply(ScalarFunction::cos, {sum(u(), apply(ScalarFunction::sin, {u(1)}))})),
            "abs(u[i, j + 1]) < 1048576.0 && abs(u[i, j] + sin(u[i, j + 1])) < 1048576.0");
}

TEST_F(NearAngles, AreKnownOfWhatIsBounded) {
  const auto cosine = [](onf::Expr angle) {
    return apply(ScalarFunction::cos, {std::move(angle)});
  };
  EXPECT_EQ(test_of(cosine(times(real(1.5), cosine(times(real(1.5), cosine(u())))))),
            "abs(u[i, j]) < 1048576.0");
  EXPECT_EQ(test_of(cosine(apply(ScalarFunction::tanh, {u()}))), "true");
  EXPECT_EQ(test_of(cosine(times(real(1e6), apply(ScalarFunction::tanh, {u()})))),
            "abs(1e+06 * tanh(u[i, j])) < 1048576.0");
}

// What is the same for all elements is computed in front of the loop.
TEST_F(NearAngles, ThatAreTheSameForAllAreNotAskedFor) {
  form_.function.variables.push_back({"t", real_type, {}});
  onf::Expr t = real(0);
  t.kind = onf::Expr::Kind::variable;
  t.variable = static_cast<onf::VariableId>(form_.function.variables.size() - 1);
  const onf::Expr wave = apply(ScalarFunction::sin, {t});
  EXPECT_EQ(test_of(times(wave, u())), "");
  EXPECT_EQ(test_of(sum(times(wave, u()), apply(ScalarFunction::cos, {u(1)}))),
            "abs(u[i, j + 1]) < 1048576.0");
}

// Each level asks for all below it.
TEST_F(NearAngles, AreNotAskedForAtAnyPrice) {
  onf::Expr angle = u();
  for (int level = 0; level < 4; ++level) angle = times(u(), apply(ScalarFunction::sin, {angle}));
  EXPECT_NE(test_of(angle), "");
  for (int level = 0; level < 12; ++level) angle = times(u(), apply(ScalarFunction::sin, {angle}));
  EXPECT_EQ(test_of(angle), "");
}

TEST_F(NearAngles, OfABranchCountWhereItIsTaken) {
  const onf::Expr high = truth_of(ScalarFunction::less, {real(1), u()});
  EXPECT_EQ(test_of(choice_of(high, apply(ScalarFunction::sin, {u(1)}), u())),
            "if 1.0 < u[i, j] then abs(u[i, j + 1]) < 1048576.0 else true");
  EXPECT_EQ(test_of(choice_of(high, u(), real(0))), "");
  const onf::Expr chosen = choice_of(high, apply(ScalarFunction::sin, {u(1)}), u());
  EXPECT_EQ(test_of(sum(chosen, times(chosen, u(1)))),
            "if 1.0 < u[i, j] then abs(u[i, j + 1]) < 1048576.0 else true");
}

// Only names that angles are computed from are in the test.
TEST_F(NearAngles, NamesThatAreNeededStay) {
  const auto named = [&](const char* name, onf::Expr value) {
    form_.function.variables.push_back({name, real_type, {}});
    const auto id = static_cast<onf::VariableId>(form_.function.variables.size() - 1);
    onf::Expr of = u();
    of.kind = onf::Expr::Kind::variable;
    of.variable = id;
    of.operands.clear();
    return std::pair{onf::Statement{onf::Let{id, std::move(value), true}, {}}, of};
  };
  const auto [first, a] = named("a", times(u(), real(2)));
  const auto [second, b] = named("b", apply(ScalarFunction::sin, {a}));
  const auto [third, c] = named("c", times(b, u(1)));
  EXPECT_EQ(test_of(sum(c, b), {first, second, third}), "abs(a) < 1048576.0");
  EXPECT_EQ(names_, 1U);
}

}  // namespace
}  // namespace rhopsi::schedule
