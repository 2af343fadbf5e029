// Where a value is assigned: what tells apart values that have one name.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "engine/term/store.hpp"

namespace rhopsi::schedule {

struct Origin {
  term::LocationId location{};               // of the assignment
  std::vector<term::LocationId> calls = {};  // through which it was come to, the innermost last
  std::int64_t round = 0;                    // of several calls as one, from 0 on
  bool given = false;                        // it comes in instead
  friend auto operator<=>(const Origin&, const Origin&) = default;
};

}  // namespace rhopsi::schedule
