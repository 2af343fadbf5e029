// ParaView's image data (.vti): arrays over a regular grid of points.
// Source: VTK file formats, "XML file formats", ImageData.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "atomic_file.hpp"
#include "element_type.hpp"

namespace rhopsi::io {

enum class VtiEncoding { raw, base64, ascii };

// One named array over all points, row-major (the last axis is the fastest), not copied.
struct VtiField {
  std::string name;
  ElementType element;
  const void* data;
};

template <class T>
VtiField vti_field(std::string name, const T* data) {
  return {std::move(name), element_type_of<T>(), data};
}

// Axis k of the arrays is coordinate k (x, y, z). Left empty, the spacing is 1 and the
// origin 0 on each axis.
struct VtiGrid {
  std::vector<std::int64_t> shape;  // 1 to 3 axes
  std::vector<double> spacing;
  std::vector<double> origin;
};

namespace detail {

inline const char* vtk_type(ElementType type) {
  switch (type) {
    case ElementType::boolean:
      return "UInt8";
    case ElementType::int32:
      return "Int32";
    case ElementType::int64:
      return "Int64";
    case ElementType::float32:
      return "Float32";
    case ElementType::float64:
      return "Float64";
  }
  return "";
}

inline std::string xml_attribute(const std::string& text) {
  std::string escaped;
  for (char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

template <class T>
std::string number_text(T value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end.ptr);
}

class VtiWriter {
 public:
  VtiWriter(const std::string& path, const VtiGrid& grid, const std::vector<VtiField>& fields,
            VtiEncoding encoding)
      : path_(path), grid_(grid), fields_(fields), encoding_(encoding) {
    check();
  }

  void write() {
    AtomicFile file(path_);
    file.write(opening());
    std::uint64_t offset = 0;
    for (const VtiField& field : fields_) {
      file.write(array_opening(field, offset));
      if (encoding_ == VtiEncoding::raw) {
        offset += 8 + bytes(field);
        continue;
      }
      file.write(">\n");
      if (encoding_ == VtiEncoding::ascii) write_ascii(file, field);
      if (encoding_ == VtiEncoding::base64) write_base64(file, field);
      file.write("\n        </DataArray>\n");
    }
    file.write("      </PointData>\n    </Piece>\n  </ImageData>\n");
    if (encoding_ == VtiEncoding::raw) write_appended(file);
    file.write("</VTKFile>\n");
    file.commit();
  }

 private:
  void check() const {
    const std::size_t rank = grid_.shape.size();
    if (rank < 1 || rank > 3) fail("image data has 1 to 3 axes, not " + std::to_string(rank));
    for (std::int64_t length : grid_.shape) {
      if (length < 1) fail("an axis has no points (shape " + shape_text(grid_.shape) + ")");
    }
    if (!grid_.spacing.empty() && grid_.spacing.size() != rank)
      fail("the spacing has the wrong length");
    if (!grid_.origin.empty() && grid_.origin.size() != rank)
      fail("the origin has the wrong length");
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (fields_[i].name.empty()) fail("an array has no name");
      for (std::size_t j = 0; j < i; ++j) {
        if (fields_[i].name == fields_[j].name)
          fail("two arrays are named '" + fields_[i].name + "'");
      }
    }
  }

  std::string opening() const {
    std::string extent;
    std::string spacing;
    std::string origin;
    for (std::size_t a = 0; a < 3; ++a) {
      if (a > 0) extent += " ", spacing += " ", origin += " ";
      extent += "0 " + std::to_string(length(a) - 1);
      spacing += number_text(a < grid_.spacing.size() ? grid_.spacing[a] : 1.0);
      origin += number_text(a < grid_.origin.size() ? grid_.origin[a] : 0.0);
    }
    const std::string order = host_is_little_endian() ? "LittleEndian" : "BigEndian";
    return "<?xml version=\"1.0\"?>\n"
           "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"" +
           order +
           "\" header_type=\"UInt64\">\n"
           "  <ImageData WholeExtent=\"" +
           extent + "\" Origin=\"" + origin + "\" Spacing=\"" + spacing +
           "\">\n"
           "    <Piece Extent=\"" +
           extent +
           "\">\n"
           "      <PointData>\n";
  }

  std::string array_opening(const VtiField& field, std::uint64_t offset) const {
    std::string text = std::string("        <DataArray type=\"") + vtk_type(field.element) +
                       "\" Name=\"" + xml_attribute(field.name) + "\" NumberOfComponents=\"1\"";
    switch (encoding_) {
      case VtiEncoding::raw:
        return text + " format=\"appended\" offset=\"" + std::to_string(offset) + "\"/>\n";
      case VtiEncoding::base64:
        return text + " format=\"binary\"";
      case VtiEncoding::ascii:
        return text + " format=\"ascii\"";
    }
    return text;
  }

  std::int64_t length(std::size_t axis) const {
    return axis < grid_.shape.size() ? grid_.shape[axis] : 1;
  }

  std::uint64_t count() const {
    return static_cast<std::uint64_t>(length(0)) * static_cast<std::uint64_t>(length(1)) *
           static_cast<std::uint64_t>(length(2));
  }

  std::uint64_t bytes(const VtiField& field) const { return count() * size_of(field.element); }

  // Elements in VTK's order, x fastest, where x is the slowest axis of the array.
  void for_each_element(const VtiField& field,
                        const std::function<void(const unsigned char*)>& use) const {
    const auto* data = static_cast<const unsigned char*>(field.data);
    const auto size = static_cast<std::int64_t>(size_of(field.element));
    for (std::int64_t z = 0; z < length(2); ++z) {
      for (std::int64_t y = 0; y < length(1); ++y) {
        for (std::int64_t x = 0; x < length(0); ++x) {
          use(data + ((x * length(1) + y) * length(2) + z) * size);
        }
      }
    }
  }

  void write_appended(AtomicFile& file) const {
    file.write("  <AppendedData encoding=\"raw\">\n_");
    for (const VtiField& field : fields_) {
      const std::uint64_t total = bytes(field);
      file.write(&total, sizeof total);
      const std::size_t size = size_of(field.element);
      for_each_element(field, [&](const unsigned char* element) { file.write(element, size); });
    }
    file.write("\n  </AppendedData>\n");
  }

  void write_ascii(AtomicFile& file, const VtiField& field) const {
    std::uint64_t done = 0;
    for_each_element(field, [&](const unsigned char* element) {
      if (done > 0) file.write(done % 8 == 0 ? "\n" : " ");
      file.write(element_text(field.element, element));
      ++done;
    });
  }

  template <class T>
  static std::string text_of(const unsigned char* element) {
    T value;
    std::memcpy(&value, element, sizeof value);
    return number_text(value);
  }

  static std::string element_text(ElementType type, const unsigned char* element) {
    switch (type) {
      case ElementType::boolean:
        return *element != 0 ? "1" : "0";
      case ElementType::int32:
        return text_of<std::int32_t>(element);
      case ElementType::int64:
        return text_of<std::int64_t>(element);
      case ElementType::float32:
        return text_of<float>(element);
      case ElementType::float64:
        return text_of<double>(element);
    }
    return "";
  }

  // Three bytes become four characters.
  struct Base64 {
    AtomicFile& file;
    unsigned char pending[3] = {};
    int count = 0;

    void put(const unsigned char* data, std::size_t size) {
      for (std::size_t i = 0; i < size; ++i) {
        pending[count++] = data[i];
        if (count == 3) flush();
      }
    }
    void flush() {
      static const char alphabet[] =
          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
      if (count == 0) return;
      for (int i = count; i < 3; ++i) pending[i] = 0;
      char text[4] = {alphabet[pending[0] >> 2], alphabet[(pending[0] & 3) << 4 | pending[1] >> 4],
                      alphabet[(pending[1] & 15) << 2 | pending[2] >> 6],
                      alphabet[pending[2] & 63]};
      for (int i = count + 1; i < 4; ++i) text[i] = '=';
      file.write(text, 4);
      count = 0;
    }
  };

  void write_base64(AtomicFile& file, const VtiField& field) const {
    Base64 encoder{file};
    const std::uint64_t total = bytes(field);
    // Uncompressed inline data is one run: the length in bytes, then the elements.
    encoder.put(reinterpret_cast<const unsigned char*>(&total), sizeof total);
    const std::size_t size = size_of(field.element);
    for_each_element(field, [&](const unsigned char* element) { encoder.put(element, size); });
    encoder.flush();
  }

  [[noreturn]] void fail(const std::string& reason) const { throw Error("write", path_, reason); }

  const std::string& path_;
  const VtiGrid& grid_;
  const std::vector<VtiField>& fields_;
  VtiEncoding encoding_;
};

}  // namespace detail

// Writes all fields as point data. Whoever reads `path` sees the old file or the whole
// new one. Throws Error: ranks other than 1 to 3, an empty axis, missing or repeated
// names, a file that cannot be written. Linear in the size of the fields.
inline void write_vti(const std::string& path, const VtiGrid& grid,
                      const std::vector<VtiField>& fields,
                      VtiEncoding encoding = VtiEncoding::raw) {
  detail::VtiWriter(path, grid, fields, encoding).write();
}

}  // namespace rhopsi::io
