// A program whose arrays have shapes of their own, as lowering makes them.
#pragma once

#include "engine/onf/form.hpp"

namespace rhopsi::kokkos::test {

// The operational form of
//
//   procedure step(upd u: Array /* 1 axis */, obs A: Array /* 2 axes */, out B: Array,
//                  upd k: Int)                    B := the transpose of A, u := cat(u, [1.5 * k])
//   function total(A: Array): Array               the sums of the rows of A, 2 axes to 1
//   function twice(s: Array): Array               of an array without axes
//   function last(v: Array /* [3] of int32 */): Int32   the last of three elements
onf::Module own_shapes();

}  // namespace rhopsi::kokkos::test
