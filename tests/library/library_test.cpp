// What the rule library says, on numbers.
#include <gtest/gtest.h>

#include "tests/library/expressions.hpp"
#include "tests/library/rows.hpp"

namespace rhopsi::library {
namespace {

void expect(const Row& row, const std::string& way, const std::string& result) {
  SCOPED_TRACE(row.place + ": " + row.expression + ", " + way);
  if (row.expected.rfind("error:", 0) != 0) {
    EXPECT_EQ(result, row.expected);
    return;
  }
  EXPECT_EQ(result.rfind("error: ", 0), 0U) << result;
  const std::size_t part = row.expected.find_first_not_of(' ', 6);
  if (part == std::string::npos) return;
  EXPECT_NE(result.find(row.expected.substr(part)), std::string::npos) << result;
}

void expect_all(const std::vector<Row>& rows) {
  Expressions expressions;
  const std::vector<Results> results = expressions.evaluate(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    expect(rows[i], "by definitions", results[i].by_definitions);
    expect(rows[i], "by normal form", results[i].by_normal_form);
    if (results[i].by_ranks.empty()) continue;
    Row row = rows[i];  // a message then names lengths, not numbers
    if (row.expected.rfind("error:", 0) == 0) row.expected = "error:";
    expect(row, "by ranks", results[i].by_ranks);
  }
}

class Tables : public ::testing::TestWithParam<const char*> {};

TEST_P(Tables, AreTrue) {
  const auto rows = rows_of_table(GetParam());
  EXPECT_FALSE(rows.empty());
  expect_all(rows);
}

INSTANTIATE_TEST_SUITE_P(Library, Tables,
                         ::testing::Values("cells", "conditions", "folds", "pointwise", "products",
                                           "selection", "structure", "values", "vectors"));

class Comments : public ::testing::TestWithParam<const char*> {};

TEST_P(Comments, SayWhatIsSo) {
  const auto rows =
      rows_of_comments(RHOPSI_SOURCE_DIR "/rules/definitions/" + std::string(GetParam()) + ".mg");
  EXPECT_FALSE(rows.empty());
  expect_all(rows);
}

INSTANTIATE_TEST_SUITE_P(Library, Comments,
                         ::testing::Values("arrays", "cells", "folds", "numbers", "pointwise",
                                           "products", "selection", "structure", "values",
                                           "vectors"));

}  // namespace
}  // namespace rhopsi::library
