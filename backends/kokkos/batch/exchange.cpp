#include "backends/kokkos/batch/exchange.hpp"

#include <cstring>
#include <fstream>
#include <iterator>

#include "backends/kokkos/runtime/rhopsi_batch_program.hpp"
#include "engine/onf/scalar_size.hpp"

namespace rhopsi::kokkos {

namespace {

using batch::Element;
using batch::Record;

constexpr onf::Scalar scalars[] = {onf::Scalar::boolean, onf::Scalar::int32, onf::Scalar::int64,
                                   onf::Scalar::float32, onf::Scalar::float64};

Element element_of(onf::Scalar scalar) {
  switch (scalar) {
    case onf::Scalar::boolean:
      return Element::boolean;
    case onf::Scalar::int32:
      return Element::int32;
    case onf::Scalar::int64:
      return Element::int64;
    case onf::Scalar::float32:
      return Element::float32;
    case onf::Scalar::float64:
      break;
  }
  return Element::float64;
}

class Writer {
 public:
  explicit Writer(const std::filesystem::path& file) : stream_(file, std::ios::binary) {}
  void integer(std::int64_t value) {
    stream_.write(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void array(const HostArray& array) {
    integer(static_cast<std::int64_t>(element_of(array.element)));
    integer(static_cast<std::int64_t>(array.shape.size()));
    for (const std::int64_t length : array.shape) integer(length);
    stream_.write(array.bytes.data(), static_cast<std::streamsize>(array.bytes.size()));
  }
  bool close() {
    stream_.close();
    return !stream_.fail();
  }

 private:
  std::ofstream stream_;
};

// Reads nothing more once something is missing.
class Reader {
 public:
  explicit Reader(std::string text) : text_(std::move(text)) {}

  bool good() const { return good_; }
  bool at_end() const { return at_ == text_.size(); }

  std::int64_t integer() {
    std::int64_t value = 0;
    if (!has(sizeof value)) return 0;
    std::memcpy(&value, text_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string bytes(std::size_t count) {
    if (!has(count)) return {};
    at_ += count;
    return text_.substr(at_ - count, count);
  }
  std::string text() { return bytes(static_cast<std::size_t>(integer())); }
  HostArray array() {
    HostArray made;
    const std::int64_t element = integer();
    good_ = good_ && element >= 0 && element < static_cast<std::int64_t>(std::size(scalars));
    if (!good_) return made;
    made.element = scalars[element];
    for (std::int64_t rank = integer(); good_ && rank > 0; --rank) made.shape.push_back(integer());
    const auto size = bytes_of(made.element, made.shape);
    good_ = good_ && size.has_value();
    const std::string elements = bytes(size.value_or(0));
    made.bytes.assign(elements.begin(), elements.end());
    return made;
  }

 private:
  bool has(std::size_t count) {
    good_ = good_ && text_.size() - at_ >= count;
    return good_;
  }

  std::string text_;
  std::size_t at_ = 0;
  bool good_ = true;
};

}  // namespace

std::optional<std::size_t> bytes_of(onf::Scalar element, const std::vector<std::int64_t>& shape) {
  std::size_t size = onf::bytes_of(element);
  bool large = false;
  for (const std::int64_t length : shape) {
    if (length < 0) return std::nullopt;
    if (length == 0) return 0;
    large = large || __builtin_mul_overflow(size, static_cast<std::size_t>(length), &size);
  }
  if (large) return std::nullopt;
  return size;
}

bool write_calls(const std::filesystem::path& file, std::span<const Call> calls) {
  Writer writer(file);
  writer.integer(static_cast<std::int64_t>(calls.size()));
  for (const Call& call : calls) {
    writer.integer(static_cast<std::int64_t>(call.entry));
    writer.integer(static_cast<std::int64_t>(call.leaves->size()));
    for (const HostArray& leaf : *call.leaves) writer.array(leaf);
  }
  return writer.close();
}

Answers read_answers(const std::filesystem::path& file, std::size_t calls) {
  std::ifstream stream(file, std::ios::binary);
  Reader reader({std::istreambuf_iterator<char>(stream), {}});
  Answers answers;
  answers.results.resize(calls);
  while (!reader.at_end()) {
    const std::int64_t number = reader.integer();
    const auto record = static_cast<Record>(reader.integer());
    if (!reader.good() || number < 0 || number >= static_cast<std::int64_t>(calls)) break;
    const auto place = static_cast<std::size_t>(number);
    if (record == Record::begun) {
      answers.unfinished = place;
      continue;
    }
    CaseResult result;
    if (record == Record::result) {
      result.array = reader.array();
    } else {
      result.code = reader.text();
      result.message = reader.text();
    }
    if (!reader.good()) break;
    answers.results[place] = std::move(result);
    answers.unfinished.reset();
  }
  return answers;
}

}  // namespace rhopsi::kokkos
