// Contractions as n-ary nodes, and the orders that are chosen for them.
#include "engine/moa/contraction.hpp"

#include <algorithm>
#include <functional>
#include <random>

#include "engine/moa/contraction_order.hpp"
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi::moa {
namespace {

using test::Input;
using test::real;

const std::vector<Input> factors{{"A", {100, 2}},
                                 {"B", {2, 20}},
                                 {"C", {20, 90}},
                                 {"D", {90, 3}},
                                 {"v", {20}},
                                 {"w", {20}},
                                 {"T", {8, 8, 8, 8}},
                                 {"M", {8, 8}},
                                 {"R", {100, 2}, real},
                                 {"S", {2, 20}, real},
                                 {"U", {20, 90}, real},
                                 {"x", {std::nullopt, std::nullopt}},
                                 {"y", {std::nullopt, std::nullopt}},
                                 {"z", {std::nullopt}}};

Plan ordered(const std::string& text, const Limits& limits = {}) {
  return test::planned(text, factors, limits);
}

Limits regrouping() {
  Limits limits;
  limits.reassociate = true;
  return limits;
}

// Whatever an allocation costs.
Limits small() {
  Limits limits;
  limits.allocation = 0;
  return limits;
}

std::string orders(const std::string& text, const Limits& limits = {}) {
  std::string lines;
  for (const ContractionOrder& each : ordered(text, limits).contractions)
    lines += each.order + "\n";
  return lines;
}

// --- the node

std::string node(const std::string& text, Regrouping regrouping = Regrouping::exact) {
  const auto form = test::expressions().reduce(text, factors);
  EXPECT_TRUE(form) << text;
  if (!form) return "";
  const auto found = contraction_of(*form->expressions, form->pieces[0].element, regrouping);
  if (!found) return "none";
  const ContractionText made = text_of(*form, *found);
  std::string operands;
  for (const std::string& operand : made.operands) operands += " " + operand;
  return made.indices + operands;
}

TEST(Contraction, IsTheSameHoweverItIsWritten) {
  const std::string expected =
      "fold _+_ (k < 2, k2 < 20, k3 < 90) A[i, k] B[k, k2] C[k2, k3] D[k3, j]";
  EXPECT_EQ(node("matmul(matmul(matmul(A, B), C), D)"), expected);
  EXPECT_EQ(node("matmul(A, matmul(B, matmul(C, D)))"), expected);
  EXPECT_EQ(node("matmul(matmul(A, B), matmul(C, D))"), expected);
  EXPECT_EQ(node("sum(sum(T, 3), 2)"), "fold _+_ (k < 8, k2 < 8) T[i, j, k, k2]");
}

TEST(Contraction, OfRealsOnlyWhereTheyMayBeRegrouped) {
  EXPECT_EQ(node("matmul(R, S)"), "none");
  EXPECT_EQ(node("matmul(R, S)", Regrouping::also_reals), "fold _+_ (k < 2) R[i, k] S[k, j]");
}

TEST(Contraction, ASquareHasIndicesOfItsOwn) {
  EXPECT_EQ(node("sum(v * sum(w, 0) * sum(w, 0), 0)"),
            "fold _+_ (k < 20, k2 < 20, k3 < 20) v[k] w[k2] w[k3]");
}

TEST(Contraction, TakesInWhatIsIndependentOnly) {
  // The inner sum goes up to the outer index.
  EXPECT_EQ(node("sum(v * cumsum(w, 0), 0)"),
            "fold _+_ (k < 20) v[k] (fold _+_ (k2 < k + 1) w[k2])");
  // No product, and no sum.
  EXPECT_EQ(node("sum(v + sum(w, 0), 0)"), "fold _+_ (k < 20) (v[k] + (fold _+_ (k2 < 20) w[k2]))");
  EXPECT_EQ(node("maximum(v * sum(w, 0), 0)"), "none");
}

// --- orders

double brute_force(const std::vector<IndexSet>& operands, IndexSet summed,
                   const std::vector<double>& lengths) {
  struct Part {
    IndexSet kept;
    unsigned operands;
  };
  const auto volume = [&](IndexSet set) {
    double product = 1;
    for (std::size_t k = 0; k < lengths.size(); ++k) {
      if ((set >> k & 1) != 0) product *= lengths[k];
    }
    return product;
  };
  const auto elsewhere = [&](unsigned these) {
    IndexSet set = 0;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if ((these >> k & 1) == 0) set |= operands[k];
    }
    return set;
  };
  double first = 0;
  std::vector<Part> parts;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const IndexSet within = operands[k] & summed & ~elsewhere(1U << k);
    if (within != 0) first += volume(operands[k]);
    parts.push_back({operands[k] & ~within, 1U << k});
  }
  // Every pair next, and so on.
  const std::function<double(const std::vector<Part>&)> least = [&](const std::vector<Part>& left) {
    if (left.size() == 1) return 0.0;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < left.size(); ++a) {
      for (std::size_t b = a + 1; b < left.size(); ++b) {
        std::vector<Part> next;
        for (std::size_t k = 0; k < left.size(); ++k) {
          if (k != a && k != b) next.push_back(left[k]);
        }
        const unsigned both = left[a].operands | left[b].operands;
        const IndexSet joined = left[a].kept | left[b].kept;
        const IndexSet within = joined & summed & ~elsewhere(both);
        next.push_back({joined & ~within, both});
        best = std::min(best, volume(joined) * (within != 0 ? 2 : 1) + least(next));
      }
    }
    return best;
  };
  return first + least(parts);
}

double cost_of(const Order& order, const std::vector<IndexSet>& operands,
               const std::vector<double>& lengths) {
  double sum = 0;
  for (const OrderNode& node : order) {
    double volume = 1;
    const IndexSet all = node.parts ? order[node.parts->left].kept | order[node.parts->right].kept
                                    : operands[node.operand];
    for (std::size_t k = 0; k < lengths.size(); ++k) {
      if ((all >> k & 1) != 0) volume *= lengths[k];
    }
    const int operations = (node.parts ? 1 : 0) + (node.summed != 0 ? 1 : 0);
    sum += volume * operations;
  }
  return sum;
}

TEST(ContractionOrder, IsTheCheapestOfAll) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t indices = 1 + random() % 6;
    std::vector<double> lengths;
    for (std::size_t k = 0; k < indices; ++k) lengths.push_back(double(1 + random() % 30));
    std::vector<IndexSet> operands;
    IndexSet there = 0;
    for (std::size_t k = 0; k < 1 + random() % 5; ++k) {
      operands.push_back(random() % (1U << indices));
      there |= operands.back();
    }
    const IndexSet summed = random() & there;
    const Order order = cheapest_order(operands, summed, lengths);
    EXPECT_EQ(order.size(), 2 * operands.size() - 1);
    EXPECT_EQ(order.back().kept, there & ~summed);
    EXPECT_EQ(cost_of(order, operands, lengths), brute_force(operands, summed, lengths));
  }
}

TEST(ContractionOrder, OfAChainOfMatrices) {
  EXPECT_EQ(orders("matmul(matmul(A, B), C)"), "A[i, k] * (B[k, k2] * C[k2, j])\n");
  EXPECT_EQ(orders("matmul(A, matmul(B, matmul(C, D)))"),
            "A[i, k] * ((B[k, k2] * C[k2, k3]) * D[k3, j])\n");
  EXPECT_EQ(orders("matmul(matmul(matmul(A, B), C), D)"),
            "A[i, k] * ((B[k, k2] * C[k2, k3]) * D[k3, j])\n");
}

TEST(ContractionOrder, OfReals) {
  EXPECT_EQ(orders("matmul(matmul(R, S), U)"), "");
  EXPECT_EQ(orders("matmul(matmul(R, S), U)", regrouping()), "R[i, k] * (S[k, k2] * U[k2, j])\n");
  // 2 * (2 * 20 * 90 + 100 * 2 * 90)
  EXPECT_EQ(ordered("matmul(matmul(R, S), U)", regrouping()).contractions[0].operations, 43'200);
}

// All four indices of T by M, one after the other: 4 * 2 * 8^5 operations instead of 8^8 * 5.
TEST(ContractionOrder, OfAFourIndexTransformation) {
  const std::string text = "inner_add_mul(M, inner_add_mul(inner_add_mul(T, M), M))";
  const Plan made = ordered(text);
  ASSERT_EQ(made.contractions.size(), 1U);
  EXPECT_LE(made.contractions[0].operations, 3 * 2 * 8 * 8 * 8 * 8 * 8);
}

TEST(ContractionOrder, AFactorIsTakenOutOfTheSum) {
  const Plan made = ordered("sum(outer_mul(v, w), 0)", small());
  ASSERT_EQ(made.contractions.size(), 1U);
  EXPECT_EQ(to_string(made.result(), made.result().pieces[0].element),
            "w[i] * (fold _+_ (k < 20) v[k])");
}

TEST(ContractionOrder, WithLengthsThatAreNotKnown) {
  // A vector is less than a matrix, whatever its length.
  EXPECT_EQ(orders("matmul(matmul(x, y), z)"), "x[i, k] * (y[k, k2] * z[k2])\n");
}

TEST(ContractionOrder, StaysWhereAnErrorCouldBecomeAnother) {
  // Where A has no rows, nothing is divided.
  EXPECT_EQ(orders("matmul(matmul(A, 100 / B), C)"), "");
}

// Parts of it are, each for itself.
TEST(ContractionOrder, StaysWhereThereAreTooManyOperands) {
  std::string text = "x";
  for (int k = 0; k < 11; ++k) text = "matmul(" + text + ", x)";
  for (const ContractionOrder& each : ordered(text).contractions) {
    EXPECT_LE(std::ranges::count(each.order, '*'), most_ordered_operands - 1) << each.order;
    // One name for each index, also for those of folds around it.
    EXPECT_EQ(each.order.find("x[k, k]"), std::string::npos) << each.order;
    EXPECT_GT(each.written, 0);
  }
}

TEST(ContractionOrder, ThatIsWrittenIsKeptWhereNoOtherIsBetter) {
  const Plan made = ordered("matmul(T, M)");
  EXPECT_TRUE(made.contractions.empty());
  EXPECT_EQ(made.stages.size(), 1U);
}

// A sum depends on what says how far it goes.
TEST(ContractionOrder, WhereASumGoesUpToAnIndex) {
  const Plan made = ordered("cumsum(matmul(M, M * 3), 0)", small());
  for (const Stage& stage : made.stages) {
    for (const Piece& piece : stage.form.pieces) {
      const Expressions& all = *stage.form.expressions;
      std::vector<VariableId> bound = stage.form.indices;
      all.any(piece.element, [&](ExprId id) {
        if (all[id].kind == Node::Kind::fold) bound.push_back(all[id].variable);
        return false;
      });
      EXPECT_FALSE(all.any(piece.element, [&](ExprId id) {
        return all[id].kind == Node::Kind::variable &&
               std::ranges::find(bound, all[id].variable) == bound.end();
      })) << to_string(made);
    }
  }
}

TEST(ContractionOrder, WhereWhatIsSummedIsTheSameEachTime) {
  const Plan made =
      ordered("cumsum(sum(0 * iota(30), 0) + sum(outer_mul(w, w), 0) * sum(v, 0), 0)", small());
  EXPECT_FALSE(made.contractions.empty());
}

// Stages of both kinds: what the sum of products is read from moves behind what is new.
TEST(ContractionOrder, WithinWhatIsStoredAnyway) {
  const Plan made = ordered("outer_add(matmul(matmul(A, B), v), matmul(matmul(A, B), w) / 2)");
  EXPECT_EQ(made.contractions.size(), 2U) << to_string(made);
  for (std::size_t k = 0; k < made.stages.size(); ++k) {
    EXPECT_EQ(made.stages[k].form.leaves.size(), factors.size() + k);
  }
}

TEST(ContractionOrder, IsPrinted) {
  EXPECT_EQ(to_string(ordered("matmul(matmul(A, B), C)")),
            "contraction fold _+_ (k < 2, k2 < 20) (A[i, k] * B[k, k2] * C[k2, j])\n"
            "  as A[i, k] * (B[k, k2] * C[k2, j]): 43 200 operations; at each element as it is "
            "written, 1 080 000\n"
            "let t1: stored, 7 200 operations and 180 stores; recomputed it would be 720 000 "
            "operations\n"
            "  shape: 2 90\n"
            "  [0, 2) x [0, 90): fold _+_ (k < 20) (B[i, k] * C[k, j])\n"
            "shape: 100 90\n"
            "[0, 100) x [0, 90): fold _+_ (k < 2) (A[i, k] * t1[k, j])\n");
}

}  // namespace
}  // namespace rhopsi::moa
