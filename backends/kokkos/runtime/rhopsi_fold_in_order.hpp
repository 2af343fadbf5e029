// Folds whose steps are taken one after the other: terms are computed by vectors, and then combined
// in their order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "rhopsi_fold_levels.hpp"
#include "rhopsi_lanes.hpp"

namespace rhopsi {

namespace detail {

// So many terms are computed at a time, by vectors, before they are combined one after the other.
inline constexpr int terms_at_once = 256;
// Of shorter rows the vectors take longer to begin with than they save.
inline constexpr std::int64_t short_row = 16;

// Combines what the innermost of joined levels has at all indices, from `Level` on, with `result`
// in the order of these; `first`: there is none yet.
template <int Level, class Levels, class Result, class... Outer>
RHOPSI_INLINED inline void fold_in_sequence(const Levels& levels, Result& result, bool& first,
                                            const Outer... outer) {
  const auto& level = std::get<Level>(levels);
  const std::int64_t count = level.count(outer...);
  std::int64_t k = 0;
  if constexpr (Level + 1 < static_cast<int>(std::tuple_size_v<Levels>)) {
    for (; k < count; ++k) fold_in_sequence<Level + 1>(levels, result, first, outer..., k);
  } else {
    // Of its own, so that it stays in a register.
    Result so_far = result;
    if (count < short_row) {
      if (first && count > 0) {
        so_far = level.term(outer..., k++);
        first = false;
      }
      for (; k < count; ++k)
        so_far = first_level<Levels>::Combine::combine(so_far, level.term(outer..., k));
    }
    while (k < count) {
      alignas(64) Result terms[terms_at_once];
      const int run = static_cast<int>(std::min<std::int64_t>(count - k, terms_at_once));
      const auto part = [&](auto within, std::int64_t from, std::int64_t end) RHOPSI_INLINED {
        RHOPSI_SIMD
        for (std::int64_t step = from; step < end; ++step) {
          if constexpr (within.value)
            terms[step - k] = level.within(outer..., step);
          else
            terms[step - k] = level.term(outer..., step);
        }
      };
      if constexpr (std::decay_t<decltype(level)>::ranges)
        each_part(level.range(outer...), k, k + run, part);
      else
        part(std::false_type{}, k, k + run);
      RHOPSI_IN_TURN;
      int c = 0;
      if (first) so_far = terms[c++];
      first = false;
      for (; c < run; ++c) so_far = first_level<Levels>::Combine::combine(so_far, terms[c]);
      k += run;
    }
    result = so_far;
  }
}

}  // namespace detail

}  // namespace rhopsi
