#include "backends/reference/numbers.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

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

thread_local std::uint64_t inexact = 0;

bool wraps(ScalarFunction function, std::span<const Value> operands) {
  const std::int64_t left = std::get<std::int64_t>(operands[0]);
  const auto right = [&] { return std::get<std::int64_t>(operands[1]); };
  std::int64_t unused = 0;
  switch (function) {
    case ScalarFunction::add:
      return __builtin_add_overflow(left, right(), &unused);
    case ScalarFunction::subtract:
      return __builtin_sub_overflow(left, right(), &unused);
    case ScalarFunction::multiply:
      return __builtin_mul_overflow(left, right(), &unused);
    case ScalarFunction::negate:
    case ScalarFunction::absolute:
      return left == INT64_MIN;
    case ScalarFunction::divide:
      return left == INT64_MIN && right() == -1;
    default:
      return false;
  }
}

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
  const bool integers = type == Scalar::int64;
  if (type > Scalar::int64 || (integers && wraps(function, values))) ++inexact;
  return integers ? apply_integers(function, values) : apply_scalar(function, values);
}

std::uint64_t inexact_results() { return inexact; }

Value apply_exactly(ScalarFunction function, std::span<const Value> operands) {
  const bool turns = function == ScalarFunction::negate || function == ScalarFunction::absolute;
  if (turns) {
    const Value operand = convert(operands[0], Scalar::int64);
    return narrowed(apply_wide(function, std::get<std::int64_t>(operand), 0));
  }
  const bool sum = function == ScalarFunction::add || function == ScalarFunction::subtract;
  if (!sum && function != ScalarFunction::multiply) return apply_number(function, operands);
  const auto left = std::get<std::int64_t>(convert(operands[0], Scalar::int64));
  const auto right = std::get<std::int64_t>(convert(operands[1], Scalar::int64));
  std::int64_t result = 0;
  const bool overflows =
      function == ScalarFunction::add        ? __builtin_add_overflow(left, right, &result)
      : function == ScalarFunction::subtract ? __builtin_sub_overflow(left, right, &result)
                                             : __builtin_mul_overflow(left, right, &result);
  if (!overflows) return result;
  const char* sign = function == ScalarFunction::add ? "+" : sum ? "-" : "*";
  fail(codes::integer_range, fmt::format("{} {} {} is no 64-bit integer", left, sign, right));
}

namespace {

Wide euclidean_modulo(Wide value, Wide divisor) {
  const Wide remainder = value % divisor;
  if (remainder >= 0) return remainder;
  return divisor < 0 ? remainder - divisor : remainder + divisor;
}

}  // namespace

Wide apply_wide(ScalarFunction function, Wide left, Wide right) {
  Wide result = 0;
  bool overflows = false;
  switch (function) {
    case ScalarFunction::add:
      overflows = __builtin_add_overflow(left, right, &result);
      break;
    case ScalarFunction::subtract:
      overflows = __builtin_sub_overflow(left, right, &result);
      break;
    case ScalarFunction::multiply:
      overflows = __builtin_mul_overflow(left, right, &result);
      break;
    case ScalarFunction::negate:
      overflows = __builtin_sub_overflow(Wide{0}, left, &result);
      break;
    case ScalarFunction::absolute:
      return left < 0 ? apply_wide(ScalarFunction::negate, left, 0) : left;
    case ScalarFunction::plus:
      return left;
    case ScalarFunction::minimum:
      return std::min(left, right);
    case ScalarFunction::maximum:
      return std::max(left, right);
    case ScalarFunction::divide:
    case ScalarFunction::modulo: {
      if (right == 0) {
        const Wide shown = std::clamp<Wide>(left, INT64_MIN, INT64_MAX);
        const Value operands[] = {static_cast<std::int64_t>(shown), std::int64_t{0}};
        apply_number(function, operands);  // tells what is wrong
      }
      if (right == -1 && function == ScalarFunction::divide) {
        return apply_wide(ScalarFunction::negate, left, 0);
      }
      const Wide remainder = right == -1 ? 0 : euclidean_modulo(left, right);
      return function == ScalarFunction::modulo ? remainder : (left - remainder) / right;
    }
    default:
      fail(codes::internal, "An index is computed by a function that is none of integers.");
  }
  if (overflows) fail(codes::integer_range, "An index is computed with more than 128 bits.");
  return result;
}

bool compare_wide(ScalarFunction function, Wide left, Wide right) {
  switch (function) {
    case ScalarFunction::less:
      return left < right;
    case ScalarFunction::less_equal:
      return left <= right;
    case ScalarFunction::greater:
      return left > right;
    case ScalarFunction::greater_equal:
      return left >= right;
    case ScalarFunction::equal:
      return left == right;
    default:
      return left != right;
  }
}

std::int64_t narrowed(Wide value) {
  const auto narrow = static_cast<std::int64_t>(value);
  if (narrow == value) return narrow;
  fail(codes::integer_range, fmt::format("{} is no 64-bit integer", value));
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
  if (array->missing != nullptr) return make_shape_only(array->shape, type, *array->missing);
  const std::size_t count =
      std::visit([](const auto& data) { return data.size(); }, *array->elements);
  Elements elements = make_elements(type, count);
  for (std::size_t position = 0; position < count; ++position) {
    set_element(elements, position, convert(element_at(*array->elements, position), type));
  }
  return make_array(array->shape, std::move(elements));
}

}  // namespace rhopsi::reference
