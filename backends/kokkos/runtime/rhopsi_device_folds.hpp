// Folds to one number where kernels run on a device: its threads compute the terms.
//
// Where the order of the steps is free each thread combines terms that lie as far apart as there
// are threads, so that neighbours read neighbours, and so on with what these have come to.
// Elsewhere the terms come to the host in blocks, and are combined there in their order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "rhopsi_arrays.hpp"
#include "rhopsi_fold_blocks.hpp"
#include "rhopsi_kernels.hpp"
#include "rhopsi_pool.hpp"

namespace rhopsi {
namespace detail {

// What a fold combines by, in kernels.
template <class By>
struct InKernel;
#define RHOPSI_IN_KERNEL(name)                               \
  template <>                                                \
  struct InKernel<fold_by::name> {                           \
    template <class T>                                       \
    KOKKOS_FORCEINLINE_FUNCTION static T combine(T a, T b) { \
      return ::rhopsi::name(a, b);                           \
    }                                                        \
  };
RHOPSI_IN_KERNEL(add)
RHOPSI_IN_KERNEL(multiply)
RHOPSI_IN_KERNEL(minimum)
RHOPSI_IN_KERNEL(maximum)
RHOPSI_IN_KERNEL(and_)
RHOPSI_IN_KERNEL(or_)
#undef RHOPSI_IN_KERNEL

// What some terms have come to; of an extreme also which term that is.
template <class T>
struct PartOfFold {
  T value;
  std::int64_t at;
};

// Of extremes of reals the first of equals stays, whatever the order of the steps: of zeros of both
// signs it is the fold's.
template <class T, class By>
KOKKOS_FORCEINLINE_FUNCTION PartOfFold<T> both_parts(const PartOfFold<T>& a,
                                                     const PartOfFold<T>& b) {
  if constexpr (finds_zero<T, By>) {
    const PartOfFold<T>&first = b.at < a.at ? b : a, &second = b.at < a.at ? a : b;
    const bool least = std::is_same_v<By, fold_by::minimum>;
    return (least ? second.value < first.value : first.value < second.value) ? second : first;
  } else {
    return {InKernel<By>::combine(a.value, b.value), a.at};
  }
}

// The terms thread, thread + threads, ... of one thread. A NaN in front of all stays and any other
// is passed over, so each begins an extreme of reals with the first term of all.
template <class T, class By, class F>
struct FoldTerms {
  F term;
  std::int64_t count, threads;
  PartOfFold<T>* to;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t thread) const {
    const std::int64_t first = finds_zero<T, By> ? 0 : thread;
    PartOfFold<T> made{term(first), first};
    for (std::int64_t k = first == thread ? thread + threads : thread; k < count; k += threads)
      made = both_parts<T, By>(made, PartOfFold<T>{term(k), k});
    to[thread] = made;
  }
};
template <class T, class By>
struct FoldParts {
  const PartOfFold<T>* from;
  std::int64_t count, threads;
  PartOfFold<T>* to;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t thread) const {
    PartOfFold<T> made = from[thread];
    for (std::int64_t k = thread + threads; k < count; k += threads)
      made = both_parts<T, By>(made, from[k]);
    to[thread] = made;
  }
};
template <class T, class F>
struct StoreTerms {
  F term;
  std::int64_t first;
  T* to;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t k) const { to[k] = term(first + k); }
};

// How many threads combine terms, how many what these have come to, and how many terms come to the
// host at a time.
inline constexpr std::int64_t fold_threads = on_host ? 64 : std::int64_t{1} << 17;
inline constexpr std::int64_t part_threads = on_host ? 8 : 512;
inline constexpr std::int64_t terms_in_block = on_host ? 64 : std::int64_t{1} << 22;

inline Box<1> first_of(std::int64_t count) { return {{0}, {count}}; }

template <class T>
class ScratchOf {
 public:
  explicit ScratchOf(std::int64_t count) : memory_(static_cast<std::size_t>(count) * sizeof(T)) {}
  T* begin() const { return reinterpret_cast<T*>(memory_.memory()); }

 private:
  Scratch memory_;
};

template <class T>
std::unique_ptr<T[]> on_the_host(const T* there, std::int64_t count) {
  std::unique_ptr<T[]> here(new T[static_cast<std::size_t>(count)]);
  copy_bytes(here.get(), there, static_cast<std::size_t>(count) * sizeof(T), true);
  return here;
}

template <class T, class By, class F>
T fold_in_any_order(const char* label, std::int64_t count, const F& term) {
  const std::int64_t threads = std::min(count, fold_threads);
  const ScratchOf<PartOfFold<T>> parts(threads);
  for_each_box(label, first_of(threads), FoldTerms<T, By, F>{term, count, threads, parts.begin()});
  const std::int64_t left = std::min(threads, part_threads);
  const ScratchOf<PartOfFold<T>> few(left);
  for_each_box(label, first_of(left), FoldParts<T, By>{parts.begin(), threads, left, few.begin()});
  const auto here = on_the_host<PartOfFold<T>>(few.begin(), left);
  PartOfFold<T> made = here[0];
  for (std::int64_t k = 1; k < left; ++k) made = both_parts<T, By>(made, here[k]);
  return made.value;
}

}  // namespace detail

// The fold of term(0), term(1), ... up to `count` by combine(so far, term), in this order;
// `nothing` where there are none.
template <class T, class F, class Combine>
T fold_on_device_in_order(const char* label, std::int64_t count, T nothing, const F& term,
                          const Combine& combine) {
  if (count <= 0) return nothing;
  const std::int64_t most = std::min(count, detail::terms_in_block);
  const detail::ScratchOf<T> there(most);
  T made{};
  for (std::int64_t first = 0; first < count; first += most) {
    const std::int64_t terms = std::min(most, count - first);
    for_each_box(label, detail::first_of(terms),
                 detail::StoreTerms<T, F>{term, first, there.begin()});
    const auto here = detail::on_the_host<T>(there.begin(), terms);
    for (std::int64_t k = 0; k < terms; ++k)
      made = first + k == 0 ? here[k] : combine(made, here[k]);
  }
  return made;
}

// The same by one of fold_by, with the value that it has in order, whatever order is taken; sums
// and products of reals are in order but with RHOPSI_FAST_MATH.
template <class T, class By, class F>
T fold_on_device(const char* label, std::int64_t count, const F& term) {
  if (count <= 0) return By::template unit<T>();
  if constexpr (detail::any_order<T, By>) {
    return detail::fold_in_any_order<T, By>(label, count, term);
  } else {
    return fold_on_device_in_order<T>(label, count, T{}, term,
                                      [](T a, T b) { return By::combine(a, b); });
  }
}

}  // namespace rhopsi
