// NumPy's array files (.npy): reading versions 1 to 3, writing version 1.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "atomic_file.hpp"
#include "npy_header.hpp"

namespace rhopsi::io {

// Elements in row-major order: the last axis is the fastest.
template <class T>
struct NpyArray {
  std::vector<std::int64_t> shape;
  std::vector<T> data;
};

namespace detail {

template <class T, class Stored>
T convert_element(Stored value, std::uint64_t position, const std::string& path) {
  if (!representable<T>(value)) {
    throw Error("read", path,
                "element " + std::to_string(position) + " (" + std::to_string(value) +
                    ") cannot be held as " + to_string(element_type_of<T>()));
  }
  return static_cast<T>(value);
}

template <class T, class Stored>
std::vector<T> read_elements(std::ifstream& file, std::uint64_t count, const std::string& path) {
  static_assert(sizeof(Stored) <= 8, "elements have at most 8 bytes");
  std::vector<T> data(static_cast<std::size_t>(count));
  if constexpr (std::is_same_v<T, Stored> && !std::is_same_v<T, std::uint8_t>) {
    read_bytes(file, data.data(), count * sizeof(T), path, "the elements");
  } else {
    std::vector<Stored> chunk(static_cast<std::size_t>(std::min<std::uint64_t>(count, 1 << 16)));
    for (std::uint64_t done = 0; done < count; done += chunk.size()) {
      const std::uint64_t now = std::min<std::uint64_t>(chunk.size(), count - done);
      read_bytes(file, chunk.data(), now * sizeof(Stored), path, "the elements");
      for (std::uint64_t i = 0; i < now; ++i) {
        data[static_cast<std::size_t>(done + i)] =
            convert_element<T>(chunk[static_cast<std::size_t>(i)], done + i, path);
      }
    }
  }
  return data;
}

// The first axis is the fastest in `data`; in the result it is the last.
template <class T>
std::vector<T> to_row_major(const std::vector<T>& data, const std::vector<std::int64_t>& shape) {
  std::vector<T> result(data.size());
  std::vector<std::int64_t> index(shape.size(), 0);
  std::vector<std::size_t> weights(shape.size(), 1);
  for (std::size_t a = 1; a < shape.size(); ++a) {
    weights[a] = weights[a - 1] * static_cast<std::size_t>(shape[a - 1]);
  }
  std::size_t from = 0;
  for (T& element : result) {
    element = data[from];
    for (std::size_t a = shape.size(); a-- > 0;) {
      from += weights[a];
      if (++index[a] < shape[a]) break;
      from -= weights[a] * static_cast<std::size_t>(shape[a]);
      index[a] = 0;
    }
  }
  return result;
}

template <class T>
std::vector<T> read_any(std::ifstream& file, const NpyHeader& header, const std::string& path) {
  switch (header.element) {
    case ElementType::boolean:
      return read_elements<T, std::uint8_t>(file, header.element_count, path);
    case ElementType::int32:
      return read_elements<T, std::int32_t>(file, header.element_count, path);
    case ElementType::int64:
      return read_elements<T, std::int64_t>(file, header.element_count, path);
    case ElementType::float32:
      return read_elements<T, float>(file, header.element_count, path);
    case ElementType::float64:
      return read_elements<T, double>(file, header.element_count, path);
  }
  return {};
}

// Refused before anything is allocated, so that a header cannot ask for the impossible.
inline void check_size(const NpyHeader& header, const std::string& path) {
  std::error_code code;
  const std::uint64_t size = std::filesystem::file_size(path, code);
  if (code) throw Error("read", path, code.message());
  const std::uint64_t wanted = header.element_count * size_of(header.element);
  const std::uint64_t held = size < header.data_offset ? 0 : size - header.data_offset;
  if (held == wanted) return;
  throw Error("read", path,
              std::string(held < wanted ? "it is truncated" : "it has the wrong size") +
                  ": shape " + shape_text(header.shape) + " of " + to_string(header.element) +
                  " takes " + std::to_string(wanted) + " bytes, but " + std::to_string(held) +
                  " follow the header");
}

inline std::string npy_description(ElementType type) {
  switch (type) {
    case ElementType::boolean:
      return "|b1";
    case ElementType::int32:
      return "<i4";
    case ElementType::int64:
      return "<i8";
    case ElementType::float32:
      return "<f4";
    case ElementType::float64:
      return "<f8";
  }
  return "";
}

inline std::string npy_prefix(ElementType type, const std::vector<std::int64_t>& shape,
                              const std::string& path) {
  std::string text = "{'descr': '" + npy_description(type) +
                     "', 'fortran_order': False, 'shape': " + shape_text(shape) + ", }";
  // Magic, version and length take 10 bytes; the elements begin at a multiple of 64.
  text.append(63 - (10 + text.size()) % 64, ' ');
  text += '\n';
  if (text.size() > 0xffff) throw Error("write", path, "it has too many axes");
  std::string prefix("\x93NUMPY\x01\x00", 8);
  prefix += static_cast<char>(text.size() & 0xff);
  prefix += static_cast<char>(text.size() >> 8);
  return prefix + text;
}

}  // namespace detail

// read_npy_header; throws Error as well where the size of the file is not that of its shape.
inline NpyHeader read_sized_npy_header(const std::string& path) {
  const NpyHeader header = read_npy_header(path);
  detail::check_size(header, path);
  return header;
}

// Reads the file, in row-major order, as elements of T (element_type.hpp). Throws Error
// as read_npy_header does, and where the size of the file is not that of its shape or an
// element cannot be held by T (reals may be rounded). Linear in the size of the file.
template <class T>
NpyArray<T> read_npy(const std::string& path) {
  std::ifstream file = detail::open_to_read(path);
  const NpyHeader header = detail::read_header(file, path);
  if (!host_is_little_endian()) throw Error("read", path, "this machine is big-endian");
  detail::check_size(header, path);
  NpyArray<T> array{header.shape, detail::read_any<T>(file, header, path)};
  if (header.fortran_order && array.shape.size() > 1) {
    array.data = detail::to_row_major(array.data, array.shape);
  }
  return array;
}

// Writes elements in row-major order. Whoever reads `path` sees the old file or the
// whole new one. Throws Error where the file cannot be written.
template <class T>
void write_npy(const std::string& path, const std::vector<std::int64_t>& shape, const T* data) {
  if (!host_is_little_endian()) throw Error("write", path, "this machine is big-endian");
  std::size_t count = 1;
  for (std::int64_t length : shape) {
    if (length < 0) throw Error("write", path, "an axis has a negative length");
    count *= static_cast<std::size_t>(length);
  }
  AtomicFile file(path);
  file.write(detail::npy_prefix(element_type_of<T>(), shape, path));
  file.write(data, count * sizeof(T));
  file.commit();
}

template <class T>
void write_npy(const std::string& path, const NpyArray<T>& array) {
  std::size_t count = 1;
  for (std::int64_t length : array.shape) count *= static_cast<std::size_t>(length);
  if (count != array.data.size()) {
    throw Error("write", path,
                "shape " + shape_text(array.shape) + " is not that of " +
                    std::to_string(array.data.size()) + " elements");
  }
  write_npy(path, array.shape, array.data.data());
}

}  // namespace rhopsi::io
