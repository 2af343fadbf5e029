// A = L U without pivoting, in place (Doolittle): after step k the rows from k + 1 on hold, in
// column k, the factors of L, and behind it what is left to decompose, the Schur complement
//   A[i, j] - L[i, k] A[k, j]     with  L[i, k] = A[i, k] / A[k, k],   i, j > k.
// L has ones on its diagonal, which are not stored.
package specs.lu.lu imports moa.library;

concept Elimination = {
  use Expressions;

  // Rows and columns a .. b - 1 and c .. d - 1.
  function part(A: Array, a: Int, b: Int, c: Int, d: Int): Array guard dim(A) == 2;
  axiom partDefinition(A: Array, a: Int, b: Int, c: Int, d: Int) {
    assert part(A, a, b, c, d) == drop(take(drop(take(A, 0, b), 0, a), 1, d), 1, c);
  }

  // A with X in place of the elements from row a and column c on.
  function replace_part(A: Array, a: Int, c: Int, X: Array): Array guard dim(A) == 2;
  axiom replacePartDefinition(A: Array, a: Int, c: Int, X: Array) {
    assert replace_part(A, a, c, X) == update(A, [a, c], shape(X), [1, 1], X);
  }

  // L[i, k] for i > k, a matrix of one column; U[k, j] for j > k, a matrix of one row.
  function factors(A: Array, k: Int): Array guard dim(A) == 2;
  function pivot_row(A: Array, k: Int): Array guard dim(A) == 2;
  axiom factorsDefinition(A: Array, k: Int) {
    assert factors(A, k) == part(A, k + 1, at(shape(A), 0), k, k + 1) / psi([k, k], A): Array;
  }
  axiom pivotRowDefinition(A: Array, k: Int) {
    assert pivot_row(A, k) == part(A, k, k + 1, k + 1, at(shape(A), 1));
  }

  // Step k.
  function eliminate(A: Array, k: Int): Array
    guard dim(A) == 2 && at(shape(A), 0) == at(shape(A), 1) && 0 <= k && k < at(shape(A), 0);
  axiom eliminateDefinition(A: Array, k: Int) {
    assert eliminate(A, k) ==
      replace_part(
        replace_part(A, k + 1, k, factors(A, k)),
        k + 1, k + 1,
        part(A, k + 1, at(shape(A), 0), k + 1, at(shape(A), 1)) -
          matmul(factors(A, k), pivot_row(A, k)));
  }
};

program LU = implement Elimination in {
  use Elimination;

  procedure decompose(upd A: Array) guard dim(A) == 2 && at(shape(A), 0) == at(shape(A), 1) {
    for k in 0 .. at(shape(A), 0) - 1 { A = eliminate(A, k); };
  };
};
