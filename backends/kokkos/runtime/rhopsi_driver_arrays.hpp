// The arguments of an entry, and the way of arrays from and to memory of the host. Part of
// rhopsi_driver.cpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "npy.hpp"
#include "rhopsi_driver_program.hpp"
#include "rhopsi_driver_values.hpp"
#include "rhopsi_kokkos.hpp"
#include "vti.hpp"

namespace rhopsi::driver {

// Which elements of an array of the callers, dense and row-major, are which of one of a program.
struct Dense {
  std::int64_t first = 0;                                    // of element (0, ..., 0)
  std::int64_t count[most_axes] = {}, step[most_axes] = {};  // by axis of the program
};

// Copies elements of `size` bytes between such an array and one that lies as `there` says in memory
// that the host reaches.
class Rows {
 public:
  Rows(const ArrayMemory& there, int rank, const Dense& dense, std::size_t size)
      : there_(there), rank_(rank), size_(static_cast<std::int64_t>(size)), dense_(dense) {
    for (int a = 0; a < rank; ++a) count_ *= dense.count[a];
  }

  void store(const char* dense, char* block) const {
    each_row([&](std::int64_t place, std::int64_t from) {
      copy_row(block + place * size_, size_, dense + from * size_, dense_step());
    });
    fill_pads(block);
  }
  void load(const char* block, char* dense) const {
    each_row([&](std::int64_t place, std::int64_t to) {
      copy_row(dense + to * size_, dense_step(), block + place * size_, size_);
    });
  }

 private:
  std::int64_t last() const { return rank_ > 0 ? dense_.count[rank_ - 1] : 1; }
  std::int64_t dense_step() const { return rank_ > 0 ? dense_.step[rank_ - 1] * size_ : size_; }

  // f(place of the row in the block, place in the dense array)
  template <class F>
  void each_row(const F& f) const {
    if (count_ == 0) return;
    std::int64_t index[most_axes] = {}, place = there_.origin, dense = dense_.first;
    for (std::int64_t row = count_ / last(); row > 0; --row) {
      f(place, dense);
      for (int a = rank_ - 2; a >= 0; --a) {
        place += there_.stride[a];
        dense += dense_.step[a];
        if (++index[a] < dense_.count[a]) break;
        place -= index[a] * there_.stride[a];
        dense -= index[a] * dense_.step[a];
        index[a] = 0;
      }
    }
  }

  // Steps in bytes.
  void copy_row(char* to, std::int64_t to_step, const char* from, std::int64_t from_step) const {
    const std::int64_t n = last();
    if (to_step == size_ && from_step == size_) {
      std::memcpy(to, from, static_cast<std::size_t>(n * size_));
    } else if (size_ == 4) {
      copy_elements<4>(to, to_step, from, from_step, n);
    } else if (size_ == 8) {
      copy_elements<8>(to, to_step, from, from_step, n);
    } else {
      copy_elements<1>(to, to_step, from, from_step, n);
    }
  }
  template <std::size_t size>
  static void copy_elements(char* to, std::int64_t to_step, const char* from,
                            std::int64_t from_step, std::int64_t n) {
    for (std::int64_t k = 0; k < n; ++k, to += to_step, from += from_step)
      std::memcpy(to, from, size);
  }

  // With the circular values: those of each row, and then whole rows, that of the wrapped indices.
  void fill_pads(char* block) const {
    if (count_ == 0 || rank_ == 0) return;
    const int row = rank_ - 1;
    std::int64_t index[most_axes] = {}, begin[most_axes] = {};
    for (int a = 0; a < row; ++a) index[a] = begin[a] = -there_.low[a];
    for (;;) {
      std::int64_t place = there_.origin, wrapped = there_.origin;
      for (int a = 0; a < row; ++a) {
        place += index[a] * there_.stride[a];
        wrapped += around(index[a], there_.extent[a]) * there_.stride[a];
      }
      fill_row(block + place * size_, block + wrapped * size_);
      int a = row - 1;
      for (; a >= 0; --a) {
        if (++index[a] < there_.extent[a] + there_.high[a]) break;
        index[a] = begin[a];
      }
      if (a < 0) return;
    }
  }
  void fill_row(char* to, const char* from) const {
    const int row = rank_ - 1;
    const std::int64_t n = there_.extent[row];
    const auto bytes = static_cast<std::size_t>(size_);
    if (to != from) std::memcpy(to, from, static_cast<std::size_t>(n) * bytes);
    for (std::int64_t k = -there_.low[row]; k < 0; ++k)
      std::memcpy(to + k * size_, from + around(k, n) * size_, bytes);
    for (std::int64_t k = n; k < n + there_.high[row]; ++k)
      std::memcpy(to + k * size_, from + around(k, n) * size_, bytes);
  }
  static std::int64_t around(std::int64_t i, std::int64_t n) {
    const std::int64_t left = i % n;
    return left < 0 ? left + n : left;
  }

  const ArrayMemory& there_;
  int rank_;
  std::int64_t size_, count_ = 1;
  Dense dense_;
};

// An entry that is being run, with what it is called with.
class Running {
 public:
  Running(const Program& program, const Entry& entry, const Shape& shape)
      : program_(program),
        entry_(entry),
        state_(nullptr, program.destroy),
        arguments_(entry.arguments, program.rank) {
    for (int a = 0; a < program.rank; ++a)
      extent_[a] = shape.empty() ? 0 : shape.at(static_cast<std::size_t>(program.axes[a]));
    state_.reset(program.make(extent_, program.pad));
    for (std::size_t k = 0; k < entry.arguments.size(); ++k) {
      const Argument& argument = entry.arguments[k];
      if (!is_array(argument) || has_own_shape(argument) || argument.mode == Mode::result) continue;
      make_over_domain(argument, *arguments_.array(k));
    }
  }
  void set(const Parameter& parameter, double value) { parameter.set(state_.get(), value); }
  // The entry, to the end of its last kernel; as many calls in one as it says, or one.
  void call(bool several) {
    (several ? entry_.calls : entry_.call)(state_.get(), arguments_);
    rhopsi::detail::fence();
  }

  void* scalar(std::size_t k) const { return arguments_.scalar(k); }

  // The elements of an array of the callers, which has that shape, row-major in their order of
  // axes.
  void load(std::size_t k, const Shape& shape, const void* elements) {
    const Argument& argument = entry_.arguments[k];
    const std::size_t size = size_of(element_of(argument));
    const char* const from = static_cast<const char*>(elements);
    if (!is_array(argument)) {  // one element of it
      const std::int64_t place = dense_of(argument, {}, shape).first;
      std::memcpy(arguments_.scalar(k), from + place * static_cast<std::int64_t>(size), size);
      return;
    }
    Array& array = *arguments_.array(k);
    if (has_own_shape(argument)) array.make(argument.name, shape.data(), nullptr, nullptr, nullptr);
    const ArrayMemory there = stored(argument, array.overwrite());
    const Rows rows(there, rank_of(argument), dense_of(argument, there, shape), size);
    if (rhopsi::detail::host_reaches_memory())
      return rows.store(from, static_cast<char*>(there.block));
    std::vector<char> block(static_cast<std::size_t>(there.elements) * size);
    rows.store(from, block.data());
    rhopsi::detail::copy_bytes(there.block, block.data(), block.size(), false);
  }
  void store(std::size_t k, void* elements) const {
    const Argument& argument = entry_.arguments[k];
    const ArrayMemory there = arguments_.array(k)->read();
    check_shape(argument, there);
    const std::size_t size = size_of(element_of(argument));
    const Rows rows(there, rank_of(argument), dense_of(argument, there, *shape(k)), size);
    char* const dense = static_cast<char*>(elements);
    if (rhopsi::detail::host_reaches_memory())
      return rows.load(static_cast<const char*>(there.block), dense);
    std::vector<char> block(static_cast<std::size_t>(there.elements) * size);
    rhopsi::detail::copy_bytes(block.data(), there.block, block.size(), true);
    rows.load(block.data(), dense);
  }

  // Of an array, in the callers' order of axes, where it has a value.
  std::optional<Shape> shape(std::size_t k) const {
    const Argument& argument = entry_.arguments[k];
    if (!is_array(argument) && !is_window(argument)) return std::nullopt;
    if (is_window(argument)) {
      Shape domain(static_cast<std::size_t>(program_.rank));
      for (int a = 0; a < program_.rank; ++a)
        domain[static_cast<std::size_t>(program_.axes[a])] = extent_[a];
      return lengths_of(argument, program_, domain);
    }
    const Array& array = *arguments_.array(k);
    if (has_own_shape(argument) && array.empty()) return std::nullopt;
    const ArrayMemory there = has_own_shape(argument) ? array.read() : ArrayMemory{};
    const std::int64_t* const extent = has_own_shape(argument) ? there.extent : extent_;
    Shape lengths(static_cast<std::size_t>(rank_of(argument)));
    for (int a = 0; a < rank_of(argument); ++a)
      lengths[static_cast<std::size_t>(axes_of(argument)[a])] = extent[a] - argument.less[a];
    return lengths;
  }

 private:
  // Each element that there is in memory once.
  static ArrayMemory stored(const Argument& argument, ArrayMemory there) {
    for (int a = 0; a < most_axes; ++a)
      if (!has_axis(argument, a)) there.extent[a] = 1, there.low[a] = there.high[a] = 0;
    return there;
  }

  // Where elements are in an array of the callers of that shape: those that count, and are there.
  Dense dense_of(const Argument& argument, const ArrayMemory& there, const Shape& shape) const {
    std::int64_t step[most_axes] = {}, elements = 1;
    for (std::size_t k = shape.size(); k-- > 0; elements *= shape[k]) step[k] = elements;
    Dense dense;
    for (int a = 0; a < rank_of(argument); ++a) {
      const int axis = axes_of(argument)[a];
      dense.count[a] = is_window(argument) ? 1 : there.extent[a] - argument.less[a];
      dense.step[a] = is_window(argument) ? 0 : step[axis];
    }
    for (int k = 0; k < argument.given_axes; ++k) {
      const Argument::Given& axis = argument.given[k];
      dense.first += axis.first * step[k];
      if (axis.of < 0) continue;
      dense.count[axis.of] = std::min(there.extent[axis.of], shape[std::size_t(k)] - axis.first);
      dense.step[axis.of] = step[k];
    }
    return dense;
  }

  int rank_of(const Argument& argument) const {
    return has_own_shape(argument) ? argument.rank : program_.rank;
  }
  const int* axes_of(const Argument& argument) const {
    static constexpr int in_order[most_axes] = {0, 1, 2, 3, 4, 5};
    return has_own_shape(argument) ? in_order : program_.axes;
  }

  void make_over_domain(const Argument& argument, Array& array) const {
    std::int64_t low[most_axes] = {}, high[most_axes] = {};
    for (int a = 0; a < program_.rank; ++a) {
      const bool own = argument.pads[0] >= 0;
      low[a] = own ? argument.pads[2 * a] : program_.pad;
      high[a] = own ? argument.pads[2 * a + 1] : program_.pad;
    }
    bool broadcast[most_axes] = {};
    for (int a = 0; a < program_.rank; ++a) broadcast[a] = !has_axis(argument, a);
    array.make(argument.name, extent_, low, high, broadcast);
  }

  void check_shape(const Argument& argument, const ArrayMemory& there) const {
    if (has_own_shape(argument)) return;
    bool same = true;
    for (int a = 0; a < program_.rank; ++a) same = same && there.extent[a] == extent_[a];
    if (same) return;
    const auto text = [&](const std::int64_t* extent) {
      return shape_text(Shape(extent, extent + program_.rank));
    };
    throw Error("it came back with shape " + text(there.extent) + ", not " + text(extent_),
                codes::shapes);
  }

  const Program& program_;
  const Entry& entry_;
  std::int64_t extent_[most_axes] = {};  // of the domain, in the program's order of axes
  std::unique_ptr<void, void (*)(void*)> state_;
  Arguments arguments_;
};

inline Shape shape_of(const Running& running, const Argument& argument, std::size_t k) {
  auto shape = running.shape(k);
  if (!shape) throw Error("'" + shown(argument) + "' has not been given a value", codes::unset);
  return std::move(*shape);
}

inline std::vector<unsigned char> bytes_of(const Running& running, const Table<Argument>& table,
                                           std::size_t k) {
  const Argument& argument = table[k];
  std::vector<unsigned char> held(
      static_cast<std::size_t>(elements_of(shape_of(running, argument, k))) *
      size_of(element_of(argument)));
  try {
    for (const std::size_t part : parts_of(table, k)) running.store(part, held.data());
  } catch (const Error& error) {
    throw Error("'" + shown(argument) + "': " + error.what(), error.code());
  }
  return held;
}

inline void read_array(Running& running, const Table<Argument>& table, std::size_t k,
                       const std::string& path) {
  with_type(element_of(table[k]), [&](auto type) {
    const auto read = io::read_npy<stored_t<typename decltype(type)::type>>(path);
    for (const std::size_t part : parts_of(table, k))
      running.load(part, read.shape, read.data.data());
  });
}

inline void write_array(const Running& running, const Table<Argument>& table, std::size_t k,
                        const std::string& path, std::vector<double> spacing) {
  const Argument& argument = table[k];
  const Shape shape = shape_of(running, argument, k);
  const std::vector<unsigned char> held = bytes_of(running, table, k);
  if (spacing.size() == 1) spacing.resize(shape.size(), spacing.front());
  with_type(element_of(argument), [&](auto type) {
    const auto* const data =
        reinterpret_cast<const stored_t<typename decltype(type)::type>*>(held.data());
    if (!ends_with(path, ".vti")) return io::write_npy(path, shape, data);
    // By push_back: of a list of one in a generic lambda nvcc 13 makes the one field.
    std::vector<io::VtiField> fields;
    fields.push_back(io::vti_field(shown(argument), data));
    io::write_vti(path, {shape, spacing, {}}, fields);
  });
}

}  // namespace rhopsi::driver
