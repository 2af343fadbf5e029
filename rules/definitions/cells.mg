// Cells: what is left of an array when only its first indices are given, and operations that act
// on each cell by itself. psi is a partial index here, with an array as its result; where both
// are in scope, `psi(p, A): E` is the element.
package definitions.cells imports definitions.arrays, definitions.vectors;

// The cell at index q.
//
//   A = [[1, 2, 3], [4, 5, 6]]:  psi([1], A)  =>  [4, 5, 6]        psi([], 7)  =>  7
concept PartialIndex = {
  use Dimension;
  use VectorAlgebra;
  function psi(q: Index, A: Array): Array
    guard len(q) <= dim(A) && (forall (m < len(q)) (0 <= at(q, m) && at(q, m) < at(shape(A), m)));
  axiom cellShape(q: Index, A: Array) { assert shape(psi(q, A)) == drop(shape(A), len(q)); }
  axiom cellElement(p: Index, q: Index, A: Array) {
    assert psi(p, psi(q, A)) == psi(join(q, p), A): E;
  }
};

// An array of the cells' shape, whatever their number is: what an operation makes of it tells the
// shape of its results. Its elements are zeros.
//
//   blank_cell([[1, 2, 3], [4, 5, 6]], 1)  =>  [0, 0, 0]
concept BlankCell = {
  use Dimension;
  use VectorAlgebra;
  function blank_cell(A: Array, k: Int): Array guard 0 <= k && k <= dim(A);
  axiom blankCellShape(A: Array, k: Int) {
    assert shape(blank_cell(A, k)) == drop(shape(A), k);
  }
  axiom blankCellElement(p: Index, A: Array, k: Int) {
    assert psi(p, blank_cell(A, k)) == 0;
  }
};

// Omega, of one array: op on every cell of rank a.
//
//   A of shape [2, 2, 2]:  omega_transpose(A, 2)  =>  [[[0, 2], [1, 3]], [[4, 6], [5, 7]]]
concept OmegaUnary = {
  use PartialIndex;
  use BlankCell;
  function op(A: Array): Array;
  function omega(A: Array, a: Int): Array guard 0 <= a && a <= dim(A);
  axiom omegaShape(A: Array, a: Int) {
    assert shape(omega(A, a)) ==
      join(take(shape(A), dim(A) - a), shape(op(blank_cell(A, dim(A) - a))));
  }
  axiom omegaElement(p: Index, A: Array, a: Int) {
    assert psi(p, omega(A, a)) ==
      psi(drop(p, dim(A) - a), op(psi(take(p, dim(A) - a), A))): E;
  }
};

// The frames of two arrays whose cells have the ranks a and b: the axes before those of the cells.
// As many of the last as both have are common, those before are each array's own.
//
//   A of shape [7, 5, 2, 3], B of shape [5, 3, 4]:  common_axes(A, B, 2, 2)  =>  1
//   A of shape [7, 5, 2, 3], B of shape [5, 3, 4]:  own_axes(A, B, 2, 2)  =>  1
concept Frames = {
  use Dimension;
  function common_axes(L: Array, R: Array, a: Int, b: Int): Int;
  function own_axes(L: Array, R: Array, a: Int, b: Int): Int;
  axiom commonAxesDefinition(L: Array, R: Array, a: Int, b: Int) {
    assert common_axes(L, R, a, b) == min(dim(L) - a, dim(R) - b);
  }
  axiom ownAxesDefinition(L: Array, R: Array, a: Int, b: Int) {
    assert own_axes(L, R, a, b) == dim(L) - a - common_axes(L, R, a, b);
  }
};

// Omega, of two arrays: op on a cell of rank a of L and a cell of rank b of R. Along the common
// axes of the frames the cells go in pairs; each array's own axes come before, those of L first.
//
//   A of shape [7, 5, 2, 3], B of shape [5, 3, 4]:  shape(omega_matmul(A, B, 2, 2))  =>  [7, 5, 2, 4]
//   omega_matmul([[1, 2], [3, 4]], [10, 100], 1, 1)  =>  [210, 430]
concept OmegaBinary = {
  use PartialIndex;
  use BlankCell;
  use Frames;
  function op(L: Array, R: Array): Array;
  function omega(L: Array, R: Array, a: Int, b: Int): Array
    guard 0 <= a && a <= dim(L) && 0 <= b && b <= dim(R) &&
      (forall (m < common_axes(L, R, a, b))
        at(shape(L), dim(L) - a - 1 - m) == at(shape(R), dim(R) - b - 1 - m));
  axiom omegaShape(L: Array, R: Array, a: Int, b: Int) {
    assert shape(omega(L, R, a, b)) ==
      join(join(take(shape(L), own_axes(L, R, a, b)), take(shape(R), own_axes(R, L, b, a))),
           join(drop(take(shape(L), dim(L) - a), own_axes(L, R, a, b)),
                shape(op(blank_cell(L, dim(L) - a), blank_cell(R, dim(R) - b)))));
  }
  axiom omegaElement(p: Index, L: Array, R: Array, a: Int, b: Int) {
    assert psi(p, omega(L, R, a, b)) ==
      psi(drop(p, dim(L) - a + own_axes(R, L, b, a)),
          op(psi(join(take(p, own_axes(L, R, a, b)),
                      drop(take(p, dim(L) - a + own_axes(R, L, b, a)),
                           own_axes(L, R, a, b) + own_axes(R, L, b, a))),
                 L),
             psi(drop(take(p, dim(L) - a + own_axes(R, L, b, a)), own_axes(L, R, a, b)), R))): E;
  }
};

// Operations on cells by name: omega_<operation>(A, a), omega_<operation>(L, R, a, b).
concept Cells = {
  use PartialIndex;
  use OmegaUnary[ op => ravel
                , omega => omega_ravel
                , omegaShape => omegaRavelShape
                , omegaElement => omegaRavelElement ];
  use OmegaUnary[ op => transpose
                , omega => omega_transpose
                , omegaShape => omegaTransposeShape
                , omegaElement => omegaTransposeElement ];
  use OmegaUnary[ op => grade_up
                , omega => omega_grade_up
                , omegaShape => omegaGradeUpShape
                , omegaElement => omegaGradeUpElement ];
  use OmegaBinary[ op => _+_
                 , omega => omega_add
                 , omegaShape => omegaAddShape
                 , omegaElement => omegaAddElement ];
  use OmegaBinary[ op => _-_
                 , omega => omega_sub
                 , omegaShape => omegaSubShape
                 , omegaElement => omegaSubElement ];
  use OmegaBinary[ op => _*_
                 , omega => omega_mul
                 , omegaShape => omegaMulShape
                 , omegaElement => omegaMulElement ];
  use OmegaBinary[ op => matmul
                 , omega => omega_matmul
                 , omegaShape => omegaMatmulShape
                 , omegaElement => omegaMatmulElement ];
  use OmegaBinary[ op => outer_mul
                 , omega => omega_outer_mul
                 , omegaShape => omegaOuterMulShape
                 , omegaElement => omegaOuterMulElement ];
};
