// main() of an emitted batch: reads cases, calls their entries, writes what comes out.
#include "rhopsi_batch.hpp"

#include <exception>
#include <fstream>
#include <iostream>

namespace rhopsi::batch {
namespace {

std::int64_t size_of(Element element) {
  switch (element) {
    case Element::boolean:
      return 1;
    case Element::int32:
    case Element::float32:
      return 4;
    default:
      return 8;
  }
}

class Input {
 public:
  explicit Input(const char* path) : stream_(path, std::ios::binary) {
    stream_.exceptions(std::ios::failbit | std::ios::badbit);
  }
  std::int64_t integer() {
    std::int64_t value = 0;
    stream_.read(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }
  Array array() {
    Array made;
    made.element = static_cast<Element>(integer());
    std::int64_t size = size_of(made.element);
    for (std::int64_t rank = integer(); rank > 0; --rank) {
      made.shape.push_back(integer());
      size *= made.shape.back();
    }
    made.bytes.resize(static_cast<std::size_t>(size));
    stream_.read(made.bytes.data(), size);
    return made;
  }

 private:
  std::ifstream stream_;
};

class Output {
 public:
  explicit Output(const char* path) : stream_(path, std::ios::binary) {
    stream_.exceptions(std::ios::failbit | std::ios::badbit);
  }
  void begin(std::int64_t number, Record record) {
    integer(number);
    integer(static_cast<std::int64_t>(record));
  }
  void integer(std::int64_t value) {
    stream_.write(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void bytes(const char* data, std::size_t count) {
    stream_.write(data, static_cast<std::streamsize>(count));
  }
  void array(const Array& array) {
    integer(static_cast<std::int64_t>(array.element));
    integer(static_cast<std::int64_t>(array.shape.size()));
    for (const std::int64_t length : array.shape) integer(length);
    bytes(array.bytes.data(), array.bytes.size());
  }
  void text(const std::string& text) {
    integer(static_cast<std::int64_t>(text.size()));
    bytes(text.data(), text.size());
  }
  void end() { stream_.flush(); }

 private:
  std::ofstream stream_;
};

Entry entry_of(const std::vector<Table>& tables, std::int64_t number) {
  auto left = static_cast<std::size_t>(number);
  for (const Table& table : tables) {
    if (left < table.count) return table.entries[left];
    left -= table.count;
  }
  throw Error("the batch has no entry " + std::to_string(number));
}

void write_error(std::int64_t number, const char* code, const char* message, Output& output) {
  output.begin(number, Record::error);
  output.text(code);
  output.text(message);
}

void run_case(Entry entry, std::int64_t number, std::vector<Array> arrays, Output& output) {
  output.begin(number, Record::begun);
  output.end();
  try {
    Case made(std::move(arrays));
    entry(made);
    output.begin(number, Record::result);
    output.array(made.result());
  } catch (const Error& error) {
    write_error(number, error.code(), error.what(), output);
  } catch (const std::exception& error) {
    write_error(number, codes::run_failed, error.what(), output);
  }
  output.end();
}

}  // namespace

int run(int argc, char** argv, const std::vector<Table>& tables) {
  if (argc != 4) {
    std::cerr << "error: this program runs a batch: INPUT OUTPUT FIRST\n";
    return 1;
  }
  const detail::KokkosScope kokkos(argc, argv);
  most_elements() = std::int64_t{1} << 31;  // as many as those of the reference evaluator
  try {
    Input input(argv[1]);
    Output output(argv[2]);
    const std::int64_t first = std::stoll(argv[3]);
    const std::int64_t count = input.integer();
    for (std::int64_t number = 0; number < count; ++number) {
      const Entry entry = entry_of(tables, input.integer());
      std::vector<Array> arrays;
      for (std::int64_t left = input.integer(); left > 0; --left) arrays.push_back(input.array());
      if (number >= first) run_case(entry, number, std::move(arrays), output);
    }
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
  return 0;
}

}  // namespace rhopsi::batch
