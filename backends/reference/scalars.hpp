// Scalar functions in each element type. Everything throws Failure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "backends/reference/value.hpp"

namespace rhopsi::reference {

// `function` of scalar arguments of one type (select: a truth value first). Integer
// division and modulo are Euclidean; results that the type cannot hold are errors.
Value apply_scalar(onf::ScalarFunction function, std::span<const Value> arguments);

// How many results of this thread were infinite or no number so far though the operands were
// finite: quotients by 0, logarithms of 0, sums that are too large. Real numbers have no such
// results.
std::uint64_t poles();

// `value` as the type `to`: to integers by truncation, to Bool by comparison with 0.
Value convert(const Value& value, onf::Scalar to);

// The number that a literal or a loop counter stands for.
Value integer_value(std::int64_t value, onf::Scalar type);

// The value u with f(u, x) = x for all x of that type, if f has one.
std::optional<Value> unit_of(onf::ScalarFunction function, onf::Scalar type);

std::int64_t euclidean_modulo(std::int64_t a, std::int64_t b);

}  // namespace rhopsi::reference
