// Forms over the domain of one shape: what they ask of the lengths of others.
#include "engine/onf/axes.hpp"
#include "engine/onf/infix.hpp"
#include "engine/onf/print.hpp"
#include "tests/unit/lower/shaped_fixture.hpp"

namespace rhopsi {
namespace {

using Lengths = std::vector<std::int64_t>;

// Of extents and integers.
std::int64_t value(const onf::Expr& e, const Lengths& lengths) {
  using onf::ScalarFunction;
  if (e.kind == onf::Expr::Kind::integer || e.kind == onf::Expr::Kind::boolean) return e.integer;
  if (e.kind == onf::Expr::Kind::extent) return lengths.at(static_cast<std::size_t>(e.axis));
  if (e.kind != onf::Expr::Kind::apply) throw std::logic_error("no condition on lengths");
  const auto part = [&](std::size_t k) { return value(e.operands.at(k), lengths); };
  switch (e.function) {
    case ScalarFunction::add:
      return part(0) + part(1);
    case ScalarFunction::subtract:
      return part(0) - part(1);
    case ScalarFunction::multiply:
      return part(0) * part(1);
    case ScalarFunction::less:
      return part(0) < part(1);
    case ScalarFunction::less_equal:
      return part(0) <= part(1);
    case ScalarFunction::greater:
      return part(0) > part(1);
    case ScalarFunction::greater_equal:
      return part(0) >= part(1);
    case ScalarFunction::equal:
      return part(0) == part(1);
    case ScalarFunction::not_equal:
      return part(0) != part(1);
    case ScalarFunction::and_:
      return part(0) != 0 && part(1) != 0;
    case ScalarFunction::or_:
      return part(0) != 0 || part(1) != 0;
    case ScalarFunction::not_:
      return part(0) == 0;
    default:
      throw std::logic_error("no condition on lengths");
  }
}

class OneShape : public Shaped {
 protected:
  std::optional<onf::Module> over(const Lengths& lengths) {
    lower::Options options;
    options.entries = {"p"};
    for (const char* name : {"u", "v"}) options.ranks[name] = lengths.size();
    for (const auto& [name, others] : others) options.ranks[name] = others.size();
    options.others = others;
    auto module = lower::lower_over_domain(store, *theory, *table, options, lengths);
    why = module ? std::string() : module.error();
    if (!module) return std::nullopt;
    return std::move(*module);
  }
  // The conditions as messages say them.
  std::vector<std::string> asked(const std::string& operations, const Lengths& lengths) {
    if (!load(operations)) return {};
    const auto module = over(lengths);
    EXPECT_TRUE(module) << why;
    std::vector<std::string> found;
    for (const onf::Precondition& each :
         module ? module->functions[0].preconditions : std::vector<onf::Precondition>())
      found.push_back(onf::infix(*module, module->functions[0], each.condition));
    return found;
  }

  std::string why;
  std::map<std::string, Lengths> others;  // of arrays that are not over the domain
};

using Texts = std::vector<std::string>;

TEST_F(OneShape, ConditionsThatFollowAreNotKept) {
  EXPECT_EQ(asked("  procedure p(upd u: Array) guard dim(u) == 2 {\n"
                  "    u = rotate(u, 0, 1) + rotate(u, 1, 1);\n"
                  "  }\n",
                  {5, 4}),
            Texts{});
  EXPECT_EQ(asked("  procedure p(upd u: Array)\n"
                  "    guard dim(u) == 2 && 3 < at(shape(u), 0) && 0 < at(shape(u), 1) {\n"
                  "    if at(shape(u), 0) > 2 then { u = 2 * u; } else { u = 3 * u; };\n"
                  "    if at(shape(u), 0) < 9 then { u = 2 * u; } else { u = 3 * u; };\n"
                  "    if at(shape(u), 0) < 10 then { u = 2 * u; } else { u = 3 * u; };\n"
                  "  }\n",
                  {5, 4}),
            (Texts{"3 < n0", "n0 < 9"}));
  EXPECT_EQ(asked("  procedure p(upd u: Array) guard dim(u) == 2 {\n"
                  "    if at(shape(u), 0) == at(shape(u), 1) then { u = 2 * u; }\n"
                  "    else { if at(shape(u), 1) < 5 || at(shape(u), 0) < 3 then { u = u; }\n"
                  "      else { u = 3 * u; }; };\n"
                  "  }\n",
                  {5, 4}),
            (Texts{"n0 != n1", "n1 < 5 || n0 < 3"}));
}

TEST_F(OneShape, WhatIsWrongIsSaid) {
  ASSERT_TRUE(
      load("  procedure p(upd u: Array) guard dim(u) == 2 && at(shape(u), 0) == 5 {\n"
           "    if at(shape(u), 1) < 3 then { u = 2 * u; } else { u = 3 * u; };\n"
           "  }\n"));
  const auto module = over({5, 4});
  ASSERT_TRUE(module) << why;
  const auto& asked = module->functions[0].preconditions;
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_EQ(asked[0].otherwise, "p needs `at(shape(u), 0) == 5`: shape(u)[0] and 5 (unit.mg:5)");
  EXPECT_EQ(asked[1].otherwise, "it needs `shape(u)[1] >= 3`");
}

// What each call tests is no matter of the form, also where a branch or a loop has tested it
// before; a program that only a branch lets fail computes in its form for all shapes. No form over
// a domain has an array that is longer.
TEST_F(OneShape, WhichFormComputesElsewhere) {
  using Elsewhere = onf::Precondition::Elsewhere;
  using Asked = std::vector<std::pair<std::string, Elsewhere>>;
  const auto asked = [&](const std::string& body) {
    EXPECT_TRUE(
        load("  function next(u: Array): Array guard dim(u) == 1 && 2 <= at(shape(u), 0) =\n"
             "    rotate(u, 0, 1);\n"
             "  procedure p(upd u: Array, obs n: Int) guard dim(u) == 1 {\n" +
             body + "  }\n"));
    const auto module = over({8});
    EXPECT_TRUE(module) << why;
    Asked found;
    for (const onf::Precondition& each :
         module ? module->functions[0].preconditions : std::vector<onf::Precondition>())
      found.emplace_back(onf::infix(*module, module->functions[0], each.condition), each.elsewhere);
    return found;
  };
  const std::string branch = "    if 0 < n then { u = next(u); } else { u = 2 * u; };\n";
  EXPECT_EQ(asked(branch), (Asked{{"2 <= n0", Elsewhere::own_shapes}}));
  EXPECT_EQ(asked(branch + "    u = next(u);\n"), (Asked{{"2 <= n0", Elsewhere::none}}));
  EXPECT_EQ(asked("    for i in 0 .. n { u = next(u); };\n    u = next(u);\n"),
            (Asked{{"2 <= n0", Elsewhere::none}}));
  const std::string lengths = "    if at(shape(u), 0) < 4 then { u = u; } else { u = 2 * u; };\n";
  EXPECT_EQ(asked(branch + lengths), (Asked{{"n0 >= 4", Elsewhere::other_lengths}}));
  EXPECT_EQ(asked("    u = cat(take(u, 0, 4), take(u, 0, 4), 0);\n"),
            (Asked{{"4 <= n0", Elsewhere::none}, {"n0 == 8", Elsewhere::own_shapes}}));
  // It may have other lengths where these choose the other branch: that is told before.
  EXPECT_EQ(asked("    if 8 <= at(shape(u), 0) then { u = next(u); } else { u = cat(u, u, 0); };\n"
                  "    u = next(u);\n"),
            (Asked{{"8 <= n0", Elsewhere::other_lengths}}));
}

// The form of one shape is that of every other one that fulfils what it asks, and of no other.
TEST_F(OneShape, AFormIsThatOfAllShapesThatFulfilIt) {
  ASSERT_TRUE(
      load("  procedure p(upd u: Array, obs v: Array) guard dim(u) == 2 && dim(v) == 2\n"
           "    && 2 * at(shape(u), 0) < 12 {\n"
           "    if at(shape(u), 0) == 3 then { u = reverse(u, 1); }\n"
           "    else { u = u + rotate(v, 1, 1); };\n"
           "    if at(shape(v), 1) < at(shape(u), 0) && at(shape(v), 1) != 2\n"
           "    then { u = u * v; } else { u = u - v; };\n"
           "  }\n"));
  std::map<Lengths, onf::Module> forms;
  std::vector<Lengths> shapes;
  for (std::int64_t n0 = 1; n0 <= 7; ++n0) {
    for (std::int64_t n1 = 1; n1 <= 5; ++n1) {
      shapes.push_back({n0, n1});
      auto form = over(shapes.back());
      EXPECT_EQ(form.has_value(), n0 < 6 && n0 != 3) << n0 << "x" << n1 << ": " << why;
      if (form) forms.emplace(shapes.back(), std::move(*form));
    }
  }
  std::size_t same = 0, other = 0;
  for (const auto& [lengths, form] : forms) {
    const std::string text = onf::to_string(store, form);
    for (const Lengths& shape : shapes) {
      bool fulfilled = true;
      for (const onf::Precondition& each : form.functions[0].preconditions)
        fulfilled = fulfilled && value(each.condition, shape) != 0;
      const auto there = forms.find(shape);
      const bool alike = there != forms.end() && onf::to_string(store, there->second) == text;
      EXPECT_EQ(fulfilled, alike) << testing::PrintToString(lengths)
                                  << testing::PrintToString(shape);
      ++(fulfilled ? same : other);
    }
  }
  EXPECT_GT(same, 50U);
  EXPECT_GT(other, 50U);
}

// Arrays that are longer have no place over a domain: what they are is where they are read. An
// inner array is stored although its index is chosen.
TEST_F(OneShape, WhichArraysThereAre) {
  const auto arrays = [&](const std::string& body) {
    EXPECT_TRUE(
        load("  function mean(u: Array): Array guard dim(u) == 1 && 1 <= at(shape(u), 0) = {\n"
             "    var p = pad_edge(u, 0, 3, 3);\n"
             "    value 0.125 * (fold _+_ (k < 7) drop(drop(p, 0, k), 0, k - 6));\n"
             "  }\n"
             "  procedure p(upd u: Array) guard dim(u) == 1 && 1 <= at(shape(u), 0) {\n" +
             body + "  }\n"));
    std::vector<std::string> found;
    const auto module = over({50});
    EXPECT_TRUE(module) << why;
    if (!module) return found;
    for (const onf::Statement& each : module->functions[0].body) {
      const auto* made = std::get_if<onf::Allocate>(&each.form);
      if (made == nullptr) continue;
      found.push_back(module->functions[0].views[onf::number(made->view)].name);
    }
    return found;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(arrays("    var q = pad_constant(u, 0, 1, 1, 0);\n"
                   "    u = 0.5 * u;\n"
                   "    u = u - drop(q, 0, 2);\n"),
            (Names{"u1", "u2"}));
  EXPECT_EQ(arrays("    u = mean(mean(u));\n"), (Names{"t1", "u1"}));
}

// What windows have in common is stored unless it is cheap; what comes out says by
// how much it is shorter, in the order of the form's axes.
TEST_F(OneShape, PartsOfTheDomain) {
  ASSERT_TRUE(
      load("  procedure p(obs u: Array, out w: Array) guard dim(u) == 2 &&\n"
           "      (forall (axis < 2) 2 <= at(shape(u), axis)) {\n"
           "    var l = drop(u, 1, -1);\n"
           "    var r = drop(u, 1, 1);\n"
           "    var d = 0.5 * (r - l) * (r + l) * (r + 2 * l);\n"
           "    var moved = drop(d, 0, 2);\n"
           "    w = moved * drop(d, 0, -2);\n"
           "  }\n"));
  auto module = over({5, 4});
  ASSERT_TRUE(module) << why;
  const onf::Function& p = module->functions[0];
  EXPECT_EQ(p.arguments[0].less, Lengths());
  EXPECT_EQ(p.arguments[1].less, (Lengths{2, 1}));
  EXPECT_EQ(std::ranges::count_if(p.body,
                                  [](const onf::Statement& each) {
                                    return std::holds_alternative<onf::Nest>(each.form);
                                  }),
            2);
  onf::permute_axes(*module, {1, 0});
  EXPECT_EQ(module->functions[0].arguments[1].less, (Lengths{1, 2}));
}

// An argument that goes into the next call keeps its lengths, and a part that is turned goes around
// less than the domain.
TEST_F(OneShape, WhatIsNoPartIsSaid) {
  const auto refused = [&](const std::string& body) {
    EXPECT_TRUE(load("  procedure p(upd u: Array) guard dim(u) == 1 && 2 <= at(shape(u), 0) {\n" +
                     body + "  }\n"));
    EXPECT_FALSE(over({50}));
    return why;
  };
  EXPECT_EQ(refused("    u = drop(u, 0, 1) - drop(u, 0, -1);\n"),
            "p makes an array of other lengths, u1 (unit.mg:5)");
  EXPECT_EQ(refused("    var d = drop(u, 0, 1) - drop(u, 0, -1);\n"
                    "    for k in 0 .. 2 { d = rotate(d, 0, 1); };\n"
                    "    u = pad_constant(d, 0, 1, 0, 0);\n"),
            "p reads d2 at an index that is no constant offset from its own (unit.mg:7)");
}

// What comes in with other lengths comes in as what is read of it: here from its first element on,
// from its second one, and one element.
TEST_F(OneShape, ArraysOfOtherLengthsAreWindows) {
  ASSERT_TRUE(
      load("  procedure p(obs v: Array, upd u: Array) guard dim(u) == 2 && dim(v) == 2 &&\n"
           "      shape(v) == [at(shape(u), 0) + 1, at(shape(u), 1)] {\n"
           "    u = u + drop(v, 0, 1) - drop(v, 0, -1) * psi([0, 0], v);\n"
           "  }\n"));
  others["v"] = {6, 4};
  auto module = over({5, 4});
  ASSERT_TRUE(module) << why;
  const std::string text = onf::to_string(store, *module);
  EXPECT_NE(text.find("(v_1_0: array float64 = v[1 ..., 0 ...], "
                      "v: array float64 = v[0 ..., 0 ...], v_0_0: float64 = v[0, 0], "
                      "upd u: array float64)"),
            std::string::npos)
      << text;
  EXPECT_TRUE(module->functions[0].preconditions.empty());
  onf::permute_axes(*module, {1, 0});
  EXPECT_EQ(module->functions[0].arguments[0].window->axes[0].of, 1);
  EXPECT_EQ(module->functions[0].arguments[0].window->axes[0].first, 1);
}

TEST_F(OneShape, WhatIsNoWindowIsSaid) {
  const auto refused = [&](const std::string& body) {
    EXPECT_TRUE(
        load("  procedure p(upd u: Array, obs v: Array) guard dim(u) == 1 && dim(v) == 1 && 60 <= "
             "at(shape(v), 0) {\n" +
             body + "  }\n"));
    others["v"] = {60};
    EXPECT_FALSE(over({50}));
    return why;
  };
  EXPECT_EQ(refused("    u = u + take(reverse(v, 0), 0, at(shape(u), 0));\n"),
            "p reads v at an index that is no constant offset from its own (unit.mg:5)");
  EXPECT_EQ(refused("    u = u + take(v, 0, at(shape(u), 0)) * take(v, 0, -at(shape(u), 0));\n"),
            "p reads v at an index that is no constant offset from its own (unit.mg:5)");
}

TEST_F(OneShape, ConditionsHaveTheAxesOfTheForm) {
  ASSERT_TRUE(
      load("  procedure p(upd u: Array) guard dim(u) == 2 && 2 <= at(shape(u), 1) {\n"
           "    u = u + rotate(u, 1, 1);\n"
           "  }\n"));
  auto module = over({5, 4});
  ASSERT_TRUE(module) << why;
  onf::permute_axes(*module, {1, 0});
  const onf::Function& p = module->functions[0];
  ASSERT_EQ(p.preconditions.size(), 1U);
  EXPECT_EQ(onf::infix(*module, p, p.preconditions[0].condition), "2 <= n0");
}

}  // namespace
}  // namespace rhopsi
