// The header of NumPy's array files (.npy, versions 1 to 3).
// Source: NumPy enhancement proposal 1 and numpy.lib.format.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

#include "element_type.hpp"
#include "error.hpp"

namespace rhopsi::io {

struct NpyHeader {
  ElementType element = ElementType::float64;
  bool fortran_order = false;       // the first axis is the fastest in the file
  std::vector<std::int64_t> shape;  // outermost axis first; empty for a single value
  std::uint64_t data_offset = 0;    // where the elements begin in the file
  std::uint64_t element_count = 1;
};

namespace detail {

// The header's Python dictionary: {'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }
class NpyDictionary {
 public:
  NpyDictionary(const std::string& text, const std::string& path) : text_(text), path_(path) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      entry(key);
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_spaces();
    if (at_ != text_.size()) malformed("there is text after the dictionary");
    if (!seen_[0]) malformed("the key 'descr' is missing");
    if (!seen_[1]) malformed("the key 'fortran_order' is missing");
    if (!seen_[2]) malformed("the key 'shape' is missing");
    return header_;
  }

 private:
  void entry(const std::string& key) {
    if (key == "descr") {
      once(0, key);
      description();
    } else if (key == "fortran_order") {
      once(1, key);
      header_.fortran_order = truth();
    } else if (key == "shape") {
      once(2, key);
      tuple();
    } else {
      malformed("the key '" + key + "' is unknown");
    }
  }

  void once(int which, const std::string& key) {
    if (seen_[which]) malformed("the key '" + key + "' stands twice");
    seen_[which] = true;
  }

  void description() {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '[') {
      throw Error("read", path_, "its elements are records, which are not supported");
    }
    const std::string name = string();
    if (name == "<f4") return set(ElementType::float32);
    if (name == "<f8") return set(ElementType::float64);
    if (name == "<i4") return set(ElementType::int32);
    if (name == "<i8") return set(ElementType::int64);
    if (name == "|b1") return set(ElementType::boolean);
    if (!name.empty() && name.front() == '>') {
      throw Error(
          "read", path_,
          "its elements are big-endian ('" + name + "'); only little-endian files are supported");
    }
    throw Error(
        "read", path_,
        "its element type '" + name + "' is not supported (only <f4, <f8, <i4, <i8 and |b1 are)");
  }

  void set(ElementType element) { header_.element = element; }

  bool truth() {
    if (accept_word("True")) return true;
    if (accept_word("False")) return false;
    malformed("'fortran_order' is neither True nor False");
  }

  void tuple() {
    expect('(');
    bool comma = false;
    while (!accept(')')) {
      if (header_.shape.size() == max_rank) malformed("it has more than 64 axes");
      header_.shape.push_back(length());
      comma = accept(',');
      if (comma) continue;
      expect(')');
      break;
    }
    if (header_.shape.size() == 1 && !comma) malformed("'shape' is not a tuple");
  }

  std::int64_t length() {
    skip_spaces();
    const std::size_t begin = at_;
    std::int64_t value = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      const int digit = text_[at_++] - '0';
      if (value > (std::numeric_limits<std::int64_t>::max() - digit) / 10) {
        malformed("an axis is longer than any array can be");
      }
      value = value * 10 + digit;
    }
    if (at_ == begin) malformed("'shape' holds something that is no length");
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // written by Python 2
    return value;
  }

  std::string string() {
    skip_spaces();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') malformed("a quoted word is missing");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string::npos) malformed("a quoted word does not end");
    const std::string word = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return word;
  }

  void skip_spaces() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) {
      ++at_;
    }
  }

  bool accept(char c) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool accept_word(const std::string& word) {
    skip_spaces();
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }

  void expect(char c) {
    if (!accept(c)) malformed(std::string("'") + c + "' is missing");
  }

  [[noreturn]] void malformed(const std::string& reason) {
    throw Error("read", path_, "its header is malformed: " + reason);
  }

  static constexpr std::size_t max_rank = 64;

  const std::string& text_;
  const std::string& path_;
  std::size_t at_ = 0;
  bool seen_[3] = {false, false, false};
  NpyHeader header_;
};

inline std::uint64_t little_endian(const unsigned char* bytes, int count) {
  std::uint64_t value = 0;
  for (int i = count - 1; i >= 0; --i) value = value << 8 | bytes[i];
  return value;
}

// The number of elements; an array whose bytes cannot be counted is refused even where
// another axis is empty.
inline std::uint64_t count_elements(const NpyHeader& header, const std::string& path) {
  const std::uint64_t limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) /
                              size_of(header.element);
  std::uint64_t count = 1;
  bool empty = false;
  for (std::int64_t length : header.shape) {
    empty = empty || length == 0;
    if (length == 0) continue;
    if (static_cast<std::uint64_t>(length) > limit / count) {
      throw Error("read", path,
                  "its shape " + shape_text(header.shape) + " is more than any file can hold");
    }
    count *= static_cast<std::uint64_t>(length);
  }
  return empty ? 0 : count;
}

inline std::ifstream open_to_read(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (status.type() == fs::file_type::none) throw Error("read", path, code.message());
  if (!fs::exists(status)) throw Error("read", path, "there is no such file");
  if (fs::is_directory(status)) throw Error("read", path, "it is a folder");
  if (!fs::is_regular_file(status)) throw Error("read", path, "it is not a regular file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("read", path, std::string("it cannot be opened: ") + std::strerror(errno));
  return file;
}

inline void read_bytes(std::ifstream& file, void* to, std::uint64_t count, const std::string& path,
                       const char* part) {
  file.read(static_cast<char*>(to), static_cast<std::streamsize>(count));
  if (static_cast<std::uint64_t>(file.gcount()) != count) {
    throw Error("read", path, std::string("it is truncated: it ends inside ") + part);
  }
}

inline NpyHeader read_header(std::ifstream& file, const std::string& path) {
  unsigned char prefix[8];
  file.read(reinterpret_cast<char*>(prefix), sizeof prefix);
  const auto got = file.gcount();
  const std::string magic = "\x93NUMPY";
  if (got < 6 || magic.compare(0, 6, reinterpret_cast<const char*>(prefix), 6) != 0) {
    throw Error("read", path, "it is no .npy file (its first bytes are not \\x93NUMPY)");
  }
  if (got < 8) throw Error("read", path, "it is truncated: it ends inside the header");
  if (prefix[6] < 1 || prefix[6] > 3 || prefix[7] != 0) {
    throw Error("read", path,
                "its format version " + std::to_string(prefix[6]) + "." +
                    std::to_string(prefix[7]) + " is not supported");
  }
  const int width = prefix[6] == 1 ? 2 : 4;
  unsigned char size[4];
  read_bytes(file, size, static_cast<std::uint64_t>(width), path, "the header");
  const std::uint64_t length = little_endian(size, width);
  constexpr std::uint64_t longest = 1 << 20;
  if (length > longest) throw Error("read", path, "its header is malformed: it is too long");
  std::string text(static_cast<std::size_t>(length), '\0');
  read_bytes(file, &text[0], length, path, "the header");
  NpyHeader header = NpyDictionary(text, path).parse();
  header.data_offset = 8 + static_cast<std::uint64_t>(width) + length;
  header.element_count = count_elements(header, path);
  return header;
}

}  // namespace detail

// Reads the header only. Throws Error: no such file, not .npy, truncated header,
// unsupported version, order of bytes or element type, malformed or absurd contents.
inline NpyHeader read_npy_header(const std::string& path) {
  std::ifstream file = detail::open_to_read(path);
  return detail::read_header(file, path);
}

}  // namespace rhopsi::io
