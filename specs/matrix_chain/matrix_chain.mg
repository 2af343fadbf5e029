// Multiplying three matrices: the P3 paper, Listings 1 and 2. The matrices are a C++
// type of the user's, lib.hpp beside this file; associativity is applied once.
package specs.matrix_chain.matrix_chain imports backend.kokkos;

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
  require type Int;
  type Nat;
  type IntMatrix;

  predicate lhsNcolsIsRhsNrows(m1: IntMatrix, m2: IntMatrix);

  function _*_(m1: IntMatrix, m2: IntMatrix): IntMatrix
    guard lhsNcolsIsRhsNrows(m1, m2);

  // 100 x 2, 2 x 20 and 20 x 90.
  function first(): IntMatrix;
  function second(): IntMatrix;
  function third(): IntMatrix;

  // How many scalar multiplications it took to make a matrix; what it holds, as a number.
  function multiplications(product: IntMatrix): Int;
  function checksum(m: IntMatrix): Int;
};

program ExampleProgram = {
  use Integers;
  use ConcretePartialSemigroup;

  function multiplyThreeMatrices(A: IntMatrix, B: IntMatrix, C: IntMatrix): IntMatrix =
    A * B * C;

  function countMultiplications(): Int =
    multiplications(multiplyThreeMatrices(first(), second(), third()));

  function productChecksum(): Int =
    checksum(multiplyThreeMatrices(first(), second(), third()));
};

satisfaction ExampleProgramHasMulPartialSemigroup =
  ExampleProgram models Semigroup[T => IntMatrix, bop => _*_];

// (A * B) * C takes 184,000 scalar multiplications, A * (B * C) takes 21,600.
program DevProgram =
  rewrite ExampleProgram with Semigroup[bop => _*_, T => IntMatrix] 1;
