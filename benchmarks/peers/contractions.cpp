// What contractions are measured against on this machine.
//
//   contractions fma BYTES        sums and products of a second, each a fused one's, of all threads
//   contractions triad N          bytes per second of a = b + s * c on arrays of N doubles
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Twelve independent sums of vectors of 64 bytes, which is enough to hide how long one takes.
template <class T>
double operations() {
  typedef T Vector __attribute__((vector_size(64)));
  constexpr int sums = 12;
  constexpr long rounds = 20'000'000;
  const auto begin = std::chrono::steady_clock::now();
  double checked = 0;
  long threads = 0;
#pragma omp parallel reduction(+ : checked, threads)
  {
    Vector s[sums] = {};
    Vector a, b;
    for (unsigned k = 0; k < 64 / sizeof(T); ++k) a[k] = T(0.5), b[k] = T(1) / T(k + 3);
    for (long r = 0; r < rounds; ++r) {
      for (int k = 0; k < sums; ++k) s[k] = s[k] * a + b;
      __asm__ volatile("" : "+v"(a), "+v"(b));
    }
    for (int k = 0; k < sums; ++k) checked += static_cast<double>(s[k][1]);
    threads += 1;
  }
  if (!(checked > 0)) std::abort();
  return 2.0 * rounds * sums * (64 / sizeof(T)) * static_cast<double>(threads) /
         seconds_since(begin);
}

void triad(long n) {
  std::vector<double> a(n), b(n, 1.0), c(n, 2.0);
  for (int r = 0; r < 7; ++r) {
    const auto begin = std::chrono::steady_clock::now();
#pragma omp parallel for simd schedule(static)
    for (long i = 0; i < n; ++i) a[i] = b[i] + 3.0 * c[i];
    std::printf("%.6g\n", 3.0 * sizeof(double) * static_cast<double>(n) / seconds_since(begin));
  }
  if (a[n / 2] != 7.0) std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  if (std::strcmp(argv[1], "fma") == 0) {
    for (int r = 0; r < 5; ++r)
      std::printf("%.6g\n", std::atoi(argv[2]) == 4 ? operations<float>() : operations<double>());
  } else {
    triad(std::atol(argv[2]));
  }
  return 0;
}
