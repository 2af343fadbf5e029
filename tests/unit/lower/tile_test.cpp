// Tiles of nests whose elements are folds: which nests get one, and what the verifier says of those
// that are made by hand.
#include "engine/onf/tile.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "engine/lower/normal_form.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/verify.hpp"
#include "engine/schedule/tile_folds.hpp"
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi {
namespace {

using moa::test::Input;
using onf::Nest;
using onf::Tile;

class Tiles : public ::testing::Test {
 protected:
  // The form of an expression; false where it has none.
  bool load(const std::string& text, const std::vector<Input>& inputs) {
    module = lower::module_of_forms("forms");
    const auto form = moa::test::expressions().reduce(text, inputs);
    return form && lower::lower(*form, "f", module);
  }
  // What tile_folds makes of its nests, behind what the verifier says then.
  std::string tiled(const std::string& text, const std::vector<Input>& inputs) {
    if (!load(text, inputs)) return "no form";
    const auto found = schedule::tile_folds(module, schedule::standard_machine());
    std::string said = remarks();
    for (const Nest* nest : nests()) {
      if (!nest->tile) {
        said += "none";
        continue;
      }
      const Tile& tile = *nest->tile;
      if (tile.running) {
        said += "goes on along axis " + std::to_string(*tile.running);
        continue;
      }
      said += tile.axis
                  ? std::to_string(tile.rows) + " of axis " + std::to_string(*tile.axis) + ", "
                  : "";
      said += std::to_string(tile.vectors) + " x " + std::to_string(tile.lanes);
      said += std::string(tile.wide ? ", wide" : "") + (tile.packs ? ", packed" : "");
      if (tile.fold_block > 0) said += " by " + std::to_string(tile.fold_block);
    }
    return said;
  }
  // What the verifier says of the only nest with this tile.
  std::string with(const std::function<void(Tile&)>& change) {
    std::vector<Nest*> all = nests();
    Tile tile;
    change(tile);
    all.back()->tile = tile;
    return remarks();
  }
  std::string remarks() const {
    std::string said;
    for (const onf::Problem& problem : onf::verify(module)) {
      said += problem.code + ": " + problem.message + "\n";
    }
    return said;
  }
  std::vector<Nest*> nests() {
    std::vector<Nest*> found;
    for (onf::Statement& statement : module.functions.back().body) {
      if (auto* nest = std::get_if<Nest>(&statement.form)) found.push_back(nest);
    }
    return found;
  }
  onf::Module module;
};

const std::vector<Input> two = {{"A", {40, 50}}, {"B", {50, 60}}};

TEST_F(Tiles, ProductsShareRowsAndLanes) {
  EXPECT_EQ(tiled("matmul(A, B)", two), "14 of axis 0, 2 x 8, packed by 256");
  EXPECT_EQ(tiled("matmul(A, transpose(B))", {{"A", {40, 50}}, {"B", {60, 50}}}),
            "14 of axis 0, 2 x 8, packed by 256");
  // What is stored is not the sum itself, which then has to be whole.
  EXPECT_EQ(tiled("matmul(A, B) * 2", two), "14 of axis 0, 2 x 8, packed");
  // No more rows than there are.
  EXPECT_EQ(tiled("matmul(A, B)", {{"A", {3, 50}}, {"B", {50, 60}}}),
            "3 of axis 0, 2 x 8, packed by 256");
}

TEST_F(Tiles, ReductionsStreamOrGoSideBySide) {
  EXPECT_EQ(tiled("sum(A, 0)", {{"A", {500, 700}}}), "384 x 8, wide");
  EXPECT_EQ(tiled("sum(A, 1)", {{"A", {500, 700}}}), "8 x 1");
  EXPECT_EQ(tiled("matmul(A, x)", {{"A", {500, 700}}, {"x", {700}}}), "8 x 1");
}

// A fold of folds outside of nests is one of what a nest makes: where the inner ones are across
// rows, and where each step of theirs may have to wait for the one before.
TEST_F(Tiles, FoldsOfFoldsAreSplit) {
  const std::vector<Input> reals = {{"A", {500, 700}, onf::Scalar::float64}};
  const std::vector<Input> integers = {{"A", {500, 700}, onf::Scalar::int64}};
  // The last nest stores the number.
  EXPECT_EQ(tiled("sum(sum(A * A, 0), 0)", reals), "384 x 8, widenone");
  EXPECT_EQ(tiled("sum(sum(A * A, 1), 0)", reals), "8 x 1none");
  EXPECT_EQ(tiled("sum(sum(A, 0), 0)", integers), "384 x 8, widenone");
  // In blocks already, in any order.
  EXPECT_EQ(tiled("sum(sum(A, 1), 0)", integers), "none");
  EXPECT_EQ(tiled("maximum(maximum(A, 0), 0)", reals), "384 x 8, widenone");
  EXPECT_EQ(tiled("sum(sum(sum(B, 0), 0), 0)", {{"B", {20, 30, 40}, onf::Scalar::float64}}),
            "5 x 8none");
}

TEST_F(Tiles, ScansGoOnFromElementToElement) {
  EXPECT_EQ(tiled("cumsum(A, 1)", {{"A", {50, 70}}}), "goes on along axis 1");
  EXPECT_EQ(tiled("cumminimum(A * 2, 0) + A", {{"A", {50, 70}}}), "goes on along axis 0");
  EXPECT_EQ(tiled("cumproduct(A, 1)", {{"A", {50, 70, 3}}}), "goes on along axis 1");
}

TEST_F(Tiles, FoldsGoOnFromAnyElement) {
  // From the end, and from the second one on.
  EXPECT_EQ(tiled("reverse(cumsum(A, 1), 1)", {{"A", {50, 70}}}), "goes on along axis 1");
  EXPECT_EQ(tiled("drop(cumsum(A, 1), 1, 1)", {{"A", {50, 70}}}), "goes on along axis 1");
  EXPECT_EQ(tiled("reverse(cumsum(A, 0), 0)", {{"A", {50, 70}}}), "goes on along axis 0");
}

TEST_F(Tiles, OtherFoldsOfDifferentLengthsStayAsTheyAre) {
  EXPECT_EQ(tiled("forall (p < shape(A)) (fold _+_ (k < at(p, 1) / 2) (psi([at(p, 0), k], A)))",
                  {{"A", {50, 70}}}),
            "none");
  EXPECT_EQ(
      tiled("forall (p < shape(A)) (fold _+_ (k < at(p, 0) + at(p, 1)) (psi([k % 50, 0], A)))",
            {{"A", {50, 70}}}),
      "none");
}

TEST_F(Tiles, WhatIsNoFoldHasNone) {
  EXPECT_EQ(tiled("A + A", {{"A", {50, 70}}}), "none");
  EXPECT_EQ(tiled("sum(A, 0)", {{"A", {50}}}), "none");  // there is no axis for lanes
}

TEST_F(Tiles, MadeByHandAreAcceptedOrRefused) {
  ASSERT_TRUE(load("matmul(A, B) * 2", two));
  EXPECT_EQ(with([](Tile& t) { t.lanes = 4, t.axis = 0, t.rows = 3, t.packs = true; }), "");
  EXPECT_EQ(with([](Tile& t) { t.lanes = 4, t.vectors = 5; }), "");
  const std::string wrong = "E0525: the tile of a nest of result ";
  EXPECT_EQ(with([](Tile& t) { t.lanes = 3; }), wrong + "has no size\n");
  EXPECT_EQ(with([](Tile& t) { t.vectors = 0; }), wrong + "has no size\n");
  EXPECT_EQ(with([](Tile& t) { t.axis = 1, t.rows = 2; }),
            wrong + "has rows of no axis of its own\n");
  EXPECT_EQ(with([](Tile& t) { t.rows = 2; }), wrong + "has rows of no axis of its own\n");
  EXPECT_EQ(with([](Tile& t) { t.wide = true, t.axis = 0; }),
            wrong + "keeps in a cache what it has of several rows or folds\n");
  // Twice the sum of a part is not what the sum goes on from.
  EXPECT_EQ(with([](Tile& t) { t.axis = 0, t.rows = 2, t.packs = true, t.fold_block = 16; }),
            wrong + "keeps in the target what is not the fold itself\n");
}

TEST_F(Tiles, FoldsGoOnAlongTheirOwnAxisAlone) {
  const std::string wrong = "E0525: the tile of a nest of result ";
  const std::string other =
      "has folds that are not those of the elements before and one step more\n";
  ASSERT_TRUE(load("cumsum(A, 1)", {{"A", {50, 70}}}));
  EXPECT_EQ(with([](Tile& t) { t.running = 1; }), "");
  EXPECT_EQ(with([](Tile& t) { t.running = 0; }), wrong + other);
  EXPECT_EQ(with([](Tile& t) { t.running = 2; }), wrong + other);
  EXPECT_EQ(with([](Tile& t) { t.running = 1, t.lanes = 8; }),
            wrong + "has rows or lanes, and folds that go on from one another\n");
  ASSERT_TRUE(load("drop(cumsum(A, 1), 1, 1)", {{"A", {50, 70}}}));
  EXPECT_EQ(with([](Tile& t) { t.running = 1; }), "");
  EXPECT_EQ(with([](Tile& t) { t.running = 0; }), wrong + other);
  ASSERT_TRUE(load("sum(A, 1)", {{"A", {50, 70}}}));
  EXPECT_EQ(with([](Tile& t) { t.running = 0; }), wrong + other);
}

TEST_F(Tiles, LanesOfOneLengthAreDemanded) {
  ASSERT_TRUE(load("cumsum(A, 0)", {{"A", {50, 70}}}));
  EXPECT_EQ(with([](Tile& t) { t.lanes = 8; }), "");
  EXPECT_NE(with([](Tile& t) { t.axis = 0, t.rows = 2; }).find("folds are of different lengths"),
            std::string::npos);
  ASSERT_TRUE(load("cumsum(A, 1)", {{"A", {50, 70}}}));
  EXPECT_NE(with([](Tile& t) { t.lanes = 8; }).find("folds are of different lengths"),
            std::string::npos);
  ASSERT_TRUE(load("A + 1", {{"A", {50, 70}}}));
  EXPECT_NE(with([](Tile& t) { t.lanes = 8; }).find("no folds"), std::string::npos);
}

// A check inside of a fold names one element: it stays where it is.
TEST_F(Tiles, ChecksWithinFoldsKeepTheirPlace) {
  EXPECT_EQ(tiled("sum(gather(A, 0, v), 0)", {{"A", {50, 70}}, {"v", {9}, onf::Scalar::int64}}),
            "none");
}

}  // namespace
}  // namespace rhopsi
