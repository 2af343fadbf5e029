// Pipelines over arrays of one axis: several sweeps in one, run by run of elements, on the host.
//
// The elements are cut into slabs, one per thread, and a slab goes through its own in runs that
// stay in a core's cache. What a sweep computes for later ones lies in a ring with room for a run
// and the few elements before it that are still read. Sweeps see arrays as lines: where all that a
// run reads is in the array they are the array. Only the first and last runs are copied, which are
// no longer than they must be.
#pragma once

#include "rhopsi_tiles.hpp"

namespace rhopsi {

// How many elements a run has: as many as keep `bytes` for each of them in a quarter of a core's
// cache, and no fewer than 256. Not more than `most`, if that is not 0.
struct Runs {
  // Elements of 4 or 8 bytes whose number keeps vectors on lines of the cache.
  static constexpr std::int64_t aligned = 16;
  std::int64_t length;

  Runs(const Domain<1>& domain, std::int64_t bytes, std::int64_t most = 0)
      : length(detail::core_cache() / 4 / (bytes > 0 ? bytes : 1)) {
    length -= length % aligned;
    if (length < 256) length = 256;
    if (most > 0 && length > most) length = most;
    if (length > domain.extent[0]) length = domain.extent[0];
    if (length < 1) length = 1;
  }
};

// Elements of a slab, in front and at the end: stages go beyond the slab, or read beyond it, in
// those alone, each by as many moments later as its lag says. The last stage has the lag `last`.
struct RunEnds {
  std::int64_t low, high, last;
  // The moments at which the run in front ends, and the one at the end begins; the stores of the
  // last stage are on lines of the cache behind the former, if the array is.
  std::int64_t first_end(const Slab& slab) const {
    return slab.low + low + euclid_mod(last - slab.low - low, Runs::aligned);
  }
  std::int64_t last_begin(const Slab& slab) const { return slab.high - high; }
};

// Elements from the index `low` on.
template <class T>
struct Line {
  T* first;
  std::int64_t low;
  KOKKOS_FORCEINLINE_FUNCTION T& operator[](std::int64_t i) const { return first[i - low]; }
};

namespace detail {

// A few elements more than a run for each slab.
template <class T>
class LineRoom {
 public:
  LineRoom(const char* label, const Slabs<1>& slabs, std::int64_t elements)
      : size_((elements + line - 1) / line * line + line),
        field_(label, Domain<1>{{slabs.count * size_}}),
        first_(field_.overwrite().origin()) {}
  T* of(const Slab& slab) const { return first_ + slab.number * size_; }

  static constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));

 private:
  // Slabs of other threads are on other lines of the cache.
  std::int64_t size_;
  Field<T, 1> field_;
  T* first_;
};

}  // namespace detail

// What stages read and write, as `line(slab, low, high)`: the elements [low, high), of which a
// stage may only touch those.

// Of an array that the pipeline does not write; beyond its ends it goes around. `reach`: by how
// much more than a run is asked for at most.
template <class T>
class LineOfAll {
 public:
  LineOfAll(const char* label, const Slabs<1>& slabs, const Runs& runs, const Field<T, 1>& of,
            std::int64_t reach)
      : room_(label, slabs, runs.length + reach),
        from_(of.read().origin()),
        n_(slabs.domain.extent[0]) {}
  Line<const T> line(const Slab& slab, std::int64_t low, std::int64_t high) const {
    if (low >= 0 && high <= n_) return {from_, 0};
    T* const to = room_.of(slab);
    for (std::int64_t i = low; i < high; ++i)
      to[i - low] = from_[i >= 0 && i < n_ ? i : euclid_mod(i, n_)];
    return {to, low};
  }

 private:
  detail::LineRoom<T> room_;
  const T* from_;
  std::int64_t n_;
};

// Of an array that is overwritten, as it was before: `below` and `above` elements beside each slab
// are kept.
template <class T>
class LineOfOld {
 public:
  LineOfOld(const char* label, const Slabs<1>& slabs, const Runs& runs, const Field<T, 1>& of,
            std::int64_t reach, std::int64_t below, std::int64_t above)
      : room_(label, slabs, runs.length + reach),
        kept_(label, slabs, below + above),
        from_(of.read().origin()),
        n_(slabs.domain.extent[0]),
        below_(below) {
    if (n_ == 0) return;
    for (std::int64_t k = 0; k < slabs.count; ++k) {
      const Slab slab = slabs[k];
      T* const to = kept_.of(slab);
      for (std::int64_t e = 0; e < below; ++e) to[e] = from_[euclid_mod(slab.low - below + e, n_)];
      for (std::int64_t e = 0; e < above; ++e) to[below + e] = from_[euclid_mod(slab.high + e, n_)];
    }
  }
  Line<const T> line(const Slab& slab, std::int64_t low, std::int64_t high) const {
    if (low >= slab.low && high <= slab.high) return {from_, 0};
    T* const to = room_.of(slab);
    const T* const kept = kept_.of(slab);
    for (std::int64_t i = low; i < high; ++i)
      to[i - low] = i < slab.low    ? kept[i - slab.low + below_]
                    : i < slab.high ? from_[i]
                                    : kept[below_ + i - slab.high];
    return {to, low};
  }

 private:
  detail::LineRoom<T> room_, kept_;
  const T* from_;
  std::int64_t n_, below_;
};

// What a stage stores for later ones: a run, and `before` elements in front of it.
template <class T>
class LineRing {
 public:
  LineRing(const char* label, const Slabs<1>& slabs, const Runs& runs, std::int64_t before)
      : room_(label, slabs, runs.length + before + room_.line),
        low_("start of a ring", slabs, 1),
        before_(before),
        skipped_(euclid_mod(-before, room_.line)) {
    for (std::int64_t k = 0; k < slabs.count; ++k) *low_.of(slabs[k]) = none;
  }
  // To store a run, behind the one that was stored last.
  Line<T> next(const Slab& slab, std::int64_t low) const {
    T* const first = first_of(slab);
    std::int64_t& held = *low_.of(slab);
    if (held != none && before_ > 0)
      std::memmove(first, first + (low - before_ - held),
                   static_cast<std::size_t>(before_) * sizeof(T));
    held = low - before_;
    return {first, held};
  }
  Line<const T> line(const Slab& slab, std::int64_t, std::int64_t) const {
    return {first_of(slab), *low_.of(slab)};
  }

 private:
  T* first_of(const Slab& slab) const { return room_.of(slab) + skipped_; }

  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  detail::LineRoom<T> room_;
  detail::LineRoom<std::int64_t> low_;
  std::int64_t before_;
  std::int64_t skipped_;  // so that what is stored is on lines of the cache
};

// Of an array that is written: a slab stores its own elements alone, and puts others aside.
template <class T>
class LineOfOwn {
 public:
  LineOfOwn(const char* label, const Slabs<1>& slabs, const Runs& runs, Field<T, 1>& to)
      : room_(label, slabs, runs.length), to_(to.overwrite().origin()) {}
  Line<T> next(const Slab& slab, std::int64_t low, std::int64_t high) const {
    if (low >= slab.low && high <= slab.high) return {to_, 0};
    return {room_.of(slab), low};
  }
  // Behind what was stored.
  void done(const Slab& slab, std::int64_t low, std::int64_t high) const {
    if (low >= slab.low && high <= slab.high) return;
    const T* const from = room_.of(slab);
    for (std::int64_t i = low > slab.low ? low : slab.low; i < high && i < slab.high; ++i)
      to_[i] = from[i - low];
  }

 private:
  detail::LineRoom<T> room_;
  T* to_;
};

namespace detail {

template <class F>
RHOPSI_NOINLINE void run_line(const F& shared, const Slab& slab, std::int64_t low,
                              std::int64_t high) {
  const F f = shared;
  f(slab, low, high);
}

// The elements of the moments [from, to) that the stage does of the slab.
template <class F>
void run_moments(const PipelineStage<F>& stage, const Slab& slab, std::int64_t from,
                 std::int64_t to) {
  const std::int64_t begin = slab.low - stage.below, end = slab.high + stage.above;
  const std::int64_t low = from - stage.lag > begin ? from - stage.lag : begin;
  const std::int64_t high = to - stage.lag < end ? to - stage.lag : end;
  if (low < high) run_line(stage.f, slab, low, high);
}

}  // namespace detail

// f(slab, low, high) of each stage for the elements of a run, one run after the other.
template <class... F>
void run_in_runs(const char* label, const Slabs<1>& slabs, const Runs& runs, const RunEnds& ends,
                 const PipelineStage<F>&... stages) {
  detail::run_slabs(label, slabs, [&](const Slab& slab) {
    const detail::Moments moments(slab, stages...);
    const std::int64_t first_end = ends.first_end(slab), last_begin = ends.last_begin(slab);
    for (std::int64_t t = moments.first, end; t < moments.last; t = end) {
      end = t + runs.length;
      if (t < last_begin && last_begin < end) end = last_begin;
      if (t < first_end && first_end < end) end = first_end;
      (detail::run_moments(stages, slab, t, end), ...);
    }
  });
}

}  // namespace rhopsi
