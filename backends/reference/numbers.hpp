// Numbers whose types promote: bool < int64 < float32 < float64, where int32 counts as int64.
// Source: the sort Number of backends/primitives. Everything throws Failure.
#pragma once

#include <cstdint>
#include <span>

#include "backends/reference/value.hpp"

namespace rhopsi::reference {

// The type that a number of the type `scalar` is computed in.
onf::Scalar widened(onf::Scalar scalar);
// The narrowest type that holds both.
onf::Scalar promoted(onf::Scalar left, onf::Scalar right);

// The type of `function` of operands of these types: truth values for comparisons and
// connectives, reals for functions of reals only, else the promoted type of the operands; truth
// values count as integers in arithmetic.
onf::Scalar result_type(onf::ScalarFunction function, std::span<const onf::Scalar> operands);

// The value, which is of that type. Integers wrap; `/` and `%` are Euclidean, and by zero an
// error.
Value apply_number(onf::ScalarFunction function, std::span<const Value> operands);

// How many results of this thread may not have been those of mathematics so far: integers that
// wrapped, and whatever is computed of reals. Where it stays the same, integers were computed as
// integers without bounds would be.
std::uint64_t inexact_results();

// The same of integers that are no elements, lengths and indices: a sum, difference or product
// that is no 64-bit integer is an error.
Value apply_exactly(onf::ScalarFunction function, std::span<const Value> operands);

// Integers on the way to an index: sums of these do not end at 64 bits.
__extension__ using Wide = __int128;

// Arithmetic of one or two integers (`right` is not looked at for one). Beyond 128 bits, or by
// zero, it is an error.
Wide apply_wide(onf::ScalarFunction function, Wide left, Wide right);
bool compare_wide(onf::ScalarFunction function, Wide left, Wide right);
// An error unless 64 bits hold it.
std::int64_t narrowed(Wide value);

// The type of a scalar value.
onf::Scalar type_of(const Value& scalar);

// Is the number other than 0?
bool truth_of(const Value& scalar);

// A scalar, or all elements of an array, in another type.
Value converted(const Value& value, onf::Scalar type);

}  // namespace rhopsi::reference
