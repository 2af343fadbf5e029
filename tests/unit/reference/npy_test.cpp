#include "backends/io/npy.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "tests/unit/reference/temporary_folder.hpp"

namespace rhopsi::io {
namespace {

using Shape = std::vector<std::int64_t>;

std::string npy_bytes(const std::string& dictionary, const std::string& data, char version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += version;
  bytes += '\0';
  const std::size_t length = dictionary.size();
  bytes += static_cast<char>(length & 0xff);
  bytes += static_cast<char>(length >> 8);
  if (version > 1) bytes += std::string(2, '\0');
  return bytes + dictionary + data;
}

template <class T>
std::string raw(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(&bytes[0], values.data(), bytes.size());
  return bytes;
}

std::string message_of(const std::string& path) {
  try {
    read_npy<double>(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class Npy : public ::testing::Test {
 protected:
  std::string message(const std::string& bytes) {
    const std::string text = message_of(folder.write("file.npy", bytes));
    EXPECT_NE(text.find("file.npy"), text.npos) << text;
    return text;
  }
  void expect_message(const std::string& bytes, const std::string& part) {
    const std::string text = message(bytes);
    EXPECT_NE(text.find(part), text.npos) << text;
  }

  TemporaryFolder folder;
};

template <class T>
class NpyRoundTrip : public Npy {};
using Types = ::testing::Types<std::uint8_t, std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(NpyRoundTrip, Types);

TYPED_TEST(NpyRoundTrip, KeepsShapeAndElements) {
  for (const Shape& shape : {Shape{}, Shape{5}, Shape{2, 3}, Shape{2, 3, 5}, Shape{0, 4}}) {
    std::size_t count = 1;
    for (std::int64_t length : shape) count *= static_cast<std::size_t>(length);
    NpyArray<TypeParam> array{shape, std::vector<TypeParam>(count)};
    for (std::size_t i = 0; i < count; ++i) array.data[i] = static_cast<TypeParam>(i % 2);
    const std::string path = this->folder.file("a.npy");
    write_npy(path, array);
    const NpyHeader header = read_npy_header(path);
    EXPECT_EQ(header.shape, shape);
    EXPECT_EQ(header.element, element_type_of<TypeParam>());
    EXPECT_EQ(header.data_offset % 64, 0u);
    const auto back = read_npy<TypeParam>(path);
    EXPECT_EQ(back.shape, shape);
    EXPECT_EQ(back.data, array.data);
  }
  EXPECT_EQ(this->folder.file_count(), 1u);
}

TEST_F(Npy, WritesWhatNumpyWrites) {
  const float one = 1;
  write_npy(folder.file("a.npy"), {1}, &one);
  const std::string bytes = folder.read("a.npy");
  EXPECT_EQ(bytes.size(), 128u + 4u);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(bytes.substr(10, 57), "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }");
  EXPECT_EQ(bytes[127], '\n');
}

TEST_F(Npy, ReadsEveryVersion) {
  const std::string dictionary = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n";
  for (char version : {1, 2, 3}) {
    const auto bytes = npy_bytes(dictionary, raw<double>({1.5, -2}), version);
    EXPECT_EQ(read_npy<double>(folder.write("v.npy", bytes)).data, (std::vector<double>{1.5, -2}));
  }
  expect_message(npy_bytes(dictionary, raw<double>({1, 2}), 4), "version 4.0 is not supported");
}

TEST_F(Npy, TurnsFortranOrderIntoRowMajor) {
  std::vector<std::int32_t> stored;
  for (std::int32_t k = 0; k < 4; ++k) {
    for (std::int32_t j = 0; j < 3; ++j) {
      for (std::int32_t i = 0; i < 2; ++i) stored.push_back(100 * i + 10 * j + k);
    }
  }
  const auto path = folder.write(
      "f.npy", npy_bytes("{'shape':(2,3,4),'fortran_order':True,\"descr\":\"<i4\"}", raw(stored)));
  const auto array = read_npy<std::int64_t>(path);
  ASSERT_EQ(array.shape, (Shape{2, 3, 4}));
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_EQ(array.data[(i * 3 + j) * 4 + k], static_cast<std::int64_t>(100 * i + 10 * j + k));
      }
    }
  }
}

TEST_F(Npy, ConvertsElements) {
  const double values[] = {1, -2, 3};
  write_npy(folder.file("a.npy"), {3}, values);
  EXPECT_EQ(read_npy<float>(folder.file("a.npy")).data, (std::vector<float>{1, -2, 3}));
  EXPECT_EQ(read_npy<std::int32_t>(folder.file("a.npy")).data,
            (std::vector<std::int32_t>{1, -2, 3}));
  EXPECT_THROW(read_npy<std::uint8_t>(folder.file("a.npy")), Error);
  for (double bad : {0.5, 3e10, std::nan(""), std::numeric_limits<double>::infinity()}) {
    write_npy(folder.file("b.npy"), {1}, &bad);
    EXPECT_THROW(read_npy<std::int32_t>(folder.file("b.npy")), Error) << bad;
  }
  const double huge = 1e300;
  write_npy(folder.file("c.npy"), {1}, &huge);
  EXPECT_THROW(read_npy<float>(folder.file("c.npy")), Error);
  const std::int64_t wide = std::int64_t{1} << 40;
  write_npy(folder.file("d.npy"), {1}, &wide);
  EXPECT_THROW(read_npy<std::int32_t>(folder.file("d.npy")), Error);
  EXPECT_EQ(read_npy<double>(folder.file("d.npy")).data[0], 1099511627776.0);
}

TEST_F(Npy, SaysWhatIsWrongWithAFile) {
  const auto with = [](const std::string& descr, const std::string& shape) {
    return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
  };
  const std::string good = npy_bytes(with("<f8", "(2,)"), raw<double>({1, 2}));
  EXPECT_NE(message_of(folder.file("none.npy")).find("there is no such file"), std::string::npos);
  EXPECT_NE(message_of(folder.path().string()).find("it is a folder"), std::string::npos);
  expect_message("", "it is no .npy file");
  expect_message("PK\x03\x04 something else", "it is no .npy file");
  expect_message(good.substr(0, 7), "ends inside the header");
  expect_message(good.substr(0, 9), "ends inside the header");
  expect_message(good.substr(0, 30), "ends inside the header");
  expect_message(good.substr(0, good.size() - 1),
                 "it is truncated: shape (2,) of float64 takes 16");
  expect_message(good + "x", "it has the wrong size");
  expect_message(npy_bytes(with(">f8", "(2,)"), ""), "big-endian");
  expect_message(npy_bytes(with("<c16", "(2,)"), ""), "'<c16' is not supported");
  expect_message(npy_bytes(with("|O", "(2,)"), ""), "'|O' is not supported");
  expect_message(npy_bytes("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,)}", ""),
                 "records");
}

TEST_F(Npy, RefusesMalformedHeaders) {
  const std::string rest = "'fortran_order': False, 'shape': (2,)}";
  expect_message(npy_bytes("", ""), "malformed");
  expect_message(npy_bytes("garbage", ""), "'{' is missing");
  expect_message(npy_bytes("{" + rest, ""), "'descr' is missing");
  expect_message(npy_bytes("{'descr': '<f8', 'shape': (2,)}", ""), "'fortran_order' is missing");
  expect_message(npy_bytes("{'descr': '<f8', 'fortran_order': False}", ""), "'shape' is missing");
  expect_message(npy_bytes("{'descr': '<f8', 'descr': '<f8', " + rest, ""), "stands twice");
  expect_message(npy_bytes("{'colour': '<f8', " + rest, ""), "'colour' is unknown");
  expect_message(npy_bytes("{'descr': '<f8", ""), "does not end");
  expect_message(npy_bytes("{'descr': '<f8', " + rest + " more", ""), "after the dictionary");
  expect_message(npy_bytes("{'descr': '<f8', 'fortran_order': 1, 'shape': (2,)}", ""),
                 "neither True nor False");
  for (const char* shape : {"(2)", "(-1,)", "(2.5,)", "2", "(2,,)", "(2", "(a,)"}) {
    expect_message(
        npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': " + std::string(shape) + "}",
                  ""),
        "malformed");
  }
}

TEST_F(Npy, RefusesAbsurdShapesBeforeAllocating) {
  const auto with = [](const std::string& shape) {
    return npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + "}", "");
  };
  expect_message(with("(1000000000000,)"), "it is truncated");
  expect_message(with("(4294967296, 4294967296)"), "more than any file can hold");
  expect_message(with("(99999999999999999999,)"), "longer than any array");
  std::string many = "(";
  for (int i = 0; i < 65; ++i) many += "1,";
  expect_message(with(many + ")"), "more than 64 axes");
  std::string long_header = npy_bytes("", "", 2);
  long_header.replace(8, 4, std::string("\xff\xff\xff\x7f", 4));
  expect_message(long_header, "it is too long");
}

TEST_F(Npy, LeavesNoHalfFile) {
  folder.write("kept.npy", "old");
  const double value = 1;
  EXPECT_THROW(write_npy(folder.file("none/a.npy"), {1}, &value), Error);
  EXPECT_THROW(write_npy(folder.path().string(), {1}, &value), Error);
  EXPECT_THROW(write_npy("/dev/full", {1}, &value), Error);
  EXPECT_THROW(write_npy(folder.file("kept.npy"), {-1}, &value), Error);
  EXPECT_THROW(write_npy(folder.file("kept.npy"), NpyArray<double>{{2}, {1}}), Error);
  EXPECT_EQ(folder.read("kept.npy"), "old");
  EXPECT_EQ(folder.file_count(), 1u);
}

TEST_F(Npy, ReplacesWhatALinkPointsTo) {
  folder.write("real.npy", "old");
  std::filesystem::create_symlink("real.npy", folder.path() / "link.npy");
  std::filesystem::permissions(folder.path() / "real.npy", std::filesystem::perms::owner_read |
                                                               std::filesystem::perms::owner_write);
  const double value = 7;
  write_npy(folder.file("link.npy"), {1}, &value);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link.npy"));
  EXPECT_EQ(read_npy<double>(folder.file("real.npy")).data[0], 7);
  EXPECT_EQ(std::filesystem::status(folder.path() / "real.npy").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(Npy, AnUncommittedFileVanishes) {
  {
    AtomicFile file(folder.file("a"));
    file.write("text");
    EXPECT_FALSE(std::filesystem::exists(folder.file("a")));
  }
  EXPECT_EQ(folder.file_count(), 0u);
}

}  // namespace
}  // namespace rhopsi::io
