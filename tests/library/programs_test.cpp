// The tables, computed by a program: its numbers are all real, and its operations have bodies.
#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backends/primitives/primitives.hpp"
#include "backends/reference/evaluator.hpp"
#include "engine/rewrite/interval_oracle.hpp"
#include "frontend/elaborate/elaborate.hpp"
#include "tests/exec/process.hpp"
#include "tests/library/rows.hpp"

namespace rhopsi::library {
namespace {

std::string text_of(double value) { return fmt::format("{}", value); }

std::string text_of(const reference::Array& array, std::size_t axis, std::size_t& position) {
  if (axis == array.shape.size()) {
    return text_of(std::get<std::vector<double>>(*array.elements)[position++]);
  }
  std::string text;
  for (std::int64_t i = 0; i < array.shape[axis]; ++i) {
    text += (i == 0 ? "" : ", ") + text_of(array, axis + 1, position);
  }
  return "[" + text + "]";
}

// What a row says, with truth values and integers as real numbers; 0 has no sign.
std::string as_reals(std::string text) {
  text = std::regex_replace(text, std::regex("true"), "1");
  text = std::regex_replace(text, std::regex("false"), "0");
  text = std::regex_replace(text, std::regex("\\.0\\b"), "");
  return std::regex_replace(text, std::regex("-0(?![.0-9])"), "0");
}

reference::Value as_reals(const reference::Array& array) {
  std::vector<double> data;
  std::visit([&](const auto& elements) { data.assign(elements.begin(), elements.end()); },
             *array.elements);
  return reference::make_array(array.shape, std::move(data));
}

// Integers divide and wrap, are converted in another way, and have other smallest values.
bool depends_on_integers(const Row& row) {
  const std::regex integers("[/%]|_div|_mod|[0-9]{10}|\\binteger");
  return std::regex_search(row.expression, integers) || std::regex_search(row.expected, integers) ||
         row.expected.starts_with("error:");
}

class TablesOfPrograms : public ::testing::TestWithParam<const char*> {
 protected:
  std::shared_ptr<const term::Theory> elaborate(const std::vector<Row>& rows,
                                                syntax::Diagnostics& diagnostics) {
    std::string text =
        "package rows imports moa.library;\nprogram Rows = implement Expressions in { use "
        "Expressions;\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::string parameters;
      for (const auto& [name, array] : rows[i].arrays) {
        parameters += (parameters.empty() ? "" : ", ") + name + ": Array";
      }
      text += fmt::format("  function row{}({}): Array = {};\n", i, parameters, rows[i].expression);
    }
    const exec::Folder folder;
    const std::string file = folder.write("rows.mg", text + "};\n");
    elaborate::Options options;
    options.search_path = {RHOPSI_SOURCE_DIR "/rules"};
    workspace = std::make_unique<elaborate::Workspace>(store, *table, oracle, std::move(options));
    const auto package = workspace->load(file, diagnostics);
    return package ? workspace->evaluate(*package, "Rows", diagnostics) : nullptr;
  }

  term::Store store;
  rewrite::IntervalOracle oracle;
  std::unique_ptr<onf::PrimitiveTable> table = primitives::make_table(onf::Scalar::float64);
  std::unique_ptr<elaborate::Workspace> workspace;
};

TEST_P(TablesOfPrograms, AreTrue) {
  std::vector<Row> rows = rows_of_table(GetParam());
  std::erase_if(rows, depends_on_integers);
  EXPECT_FALSE(rows.empty());
  // What is no array is an integer or an index vector, of which one can be made.
  syntax::Diagnostics refused;
  elaborate(rows, refused);
  for (const auto& each : refused.all()) {
    const std::size_t line = each.span.file ? each.span.file->position(each.span.begin).line : 0;
    ASSERT_TRUE(line >= 3 && line < 3 + rows.size()) << render(each);
    rows[line - 3].expression = "array(" + rows[line - 3].expression + ")";
  }
  syntax::Diagnostics diagnostics;
  const auto program = elaborate(rows, diagnostics);
  for (const auto& each : diagnostics.all()) ADD_FAILURE() << render(each);
  ASSERT_TRUE(program);
  reference::Evaluator evaluator(store, *program, *table, {});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(rows[i].place + ": " + rows[i].expression);
    const auto& function = *program->overloads(store, fmt::format("row{}", i)).at(0);
    std::vector<reference::Value> arguments;
    for (const term::SymbolId parameter : function.parameters) {
      arguments.push_back(as_reals(rows[i].arrays.at(store[parameter].name)));
    }
    const auto value = evaluator.call(function.symbol, arguments);
    ASSERT_TRUE(value) << value.error().code << ": " << value.error().message;
    std::size_t position = 0;
    EXPECT_EQ(as_reals(text_of(std::get<reference::Array>(**value), 0, position)),
              as_reals(rows[i].expected));
  }
}

INSTANTIATE_TEST_SUITE_P(Library, TablesOfPrograms,
                         ::testing::Values("cells", "folds", "pointwise", "products", "selection",
                                           "structure", "values", "vectors"));

}  // namespace
}  // namespace rhopsi::library
