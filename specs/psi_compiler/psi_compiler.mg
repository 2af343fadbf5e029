// Expressions that the PSI compiler and its kin were shown with (Abrams 1970; L. Mullin and
// S. Thibault, Reduction Semantics for Array Expressions: The PSI Compiler, 1994), in their
// notation above each: what composes selections is one selection in the normal form, without an
// intermediate array and without a test for each element. cases.txt beside this file has
// arrays for them.
package specs.psi_compiler.psi_compiler imports moa.library;

concept PsiCompiler = {
  use Expressions;

  // B cat (<1 2> drop C)
  function appended(B: Array, C: Array): Array guard dim(C) == 2;
  axiom appendedDefinition(B: Array, C: Array) {
    assert appended(B, C) == cat(B, drop(drop(C, 0, 1), 1, 2), 0);
  }

  // 2 take reverse A
  function last_two(A: Array): Array;
  axiom lastTwoDefinition(A: Array) { assert last_two(A) == take(reverse(A, 0), 0, 2); }

  // <1 1> drop <-1 -1> drop A
  function interior(A: Array): Array guard dim(A) == 2;
  axiom interiorDefinition(A: Array) {
    assert interior(A) == drop(drop(drop(drop(A, 0, -1), 1, -1), 0, 1), 1, 1);
  }

  // reverse transpose (3 take A + B)
  function turned_sum(A: Array, B: Array): Array;
  axiom turnedSumDefinition(A: Array, B: Array) {
    assert turned_sum(A, B) == reverse(transpose(take(A + B, 0, 3)), 0);
  }

  // <2> psi (A cat (1 rotate B)), a row at or behind the seam
  function row_of_cat(A: Array, B: Array, i: Int): Array;
  axiom rowOfCatDefinition(A: Array, B: Array, i: Int) {
    assert row_of_cat(A, B, i) == psi([i], cat(A, rotate(B, 0, 1), 0)): Array;
  }

  // <i> psi (A (+.*) transpose B): a row of a product needs a row of A
  function row_of_product(A: Array, B: Array, i: Int): Array;
  axiom rowOfProductDefinition(A: Array, B: Array, i: Int) {
    assert row_of_product(A, B, i) == psi([i], matmul(A, transpose(B))): Array;
  }

  // <i j> psi (A (outer *) B): of rank 2 from arrays of rank 2
  function cell_of_outer(A: Array, B: Array, i: Int, j: Int): Array;
  axiom cellOfOuterDefinition(A: Array, B: Array, i: Int, j: Int) {
    assert cell_of_outer(A, B, i, j) == psi([i, j], outer_mul(A, B)): Array;
  }

  // s reshape (1 rotate (rav A))
  function shifted_row(A: Array, s: Index): Array;
  axiom shiftedRowDefinition(A: Array, s: Index) {
    assert shifted_row(A, s) == reshape(rotate(ravel(A), 0, 1), s);
  }

  // <2 0 1> transpose (<2 3 4> reshape (reverse rav A))
  function reordered(A: Array): Array;
  axiom reorderedDefinition(A: Array) {
    assert reordered(A) == transpose(reshape(reverse(ravel(A), 0), [2, 3, 4]), [2, 0, 1]);
  }

  // A by blocks of 2 x 2, the blocks in the order of rows: lift both axes, exchange the middle two
  function tiles(A: Array): Array guard dim(A) == 2;
  axiom tilesDefinition(A: Array) {
    assert tiles(A) == transpose(lift(lift(A, 1, 2), 0, 2), [0, 2, 1, 3]);
  }

  // The Kronecker product: an outer product with its axes in the order 0 2 1 3, two and two one
  function kronecker(A: Array, B: Array): Array guard dim(A) == 2 && dim(B) == 2;
  axiom kroneckerDefinition(A: Array, B: Array) {
    assert kronecker(A, B) ==
      unlift(unlift(transpose(outer_mul(A, B), [0, 2, 1, 3]), 0), 1);
  }

  // trace (A (+.*) B): only the diagonal of the product is computed
  function trace_of_product(A: Array, B: Array): Array;
  axiom traceOfProductDefinition(A: Array, B: Array) {
    assert trace_of_product(A, B) == trace(matmul(A, B));
  }

  // The convolution (v * w)[i] = sum over j of v[j] w[i - j]: the rows of the outer product, a
  // place further right each, and their sum. Padded by as much as w is long, and read in rows
  // that are shorter by one, a row begins a place later than the one above.
  function convolution(v: Array, w: Array): Array guard dim(v) == 1 && dim(w) == 1;
  axiom convolutionDefinition(v: Array, w: Array) {
    assert convolution(v, w) ==
      sum(reshape(drop(ravel(pad_constant(outer_mul(v, w), 1, 0, at(shape(v), 0), 0)),
                       0, -at(shape(v), 0)),
                  [at(shape(v), 0), at(shape(v), 0) + at(shape(w), 0) - 1]),
          0);
  }

  // The reflection of Householder, (I - 2 v v^T) A for a unit vector v, without I and without the
  // matrix v v^T: A - 2 v (v^T A)
  function reflected(v: Array, A: Array): Array guard dim(v) == 1;
  axiom reflectedDefinition(v: Array, A: Array) {
    assert reflected(v, A) == A - 2 * outer_mul(v, matmul(v, A));
  }
};
