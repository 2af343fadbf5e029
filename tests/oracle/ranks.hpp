// The numbers of axes that operations can have to do with.
#pragma once

#include "tests/oracle/coverage.hpp"

namespace rhopsi::oracle {

struct Ranks {
  std::int64_t least = 0;
  std::int64_t most = 6;
};

// Of what may stand at a place, and of what an operation along that axis gives.
Ranks operand_ranks(const Place& place);
Ranks result_ranks(const Operation& operation, std::int64_t axis);

}  // namespace rhopsi::oracle
