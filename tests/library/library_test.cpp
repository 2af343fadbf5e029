// What the rule library says, on numbers.
#include <gtest/gtest.h>

#include "tests/library/expressions.hpp"
#include "tests/library/rows.hpp"

namespace rhopsi::library {
namespace {

const std::string root = RHOPSI_SOURCE_DIR;

void expect_all(const std::vector<Row>& rows) {
  Expressions expressions;
  const std::vector<std::string> results = expressions.evaluate(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string& expected = rows[i].expected;
    if (expected.rfind("error:", 0) != 0) {
      EXPECT_EQ(results[i], expected) << rows[i].place << ": " << rows[i].expression;
      continue;
    }
    const std::size_t part = expected.find_first_not_of(' ', 6);
    EXPECT_EQ(results[i].rfind("error: ", 0), 0U)
        << rows[i].place << ": " << rows[i].expression << " is " << results[i];
    if (part == std::string::npos) continue;
    EXPECT_NE(results[i].find(expected.substr(part)), std::string::npos)
        << rows[i].place << ": " << results[i];
  }
}

class Tables : public ::testing::TestWithParam<const char*> {};

TEST_P(Tables, AreTrue) {
  const auto rows = rows_of_table(root + "/tests/library/tables/" + GetParam() + ".txt");
  EXPECT_FALSE(rows.empty());
  expect_all(rows);
}

INSTANTIATE_TEST_SUITE_P(Library, Tables,
                         ::testing::Values("cells", "conditions", "folds", "pointwise", "products",
                                           "selection", "structure", "values", "vectors"));

class Comments : public ::testing::TestWithParam<const char*> {};

TEST_P(Comments, SayWhatIsSo) {
  const auto rows = rows_of_comments(root + "/rules/definitions/" + GetParam() + ".mg");
  EXPECT_FALSE(rows.empty());
  expect_all(rows);
}

INSTANTIATE_TEST_SUITE_P(Library, Comments,
                         ::testing::Values("arrays", "cells", "folds", "numbers", "pointwise",
                                           "products", "selection", "structure", "values",
                                           "vectors"));

}  // namespace
}  // namespace rhopsi::library
