// What print.hpp says of the small parts of a form.
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

std::string place(const term::Store& store, term::LocationId location) {
  if (location == term::LocationId{}) return {};
  const term::Location& where = store[location];
  if (where.file.empty()) return {};
  const std::size_t slash = where.file.find_last_of('/');
  return where.file.substr(slash == std::string::npos ? 0 : slash + 1) + ":" +
         std::to_string(where.line);
}

}  // namespace rhopsi::onf
