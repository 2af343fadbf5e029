// ParaView's image data (.vti): arrays over a regular grid of points.
// Source: VTK file formats, "XML file formats", ImageData.
#pragma once

#include <algorithm>
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

  // The elements in VTK's order, x fastest, where x is the slowest axis of the array: gathered
  // in boxes that follow one another in the file. Linear, in memory of a few megabytes.
  void for_each_run(const VtiField& field,
                    const std::function<void(const unsigned char*, std::size_t)>& use) const {
    constexpr std::int64_t limit = std::int64_t{1} << 22;
    const auto size = static_cast<std::int64_t>(size_of(field.element));
    const auto fitting = [](std::int64_t all, std::int64_t bytes) {
      return std::max<std::int64_t>(1, std::min(all, limit / bytes));
    };
    // A box has several rows only if they are whole, and several planes only if they are.
    Box most;
    most.length[0] = fitting(length(0), size);
    if (most.length[0] == length(0)) most.length[1] = fitting(length(1), length(0) * size);
    if (most.length[1] == length(1))
      most.length[2] = fitting(length(2), length(0) * length(1) * size);
    std::vector<unsigned char> run;
    for (Box box; box.begin[2] < length(2); box.begin[2] += most.length[2]) {
      for (box.begin[1] = 0; box.begin[1] < length(1); box.begin[1] += most.length[1]) {
        for (box.begin[0] = 0; box.begin[0] < length(0); box.begin[0] += most.length[0]) {
          for (std::size_t a = 0; a < 3; ++a)
            box.length[a] = std::min(most.length[a], length(a) - box.begin[a]);
          const std::int64_t elements = box.length[0] * box.length[1] * box.length[2];
          run.resize(static_cast<std::size_t>(elements * size));
          gather(field, box, run.data());
          use(run.data(), run.size());
        }
      }
    }
  }

  struct Box {
    std::int64_t begin[3] = {0, 0, 0};
    std::int64_t length[3] = {1, 1, 1};
  };

  void gather(const VtiField& field, const Box& box, unsigned char* to) const {
    const std::size_t size = size_of(field.element);
    if (size == 1) gather_elements<1>(field, box, to);
    if (size == 4) gather_elements<4>(field, box, to);
    if (size == 8) gather_elements<8>(field, box, to);
  }

  // Along z the array is contiguous, along x what is written: a few planes at once use whatever
  // is fetched of either.
  template <std::size_t Size>
  void gather_elements(const VtiField& field, const Box& box, unsigned char* to) const {
    const auto* data = static_cast<const unsigned char*>(field.data);
    const auto size = static_cast<std::int64_t>(Size);
    const std::int64_t plane = box.length[0] * box.length[1] * size;
    for (std::int64_t first = 0; first < box.length[2]; first += 8) {
      const std::int64_t planes = std::min<std::int64_t>(8, box.length[2] - first);
      for (std::int64_t y = 0; y < box.length[1]; ++y) {
        for (std::int64_t x = 0; x < box.length[0]; ++x) {
          const unsigned char* from =
              data + (((box.begin[0] + x) * length(1) + box.begin[1] + y) * length(2) +
                      box.begin[2] + first) *
                         size;
          unsigned char* at = to + first * plane + (y * box.length[0] + x) * size;
          for (std::int64_t z = 0; z < planes; ++z, from += size, at += plane)
            std::memcpy(at, from, Size);
        }
      }
    }
  }

  void write_appended(AtomicFile& file) const {
    file.write("  <AppendedData encoding=\"raw\">\n_");
    for (const VtiField& field : fields_) {
      const std::uint64_t total = bytes(field);
      file.write(&total, sizeof total);
      for_each_run(field,
                   [&](const unsigned char* run, std::size_t count) { file.write(run, count); });
    }
    file.write("\n  </AppendedData>\n");
  }

  void write_ascii(AtomicFile& file, const VtiField& field) const {
    std::uint64_t done = 0;
    const std::size_t size = size_of(field.element);
    for_each_run(field, [&](const unsigned char* run, std::size_t count) {
      for (std::size_t at = 0; at < count; at += size, ++done) {
        if (done > 0) file.write(done % 8 == 0 ? "\n" : " ");
        file.write(element_text(field.element, run + at));
      }
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

  // Three bytes become four characters, two for each half of their 24 bits.
  class Base64 {
   public:
    explicit Base64(AtomicFile& file) : file_(file) {
      static const char alphabet[] =
          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
      for (unsigned half = 0; half < 4096; ++half) {
        pairs_[half][0] = alphabet[half >> 6];
        pairs_[half][1] = alphabet[half & 63];
      }
    }

    void put(const unsigned char* data, std::size_t size) {
      for (; size > 0 && count_ > 0 && count_ < 3; --size) pending_[count_++] = *data++;
      if (count_ == 3) encode(pending_, 3);
      if (count_ == 3) count_ = 0;
      if (size == 0) return;
      encode(data, size - size % 3);
      for (data += size - size % 3; size % 3 > 0; --size) pending_[count_++] = *data++;
    }
    void finish() {
      if (count_ == 0) return;
      const std::size_t held = count_;
      while (count_ < 3) pending_[count_++] = 0;
      char four[4];
      encode_three(pending_, four);
      for (std::size_t i = held + 1; i < 4; ++i) four[i] = '=';
      file_.write(four, 4);
    }

   private:
    void encode_three(const unsigned char* three, char* four) const {
      const unsigned bits = unsigned{three[0]} << 16 | unsigned{three[1]} << 8 | three[2];
      std::memcpy(four, pairs_[bits >> 12], 2);
      std::memcpy(four + 2, pairs_[bits & 4095], 2);
    }
    // `size` is divisible by 3.
    void encode(const unsigned char* data, std::size_t size) {
      constexpr std::size_t at_once = 3 << 14;
      text_.resize(at_once / 3 * 4);
      for (; size > 0;) {
        const std::size_t now = std::min(size, at_once);
        for (std::size_t i = 0; i < now; i += 3) encode_three(data + i, &text_[i / 3 * 4]);
        file_.write(text_.data(), now / 3 * 4);
        data += now;
        size -= now;
      }
    }

    AtomicFile& file_;
    char pairs_[4096][2];
    std::string text_;
    unsigned char pending_[3] = {};
    std::size_t count_ = 0;
  };

  void write_base64(AtomicFile& file, const VtiField& field) const {
    Base64 encoder(file);
    const std::uint64_t total = bytes(field);
    // Uncompressed inline data is one run: the length in bytes, then the elements.
    encoder.put(reinterpret_cast<const unsigned char*>(&total), sizeof total);
    for_each_run(field,
                 [&](const unsigned char* run, std::size_t count) { encoder.put(run, count); });
    encoder.finish();
  }

  [[noreturn]] void fail(const std::string& reason) const { throw Error("write", path_, reason); }

  const std::string& path_;
  const VtiGrid& grid_;
  const std::vector<VtiField>& fields_;
  VtiEncoding encoding_;
};

}  // namespace detail

// Writes all fields as point data. In base64 or ascii the file is XML that any parser reads; raw
// data behind the markup takes a quarter less, and only VTK knows where it ends. Whoever reads
// `path` sees the old file or the whole new one. Throws Error: ranks other than 1 to 3, an empty
// axis, missing or repeated names, a file that cannot be written. Linear in the size of the fields.
inline void write_vti(const std::string& path, const VtiGrid& grid,
                      const std::vector<VtiField>& fields,
                      VtiEncoding encoding = VtiEncoding::base64) {
  detail::VtiWriter(path, grid, fields, encoding).write();
}

}  // namespace rhopsi::io
