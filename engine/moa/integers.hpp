// Integer expressions as sums of multiples.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/moa/expression.hpp"

namespace rhopsi::moa {

// constant + sum of coefficient * term, terms in the order of their handles and different; no
// term is a sum. Arithmetic is that of 64-bit machine integers, which wraps: sums and products
// may be reordered in it freely.
struct Sum {
  std::vector<std::pair<ExprId, std::int64_t>> terms;
  std::int64_t constant = 0;
};

Sum sum_of(const Expressions& expressions, ExprId expression);
ExprId expression_of(Expressions& expressions, const Sum& sum);
// left + factor * right
Sum add_scaled(const Sum& left, const Sum& right, std::int64_t factor);
// The same, or nothing where 64 bits do not hold one of its numbers.
std::optional<Sum> exactly_scaled(const Sum& left, const Sum& right, std::int64_t factor);

// Euclidean: the remainder is never negative. `divisor` is not 0.
std::int64_t euclidean_quotient(std::int64_t value, std::int64_t divisor);
std::int64_t euclidean_remainder(std::int64_t value, std::int64_t divisor);
// Is it at most 2^bits on either side of 0, far enough from the ends of 64 bits for sums of a few?
inline bool is_moderate(std::int64_t number, int bits = 61) {
  const std::int64_t most = std::int64_t{1} << bits;
  return -most <= number && number <= most;
}
// The least integer that is no smaller than value / divisor; divisor > 0.
inline std::int64_t ceiling_quotient(std::int64_t value, std::int64_t divisor) {
  return -euclidean_quotient(-value, divisor);
}
// A number with that remainder to which an index may be added: the negative one where the other
// is too large.
std::int64_t nearest_remainder(std::int64_t value, std::int64_t divisor);

}  // namespace rhopsi::moa
