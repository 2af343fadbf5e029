// Operations on whole arrays: pointwise functions, rotation, pads, and the way to the host's
// own memory and back.
#pragma once

#include <cstring>

#include "rhopsi_kernels.hpp"
#include "rhopsi_scalar.hpp"

namespace rhopsi {
namespace detail {

// A scalar where a kernel expects an array.
template <class T>
struct Uniform {
  T value;
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(I...) const {
    return value;
  }
};

template <class T, int R>
FieldRef<const T, R> operand(const Field<T, R>& field) {
  return field.read();
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Uniform<T> operand(T scalar) {
  return {scalar};
}

// Are the pads of an operand there and fresh? Scalars are their own pads.
template <int R, class T>
bool covers_pads(const Domain<R>& domain, const Field<T, R>& field) {
  if (!same_shape(domain, field.domain()))
    throw Error("'" + field.label() + "' has shape " + to_string(field.domain()) + ", not " +
                    to_string(domain),
                codes::shapes);
  return field.fresh() && holds_pads(field.domain(), domain);
}
template <int R, class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
bool covers_pads(const Domain<R>&, T) {
  return true;
}

// Packs of operands are spelled out, since extended lambdas cannot capture them.
template <class Function, class Out, class A>
struct Pointwise1 {
  Out out;
  A a;
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(I... i) const {
    out(i...) = Function{}(a(i...));
  }
};
template <class Function, class Out, class A, class B>
struct Pointwise2 {
  Out out;
  A a;
  B b;
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(I... i) const {
    out(i...) = Function{}(a(i...), b(i...));
  }
};
template <class Function, class Out, class A, class B, class C>
struct Pointwise3 {
  Out out;
  A a;
  B b;
  C c;
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(I... i) const {
    out(i...) = Function{}(a(i...), b(i...), c(i...));
  }
};
template <class Function, class Out, class A>
Pointwise1<Function, Out, A> pointwise_kernel(Out out, A a) {
  return {out, a};
}
template <class Function, class Out, class A, class B>
Pointwise2<Function, Out, A, B> pointwise_kernel(Out out, A a, B b) {
  return {out, a, b};
}
template <class Function, class Out, class A, class B, class C>
Pointwise3<Function, Out, A, B, C> pointwise_kernel(Out out, A a, B b, C c) {
  return {out, a, b, c};
}

template <class T, int R>
T element_of(const Field<T, R>&);
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
T element_of(T);

// out[p] = a[p with axis component + by]
template <class T, int R>
struct Shifted {
  FieldRef<T, R> out;
  FieldRef<const T, R> a;
  std::int64_t step;  // `by` on the axis, 0 elsewhere: the row's own offset
  int axis;
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(I... i) const {
    out(i...) = a(shift_index(make_index(i...), axis, step));
  }
};

// Component `axis` counts the pads: first those below, then those above.
template <class T, int R>
struct RefillAxis {
  FieldRef<T, R> out;
  FieldRef<const T, R> in;
  std::int64_t extent, low;
  int axis;
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(I... i) const {
    Index<R> to = make_index(i...);
    to[axis] = to[axis] < low ? to[axis] - low : extent + to[axis] - low;
    Index<R> from = to;
    from[axis] = euclid_mod(to[axis], extent);
    out(to) = in(from);
  }
};

template <class T, int R>
struct CopyInterior {
  FieldRef<T, R> out;
  FieldRef<const T, R> in;
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(I... i) const {
    out(i...) = in(i...);
  }
};

}  // namespace detail

// The pads take the circular values, axis after axis: each axis also copies the pads that the
// axes before it have filled, so that corners are right.
template <class T, int R>
void refill_padding(const char* label, const Domain<R>& domain, Field<T, R>& a) {
  (void)domain;  // the field's own, which may hold others
  const Domain<R> own = stored_once(a.domain());
  if (!own.padded()) return;
  const FieldRef<T, R> out = a.write();
  a.mark_fresh();  // for the reads below, which touch only what is already filled
  if (own.size() == 0) return;
  const FieldRef<const T, R> in = a.read();
  Box<R> box = interior(own);
  const Box<R> whole = grown(own);
  for (int axis = 0; axis < R; ++axis) {
    box.lo[axis] = 0;
    box.hi[axis] = own.low(axis) + own.high(axis);
    const detail::RefillAxis<T, R> refill{out, in, own.extent[axis], own.low(axis), axis};
    if (box.hi[axis] > 0) for_each_box(label, box, refill);
    box.lo[axis] = whole.lo[axis];
    box.hi[axis] = whole.hi[axis];
  }
}

namespace detail {

// Elements of a pad from those that lie `shift` further on in memory.
template <class T, int R>
struct CopyShifted {
  FieldRef<T, R> field;
  std::int64_t shift;
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(I... i) const {
    const std::int64_t index[R] = {static_cast<std::int64_t>(i)...};
    std::int64_t at = index[R - 1];
    for (int a = 0; a < R - 1; ++a) at += index[a] * field.stride(a);
    field.origin()[at] = field.origin()[at + shift];
  }
};

// `box` on both sides of `axis`. Where the side is shorter than the pad, what lies nearer is
// filled first and read then.
template <class T, int R>
void refill_faces(const char* label, const FieldRef<T, R>& field, Box<R> box, int axis,
                  std::int64_t low, std::int64_t high) {
  const std::int64_t n = box.hi[axis];
  const std::int64_t shift = n * field.stride(axis);
  for (std::int64_t done = 0; done < low; done += n) {
    box.lo[axis] = done + n < low ? -done - n : -low;
    box.hi[axis] = -done;
    for_each_box(label, box, CopyShifted<T, R>{field, shift});
  }
  for (std::int64_t done = 0; done < high; done += n) {
    box.lo[axis] = n + done;
    box.hi[axis] = n + (done + n < high ? done + n : high);
    for_each_box(label, box, CopyShifted<T, R>{field, -shift});
  }
}

// The pads without corners, plane by plane of axis 0 and all of one plane together; then the planes
// that are pads of axis 0. On the host, from two axes on.
template <class T, int R>
struct HaloPlanes {
  FieldRef<T, R> field;
  Domain<R> own;
  Halo<R> halo;

  std::int64_t items() const { return own.extent[0] + halo.low[0] + halo.high[0]; }
  void operator()(std::int64_t item) const {
    const std::int64_t n = own.extent[R - 1];
    if (item >= own.extent[0]) {
      const std::int64_t to = beyond(0, item - own.extent[0]);
      T* const plane = field.origin() + to * field.stride(0);
      const std::int64_t back = (from(0, to) - to) * field.stride(0);
      each_row(0, [&](std::int64_t at, std::int64_t) { copy(plane + at, plane + at + back, n); });
      return;
    }
    T* const plane = field.origin() + item * field.stride(0);
    each_row(0, [&](std::int64_t at, std::int64_t) {
      T* const row = plane + at;
      for (std::int64_t k = -halo.low[R - 1]; k < 0; ++k) row[k] = row[from(R - 1, k)];
      for (std::int64_t k = n; k < n + halo.high[R - 1]; ++k) row[k] = row[from(R - 1, k)];
    });
    for (int axis = 1; axis < R - 1; ++axis) {
      each_row(axis, [&](std::int64_t at, std::int64_t to) {
        const std::int64_t stride = field.stride(axis);
        copy(plane + at + to * stride, plane + at + from(axis, to) * stride, n);
      });
    }
  }

 private:
  static void copy(T* to, const T* from, std::int64_t n) {
    std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
  }
  // The k-th index of a pad, those below first.
  std::int64_t beyond(int axis, std::int64_t k) const {
    return k < halo.low[axis] ? k - halo.low[axis] : own.extent[axis] + k - halo.low[axis];
  }
  // Where its value is. Few sides are shorter than their pads.
  std::int64_t from(int axis, std::int64_t k) const {
    const std::int64_t n = own.extent[axis];
    const std::int64_t near = k < 0 ? k + n : k - n;
    return near >= 0 && near < n ? near : euclid_mod(k, n);
  }
  // Rows of a plane, by their place in it. Of a middle axis its pads, whose index is told beside.
  template <class Visit>
  void each_row(int pads_of, const Visit& visit) const {
    std::int64_t counts[R] = {}, index[R] = {}, rows = 1;
    for (int a = 1; a < R - 1; ++a) {
      counts[a] = a == pads_of ? halo.low[a] + halo.high[a] : own.extent[a];
      rows *= counts[a];
    }
    for (std::int64_t row = 0; row < rows; ++row) {
      std::int64_t at = 0;
      for (int a = 1; a < R - 1; ++a) at += a == pads_of ? 0 : index[a] * field.stride(a);
      visit(at, beyond(pads_of, index[pads_of]));
      for (int a = R - 2; a >= 1; --a) {
        if (++index[a] < counts[a]) break;
        index[a] = 0;
      }
    }
  }
};

}  // namespace detail

// As much of the pads as `halo` says takes the circular values, unless the block holds that much.
template <class T, int R>
void refill_halo(const char* label, const Field<T, R>& a, const Halo<R>& halo) {
  const Domain<R> own = a.domain();
  if (own.size() == 0 || a.held().covers(halo)) return;
  const FieldRef<T, R> field = a.refill(halo);
  if constexpr (on_host && R > 1) {
    if (!halo.corners) {
      const detail::HaloPlanes<T, R> planes{field, own, halo};
      const std::int64_t elements = own.size() / own.extent[0] + own.size() / own.extent[R - 1];
      detail::each_item(label, planes.items(), elements, planes);
      return;
    }
  }
  Box<R> box = interior(own);
  for (int axis = 0; axis < R; ++axis) {
    detail::refill_faces(label, field, box, axis, halo.low[axis], halo.high[axis]);
    if (!halo.corners) continue;
    box.lo[axis] -= halo.low[axis];
    box.hi[axis] += halo.high[axis];
  }
}

// A fresh array of Function of the elements; scalars are extended. Pads are computed where
// all operands have fresh ones: the result then has them too.
template <class Function, int R, class... Operands>
auto pointwise(const char* label, const Domain<R>& domain, const Operands&... operands) {
  using T = std::decay_t<decltype(Function{}(detail::element_of(operands)...))>;
  bool pads = true;
  ((pads = detail::covers_pads(domain, operands) && pads), ...);
  Field<T, R> result(label, domain);
  const auto out = result.overwrite();
  for_each_box(label, pads ? grown(domain) : interior(domain),
               detail::pointwise_kernel<Function>(out, detail::operand(operands)...));
  if (pads) result.mark_fresh();
  return result;
}

// Element p is a[p[axis] := (p[axis] + o) mod s[axis]]; the pads are fresh. Two boxes instead
// of a mod: what moves by o, and what moves by o - s.
template <class T, int R>
Field<T, R> rotate(const char* label, const Domain<R>& domain, const Field<T, R>& a,
                   std::int64_t axis_, std::int64_t o) {
  const int axis = static_cast<int>(axis_);
  if (axis < 0 || axis >= R)
    throw Error(
        "rotate: axis " + std::to_string(axis_) + " of an array of rank " + std::to_string(R),
        codes::index_range);
  (void)detail::covers_pads(domain, a);
  Field<T, R> result(label, domain);
  const FieldRef<T, R> out = result.overwrite();
  const FieldRef<const T, R> in = a.read();
  const std::int64_t s = domain.extent[axis];
  const std::int64_t shift = s > 0 ? euclid_mod(o, s) : 0;
  Box<R> box = interior(domain);
  box.hi[axis] = s - shift;
  for_each_box(label, box, detail::Shifted<T, R>{out, in, shift, axis});
  box.lo[axis] = s - shift;
  box.hi[axis] = s;
  for_each_box(label, box, detail::Shifted<T, R>{out, in, shift - s, axis});
  refill_padding(label, domain, result);
  return result;
}

// The interior, row-major and without gaps, from and to memory of the host. The pads of a
// field that was loaded are fresh.
template <class T, int R>
void copy_to_host(const Field<T, R>& field, T* to) {
  Field<T, R> dense = field;
  if (field.domain().padded()) {
    const Domain<R> bare = without_pads(field.domain());
    dense = Field<T, R>(field.label(), bare);
    for_each_nested("copy to the host", bare,
                    detail::CopyInterior<T, R>{dense.overwrite(), field.read()});
  }
  const auto size = static_cast<std::size_t>(field.domain().size());
  detail::copy_bytes(to, dense.read().origin(), size * sizeof(T), true);
}

template <class T, int R>
void copy_from_host(const T* from, Field<T, R>& field) {
  const Domain<R> domain = field.domain();
  Field<T, R> dense =
      domain.padded() ? Field<T, R>(field.label(), without_pads(domain)) : std::move(field);
  const auto size = static_cast<std::size_t>(domain.size());
  detail::copy_bytes(dense.overwrite().origin(), from, size * sizeof(T), false);
  if (domain.padded()) {
    for_each_nested("copy from the host", domain,
                    detail::CopyInterior<T, R>{field.overwrite(), dense.read()});
    refill_padding("copy from the host", domain, field);
  } else {
    field = std::move(dense);
  }
}

namespace detail {

// f with its first operand bound to `a`.
template <class F, class A>
struct Bound {
  F f;
  A a;
  template <class... B>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const B&... b) const {
    return f(a, b...);
  }
};
template <class F>
F bound(const F& f) {
  return f;
}
template <class F, class A, class... More>
auto bound(const F& f, const A& a, const More&... more) {
  return bound(Bound<F, A>{f, a}, more...);
}

template <class F, class T>
struct StoreValue {
  F f;
  T* to;
  KOKKOS_INLINE_FUNCTION void operator()() const { *to = f(); }
};

}  // namespace detail

// f(operands...) where the operands' elements can be read: on a GPU in a kernel of its own.
template <class F, class... Operands>
auto evaluate(const F& f, const Operands&... operands) {
  if constexpr (on_host) {
    return f(operands...);
  } else {
    const auto call = detail::bound(f, operands...);
    using T = std::decay_t<decltype(call())>;
    static_assert(std::is_trivially_copyable_v<T>, "values come back from the device as bytes");
    T value{};
    T* const there = static_cast<T*>(Pool::instance().acquire(sizeof(T)));
    detail::once_on_device("rhopsi: evaluate",
                           detail::StoreValue<std::decay_t<decltype(call)>, T>{call, there});
    detail::copy_bytes(&value, there, sizeof(T), true);
    Pool::instance().release(there, sizeof(T));
    return value;
  }
}

}  // namespace rhopsi
