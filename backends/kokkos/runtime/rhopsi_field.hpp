// Fields: values of array type on the host's side, and what kernels see of them.
#pragma once

#include <cmath>
#include <memory>
#include <utility>

#include "rhopsi_block.hpp"
#include "rhopsi_kokkos.hpp"

namespace rhopsi {

#ifdef RHOPSI_CHECKED
namespace checked {

// What a FieldRef of a checked build knows besides addresses.
template <int R>
struct Extents {
  std::int64_t extent[R > 0 ? R : 1] = {};
  Pads<R> pads;
  Halo<R> held;
  char name[40] = {};

  // Of a plane.
  auto without_first() const {
    Extents<(R > 1 ? R - 1 : 1)> made;
    for (int a = 1; a < R; ++a) {
      made.extent[a - 1] = extent[a];
      made.pads.low[a - 1] = pads.low[a];
      made.pads.high[a - 1] = pads.high[a];
      made.held.low[a - 1] = held.low[a];
      made.held.high[a - 1] = held.high[a];
    }
    made.held.corners = held.corners;
    std::snprintf(made.name, sizeof made.name, "%s", name);
    return made;
  }
  KOKKOS_INLINE_FUNCTION void check(const std::int64_t* index, bool reads) const {
    bool fresh = true;
    int outside = 0;
    for (int a = 0; a < R; ++a) {
      if (index[a] < -pads.low[a] || index[a] >= extent[a] + pads.high[a])
        fail("E0609", "index outside the block of", name, index, R);
      if (index[a] >= 0 && index[a] < extent[a]) continue;
      ++outside;
      fresh = fresh && index[a] >= -held.low[a] && index[a] < extent[a] + held.high[a];
    }
    if (reads && outside > 0 && (!fresh || (outside > 1 && !held.corners)))
      fail("E0610", "read of a stale pad of", name, index, R);
  }
};

// An element that a kernel stores to.
template <class T, int R>
class Element {
 public:
  KOKKOS_INLINE_FUNCTION Element(T* at, const Extents<R>* extents, const std::int64_t* index)
      : at_(at), extents_(extents) {
    for (int a = 0; a < R; ++a) index_[a] = index[a];
  }
  template <class U>
  KOKKOS_INLINE_FUNCTION Element& operator=(const U& value) {
    return store(static_cast<T>(value));
  }
  KOKKOS_INLINE_FUNCTION Element& operator=(const Element& other) {
    return store(static_cast<T>(other));
  }
  KOKKOS_INLINE_FUNCTION operator T() const { return *at_; }
  KOKKOS_INLINE_FUNCTION Element& operator+=(T value) { return store(*at_ + value); }
  KOKKOS_INLINE_FUNCTION Element& operator-=(T value) { return store(*at_ - value); }
  KOKKOS_INLINE_FUNCTION Element& operator*=(T value) { return store(*at_ * value); }
  KOKKOS_INLINE_FUNCTION Element& operator/=(T value) { return store(*at_ / value); }

 private:
  KOKKOS_INLINE_FUNCTION Element& store(T value) {
    if constexpr (std::is_floating_point_v<T>)
      if (value != value) fail("E0619", "not a number (NaN) stored to", extents_->name, index_, R);
    *at_ = value;
    return *this;
  }
  T* at_;
  const Extents<R>* extents_;
  std::int64_t index_[R > 0 ? R : 1];
};

}  // namespace checked
#endif

template <class T, int R, class Int>
class FieldRef;

#ifdef RHOPSI_CHECKED
namespace checked {

// FieldRef::row of a checked build.
template <class T, int R>
struct RowRef {
  FieldRef<T, R, std::int64_t> field;
  std::int64_t outer[R];
  KOKKOS_INLINE_FUNCTION decltype(auto) operator[](std::int64_t last) const {
    Index<R> ix{};
    for (int a = 0; a < R - 1; ++a) ix[a] = outer[a];
    ix[R - 1] = last;
    return field(ix);
  }
};

}  // namespace checked
#endif

// What kernels read and write through: an address and strides, copied freely. Indices may lie
// in the pads. Of a FieldRef<const T, R> elements can only be read. The place of an element is
// computed in integers of type Int, which have to hold the number of elements if there are any.
template <class T, int R, class Int = std::int64_t>
class FieldRef {
  static_assert(R >= 0 && R <= 6, "arrays have at most six axes");
  static constexpr int outer = R > 1 ? R - 1 : 1;

 public:
  using Value = std::remove_const_t<T>;

  FieldRef() = default;
  explicit FieldRef(const Block<Value, R>& block)
      : origin_(block.memory() + block.layout().origin) {
    for (int a = 0; a < outer; ++a) stride_[a] = static_cast<Int>(block.layout().stride[a]);
#ifdef RHOPSI_CHECKED
    for (int a = 0; a < R; ++a) {
      extents_.extent[a] = block.domain().extent[a];
      extents_.pads.low[a] = block.domain().low(a);
      extents_.pads.high[a] = block.domain().high(a);
    }
    extents_.held = block.held();
    std::snprintf(extents_.name, sizeof extents_.name, "%s", block.label().c_str());
#endif
  }

  // A part of an array that lies by itself, its elements row by row: those whose indices are at
  // least `low`. The places of others are nobody's.
  FieldRef(T* elements, const Index<R>& low, const Index<R>& sides,
           [[maybe_unused]] const Domain<R>& whole, [[maybe_unused]] const char* name) {
    std::int64_t before = 0, stride = 1;
    for (int a = R - 1; a >= 0; --a) {
      if (a < R - 1) stride_[a] = static_cast<Int>(stride);
      before += low[a] * stride;
      stride *= sides[a];
    }
    origin_ = reinterpret_cast<T*>(reinterpret_cast<std::intptr_t>(elements) -
                                   before * static_cast<std::int64_t>(sizeof(T)));
#ifdef RHOPSI_CHECKED
    for (int a = 0; a < R; ++a) extents_.extent[a] = whole.extent[a];
    std::snprintf(extents_.name, sizeof extents_.name, "%s", name);
#endif
  }

  // The elements of one index of axis 0: an array of the other axes. On the host.
  auto plane(Int i) const {
    static_assert(R > 1, "an array of two axes at least");
    FieldRef<T, (R > 1 ? R - 1 : 1), Int> made;
    made.origin_ = origin_ + i * stride_[0];
    for (int a = 1; a < R - 1; ++a) made.stride_[a - 1] = stride_[a];
#ifdef RHOPSI_CHECKED
    made.extents_ = extents_.without_first();
#endif
    return made;
  }

  // The one element of an array without axes.
  KOKKOS_FORCEINLINE_FUNCTION decltype(auto) operator()() const {
    static_assert(R == 0, "as many indices as axes");
#ifdef RHOPSI_CHECKED
    const std::int64_t index[1] = {};
    return checked_element(index);
#else
    return static_cast<T&>(*origin_);
#endif
  }

  template <class... Indices>
  KOKKOS_FORCEINLINE_FUNCTION decltype(auto) operator()(Int first, Indices... rest) const {
    static_assert(sizeof...(Indices) + 1 == R, "as many indices as axes");
#ifdef RHOPSI_CHECKED
    const std::int64_t index[R] = {first, static_cast<std::int64_t>(rest)...};
    return checked_element(index);
#else
    return static_cast<T&>(origin_[offset<0>(first, static_cast<Int>(rest)...)]);
#endif
  }

  KOKKOS_FORCEINLINE_FUNCTION decltype(auto) operator()(const Index<R>& ix) const {
#ifdef RHOPSI_CHECKED
    return checked_element(ix.component);
#else
    std::int64_t at = R > 0 ? ix[R > 0 ? R - 1 : 0] : 0;
    for (int a = 0; a < R - 1; ++a) at += ix[a] * stride_[a];
    return static_cast<T&>(origin_[at]);
#endif
  }

  // The elements along the last axis, by their index there; the other indices are given.
  template <class... Indices>
  KOKKOS_FORCEINLINE_FUNCTION auto row(Indices... outer) const {
    static_assert(sizeof...(Indices) + 1 == R, "as many indices as axes but the last");
#ifdef RHOPSI_CHECKED
    return checked::RowRef<T, R>{*this, {static_cast<std::int64_t>(outer)..., 0}};
#else
    T* first = origin_ + offset<0>(static_cast<Int>(outer)..., Int{0});
    RHOPSI_KEPT(first);
    return first;
#endif
  }

  // What may be read.
  FieldRef<const T, R, Int> read_only() const {
    FieldRef<const T, R, Int> made;
    made.origin_ = origin_;
    for (int a = 0; a < outer; ++a) made.stride_[a] = stride_[a];
#ifdef RHOPSI_CHECKED
    made.extents_ = extents_;
#endif
    return made;
  }

  KOKKOS_FORCEINLINE_FUNCTION T* origin() const { return origin_; }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t stride(int axis) const {
    return axis == R - 1 ? 1 : stride_[axis];
  }

 private:
  template <class, int, class>
  friend class FieldRef;

  template <int A, class... Rest>
  KOKKOS_FORCEINLINE_FUNCTION Int offset(Int first, Rest... rest) const {
    if constexpr (sizeof...(Rest) == 0)
      return first;
    else
      return first * stride_[A] + offset<A + 1>(rest...);
  }

#ifdef RHOPSI_CHECKED
  KOKKOS_INLINE_FUNCTION decltype(auto) checked_element(const std::int64_t* index) const {
    extents_.check(index, std::is_const_v<T>);
    std::int64_t at = R > 0 ? index[R > 0 ? R - 1 : 0] : 0;
    for (int a = 0; a < R - 1; ++a) at += index[a] * stride_[a];
    if constexpr (std::is_const_v<T>)
      return static_cast<T&>(origin_[at]);
    else
      return checked::Element<T, R>(origin_ + at, &extents_, index);
  }
  checked::Extents<R> extents_;
#endif

  T* origin_ = nullptr;
  Int stride_[outer] = {};
};

template <class T, int R>
void copy_block(const Block<T, R>& from, Block<T, R>& to);  // rhopsi_kernels.hpp

// A value of array type. Copies share their block until one of them is written.
template <class T, int R>
class Field {
 public:
  using Value = T;
  static constexpr int rank = R;

  Field() = default;
  Field(std::string label, const Domain<R>& domain)
      : block_(std::make_shared<Block<T, R>>(std::move(label), domain)) {}
  // Around memory of the caller's, dense and row-major, without pads.
  Field(std::string label, const Domain<R>& domain, T* lent)
      : block_(std::make_shared<Block<T, R>>(std::move(label), domain, lent)) {}

  bool empty() const { return block_ == nullptr; }
  const Domain<R>& domain() const { return block().domain(); }
  const std::string& label() const { return block().label(); }
  const Layout<T, R>& layout() const { return block().layout(); }

  template <class Int = std::int64_t>
  FieldRef<const T, R, Int> read() const {
    return FieldRef<const T, R, Int>(block());
  }

  // One element, for the host, wherever the block lies.
  template <class... Indices>
  T element(const Indices&... indices) const {
    const FieldRef<const T, R> elements = read();
    const T& there = elements(indices...);
    if constexpr (on_host) {
      return there;
    } else {
      T value;
      detail::copy_bytes(&value, &there, sizeof(T), true);
      return value;
    }
  }

  // To store to some elements: the others keep their values. The pads become stale.
  template <class Int = std::int64_t>
  FieldRef<T, R, Int> write() {
    own(true);
    block_->set_fresh(false);
    return FieldRef<T, R, Int>(*block_);
  }

  // To store to every element: the values are lost.
  FieldRef<T, R> overwrite() {
    own(false);
    block_->set_fresh(false);
    return FieldRef<T, R>(*block_);
  }

  // Do the pads hold the circular values?
  bool fresh() const { return block().fresh(); }
  void mark_fresh() { block().set_fresh(true); }
  const Halo<R>& held() const { return block().held(); }
  // Does it lie in memory of a caller's? In this one?
  bool lent() const { return block().lent(); }
  bool lies_at(const T* memory) const { return block().lent() && block().memory() == memory; }
  // Is it an array over this domain, in a block that is no other array's?
  bool has_alone(const Domain<R>& domain) const {
    return block_ != nullptr && block_.use_count() == 1 && block_->domain() == domain;
  }
  // The block, for who goes on using its memory when no field has it any more.
  std::shared_ptr<void> shared_block() const { return block_; }
  T* memory() const { return block().memory(); }
  // To fill the pads, for all fields that share the block: what is in them is no part of a value.
  // They count as `halo` from now on.
  FieldRef<T, R> refill(const Halo<R>& halo) const {
    block().set_held(halo);
    return FieldRef<T, R>(block());
  }

 private:
  Block<T, R>& block() const {
    if (block_ == nullptr) throw Error("an array is read before it has a value", codes::unset);
    return *block_;
  }
  RHOPSI_NOINLINE void own(bool keep) {
    const Block<T, R>& old = block();
    if (block_.use_count() == 1) return;
    auto fresh_block = std::make_shared<Block<T, R>>(old.label(), old.domain());
    if (keep) copy_block(old, *fresh_block);
    block_ = std::move(fresh_block);
  }

  std::shared_ptr<Block<T, R>> block_;
};

// A field of which every element is to be stored, and that `out` becomes, whose value nobody needs:
// in its block where it has that alone, and it is left empty. A checked build takes a block in
// which it sees what was never stored.
template <class T, int R>
Field<T, R> field_in_block_of(std::string label, const Domain<R>& domain, Field<T, R>& out) {
  if (!rhopsi_checked && out.has_alone(domain)) return std::move(out);
  return Field<T, R>(std::move(label), domain);
}

}  // namespace rhopsi
