// Pipelines for devices: several sweeps in one, plane by plane along axis 0, by teams of threads.
//
// A team has a tile of the other axes and a slab of planes. What a stage computes for later ones
// lies in a ring of a few planes of the tile, in memory that the team shares, with as much beyond
// the tile as is read there: teams never wait for one another. Nothing is read of pads. Runs on
// hosts too, with as many threads in a team as there may be.
#pragma once

#include <utility>

#include "rhopsi_kernels.hpp"

namespace rhopsi {

// An axis of a tile: so many indices, and so many more below and above.
template <int Low, int Own, int High>
struct Side {
  static constexpr int low = Low, own = Own, high = High;
  static constexpr int length = Low + Own + High;
};

// The circular index of one that is a little beyond the ends; 0 < n.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t circular(std::int64_t i, std::int64_t n) {
  while (i < 0) i += n;
  while (i >= n) i -= n;
  return i;
}

// The tiles of a domain, one for each team.
template <int R>
struct Teams {
  static_assert(R > 1, "a plane has an axis");
  std::int64_t extent[R] = {};
  std::int64_t side[R] = {};   // of axis 0: unused, slabs are as even as they can be
  std::int64_t count[R] = {};  // tiles along each axis
  std::int64_t threads = 1;    // wanted in a team
  std::int64_t scratch = 0;    // bytes of a team

  // Slabs have `planes` at least, where there are as many, and are as long as there are enough
  // teams for the device nevertheless.
  template <class... Sides>
  Teams(const Domain<R>& domain, std::int64_t planes, std::int64_t wanted, std::int64_t bytes,
        Sides... sides)
      : side{0, static_cast<std::int64_t>(sides)...}, threads(wanted), scratch(bytes) {
    static_assert(sizeof...(Sides) + 1 == R, "a side for each axis but the first");
    std::int64_t tiles = 1;
    for (int a = 0; a < R; ++a) extent[a] = domain.extent[a];
    for (int a = 1; a < R; ++a) tiles *= count[a] = (extent[a] + side[a] - 1) / side[a];
    // Several for each that run at a time, so that none of them is waited for long.
    const std::int64_t enough = 4 * Exec().concurrency() / threads + 1;
    const std::int64_t most = extent[0] / planes;
    count[0] = tiles > 0 ? (enough + tiles - 1) / tiles : 1;
    if (count[0] > most) count[0] = most > 1 ? most : 1;
  }
  std::int64_t size() const {
    std::int64_t product = 1;
    for (int a = 0; a < R; ++a) product *= extent[a] > 0 ? count[a] : 0;
    return product;
  }
};

// What a thread of a team sees.
template <int R>
class Team {
 public:
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  std::int64_t low[R], high[R];  // the tile

  KOKKOS_FUNCTION Team(const Member& member, const Teams<R>& teams)
      : member_(member),
        memory_(
            static_cast<char*>(member.team_scratch(0).get_shmem(static_cast<int>(teams.scratch)))) {
    std::int64_t number = member.league_rank();
    for (int a = R - 1; a > 0; --a) {
      low[a] = number % teams.count[a] * teams.side[a];
      high[a] = low[a] + teams.side[a] < teams.extent[a] ? low[a] + teams.side[a] : teams.extent[a];
      number /= teams.count[a];
    }
    low[0] = teams.extent[0] * number / teams.count[0];
    high[0] = teams.extent[0] * (number + 1) / teams.count[0];
  }

  KOKKOS_FORCEINLINE_FUNCTION void barrier() const { member_.team_barrier(); }
  KOKKOS_FORCEINLINE_FUNCTION char* memory() const { return memory_; }

  // Does a stage that does so many planes beyond the slab do this one?
  KOKKOS_FORCEINLINE_FUNCTION bool does(std::int64_t plane, std::int64_t below,
                                        std::int64_t above) const {
    return plane >= low[0] - below && plane < high[0] + above;
  }
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION bool owns(I... i) const {
    const std::int64_t index[R] = {static_cast<std::int64_t>(i)...};
    bool all = true;
    for (int a = 0; a < R; ++a) all = all && index[a] >= low[a] && index[a] < high[a];
    return all;
  }

  // f(j, k, ...) for this thread's share of the tile and what is beyond it. Neighbours along the
  // last axis are those of neighbouring threads.
  template <class... Sides, class F>
  KOKKOS_FORCEINLINE_FUNCTION void each(const F& f) const {
    constexpr int total = (Sides::length * ...);
    for (int at = member_.team_rank(); at < total; at += member_.team_size()) {
      visit<1, Sides...>(f, at, total, true);
    }
  }

 private:
  template <int A, class First, class... Rest, class F, class... I>
  KOKKOS_FORCEINLINE_FUNCTION void visit(const F& f, int at, int total, bool inside,
                                         I... before) const {
    const int inner = total / First::length;
    const std::int64_t index = low[A] - First::low + at / inner;
    const bool there = inside && index < high[A] + First::high;
    if constexpr (sizeof...(Rest) == 0) {
      if (there) f(before..., index);
    } else {
      visit<A + 1, Rest...>(f, at % inner, inner, there, before..., index);
    }
  }

  const Member& member_;
  char* memory_;
};

// One plane of a ring, by the indices of the domain.
template <class T, class... Sides>
struct TeamPlane {
  T* memory;
  std::int64_t first;
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(I... i) const {
    static_assert(sizeof...(I) == sizeof...(Sides), "as many indices as a plane has axes");
    std::int64_t at = 0;
    ((at = at * Sides::length + static_cast<std::int64_t>(i)), ...);
    return memory[at - first];
  }
};

// So many planes of a tile and what is beyond it, at this place of the team's memory.
template <class T, int Planes, class... Sides>
class TeamRing {
 public:
  template <int R>
  KOKKOS_FORCEINLINE_FUNCTION TeamRing(const Team<R>& team, int place)
      : memory_(reinterpret_cast<T*>(team.memory() + place)) {
    static_assert(sizeof...(Sides) + 1 == R, "a side for each axis but the first");
    int a = 1;
    ((first_ = first_ * Sides::length + (team.low[a++] - Sides::low)), ...);
  }
  KOKKOS_FORCEINLINE_FUNCTION TeamPlane<T, Sides...> plane(std::int64_t i) const {
    constexpr int size = (Sides::length * ...);
    const int slot = static_cast<int>(euclid_mod(i, static_cast<std::int64_t>(Planes)));
    return {memory_ + slot * size, first_};
  }

 private:
  T* memory_;
  std::int64_t first_ = 0;
};

namespace detail {

template <int R, class F>
struct TeamKernel {
  F f;
  Teams<R> teams;
  KOKKOS_FUNCTION void operator()(const typename Team<R>::Member& member) const {
    const Team<R> team(member, teams);
    f(team);
  }
};

}  // namespace detail

// f(team) by every thread of every team.
template <int R, class F>
void run_teams(const char* label, const Teams<R>& teams, const F& f) {
  if (teams.size() == 0) return;
#ifdef RHOPSI_CHECKED
  const checked::KernelScope scope(label);
#endif
  using Policy = Kokkos::TeamPolicy<Exec>;
  const detail::TeamKernel<R, F> kernel{f, teams};
  const auto per_team = Kokkos::PerTeam(static_cast<int>(teams.scratch));
  const int number = static_cast<int>(teams.size());
  Policy probe(number, 1);
  const int most =
      probe.set_scratch_size(0, per_team).team_size_max(kernel, Kokkos::ParallelForTag());
  const int threads = teams.threads < most ? static_cast<int>(teams.threads) : most;
  Policy policy(number, threads);
  Kokkos::parallel_for(label, policy.set_scratch_size(0, per_team), kernel);
}

}  // namespace rhopsi
