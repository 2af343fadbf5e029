// Multiplying three matrices: the P3 paper, Listings 1 and 2. The matrices are a C++
// type of the user's, lib.hpp beside this file; associativity is applied once.
package specs.matrix_chain.matrix_chain;

signature Magma = {
  type T;
  function bop(a: T, b: T): T;
};

concept Semigroup = {
  use Magma;
  axiom associativity(a: T, b: T, c: T) {
    assert bop(bop(a, b), c) == bop(a, bop(b, c));
  }
};

implementation ConcretePartialSemigroup = external C++ lib.int_matrices {
  type Nat;
  type IntMatrix;

  predicate lhsNcolsIsRhsNrows(m1: IntMatrix, m2: IntMatrix);

  function _*_(m1: IntMatrix, m2: IntMatrix): IntMatrix
    guard lhsNcolsIsRhsNrows(m1, m2);

  // Matrices to multiply, and the scalar multiplications counted so far.
  function first(): IntMatrix;
  function second(): IntMatrix;
  function third(): IntMatrix;
  function multiplications(product: IntMatrix): Nat;
};

program ExampleProgram = {
  use ConcretePartialSemigroup;

  function multiplyThreeMatrices(A: IntMatrix, B: IntMatrix, C: IntMatrix): IntMatrix =
    A * B * C;

  // 100 x 2, 2 x 20 and 20 x 90: how many scalar multiplications their product takes.
  function countMultiplications(): Nat =
    multiplications(multiplyThreeMatrices(first(), second(), third()));
};

satisfaction ExampleProgramHasMulPartialSemigroup =
  ExampleProgram models Semigroup[T => IntMatrix, bop => _*_];

program DevProgram =
  rewrite ExampleProgram with Semigroup[bop => _*_, T => IntMatrix] 1;
