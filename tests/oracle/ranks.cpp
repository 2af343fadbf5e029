#include "tests/oracle/ranks.hpp"

#include <algorithm>

namespace rhopsi::oracle {
namespace {

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_reduction(const std::string& name) {
  return is_one_of(name, {"sum", "product", "minimum", "maximum", "all", "any"});
}

}  // namespace

Ranks operand_ranks(const Place& place) {
  const std::string& name = place.operation->name;
  const std::string& parameters = place.operation->parameters;
  const char letter = parameters[place.slot];
  if (letter == 'n') return {0, 0};
  if (letter == 'p') return {1, 1};
  if (name == "pad_constant" && place.slot == 4) return {0, 0};
  if (is_one_of(name, {"gather", "compress", "expand"}) && place.slot == 2) return {1, 1};
  if (name == "grade_up" || (name == "product" && parameters == "A")) return {1, 1};
  if (name == "trace") return {2, 2};
  if (name == "lift") return {place.axis + 1, 5};
  if (name == "unlift") return {place.axis + 2, 6};
  if (parameters == "Axx") return {std::max<std::int64_t>(place.axis + 1, 2), 6};
  if (place.axis >= 0) return {place.axis + 1, 6};
  const bool vectors =
      name.starts_with("inner_") || is_one_of(name, {"matmul", "omega_matmul", "omega_grade_up"});
  return {vectors ? 1 : 0, 6};
}

Ranks result_ranks(const Operation& operation, std::int64_t axis) {
  const std::string& name = operation.name;
  const std::string& parameters = operation.parameters;
  if (is_one_of(name, {"shape", "iota", "ravel", "grade_up", "gamma_inverse"})) return {1, 1};
  if (is_one_of(name, {"dim", "size", "trace", "gamma"})) return {0, 0};
  if (name == "product" && parameters == "A") return {0, 0};
  if (name == "array") return parameters == "n" ? Ranks{0, 0} : Ranks{1, 1};
  if (is_one_of(name, {"omega_ravel", "omega_grade_up"})) return {1, 6};
  if (is_reduction(name)) return {axis, 5};
  if (name == "lift") return {axis + 2, 6};
  if (name == "unlift") return {axis + 1, 5};
  if (name == "diagonal") return {std::max<std::int64_t>(axis, 1), 5};
  if (name == "contract") return {std::max<std::int64_t>(axis - 1, 0), 4};
  return {axis + 1, 6};
}

}  // namespace rhopsi::oracle
