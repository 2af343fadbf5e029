// Checkpoints: the state between two steps in one file, verified when it is read.
//
// Lines of text up to `end`, then the arrays' elements in the order of their lines, then eight
// bytes of checksum over all that comes before.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "atomic_file.hpp"
#include "error.hpp"

namespace rhopsi::io {

// Any change of one word changes it; meant against damage, not against malice.
class Checksum {
 public:
  void add(const void* data, std::size_t count) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    length_ += count;
    for (; count > 0 && held_ > 0; ++bytes, --count) hold(*bytes);
    for (; count >= sizeof(std::uint64_t);
         bytes += sizeof(std::uint64_t), count -= sizeof(std::uint64_t)) {
      std::uint64_t word;
      std::memcpy(&word, bytes, sizeof word);
      mix(word);
    }
    for (; count > 0; ++bytes, --count) hold(*bytes);
  }

  std::uint64_t value() const {
    std::uint64_t sum = length_ ^ pending_;
    for (const std::uint64_t lane : lanes_) sum = (sum ^ lane ^ (sum >> 29)) * prime;
    return sum ^ (sum >> 32);
  }

 private:
  static constexpr std::uint64_t prime = 0x9e3779b97f4a7c15ULL;

  void hold(unsigned char byte) {
    pending_ |= std::uint64_t{byte} << (8 * held_);
    if (++held_ < sizeof(std::uint64_t)) return;
    mix(pending_);
    pending_ = 0;
    held_ = 0;
  }
  // Four lanes, so that the multiplications overlap.
  void mix(std::uint64_t word) {
    std::uint64_t& lane = lanes_[next_];
    lane = (lane ^ word) * prime;
    lane ^= lane >> 31;
    next_ = (next_ + 1) % 4;
  }

  std::uint64_t lanes_[4] = {1, 2, 3, 4};
  std::uint64_t pending_ = 0, length_ = 0;
  unsigned held_ = 0, next_ = 0;
};

struct Checkpoint {
  struct Array {
    std::string name, type;  // of an element: "float64", "int32", "bool", ...
    std::size_t bytes = 0;
    std::vector<unsigned char> elements;  // row-major; of a head alone none
    // Where the program's arrays have shapes of their own; absent: that of the domain.
    std::optional<std::vector<std::int64_t>> shape = std::nullopt;

    // Does the file hold as many bytes as an array of this shape has?
    bool fills(const std::vector<std::int64_t>& lengths, std::size_t element_bytes) const {
      bool empty = false;
      for (const std::int64_t length : lengths) {
        if (length < 0) return false;
        empty = empty || length == 0;
      }
      if (empty) return bytes == 0;
      std::size_t left = bytes;  // divided, so that nothing overflows
      for (std::size_t k = 0; k <= lengths.size(); ++k) {
        const std::size_t by = k == 0 ? element_bytes : static_cast<std::size_t>(lengths[k - 1]);
        if (left % by != 0) return false;
        left /= by;
      }
      return left == 1;
    }
  };
  std::string program, entry;
  std::int64_t step = 0;
  std::vector<std::int64_t> shape;                          // of the domain
  std::vector<std::pair<std::string, std::string>> values;  // parameters and scalars
  std::vector<Array> arrays;

  // The whole file or nothing appears at `path`.
  void write(const std::string& path) const {
    AtomicFile file(path);
    Checksum checksum;
    const auto put = [&](const void* data, std::size_t count) {
      checksum.add(data, count);
      file.write(data, count);
    };
    const std::string text = head();
    put(text.data(), text.size());
    for (const Array& array : arrays) put(array.elements.data(), array.elements.size());
    const std::uint64_t sum = checksum.value();
    file.write(&sum, sizeof sum);
    file.commit();
  }

  // Throws Error where the file is missing, damaged or none. The head is all but the
  // arrays' elements; for it the checksum is not looked at.
  static Checkpoint read(const std::string& path) { return read(path, true); }
  static Checkpoint read_head(const std::string& path) { return read(path, false); }

 private:
  static constexpr const char* magic = "RHOPSI-CHECKPOINT 1";

  std::string head() const {
    std::ostringstream text;
    text << magic << '\n' << "program " << program << '\n' << "entry " << entry << '\n';
    text << "step " << step << '\n' << "shape";
    for (const std::int64_t side : shape) text << ' ' << side;
    text << '\n';
    for (const auto& [name, value] : values) text << "value " << name << ' ' << value << '\n';
    for (const Array& array : arrays) {
      text << "array " << array.name << ' ' << array.type << ' ' << array.elements.size();
      if (array.shape) text << " shape";
      for (const std::int64_t side : array.shape.value_or(std::vector<std::int64_t>()))
        text << ' ' << side;
      text << '\n';
    }
    text << "end\n";
    return text.str();
  }

  static Checkpoint read(const std::string& path, bool elements);

  // The rest of a line.
  static bool parse_shape(std::istringstream& words, std::vector<std::int64_t>& shape) {
    for (std::int64_t side; words >> side;) shape.push_back(side);
    return words.eof();
  }

  static bool parse_array(std::istringstream& words, Array& array, std::uint64_t file_size) {
    std::uint64_t count = 0;
    words >> array.name >> array.type >> count;
    if (!words || count > file_size) return false;
    array.bytes = static_cast<std::size_t>(count);
    std::string word;
    if (!(words >> word)) return true;
    return word == "shape" && parse_shape(words, array.shape.emplace());
  }

  // One line of the head; false where it is none.
  bool parse_line(const std::string& line, std::uint64_t file_size) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (key == "program")
      words >> program;
    else if (key == "entry")
      words >> entry;
    else if (key == "step")
      words >> step;
    else if (key == "shape") {
      return parse_shape(words, shape);
    } else if (key == "value") {
      values.emplace_back();
      words >> values.back().first >> values.back().second;
    } else if (key == "array") {
      arrays.emplace_back();
      return parse_array(words, arrays.back(), file_size);
    } else {
      return false;
    }
    return !words.fail();
  }
};

inline Checkpoint Checkpoint::read(const std::string& path, bool elements) {
  const auto fail = [&](const std::string& why) { return Error("restart from", path, why); };
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code)) throw fail("there is no such file");
  const std::uint64_t size = std::filesystem::file_size(path, code);
  std::ifstream file(path, std::ios::binary);
  if (code || !file) {
    throw fail("it cannot be opened: " + (code ? code.message() : std::strerror(errno)));
  }

  Checkpoint checkpoint;
  Checksum checksum;
  std::string line;
  std::uint64_t expected = sizeof(std::uint64_t);
  for (bool first = true;; first = false) {
    if (!std::getline(file, line) || file.eof()) throw fail("it is not a whole checkpoint");
    expected += line.size() + 1;
    checksum.add(line.data(), line.size());
    checksum.add("\n", 1);
    if (first) {
      if (line != magic) throw fail("it is no checkpoint");
      continue;
    }
    if (line == "end") break;
    if (!checkpoint.parse_line(line, size)) throw fail("it is damaged");
  }
  for (const Array& array : checkpoint.arrays) expected += array.bytes;
  if (expected != size)
    throw fail("it has " + std::to_string(size) + " bytes and should have " +
               std::to_string(expected));
  if (!elements) return checkpoint;
  for (Array& array : checkpoint.arrays) {
    array.elements.resize(array.bytes);
    file.read(reinterpret_cast<char*>(array.elements.data()),
              static_cast<std::streamsize>(array.bytes));
    checksum.add(array.elements.data(), array.elements.size());
  }
  std::uint64_t sum = 0;
  file.read(reinterpret_cast<char*>(&sum), sizeof sum);
  if (!file || sum != checksum.value()) throw fail("it is damaged: its checksum is not right");
  return checkpoint;
}

}  // namespace rhopsi::io
