// Normal forms of expressions over the library.
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi::moa::test {
namespace {

const Input A{"A", {2, 3}};
const Input B{"B", {2, 4}};
const Input C{"C", {4, 6}};
const Input v{"v", {5}};

std::string form(const std::string& text, const std::vector<Input>& inputs) {
  return expressions().form(text, inputs);
}

TEST(Reduce, Try) {
  for (const char* text :
       {"A", "A + 1", "A * A + A", "psi([1], A)", "psi([1, 2], A)", "transpose(A)", "sum(A, 0)",
        "cat(B, drop(drop(C, 0, 1), 1, 2), 0)", "take(reverse(v, 0), 0, 2)",
        "rotate(v, 0, 1) + rotate(v, 0, -1)", "matmul(A, transpose(A))", "ravel(A)",
        "reshape(A, [3, 2])", "pad_circular(v, 0, 2, 2)", "pad_constant(v, 0, 1, 1, 0)",
        "outer_mul(v, v)", "cumsum(v, 0)", "shape(A)", "dim(A)", "size(A)", "iota(5)", "2.5",
        "[1, 2, 3]", "gather(v, 0, [1, 0, 7])", "gather(v, 0, iota(3))", "compress(v, 0, v)",
        "transpose(A, [1, 0])", "lift(C, 0, 2)", "unlift(C, 0)", "diagonal(C, 0, 1)",
        "update(A, [0, 0], [1, 2], [1, 1], reshape([7, 8], [1, 2]))", "cat(A, B, 0)",
        "take(A, 2, 1)", "select(A < 3, A, 0 - A)", "product(A, 1)", "minimum(A, 0)",
        "grade_up(v)", "expand(v, 0, [1, 0, 1, 1, 1, 1])", "A == A", "sqrt(A)",
        "rotate(rotate(v, 0, 1), 0, 2)", "reverse(reverse(v, 0), 0)"}) {
    std::cout << text << "\n" << form(text, {A, B, C, v}) << "\n";
  }
}

TEST(Reduce, Symbolic) {
  const Input S{"S", {std::nullopt}, Scalar::float64};
  const Input M{"M", {std::nullopt, std::nullopt}, Scalar::float64};
  const Input N{"N", {std::nullopt, std::nullopt}, Scalar::float64};
  for (const char* text :
       {"S", "rotate(S, 0, 1)", "cat(S, S, 0)", "pad_circular(S, 0, 1, 1)", "take(S, 0, 2)","reverse(M, 1)",
        "M + N", "matmul(M, N)", "cat(M, N, 1)", "ravel(M)", "0.25 * rotate(S, 0, -1) + 0.5 * S + 0.25 * rotate(S, 0, 1)", "lift(S, 0, 4)", "pad_constant(M, 0, 1, 1, 0)", "drop(S, 0, 1) - drop(S, 0, -1)", "sum(M, 1)", "gather(S, 0, iota(3))", "sum(S / 3, 0)"}) {
    std::cout << text << "\n" << form(text, {S, M, N}) << "\n";
  }
}

}  // namespace
}  // namespace rhopsi::moa::test
