#include "tests/library/expressions.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "backends/reference/definitions.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::library {

namespace {

struct Text {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int32_t value) const { return fmt::format("{}", value); }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(float value) const { return (*this)(double{value}); }
  std::string operator()(double value) const {
    const std::string text = fmt::format("{}", value);
    return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
  }
  std::string operator()(const reference::Index& index) const {
    std::string text;
    for (std::int64_t component : index) text += (text.empty() ? "" : ", ") + (*this)(component);
    return "[" + text + "]";
  }
  std::string operator()(const reference::Array& array) const {
    std::size_t position = 0;
    return part(array, 0, position);
  }

  std::string part(const reference::Array& array, std::size_t axis, std::size_t& position) const {
    if (axis == array.shape.size()) {
      const reference::Value value = reference::element_at(*array.elements, position++);
      if (array.element == onf::Scalar::boolean) {
        return std::visit([](const auto& held) { return held_truth(held) ? "true" : "false"; },
                          value);
      }
      return std::visit(*this, value);
    }
    std::string text;
    for (std::int64_t i = 0; i < array.shape[axis]; ++i) {
      text += (i == 0 ? "" : ", ") + part(array, axis + 1, position);
    }
    return "[" + text + "]";
  }

  template <class T>
  static bool held_truth(const T& held) {
    if constexpr (std::is_arithmetic_v<T>) return held != 0;
    return false;
  }
};

std::string text_of(const syntax::Diagnostics& diagnostics) {
  std::string text;
  for (const auto& each : diagnostics.all()) text += render(each);
  return text;
}

}  // namespace

// A line per row, the first being line 3.
std::shared_ptr<const term::Theory> Expressions::elaborate(const std::vector<Row>& rows,
                                                           syntax::Diagnostics& diagnostics) {
  std::string text =
      "package rows imports moa.library;\nimplementation Rows = { use Expressions;\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("  function row{}(): Array = {};\n", i, rows[i].expression);
  }
  const exec::Folder folder;
  const std::string file = folder.write("rows.mg", text + "};\nconcept Library = Expressions;\n");
  elaborate::Options options;
  options.search_path = {std::string(RHOPSI_SOURCE_DIR) + "/rules"};
  workspace_ = std::make_unique<elaborate::Workspace>(store_, *table_, oracle_, std::move(options));
  const auto package = workspace_->load(file, diagnostics);
  return package ? workspace_->evaluate(*package, "Rows", diagnostics) : nullptr;
}

// Which rows are no arrays.
std::vector<bool> Expressions::refused(const std::vector<Row>& rows) {
  std::vector<bool> result(rows.size(), false);
  syntax::Diagnostics diagnostics;
  elaborate(rows, diagnostics);
  for (const auto& each : diagnostics.all()) {
    const std::size_t line = each.span.file ? each.span.file->position(each.span.begin).line : 0;
    if (line < 3 || line >= 3 + rows.size()) throw std::runtime_error(text_of(diagnostics));
    result[line - 3] = true;
  }
  return result;
}

// What is no array is an integer or an index vector, of which one can be made.
std::vector<std::string> Expressions::evaluate(const std::vector<Row>& given) {
  std::vector<Row> rows = given;
  const std::vector<bool> others = refused(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (others[i]) rows[i].expression = "array(" + rows[i].expression + ")";
  }
  syntax::Diagnostics diagnostics;
  const auto expressions = elaborate(rows, diagnostics);
  if (!expressions) throw std::runtime_error(text_of(diagnostics));
  const auto library = workspace_->evaluate("rows", "Library", diagnostics);
  if (!library) throw std::runtime_error(text_of(diagnostics));
  reference::Definitions definitions(store_, *library, *table_);
  std::vector<std::string> results;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const term::Callable& row = *expressions->overloads(store_, fmt::format("row{}", i)).at(0);
    const auto value = definitions.evaluate(*row.body, {});
    results.push_back(value ? std::visit(Text{}, *value) : "error: " + value.error().message);
  }
  return results;
}

}  // namespace rhopsi::library
