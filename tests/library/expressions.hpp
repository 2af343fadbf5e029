// The rule library, and what expressions over it are by the reference evaluator.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/primitives/primitives.hpp"
#include "engine/rewrite/interval_oracle.hpp"
#include "frontend/elaborate/elaborate.hpp"
#include "tests/library/rows.hpp"

namespace rhopsi::library {

class Expressions {
 public:
  // What each row's expression is: "[[1, 2], [3, 4]]", "2.5", "true", or "error: " and the
  // message.
  std::vector<std::string> evaluate(const std::vector<Row>& rows);

 private:
  std::vector<bool> refused(const std::vector<Row>& rows);
  std::shared_ptr<const term::Theory> elaborate(const std::vector<Row>& rows,
                                                syntax::Diagnostics& diagnostics);

  term::Store store_;
  rewrite::IntervalOracle oracle_;
  std::unique_ptr<onf::PrimitiveTable> table_ = primitives::make_table(onf::Scalar::float64);
  std::unique_ptr<elaborate::Workspace> workspace_;
};

}  // namespace rhopsi::library
