// Expressions over the rule library, evaluated in two ways that share no code.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/primitives/primitives.hpp"
#include "engine/moa/reduce.hpp"
#include "engine/rewrite/interval_oracle.hpp"
#include "frontend/elaborate/elaborate.hpp"
#include "tests/library/rows.hpp"

namespace rhopsi::library {

// What a row is: "[[1, 2], [3, 4]]", "2.5", "true", or "error: " and the message.
struct Results {
  std::string by_definitions;  // operation by operation
  std::string by_normal_form;  // the shapes of the arrays being known
  std::string by_ranks;        // the ranks being known; empty where that is not enough
};

class Expressions {
 public:
  std::vector<Results> evaluate(const std::vector<Row>& rows);

 private:
  std::vector<bool> refused(const std::vector<Row>& rows);
  std::shared_ptr<const term::Theory> elaborate(const std::vector<Row>& rows,
                                                syntax::Diagnostics& diagnostics);
  std::string reduced(const moa::Library& library, const term::Callable& function, const Row& row,
                      bool shapes_known);

  term::Store store_;
  rewrite::IntervalOracle oracle_;
  std::unique_ptr<onf::PrimitiveTable> table_ =
      primitives::make_table(onf::Scalar::float64, primitives::Numbers::promoting);
  std::unique_ptr<elaborate::Workspace> workspace_;
};

}  // namespace rhopsi::library
