// Operands of folds that do not depend on the lane, or not on the row: computed once for many tiles
// and laid out in panels, in the order in which tiles read them.
#pragma once

#include "rhopsi_pool.hpp"
#include "rhopsi_tile_sums.hpp"

namespace rhopsi {

// An operand that is computed before. `ByLane`: neighbours along the lanes are neighbours in
// memory.
template <class T, bool ByLane, class F>
struct Operand {
  using Value = T;
  static constexpr bool by_lane = ByLane;
  F value;  // of the nest's indices and those of the folds
};
template <class T, bool ByLane, class F>
Operand<T, ByLane, F> operand(F value) {
  return {value};
}
template <class... Each>
std::tuple<Each...> operands(Each... each) {
  return {each...};
}

namespace detail {

// Where panels of several operands begin, one behind the other.
template <class Tuple>
struct Panels;
template <class... Each>
struct Panels<std::tuple<Each...>> {
  static constexpr std::size_t count = sizeof...(Each);
  using Pointers = std::tuple<typename Each::Value*...>;
  static constexpr std::int64_t element_bytes =
      (std::int64_t{0} + ... + sizeof(typename Each::Value));

  // Each one is of `elements` elements, a multiple of 64.
  static Pointers at(char* memory, std::int64_t elements) {
    Pointers made;
    place(made, memory, elements, std::make_index_sequence<count>{});
    return made;
  }

 private:
  template <std::size_t... K>
  static void place(Pointers& made, char* memory, std::int64_t elements,
                    std::index_sequence<K...>) {
    ((std::get<K>(made) = reinterpret_cast<typename Each::Value*>(memory),
      memory += elements * static_cast<std::int64_t>(sizeof(typename Each::Value))),
     ...);
    (void)memory, (void)elements;
  }
};

// Fills panels for tiles of Shape.
template <class Int, class Shape, int R, class Folds>
class Packing : protected TileSums<Int, Shape, R, Folds> {
  using Steps = TileSums<Int, Shape, R, Folds>;
  static constexpr int width = Shape::width, rows = Shape::rows;

 protected:
  using Steps::depth;
  using typename Steps::Calls;
  explicit Packing(const Folds& folds) : Steps(folds) {}

  // Of a panel.
  std::int64_t panel_steps(Int k0, Int k1) const { return depth == 1 ? k1 - k0 : steps_; }

  template <bool OfRows, class Operands, class Pointers>
  void pack(const Operands& wanted, const Pointers& panels, const Int* at, Int i0, Int i1, Int j0,
            Int j1, Int k0, Int k1) const {
    pack_each<OfRows>(wanted, panels, at, i0, i1, j0, j1, k0, k1,
                      std::make_index_sequence<std::tuple_size_v<Operands>>{});
  }
  template <bool OfRows, class Operands, class Pointers, std::size_t... P>
  void pack_each(const Operands& wanted, const Pointers& panels, const Int* at, Int i0, Int i1,
                 Int j0, Int j1, Int k0, Int k1, std::index_sequence<P...>) const {
    (pack_one<OfRows>(std::get<P>(wanted), std::get<P>(panels), at, i0, i1, j0, j1, k0, k1), ...);
    (void)at, (void)i0, (void)i1, (void)j0, (void)j1, (void)k0, (void)k1;
  }
  // panel[tile][step of the fold][place in the tile]; beyond the end stands the last one again.
  template <bool OfRows, class One, class T>
  RHOPSI_NOINLINE void pack_one(const One& one, T* panel, const Int* at, Int i0, Int i1, Int j0,
                                Int j1, Int k0, Int k1) const {
    constexpr Int side = OfRows ? rows : width;
    const Int begin = OfRows ? i0 : j0, end = OfRows ? i1 : j1;
    const auto value = [&](Int place, const Int* fold) RHOPSI_INLINED {
      return Calls::template call<depth>(one.value, at, OfRows ? place : i0, OfRows ? j0 : place,
                                         fold);
    };
    for (Int first = begin; first < end;
         first += side, panel += std::int64_t{side} * panel_steps(k0, k1)) {
      const Int there = std::min<Int>(side, end - first);
      T* to = panel;
      if constexpr (One::by_lane) {
        this->each_step(at, i0, j0, k0, k1, [&](const Int* fold) RHOPSI_INLINED {
          if (there == side) {
            for (Int place = 0; place < side; ++place) to[place] = value(first + place, fold);
          } else {
            for (Int place = 0; place < there; ++place) to[place] = value(first + place, fold);
            const T last = to[there - 1];
            for (Int place = there; place < side; ++place) to[place] = last;
          }
          to += side;
        });
      } else {
        for (Int place = 0; place < side; ++place) {
          const Int from = first + std::min<Int>(place, there - 1);
          to = panel + place;
          this->each_step(at, i0, j0, k0, k1, [&](const Int* fold) RHOPSI_INLINED {
            *to = value(from, fold);
            to += side;
          });
        }
      }
    }
  }

  std::int64_t steps_ = 0;  // of the folds of one element
};

}  // namespace detail
}  // namespace rhopsi
