// What the folds of the elements of a tile have come to, in registers, and how they go on: each
// element in the order in which its fold says, by the operations that it says.
#pragma once

#include "rhopsi_fold_terms.hpp"

namespace rhopsi::detail {

// Of tiles of Shape::rows by Shape::vectors of Shape::lanes.
template <class Int, class Shape, int R, class Folds>
class TileSums : protected FoldSteps<Int, R, Shape::axis, Folds> {
  using Steps = FoldSteps<Int, R, Shape::axis, Folds>;
  static constexpr int rows = Shape::rows, vectors = Shape::vectors, lanes = Shape::lanes;
  template <int Level>
  using By = typename std::tuple_element_t<Level, Folds>::Combine;

 protected:
  using Steps::depth;
  using Steps::folds_;
  using typename Steps::Calls;
  template <int Level>
  using Value = typename std::tuple_element_t<Level, Folds>::Value;
  template <class T, int Rows = rows>
  struct Sums {
    Lanes<T, lanes> at[Rows * vectors];
  };
  // The first element of a tile, and the steps of the fold, if it is one alone.
  struct Place {
    const Int* at;
    Int i0, j0, k0, k1;
  };

  explicit TileSums(const Folds& folds) : Steps(folds) {}

  // f(row, vector) for each, numbers that are known when this is compiled.
  template <int Rows = rows, class F>
  static RHOPSI_INLINED void each(const F& f) {
    each_of(f, std::make_index_sequence<Rows * vectors>{});
  }

  // What is the same for all lanes is a scalar.
  template <class T>
  static RHOPSI_INLINED Lanes<T, lanes> lanes_of(Lanes<T, lanes> value) {
    return value;
  }
  static RHOPSI_INLINED Lanes<Value<Steps::depth - 1>, lanes> lanes_of(
      Value<Steps::depth - 1> value) {
    return Lanes<Value<Steps::depth - 1>, lanes>::all(value);
  }

  // Of how many rows there is a value.
  template <int Level>
  static constexpr int rows_of() {
    return std::tuple_element_t<Level, Folds>::of_all_rows ? 1 : rows;
  }

  // The folds from Level on. `spot(row, vector)`: indices of the row and of the first lane, and how
  // many lanes count; `innermost(row, vector)`: the term at the steps `fold`, which are `step`
  // steps from the first one. `goes_on`: sums are there already.
  template <int Level, class Spot, class Innermost>
  RHOPSI_INLINED void combine(const Place& tile, Sums<Value<Level>, rows_of<Level>()>& sums,
                              bool goes_on, Int* fold, std::int64_t& step, const Spot& spot,
                              const Innermost& innermost) const {
    constexpr int own_rows = rows_of<Level>();
    const Int end =
        depth == 1 ? tile.k1 : this->template count_of<Level>(tile.at, tile.i0, tile.j0, fold);
    Int k = depth == 1 ? tile.k0 : 0;
    const auto term = [&](auto&& take) RHOPSI_INLINED {
      fold[Level] = k;
      if constexpr (Level + 1 < depth) {
        constexpr int inner_rows = rows_of<Level + 1>();
        Sums<Value<Level + 1>, inner_rows> inner;
        combine<Level + 1>(tile, inner, false, fold, step, spot, innermost);
        each<own_rows>([&](auto r, auto v) RHOPSI_INLINED {
          const auto [i, j, count] = spot(r, v);
          constexpr int of_row = inner_rows == 1 ? 0 : r.value;
          take(sums.at[r * vectors + v],
               Calls::template call<Level + 1>(std::get<Level>(folds_).term, tile.at, i, j, fold,
                                               count, inner.at[of_row * vectors + v]));
        });
      } else {
        each<own_rows>([&](auto r, auto v)
                           RHOPSI_INLINED { take(sums.at[r * vectors + v], innermost(r, v)); });
        ++step;
      }
    };
    using Sum = Lanes<Value<Level>, lanes>;
    if (!goes_on) {
      if (k < end) {
        term([](Sum& sum, const Sum& first) RHOPSI_INLINED { sum = first; });
        ++k;
      } else {
        each<own_rows>([&](auto r, auto v) RHOPSI_INLINED {
          sums.at[r * vectors + v] = Sum::all(By<Level>::template unit<Value<Level>>());
        });
      }
    }
    for (; k < end; ++k)
      term([](Sum& sum, const Sum& next) RHOPSI_INLINED { sum = By<Level>::combine(sum, next); });
  }

 private:
  template <class F, std::size_t... U>
  static RHOPSI_INLINED void each_of(const F& f, std::index_sequence<U...>) {
    (f(std::integral_constant<int, static_cast<int>(U) / vectors>{},
       std::integral_constant<int, static_cast<int>(U) % vectors>{}),
     ...);
  }
};

}  // namespace rhopsi::detail
