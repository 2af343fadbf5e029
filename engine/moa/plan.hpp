// Let points: an array expression as several normal forms, one after the other.
//
// A normal form computes an element of a subterm at each place that asks for it. Where that costs
// more than the subterm's array would, the subterm is a stage of its own: its elements are stored
// and read by the stages behind it.
//
//   matmul(matmul(A, B), C)  =>  t1 = matmul(A, B); matmul(t1, C)
//
// A contraction (contraction.hpp) of integers, or of reals where Limits::reassociate is set, is
// computed in the order that costs least, its intermediate products stored where that is cheaper:
//
//   matmul(matmul(A, B), C)  =>  t1[k, j] = sum of B[k, l] * C[l, j]; sum of A[i, k] * t1[k, j]
//
// Reals then differ in their last digits, and where there are infinities. Otherwise operations are
// neither reordered nor regrouped.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "engine/moa/reduce.hpp"

namespace rhopsi::moa {

// Why a subterm is stored: numbers for all elements together (cost.hpp says how they are counted).
inline constexpr std::int64_t most_counted = std::int64_t{1} << 62;  // or more

struct Choice {
  std::int64_t operations = 0;  // to compute the stage
  std::int64_t stores = 0;      // its elements
  std::int64_t recomputed = 0;  // operations where every place computed what it needs of it
};

struct Stage {
  std::string name;  // "t1"; of no account for the result
  NormalForm form;
  Choice choice{};  // of no account for the result
};

// The order of a contraction that is not computed as it is written.
struct ContractionOrder {
  std::string contraction;  // "fold _+_ (k < 20, k2 < 2) (A[i, k] * B[k, k2] * C[k2, j])"
  std::string order;        // "A[i, k] * (B[k, k2] * C[k2, j])"
  std::int64_t written =
      0;  // operations of the stage that holds it, nothing stored and as it is written
  std::int64_t operations = 0;  // of this order
};

// The last stage is the result. The leaves of each are the expression's and then one for each
// earlier stage, in order; all have the same Expressions. The first one's assumptions are those
// of the whole expression, and no other has any. Computing a stage that is stored cannot fail.
struct Plan {
  std::vector<Stage> stages;
  std::vector<ContractionOrder> contractions = {};

  Plan() = default;
  explicit Plan(NormalForm form) { stages.push_back({"result", std::move(form)}); }

  const NormalForm& result() const { return stages.back().form; }
  // The arrays that come from outside.
  const std::vector<Leaf>& leaves() const { return stages.front().form.leaves; }
};

// As reduce() gives it, if nothing is worth storing. Otherwise in the same terms: the values, their
// types and what is an error are those of reduce().
tl::expected<Plan, Problem> plan(const Library& library, term::TermId expression,
                                 std::vector<Leaf> leaves, const Limits& limits = {});
// The same for an expression of a program: stages' leaves come behind those of the place.
tl::expected<Plan, Problem> plan(const Library& library, term::TermId expression,
                                 const Place& place, const Limits& limits = {});

// The orders of contractions, the stages in order, then the result:
//   contraction fold _+_ (k < 20, k2 < 2) (A[i, k] * B[k, k2] * C[k2, j])
//     as A[i, k] * (B[k, k2] * C[k2, j]): 43 200 operations; at each element as it is written, 1
//     080 000
//   let t1: stored, 16 000 operations and 400 stores; recomputed it would be 320 000 operations
//     shape: 20 20
//     [0, 20) x [0, 20): fold _+_ (k < 20) (A[i, k] * B[k, j])
//   shape: 20 20
//   ...
std::string to_string(const Plan& plan);
std::string accesses_to_string(const Plan& plan);

}  // namespace rhopsi::moa
