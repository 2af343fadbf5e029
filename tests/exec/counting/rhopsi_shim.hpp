// In place of the runtime of emitted programs: its numbers count what is done with them. As much
// of it as programs over arrays of known shapes take.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#define KOKKOS_LAMBDA [=]
#define RHOPSI_INLINED

struct Counts {
  long operations = 0;
  long loads = 0;
  long stores = 0;
  long arrays = 0;
};
inline Counts counts;

class Counted {
 public:
  Counted(double value = 0) : value_(value) {}
  double value() const { return value_; }

  friend Counted operator+(Counted a, Counted b) { return made(a.value_ + b.value_); }
  friend Counted operator-(Counted a, Counted b) { return made(a.value_ - b.value_); }
  friend Counted operator*(Counted a, Counted b) { return made(a.value_ * b.value_); }
  friend Counted operator/(Counted a, Counted b) { return made(a.value_ / b.value_); }

 private:
  static Counted made(double value) {
    ++counts.operations;
    return value;
  }
  double value_;
};

namespace rhopsi {

template <int rank>
struct Domain {};

inline Counted add(Counted a, Counted b) { return a + b; }

// Of indices.
inline std::int64_t add(std::int64_t a, std::int64_t b) { return a + b; }
inline std::int64_t subtract(std::int64_t a, std::int64_t b) { return a - b; }
inline std::int64_t multiply(std::int64_t a, std::int64_t b) { return a * b; }

template <int rank>
using Shape = std::array<std::int64_t, static_cast<std::size_t>(rank)>;

template <class T, int rank>
struct Field {
  struct Reader {
    template <class... Index>
    T operator()(Index... index) const {
      ++counts.loads;
      return field.at({static_cast<std::int64_t>(index)...});
    }
    Field field;
  };
  struct Target {
    T& place;
    void operator=(T value) const {
      ++counts.stores;
      place = value;
    }
  };
  struct Writer {
    template <class... Index>
    Target operator()(Index... index) const {
      return {field.at({index...})};
    }
    Field field;
  };
  template <class Int = std::int64_t>
  Reader read() const {
    return {*this};
  }
  template <class Int = std::int64_t>
  Writer write() const {
    return {*this};
  }

  T& at(const Shape<rank>& index) const {
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      place = place * shape[axis] + index[axis];
    }
    return elements->at(static_cast<std::size_t>(place));
  }

  Shape<rank> shape{};
  std::shared_ptr<std::vector<T>> elements;
};

template <class T, int rank>
void expect_shape(const Field<T, rank>&, const Shape<rank>&) {}

template <class T, class... Length>
Field<T, sizeof...(Length)> make_field(const std::string&, Length... lengths) {
  ++counts.arrays;
  const auto count = static_cast<std::size_t>((lengths * ...));
  return {{lengths...}, std::make_shared<std::vector<T>>(count)};
}

template <int rank>
struct Box {
  Shape<rank> low;
  Shape<rank> high;
};

inline bool narrow(std::initializer_list<std::int64_t>) { return true; }

// Rows that lie one behind the other are as many elements.
template <int rank, class... Arrays>
const Box<rank>& joined_axes(const Box<rank>& box, const Arrays&...) {
  return box;
}

template <class Int = std::int64_t, class Body>
void for_each_box(const char*, const Box<1>& box, const Body& body) {
  for (std::int64_t i = box.low[0]; i < box.high[0]; ++i) body(static_cast<Int>(i));
}

template <class Int = std::int64_t, class Body>
void for_each_box(const char*, const Box<2>& box, const Body& body) {
  for (std::int64_t i = box.low[0]; i < box.high[0]; ++i) {
    for (std::int64_t j = box.low[1]; j < box.high[1]; ++j) {
      body(static_cast<Int>(i), static_cast<Int>(j));
    }
  }
}

}  // namespace rhopsi
