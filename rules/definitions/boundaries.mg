// What is beyond the ends of an axis: l more elements before the first and r behind the last. A
// boundary condition of a difference scheme is the pad that its differences read, on each axis
// its own: the pads of several axes are put around each other, and those along different axes
// commute.
//
//   pad_constant(pad_edge([[1, 2], [3, 4]], 1, 1, 1), 0, 1, 0, 7)  =>  [[7, 7, 7, 7], [1, 1, 2, 2], [3, 3, 4, 4]]
//   pad_edge(pad_constant([[1, 2], [3, 4]], 0, 1, 0, 7), 1, 1, 1)  =>  [[7, 7, 7, 7], [1, 1, 2, 2], [3, 3, 4, 4]]
package definitions.boundaries imports definitions.arrays, definitions.vectors;

// Circular, for what is periodic.
//
//   pad_circular([1, 2, 3], 0, 1, 2)  =>  [3, 1, 2, 3, 1, 2]
concept PadCircular = {
  use Dimension;
  use VectorAlgebra;
  function pad_circular(A: Array, axis: Int, l: Int, r: Int): Array
    guard 0 <= axis && axis < dim(A) && 0 <= l && 0 <= r && 0 < at(shape(A), axis);
  axiom padCircularShape(A: Array, axis: Int, l: Int, r: Int) {
    assert shape(pad_circular(A, axis, l, r)) ==
      replace(shape(A), axis, l + at(shape(A), axis) + r);
  }
  axiom padCircularElement(p: Index, A: Array, axis: Int, l: Int, r: Int) {
    assert psi(p, pad_circular(A, axis, l, r)) ==
      psi(replace(p, axis, (at(p, axis) - l) % at(shape(A), axis)), A);
  }
};

// The number c, an array of rank 0 (Dirichlet).
//
//   pad_constant([1, 2, 3], 0, 1, 2, 7)  =>  [7, 1, 2, 3, 7, 7]
concept PadConstant = {
  use Dimension;
  use VectorAlgebra;
  function pad_constant(A: Array, axis: Int, l: Int, r: Int, c: Array): Array
    guard 0 <= axis && axis < dim(A) && 0 <= l && 0 <= r && dim(c) == 0;
  axiom padConstantShape(A: Array, axis: Int, l: Int, r: Int, c: Array) {
    assert shape(pad_constant(A, axis, l, r, c)) ==
      replace(shape(A), axis, l + at(shape(A), axis) + r);
  }
  axiom padConstantElement(p: Index, A: Array, axis: Int, l: Int, r: Int, c: Array) {
    assert psi(p, pad_constant(A, axis, l, r, c)) ==
      (if l <= at(p, axis) && at(p, axis) < l + at(shape(A), axis)
        then psi(replace(p, axis, at(p, axis) - l), A)
        else psi([], c));
  }
};

// The nearest element (Neumann, the boundary half a step beyond the last element: no difference
// across it).
//
//   pad_edge([1, 2, 3], 0, 1, 2)  =>  [1, 1, 2, 3, 3, 3]
concept PadEdge = {
  use Dimension;
  use VectorAlgebra;
  function pad_edge(A: Array, axis: Int, l: Int, r: Int): Array
    guard 0 <= axis && axis < dim(A) && 0 <= l && 0 <= r && 0 < at(shape(A), axis);
  axiom padEdgeShape(A: Array, axis: Int, l: Int, r: Int) {
    assert shape(pad_edge(A, axis, l, r)) == replace(shape(A), axis, l + at(shape(A), axis) + r);
  }
  axiom padEdgeElement(p: Index, A: Array, axis: Int, l: Int, r: Int) {
    assert psi(p, pad_edge(A, axis, l, r)) ==
      psi(replace(p, axis,
                  if at(p, axis) < l
                    then 0
                    else if at(p, axis) < l + at(shape(A), axis)
                      then at(p, axis) - l
                      else at(shape(A), axis) - 1),
          A);
  }
};

// The mirror image, the mirror in the last element (Neumann, the boundary there).
//
//   pad_reflect([1, 2, 3], 0, 1, 2)  =>  [2, 1, 2, 3, 2, 1]
concept PadReflect = {
  use Dimension;
  use VectorAlgebra;
  function pad_reflect(A: Array, axis: Int, l: Int, r: Int): Array
    guard 0 <= axis && axis < dim(A) &&
      0 <= l && l < at(shape(A), axis) && 0 <= r && r < at(shape(A), axis);
  axiom padReflectShape(A: Array, axis: Int, l: Int, r: Int) {
    assert shape(pad_reflect(A, axis, l, r)) ==
      replace(shape(A), axis, l + at(shape(A), axis) + r);
  }
  axiom padReflectElement(p: Index, A: Array, axis: Int, l: Int, r: Int) {
    assert psi(p, pad_reflect(A, axis, l, r)) ==
      psi(replace(p, axis,
                  if at(p, axis) < l
                    then l - at(p, axis)
                    else if at(p, axis) < l + at(shape(A), axis)
                      then at(p, axis) - l
                      else l + 2 * (at(shape(A), axis) - 1) - at(p, axis)),
          A);
  }
};

concept Boundaries = {
  use PadCircular;
  use PadConstant;
  use PadEdge;
  use PadReflect;
};
