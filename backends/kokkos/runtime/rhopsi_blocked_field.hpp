// Arrays whose elements lie in blocks along the last axis: W indices of it with all indices of the
// other axes, then the next W. So what many steps of a fold read for neighbouring elements lies
// together, however long the last axis is.
//
// Vectors (load_lanes) do not go from block to block where they begin at a multiple of their lanes,
// of which W is one.
#pragma once

#include <utility>

#include "rhopsi_shapes.hpp"

namespace rhopsi {

// What kernels read and write through. Of a last block that is not full the rest is never read.
template <class T, int R, int W>
class BlockedRef {
  static_assert(R >= 2 && W >= 2 && (W & (W - 1)) == 0, "blocks of a power of two");

 public:
  // `rows` of a block: as many as the other axes have indices together.
  BlockedRef(T* memory, const Domain<R>& domain, std::int64_t rows) : memory_(memory), rows_(rows) {
    for (int a = 0; a < R - 1; ++a) extent_[a] = domain.extent[a];
  }

  template <class... Indices>
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(Indices... indices) const {
    static_assert(sizeof...(Indices) == R, "as many indices as axes");
    const std::int64_t at[R] = {static_cast<std::int64_t>(indices)...};
    std::int64_t row = at[0];
    for (int a = 1; a < R - 1; ++a) row = row * extent_[a] + at[a];
    constexpr auto width = static_cast<std::uint64_t>(W);
    const auto last = static_cast<std::uint64_t>(at[R - 1]);
    return memory_[(static_cast<std::int64_t>(last / width) * rows_ + row) * W +
                   static_cast<std::int64_t>(last % width)];
  }

 private:
  T* memory_;
  std::int64_t extent_[R - 1] = {};
  std::int64_t rows_;
};

// A value of array type that a function makes and gives to nobody.
template <class T, int R, int W>
class BlockedField {
 public:
  BlockedField() = default;
  BlockedField(const Domain<R>& domain, Field<T, 3> blocks)
      : domain_(domain), blocks_(std::move(blocks)) {}

  const Domain<R>& domain() const { return domain_; }
  // As of a Field, whose places are integers of a type; those in blocks have 64 bits.
  template <class = std::int64_t>
  BlockedRef<const T, R, W> read() const {
    return {blocks_.memory(), domain_, rows()};
  }
  template <class = std::int64_t>
  BlockedRef<T, R, W> write() {
    return {blocks_.memory(), domain_, rows()};
  }

 private:
  std::int64_t rows() const { return blocks_.domain().extent[1]; }

  Domain<R> domain_;
  Field<T, 3> blocks_;  // of the blocks, the rows of one, and their elements
};

// An array of this shape. Of a length below zero, and of more elements than there can be,
// make_field tells.
template <class T, int W, class... Lengths>
RHOPSI_NOINLINE BlockedField<T, static_cast<int>(sizeof...(Lengths)), W> make_blocked_field(
    const char* label, Lengths... lengths) {
  constexpr int rank = static_cast<int>(sizeof...(Lengths));
  const Domain<rank> domain{{static_cast<std::int64_t>(lengths)...}, 0};
  detail::check_lengths(label, domain.extent, rank, sizeof(T));
  std::int64_t rows = domain.size() == 0 ? 0 : 1;
  for (int a = 0; a < rank - 1; ++a) rows *= rows == 0 ? 1 : domain.extent[a];
  const std::int64_t blocks = (domain.extent[rank - 1] + W - 1) / W;
  return {domain, make_field<T>(label, blocks, rows, std::int64_t{W})};
}

}  // namespace rhopsi
