// Sums 0 .. n-1 on the default host space; fails where that is not OpenMP and OpenMP was asked for.
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <Kokkos_Core.hpp>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard guard(argc, argv);
  using Host = Kokkos::DefaultHostExecutionSpace;
  const std::int64_t n = 1000000;
  std::int64_t sum = 0;
  Kokkos::parallel_reduce(
      "sum", Kokkos::RangePolicy<Host, Kokkos::IndexType<std::int64_t>>(0, n),
      KOKKOS_LAMBDA(const std::int64_t i, std::int64_t& partial) { partial += i; }, sum);
  std::printf("%s, concurrency %d, sum %lld\n", Host::name(),
              static_cast<int>(Host().concurrency()), static_cast<long long>(sum));
  const bool openmp_wanted = argc > 1 && std::strcmp(argv[1], "openmp") == 0;
  if (openmp_wanted && std::strcmp(Host::name(), "OpenMP") != 0) return 2;
  return sum == n * (n - 1) / 2 ? 0 : 1;
}
