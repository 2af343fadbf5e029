// Operations that move elements, against numbers worked out by hand.
#include "tests/unit/reference/expression_fixture.hpp"

namespace rhopsi::reference {
namespace {

class Structure : public Expressions {
 protected:
  const Array matrix = counting({2, 3}, 1);  // [[1, 2, 3], [4, 5, 6]]
  const Array cube = counting({2, 3, 5});    // unequal sides
  const Array vector = integers({4}, {10, 20, 30, 40});
  const Array none = integers({0}, {});
  const Array number = integers({}, {7});
};

TEST_F(Structure, ShapesAsArraysAndAsArguments) {
  expect<std::int64_t>("shape(A)", {{"A", cube}}, {3}, {2, 3, 5});
  expect<std::int64_t>("shape(A)", {{"A", number}}, {0}, {});
  expect<std::int64_t>("dim(A)", {{"A", cube}}, {}, {3});
  expect<std::int64_t>("size(A)", {{"A", cube}}, {}, {30});
  expect<std::int64_t>("size(A)", {{"A", counting({2, 0, 5})}}, {}, {0});
  expect<std::int64_t>("iota(dim(A))", {{"A", cube}}, {3}, {0, 1, 2});
  expect<std::int64_t>("iota(0)", {}, {0}, {});
  expect<std::int64_t>("reshape(A, reverse(shape(A)))", {{"A", matrix}}, {3, 2},
                       {1, 2, 3, 4, 5, 6});
}

TEST_F(Structure, CellsOfAPartialIndex) {
  expect<std::int64_t>("psi([1], A)", {{"A", matrix}}, {3}, {4, 5, 6});
  expect<std::int64_t>("psi([], A)", {{"A", matrix}}, {2, 3}, {1, 2, 3, 4, 5, 6});
  expect<std::int64_t>("psi([1, 2], A)", {{"A", matrix}}, {}, {6});
  expect<std::int64_t>("psi([1, 2], A)", {{"A", cube}}, {5}, {25, 26, 27, 28, 29});
  expect<std::int64_t>("psi([2], psi([1], A))", {{"A", cube}}, {5}, {25, 26, 27, 28, 29});
  expect<std::int64_t>("psi([], A)", {{"A", number}}, {}, {7});
}

TEST_F(Structure, RavelReshapeAndRowMajorPlaces) {
  expect<std::int64_t>("ravel(transpose(A))", {{"A", matrix}}, {6}, {1, 4, 2, 5, 3, 6});
  expect<std::int64_t>("ravel(A)", {{"A", number}}, {1}, {7});
  expect<std::int64_t>("reshape(A, [])", {{"A", integers({1}, {3})}}, {}, {3});
  expect<std::int64_t>("reshape(A, [3, 2])", {{"A", matrix}}, {3, 2}, {1, 2, 3, 4, 5, 6});
  expect<std::int64_t>("reshape(transpose(A), [2, 3])", {{"A", matrix}}, {2, 3},
                       {1, 4, 2, 5, 3, 6});
  expect<std::int64_t>("reshape(A, [0, 7])", {{"A", none}}, {0, 7}, {});
  expect<std::int64_t>("gamma([1, 0, 2], [2, 3, 4])", {}, {}, {14});
  expect<std::int64_t>("gamma([], [])", {}, {}, {0});
  expect<std::int64_t>("gamma_inverse(14, [2, 3, 4])", {}, {3}, {1, 0, 2});
  expect<std::int64_t>("gamma_inverse(gamma([1, 2, 4], shape(A)), shape(A))", {{"A", cube}}, {3},
                       {1, 2, 4});
}

TEST_F(Structure, TakeAndDropFromBothEnds) {
  expect<std::int64_t>("take(A, 0, 3)", {{"A", vector}}, {3}, {10, 20, 30});
  expect<std::int64_t>("take(A, 0, -3)", {{"A", vector}}, {3}, {20, 30, 40});
  expect<std::int64_t>("take(A, 1, -2)", {{"A", matrix}}, {2, 2}, {2, 3, 5, 6});
  expect<std::int64_t>("take(A, 0, 0)", {{"A", matrix}}, {0, 3}, {});
  expect<std::int64_t>("drop(A, 0, 1)", {{"A", vector}}, {3}, {20, 30, 40});
  expect<std::int64_t>("drop(A, 0, -1)", {{"A", vector}}, {3}, {10, 20, 30});
  expect<std::int64_t>("drop(A, 1, -2)", {{"A", matrix}}, {2, 1}, {1, 4});
  expect<std::int64_t>("drop(A, 0, 4)", {{"A", vector}}, {0}, {});
}

TEST_F(Structure, CatReverseAndRotate) {
  const Array other = integers({2, 1}, {8, 9});
  expect<std::int64_t>("cat(A, B, 1)", {{"A", matrix}, {"B", other}}, {2, 4},
                       {1, 2, 3, 8, 4, 5, 6, 9});
  expect<std::int64_t>("cat(B, A, 1)", {{"A", matrix}, {"B", other}}, {2, 4},
                       {8, 1, 2, 3, 9, 4, 5, 6});
  expect<std::int64_t>("cat(A, A, 0)", {{"A", integers({1, 2}, {5, 6})}}, {2, 2}, {5, 6, 5, 6});
  expect<std::int64_t>("cat(A, B, 0)", {{"A", none}, {"B", vector}}, {4}, {10, 20, 30, 40});
  expect<std::int64_t>("reverse(A, 1)", {{"A", matrix}}, {2, 3}, {3, 2, 1, 6, 5, 4});
  expect<std::int64_t>("reverse(A, 0)", {{"A", matrix}}, {2, 3}, {4, 5, 6, 1, 2, 3});
  expect<std::int64_t>("rotate(A, 0, 1)", {{"A", vector}}, {4}, {20, 30, 40, 10});
  expect<std::int64_t>("rotate(A, 0, -1)", {{"A", vector}}, {4}, {40, 10, 20, 30});
  expect<std::int64_t>("rotate(A, 0, -9)", {{"A", vector}}, {4}, {40, 10, 20, 30});
  expect<std::int64_t>("rotate(A, 1, 4)", {{"A", matrix}}, {2, 3}, {2, 3, 1, 5, 6, 4});
}

TEST_F(Structure, TransposeByAPermutationThatIsNotItsOwnInverse) {
  // Axis k of A becomes axis t[k], so (i, j, k) of A goes to (j, k, i).
  Integers moved;
  for (std::int64_t j = 0; j < 3; ++j) {
    for (std::int64_t k = 0; k < 5; ++k) {
      for (std::int64_t i = 0; i < 2; ++i) moved.push_back(i * 15 + j * 5 + k);
    }
  }
  expect<std::int64_t>("transpose(A, [2, 0, 1])", {{"A", cube}}, {3, 5, 2}, moved);
  // The inverse leads back.
  expect<std::int64_t>("transpose(transpose(A, [2, 0, 1]), [1, 2, 0]) - A", {{"A", cube}},
                       {2, 3, 5}, Integers(30));
  expect<std::int64_t>("transpose(A)", {{"A", matrix}}, {3, 2}, {1, 4, 2, 5, 3, 6});
  expect<std::int64_t>("shape(transpose(A))", {{"A", cube}}, {3}, {5, 3, 2});
  expect<std::int64_t>("transpose(A, [])", {{"A", number}}, {}, {7});
}

TEST_F(Structure, DiagonalsAndTraces) {
  const Array square = counting({3, 3}, 1);
  expect<std::int64_t>("diagonal(A, 0, 1)", {{"A", square}}, {3}, {1, 5, 9});
  expect<std::int64_t>("trace(A)", {{"A", square}}, {}, {15});
  // Of shape (2, 3, 2), axes 0 and 2: A[i, j, i], axis 0 kept where axis 2 goes, and reversed.
  const Array block = counting({2, 3, 2});
  expect<std::int64_t>("diagonal(A, 0, 2)", {{"A", block}}, {2, 3}, {0, 2, 4, 7, 9, 11});
  expect<std::int64_t>("diagonal(A, 2, 0)", {{"A", block}}, {3, 2}, {0, 7, 2, 9, 4, 11});
  expect<std::int64_t>("contract(A, 0, 2)", {{"A", block}}, {3}, {7, 11, 15});
}

TEST_F(Structure, Pads) {
  const Array three = integers({3}, {1, 2, 3});
  expect<std::int64_t>("pad_circular(A, 0, 1, 2)", {{"A", three}}, {6}, {3, 1, 2, 3, 1, 2});
  expect<std::int64_t>("pad_circular(A, 0, 4, 0)", {{"A", three}}, {7}, {3, 1, 2, 3, 1, 2, 3});
  expect<std::int64_t>("pad_circular(A, 1, 0, 1)", {{"A", matrix}}, {2, 4},
                       {1, 2, 3, 1, 4, 5, 6, 4});
  expect<std::int64_t>("pad_constant(A, 0, 1, 2, 7)", {{"A", three}}, {6}, {7, 1, 2, 3, 7, 7});
  expect<std::int64_t>("pad_constant(A, 0, 1, 1, 7)", {{"A", none}}, {2}, {7, 7});
  expect<double>("pad_constant(A, 1, 1, 0, 2.5)", {{"A", integers({2, 1}, {1, 2})}}, {2, 2},
                 {2.5, 1, 2.5, 2});
}

TEST_F(Structure, LiftAndUnlift) {
  const Array six = counting({6}, 1);
  expect<std::int64_t>("lift(A, 0, 3)", {{"A", six}}, {2, 3}, {1, 2, 3, 4, 5, 6});
  expect<std::int64_t>("unlift(A, 0)", {{"A", matrix}}, {6}, {1, 2, 3, 4, 5, 6});
  const Array wide = counting({2, 6});
  expect<std::int64_t>("lift(A, 1, 2)", {{"A", wide}}, {2, 3, 2},
                       {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  expect<std::int64_t>("unlift(transpose(A, [1, 0, 2]), 1)", {{"A", cube}}, {3, 10},
                       {0,  1,  2,  3,  4,  15, 16, 17, 18, 19, 5,  6,  7,  8,  9,
                        20, 21, 22, 23, 24, 10, 11, 12, 13, 14, 25, 26, 27, 28, 29});
  // Tiles of (2, 3): the block axes first.
  expect<std::int64_t>("transpose(lift(lift(A, 1, 3), 0, 1), [0, 2, 1, 3])", {{"A", wide}},
                       {2, 2, 1, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
}

}  // namespace
}  // namespace rhopsi::reference
