// Arrays that have a shape of their own: making them, and what goes wrong inside their loops.
#pragma once

#include <initializer_list>
#include <limits>

#include <unistd.h>

#include "rhopsi_kernels.hpp"

namespace rhopsi {
namespace detail {

inline std::string shape_text(const std::int64_t* lengths, int rank) {
  std::string text;
  for (int a = 0; a < rank; ++a) text += (a > 0 ? "x" : "") + std::to_string(lengths[a]);
  return rank > 0 ? text : "of no axes";
}

// The memory of the machine bounds what an array may take: asking for more may be granted, and
// end the process when it is touched.
inline std::int64_t memory_of_the_machine() {
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || bytes <= 0) return std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(pages) * static_cast<std::int64_t>(bytes);
}

inline void check_lengths(const char* label, const std::int64_t* lengths, int rank,
                          std::int64_t element_bytes) {
  std::int64_t bytes = element_bytes;
  bool empty = false, large = false;
  for (int a = 0; a < rank; ++a) {
    if (lengths[a] < 0)
      throw Error("'" + std::string(label) + "' has a negative length on axis " +
                      std::to_string(a) + ": " + std::to_string(lengths[a]),
                  codes::shapes);
    empty = empty || lengths[a] == 0;
    large = large || (lengths[a] > 0 && __builtin_mul_overflow(bytes, lengths[a], &bytes));
  }
  if (empty) return;
  static const std::int64_t most = memory_of_the_machine();
  if (large || bytes > most)
    throw Error("'" + std::string(label) + "' of shape " + shape_text(lengths, rank) +
                    " is larger than the memory of this machine",
                codes::size);
}

inline void check_axis(const std::string& label, int axis, std::int64_t length,
                       std::int64_t wanted) {
  if (wanted >= 0 && length != wanted)
    throw Error("'" + label + "' has length " + std::to_string(length) + " on axis " +
                    std::to_string(axis) + ", not " + std::to_string(wanted),
                codes::shapes);
}

// Arrays of other ranks are read at one place alone.
template <int R, class T, int Rank, class Int>
bool has_stride(const FieldRef<T, Rank, Int>& array, int axis, std::int64_t stride) {
  return Rank != R || array.stride(axis) == stride;
}

}  // namespace detail

// The last axes of a box as one, as many as lie one behind the other in each of the arrays: so rows
// are long where those of arrays are not. The box itself for programs that check indices, and on
// devices, where neighbouring threads have neighbouring elements anyway.
template <int R, class... Arrays>
Box<R> joined_axes(const Box<R>& box, const Arrays&... arrays) {
  if constexpr (rhopsi_checked || !on_host) {
    return box;
  } else {
    int first = R - 1;
    std::int64_t elements = box.length(R - 1);
    while (first > 0 && box.lo[first] == 0 &&
           (... && detail::has_stride<R>(arrays, first - 1, elements)))
      elements *= box.length(--first);
    if (first == R - 1) return box;
    Box<R> joined = box;
    joined.hi[first] = joined.lo[first] + 1;
    for (int a = first + 1; a < R - 1; ++a) joined.hi[a] = 1;
    joined.hi[R - 1] = elements;
    return joined;
  }
}

// An array of this shape, without pads.
template <class T, class... Lengths>
RHOPSI_NOINLINE Field<T, static_cast<int>(sizeof...(Lengths))> make_field(const char* label,
                                                                          Lengths... lengths) {
  constexpr int rank = static_cast<int>(sizeof...(Lengths));
  const Domain<rank> domain{{static_cast<std::int64_t>(lengths)...}, 0};
  detail::check_lengths(label, domain.extent, rank, sizeof(T));
  return Field<T, rank>(label, domain);
}

// Throws where an axis has another length than the one named; -1 names none.
template <class T, int R>
RHOPSI_NOINLINE void expect_shape(const Field<T, R>& field,
                                  std::initializer_list<std::int64_t> lengths) {
  int axis = 0;
  for (const std::int64_t wanted : lengths) {
    detail::check_axis(field.label(), axis, field.domain().extent[axis], wanted);
    ++axis;
  }
}

// What indices of 32 bits may be bounded by. A smaller one can be given where programs are
// compiled, so that tests reach both ways with small arrays.
#ifndef RHOPSI_GREATEST_NARROW
#define RHOPSI_GREATEST_NARROW 2147483647
#endif

// The type of indices where those of 32 bits are too few: a second instance of each nest. With
// RHOPSI_NARROW_ONLY there is none, which is half of the time to compile.
#ifdef RHOPSI_NARROW_ONLY
using Wide = std::int32_t;
#else
using Wide = std::int64_t;
#endif

// Do 32 bits hold all of these, none of which is below 0?
inline bool narrow(std::initializer_list<std::int64_t> bounds) {
  for (const std::int64_t bound : bounds) {
    if (bound >= 0 && bound <= RHOPSI_GREATEST_NARROW) continue;
#ifdef RHOPSI_NARROW_ONLY
    throw NeedsWide();
#endif
    return false;
  }
  return true;
}

// Where a kernel says that something is wrong: kernels cannot throw.
class FaultRef {
 public:
  explicit FaultRef(std::int64_t* first) : first_(first) {}
  // The fault with the least number is the one that is heard.
  KOKKOS_INLINE_FUNCTION void raise(std::int64_t fault) const {
#if RHOPSI_ON_DEVICE
    Kokkos::atomic_fetch_min(first_, fault);
#else
    std::int64_t heard = __atomic_load_n(first_, __ATOMIC_RELAXED);
    while (fault < heard && !__atomic_compare_exchange_n(first_, &heard, fault, true,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
#endif
  }

 private:
  std::int64_t* first_;
};

class Faults {
 public:
  RHOPSI_NOINLINE Faults()
      : first_(static_cast<std::int64_t*>(Pool::instance().acquire(sizeof(std::int64_t)))) {
    detail::copy_bytes(first_, &none_, sizeof none_, false);
  }
  RHOPSI_NOINLINE ~Faults() { Pool::instance().release(first_, sizeof(std::int64_t)); }
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;

  FaultRef ref() const { return FaultRef(first_); }

  struct Message {
    const char *code, *text;
  };
  // Throws if a kernel has raised one; `messages` by number.
  RHOPSI_NOINLINE void test(std::initializer_list<Message> messages) const {
    std::int64_t first = none_;
    detail::copy_bytes(&first, first_, sizeof first, true);
    if (first == none_) return;
    const Message& found = messages.begin()[first];
    throw Error(found.text, found.code);
  }

 private:
  static constexpr std::int64_t none_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t* first_;
};

}  // namespace rhopsi
