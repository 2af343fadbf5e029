// Where a value is assigned: what tells apart values that have one name.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "engine/term/store.hpp"

namespace rhopsi::schedule {

struct Origin {
  term::LocationId location{};               // of the assignment; of an argument its declaration
  std::vector<term::LocationId> calls = {};  // through which it was come to, the innermost last
  std::int64_t round = 0;                    // of several calls as one, from 0 on
  friend auto operator<=>(const Origin&, const Origin&) = default;
};

}  // namespace rhopsi::schedule
