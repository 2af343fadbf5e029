// More steps on periodic grids written by hand, of programs by which the model that chooses
// schedules was not made (specs/stencils/late.mg). As in stencils.cpp.
#pragma once

#include <algorithm>
#include <vector>

#include "slabs.hpp"

namespace peers {

// A row of its own for each thread, with pads of 16 elements.
inline Real* own_row(long n) {
  static thread_local std::vector<Real> row;
  if (std::ssize(row) < n + 32) row.assign(static_cast<std::size_t>(n + 32), Real(0));
  return row.data() + 16;
}
inline void fill_ends(Real* row, long n, long pad) {
  for (long k = 0; k < pad; ++k) row[-1 - k] = row[n - 1 - k], row[n + k] = row[k];
}

// --- the mean of 27 points: sums along each axis in turn, of a plane, of a row, of an element

inline void box(const Grid& grid, Slab& s) {
  static thread_local std::vector<Real> plane;
  const long n = grid.columns, pitch = n + 16;
  plane.resize(static_cast<std::size_t>((grid.rows + 2) * pitch + 16));
  Real* const sums = plane.data() + 16 + pitch;
  Real* __restrict__ const line = own_row(n);
  for (long i = 0; i < s.planes(); ++i) {
    for (long j = -1; j <= grid.rows; ++j) {
      const Real *const b = s.at(0, i - 1, j), *const p = s.at(0, i, j),
                        *const a = s.at(0, i + 1, j);
      Real* __restrict__ const to = sums + j * pitch;
#pragma omp simd
      for (long k = -1; k <= n; ++k) to[k] = b[k] + p[k] + a[k];
    }
    for (long j = 0; j < grid.rows; ++j) {
      const Real* const c = sums + j * pitch;
#pragma omp simd
      for (long k = -1; k <= n; ++k) line[k] = c[k - pitch] + c[k] + c[k + pitch];
      Real* __restrict__ const out = s.at(1, i, j);
#pragma omp simd
      for (long k = 0; k < n; ++k) out[k] = 0.037037037f * (line[k - 1] + line[k] + line[k + 1]);
    }
    s.refill(1, i);
  }
  s.swap(0, 1);
}

// --- the acoustic wave equation, 25 points: p is field 0, q the time before, which is written
// over; blocks of rows, so that nine planes of one stay in the second cache

inline void acoustic_row(Real* __restrict__ q, const Real* p, const Real* v, long plane, long row,
                         long n) {
  constexpr Real c1 = 1.6f, c2 = 0.2f, c3 = 0.025396825f, c4 = 0.0017857143f, c0 = 8.5416667f;
#pragma omp simd
  for (long k = 0; k < n; ++k) {
    const auto ring = [&](long o) {
      return p[k + o * plane] + p[k - o * plane] + p[k + o * row] + p[k - o * row] + p[k + o] +
             p[k - o];
    };
    const Real laplacian = c1 * ring(1) - c2 * ring(2) + c3 * ring(3) - c4 * ring(4) - c0 * p[k];
    q[k] = 2.0f * p[k] - q[k] + 0.1f * v[k] * laplacian;
  }
}

inline void acoustic(const Grid& grid, Slab& s) {
  constexpr long block = 32;
  const long plane = s.at(0, 1) - s.at(0, 0), row = s.pitch();
  for (long first = 0; first < grid.rows; first += block) {
    const long end = std::min(first + block, grid.rows);
    for (long i = 0; i < s.planes(); ++i) {
      for (long j = first; j < end; ++j) {
        acoustic_row(s.at(1, i, j), s.at(0, i, j), s.at(2, i, j), plane, row, grid.columns);
      }
    }
  }
  for (long i = 0; i < s.planes(); ++i) s.refill(1, i);
  s.swap(0, 1);
}

// --- Gray and Scott: u and v to a second copy, in one loop

inline void gray_scott_row(Real* __restrict__ nu, Real* __restrict__ nv, const Real* u,
                           const Real* v, long pitch, long n) {
#pragma omp simd
  for (long k = 0; k < n; ++k) {
    const Real lu = u[k + pitch] + u[k - pitch] + u[k + 1] + u[k - 1] - 4.0f * u[k];
    const Real lv = v[k + pitch] + v[k - pitch] + v[k + 1] + v[k - 1] - 4.0f * v[k];
    const Real uvv = 0.1f * u[k] * v[k] * v[k];
    nu[k] = u[k] + (0.16f * lu - uvv + 0.035f * (1.0f - u[k]));
    nv[k] = v[k] + (0.08f * lv + uvv - 0.1f * v[k]);
  }
}

inline void gray_scott(const Grid& grid, Slab& s) {
  const long pitch = s.at(0, 1) - s.at(0, 0);
  for (long i = 0; i < s.planes(); ++i) {
    gray_scott_row(s.at(2, i), s.at(3, i), s.at(0, i), s.at(1, i), pitch, grid.columns);
    s.refill(2, i), s.refill(3, i);
  }
  s.swap(0, 2), s.swap(1, 3);
}

// --- advection with limited slopes, along the columns to a row and along that to the second copy

inline Real minmod(Real a, Real b) {
  return std::max(0.0f, std::min(a, b)) + std::min(0.0f, std::max(a, b));
}
inline Real advected(Real left2, Real left, Real here, Real right) {
  const Real out = here + 0.35f * minmod(here - left, right - here);
  const Real in = left + 0.35f * minmod(left - left2, here - left);
  return here - 0.3f * (out - in);
}

inline void advection(const Grid& grid, Slab& s) {
  const long n = grid.columns;
  Real* __restrict__ const row = own_row(n);
  for (long i = 0; i < s.planes(); ++i) {
    const Real *const c = s.at(0, i - 2), *const b = s.at(0, i - 1), *const p = s.at(0, i),
                      *const a = s.at(0, i + 1);
#pragma omp simd
    for (long k = 0; k < n; ++k) row[k] = advected(c[k], b[k], p[k], a[k]);
    fill_ends(row, n, 2);
    Real* __restrict__ const out = s.at(1, i);
#pragma omp simd
    for (long k = 0; k < n; ++k) out[k] = advected(row[k - 2], row[k - 1], row[k], row[k + 1]);
  }
  s.swap(0, 1);
}

// --- a Gaussian of radius 3, likewise

inline void gauss(const Grid& grid, Slab& s) {
  const long n = grid.columns, pitch = s.at(0, 1) - s.at(0, 0);
  Real* __restrict__ const row = own_row(n);
  const auto line = [](const Real* p, long o) {
    return 0.3125f * p[0] + 0.234375f * (p[o] + p[-o]) + 0.09375f * (p[2 * o] + p[-2 * o]) +
           0.015625f * (p[3 * o] + p[-3 * o]);
  };
  for (long i = 0; i < s.planes(); ++i) {
    const Real* const p = s.at(0, i);
#pragma omp simd
    for (long k = 0; k < n; ++k) row[k] = line(p + k, pitch);
    fill_ends(row, n, 3);
    Real* __restrict__ const out = s.at(1, i);
#pragma omp simd
    for (long k = 0; k < n; ++k) out[k] = line(row + k, 1);
  }
  s.swap(0, 1);
}

}  // namespace peers
