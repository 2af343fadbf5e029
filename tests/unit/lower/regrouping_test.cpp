// Folds whose steps are taken in another order: which are, and what the verifier says of those that
// are made by hand.
#include "engine/onf/regrouping.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "engine/lower/normal_form.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/ravel.hpp"
#include "engine/onf/verify.hpp"
#include "engine/schedule/tile_folds.hpp"
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi {
namespace {

using moa::test::Input;
using onf::Fold;
using onf::Nest;
using onf::Regrouping;
using onf::Scalar;
using onf::ScalarFunction;
using onf::StepOrder;

std::string text_of(const Regrouping& made) {
  return std::to_string(made.block) + " by " + std::to_string(made.chains) +
         (made.reals ? " reals" : "") + (made.few ? " few" : "");
}

class Regroupings : public ::testing::Test {
 protected:
  bool load(const std::string& text, const std::vector<Input>& inputs) {
    module = lower::module_of_forms("forms");
    const auto form = moa::test::expressions().reduce(text, inputs);
    return form && lower::lower(*form, "f", module);
  }
  // What tile_folds makes of its folds and nests, behind what the verifier says then.
  std::string made(const std::string& text, const std::vector<Input>& inputs) {
    if (!load(text, inputs)) return "no form";
    told = schedule::describe(schedule::tile_folds(module, schedule::standard_machine()));
    std::string said = remarks();
    for (onf::Statement& statement : module.functions.back().body) {
      const auto tell = [&](const char* what, const std::optional<Regrouping>& regrouping) {
        said += std::string(said.empty() ? "" : "; ") + what + " " +
                (regrouping ? text_of(*regrouping) : "none");
      };
      if (const auto* fold = std::get_if<Fold>(&statement.form)) tell("fold", fold->regrouping);
      const auto* nest = std::get_if<Nest>(&statement.form);
      if (nest != nullptr && nest->tile) tell("nest", nest->tile->regrouping);
    }
    return said;
  }
  // What the verifier says of the first fold outside of nests with this regrouping.
  std::string with(const std::function<void(Regrouping&)>& change) {
    for (onf::Statement& statement : module.functions.back().body) {
      auto* fold = std::get_if<Fold>(&statement.form);
      if (fold == nullptr) continue;
      fold->regrouping.emplace();
      change(*fold->regrouping);
      return remarks();
    }
    return "no fold";
  }
  std::string remarks() const {
    std::string said;
    for (const onf::Problem& problem : onf::verify(module)) {
      said += problem.code + ": " + problem.message + "\n";
    }
    return said;
  }
  onf::Module module;
  std::string told;
};

Input real(const char* name, std::vector<std::optional<std::int64_t>> shape) {
  return {name, std::move(shape), Scalar::float64};
}
const std::vector<Input> reals = {real("A", {500, 700})};
const std::vector<Input> integers = {{"A", {500, 700}, Scalar::int64}};

TEST_F(Regroupings, OrdersOfStepsFollowFromTheFunctionAndTheType) {
  EXPECT_EQ(onf::step_order(ScalarFunction::add, Scalar::float32), StepOrder::reals);
  EXPECT_EQ(onf::step_order(ScalarFunction::multiply, Scalar::float64), StepOrder::reals);
  EXPECT_EQ(onf::step_order(ScalarFunction::add, Scalar::int64), StepOrder::any);
  EXPECT_EQ(onf::step_order(ScalarFunction::maximum, Scalar::float64), StepOrder::any);
  EXPECT_EQ(onf::step_order(ScalarFunction::and_, Scalar::boolean), StepOrder::any);
  EXPECT_EQ(onf::step_order(ScalarFunction::subtract, Scalar::int64), StepOrder::written);
}

TEST_F(Regroupings, OfFoldsOutsideOfNests) {
  // As they are written they are one of a row each, and one of what these are.
  EXPECT_EQ(made("sum(sum(A, 1), 0)", reals), "nest 4096 by 64 reals; fold 4096 by 64 reals");
  EXPECT_NE(told.find("sums of reals by all threads, where they may be regrouped"),
            std::string::npos)
      << told;
  EXPECT_EQ(made("sum(sum(A, 1), 0)", integers), "fold 4096 by 64");
  EXPECT_EQ(made("maximum(maximum(A, 1), 0)", reals), "fold 4096 by 64");
  EXPECT_NE(told.find("its value is that of any order"), std::string::npos) << told;
  EXPECT_EQ(made("sum(abs(v) * v, 0)", {real("v", {70000})}), "fold 4096 by 64 reals");
}

TEST_F(Regroupings, OfNestsAlongTheirRowsOrOfFewElements) {
  EXPECT_EQ(made("sum(A, 1)", reals), "nest 4096 by 64 reals");
  EXPECT_EQ(made("matmul(A, x)", {real("A", {500, 700}), real("x", {700})}),
            "nest 4096 by 64 reals");
  // Across rows neighbours make vectors, and there are enough elements for all threads.
  EXPECT_EQ(made("sum(A, 0)", reals), "nest none");
  EXPECT_NE(told.find("its elements are too few for the threads, but there are more than 8"),
            std::string::npos)
      << told;
  EXPECT_EQ(made("sum(A, 0)", {real("A", {50000, 3})}), "nest 4096 by 64 reals few");
  EXPECT_EQ(made("matmul(A, B)", {real("A", {2, 9000}), real("B", {9000, 3})}),
            "nest 4096 by 64 reals few");
}

TEST_F(Regroupings, FoldsOfDifferentLengthsHaveNone) {
  EXPECT_EQ(made("forall (p < [3, 2]) fold _+_ (k < 2 * at(p, 0) + 1) psi([k, at(p, 1)], A)",
                 {{"A", {9, 2}}}),
            "nest none");
  EXPECT_NE(told.find("the folds of its elements have one length, but that of x"),
            std::string::npos)
      << told;
}

TEST_F(Regroupings, WhatIsNoSingleFoldIsToldWithWhatItIs) {
  // Folds of few steps stay beside each other.
  made("sum(A, 1) + maximum(A, 1)", {real("A", {500, 7})});
  EXPECT_NE(
      told.find("its element is one fold of indices and arrays alone, but it has several folds "
                "beside each other"),
      std::string::npos)
      << told;
  made("forall (p < [500, 30]) fold _+_ (k < 2 * at(p, 1) + 1) psi([at(p, 0), k], A)", reals);
  EXPECT_NE(told.find("along its last axis all folds have one length, but that of x"),
            std::string::npos)
      << told;
}

TEST_F(Regroupings, JoinedAreFoldsOfOneFunction) {
  const auto joined = [&](const std::string& text, const std::vector<Input>& inputs) {
    EXPECT_TRUE(load(text, inputs)) << text;
    for (onf::Statement& statement : module.functions.back().body) {
      const auto* fold = std::get_if<Fold>(&statement.form);
      if (fold == nullptr) continue;
      const auto form = onf::fold_form(module.functions.back(), *fold);
      return form && form->folds.size() == 2 && onf::is_joined(module.functions.back(), *form, 0);
    }
    return false;
  };
  EXPECT_TRUE(joined("sum(sum(A, 1), 0)", reals));
  EXPECT_FALSE(joined("maximum(sum(A, 1), 0)", reals));
  EXPECT_FALSE(joined("sum(abs(sum(A, 1)), 0)", reals));
}

// An index that is taken apart into those of axes is that of folds over the axes, and what is
// tested of it holds because there is one.
TEST_F(Regroupings, OfRavelledArraysAreOverTheirAxes) {
  const auto over = [&](const std::string& text, const std::vector<Input>& inputs) {
    std::string said;
    if (!load(text, inputs)) return std::string("no form");
    onf::Function& function = module.functions.back();
    for (onf::Statement& statement : function.body) {
      const auto* fold = std::get_if<Fold>(&statement.form);
      if (fold == nullptr) continue;
      const auto form = onf::fold_form(function, *fold);
      if (!form) return std::string("no folds of indices and arrays alone");
      const onf::LengthProducts lengths(function, *fold);
      const auto axes = lengths.axes(*form);
      if (!axes) return std::string("one fold");
      std::vector<onf::VariableId> indices;
      for (std::size_t axis = 0; axis < axes->size(); ++axis) {
        function.variables.push_back({"i" + std::to_string(axis), (*axes)[axis].type});
        indices.push_back(static_cast<onf::VariableId>(function.variables.size() - 1));
      }
      const onf::TileForm made = lengths.over_axes(*form, indices);
      for (std::size_t level = 0; level < made.folds.size(); ++level) {
        EXPECT_EQ(onf::is_joined(function, made, level), level + 1 < made.folds.size());
        said += onf::to_string(module, function, made.folds[level].count) + ": ";
      }
      said += onf::to_string(module, function, made.folds.back().element);
    }
    return said;
  };
  const std::optional<std::int64_t> any;
  EXPECT_EQ(over("sum(ravel(A), 0)", {real("A", {any, any})}),
            "length(A, 0): length(A, 1): A[i0, i1]");
  EXPECT_EQ(over("maximum(abs(ravel(A)), 0)", {real("A", {any, any, any})}),
            "length(A, 0): length(A, 1): length(A, 2): absolute(A[i0, i1, i2])");
  // Names of the element are followed, and no length of it is too much.
  std::string power = "ravel(A)";
  for (int k = 0; k < 12; ++k) power = "(" + power + " * " + power + ")";
  const std::string of_power = over("sum(" + power + ", 0)", {real("A", {any, any})});
  EXPECT_TRUE(of_power.starts_with("length(A, 0): length(A, 1): multiply(x")) << of_power;
  // Five steps say nothing of the lengths of A.
  EXPECT_EQ(over("sum(take(ravel(A), 0, 5), 0)", {real("A", {any, any})}),
            "no folds of indices and arrays alone");
  EXPECT_EQ(over("sum(v, 0)", {real("v", {any})}), "one fold");
}

TEST_F(Regroupings, MadeByHandAreAcceptedOrRefused) {
  const std::string wrong = "E0525: the regrouping of ";
  const auto refused = [&](const std::function<void(Regrouping&)>& change, const std::string& end) {
    const std::string said = with(change);
    EXPECT_TRUE(said.starts_with(wrong) && said.ends_with(" " + end + "\n")) << said;
  };
  ASSERT_TRUE(load("sum(sum(A, 1), 0)", reals));
  EXPECT_EQ(with([](Regrouping& r) { r.reals = true; }), "");
  refused([](Regrouping&) {}, "rounds in another order");
  refused([](Regrouping& r) { r.reals = true, r.chains = 48; }, "has blocks of no size");
  refused([](Regrouping& r) { r.reals = true, r.block = 0; }, "has blocks of no size");
  refused([](Regrouping& r) { r.reals = r.few = true; }, "asks for the elements of a nest");
  ASSERT_TRUE(load("sum(sum(A, 1), 0)", integers));
  EXPECT_EQ(with([](Regrouping&) {}), "");
  // A step that is tested where it is belongs to its place.
  ASSERT_TRUE(load("sum(gather(A, 0, v), 0)", {{"A", {50}}, {"v", {9}, Scalar::int64}}));
  refused([](Regrouping& r) { r.reals = true; },
          "is of what is no fold of indices and arrays alone");
  // What is taken away one after the other.
  ASSERT_TRUE(load("sum(sum(A, 1), 0)", integers));
  for (onf::Statement& statement : module.functions.back().body) {
    if (auto* fold = std::get_if<Fold>(&statement.form)) fold->function = ScalarFunction::subtract;
  }
  refused([](Regrouping& r) { r.reals = true; }, "has steps whose order matters");
}

TEST_F(Regroupings, OfNestsTheVerifierDemandsFoldsOfOneLength) {
  const auto said_of = [&](const std::string& text) {
    EXPECT_TRUE(load(text, {real("A", {30, 40})})) << text;
    for (onf::Statement& statement : module.functions.back().body) {
      auto* nest = std::get_if<Nest>(&statement.form);
      if (nest == nullptr) continue;
      nest->tile.emplace();
      nest->tile->regrouping.emplace();
      nest->tile->regrouping->reals = true;
    }
    return remarks();
  };
  EXPECT_EQ(said_of("sum(A, 1)"), "");
  EXPECT_NE(said_of("cumsum(A, 0)").find("has blocks of folds of different lengths"),
            std::string::npos)
      << remarks();
}

TEST_F(Regroupings, WithinKernelsThereAreNone) {
  ASSERT_TRUE(load("sum(A, 1)", reals));
  for (onf::Statement& statement : module.functions.back().body) {
    auto* nest = std::get_if<Nest>(&statement.form);
    if (nest == nullptr) continue;
    for (onf::Statement& inner : nest->body) {
      if (auto* fold = std::get_if<Fold>(&inner.form)) {
        fold->regrouping.emplace();
        fold->regrouping->reals = true;
      }
    }
  }
  EXPECT_NE(remarks().find("is of a fold within a kernel"), std::string::npos) << remarks();
}

TEST_F(Regroupings, ArePrintedWithTheForm) {
  ASSERT_EQ(made("sum(v, 0)", {real("v", {70000})}), "fold 4096 by 64 reals");
  const std::string text = onf::to_string(term::Store(), module);
  EXPECT_NE(text.find(" in blocks of 4096, each as 64 folds, where reals may be regrouped"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace rhopsi
