// One contraction of a form in the order that is cheapest. Internal to this folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/moa/contraction.hpp"
#include "engine/moa/contraction_order.hpp"
#include "engine/moa/cost.hpp"
#include "engine/moa/plan.hpp"
#include "engine/moa/safety.hpp"

namespace rhopsi::moa {

// Where a contraction stands: in the element of a piece.
struct FoundContraction {
  std::size_t piece;
  ExprId expression;
  Contraction contraction;
};

// What becomes of a form.
struct Regrouped {
  NormalForm form;                 // reads the stages as leaves behind its own
  std::vector<NormalForm> stages;  // in the order in which they are computed
  std::vector<Choice> choices;     // of each
  std::vector<ExprId> sums;        // the sums that stand for the contraction now
  Order order;
  Cost cost;  // of all together
};

// Nothing where no order is cheaper than the one in which it is written, or none can be shown to
// give the same values and errors. `known` holds; `stored` are the leaves that are stages.
std::optional<Regrouped> regrouped(const NormalForm& form, const FoundContraction& found,
                                   const std::vector<Assumption>& known, const StoredShapes& stored,
                                   const Limits& limits);

// "A[i, k] * (B[k, k2] * C[k2, j])"
std::string order_text(const Order& order, const std::vector<std::string>& operands);

}  // namespace rhopsi::moa
