// What the lengths of a domain decide.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// The value of an expression of lengths of axes of the domain and numbers, by axis of the form;
// truth values are 0 and 1. Nothing where it depends on something else, has another function than
// sums, products, comparisons and connectives, or a part beyond 2^30. Linear.
std::optional<std::int64_t> decided_by(const std::vector<std::int64_t>& lengths, const Expr& e);

}  // namespace rhopsi::onf
