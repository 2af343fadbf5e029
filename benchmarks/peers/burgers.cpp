// One step of 3-D Burgers (the listing of docs/burgers.md) written by hand, as a peer of emitted
// programs: padded arrays, restrict pointers, rows dealt out to threads, simd inner loops.
//
//   burgers inputs DIR N            writes u0.npy, u1.npy, u2.npy: smooth, N^3 floats
//   burgers padded|fused|pipelined DIR N R    R steps; prints the seconds of each, writes
//   DIR/hand-*.npy burgers compare DIR N NAME...   the largest difference of DIR/NAME-u?.npy from
//   DIR/hand-u?.npy burgers triad N                 bytes per second of a = b + s * c on arrays of
//   3 N^3 floats
//
// padded: one loop per substep and every pad refilled behind it, as the paper's last program has
// it. fused: the three substeps of a half step in one loop, the second in place. pipelined: both
// halves plane by plane in one pass, in place; of the first half a ring of planes is all there is,
// and each thread computes the planes beside its own again.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <omp.h>

namespace {

constexpr float nu = 0.1f, dt = 0.001f, dx = 0.5f;

struct Field {
  explicit Field(long n) : n(n), pitch(n + 2), plane(pitch * (n + 2)), elements(plane * (n + 2)) {
    memory =
        static_cast<float*>(std::aligned_alloc(64, (elements * sizeof(float) + 127) / 64 * 64));
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n + 2; ++i) std::fill_n(memory + i * plane, plane, 0.0f);
  }
  float* at(long i, long j) const { return memory + (i + 1) * plane + (j + 1) * pitch + 1; }

  void refill() const {
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (long i = 0; i < n; ++i) {
        for (long j = 0; j < n; ++j) {
          float* const row = at(i, j);
          row[-1] = row[n - 1];
          row[n] = row[0];
        }
        std::memcpy(at(i, -1) - 1, at(i, n - 1) - 1, pitch * sizeof(float));
        std::memcpy(at(i, n) - 1, at(i, 0) - 1, pitch * sizeof(float));
      }
#pragma omp for schedule(static)
      for (long j = -1; j <= n; ++j) {
        std::memcpy(at(-1, j) - 1, at(n - 1, j) - 1, pitch * sizeof(float));
        std::memcpy(at(n, j) - 1, at(0, j) - 1, pitch * sizeof(float));
      }
    }
  }

  long n, pitch, plane, elements;
  float* memory;
};

struct Constants {
  float half = dt / 2.0f;
  float second = 1.0f / dx / dx;
  float centre = 3.0f * 2.0f / dx / dx;
  float first = 1.0f / 2.0f / dx;
};

inline float substep(const Constants& c, float u, const float* v, long k, long pitch, long plane,
                     float a0, float a1, float a2) {
  return u + c.half * (nu * (c.second * (v[k - plane] + v[k + plane] + v[k - pitch] + v[k + pitch] +
                                         v[k - 1] + v[k + 1]) -
                             c.centre * a0) -
                       c.first * ((v[k + plane] - v[k - plane]) * a0 +
                                  (v[k + pitch] - v[k - pitch]) * a1 + (v[k + 1] - v[k - 1]) * a2));
}

void sweep(const Field& to, const Field& u, const Field& v, const Field& u0, const Field& u1,
           const Field& u2) {
  const long n = to.n, pitch = to.pitch, plane = to.plane;
  const Constants c;
#pragma omp parallel for collapse(2) schedule(static)
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j) {
      float* __restrict__ const out = to.at(i, j);
      const float *const pu = u.at(i, j), *const pv = v.at(i, j), *const p0 = u0.at(i, j),
                         *const p1 = u1.at(i, j), *const p2 = u2.at(i, j);
#pragma omp simd
      for (long k = 0; k < n; ++k) {
        out[k] = substep(c, pu[k], pv, k, pitch, plane, p0[k], p1[k], p2[k]);
      }
    }
  }
}

using Fields = std::vector<Field>;

void padded_step(Fields& u, Fields& v, Field& spare) {
  for (int a = 0; a < 3; ++a) {
    sweep(v[a], u[a], u[a], u[0], u[1], u[2]);
    v[a].refill();
  }
  for (int a = 0; a < 3; ++a) {
    sweep(spare, u[a], v[a], u[0], u[1], u[2]);
    spare.refill();
    std::swap(spare, u[a]);
  }
}

// The three substeps of a half: `to` may be u, which is then read at its own point only.
template <bool in_place>
void half_step(const Fields& to, const Fields& u, const Fields& v) {
  const long n = u[0].n, pitch = u[0].pitch, plane = u[0].plane;
  const Constants c;
#pragma omp parallel for collapse(2) schedule(static)
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j) {
      float *const o0 = to[0].at(i, j), *const o1 = to[1].at(i, j), *const o2 = to[2].at(i, j);
      const float *const p0 = u[0].at(i, j), *const p1 = u[1].at(i, j), *const p2 = u[2].at(i, j);
      const float *const q0 = v[0].at(i, j), *const q1 = v[1].at(i, j), *const q2 = v[2].at(i, j);
#pragma omp simd
      for (long k = 0; k < n; ++k) {
        const float a0 = p0[k], a1 = p1[k], a2 = p2[k];
        const float r0 = substep(c, a0, q0, k, pitch, plane, a0, a1, a2);
        const float b0 = in_place ? r0 : a0;
        const float r1 = substep(c, a1, q1, k, pitch, plane, b0, a1, a2);
        const float b1 = in_place ? r1 : a1;
        const float r2 = substep(c, a2, q2, k, pitch, plane, b0, b1, a2);
        o0[k] = r0;
        o1[k] = r1;
        o2[k] = r2;
      }
    }
  }
  for (const Field& field : to) field.refill();
}

// --- both halves in one pass

// Row 0 of a plane with a pad of one.
using Plane = float*;

void refill_plane(Plane plane, long n, long pitch) {
  for (long j = 0; j < n; ++j) {
    float* const row = plane + j * pitch;
    row[-1] = row[n - 1];
    row[n] = row[0];
  }
  std::memcpy(plane - pitch - 1, plane + (n - 1) * pitch - 1, pitch * sizeof(float));
  std::memcpy(plane + n * pitch - 1, plane - 1, pitch * sizeof(float));
}

// The same plane of three fields.
struct Planes {
  Plane at[3];
};

// One plane of a half: `to` from u at the same point and q around it. Planes of q lie anywhere.
template <bool in_place>
void half_plane(const Planes& to, const Planes& u, const Planes& before, const Planes& q,
                const Planes& behind, long n, long pitch) {
  const Constants c;
  const auto value = [&](float u, const float* here, const float* low, const float* high, long k,
                         float a0, float a1, float a2) {
    return u +
           c.half * (nu * (c.second * (low[k] + high[k] + here[k - pitch] + here[k + pitch] +
                                       here[k - 1] + here[k + 1]) -
                           c.centre * a0) -
                     c.first * ((high[k] - low[k]) * a0 + (here[k + pitch] - here[k - pitch]) * a1 +
                                (here[k + 1] - here[k - 1]) * a2));
  };
  for (long j = 0; j < n; ++j) {
    const long row = j * pitch;
    float *const o0 = to.at[0] + row, *const o1 = to.at[1] + row, *const o2 = to.at[2] + row;
    const float *const p0 = u.at[0] + row, *const p1 = u.at[1] + row, *const p2 = u.at[2] + row;
    const float *const q0 = q.at[0] + row, *const q1 = q.at[1] + row, *const q2 = q.at[2] + row;
    const float *const l0 = before.at[0] + row, *const l1 = before.at[1] + row,
                       *const l2 = before.at[2] + row;
    const float *const h0 = behind.at[0] + row, *const h1 = behind.at[1] + row,
                       *const h2 = behind.at[2] + row;
#pragma omp simd
    for (long k = 0; k < n; ++k) {
      const float a0 = p0[k], a1 = p1[k], a2 = p2[k];
      const float r0 = value(a0, q0, l0, h0, k, a0, a1, a2);
      const float b0 = in_place ? r0 : a0;
      const float r1 = value(a1, q1, l1, h1, k, b0, a1, a2);
      const float b1 = in_place ? r1 : a1;
      const float r2 = value(a2, q2, l2, h2, k, b0, b1, a2);
      o0[k] = r0;
      o1[k] = r1;
      o2[k] = r2;
    }
  }
}

// Planes of one thread: its own of u, copies of those beside them, a ring of the first half.
class Chunk {
 public:
  Chunk(Fields& u, long begin, long end)
      : u_(u), n_(u[0].n), pitch_(u[0].pitch), plane_(u[0].plane), begin_(begin), end_(end) {
    for (auto& each : copies_) each.resize(3 * plane_);
    for (auto& each : ring_) each.resize(3 * plane_);
  }

  // Other threads go on only when all have done this.
  void copy_neighbours() {
    const long sides[] = {begin_ - 2, begin_ - 1, end_, end_ + 1};
    for (int s = 0; s < 4; ++s) {
      const long i = (sides[s] + n_) % n_;
      for (int a = 0; a < 3; ++a) {
        std::memcpy(copies_[s].data() + a * plane_, u_[a].at(i, -1) - 1, plane_ * sizeof(float));
      }
    }
  }

  void step() {
    for (long i = begin_ - 1; i <= end_; ++i) {
      first_half(i);
      if (i > begin_) second_half(i - 1);
    }
  }

 private:
  Planes planes(std::vector<float>& of) const {
    float* const first = of.data() + pitch_ + 1;
    return {{first, first + plane_, first + 2 * plane_}};
  }
  Planes of_u(long i) {
    if (i < begin_) return planes(copies_[i - begin_ + 2]);
    if (i >= end_) return planes(copies_[i - end_ + 2]);
    return {{u_[0].at(i, 0), u_[1].at(i, 0), u_[2].at(i, 0)}};
  }
  Planes of_v(long i) { return planes(ring_[(i + 3) % 3]); }

  void first_half(long i) {
    const Planes v = of_v(i);
    half_plane<false>(v, of_u(i), of_u(i - 1), of_u(i), of_u(i + 1), n_, pitch_);
    for (Plane each : v.at) refill_plane(each, n_, pitch_);
  }
  void second_half(long i) {
    const Planes u = of_u(i);
    half_plane<true>(u, u, of_v(i - 1), of_v(i), of_v(i + 1), n_, pitch_);
    for (Plane each : u.at) refill_plane(each, n_, pitch_);
  }

  Fields& u_;
  long n_, pitch_, plane_, begin_, end_;
  std::vector<float> copies_[4], ring_[3];
};

void pipelined_step(std::vector<Chunk>& chunks) {
#pragma omp parallel num_threads(static_cast <int>(chunks.size()))
  {
    Chunk& own = chunks[omp_get_thread_num()];
    own.copy_neighbours();
#pragma omp barrier
    own.step();
  }
}

std::vector<Chunk> chunks_of(Fields& u) {
  const long n = u[0].n, threads = std::min<long>(omp_get_max_threads(), n);
  std::vector<Chunk> out;
  for (long t = 0; t < threads; ++t) out.emplace_back(u, n * t / threads, n * (t + 1) / threads);
  return out;
}

// --- files

std::string header(long n) {
  std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(n) +
                     ", " + std::to_string(n) + ", " + std::to_string(n) + "), }";
  while ((10 + dict.size() + 1) % 64 != 0) dict += ' ';
  dict += '\n';
  std::string head("\x93NUMPY\x01\x00", 8);
  head += static_cast<char>(dict.size() % 256);
  head += static_cast<char>(dict.size() / 256);
  return head + dict;
}

std::FILE* opened(const std::string& name, const char* mode) {
  std::FILE* const file = std::fopen(name.c_str(), mode);
  if (file == nullptr) {
    std::fprintf(stderr, "cannot open %s\n", name.c_str());
    std::exit(1);
  }
  return file;
}

void write(const std::string& name, const Field& field) {
  std::FILE* const file = opened(name, "wb");
  const std::string head = header(field.n);
  std::fwrite(head.data(), 1, head.size(), file);
  for (long i = 0; i < field.n; ++i) {
    for (long j = 0; j < field.n; ++j) std::fwrite(field.at(i, j), sizeof(float), field.n, file);
  }
  std::fclose(file);
}

void read(const std::string& name, const Field& field) {
  std::FILE* const file = opened(name, "rb");
  unsigned char head[10];
  bool complete = std::fread(head, 1, 10, file) == 10;
  std::fseek(file, 10 + head[8] + 256 * head[9], SEEK_SET);
  for (long i = 0; i < field.n; ++i) {
    for (long j = 0; j < field.n; ++j) {
      complete = complete && std::fread(field.at(i, j), sizeof(float), field.n, file) ==
                                 static_cast<std::size_t>(field.n);
    }
  }
  std::fclose(file);
  if (!complete) {
    std::fprintf(stderr, "%s does not hold %ld^3 floats\n", name.c_str(), field.n);
    std::exit(1);
  }
}

std::string file_of(const std::string& folder, const std::string& name, int a) {
  return folder + "/" + name + std::to_string(a) + ".npy";
}

void write_inputs(const std::string& folder, long n) {
  const Field field(n);
  const double turn = 2.0 * 3.14159265358979323846 / static_cast<double>(n);
  for (int a = 0; a < 3; ++a) {
    for (long i = 0; i < n; ++i) {
      for (long j = 0; j < n; ++j) {
        for (long k = 0; k < n; ++k) {
          field.at(i, j)[k] = static_cast<float>(std::sin(turn * i + a) * std::cos(turn * j) +
                                                 0.5 * std::sin(2 * turn * k + 0.1 * a));
        }
      }
    }
    write(file_of(folder, "u", a), field);
  }
}

template <class Step>
void time_steps(long repeat, const Step& step) {
  for (long r = 0; r < repeat; ++r) {
    const auto begin = std::chrono::steady_clock::now();
    step();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("%.6f\n", took.count());
  }
}

void run(const std::string& form, const std::string& folder, long n, long repeat) {
  Fields u, v;
  for (int a = 0; a < 3; ++a) {
    u.emplace_back(n);
    v.emplace_back(n);
    read(file_of(folder, "u", a), u[a]);
    u[a].refill();
  }
  Field spare(form == "padded" ? n : 1);
  std::vector<Chunk> chunks;
  if (form == "pipelined") chunks = chunks_of(u);
  time_steps(repeat, [&] {
    if (form == "padded") return padded_step(u, v, spare);
    if (form == "pipelined") return pipelined_step(chunks);
    half_step<false>(v, u, u);
    half_step<true>(u, u, v);
  });
  for (int a = 0; a < 3; ++a) write(file_of(folder, "hand-u", a), u[a]);
}

void compare(const std::string& folder, long n, const std::string& name) {
  double most = 0, largest = 0;
  const Field hand(n), other(n);
  for (int a = 0; a < 3; ++a) {
    read(file_of(folder, "hand-u", a), hand);
    read(file_of(folder, name + "-u", a), other);
    for (long i = 0; i < n; ++i) {
      for (long j = 0; j < n; ++j) {
        for (long k = 0; k < n; ++k) {
          const double difference = std::fabs(double(hand.at(i, j)[k]) - other.at(i, j)[k]);
          most = difference <= most ? most : difference;  // NaN counts
          largest = std::max(largest, std::fabs(double(hand.at(i, j)[k])));
        }
      }
    }
  }
  std::printf("%.9g %.9g\n", most, largest);
}

void triad(long n) {
  const long size = 3 * n * n * n;
  std::vector<float> a(size), b(size, 1.0f), c(size, 2.0f);
  for (int r = 0; r < 7; ++r) {
    const auto begin = std::chrono::steady_clock::now();
#pragma omp parallel for simd schedule(static)
    for (long i = 0; i < size; ++i) a[i] = b[i] + 3.0f * c[i];
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("%.6g\n", 3.0 * sizeof(float) * static_cast<double>(size) / took.count());
  }
  if (a[size / 2] != 7.0f) std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string form = argc > 1 ? argv[1] : "";
  if (form == "triad" && argc == 3) {
    triad(std::atol(argv[2]));
  } else if (form == "inputs" && argc == 4) {
    write_inputs(argv[2], std::atol(argv[3]));
  } else if ((form == "padded" || form == "fused" || form == "pipelined") && argc == 5) {
    run(form, argv[2], std::atol(argv[3]), std::atol(argv[4]));
  } else if (form == "compare" && argc == 5) {
    compare(argv[2], std::atol(argv[3]), argv[4]);
  } else {
    std::fprintf(stderr, "usage: see the head of burgers.cpp\n");
    return 2;
  }
  return 0;
}
