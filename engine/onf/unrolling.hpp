// Nests of which several rows have one loop over the last axis (Nest::rows_at_once).
//
// What rows side by side read in common is loaded once for all of them, and more of what they
// compute is on its way at a time (unroll-and-jam: R. Allen, K. Kennedy, Optimizing Compilers for
// Modern Architectures, 2001, section 8.4). Elements of a nest come in any order, and a nest reads
// what it writes at its own index alone (verify.hpp), so no row of a loop reads what another one
// writes, and nothing else has to be proved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// Why the nest cannot do as many rows at once as it says; nothing: it can. In a pipeline, where
// planes of axis 0 come one after another, rows are those of a plane.
std::optional<std::string> rows_fault(const Nest& nest, bool in_planes);

// index + c, index - c or index, `by` further, and of the same form. Of another expression e it is
// e + by.
Expr sum_of(Expr index, std::int64_t by);

// (N - 1) + 1  =>  N: of all sums of a length of the domain and numbers that are in it. Linear.
void join_numbers(Expr& whole);

// What the row that is `by` behind the first one of a loop over nest.rows_at_once of them computes:
// the nest's index of the axis before the last, j, with `by` added wherever it stands, j + c as
// j + (c + by). Rows by which an index goes around are all in the domain: (j + c) mod n is
// j + (c + by) where that is a row of the loop, so that all of its rows call it the same. Of a nest
// without rows_fault; 0 <= by < nest.rows_at_once. Linear.
Nest moved_by_rows(const Nest& nest, std::int64_t by);
// The same of an expression of the nest.
Expr moved_by_rows(const Nest& nest, Expr e, std::int64_t by);

}  // namespace rhopsi::onf
