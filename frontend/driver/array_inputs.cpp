#include "frontend/driver/array_inputs.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "backends/io/npy.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/syntax/lexer.hpp"

namespace rhopsi::driver {
namespace {

constexpr std::string_view generated = "iota:";
constexpr std::size_t most_file_axes = 64;                      // as in .npy files
constexpr std::int64_t most_generated = std::int64_t{1} << 28;  // elements: 2 GiB
constexpr const char* advice = "write NAME=FILE.npy, or NAME=iota:SHAPE:START as in A=iota:2,4:1";

template <class T>
reference::Array read_array(const std::string& path) {
  io::NpyArray<T> file = io::read_npy<T>(path);
  return reference::make_array(std::move(file.shape), std::move(file.data));
}

// Expressions know three types of elements; the others are read as the next wider one.
reference::Array read_array(const std::string& path) {
  switch (io::read_npy_header(path).element) {
    case io::ElementType::boolean:
      return read_array<std::uint8_t>(path);
    case io::ElementType::int32:
    case io::ElementType::int64:
      return read_array<std::int64_t>(path);
    case io::ElementType::float32:
    case io::ElementType::float64:
      break;
  }
  return read_array<double>(path);
}

template <class T>
bool read_whole(std::string_view text, T& value) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() && end == text.data() + text.size();
}

// Why the text is no input, or nothing.
using Refusal = std::optional<std::string>;

Refusal read_extents(std::string_view text, std::vector<std::int64_t>& shape) {
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    std::int64_t length = 0;
    if (!read_whole(part, length) || length < 0) {
      return "'" + std::string(part) + "' is not the length of an axis";
    }
    shape.push_back(length);
    if (shape.size() > most_file_axes)
      return "more than " + std::to_string(most_file_axes) + " axes";
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) return "a length is missing after the last comma";
  }
  return std::nullopt;
}

// Nothing where the shape has more elements than are generated.
std::optional<std::int64_t> count_of(const std::vector<std::int64_t>& shape) {
  for (const std::int64_t length : shape) {
    if (length == 0) return 0;
  }
  std::int64_t count = 1;
  for (const std::int64_t length : shape) {
    if (length > most_generated / count) return std::nullopt;
    count *= length;
  }
  return count;
}

template <class T>
reference::Array counted_from(std::vector<std::int64_t> shape, std::int64_t count, T start) {
  std::vector<T> elements(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    elements[static_cast<std::size_t>(i)] = start + static_cast<T>(i);
  }
  return reference::make_array(std::move(shape), std::move(elements));
}

// `text` is SHAPE or SHAPE:START.
Refusal generate(std::string_view text, reference::Array& array) {
  const std::size_t colon = text.find(':');
  std::vector<std::int64_t> shape;
  if (const Refusal refusal = read_extents(text.substr(0, colon), shape)) return refusal;
  const auto count = count_of(shape);
  if (!count) return "more than " + std::to_string(most_generated) + " elements";
  if (colon == std::string_view::npos) {
    array = counted_from(std::move(shape), *count, std::int64_t{0});
    return std::nullopt;
  }
  const std::string_view start = text.substr(colon + 1);
  const bool decimal = start.find_first_of(".eE") != std::string_view::npos;
  std::int64_t whole = 0;
  double real = 0;
  if (decimal && read_whole(start, real) && std::isfinite(real)) {
    array = counted_from(std::move(shape), *count, real);
  } else if (!decimal && read_whole(start, whole)) {
    if (*count > 0 && whole > std::numeric_limits<std::int64_t>::max() - (*count - 1)) {
      return "the last number is more than 64 bits hold";
    }
    array = counted_from(std::move(shape), *count, whole);
  } else {
    return "'" + std::string(start) + "' is not a number to start from";
  }
  return std::nullopt;
}

// An integer literal would be taken for a variable of the same spelling.
bool is_name(const std::string& text) {
  if (text.empty() || (text.front() >= '0' && text.front() <= '9')) return false;
  const char* const end = text.data() + text.size();
  return syntax::name_end(text.data(), end) == end;
}

class Reading {
 public:
  Reading(const std::string& option, syntax::Diagnostics& diagnostics)
      : option_(option), diagnostics_(diagnostics) {}

  std::optional<reference::Array> read(const Pair& pair) {
    if (!is_name(pair.name)) {
      return refuse(codes::malformed_option, pair, "'" + pair.name + "' is not a name");
    }
    reference::Array array;
    try {
      if (!is_generated(pair.value)) return read_array(pair.value);
      const std::string_view text = std::string_view(pair.value).substr(generated.size());
      if (const Refusal refusal = generate(text, array)) {
        return refuse(codes::malformed_option, pair, *refusal);
      }
    } catch (const io::Error& error) {
      return refuse(codes::array_unreadable, pair, error.what());
    } catch (const std::bad_alloc&) {
      return refuse(codes::array_unreadable, pair, "there is not enough memory for it");
    }
    return array;
  }

 private:
  std::nullopt_t refuse(const char* code, const Pair& pair, const std::string& reason) {
    diagnostics_.error(code, pair.place,
                       option_ + " " + pair.name + "=" + pair.value + ": " + reason, advice);
    return std::nullopt;
  }

  const std::string& option_;
  syntax::Diagnostics& diagnostics_;
};

}  // namespace

std::optional<std::vector<ArrayInput>> read_inputs(const std::string& option,
                                                   const std::vector<std::string>& texts,
                                                   syntax::Diagnostics& diagnostics,
                                                   const std::vector<syntax::Span>& places) {
  const auto pairs = read_pairs(option, texts, diagnostics, places);
  if (!pairs) return std::nullopt;
  std::vector<ArrayInput> inputs;
  Reading reading(option, diagnostics);
  for (const Pair& pair : *pairs) {
    auto array = reading.read(pair);
    if (array) inputs.push_back({pair.name, std::move(*array)});
  }
  if (inputs.size() < pairs->size()) return std::nullopt;
  return inputs;
}

std::optional<ArrayInput> read_input(const std::string& option, const Pair& given,
                                     syntax::Diagnostics& diagnostics) {
  auto array = Reading(option, diagnostics).read(given);
  if (!array) return std::nullopt;
  return ArrayInput{given.name, std::move(*array)};
}

bool is_generated(const std::string& value) { return value.starts_with(generated); }

}  // namespace rhopsi::driver
