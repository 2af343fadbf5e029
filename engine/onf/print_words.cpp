// What print.hpp says of the small parts of a form.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>

#include "engine/onf/print.hpp"

namespace rhopsi::onf {

std::string to_string(const Halo& halo) {
  std::string text;
  for (const Margin& margin : halo.axes) {
    text += (text.empty() ? "[" : ", ") + std::to_string(margin.low) + "+" +
            std::to_string(margin.high);
  }
  return (text.empty() ? "[" : text) + "]" + (halo.corners ? " with corners" : "");
}

std::string name_of(ScalarFunction function) {
  switch (function) {
    case ScalarFunction::add:
      return "add";
    case ScalarFunction::subtract:
      return "subtract";
    case ScalarFunction::multiply:
      return "multiply";
    case ScalarFunction::divide:
      return "divide";
    case ScalarFunction::modulo:
      return "modulo";
    case ScalarFunction::negate:
      return "negate";
    case ScalarFunction::plus:
      return "plus";
    case ScalarFunction::minimum:
      return "minimum";
    case ScalarFunction::maximum:
      return "maximum";
    case ScalarFunction::absolute:
      return "absolute";
    case ScalarFunction::sqrt:
      return "sqrt";
    case ScalarFunction::exp:
      return "exp";
    case ScalarFunction::log:
      return "log";
    case ScalarFunction::sin:
      return "sin";
    case ScalarFunction::cos:
      return "cos";
    case ScalarFunction::tanh:
      return "tanh";
    case ScalarFunction::pow:
      return "pow";
    case ScalarFunction::less:
      return "less";
    case ScalarFunction::less_equal:
      return "less_equal";
    case ScalarFunction::greater:
      return "greater";
    case ScalarFunction::greater_equal:
      return "greater_equal";
    case ScalarFunction::equal:
      return "equal";
    case ScalarFunction::not_equal:
      return "not_equal";
    case ScalarFunction::and_:
      return "and";
    case ScalarFunction::or_:
      return "or";
    case ScalarFunction::not_:
      return "not";
    case ScalarFunction::implies:
      return "implies";
    case ScalarFunction::iff:
      return "iff";
    case ScalarFunction::true_:
      return "true";
    case ScalarFunction::false_:
      return "false";
    case ScalarFunction::select:
      return "select";
    case ScalarFunction::convert:
      return "convert";
  }
  return "?";
}

std::string to_string(const Representation& type) {
  switch (type.kind) {
    case Representation::Kind::scalar:
      return to_string(type.scalar);
    case Representation::Kind::index:
      return "index";
    case Representation::Kind::array:
      return "array " + to_string(type.scalar);
    case Representation::Kind::opaque:
      return type.opaque;
  }
  return "?";
}

namespace {

// The file of a place without its folder; empty for generated code.
std::string file_of(const term::Store& store, term::LocationId location) {
  if (location == term::LocationId{}) return {};
  const std::string& file = store[location].file;
  return file.substr(file.find_last_of('/') + 1);
}

}  // namespace

std::string place(const term::Store& store, term::LocationId location) {
  const std::string file = file_of(store, location);
  return file.empty() ? file : file + ":" + std::to_string(store[location].line);
}

std::string places(const term::Store& store, term::LocationId first,
                   const std::vector<term::LocationId>& others) {
  std::vector<std::pair<std::string, std::set<std::uint32_t>>> files;
  const auto add = [&](term::LocationId location) {
    const std::string file = file_of(store, location);
    if (file.empty()) return;
    auto found = std::ranges::find_if(files, [&](const auto& each) { return each.first == file; });
    if (found == files.end()) found = files.insert(found, {file, {}});
    found->second.insert(store[location].line);
  };
  add(first);
  for (const term::LocationId other : others) add(other);
  std::string text;
  for (const auto& [file, lines] : files) {
    text += (text.empty() ? "" : ", ") + file;
    const char* before = ":";
    for (auto line = lines.begin(); line != lines.end(); ++line) {
      text += before + std::to_string(*line);
      auto last = line;
      while (std::next(last) != lines.end() && *std::next(last) == *last + 1) ++last;
      if (last != line) text += "-" + std::to_string(*last);
      line = last;
      before = ", ";
    }
  }
  return text;
}

std::vector<term::LocationId> locations_of(std::span<const Pipeline::Stage> stages) {
  std::vector<term::LocationId> found;
  for (const Pipeline::Stage& stage : stages) {
    found.push_back(stage.location);
    found.insert(found.end(), stage.nest.also_from.begin(), stage.nest.also_from.end());
  }
  return found;
}

}  // namespace rhopsi::onf
