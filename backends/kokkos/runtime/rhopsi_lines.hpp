// Loops over rounds that go line by line, for hosts: a thread does all rounds of some lines, then
// those of others, so that what one round makes the next one, and what follows, finds in a cache.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rhopsi_kernels.hpp"
#include "rhopsi_pool.hpp"

namespace rhopsi {

namespace detail {

template <int... Axes>
constexpr bool is_among(int axis) {
  bool found = false;
  for (const int each : {Axes...}) found = found || each == axis;
  return found;
}

}  // namespace detail

// The bytes of one line of an array with these extents: of all indices of the other axes than
// these.
template <class T, int... Axes, int R>
std::int64_t bytes_of_line(const Index<R>& extents) {
  std::int64_t elements = sizeof(T);
  for (int axis = 0; axis < R; ++axis) {
    if (!detail::is_among<Axes...>(axis)) elements *= extents[axis];
  }
  return elements;
}
// The same of an array; nothing if it has not so many axes.
template <int... Axes, class T, int R>
std::int64_t bytes_of_line(const Field<T, R>& field) {
  if constexpr (((Axes < R) && ...)) {
    Index<R> extents{};
    for (int axis = 0; axis < R; ++axis) extents[axis] = field.domain().extent[axis];
    return bytes_of_line<T, Axes...>(extents);
  }
  return 0;
}

// Of one line: of arrays that are there, and of those that a thread has for its block alone.
struct LineBytes {
  std::int64_t shared;
  std::int64_t own = 0;
  std::int64_t own_arrays = 0;
};

// Lines of an array that lie one behind the other: neighbours of different lines side by side.
template <class T, int R>
class LinesRef {
 public:
  LinesRef(T* elements, const Index<R>& low, const Index<R>& strides) : stride_(strides) {
    for (int axis = 0; axis < R; ++axis) before_ += low[axis] * strides[axis];
    elements_ = elements;
  }
  template <class... Indices>
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(Indices... indices) const {
    static_assert(sizeof...(Indices) == R, "as many indices as axes");
    std::int64_t at = -before_;
    int axis = 0;
    ((at += static_cast<std::int64_t>(indices) * stride_[axis++]), ...);
    return elements_[at];
  }
  LinesRef<const T, R> read_only() const { return {elements_, stride_, before_}; }

 private:
  template <class, int>
  friend class LinesRef;
  LinesRef(T* elements, const Index<R>& strides, std::int64_t before)
      : elements_(elements), stride_(strides), before_(before) {}

  T* elements_;
  Index<R> stride_;
  std::int64_t before_ = 0;
};

// Memory for the arrays of a block of lines.
class LineMemory {
 public:
  explicit LineMemory(char* memory) : next_(memory) {}

  // The lines of the block of an array with these extents. Its elements are those that the block
  // before has left.
  template <class T, int... Axes, int R, int A>
  FieldRef<T, R> lines(const char* name, const Box<A>& block, const Index<R>& extents) {
    Index<R> low{}, sides = extents;
    int place = 0;
    ((low[Axes] = block.lo[place], sides[Axes] = block.length(place), ++place), ...);
    Domain<R> whole{};
    std::int64_t elements = 1;
    for (int axis = 0; axis < R; ++axis) {
      whole.extent[axis] = extents[axis];
      elements *= sides[axis];
    }
    T* const memory = reinterpret_cast<T*>(next_);
    next_ += rounded(elements * static_cast<std::int64_t>(sizeof(T)));
    return FieldRef<T, R>(memory, low, sides, whole, name);
  }

  // The same of lines that do not lie side by side in other arrays: here they do, but in checked
  // programs, which know whole arrays.
  template <class T, int... Axes, int R, int A>
  auto lines_apart(const char* name, const Box<A>& block, const Index<R>& extents) {
#ifdef RHOPSI_CHECKED
    return lines<T, Axes...>(name, block, extents);
#else
    (void)name;
    Index<R> low{}, strides{};
    std::int64_t elements = 1;
    int place = A;
    const int axes[] = {Axes...};
    while (place-- > 0) {
      strides[axes[place]] = elements;
      low[axes[place]] = block.lo[place];
      elements *= block.length(place);
    }
    for (int axis = R - 1; axis >= 0; --axis) {
      if (detail::is_among<Axes...>(axis)) continue;
      strides[axis] = elements;
      elements *= extents[axis];
    }
    T* const memory = reinterpret_cast<T*>(next_);
    next_ += rounded(elements * static_cast<std::int64_t>(sizeof(T)));
    return LinesRef<T, R>(memory, low, strides);
#endif
  }

  static std::int64_t rounded(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

 private:
  char* next_;
};

namespace detail {

// Where neighbours lie side by side, blocks have no fewer of them: lines of a cache are whole, and
// so are vectors.
inline constexpr std::int64_t least_neighbours = 64;
// And no more where they do not, since each has a place of its own in the nearest cache.
inline constexpr std::int64_t most_apart = 16;

// How many indices of each axis a block of lines has.
template <int A>
struct LineBlocks {
  Box<A> lines;
  std::int64_t sides[A], counts[A];
  std::int64_t items = 1;

  // Of so many bytes a line. `beside`: neighbours along the last of the axes lie side by side.
  LineBlocks(const Box<A>& over, std::int64_t bytes, bool beside, std::int64_t threads)
      : lines(over) {
    std::int64_t room =
        std::max<std::int64_t>(1, core_cache() / 2 / std::max<std::int64_t>(1, bytes));
    if (!beside) room = std::min(room, most_apart);
    // As many as there is room for, those of the last axis first, and some blocks for each thread.
    for (int axis = A - 1; axis >= 0; --axis) {
      const std::int64_t least = beside && axis == A - 1 ? least_neighbours : 1;
      const std::int64_t share = std::max(least, share_of(axis, threads));
      std::int64_t side = std::min(std::max(room, least), share) / least * least;
      side = std::min(side, lines.length(axis));
      room = std::max<std::int64_t>(1, room / side);
      sides[axis] = side;
      counts[axis] = (lines.length(axis) + side - 1) / side;
      items *= counts[axis];
    }
  }

  std::int64_t lines_of_block() const {
    std::int64_t product = 1;
    for (const std::int64_t side : sides) product *= side;
    return product;
  }
  Box<A> block(std::int64_t item) const {
    Box<A> made;
    for (int axis = A - 1; axis >= 0; --axis) {
      made.lo[axis] = lines.lo[axis] + item % counts[axis] * sides[axis];
      made.hi[axis] = std::min(made.lo[axis] + sides[axis], lines.hi[axis]);
      item /= counts[axis];
    }
    return made;
  }

 private:
  // How many leave each thread two blocks, if those in front along other axes are too few.
  std::int64_t share_of(int axis, std::int64_t threads) const {
    std::int64_t in_front = 1;
    for (int other = 0; other < axis; ++other) in_front *= lines.length(other);
    const std::int64_t blocks = (2 * threads + in_front - 1) / in_front;
    return (lines.length(axis) + blocks - 1) / blocks;
  }
};

template <int A, class F>
struct LineLoop {
  const F& shared;
  const LineBlocks<A>& blocks;
  char* memory;
  std::int64_t bytes;  // for each thread
};

template <int A, class F>
RHOPSI_NOINLINE void run_lines(const void* loop, std::int64_t run, std::int64_t runs) {
#ifdef RHOPSI_CHECKED
  const checked::PartScope scope;
#endif
  const auto& [shared, blocks, memory, bytes] = *static_cast<const LineLoop<A, F>*>(loop);
  // A copy whose address nobody has: what it captured stays in registers, whatever is stored.
  const F f = shared;
  const std::int64_t items = blocks.items;
  for (std::int64_t item = items * run / runs; item < items * (run + 1) / runs; ++item)
    f(blocks.block(item), LineMemory(memory + run * bytes));
}

}  // namespace detail

// f(Box, LineMemory) for boxes that make up `lines`, in any order and by any thread: f does all
// rounds of these lines. `beside`: neighbours along the last axis of the box lie side by side in
// memory.
template <int A, class F>
void for_each_block_of_lines(const char* label, const Box<A>& lines, const LineBytes& bytes,
                             bool beside, const F& f) {
  if (lines.size() == 0) return;
#ifdef RHOPSI_CHECKED
  const checked::KernelScope scope(label);
#endif
  const std::int64_t all = detail::concurrency(), of_line = bytes.shared + bytes.own;
  const detail::LineBlocks<A> blocks(lines, of_line, beside, all);
  const std::int64_t elements = lines.size() * (of_line / 8 + 1);
  const std::int64_t threads = elements < detail::serial_below ? 1 : std::min(all, blocks.items);
  const std::int64_t memory =
      LineMemory::rounded(blocks.lines_of_block() * bytes.own) + 64 * bytes.own_arrays;
  const detail::Scratch scratch(
      static_cast<std::size_t>(bytes.own_arrays > 0 ? memory * threads : 0));
  const detail::LineLoop<A, F> loop{f, blocks, scratch.memory(), memory};
  if (threads == 1)
    detail::run_lines<A, F>(&loop, 0, 1);
  else
    detail::run_parts(label, {detail::run_lines<A, F>, &loop, threads});
}

// A loop all of whose rounds this thread does, for as long as it takes.
class InOrder {
 public:
#ifdef RHOPSI_CHECKED
  explicit InOrder(const char* label) : kernel_(label) {}

 private:
  const checked::KernelScope kernel_;
  const checked::PartScope part_;
#else
  explicit InOrder(const char*) {}
#endif
};

// The element that is computed next, as a message names it.
template <class... I>
KOKKOS_FORCEINLINE_FUNCTION void at_element([[maybe_unused]] I... at) {
#ifdef RHOPSI_CHECKED
  const std::int64_t index[] = {static_cast<std::int64_t>(at)...};
  detail::at_iteration<static_cast<int>(sizeof...(I))>(index, index[sizeof...(I) - 1]);
#endif
}

}  // namespace rhopsi
