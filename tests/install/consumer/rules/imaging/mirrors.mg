package imaging.mirrors imports moa.library;

// Image and mirror image beside each other: an operation that the library has not, by two axioms.
concept Mirrors = {
  use Expressions;
  function mirrored(A: Array, axis: Int): Array guard 0 <= axis && axis < dim(A);
  axiom mirroredShape(A: Array, axis: Int) {
    assert shape(mirrored(A, axis)) == replace(shape(A), axis, 2 * at(shape(A), axis));
  }
  axiom mirroredElement(p: Index, A: Array, axis: Int) {
    assert psi(p, mirrored(A, axis)) ==
      (psi(if at(p, axis) < at(shape(A), axis) then p
           else replace(p, axis, 2 * at(shape(A), axis) - 1 - at(p, axis)), A): Number);
  }
};
