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
