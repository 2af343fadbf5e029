// What the programs of stencils.cpp are written over: fields on a periodic grid of two or three
// axes, cut into slabs of planes (rows, where there are two axes), one per thread.
//
// Each slab has its fields to itself: with `halo` planes beyond both ends, which are copied from
// its neighbours in front of a step, and with pads of `pad` elements around each plane, which are
// filled behind each plane while it is in the cache. So all threads can write in place, and compute
// planes of their halos again where a later sweep of the same step reads them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <omp.h>

namespace peers {

using Real = float;

struct Grid {
  long planes = 1, rows = 1, columns = 1;  // rows: 1 where there are two axes
  bool flat() const { return rows == 1; }
  long elements() const { return planes * rows * columns; }
};

[[noreturn]] inline void stop(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

class Slab {
 public:
  Slab(const Grid& grid, long begin, long end, long halo, long pad, int fields)
      : begin(begin),
        end(end),
        halo(halo),
        pad(pad),
        row_pad_(grid.flat() ? 0 : pad),
        grid_(grid),
        pitch_((grid.columns + pad + lanes + lanes - 1) / lanes * lanes),
        plane_((grid.rows + 2 * row_pad_) * pitch_) {
    const std::size_t size = static_cast<std::size_t>((end - begin + 2 * halo) * plane_);
    for (int f = 0; f < fields; ++f) {
      // Apart, so that the streams of one loop do not meet in the same sets of a cache.
      const std::size_t bytes =
          (size + 3 * lanes + 80 * static_cast<std::size_t>(f)) * sizeof(Real);
      memory_.emplace_back(static_cast<Real*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64)));
      std::fill_n(memory_.back().get(), bytes / sizeof(Real), Real(0));
      first_.push_back(memory_.back().get() + 16 * f + halo * plane_ + row_pad_ * pitch_ + lanes);
    }
  }

  // Element 0 of a row; planes count from the first one of the slab.
  Real* at(int field, long plane, long row = 0) const {
    return first_[static_cast<std::size_t>(field)] + plane * plane_ + row * pitch_;
  }
  long planes() const { return end - begin; }
  long pitch() const { return pitch_; }
  void swap(int a, int b) {
    std::swap(memory_[static_cast<std::size_t>(a)], memory_[static_cast<std::size_t>(b)]);
    std::swap(first_[static_cast<std::size_t>(a)], first_[static_cast<std::size_t>(b)]);
  }

  void refill(int field, long plane) const {
    for (long j = 0; j < grid_.rows; ++j) {
      Real* const row = at(field, plane, j);
      for (long k = 0; k < pad; ++k) {
        row[-1 - k] = row[grid_.columns - 1 - k];
        row[grid_.columns + k] = row[k];
      }
    }
    const std::size_t bytes = static_cast<std::size_t>(grid_.columns + 2 * pad) * sizeof(Real);
    for (long j = 0; j < row_pad_; ++j) {
      std::memcpy(at(field, plane, -1 - j) - pad, at(field, plane, grid_.rows - 1 - j) - pad,
                  bytes);
      std::memcpy(at(field, plane, grid_.rows + j) - pad, at(field, plane, j) - pad, bytes);
    }
  }

  void copy_plane(int field, long plane, const Slab& from, long source) const {
    std::memcpy(at(field, plane, -row_pad_) - lanes, from.at(field, source, -row_pad_) - lanes,
                static_cast<std::size_t>(plane_) * sizeof(Real));
  }

  long begin, end, halo, pad;

 private:
  static constexpr long lanes = 16;  // rows begin at whole vectors
  struct Free {
    void operator()(Real* p) const { std::free(p); }
  };
  long row_pad_;
  Grid grid_;
  long pitch_, plane_;
  std::vector<std::unique_ptr<Real[], Free>> memory_;
  std::vector<Real*> first_;
};

class Slabs {
 public:
  Slabs(const Grid& grid, long halo, long pad, int fields) : grid_(grid), fields_(fields) {
    const long threads = std::max(1L, std::min<long>(omp_get_max_threads(), grid.planes / 8));
    slabs_.resize(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(static_cast <int>(threads))
    {
      const long t = omp_get_thread_num();
      slabs_[static_cast<std::size_t>(t)] = std::make_unique<Slab>(
          grid, grid.planes * t / threads, grid.planes * (t + 1) / threads, halo, pad, fields);
    }
  }

  // One step of all threads: halos of `exchanged` fields, then step(slab).
  template <class Step>
  void step(const std::vector<int>& exchanged, const Step& step) {
#pragma omp parallel num_threads(static_cast <int>(slabs_.size()))
    {
      const std::size_t t = static_cast<std::size_t>(omp_get_thread_num());
      Slab& own = *slabs_[t];
      const Slab& below = *slabs_[(t + slabs_.size() - 1) % slabs_.size()];
      const Slab& above = *slabs_[(t + 1) % slabs_.size()];
      for (const int field : exchanged) {
        for (long k = 0; k < own.halo; ++k) {
          own.copy_plane(field, -1 - k, below, below.planes() - 1 - k);
          own.copy_plane(field, own.planes() + k, above, k);
        }
      }
#pragma omp barrier
      step(own);
    }
  }

  // Between the grid in rows and a field, pads included.
  void set(int field, const std::vector<Real>& from) {
    for (auto& slab : slabs_) {
      each_row(*slab, field, [&](Real* row, long place) {
        std::copy_n(from.data() + place, grid_.columns, row);
      });
      for (long i = 0; i < slab->planes(); ++i) slab->refill(field, i);
    }
  }
  std::vector<Real> get(int field) {
    std::vector<Real> to(static_cast<std::size_t>(grid_.elements()));
    for (auto& slab : slabs_) {
      each_row(*slab, field, [&](const Real* row, long place) {
        std::copy_n(row, grid_.columns, to.data() + place);
      });
    }
    return to;
  }
  int fields() const { return fields_; }

 private:
  template <class Visit>
  void each_row(const Slab& slab, int field, const Visit& visit) {
    for (long i = 0; i < slab.planes(); ++i) {
      for (long j = 0; j < grid_.rows; ++j) {
        visit(slab.at(field, i, j), ((slab.begin + i) * grid_.rows + j) * grid_.columns);
      }
    }
  }

  Grid grid_;
  int fields_;
  std::vector<std::unique_ptr<Slab>> slabs_;
};

// --- files of NumPy

inline std::string npy_header(const Grid& grid) {
  std::string shape = std::to_string(grid.planes) + ", ";
  if (!grid.flat()) shape += std::to_string(grid.rows) + ", ";
  shape += std::to_string(grid.columns);
  std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }";
  while ((10 + dict.size() + 1) % 64 != 0) dict += ' ';
  dict += '\n';
  std::string head("\x93NUMPY\x01\x00", 8);
  head += static_cast<char>(dict.size() % 256);
  head += static_cast<char>(dict.size() / 256);
  return head + dict;
}

inline std::FILE* opened(const std::string& name, const char* mode) {
  std::FILE* const file = std::fopen(name.c_str(), mode);
  if (file == nullptr) stop("cannot open " + name);
  return file;
}

inline void write_npy(const std::string& name, const Grid& grid, const std::vector<Real>& from) {
  std::FILE* const file = opened(name, "wb");
  const std::string head = npy_header(grid);
  std::fwrite(head.data(), 1, head.size(), file);
  std::fwrite(from.data(), sizeof(Real), from.size(), file);
  std::fclose(file);
}

inline std::vector<Real> read_npy(const std::string& name, const Grid& grid) {
  std::FILE* const file = opened(name, "rb");
  unsigned char head[10];
  bool complete = std::fread(head, 1, 10, file) == 10;
  std::fseek(file, 10 + head[8] + 256 * head[9], SEEK_SET);
  std::vector<Real> to(static_cast<std::size_t>(grid.elements()));
  complete = complete && std::fread(to.data(), sizeof(Real), to.size(), file) == to.size();
  std::fclose(file);
  if (!complete) stop(name + " is too short");
  return to;
}

// --- times

template <class Step>
void time_steps(long repeat, const Step& step) {
  for (long r = 0; r < repeat; ++r) {
    const auto begin = std::chrono::steady_clock::now();
    step();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("%.6f\n", took.count());
  }
}

// Bytes per second of a = b + s * c, as they are counted: two read and one written.
inline void triad(long size) {
  std::vector<Real> a, b, c;
  for (auto* each : {&a, &b, &c}) each->reserve(static_cast<std::size_t>(size));
  Real *const pa = a.data(), *const pb = b.data(), *const pc = c.data();
#pragma omp parallel for simd schedule(static)
  for (long i = 0; i < size; ++i) pa[i] = 0, pb[i] = 1, pc[i] = 2;
  for (int r = 0; r < 7; ++r) {
    const auto begin = std::chrono::steady_clock::now();
#pragma omp parallel for simd schedule(static)
    for (long i = 0; i < size; ++i) pa[i] = pb[i] + Real(3) * pc[i];
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("%.6g\n", 3.0 * sizeof(Real) * static_cast<double>(size) / took.count());
  }
  if (pa[size / 2] != Real(7)) std::abort();
}

}  // namespace peers
