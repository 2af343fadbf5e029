#include "tests/library/expressions.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "backends/reference/definitions.hpp"
#include "backends/reference/normal_form.hpp"
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
    std::string parameters;
    for (const auto& [name, array] : rows[i].arrays) {
      parameters += (parameters.empty() ? "" : ", ") + name + ": Array";
    }
    text += fmt::format("  function row{}({}): Array = {};\n", i, parameters, rows[i].expression);
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

std::string Expressions::reduced(const moa::Library& library, const term::Callable& function,
                                 const Row& row, bool shapes_known) {
  std::vector<moa::Leaf> leaves;
  std::vector<reference::Array> arrays;
  for (const term::SymbolId parameter : function.parameters) {
    const std::string& name = store_[parameter].name;
    const reference::Array& array = arrays.emplace_back(row.arrays.at(name));
    moa::Leaf& leaf = leaves.emplace_back(moa::Leaf{name, array.element, {}, parameter});
    if (shapes_known) leaf.shape.assign(array.shape.begin(), array.shape.end());
    if (!shapes_known) leaf.shape.assign(array.shape.size(), std::nullopt);
  }
  const auto form = moa::reduce(library, *function.body, std::move(leaves));
  if (!form) return shapes_known ? "error: " + form.error().message : "";
  const auto value = reference::evaluate(store_, *form, arrays);
  return value ? Text{}(*value) : "error: " + value.error().message;
}

// What is no array is an integer or an index vector, of which one can be made.
std::vector<Results> Expressions::evaluate(const std::vector<Row>& given) {
  std::vector<Row> rows = given;
  const std::vector<bool> others = refused(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (others[i]) rows[i].expression = "array(" + rows[i].expression + ")";
  }
  syntax::Diagnostics diagnostics;
  const auto functions = elaborate(rows, diagnostics);
  if (!functions) throw std::runtime_error(text_of(diagnostics));
  const auto theory = workspace_->evaluate("rows", "Library", diagnostics);
  if (!theory) throw std::runtime_error(text_of(diagnostics));
  reference::Definitions definitions(store_, *theory, *table_);
  const moa::Library library(store_, *theory, *table_);
  std::vector<Results> results;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& function = *functions->overloads(store_, fmt::format("row{}", i)).at(0);
    std::map<term::SymbolId, reference::Value> values;
    for (const term::SymbolId parameter : function.parameters) {
      values.emplace(parameter, rows[i].arrays.at(store_[parameter].name));
    }
    const auto value = definitions.evaluate(*function.body, values);
    results.push_back({value ? std::visit(Text{}, *value) : "error: " + value.error().message,
                       reduced(library, function, rows[i], true),
                       reduced(library, function, rows[i], false)});
  }
  return results;
}

}  // namespace rhopsi::library
