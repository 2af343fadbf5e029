// What is chosen in front of the loop along a row, which then has no choice in it: rows of which
// there is one or another by where they are, as beyond the ends of an axis, and sides that are the
// same for all elements.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>

#include "rhopsi_along_row.hpp"

namespace rhopsi {

// A row that is not there as an address, as those of checked builds.
template <class A, class B>
struct ChosenRow {
  bool first;
  A a;
  B b;
  KOKKOS_FORCEINLINE_FUNCTION auto operator[](std::int64_t k) const { return first ? a[k] : b[k]; }
};

// c ? a : b of rows of elements of type T.
template <class T, class A, class B>
KOKKOS_FORCEINLINE_FUNCTION auto choose_row(bool c, const A& a, const B& b) {
  const auto first = plain_row(a), second = plain_row(b);
  using First = std::remove_const_t<decltype(first)>;
  using Second = std::remove_const_t<decltype(second)>;
  if constexpr (std::is_pointer_v<First> && std::is_pointer_v<Second>) {
    return c ? static_cast<const T*>(first) : static_cast<const T*>(second);
  } else {
    return ChosenRow<First, Second>{c, first, second};
  }
}

// f(what the condition is), which the compiler knows in what it makes of f.
template <class F>
KOKKOS_FORCEINLINE_FUNCTION void on_side(bool condition, const F& f) {
  if (condition) {
    f(std::true_type{});
  } else {
    f(std::false_type{});
  }
}

// A row whose elements are all one number: `n` of them, and `pad` beyond each end. Made in front of
// the kernel that reads it, which holds a copy: all copies are of the same elements, which are
// there as long as one of them is.
template <class T>
class ConstantRow {
 public:
  ConstantRow(T value, std::int64_t n, std::int64_t pad)
      : elements_(new T[static_cast<std::size_t>(n + 2 * pad)]), pad_(pad) {
    std::fill_n(elements_.get(), n + 2 * pad, value);
  }
  const T* row() const { return elements_.get() + pad_; }

 private:
  std::shared_ptr<T[]> elements_;
  std::int64_t pad_;
};

}  // namespace rhopsi
