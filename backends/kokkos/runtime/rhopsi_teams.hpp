// Pipelines for devices: several sweeps in one, by teams of threads; how a domain is cut for them,
// and how they are started.
#pragma once

#include <memory>
#include <type_traits>

#include "rhopsi_team.hpp"

namespace rhopsi {

// The tiles of a domain, one for each team.
template <int R>
struct Teams {
  static_assert(R > 1, "a plane has an axis");
  int extent[R] = {};
  int side[R] = {};         // of axis 0: unused, slabs are as even as they can be
  int count[R] = {};        // tiles along each axis
  unsigned stride[R] = {};  // of arrays that are alike

  // Slabs have `planes` at least, where there are as many. Of the numbers of slabs the one with
  // which least is waited for: `again` planes are computed for each besides its own, and `resident`
  // teams run at a time.
  template <class Plane, class Array>
  static Teams of(const Domain<R>& domain, std::int64_t planes, std::int64_t again,
                  std::int64_t resident, const Array& array, Plane) {
    constexpr std::int64_t most_of_axis = std::int64_t{1} << 30;
    Teams made;
    std::int64_t tiles = 1, plane = 1;
    for (int a = 0; a < R; ++a) {
      const std::int64_t n = domain.extent[a];
      if (a > 0) plane *= n + domain.low(a) + domain.high(a);
      if (n > most_of_axis || plane > most_of_axis)
        throw Error("an array of shape " + to_string(domain) + " is too large for tiles of teams",
                    codes::size);
      made.extent[a] = static_cast<int>(n);
      if (a == 0) continue;
      made.stride[a] = static_cast<unsigned>(array.stride(a));
      made.side[a] = Plane::own(a - 1);
      made.count[a] = static_cast<int>((n + made.side[a] - 1) / made.side[a]);
      tiles *= made.count[a];
    }
    const std::int64_t n = domain.extent[0];
    std::int64_t best = 0;
    made.count[0] = 1;
    for (std::int64_t slabs = 1; slabs <= 1024 && (slabs == 1 || slabs * planes <= n); ++slabs) {
      const std::int64_t rounds = (tiles * slabs + resident - 1) / resident;
      const std::int64_t work = rounds * ((n + slabs - 1) / slabs + again);
      if (slabs > 1 && work >= best) continue;
      best = work;
      made.count[0] = static_cast<int>(slabs);
    }
    return made;
  }
  std::int64_t size() const {
    std::int64_t product = 1;
    for (int a = 0; a < R; ++a) product *= extent[a] > 0 ? count[a] : 0;
    return product;
  }
};

namespace detail {

#if defined(__CUDACC__) && defined(KOKKOS_ENABLE_CUDA)
template <class Plane, int R, class F>
__global__ void __launch_bounds__(Plane::threads) team_kernel(const F f, const Teams<R> teams) {
  extern __shared__ double memory[];
  Team<R, Plane> team(teams, blockIdx.x, static_cast<int>(threadIdx.x),
                      reinterpret_cast<char*>(memory));
  f(team);
}

inline void check_cuda(cudaError_t status, const char* label) {
  if (status == cudaSuccess) return;
  throw Error(std::string(label) + " cannot run on this GPU: " + cudaGetErrorString(status) +
              "; a schedule without `pipeline` needs less of it");
}

template <class Space>
cudaStream_t stream_of(const Space& space) {
  return space.cuda_stream();
}

// More memory for a team than Kokkos gives, where the GPU has it: so the kernel is started here, in
// its place among those of Kokkos.
template <class Plane, int R, class Array, class F>
void start_teams(const char* label, const Domain<R>& domain, std::int64_t planes,
                 std::int64_t again, std::int64_t bytes, const Array& array, const F& f) {
  const auto kernel = team_kernel<Plane, R, F>;
  static const std::int64_t resident = [&] {
    check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(bytes)),
               label);
    int device = 0, processors = 1, of_each = 1;
    check_cuda(cudaGetDevice(&device), label);
    check_cuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), label);
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_each, kernel, Plane::threads,
                                                             static_cast<std::size_t>(bytes)),
               label);
    return static_cast<std::int64_t>(processors) * (of_each > 0 ? of_each : 1);
  }();
  const Teams<R> teams = Teams<R>::of(domain, planes, again, resident, array, Plane());
  if (teams.size() == 0) return;
  kernel<<<static_cast<unsigned>(teams.size()), Plane::threads, static_cast<std::size_t>(bytes),
           stream_of(Exec())>>>(f, teams);
  check_cuda(cudaGetLastError(), label);
}
#endif

template <class Plane, int R, class F>
struct TeamsOnHost {
  F f;
  Teams<R> teams;
  std::int64_t bytes;
  void operator()(std::int64_t number) const {
    const std::unique_ptr<double[]> memory(new double[static_cast<std::size_t>(bytes / 8 + 1)]());
    Team<R, Plane> team(teams, number, 0, reinterpret_cast<char*>(memory.get()));
    f(team);
  }
};

}  // namespace detail

// f(team) by every thread of every team; slabs have `planes` at least, and as many are computed
// `again` for each; a team has so many bytes. `array` is one of the arrays that are read or stored
// to.
template <class Plane, int R, class Array, class F>
void run_teams(const char* label, const Domain<R>& domain, std::int64_t planes, std::int64_t again,
               std::int64_t bytes, const Array& array, const F& f) {
#ifdef RHOPSI_CHECKED
  const checked::KernelScope scope(label);
#endif
  if constexpr (on_host) {
    const Teams<R> teams =
        Teams<R>::of(domain, planes, again, detail::concurrency(), array, Plane());
    if (teams.size() == 0) return;
    detail::each_item(label, teams.size(), detail::serial_below,
                      detail::TeamsOnHost<Plane, R, F>{f, teams, bytes});
  } else {
#if defined(__CUDACC__) && defined(KOKKOS_ENABLE_CUDA)
    detail::start_teams<Plane>(label, domain, planes, again, bytes, array, f);
#else
    static_assert(on_host, "teams run on hosts and with CUDA");
#endif
  }
}

}  // namespace rhopsi
