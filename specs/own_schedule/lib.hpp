// The user's side of own_schedule.mg: a schedule for three axes that works block by
// block, 8 by 8 rows at a time, one block per unit of parallel work.
//
// What the block of own_schedule.mg requires are the template parameters, in the order of
// its declarations: the types, then substepIx, an object that can be called in kernels. Arrays
// reach it as what `read()` gives.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

template <class Array, class Float, class Index, class SubstepIx>
struct blocked {
  SubstepIx substepIx;

  Array schedule(const Array& u, const Array& v, const Array& u0, const Array& u1,
                 const Array& u2) const {
    constexpr std::int64_t side = 8;
    const auto domain = u.domain();
    const std::int64_t n0 = domain.extent[0], n1 = domain.extent[1], n2 = domain.extent[2];
    const std::int64_t blocks0 = (n0 + side - 1) / side, blocks1 = (n1 + side - 1) / side;

    Array result("blocked", domain);
    const auto out = result.overwrite();
    const auto u_ = u.read(), v_ = v.read(), u0_ = u0.read(), u1_ = u1.read(), u2_ = u2.read();
    const SubstepIx element = substepIx;
    Kokkos::parallel_for(
        "blocked schedule",
        Kokkos::RangePolicy<Kokkos::IndexType<std::int64_t>>(0, blocks0 * blocks1),
        KOKKOS_LAMBDA(const std::int64_t block) {
          const std::int64_t i0 = block / blocks1 * side, j0 = block % blocks1 * side;
          const std::int64_t i1 = i0 + side < n0 ? i0 + side : n0;
          const std::int64_t j1 = j0 + side < n1 ? j0 + side : n1;
          for (std::int64_t i = i0; i < i1; ++i) {
            for (std::int64_t j = j0; j < j1; ++j) {
              for (std::int64_t k = 0; k < n2; ++k) {
                const Index ix{{i, j, k}};
                const Float value = element(u_, v_, u0_, u1_, u2_, ix);
                out(ix) = value;
              }
            }
          }
        });
    Kokkos::fence();
    return result;
  }
};
