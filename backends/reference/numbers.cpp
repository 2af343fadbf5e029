#include "backends/reference/numbers.hpp"

#include <algorithm>
#include <vector>

#include "backends/reference/error.hpp"
#include "backends/reference/failure.hpp"
#include "backends/reference/scalars.hpp"

namespace rhopsi::reference {

using onf::Scalar;
using onf::ScalarFunction;

Scalar widened(Scalar scalar) { return scalar == Scalar::int32 ? Scalar::int64 : scalar; }

Scalar promoted(Scalar left, Scalar right) { return std::max(widened(left), widened(right)); }

namespace {

enum class Family { arithmetic, of_reals, comparison, connective, choice };

Family family_of(ScalarFunction function) {
  switch (function) {
    case ScalarFunction::sqrt:
    case ScalarFunction::exp:
    case ScalarFunction::log:
    case ScalarFunction::sin:
    case ScalarFunction::cos:
    case ScalarFunction::tanh:
    case ScalarFunction::pow:
      return Family::of_reals;
    case ScalarFunction::less:
    case ScalarFunction::less_equal:
    case ScalarFunction::greater:
    case ScalarFunction::greater_equal:
    case ScalarFunction::equal:
    case ScalarFunction::not_equal:
      return Family::comparison;
    case ScalarFunction::and_:
    case ScalarFunction::or_:
    case ScalarFunction::not_:
    case ScalarFunction::implies:
    case ScalarFunction::iff:
    case ScalarFunction::true_:
    case ScalarFunction::false_:
      return Family::connective;
    case ScalarFunction::select:
      return Family::choice;
    default:
      return Family::arithmetic;
  }
}

// The type that the operands are converted to before `function` is applied.
Scalar operand_type(ScalarFunction function, std::span<const Scalar> operands) {
  const Family family = family_of(function);
  if (family == Family::connective) return Scalar::boolean;
  Scalar type = Scalar::boolean;
  for (Scalar operand : operands) type = promoted(type, operand);
  if (family == Family::arithmetic) return std::max(type, Scalar::int64);
  if (family == Family::of_reals) return type < Scalar::float32 ? Scalar::float64 : type;
  // Truth values are ordered as the integers 0 and 1.
  if (family == Family::comparison) return std::max(type, Scalar::int64);
  return type;
}

std::int64_t wrapped(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }

// Two's complement, as machines compute.
Value apply_integers(ScalarFunction function, std::span<const Value> operands) {
  const auto operand = [&](std::size_t i) {
    return static_cast<std::uint64_t>(std::get<std::int64_t>(operands[i]));
  };
  switch (function) {
    case ScalarFunction::add:
      return wrapped(operand(0) + operand(1));
    case ScalarFunction::subtract:
      return wrapped(operand(0) - operand(1));
    case ScalarFunction::multiply:
      return wrapped(operand(0) * operand(1));
    case ScalarFunction::negate:
      return wrapped(0 - operand(0));
    case ScalarFunction::absolute:
      return std::get<std::int64_t>(operands[0]) < 0 ? wrapped(0 - operand(0)) : operands[0];
    case ScalarFunction::divide:
      if (wrapped(operand(1)) == -1) return wrapped(0 - operand(0));
      break;
    default:
      break;
  }
  return apply_scalar(function, operands);
}

}  // namespace

Scalar result_type(ScalarFunction function, std::span<const Scalar> operands) {
  const Family family = family_of(function);
  if (family == Family::comparison || family == Family::connective) return Scalar::boolean;
  if (family == Family::choice) return operand_type(function, operands.subspan(1));
  return operand_type(function, operands);
}

Value apply_number(ScalarFunction function, std::span<const Value> operands) {
  std::vector<Scalar> types;
  for (const Value& operand : operands) types.push_back(type_of(operand));
  if (function == ScalarFunction::select) {
    return convert(operands[truth_of(operands[0]) ? 1 : 2], result_type(function, types));
  }
  const Scalar type = operand_type(function, types);
  std::vector<Value> values;
  for (const Value& operand : operands) values.push_back(convert(operand, type));
  return type == Scalar::int64 ? apply_integers(function, values) : apply_scalar(function, values);
}

Scalar type_of(const Value& scalar) {
  constexpr Scalar scalars[] = {Scalar::boolean, Scalar::int32, Scalar::int64, Scalar::float32,
                                Scalar::float64};
  if (scalar.index() >= std::size(scalars)) {
    fail(codes::internal, "A number is needed; this is " + describe(scalar) + ".");
  }
  return scalars[scalar.index()];
}

bool truth_of(const Value& scalar) { return std::get<bool>(convert(scalar, Scalar::boolean)); }

Value converted(const Value& value, Scalar type) {
  const Array* array = std::get_if<Array>(&value);
  if (array == nullptr) return convert(value, type);
  if (array->element == type) return value;
  const std::size_t count =
      std::visit([](const auto& data) { return data.size(); }, *array->elements);
  Elements elements = make_elements(type, count);
  for (std::size_t position = 0; position < count; ++position) {
    set_element(elements, position, convert(element_at(*array->elements, position), type));
  }
  return make_array(array->shape, std::move(elements));
}

}  // namespace rhopsi::reference
