// Steps on periodic grids written by hand, as peers of emitted programs: threads with slabs of
// their own (slabs.hpp), rows of pads, restrict pointers, simd inner loops, and as few passes over
// memory as the equations allow.
//
//   stencils list                              programs, their axes, how many steps a call takes,
//   and fields stencils inputs PROGRAM DIR SHAPE          writes DIR/FIELD.npy: smooth stencils run
//   PROGRAM DIR SHAPE R           R steps; prints the seconds of each, writes DIR/hand-FIELD.npy
//   stencils compare PROGRAM DIR SHAPE NAME    the largest difference of DIR/NAME-FIELD.npy from it
//   stencils triad N                           bytes per second of a = b + s * c over N floats
//
// SHAPE: lengths with commas. The equations are those of specs/, with the parameters below.
#include <cmath>

#include "late_stencils.hpp"
#include "slabs.hpp"

namespace {

using namespace peers;

constexpr Real omega = 1.2f, courant = 0.5f;

// --- 7 points on three axes, out of place: u is field 0 and the next one is 1

inline void heat_plane(Real* __restrict__ to, const Real* below, const Real* u, const Real* above,
                       const Grid& grid, long pitch) {
  for (long j = 0; j < grid.rows; ++j) {
    Real* __restrict__ const out = to + j * pitch;
    const Real *const b = below + j * pitch, *const a = above + j * pitch, *const p = u + j * pitch,
                      *const n = p + pitch, *const s = p - pitch;
#pragma omp simd
    for (long k = 0; k < grid.columns; ++k) {
      out[k] = p[k] + 0.1f * (a[k] + b[k] + n[k] + s[k] + p[k + 1] + p[k - 1] - 6.0f * p[k]);
    }
  }
}

void heat(const Grid& grid, Slab& s) {
  for (long i = 0; i < s.planes(); ++i) {
    heat_plane(s.at(1, i), s.at(0, i - 1), s.at(0, i), s.at(0, i + 1), grid, s.pitch());
    s.refill(1, i);
  }
  s.swap(0, 1);
}

// Two steps in one pass, in place: of the first one three planes wait, which are the field 1 of a
// grid of its own.
struct Ring {
  Ring(const Grid& grid, long planes, long pad)
      : slab(grid, 0, planes, 0, pad, 1), planes(planes) {}
  Real* at(long i) const { return slab.at(0, place(i)); }
  long place(long i) const { return (i % planes + planes) % planes; }
  Slab slab;
  long planes;
};

void heat_twice(const Grid& grid, Slab& s) {
  static thread_local Ring ring(grid, 3, 1);
  for (long i = -1; i <= s.planes(); ++i) {
    heat_plane(ring.at(i), s.at(0, i - 1), s.at(0, i), s.at(0, i + 1), grid, s.pitch());
    ring.slab.refill(0, ring.place(i));
    if (i < 1) continue;
    heat_plane(s.at(0, i - 1), ring.at(i - 2), ring.at(i - 1), ring.at(i), grid, s.pitch());
    s.refill(0, i - 1);
  }
}

// --- 9 points on two axes, three sweeps a step

inline void blur_row(Real* __restrict__ out, const Real* b, const Real* p, const Real* a, long n) {
#pragma omp simd
  for (long k = 0; k < n; ++k) {
    out[k] = 0.25f * p[k] + 0.125f * (a[k] + b[k] + p[k + 1] + p[k - 1]) +
             0.0625f * (a[k + 1] + a[k - 1] + b[k + 1] + b[k - 1]);
  }
}

// One sweep a pass, out of place and back; halos of three rows, so that there is one exchange.
void blur(const Grid& grid, Slab& s) {
  for (long sweep = 0; sweep < 3; ++sweep) {
    const long beyond = 2 - sweep;
    for (long i = -beyond; i < s.planes() + beyond; ++i) {
      blur_row(s.at(1, i), s.at(0, i - 1), s.at(0, i), s.at(0, i + 1), grid.columns);
      s.refill(1, i);
    }
    s.swap(0, 1);
  }
}

// All three in one pass, in place.
void blur_thrice(const Grid& grid, Slab& s) {
  static thread_local Ring first(grid, 3, 1), second(grid, 3, 1);
  const long n = grid.columns;
  for (long i = -2; i < s.planes() + 2; ++i) {
    blur_row(first.at(i), s.at(0, i - 1), s.at(0, i), s.at(0, i + 1), n);
    first.slab.refill(0, first.place(i));
    const long m = i - 1;
    if (m < -1) continue;
    blur_row(second.at(m), first.at(m - 1), first.at(m), first.at(m + 1), n);
    second.slab.refill(0, second.place(m));
    if (m < 1) continue;
    blur_row(s.at(0, m - 1), second.at(m - 2), second.at(m - 1), second.at(m), n);
    s.refill(0, m - 1);
  }
}

// --- two fields by turns (specs/wave/leap.mg), both in one pass and in place, e two rows behind

inline void leap_row(Real* __restrict__ out, const Real* here, const Real* next, const Real* before,
                     long n) {
#pragma omp simd
  for (long k = 0; k < n; ++k) {
    out[k] += 0.5f * (next[k] - here[k - 1]) + 0.25f * before[k + 1];
  }
}

void leap(const Grid& grid, Slab& s) {
  const long n = grid.columns;
  for (long i = -2; i <= s.planes(); ++i) {
    leap_row(s.at(0, i), s.at(1, i), s.at(1, i + 1), s.at(1, i - 2), n);
    s.refill(0, i);
    const long m = i - 2;
    if (m < 0) continue;
    leap_row(s.at(1, m), s.at(0, m), s.at(0, m + 1), s.at(0, m - 2), n);
    s.refill(1, m);
  }
  const long m = s.planes() - 1;
  leap_row(s.at(1, m), s.at(0, m), s.at(0, m + 1), s.at(0, m - 2), n);
  s.refill(1, m);
}

// --- D2Q9, pulled: streaming and collision in one loop, to a second lattice (fields 9 to 17)

void lattice_row(const Slab& s, long i, long n) {
  const Real *const p0 = s.at(0, i), *const p1 = s.at(1, i - 1), *const p2 = s.at(2, i) - 1,
                    *const p3 = s.at(3, i + 1), *const p4 = s.at(4, i) + 1,
                    *const p5 = s.at(5, i - 1) - 1, *const p6 = s.at(6, i + 1) - 1,
                    *const p7 = s.at(7, i + 1) + 1, *const p8 = s.at(8, i - 1) + 1;
  Real* __restrict__ const o0 = s.at(9, i), * __restrict__ const o1 = s.at(10, i), * __restrict__ const o2 = s.at(11, i), * __restrict__ const o3 = s.at(12, i), * __restrict__ const o4 = s.at(13, i), * __restrict__ const o5 = s.at(14, i), * __restrict__ const o6 = s.at(15, i), * __restrict__ const o7 = s.at(16, i), * __restrict__ const o8 = s.at(17, i);
  constexpr Real w0 = 4.0f / 9.0f, w1 = 1.0f / 9.0f, w2 = 1.0f / 36.0f;
#pragma omp simd
  for (long k = 0; k < n; ++k) {
    const Real f0 = p0[k], f1 = p1[k], f2 = p2[k], f3 = p3[k], f4 = p4[k], f5 = p5[k], f6 = p6[k],
               f7 = p7[k], f8 = p8[k];
    const Real rho = f0 + (f1 + f2 + (f3 + f4)) + (f5 + f6 + (f7 + f8));
    const Real inverse = 1.0f / rho;
    const Real ux = (f1 + f5 + f8 - (f3 + f6 + f7)) * inverse;
    const Real uy = (f2 + f5 + f6 - (f4 + f7 + f8)) * inverse;
    const Real still = 1.0f - 1.5f * (ux * ux + uy * uy);
    const Real up = ux + uy, down = ux - uy;
    const Real axis = omega * w1 * rho, diagonal = omega * w2 * rho, keep = 1.0f - omega;
    const Real ex = still + 4.5f * ux * ux, ey = still + 4.5f * uy * uy;
    const Real eu = still + 4.5f * up * up, ed = still + 4.5f * down * down;
    o0[k] = keep * f0 + omega * w0 * rho * still;
    o1[k] = keep * f1 + axis * (ex + 3.0f * ux);
    o3[k] = keep * f3 + axis * (ex - 3.0f * ux);
    o2[k] = keep * f2 + axis * (ey + 3.0f * uy);
    o4[k] = keep * f4 + axis * (ey - 3.0f * uy);
    o5[k] = keep * f5 + diagonal * (eu + 3.0f * up);
    o7[k] = keep * f7 + diagonal * (eu - 3.0f * up);
    o8[k] = keep * f8 + diagonal * (ed + 3.0f * down);
    o6[k] = keep * f6 + diagonal * (ed - 3.0f * down);
  }
}

void lattice(const Grid& grid, Slab& s) {
  for (long i = 0; i < s.planes(); ++i) {
    lattice_row(s, i, grid.columns);
    for (const int field : {11, 13, 14, 15, 16, 17}) s.refill(field, i);
  }
  for (int field = 0; field < 9; ++field) s.swap(field, field + 9);
}

// --- FDTD: ez, hx, hy in place, the electric field in the same pass, of whose neighbours the
// magnetic ones at (-1, 0) and (0, -1) are new by then

inline void magnetic_row(Real* __restrict__ hx, Real* __restrict__ hy, const Real* ez,
                         const Real* next, long n) {
#pragma omp simd
  for (long k = 0; k < n; ++k) {
    hx[k] -= courant * (ez[k + 1] - ez[k]);
    hy[k] += courant * (next[k] - ez[k]);
  }
}
inline void electric_row(Real* __restrict__ ez, const Real* hx, const Real* hy, const Real* before,
                         long n) {
#pragma omp simd
  for (long k = 0; k < n; ++k) ez[k] += courant * (hy[k] - before[k] - (hx[k] - hx[k - 1]));
}

void fdtd(const Grid& grid, Slab& s) {
  const long n = grid.columns;
  for (long i = -1; i < s.planes(); ++i) {
    magnetic_row(s.at(1, i), s.at(2, i), s.at(0, i), s.at(0, i + 1), n);
    if (i < 0) continue;
    s.at(1, i)[-1] = s.at(1, i)[n - 1];
    electric_row(s.at(0, i), s.at(1, i), s.at(2, i), s.at(2, i - 1), n);
    s.refill(0, i);
  }
}

// --- red-black Gauss-Seidel in place, black one row behind: u is field 0, f 1. Points of the other
// colour are stored as they are.

inline void coloured_row(Real* u, const Real* b, const Real* a, const Real* f, long n,
                         long colour) {
#pragma omp simd
  for (long k = 0; k < n; ++k) {
    const Real mean = 0.25f * (a[k] + b[k] + u[k + 1] + u[k - 1] - f[k]);
    u[k] = ((k + colour) & 1) == 0 ? mean : u[k];
  }
}

void red_black(const Grid& grid, Slab& s) {
  const long n = grid.columns;
  const auto sweep = [&](long i, long colour) {
    coloured_row(s.at(0, i), s.at(0, i - 1), s.at(0, i + 1), s.at(1, i), n, s.begin + i + colour);
    s.refill(0, i);
  };
  for (long i = -1; i <= s.planes(); ++i) {
    sweep(i, 0);
    if (i >= 1) sweep(i - 1, 1);
  }
}

// --- programs

struct Program {
  std::string name;
  std::vector<std::string> fields;  // with "!": it comes in only
  std::vector<int> exchanged;
  int stored;  // fields, those of a second copy too
  long axes, halo, pad;
  long steps;  // of the equations in one call
  void (*step)(const Grid&, Slab&);
};

const std::vector<Program>& programs() {
  static const std::vector<Program> all = {
      {"heat", {"u"}, {0}, 2, 3, 1, 1, 1, heat},
      {"heat-twice", {"u"}, {0}, 1, 3, 2, 1, 2, heat_twice},
      {"blur", {"u"}, {0}, 2, 2, 3, 1, 1, blur},
      {"blur-thrice", {"u"}, {0}, 1, 2, 3, 1, 1, blur_thrice},
      {"leap", {"h", "e"}, {0, 1}, 2, 2, 4, 2, 1, leap},
      {"lattice",
       {"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8"},
       {1, 3, 5, 6, 7, 8},
       18,
       2,
       1,
       1,
       1,
       lattice},
      {"fdtd", {"ez", "hx", "hy"}, {0, 1, 2}, 3, 2, 1, 1, 1, fdtd},
      {"red-black", {"u", "f!"}, {0, 1}, 2, 2, 2, 1, 1, red_black},
      {"box", {"u"}, {0}, 2, 3, 1, 1, 1, box},
      {"acoustic", {"p", "q", "v!"}, {0}, 3, 3, 4, 4, 1, acoustic},
      {"gray-scott", {"u", "v"}, {0, 1}, 4, 2, 1, 1, 1, gray_scott},
      {"advection", {"u"}, {0}, 2, 2, 2, 2, 1, advection},
      {"gauss", {"u"}, {0}, 2, 2, 3, 3, 1, gauss},
  };
  return all;
}

const Program& program_of(const std::string& name) {
  for (const Program& program : programs()) {
    if (program.name == name) return program;
  }
  stop("no program " + name);
}

Grid grid_of(const Program& program, const std::string& shape) {
  std::vector<long> lengths;
  for (std::size_t at = 0; at < shape.size();) {
    std::size_t used = 0;
    lengths.push_back(std::stol(shape.substr(at), &used));
    at += used + 1;
  }
  if (std::ssize(lengths) != program.axes) stop(program.name + " has another number of axes");
  return {lengths[0], program.axes == 3 ? lengths[1] : 1, lengths.back()};
}

bool comes_out(const std::string& field) { return field.back() != '!'; }

std::string file_of(const std::string& folder, const std::string& field,
                    const std::string& by = "") {
  return folder + "/" + by + field.substr(0, field.find('!')) + ".npy";
}

void write_inputs(const Program& program, const std::string& folder, const Grid& grid) {
  const double turn = 2.0 * 3.14159265358979323846;
  for (std::size_t f = 0; f < program.fields.size(); ++f) {
    std::vector<Real> to;
    for (long i = 0; i < grid.planes; ++i) {
      for (long j = 0; j < grid.rows; ++j) {
        for (long k = 0; k < grid.columns; ++k) {
          const double x = turn * double(i) / double(grid.planes),
                       y = turn * double(j) / double(grid.rows),
                       z = turn * double(k) / double(grid.columns);
          to.push_back(Real(1.0 + 0.1 * std::sin(x + double(f)) * std::cos(y) +
                            0.05 * std::sin(2 * z + 0.1 * double(f))));
        }
      }
    }
    write_npy(file_of(folder, program.fields[f]), grid, to);
  }
}

void run(const Program& program, const std::string& folder, const Grid& grid, long repeat) {
  Slabs slabs(grid, program.halo, program.pad, program.stored);
  for (int f = 0; f < std::ssize(program.fields); ++f) {
    slabs.set(f, read_npy(file_of(folder, program.fields[std::size_t(f)]), grid));
  }
  time_steps(repeat,
             [&] { slabs.step(program.exchanged, [&](Slab& slab) { program.step(grid, slab); }); });
  for (int f = 0; f < std::ssize(program.fields); ++f) {
    const std::string& field = program.fields[std::size_t(f)];
    if (comes_out(field)) write_npy(file_of(folder, field, "hand-"), grid, slabs.get(f));
  }
}

void compare(const Program& program, const std::string& folder, const Grid& grid,
             const std::string& name) {
  double most = 0, largest = 0;
  for (const std::string& field : program.fields) {
    if (!comes_out(field)) continue;
    const auto hand = read_npy(file_of(folder, field, "hand-"), grid);
    const auto other = read_npy(file_of(folder, field, name + "-"), grid);
    for (std::size_t k = 0; k < hand.size(); ++k) {
      const double difference = std::fabs(double(hand[k]) - double(other[k]));
      most = difference <= most ? most : difference;  // NaN counts
      largest = std::max(largest, std::fabs(double(hand[k])));
    }
  }
  std::printf("%.9g %.9g\n", most, largest);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string what = words.empty() ? "" : words[0];
  if (what == "list" && words.size() == 1) {
    for (const Program& program : programs()) {
      std::printf("%s %ld %ld", program.name.c_str(), program.axes, program.steps);
      for (const std::string& field : program.fields) std::printf(" %s", field.c_str());
      std::printf("\n");
    }
  } else if (what == "triad" && words.size() == 2) {
    triad(std::stol(words[1]));
  } else if (words.size() >= 4) {
    const Program& program = program_of(words[1]);
    const Grid grid = grid_of(program, words[3]);
    if (what == "inputs" && words.size() == 4) return write_inputs(program, words[2], grid), 0;
    if (what == "run" && words.size() == 5) {
      return run(program, words[2], grid, std::stol(words[4])), 0;
    }
    if (what == "compare" && words.size() == 5) {
      return compare(program, words[2], grid, words[4]), 0;
    }
    stop("see the head of stencils.cpp");
  } else {
    stop("see the head of stencils.cpp");
  }
  return 0;
}
