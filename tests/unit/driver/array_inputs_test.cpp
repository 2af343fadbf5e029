// Inputs, cases and results of `eval` as text.
#include "frontend/driver/array_inputs.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>
#include <unistd.h>

#include "backends/io/npy.hpp"
#include "frontend/driver/array_text.hpp"
#include "frontend/driver/expression_cases.hpp"

namespace rhopsi::driver {
namespace {

using Shape = std::vector<std::int64_t>;
using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Truths = std::vector<std::uint8_t>;

reference::Array input(const std::string& text) {
  syntax::Diagnostics diagnostics;
  const auto inputs = read_inputs("--in", {"A=" + text}, diagnostics);
  for (const auto& each : diagnostics.all()) ADD_FAILURE() << each.message;
  if (!inputs || inputs->size() != 1) {
    ADD_FAILURE() << text;
    return {};
  }
  EXPECT_EQ(inputs->front().name, "A");
  return inputs->front().array;
}

std::string refusal(const std::string& text) {
  syntax::Diagnostics diagnostics;
  EXPECT_EQ(read_inputs("--in", {text}, diagnostics), std::nullopt) << text;
  return diagnostics.all().size() == 1
             ? diagnostics.all().front().code + " " + diagnostics.all().front().message
             : std::to_string(diagnostics.all().size()) + " diagnostics";
}

TEST(ArrayInputs, ConsecutiveNumbers) {
  EXPECT_EQ(input("iota:2,3:100"),
            reference::make_array({2, 3}, Integers{100, 101, 102, 103, 104, 105}));
  EXPECT_EQ(input("iota:3"), reference::make_array({3}, Integers{0, 1, 2}));
  EXPECT_EQ(input("iota:2:-1"), reference::make_array({2}, Integers{-1, 0}));
  EXPECT_EQ(input("iota:2:-0.5"), reference::make_array({2}, Reals{-0.5, 0.5}));
  EXPECT_EQ(input("iota:1:1e3"), reference::make_array({1}, Reals{1000}));
  EXPECT_EQ(input("iota::5"), reference::make_array({}, Integers{5}));
  EXPECT_EQ(input("iota:"), reference::make_array({}, Integers{0}));
  EXPECT_EQ(input("iota:2,0,3"), reference::make_array({2, 0, 3}, Integers{}));
  EXPECT_EQ(input("iota:2:9223372036854775806"),
            reference::make_array({2}, Integers{9223372036854775806, 9223372036854775807}));
}

TEST(ArrayInputs, WhatIsNoInputIsRefused) {
  for (const char* text :
       {"A=iota:x", "A=iota:-1", "A=iota:1.5", "A=iota:2,", "A=iota:,2", "A=iota:2,,2", "A=iota: 2",
        "A=iota:2:", "A=iota:2:x", "A=iota:2:1:1", "A=iota:2:1e999", "A=iota:2:nan",
        "A=iota:2:9223372036854775807", "A=iota:2:9223372036854775808", "A=iota:99999999999",
        "A=iota:4294967296,4294967296,4294967296", "A=iota:99999999999999999999"}) {
    EXPECT_EQ(refusal(text).rfind("E0810 --in " + std::string(text) + ": ", 0), 0U)
        << refusal(text);
  }
  // Also where another axis is empty, there is no negative length.
  EXPECT_EQ(refusal("A=iota:0,-1").rfind("E0810", 0), 0U);
  EXPECT_EQ(refusal("A").rfind("E0810", 0), 0U);
  EXPECT_EQ(refusal("A=").rfind("E0810", 0), 0U);
  EXPECT_EQ(refusal("A=there-is-no-such-file.npy").rfind("E0820", 0), 0U);
}

TEST(ArrayInputs, NamesAreThoseOfVariables) {
  for (const char* text : {"1=iota:2", "2A=iota:2", "a-b=iota:2", "_+_=iota:2", "a b=iota:2"}) {
    EXPECT_EQ(refusal(text).rfind("E0810", 0), 0U) << text;
  }
  syntax::Diagnostics diagnostics;
  EXPECT_TRUE(read_inputs("--in", {"_a1=iota:2", "ä=iota:2"}, diagnostics));
  EXPECT_EQ(read_inputs("--in", {"A=iota:2", "A=iota:3"}, diagnostics), std::nullopt);
  EXPECT_EQ(diagnostics.all().back().code, "E0811");
}

TEST(ArrayInputs, EveryMistakeIsReported) {
  syntax::Diagnostics diagnostics;
  EXPECT_EQ(read_inputs("--in", {"A=iota:x", "B=iota:2", "C=nothing.npy"}, diagnostics),
            std::nullopt);
  EXPECT_EQ(diagnostics.error_count(), 2U);
}

class ArrayFiles : public ::testing::Test {
 protected:
  ArrayFiles()
      : path_(std::filesystem::temp_directory_path() /
              ("rhopsi-inputs-" + std::to_string(getpid()) + ".npy")) {}
  ~ArrayFiles() override {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  template <class T>
  reference::Array through_file(const Shape& shape, const std::vector<T>& data) const {
    io::write_npy(path_.string(), shape, data.data());
    return input(path_.string());
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST_F(ArrayFiles, NarrowElementsAreWidened) {
  EXPECT_EQ(through_file<std::int32_t>({2}, {1, -2}), reference::make_array({2}, Integers{1, -2}));
  EXPECT_EQ(through_file<std::int64_t>({1, 1}, {std::int64_t{1} << 60}),
            reference::make_array({1, 1}, Integers{std::int64_t{1} << 60}));
  EXPECT_EQ(through_file<float>({}, {0.1F}), reference::make_array({}, Reals{double(0.1F)}));
  EXPECT_EQ(through_file<double>({0, 2}, {}), reference::make_array({0, 2}, Reals{}));
  EXPECT_EQ(through_file<std::uint8_t>({2}, {1, 0}), reference::make_array({2}, Truths{1, 0}));
}

TEST_F(ArrayFiles, DamagedFilesAreRefused) {
  std::ofstream(path()) << "this is no array";
  EXPECT_EQ(refusal("A=" + path()).rfind("E0820", 0), 0U);
}

TEST(ArrayText, Shapes) {
  EXPECT_EQ(shape_line({2, 4}), "shape: 2 4");
  EXPECT_EQ(shape_line({0}), "shape: 0");
  EXPECT_EQ(shape_line({}), "shape:");
}

TEST(ArrayText, Elements) {
  EXPECT_EQ(elements_line(Integers{1, -2, std::numeric_limits<std::int64_t>::min()}),
            "1 -2 -9223372036854775808");
  EXPECT_EQ(elements_line(Truths{1, 0}), "1 0");
  EXPECT_EQ(elements_line(Integers{}), "");
  EXPECT_EQ(elements_line(Reals{2, 0.1, -0.0, 1.0 / 3}), "2 0.1 -0 0.3333333333333333");
  EXPECT_EQ(elements_line(Reals{std::nan(""), -std::nan(""), INFINITY, -INFINITY}),
            "nan nan inf -inf");
  EXPECT_EQ(elements_line(std::vector<float>{0.1F}), "0.1");
}

TEST(ArrayText, RealsAreReadBackEqual) {
  for (const double value : {5e-324, 1.7976931348623157e308, 0.1 + 0.2, 1e21, 123456789.125, 1e5,
                             2.2250738585072014e-308}) {
    EXPECT_EQ(std::strtod(elements_line(Reals{value}).c_str(), nullptr), value);
  }
}

class CaseFile : public ::testing::Test {
 protected:
  CaseFile()
      : path_(std::filesystem::temp_directory_path() /
              ("rhopsi-cases-" + std::to_string(getpid()))) {}
  ~CaseFile() override {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  std::vector<ExpressionCase> cases(const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
    syntax::Diagnostics diagnostics;
    const auto read = read_cases(path_.string(), diagnostics);
    EXPECT_TRUE(read);
    return read.value_or(std::vector<ExpressionCase>{});
  }
  std::string place(int line) const { return path_.string() + ":" + std::to_string(line); }

 private:
  std::filesystem::path path_;
};

TEST_F(CaseFile, OneCasePerLine) {
  const auto read = cases("A + B | A=a.npy  B=iota:2\n\n  1\r\nA || B | A=iota:1\n|\nlast | ");
  ASSERT_EQ(read.size(), 6U);
  const std::vector<std::string> none;
  EXPECT_EQ(read[0].text->text(), "A + B");
  EXPECT_EQ(read[0].inputs, (std::vector<std::string>{"A=a.npy", "B=iota:2"}));
  EXPECT_EQ(read[1].text->text(), "");
  EXPECT_EQ(read[1].inputs, none);
  EXPECT_EQ(read[2].text->text(), "  1");
  EXPECT_EQ(read[3].text->text(), "A || B");
  EXPECT_EQ(read[3].inputs, std::vector<std::string>{"A=iota:1"});
  EXPECT_EQ(read[4].text->text(), "|");
  EXPECT_EQ(read[5].text->text(), "last");
  EXPECT_EQ(read[5].inputs, none);
  EXPECT_EQ(read[5].text->path(), place(6));
  EXPECT_TRUE(cases("").empty());
}

TEST_F(CaseFile, ErrorsAreOneLine) {
  const auto read = cases("1\n2 + x\n");
  syntax::Diagnostics diagnostics;
  diagnostics.warning("E0243", {read[1].text, 0, 1}, "not this one");
  diagnostics.error("E0201", {read[1].text, 4, 5}, "no\nvariable");
  diagnostics.error("E0202", {read[1].text, 0, 1}, "nor this");
  EXPECT_EQ(one_line(diagnostics, *read[1].text), "error: " + place(2) + ":5: no variable [E0201]");
  syntax::Diagnostics placeless;
  placeless.error("E0820", {},
                  "no \xff\x1b"
                  "file");
  EXPECT_EQ(one_line(placeless, *read[1].text),
            "error: " + place(2) + ": no \\xFF\\x1Bfile [E0820]");
}

TEST(Cases, AFileThatCannotBeRead) {
  syntax::Diagnostics diagnostics;
  EXPECT_EQ(read_cases("there-is-no-such-file", diagnostics), std::nullopt);
  EXPECT_EQ(read_cases(".", diagnostics), std::nullopt);
  EXPECT_EQ(diagnostics.error_count(), 2U);
}

}  // namespace
}  // namespace rhopsi::driver
