#include "backends/io/vti.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "tests/unit/reference/temporary_folder.hpp"

namespace rhopsi::io {
namespace {

class Vti : public ::testing::Test {
 protected:
  std::string written(const VtiGrid& grid, const std::vector<VtiField>& fields,
                      VtiEncoding encoding) {
    write_vti(folder.file("a.vti"), grid, fields, encoding);
    EXPECT_EQ(folder.file_count(), 1u);
    return folder.read("a.vti");
  }

  TemporaryFolder folder;
};

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), text.npos) << part << " is not in\n" << text;
}

TEST_F(Vti, AsciiRunsFastestAlongTheFirstAxis) {
  const std::vector<std::int32_t> data{0, 1, 2, 10, 11, 12};
  const auto text =
      written({{2, 3}, {0.5, 0.25}, {1, -1}}, {vti_field("u", data.data())}, VtiEncoding::ascii);
  expect_part(text, "WholeExtent=\"0 1 0 2 0 0\"");
  expect_part(text, "Origin=\"1 -1 0\"");
  expect_part(text, "Spacing=\"0.5 0.25 1\"");
  expect_part(text,
              "<DataArray type=\"Int32\" Name=\"u\" NumberOfComponents=\"1\" format=\"ascii\">");
  expect_part(text, "\n0 10 1 11 2 12\n");
}

TEST_F(Vti, RawDataStandsAtTheOffsets) {
  const std::vector<float> u{1.5F, 2.5F, 3.5F};
  const std::vector<double> v{4, 5, 6};
  const auto text = written({{3}, {}, {}}, {vti_field("u", u.data()), vti_field("v", v.data())},
                            VtiEncoding::raw);
  expect_part(text, "Name=\"u\" NumberOfComponents=\"1\" format=\"appended\" offset=\"0\"/>");
  expect_part(text, "Name=\"v\" NumberOfComponents=\"1\" format=\"appended\" offset=\"20\"/>");
  const std::size_t begin = text.find("\n_") + 2;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, text.data() + begin, 8);
  EXPECT_EQ(bytes, 12u);
  EXPECT_EQ(std::memcmp(text.data() + begin + 8, u.data(), 12), 0);
  std::memcpy(&bytes, text.data() + begin + 20, 8);
  EXPECT_EQ(bytes, 24u);
  EXPECT_EQ(std::memcmp(text.data() + begin + 28, v.data(), 24), 0);
}

TEST_F(Vti, Base64IsOneRun) {
  const std::vector<std::uint8_t> data{1, 0, 1, 1};
  const auto text = written({{4}, {}, {}}, {vti_field("m", data.data())}, VtiEncoding::base64);
  // 04 00 00 00 00 00 00 00 01 00 01 01
  expect_part(text, "\nBAAAAAAAAAABAAEB\n");
  expect_part(text, "type=\"UInt8\"");
}

std::string decoded(const std::string& text) {
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const std::size_t digit = alphabet.find(c);
    if (digit == alphabet.npos) break;
    bits = (bits << 6 | static_cast<std::uint32_t>(digit)) & 0xFFFFFF;
    if ((held += 6) < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xFF);
  }
  return bytes;
}

// Sides that are gathered in several boxes: of planes, of rows, of parts of a row.
TEST_F(Vti, LargeArraysKeepTheOrderOfVtk) {
  for (const std::vector<std::int64_t>& shape : std::vector<std::vector<std::int64_t>>{
           {100, 77, 83}, {1100, 1003, 2}, {1050001}, {600, 1001}, {3, 5, 7}}) {
    std::vector<std::int64_t> side = shape;
    side.resize(3, 1);
    std::vector<std::int64_t> data(static_cast<std::size_t>(side[0] * side[1] * side[2]));
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::int64_t>(i) * 1000003;
    const auto text = written({shape, {}, {}}, {vti_field("u", data.data())}, VtiEncoding::base64);
    const std::size_t begin = text.find(">\n", text.find("format=\"binary\"")) + 2;
    const std::string bytes = decoded(text.substr(begin, text.find('\n', begin) - begin));
    ASSERT_EQ(bytes.size(), 8 + 8 * data.size());
    const auto word = [&](std::size_t at) {
      std::int64_t value = 0;
      std::memcpy(&value, bytes.data() + 8 * at, 8);
      return value;
    };
    EXPECT_EQ(word(0), static_cast<std::int64_t>(8 * data.size()));
    std::size_t at = 1;
    std::size_t wrong = 0;
    for (std::int64_t z = 0; z < side[2]; ++z)
      for (std::int64_t y = 0; y < side[1]; ++y)
        for (std::int64_t x = 0; x < side[0]; ++x)
          wrong += word(at++) != ((x * side[1] + y) * side[2] + z) * 1000003 ? 1 : 0;
    EXPECT_EQ(wrong, 0u) << shape_text(shape);
  }
}

// What a parser of XML accepts: no byte but those of text, and every element is closed.
TEST_F(Vti, IsXmlUnlessAskedOtherwise) {
  std::vector<double> data(50);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = 1.0 / static_cast<double>(i + 1);
  write_vti(folder.file("a.vti"), {{5, 10}, {}, {}}, {vti_field("u", data.data())});
  const std::string text = folder.read("a.vti");
  std::vector<std::string> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    EXPECT_TRUE(text[i] == '\n' || (text[i] >= ' ' && text[i] <= '~')) << i;
    if (text[i] != '<' || text[i + 1] == '?') continue;
    const std::size_t end = text.find('>', i);
    const std::string tag = text.substr(i + 1, text.find_first_of(" >", i) - i - 1);
    if (text[end - 1] == '/') continue;
    if (tag[0] != '/') {
      open.push_back(tag);
      continue;
    }
    ASSERT_FALSE(open.empty());
    EXPECT_EQ(tag, "/" + open.back());
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
  expect_part(text, "format=\"binary\"");
}

TEST_F(Vti, NamesAreEscaped) {
  const double one = 1;
  const auto text = written({{1, 1, 1}, {}, {}}, {vti_field("a<\"&>", &one)}, VtiEncoding::ascii);
  expect_part(text, "Name=\"a&lt;&quot;&amp;&gt;\"");
}

TEST_F(Vti, RefusesWhatImageDataCannotHold) {
  const std::vector<double> data(16);
  const auto field = vti_field("u", data.data());
  const auto path = folder.file("a.vti");
  EXPECT_THROW(write_vti(path, {{}, {}, {}}, {field}), Error);
  EXPECT_THROW(write_vti(path, {{2, 2, 2, 2}, {}, {}}, {field}), Error);
  EXPECT_THROW(write_vti(path, {{0, 2}, {}, {}}, {field}), Error);
  EXPECT_THROW(write_vti(path, {{2}, {1, 1}, {}}, {field}), Error);
  EXPECT_THROW(write_vti(path, {{2}, {}, {1, 1}}, {field}), Error);
  EXPECT_THROW(write_vti(path, {{2}, {}, {}}, {field, field}), Error);
  EXPECT_THROW(write_vti(path, {{2}, {}, {}}, {vti_field("", data.data())}), Error);
  EXPECT_THROW(write_vti(folder.file("none/a.vti"), {{2}, {}, {}}, {field}), Error);
  EXPECT_EQ(folder.file_count(), 0u);
}

}  // namespace
}  // namespace rhopsi::io
