// What a GPU does by hand, for benchmarks/gpu.py: float, periodic, a thread for each element.
//
//   gpu copy N           seconds to copy three arrays of N elements
//   gpu burgers N STEPS  a step of the paper's solver on N x N x N, each half step a kernel
//   gpu heat N STEPS     seven points on N x N x N
//
// Prints the median of 20 measurements, in seconds: of a copy, or of a step.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

namespace {

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "gpu: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

struct Around {
  int here, up, down, north, south, east, west;
};

__device__ Around around(int n) {
  const int k = int(blockIdx.x * blockDim.x + threadIdx.x),
            j = int(blockIdx.y * blockDim.y + threadIdx.y), i = int(blockIdx.z);
  const auto at = [n](int a, int b, int c) { return (a * n + b) * n + c; };
  const auto before = [n](int a) { return a > 0 ? a - 1 : n - 1; };
  const auto behind = [n](int a) { return a + 1 < n ? a + 1 : 0; };
  return {at(i, j, k),         at(before(i), j, k), at(behind(i), j, k), at(i, before(j), k),
          at(i, behind(j), k), at(i, j, before(k)), at(i, j, behind(k))};
}

struct Constants {
  float nu, half, square, cube, both;  // nu, dt/2, 1/dx/dx, 3*2/dx/dx, 1/2/dx
};

__device__ float substep(const Constants& c, float own, const float* v, const Around& a, float u0,
                         float u1, float u2) {
  const float sum = v[a.up] + v[a.down] + v[a.north] + v[a.south] + v[a.east] + v[a.west];
  const float moved = (v[a.down] - v[a.up]) * u0 + (v[a.south] - v[a.north]) * u1 +
                      (v[a.west] - v[a.east]) * u2;
  return own + c.half * (c.nu * (c.square * sum - c.cube * u0) - c.both * moved);
}

struct Fields {
  float* of[3];
};

__global__ void first_half(Constants c, Fields u, Fields v, int n) {
  const Around a = around(n);
  const float u0 = u.of[0][a.here], u1 = u.of[1][a.here], u2 = u.of[2][a.here];
  v.of[0][a.here] = substep(c, u0, u.of[0], a, u0, u1, u2);
  v.of[1][a.here] = substep(c, u1, u.of[1], a, u0, u1, u2);
  v.of[2][a.here] = substep(c, u2, u.of[2], a, u0, u1, u2);
}

__global__ void second_half(Constants c, Fields u, Fields v, int n) {
  const Around a = around(n);
  const float u2 = u.of[2][a.here];
  const float u0 = substep(c, u.of[0][a.here], v.of[0], a, u.of[0][a.here], u.of[1][a.here], u2);
  const float u1 = substep(c, u.of[1][a.here], v.of[1], a, u0, u.of[1][a.here], u2);
  u.of[0][a.here] = u0;
  u.of[1][a.here] = u1;
  u.of[2][a.here] = substep(c, u2, v.of[2], a, u0, u1, u2);
}

__global__ void heat(const float* u, float* v, int n) {
  const Around a = around(n);
  v[a.here] = u[a.here] + 0.1f * (u[a.up] + u[a.down] + u[a.north] + u[a.south] + u[a.east] +
                                  u[a.west] - 6.0f * u[a.here]);
}

template <class Step>
double seconds(const Step& step, int steps) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  std::vector<double> times;
  for (int k = 0; k < 21; ++k) {
    check(cudaEventRecord(begin));
    for (int t = 0; t < steps; ++t) step();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    check(cudaGetLastError());
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end));
    if (k > 0) times.push_back(milliseconds / 1000.0 / steps);
  }
  std::nth_element(times.begin(), times.begin() + 10, times.end());
  return times[10];
}

float* filled(std::size_t size) {
  std::vector<float> values(size);
  unsigned state = 1;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = 1 + float(state >> 8) / 1.7e8f;
  }
  float* made = nullptr;
  check(cudaMalloc(&made, size * sizeof(float)));
  check(cudaMemcpy(made, values.data(), size * sizeof(float), cudaMemcpyHostToDevice));
  return made;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return 1;
  const std::size_t n = std::size_t(std::atoll(words[2]));
  const int steps = count > 3 ? std::atoi(words[3]) : 1;
  const bool copies = std::strcmp(words[1], "copy") == 0;
  const std::size_t size = copies ? n : n * n * n;
  Fields u{}, v{};
  for (int c = 0; c < 3; ++c) u.of[c] = filled(size), v.of[c] = filled(size);
  const dim3 block(32, 8), grid(unsigned(n) / 32, unsigned(n) / 8, unsigned(n));
  double taken = 0;
  if (copies) {
    taken = seconds(
        [&] {
          for (int c = 0; c < 3; ++c)
            cudaMemcpyAsync(v.of[c], u.of[c], size * sizeof(float), cudaMemcpyDeviceToDevice);
        },
        1);
  } else if (n % 32 != 0) {
    std::fprintf(stderr, "gpu: a side is a multiple of 32\n");
    return 1;
  } else if (std::strcmp(words[1], "burgers") == 0) {
    const float dx = 0.5f;
    const Constants c{0.1f, 0.0005f, 1 / dx / dx, 3 * 2.0f / dx / dx, 1 / 2.0f / dx};
    taken = seconds(
        [&] {
          first_half<<<grid, block>>>(c, u, v, int(n));
          second_half<<<grid, block>>>(c, u, v, int(n));
        },
        steps);
  } else {
    taken = seconds(
        [&] {
          heat<<<grid, block>>>(u.of[0], v.of[0], int(n));
          std::swap(u.of[0], v.of[0]);
        },
        steps);
  }
  std::printf("%.9f\n", taken);
}
