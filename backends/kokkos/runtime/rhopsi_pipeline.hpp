// Pipelines: several sweeps in one, plane by plane along axis 0, on the host.
//
// The planes are cut into slabs, one per thread. What a stage computes for later ones lies in a
// ring of a few planes, one ring per slab; where later stages read it beyond the ends of a slab it
// is computed there too. Arrays that are read and overwritten keep, for each slab, those planes of
// its neighbours that it reads.
#pragma once

#include "rhopsi_fetch.hpp"
#include "rhopsi_kernels.hpp"

namespace rhopsi {

// Planes [low, high).
struct Slab {
  std::int64_t number, low, high;
  bool has(std::int64_t plane) const { return plane >= low && plane < high; }
  // Of planes behind the slab its last one.
  std::int64_t within(std::int64_t plane) const { return plane < high ? plane : high - 1; }
};

// The planes of a domain in contiguous runs, no shorter than what each computes `again`.
template <int R>
struct Slabs {
  Domain<R> domain;
  std::int64_t count = 1;

  Slabs(const Domain<R>& over, std::int64_t again) : domain(over) {
    if (over.size() < detail::serial_below) return;
    count = detail::concurrency();
    const std::int64_t most = over.extent[0] / (again > 0 ? again : 1);
    if (count > most) count = most > 1 ? most : 1;
  }
  Slab operator[](std::int64_t k) const {
    const std::int64_t n = domain.extent[0];
    return {k, n * k / count, n * (k + 1) / count};
  }
  // A field of so many planes for each slab.
  template <class T>
  Field<T, R> field(const char* label, std::int64_t planes) const {
    return field<T>(label, planes, domain);
  }
  // From the first plane of a slab's ring to that of the next one's, where planes have the shape
  // and the pads of those of `like`. Of small ones more than `planes`: threads that write within
  // some lines of each other are slower, by times of two and more that one plane apart did not
  // mend.
  template <class T>
  std::int64_t from_ring_to_ring(std::int64_t planes, const Domain<R>& like) const {
    constexpr std::int64_t page = 4096;
    const std::int64_t bytes = Layout<T, R>(like).stride[0] * static_cast<std::int64_t>(sizeof(T));
    if (count == 1 || bytes <= 0 || bytes >= page) return planes;
    return planes + (page + bytes - 1) / bytes;
  }
  // With the pads of `like`.
  template <class T>
  Field<T, R> field(const char* label, std::int64_t planes, const Domain<R>& like) const {
    Domain<R> own = like;
    own.extent[0] = count * planes;
    return Field<T, R>(label, own);
  }
};

// What a stage reads or writes, as `plane(slab, i)`: an array of one axis less.

// Of an array that the pipeline does not write.
template <class T, int R>
struct AllPlanes {
  FieldRef<const T, R> field;
  std::int64_t n;
  auto plane(const Slab&, std::int64_t i) const {
    return field.plane(i >= 0 && i < n ? i : euclid_mod(i, n));
  }
};
template <class T, int R>
AllPlanes<T, R> all_planes(const Field<T, R>& field) {
  return {field.read(), field.domain().extent[0]};
}

template <class T, int R>
struct RingPlanes {
  FieldRef<T, R> field;
  std::int64_t planes, apart;
  auto plane(const Slab& slab, std::int64_t i) const {
    return field.plane(slab.number * apart + euclid_mod(i, planes));
  }
};
template <class T, int R>
class Ring {
 public:
  Ring(const char* label, const Slabs<R>& slabs, std::int64_t planes)
      : Ring(label, slabs, planes, slabs.domain) {}
  // With the pads of `like`.
  Ring(const char* label, const Slabs<R>& slabs, std::int64_t planes, const Domain<R>& like)
      : apart_(slabs.template from_ring_to_ring<T>(planes, like)),
        field_(slabs.template field<T>(label, apart_, like)),
        planes_(planes) {}
  RingPlanes<T, R> ref(const Halo<R>& halo) {
    (void)field_.overwrite();
    return {field_.refill(halo), planes_, apart_};
  }

 private:
  std::int64_t apart_;
  Field<T, R> field_;
  std::int64_t planes_;
};

// Of an array that is overwritten, as it was before.
template <class T, int R>
struct OldPlanes {
  FieldRef<const T, R> field, kept;
  std::int64_t low, high;
  auto plane(const Slab& slab, std::int64_t i) const {
    if (slab.has(i)) return field.plane(i);
    const std::int64_t first = slab.number * (low + high) + low;
    return kept.plane(first + (i < slab.low ? i - slab.low : i - slab.high));
  }
};
template <class T, int R>
class Seam {
 public:
  Seam(const char* label, const Slabs<R>& slabs, const Field<T, R>& of, std::int64_t low,
       std::int64_t high)
      : of_(of.read()),
        held_(of.held()),
        kept_(slabs.template field<T>(label, low + high, of.domain())),
        before_(pads_before(of.domain())),
        low_(low),
        high_(high) {
    to_ = kept_.overwrite();
    (void)kept_.refill(held_);
    kept_ref_ = kept_.read();
  }
  // Keeps the planes of a slab, with all that is stored of them.
  void keep(const Slab& slab, const Domain<R>& domain) const {
    const std::int64_t first = slab.number * (low_ + high_);
    for (std::int64_t k = 0; k < low_ + high_; ++k) {
      const std::int64_t i = k < low_ ? slab.low - low_ + k : slab.high + k - low_;
      const std::int64_t from = euclid_mod(i, domain.extent[0]);
      const std::int64_t size = of_.stride(0);
      std::memcpy(to_.origin() + (first + k) * size - before_, of_.origin() + from * size - before_,
                  static_cast<std::size_t>(size) * sizeof(T));
    }
  }
  OldPlanes<T, R> ref() const { return {of_, kept_ref_, low_, high_}; }

 private:
  // Elements of a plane in front of its element (0, ..., 0).
  static std::int64_t pads_before(const Domain<R>& domain) {
    const Layout<T, R> layout(domain);
    return layout.origin - domain.low(0) * layout.stride[0];
  }

  FieldRef<const T, R> of_;
  Halo<R> held_;
  Field<T, R> kept_;
  FieldRef<T, R> to_;
  FieldRef<const T, R> kept_ref_;
  std::int64_t before_;
  std::int64_t low_, high_;
};

// Every slab keeps its planes, before anything is overwritten.
template <int R, class... T>
void keep_seams(const Slabs<R>& slabs, const Seam<T, R>&... seams) {
  if (slabs.domain.size() == 0) return;
  detail::each_item("seams of a pipeline", slabs.count, slabs.domain.size(),
                    [&](std::int64_t k) { (seams.keep(slabs[k], slabs.domain), ...); });
}

// Of an array that is written: a slab writes its own planes; for others there is a spare one.
template <class T, int R>
struct OwnPlanes {
  FieldRef<T, R> field;
  auto plane(const Slab&, std::int64_t i) const { return field.plane(i); }
};
template <class T, int R>
OwnPlanes<T, R> own_planes(Field<T, R>& field, const Halo<R>& filled) {
  (void)field.overwrite();
  return {field.refill(filled)};
}
template <class T, int R>
struct OwnAndSparePlanes {
  FieldRef<T, R> field, spare;
  auto plane(const Slab& slab, std::int64_t i) const {
    return slab.has(i) ? field.plane(i) : spare.plane(slab.number);
  }
};
template <class T, int R>
OwnAndSparePlanes<T, R> own_planes(Field<T, R>& field, const Halo<R>& filled, Field<T, R>& spare) {
  return {own_planes(field, filled).field, spare.overwrite()};
}

namespace detail {

// From one plane to another; with the pads that the halo names if there are corners.
template <class T, int D>
void copy_plane(const FieldRef<T, D>& to, const FieldRef<T, D>& from, const std::int64_t* extent,
                const std::int64_t* low, const std::int64_t* high, bool corners) {
  const std::int64_t begin = corners ? -low[0] : 0, end = extent[0] + (corners ? high[0] : 0);
  if constexpr (D == 1) {
    std::memcpy(to.origin() + begin, from.origin() + begin,
                static_cast<std::size_t>(end - begin) * sizeof(T));
  } else {
    for (std::int64_t i = begin; i < end; ++i)
      copy_plane(to.plane(i), from.plane(i), extent + 1, low + 1, high + 1, corners);
  }
}
template <class T, int D>
void fill_planes(const FieldRef<T, D>& plane, const std::int64_t* extent, const std::int64_t* low,
                 const std::int64_t* high, bool corners);
// Of one row. Pads are seldom longer than it, and this is done for every row: no divisions.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void fill_row(T* row, std::int64_t n, std::int64_t low,
                                          std::int64_t high) {
  if (RHOPSI_LIKELY(low <= n && high <= n)) {
    for (std::int64_t k = -low; k < 0; ++k) row[k] = row[k + n];
    for (std::int64_t k = n; k < n + high; ++k) row[k] = row[k - n];
    return;
  }
  for (std::int64_t k = -low; k < 0; ++k) row[k] = row[euclid_mod(k, n)];
  for (std::int64_t k = n; k < n + high; ++k) row[k] = row[euclid_mod(k, n)];
}
template <class T, int D>
KOKKOS_FORCEINLINE_FUNCTION void fill_pads(const FieldRef<T, D>& plane, const std::int64_t* extent,
                                           const std::int64_t* low, const std::int64_t* high,
                                           bool corners) {
  if constexpr (D == 1)
    fill_row(plane.origin(), extent[0], low[0], high[0]);
  else
    fill_planes(plane, extent, low, high, corners);
}
template <class T, int D>
void fill_planes(const FieldRef<T, D>& plane, const std::int64_t* extent, const std::int64_t* low,
                 const std::int64_t* high, bool corners) {
  const std::int64_t n = extent[0];
  for (std::int64_t i = 0; i < n; ++i)
    fill_pads(plane.plane(i), extent + 1, low + 1, high + 1, corners);
  const auto copy = [&](std::int64_t i) {
    copy_plane(plane.plane(i), plane.plane(euclid_mod(i, n)), extent + 1, low + 1, high + 1,
               corners);
  };
  for (std::int64_t i = -low[0]; i < 0; ++i) copy(i);
  for (std::int64_t i = n; i < n + high[0]; ++i) copy(i);
}

// Out of line: the copy, whose address nobody has, stays in registers whatever is stored. A part is
// a slab, or a slab and a tile.
template <class F, class... Part>
RHOPSI_NOINLINE void run_plane(const F& shared, std::int64_t plane, const Part&... part) {
  const F f = shared;
  f(part..., plane);
}

}  // namespace detail

// The pads of a plane take the circular values, as far as the halo says; its axis 0 is not there.
template <class T, int D, int R>
void fill_plane(const FieldRef<T, D>& plane, const Domain<R>& domain, const Halo<R>& halo) {
  static_assert(D + 1 == R, "a plane has one axis less");
  detail::fill_pads(plane, domain.extent + 1, halo.low + 1, halo.high + 1, halo.corners);
}

// f(slab, plane), or f(slab, tile, plane), `lag` planes behind, for each plane of a slab and those
// beyond it.
template <class F>
struct PipelineStage {
  std::int64_t lag, below, above;
  const F& f;
  template <class... Tile>
  void run(std::int64_t moment, const Slab& slab, const Tile&... tile) const {
    const std::int64_t plane = moment - lag;
    if (plane >= slab.low - below && plane < slab.high + above)
      detail::run_plane(f, plane, slab, tile...);
  }
};
template <class F>
PipelineStage<F> pipeline_stage(std::int64_t lag, std::int64_t below, std::int64_t above,
                                const F& f) {
  return {lag, below, above, f};
}

namespace detail {

template <int R, class RunSlab>
void run_slabs(const char* label, const Slabs<R>& slabs, const RunSlab& run_slab) {
  // Of a template's parameter, so that it is asked only of programs that have a pipeline.
  static_assert(on_host && R > 0, "scheduled for a host: emit this program again for its device");
  if (slabs.domain.size() == 0) return;
  each_item(label, slabs.count, slabs.domain.size(), [&](std::int64_t k) { run_slab(slabs[k]); });
}

// Of a slab; at each the stages come one after the other.
struct Moments {
  std::int64_t first, last;
  template <class... F>
  Moments(const Slab& slab, const PipelineStage<F>&... stages) : first(slab.high), last(slab.low) {
    (reach(slab.low - stages.below + stages.lag, slab.high + stages.above + stages.lag), ...);
  }

 private:
  void reach(std::int64_t begin, std::int64_t end) {
    first = begin < first ? begin : first;
    last = end > last ? end : last;
  }
};

}  // namespace detail

template <int R, class... F>
void run_pipeline(const char* label, const Slabs<R>& slabs, const PipelineStage<F>&... stages) {
  detail::run_slabs(label, slabs, [&](const Slab& slab) {
    const detail::Moments moments(slab, stages...);
    for (std::int64_t t = moments.first; t < moments.last; ++t) (stages.run(t, slab), ...);
  });
}

}  // namespace rhopsi
