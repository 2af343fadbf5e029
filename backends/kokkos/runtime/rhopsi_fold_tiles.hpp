// Nests whose elements are folds, on hosts: tiles of elements whose folds go on together.
//
// Each element is combined in the order in which its fold says, by the operations that it says:
// results are those of one element after the other.
#pragma once

#include "rhopsi_register_tiles.hpp"
#include "rhopsi_small_tiles.hpp"
#include "rhopsi_wide_tiles.hpp"

namespace rhopsi {

// target(i, ..., j) = element(i, ..., j, lanes that count, value of the outermost fold) for every
// index of the box.
template <class Int, class Shape, int R, class Folds, class Rows, class Lanes_, class Element,
          class Target>
void for_each_tile(const char* label, const Box<R>& box, const TileBlocks& blocks,
                   const Folds& folds, const Rows& row_operands, const Lanes_& lane_operands,
                   const Element& element, const Target& target) {
  // Of a template's parameter, so that it is asked only of programs that have a tile.
  static_assert(on_host && R > 0, "scheduled for a host: emit this program again for its device");
  if (box.size() == 0) return;
#ifdef RHOPSI_CHECKED
  const checked::KernelScope scope(label);
#endif
  if constexpr (Shape::wide) {
    detail::WideTileLoop<Int, Shape, R, std::tuple_element_t<0, Folds>, Element, Target>{
        box, std::get<0>(folds), element, target}
        .run(label);
  } else {
    // Larger ones have indices of 64 bits.
    constexpr bool packs = std::tuple_size_v<Lanes_> != 0;
    if constexpr (packs && !Shape::direct && sizeof(Int) == 4) {
      detail::SmallTileLoop<Int, Shape, R, Folds, Rows, Lanes_, Element, Target> small(
          box, folds, row_operands, lane_operands, element, target);
      if (small.fits()) return small.run(label);
    }
    detail::TileLoop<Int, Shape, R, Folds, Rows, Lanes_, Element, Target>(
        box, blocks, folds, row_operands, lane_operands, element, target)
        .run(label);
  }
}

}  // namespace rhopsi
