// How the elements of a field lie in memory, and the block that holds them.
#pragma once

#include "rhopsi_index.hpp"
#include "rhopsi_pool.hpp"

namespace rhopsi {

// No array of this process has more elements.
inline std::int64_t& most_elements() {
  static std::int64_t most = INT64_MAX;
  return most;
}

// Row-major with the pads around; the last axis has stride 1. Rows of padded blocks that are
// long enough begin, with their first interior element, at a multiple of 64 bytes. Axes along which
// an array is broadcast have stride 0; the last one has one element.
template <class T, int R>
struct Layout {
  static constexpr int outer = R > 1 ? R - 1 : 1;
  std::int64_t stride[outer] = {};  // of all axes but the last
  std::int64_t origin = 0;          // where element (0, ..., 0) lies
  std::int64_t elements = 0;        // of the whole allocation

  explicit Layout(const Domain<R>& domain) {
    if constexpr (R > 0)
      place(domain);
    else
      elements = 1;
  }

  std::size_t bytes() const { return static_cast<std::size_t>(elements) * sizeof(T); }

 private:
  // No axis is longer, of arrays without elements neither, so that sums of lengths do not overflow.
  static constexpr std::int64_t greatest_length = std::int64_t{1} << 56;

  // Strides of an array without elements are never used.
  void place(const Domain<R>& domain) {
    bool none = false;
    for (int a = 0; a < R; ++a) {
      if (domain.extent[a] > greatest_length) too_large(domain);
      none = none || domain.extent[a] + domain.low(a) + domain.high(a) == 0;
    }
    if (!none) place_elements(domain);
  }
  [[noreturn]] static void too_large(const Domain<R>& domain) {
    throw Error("an array of shape " + to_string(domain) + " is too large", codes::size);
  }
  void place_elements(const Domain<R>& domain) {
    constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));
    const bool once = domain.broadcast[R - 1];
    const std::int64_t n = once ? 1 : domain.extent[R - 1];
    const std::int64_t before = once ? 0 : domain.low(R - 1);
    const bool aligned = domain.padded() && n >= 4 * line;
    const std::int64_t lead = aligned ? (before + line - 1) / line * line : before;
    std::int64_t pitch = lead + n + (once ? 0 : domain.high(R - 1));
    if (aligned) {
      pitch = (pitch + line - 1) / line * line;
      // Rows a power of two apart compete for the same places of the caches.
      if (pitch * static_cast<std::int64_t>(sizeof(T)) % 1024 == 0) pitch += line;
    }
    elements = pitch;
    origin = lead;
    for (int a = R - 2; a >= 0; --a) {
      if (domain.broadcast[a]) continue;
      stride[a] = elements;
      origin += domain.low(a) * elements;
      const std::int64_t length = domain.low(a) + domain.extent[a] + domain.high(a);
      if (__builtin_mul_overflow(elements, length, &elements)) too_large(domain);
    }
    std::int64_t bytes = 0;
    if (elements > most_elements()) too_large(domain);
    if (__builtin_mul_overflow(elements, static_cast<std::int64_t>(sizeof(T)), &bytes))
      too_large(domain);
  }
};

// How far the pads hold the circular values: per axis below 0 and from n on. Without corners
// only where one component at most is outside its axis.
template <int R>
struct Halo {
  std::int64_t low[R > 0 ? R : 1] = {};
  std::int64_t high[R > 0 ? R : 1] = {};
  bool corners = false;

  // All that a block holds; corners are where two axes have pads.
  static Halo all(const Domain<R>& domain) {
    Halo halo;
    int padded = 0;
    for (int a = 0; a < R; ++a) {
      halo.low[a] = domain.low(a);
      halo.high[a] = domain.high(a);
      padded += halo.low[a] > 0 || halo.high[a] > 0 ? 1 : 0;
    }
    halo.corners = padded > 1;
    return halo;
  }
  bool any() const {
    for (int a = 0; a < R; ++a)
      if (low[a] > 0 || high[a] > 0) return true;
    return corners;
  }
  bool covers(const Halo& other) const {
    for (int a = 0; a < R; ++a)
      if (low[a] < other.low[a] || high[a] < other.high[a]) return false;
    return corners || !other.corners;
  }
};

// One allocation of the pool, or memory that somebody lends; fields share it.
template <class T, int R>
class Block {
 public:
  Block(std::string label, const Domain<R>& domain)
      : label_(std::move(label)),
        domain_(domain),
        layout_(domain),
        memory_(static_cast<T*>(Pool::instance().acquire(layout_.bytes()))) {
    // What a checked build never stored reads as NaN.
    if constexpr (rhopsi_checked && std::is_floating_point_v<T>)
      Pool::fill(memory_, layout_.bytes(), ~std::uint64_t{0});
  }
  // Around elements that lie dense and row-major in memory of the caller's, who keeps it for as
  // long as the block is there.
  Block(std::string label, const Domain<R>& domain, T* lent)
      : label_(std::move(label)), domain_(domain), layout_(domain), memory_(lent), lent_(true) {}
  ~Block() {
    if (!lent_) Pool::instance().release(memory_, layout_.bytes());
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  const std::string& label() const { return label_; }
  const Domain<R>& domain() const { return domain_; }
  const Layout<T, R>& layout() const { return layout_; }
  T* memory() const { return memory_; }
  bool lent() const { return lent_; }
  // Do all of the pads hold the circular values?
  bool fresh() const { return held_.covers(Halo<R>::all(domain_)); }
  // Threads may say at the same time that an array is not which has been told so before.
  void set_fresh(bool fresh) {
    if (!fresh && !held_.any()) return;
    held_ = fresh ? Halo<R>::all(domain_) : Halo<R>();
    held_.corners = fresh;
  }
  const Halo<R>& held() const { return held_; }
  void set_held(const Halo<R>& held) { held_ = held; }

 private:
  std::string label_;
  Domain<R> domain_;
  Layout<T, R> layout_;
  T* memory_;
  bool lent_ = false;
  Halo<R> held_;
};

}  // namespace rhopsi
