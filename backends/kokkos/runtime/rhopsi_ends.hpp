// Rows of which there is one or another by where they are, as beyond the ends of an axis: chosen in
// front of the loop along them, which then has no choice in it.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>

#include "rhopsi_platform.hpp"

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
  if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>) {
    return c ? static_cast<const T*>(a) : static_cast<const T*>(b);
  } else {
    return ChosenRow<A, B>{c, a, b};
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
