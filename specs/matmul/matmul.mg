// The product of two matrices, (A B)[i, j] = sum over k of A[i, k] B[k, j], and the same by blocks
// of q x q: each axis becomes two, i = I q + i', and a block of the product is a sum of products of
// blocks. It is one program but for the lifted axes.
package specs.matmul.matmul imports moa.library;

concept BlockedProduct = {
  use Expressions;

  // A matrix as q x q blocks: blocks(A, q)[I, i', J, j'] = A[I q + i', J q + j'], and back.
  function blocks(A: Array, q: Int): Array guard dim(A) == 2;
  function unblock(A: Array): Array guard dim(A) == 4;
  axiom blocksDefinition(A: Array, q: Int) { assert blocks(A, q) == lift(lift(A, 1, q), 0, q); }
  axiom unblockDefinition(A: Array) { assert unblock(A) == unlift(unlift(A, 0), 1); }

  // sum over K and k' of A[I, i', K, k'] B[K, k', J, j'].
  function block_product(A: Array, B: Array): Array
    guard dim(A) == 4 && dim(B) == 4 &&
      at(shape(A), 2) == at(shape(B), 0) && at(shape(A), 3) == at(shape(B), 1);
  axiom blockProductShape(A: Array, B: Array) {
    assert shape(block_product(A, B)) == join(take(shape(A), 2), drop(shape(B), 2));
  }
  axiom blockProductElement(p: Index, A: Array, B: Array) {
    assert psi(p, block_product(A, B)): Number ==
      fold _+_ (K < at(shape(B), 0)) (fold _+_ (k < at(shape(B), 1))
        (psi(join(take(p, 2), [K, k]), A) * psi(join([K, k], drop(p, 2)), B)));
  }

  function matmul_blocked(A: Array, B: Array, q: Int): Array guard dim(A) == 2 && dim(B) == 2;
  axiom matmulBlockedDefinition(A: Array, B: Array, q: Int) {
    assert matmul_blocked(A, B, q) == unblock(block_product(blocks(A, q), blocks(B, q)));
  }

  // The same for lengths that q does not divide: zeros behind the last row and column.
  function full(A: Array, axis: Int, q: Int): Array guard 0 <= axis && axis < dim(A) && 0 < q;
  axiom fullDefinition(A: Array, axis: Int, q: Int) {
    assert full(A, axis, q) == pad_constant(A, axis, 0, -at(shape(A), axis) % q, 0);
  }
  function matmul_padded(A: Array, B: Array, q: Int): Array
    guard dim(A) == 2 && dim(B) == 2 && at(shape(A), 1) == at(shape(B), 0) && 0 < q;
  axiom matmulPaddedDefinition(A: Array, B: Array, q: Int) {
    assert matmul_padded(A, B, q) ==
      take(take(matmul_blocked(full(full(A, 0, q), 1, q), full(full(B, 0, q), 1, q), q),
                0, at(shape(A), 0)), 1, at(shape(B), 1));
  }
};

// To be run by --entry matmul and --entry matmul_blocked.
program Products = implement BlockedProduct in { use BlockedProduct; };
