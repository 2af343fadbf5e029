// What a thread of a team sees of a pipeline for devices (rhopsi_teams.hpp), plane by plane along
// axis 0.
//
// A team has a tile of the other axes and a slab of planes. A thread has so many consecutive rows
// of a plane of the tile, and of what is beyond it, at one index of the last axis, for all stages
// and planes: what it has computed or loaded itself for the last few planes is in its registers,
// and a ring of these planes in memory that the team shares is for the others, which wait at
// barriers. Arrays come in by copies to such rings, asked for a plane before they are read. Teams
// never wait for one another, and nothing is read of pads. A host does the threads of a team one
// after the other, and has no registers to keep: there everything is in the rings.
//
// Which plane of a ring is where follows from the plane's number modulo the planes of the rings.
// The loop over planes is written out for each remainder, so that it is known to the compiler.
#pragma once

#include <type_traits>
#include <utility>

#include "rhopsi_kernels.hpp"

namespace rhopsi {

// An axis of a tile: so many indices, and so many more below and above.
template <int Low, int Own, int High>
struct Side {
  static constexpr int low = Low, own = Own, high = High;
  static constexpr int length = Low + Own + High;
};

// The plane of a tile, and the rows of it that a thread has. Alike: all arrays lie in memory as one
// does.
template <int Rows, bool Alike, class... Sides>
struct TilePlane {
  static constexpr int axes = sizeof...(Sides);
  static constexpr int rows = Rows;
  static constexpr bool alike = Alike;

  // Axes count from the first of the plane.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int low(int axis) {
    const int all[] = {Sides::low...};
    return all[axis];
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int own(int axis) {
    const int all[] = {Sides::own...};
    return all[axis];
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int length(int axis) {
    const int all[] = {Sides::length...};
    return all[axis];
  }
  static constexpr int width = length(axes - 1);
  static constexpr int height = (Sides::length * ...) / width;
  static constexpr int threads = width * ((height + Rows - 1) / Rows);
  static constexpr int size = threads * Rows;  // elements; the last rows may be no one's

  // How many rows an index further on each of the axes is.
  static constexpr int rows_further(const int* by) {
    int rows = 0;
    for (int a = 0; a + 1 < axes; ++a) {
      int apart = 1;
      for (int b = a + 1; b + 1 < axes; ++b) apart *= length(b);
      rows += by[a] * apart;
    }
    return rows;
  }
};

// What a stage does beyond a slab and a tile: below and above on each axis.
template <int... Margins>
struct Around {
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int low(int axis) {
    const int all[] = {Margins...};
    return all[2 * axis];
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int high(int axis) {
    const int all[] = {Margins...};
    return all[2 * axis + 1];
  }
};

// A moment of a team's way through its planes, and its remainder; which plane of the arrays is the
// one of the next moment.
template <int Phase>
struct Moment {
  static constexpr int phase = Phase;
  int at, next;
};

namespace detail {

template <int... N, class F>
KOKKOS_FORCEINLINE_FUNCTION void each_of(std::integer_sequence<int, N...>, const F& f) {
  (f(std::integral_constant<int, N>()), ...);
}
// f(0), f(1), ... with numbers that are known to the compiler.
template <int Count, class F>
KOKKOS_FORCEINLINE_FUNCTION void written_out(const F& f) {
  each_of(std::make_integer_sequence<int, Count>(), f);
}

// The circular index of one that is seldom beyond the ends; 0 < n.
KOKKOS_FORCEINLINE_FUNCTION int circular(int i, int n) {
  if (i >= 0 && i < n) return i;
  const int rest = i % n;
  return rest < 0 ? rest + n : rest;
}

// Where a plane of an array begins: an address that is computed once for all of its elements, which
// are at 32 bits from it.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T* plane_at(T* origin, int plane, std::int64_t stride) {
  T* begin = origin + std::uint64_t{static_cast<unsigned>(plane)} * static_cast<unsigned>(stride);
#if defined(__CUDA_ARCH__)
  asm("" : "+l"(begin));
  __builtin_assume(__isGlobal(begin));
#endif
  return begin;
}

// A copy of one element to shared memory, which need not be there before `copies_arrived`.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void copy_ahead(T* to, const T* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
    const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if constexpr (sizeof(T) == 4) {
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared), "l"(from) : "memory");
    } else {
      asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(shared), "l"(from) : "memory");
    }
    return;
  }
#endif
  *to = *from;
}
KOKKOS_FORCEINLINE_FUNCTION void copies_are_one_plane() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Those of all planes but the last that was asked for.
KOKKOS_FORCEINLINE_FUNCTION void copies_arrived() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group 1;" ::: "memory");
#endif
}

}  // namespace detail

// The tiles of a domain (rhopsi_teams.hpp).
template <int R>
struct Teams;

template <class Team, int Phase, int Row>
struct TeamElement;

// One team, as a thread of it sees it.
template <int R, class Plane>
class Team {
 public:
  int low[R], high[R], extent[R];  // the tile

  KOKKOS_FUNCTION Team(const Teams<R>& teams, std::int64_t number, int thread, char* memory)
      : memory_(memory) {
    for (int a = R - 1; a >= 0; --a) {
      extent[a] = teams.extent[a];
      if (a == 0) break;
      low[a] = static_cast<int>(number % teams.count[a]) * teams.side[a];
      high[a] = low[a] + teams.side[a] < extent[a] ? low[a] + teams.side[a] : extent[a];
      number /= teams.count[a];
    }
    const std::int64_t planes = extent[0];
    low[0] = static_cast<int>(planes * number / teams.count[0]);
    high[0] = static_cast<int>(planes * (number + 1) / teams.count[0]);
    for (int a = 1; a < R; ++a) stride_[a] = teams.stride[a];
    be(thread);
  }

  KOKKOS_FORCEINLINE_FUNCTION char* memory() const { return memory_; }
  KOKKOS_FORCEINLINE_FUNCTION void barrier() const {
#if defined(__CUDA_ARCH__)
    __syncthreads();
#endif
  }

  // Through the planes from `before` in front of the slab to `behind` it: fetch(now) asks for the
  // arrays' plane of the moment behind the given one, stages(now) does what is to be done.
  template <int Planes, class Fetch, class Stages>
  KOKKOS_FORCEINLINE_FUNCTION void moments(int before, int behind, const Fetch& fetch,
                                           const Stages& stages) {
    const int first = low[0] - before, end = high[0] + behind;
    int next = detail::circular(first, extent[0]);
    const auto follow = [&] { next = next + 1 == extent[0] ? 0 : next + 1; };
#if RHOPSI_ON_DEVICE
    fetch(Moment<Planes - 1>{first - 1, next});
    detail::copies_are_one_plane();
    // Planes behind the last one are computed too, and stored nowhere.
    for (int t = first; t < end; t += Planes) {
      detail::written_out<Planes>([&](auto phase) {
        follow();
        const Moment<decltype(phase)::value> now{t + decltype(phase)::value, next};
        fetch(now);
        detail::copies_are_one_plane();
        detail::copies_arrived();
        stages(now);
      });
    }
#else
    for (int t = first; t < end; t += Planes) {
      detail::written_out<Planes>([&](auto phase) {
        constexpr int before_it = (decltype(phase)::value + Planes - 1) % Planes;
        const int at = t + decltype(phase)::value;
        if (at >= end) return;
        fetch(Moment<before_it>{at - 1, next});
        follow();
        stages(Moment<decltype(phase)::value>{at, next});
      });
    }
#endif
  }

  // The plane behind this moment of an array, to a ring of it.
  template <class Now, class Ring, class Array>
  KOKKOS_FORCEINLINE_FUNCTION void fetch(Now now, Ring& ring, const Array& array) {
    const auto* const from = detail::plane_at(array.origin(), now.next, array.stride(0));
    constexpr int slot = (Now::phase + 1) % Ring::planes;
    each_thread([&] {
      detail::written_out<Plane::rows>([&](auto row) {
        constexpr int m = decltype(row)::value;
        detail::copy_ahead(ring.memory() + slot * Plane::size + place_ + m * Plane::width,
                           from + offset<m>(array));
      });
    });
  }

  // f(element) for the elements of this thread in the plane that is `Lag` behind and in what is
  // around the tile. On a device for all that threads have: what is computed from nothing is read
  // by nobody. With RHOPSI_WITHIN it is not computed, for tools that look for races.
  template <int Lag, class Beyond, class Now, class F>
  KOKKOS_FORCEINLINE_FUNCTION void each(Now now, const F& f) {
#if RHOPSI_ON_DEVICE && !defined(RHOPSI_WITHIN)
    detail::written_out<Plane::rows>([&](auto row) {
      f(TeamElement<Team, Now::phase, decltype(row)::value>{*this, now.at - Lag});
    });
#else
    each_within<Lag, Beyond>(now, f);
#endif
  }
  // The same for those alone: f may have no end elsewhere.
  template <int Lag, class Beyond, class Now, class F>
  KOKKOS_FORCEINLINE_FUNCTION void each_within(Now now, const F& f) {
    const int plane = now.at - Lag;
    if (plane < low[0] - Beyond::low(0) || plane >= high[0] + Beyond::high(0)) return;
    each_thread([&] {
      detail::written_out<Plane::rows>([&](auto row) {
        constexpr int m = decltype(row)::value;
        if (within<m, Beyond>()) f(TeamElement<Team, Now::phase, m>{*this, plane});
      });
    });
  }

  // Of an element of this thread: its index, circular; its place in a plane of a ring and in one of
  // an array; is it in the tile?
  template <int Row>
  KOKKOS_FORCEINLINE_FUNCTION int index(int axis) const {
    return detail::circular(at_[Row][axis], extent[axis]);
  }
  template <int Row>
  KOKKOS_FORCEINLINE_FUNCTION int place() const {
    return place_ + Row * Plane::width;
  }
  template <int Row, class Array>
  KOKKOS_FORCEINLINE_FUNCTION unsigned offset(const Array& array) const {
    if constexpr (Plane::alike) {
      return offset_[Row];
    } else {
      unsigned offset = 0;
      for (int a = 1; a < R; ++a)
        offset += static_cast<unsigned>(index<Row>(a)) * static_cast<unsigned>(array.stride(a));
      return offset;
    }
  }
  template <int Row>
  KOKKOS_FORCEINLINE_FUNCTION bool owns(int plane) const {
    return own_[Row] && plane >= low[0] && plane < high[0];
  }

 private:
  using Nothing = Around<0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>;

  // Takes the part of this thread.
  KOKKOS_FORCEINLINE_FUNCTION void be(int thread) {
    const int last = thread % Plane::width, first_row = thread / Plane::width * Plane::rows;
    place_ = first_row * Plane::width + last;
    detail::written_out<Plane::rows>([&](auto row) {
      constexpr int m = decltype(row)::value;
      at_[m][R - 1] = low[R - 1] - Plane::low(R - 2) + last;
      int rest = first_row + m;
      exists_[m] = rest < Plane::height;
      for (int a = R - 2; a > 0; --a) {
        at_[m][a] = low[a] - Plane::low(a - 1) + rest % Plane::length(a - 1);
        rest /= Plane::length(a - 1);
      }
      own_[m] = within<m, Nothing>();
      unsigned offset = 0;
      for (int a = 1; a < R; ++a) offset += static_cast<unsigned>(index<m>(a)) * stride_[a];
      offset_[m] = offset;
    });
  }
  template <int Row, class Beyond>
  KOKKOS_FORCEINLINE_FUNCTION bool within() const {
    bool all = exists_[Row];
    for (int a = 1; a < R; ++a) {
      all =
          all && at_[Row][a] >= low[a] - Beyond::low(a) && at_[Row][a] < high[a] + Beyond::high(a);
    }
    return all;
  }
  // f() as each thread of the team that this one is.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void each_thread(const F& f) {
#if RHOPSI_ON_DEVICE
    f();
#else
    for (int thread = 0; thread < Plane::threads; ++thread) {
      be(thread);
      f();
    }
#endif
  }

  char* memory_;
  unsigned stride_[R] = {};
  int place_ = 0;
  int at_[Plane::rows][R] = {};  // of axes 1, 2, ...
  unsigned offset_[Plane::rows] = {};
  bool own_[Plane::rows] = {}, exists_[Plane::rows] = {};
};

// What is assigned to an element of an array: of the tile alone.
template <class T>
struct OwnElement {
  T* at;
  bool own;
  KOKKOS_FORCEINLINE_FUNCTION void operator=(const std::remove_const_t<T>& value) const {
    if (own) *at = value;
  }
};

// An element of a thread at a moment.
template <class Team, int Phase, int Row>
struct TeamElement {
  static constexpr int phase = Phase, row = Row;
  const Team& team;
  int plane;  // of axis 0; may be a little beyond the ends

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t index(int axis) const {
    return axis == 0 ? detail::circular(plane, team.extent[0]) : team.template index<Row>(axis);
  }
  // The circular index that is so many further.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t index(int axis, int by) const {
    return detail::circular(static_cast<int>(index(axis)) + by, team.extent[axis]);
  }
  KOKKOS_FORCEINLINE_FUNCTION int place() const { return team.template place<Row>(); }
  // That of an array.
  template <class Array>
  KOKKOS_FORCEINLINE_FUNCTION auto read(const Array& array) const {
    return detail::plane_at(array.origin(), detail::circular(plane, team.extent[0]),
                            array.stride(0))[team.template offset<Row>(array)];
  }
  template <class Array>
  KOKKOS_FORCEINLINE_FUNCTION auto of(const Array& array) const {
    int there = plane;
#if !RHOPSI_ON_DEVICE
    // No address but of what there is; a device does not look at it.
    if (!team.template owns<Row>(plane)) there = team.low[0];
#endif
    auto* const begin = detail::plane_at(array.origin(), there, array.stride(0));
    return OwnElement<std::remove_pointer_t<decltype(array.origin())>>{
        begin + team.template offset<Row>(array), team.template owns<Row>(plane)};
  }
};

// So many planes of a tile and what is beyond it, at this place of the team's memory; and on a
// device what this thread has of them in registers.
template <class T, int Planes, class Plane>
class TeamRing {
 public:
  static constexpr int planes = Planes;

  template <int R>
  KOKKOS_FORCEINLINE_FUNCTION TeamRing(const Team<R, Plane>& team, int place)
      : memory_(reinterpret_cast<T*>(team.memory() + place)) {}
  KOKKOS_FORCEINLINE_FUNCTION T* memory() const { return memory_; }

  // What the thread has fetched for this moment.
  template <class Now, int R>
  KOKKOS_FORCEINLINE_FUNCTION void arrived(Now, const Team<R, Plane>& team) {
#if RHOPSI_ON_DEVICE
    detail::written_out<Plane::rows>([&](auto row) {
      constexpr int m = decltype(row)::value;
      own_[Now::phase][m] = memory_[Now::phase * Plane::size + team.template place<m>()];
    });
#else
    static_cast<void>(team);
#endif
  }

  // What was stored `Age` moments ago, at the element's index plus `By` on axes 1, 2, ...
  template <int Age, int... By, class Element>
  KOKKOS_FORCEINLINE_FUNCTION T at(const Element& element) const {
    static_assert(Age >= 0 && Age < Planes, "a plane that the ring has");
    static_assert(sizeof...(By) == Plane::axes, "as many indices as a plane has axes");
    constexpr int slot = (Element::phase - Age + Planes) % Planes;
    constexpr int by[] = {By...};
    constexpr int rows_further = Plane::rows_further(by), along = by[Plane::axes - 1];
#if RHOPSI_ON_DEVICE
    constexpr int row = Element::row + rows_further;
    if constexpr (along == 0 && row >= 0 && row < Plane::rows) return own_[slot][row];
#endif
    return memory_[slot * Plane::size + rows_further * Plane::width + along + element.place()];
  }

  // To assign to the element.
  template <class Element>
  struct Stored {
    TeamRing& ring;
    const Element& element;
    KOKKOS_FORCEINLINE_FUNCTION void operator=(const T& value) const {
      ring.memory_[Element::phase * Plane::size + element.place()] = value;
#if RHOPSI_ON_DEVICE
      ring.own_[Element::phase][Element::row] = value;
#endif
    }
  };
  template <class Element>
  KOKKOS_FORCEINLINE_FUNCTION Stored<Element> of(const Element& element) {
    return {*this, element};
  }

 private:
  T* memory_;
#if RHOPSI_ON_DEVICE
  T own_[Planes][Plane::rows] = {};
#endif
};

}  // namespace rhopsi
