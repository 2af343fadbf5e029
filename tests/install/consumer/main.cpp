// Blurs an image of its own, in memory of its own, and says whether the numbers are right.
#include <cmath>
#include <cstdio>

#include <Kokkos_Core.hpp>

#include "Blur_kernels.hpp"

namespace {

constexpr int rows = 5, columns = 3;
constexpr double weight = 0.25;

double pixel(int i, int j) { return 10.0 * i + j * j; }

double expected(int i, int j) {
  const int next = i + 1 < rows ? i + 1 : rows - 1;
  return (1 - weight) * pixel(i, j) + weight * pixel(next, j);
}

template <class Image>
int check() {
  Image image("image", rows, columns);
  const auto host = Kokkos::create_mirror_view(image);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) host(i, j) = pixel(i, j);
  Kokkos::deep_copy(image, host);

  rhopsi::Made<double, 2> result;
  Blur_kernels::blur(image, result, weight);

  const auto blurred = Kokkos::create_mirror_view(result);
  Kokkos::deep_copy(blurred, result);
  if (blurred.extent(0) != rows || blurred.extent(1) != columns) return 1;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      if (std::abs(blurred(i, j) - expected(i, j)) > 1e-12) return 1;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const int wrong = check<Kokkos::View<double**, Kokkos::LayoutRight>>() +
                    check<Kokkos::View<double**, Kokkos::LayoutLeft>>();
  std::puts(wrong == 0 ? "as expected" : "other numbers");
  return wrong;
}
