// Arrays of the caller's, as the functions of <Program>_kernels.hpp take them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "rhopsi_error.hpp"
#include "rhopsi_exec.hpp"
#include "rhopsi_index.hpp"

namespace rhopsi {

// Where an array lies: its first element, its lengths and its strides, in elements. T is const
// where elements are only read. Nothing is kept after the call that it is given to.
//
// It is made of any Kokkos::View of R axes over T, whatever its layout. What is dense and
// row-major (Kokkos::LayoutRight) where kernels run, of an array without pads, is used where it
// lies; anything else is copied for the call. A program that keeps its axes in another order (its
// header says so) uses what is dense in that order where it lies. Lengths and strides are of the
// caller's axes all the same, and null strides mean what is row-major in the caller's order.
template <class T, int R>
struct ArrayView {
  static constexpr int axes = R > 0 ? R : 1;

  T* data = nullptr;
  std::int64_t extent[axes] = {};
  std::int64_t stride[axes] = {};
  bool reachable = true;  // by kernels: false for host memory where these run on a device

  ArrayView() = default;

  // `strides` null: dense and row-major. For arrays in memory of the host.
  ArrayView(T* first, const std::int64_t* extents, const std::int64_t* strides)
      : data(first), reachable(by_kernels<Kokkos::HostSpace>()) {
    std::int64_t dense = 1;
    for (int a = R - 1; a >= 0; --a) {
      if (extents == nullptr || extents[a] < 0)
        throw Error("an array of " + std::to_string(R) + " axes needs " + std::to_string(R) +
                        " lengths of at least 0",
                    codes::shapes);
      extent[a] = extents[a];
      stride[a] = strides != nullptr ? strides[a] : dense;
      if (__builtin_mul_overflow(dense, extent[a] > 0 ? extent[a] : 1, &dense))
        throw Error("an array is too large", codes::size);
    }
    if (first == nullptr && size() > 0) throw Error("an array has no memory", codes::shapes);
  }

  template <class View, class = std::enable_if_t<Kokkos::is_view<View>::value>>
  ArrayView(
      const View& view)  // NOLINT: a View is meant to be given where one of these is asked for
      : data(view.data()), reachable(by_kernels<typename View::memory_space>()) {
    using Element = typename View::value_type;
    static_assert(std::is_same_v<std::remove_const_t<T>, std::remove_const_t<Element>>,
                  "the View has elements of another type");
    static_assert(static_cast<std::size_t>(View::rank) == R, "the View has another number of axes");
    static_assert(std::is_const_v<T> || !std::is_const_v<Element>,
                  "elements are written: the View must not be one of const elements");
    for (int a = 0; a < R; ++a) {
      extent[a] = static_cast<std::int64_t>(view.extent(static_cast<std::size_t>(a)));
      stride[a] = static_cast<std::int64_t>(view.stride(static_cast<std::size_t>(a)));
    }
  }

  ArrayView<const T, R> read_only() const {
    ArrayView<const T, R> same;
    same.data = data;
    same.reachable = reachable;
    for (int a = 0; a < R; ++a) same.extent[a] = extent[a], same.stride[a] = stride[a];
    return same;
  }

  // The same elements with the axes in that order.
  ArrayView in_order(const Axes<R>& axes) const {
    ArrayView made = *this;
    for (int a = 0; a < R; ++a) {
      made.extent[a] = extent[axes.of[a]];
      made.stride[a] = stride[axes.of[a]];
    }
    return made;
  }

  std::int64_t size() const {
    std::int64_t elements = 1;
    for (int a = 0; a < R; ++a) {
      if (extent[a] == 0) return 0;  // however long the others are
    }
    for (int a = 0; a < R; ++a) elements *= extent[a];
    return elements;
  }

 private:
  template <class Space>
  static constexpr bool by_kernels() {
    constexpr bool there = Kokkos::SpaceAccessibility<Exec, Space>::accessible;
    static_assert(there || Kokkos::SpaceAccessibility<Kokkos::HostSpace, Space>::accessible,
                  "neither the host nor kernels reach the memory of this View");
    return there;
  }
};

// An array that a function makes: row-major, where kernels run. One that is passed to be set is
// stored to where it has the shape and no other View refers to its memory, or becomes a new one.
template <class T, int R>
struct MadeView {
  using type = typename MadeView<T*, R - 1>::type;
};
template <class T>
struct MadeView<T, 0> {
  using type = Kokkos::View<T, Kokkos::LayoutRight, Memory>;
};
template <class T, int R>
using Made = typename MadeView<T, R>::type;

}  // namespace rhopsi
