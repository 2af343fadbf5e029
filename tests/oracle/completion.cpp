#include "tests/oracle/completion.hpp"

#include <algorithm>

namespace rhopsi::oracle {

std::int64_t between(Builder& builder, std::int64_t low, std::int64_t high) {
  require(low <= high, "nothing between");
  return builder.choice().between(int(low), int(high));
}

Elements elements_at(const Operation& operation, std::size_t slot) {
  const std::string& name = operation.name;
  const char letter = operation.parameters[slot];
  if (letter == 'n') return Elements::natural;
  if (letter == 'p') return name == "transpose" ? Elements::permutation : Elements::natural;
  if (slot == 2 && name == "gather") return Elements::natural;
  if (slot == 2 && (name == "compress" || name == "expand")) return Elements::mask;
  return Elements::any;
}

Range range_at(const Operation& operation, std::size_t slot) {
  const std::string& name = operation.name;
  if (name == "take" || name == "drop") return {-4, 4};
  if (name == "rotate" || name == "array") return {-9, 9};
  if (name == "lift") return {1, 4};
  if (name == "gamma_inverse") return {0, 20};
  if (name.starts_with("pad_")) return {0, 4};
  if (name == "omega_grade_up") return {1, 1};
  if (name == "omega_matmul") return {1, 2};
  if (name.starts_with("omega_") || name == "blank_cell") return {0, 2};
  (void)slot;
  return {0, 8};
}

void complete(Builder& builder, Call& call) {
  if (complete_along_axis(builder, call) || complete_slice(builder, call) ||
      complete_products(builder, call) || complete_structure(builder, call)) {
    return;
  }
  const auto missing = std::count(call.arguments.begin(), call.arguments.end(), std::nullopt);
  if (missing > 0) throw std::invalid_argument("no arguments for " + call.operation.name);
}

std::optional<Operand> Builder::apply(const Operation& operation, std::size_t slot,
                                      std::int64_t axis, const Operand& x) {
  try {
    Call call{operation, axis, {}};
    call.arguments.resize(operation.parameters.size());
    switch (operation.parameters[slot]) {
      case 'A':
        call.set(slot, x);
        break;
      case 'n': {
        const Range range = range_at(operation, slot);
        call.arguments[slot] = integer_from(x, range.low, range.high);
        break;
      }
      default:
        call.arguments[slot] = index_from(x);
    }
    complete(*this, call);
    std::vector<Argument> arguments;
    for (const auto& argument : call.arguments) arguments.push_back(argument.value());
    return this->call(operation, arguments);
  } catch (const Violation&) {
    return std::nullopt;
  }
}

}  // namespace rhopsi::oracle
