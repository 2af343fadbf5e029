// Smooths an array of its own by what is made of NAME.mg.
#include <cstdio>

#include <Kokkos_Core.hpp>

#include "Smoothing_kernels.hpp"

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    Kokkos::View<double**, Kokkos::LayoutRight> u("u", 4, 6);
    const auto host = Kokkos::create_mirror_view(u);
    host(1, 2) = 1;
    Kokkos::deep_copy(u, host);
    Smoothing_kernels::smooth(u);
    Kokkos::deep_copy(host, u);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 6; ++j) std::printf(" %4.2f", host(i, j));
      std::puts("");
    }
  } catch (const rhopsi::Error& error) {
    std::fprintf(stderr, "error[%s]: %s\n", error.code(), error.what());
    return 1;
  }
  return 0;
}
