// How much operations cost, by what schedules and loops are chosen.
#pragma once

#include <cstdint>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// In sums: how much longer a vector of them takes.
inline constexpr double of_a_quotient = 8;
inline constexpr double of_a_root = 10;
// An exponential or a logarithm.
inline constexpr double of_an_exponential = 25;
// Another function of mathematics, or a user's own.
inline constexpr double of_a_call = 40;

// Is it an exponential, a logarithm or a hyperbolic tangent, loops of which are vectors
// (backends/primitives/elementary.hpp)?
bool is_elementary(const Expr& e);
// Is it a sine or cosine? Of these loops over rows are vectors, other ones are not (sines.hpp).
bool is_sine(const Expr& e);
// Is a power with that exponent a product?
bool is_of_products(const Expr& exponent);

// Of the operation alone, without its operands, which may be left out: a sum or product counts 1,
// what only names something 0.
double weight_of(const Expr& e);

// What counts no more is computed for all elements of a row, even where only some rows ask for it.
inline constexpr double most_unasked = 6;

// Of an expression with its operands, each as often as it stands there. An element that is loaded
// counts nothing.
double weight_of_all(const Expr& e);

// Of an element of a nest that is gone through by rows, and 1 for each load: what a row chooses
// counts nothing.
double weight_in_row(const Nest& nest);

// To copy what is around both ends of a row, so that they are computed in vectors: as much as so
// many operations that are done one by one.
inline constexpr double of_a_near_row = 40;
// So far at most may be read for that: the copies lie on the stack.
inline constexpr std::int64_t most_near = 32;

}  // namespace rhopsi::onf
