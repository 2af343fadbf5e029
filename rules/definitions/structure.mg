// Operations that move elements without computing on them. An axis is counted from 0; each
// operation has the shape that its first axiom says, and at a total index p the element that
// its second axiom says.
package definitions.structure imports definitions.arrays, definitions.vectors;

// The elements of A in a row, the last index running fastest.
//
//   ravel([[1, 2, 3], [4, 5, 6]])  =>  [1, 2, 3, 4, 5, 6]
concept Ravel = {
  use Size;
  use VectorAlgebra;
  function ravel(A: Array): Array;
  axiom ravelShape(A: Array) { assert shape(ravel(A)) == [size(A)]; }
  axiom ravelElement(p: Index, A: Array) {
    assert psi(p, ravel(A)) == psi(gamma_inverse(at(p, 0), shape(A)), A);
  }
};

// The same row of elements in the shape s.
//
//   reshape([1, 2, 3, 4, 5, 6], [3, 2])  =>  [[1, 2], [3, 4], [5, 6]]
concept Reshape = {
  use Size;
  use VectorAlgebra;
  function reshape(A: Array, s: Index): Array
    guard (forall (m < len(s)) 0 <= at(s, m)) && product(s) == size(A);
  axiom reshapeShape(A: Array, s: Index) { assert shape(reshape(A, s)) == s; }
  axiom reshapeElement(p: Index, A: Array, s: Index) {
    assert psi(p, reshape(A, s)) == psi(gamma_inverse(gamma(p, s), shape(A)), A);
  }
};

// The first k along an axis, for k < 0 the last.
//
//   take([1, 2, 3, 4], 0, 3)  =>  [1, 2, 3]        take([1, 2, 3, 4], 0, -1)  =>  [4]
concept Take = {
  use Dimension;
  use VectorAlgebra;
  function take(A: Array, axis: Int, k: Int): Array
    guard 0 <= axis && axis < dim(A) && abs(k) <= at(shape(A), axis);
  axiom takeShape(A: Array, axis: Int, k: Int) {
    assert shape(take(A, axis, k)) == replace(shape(A), axis, abs(k));
  }
  axiom takeElement(p: Index, A: Array, axis: Int, k: Int) {
    assert psi(p, take(A, axis, k)) ==
      psi(if 0 <= k then p else replace(p, axis, at(p, axis) + at(shape(A), axis) + k), A);
  }
};

// Without the first k along an axis, for k < 0 without the last.
//
//   drop([1, 2, 3, 4], 0, 3)  =>  [4]        drop([1, 2, 3, 4], 0, -1)  =>  [1, 2, 3]
concept Drop = {
  use Dimension;
  use VectorAlgebra;
  function drop(A: Array, axis: Int, k: Int): Array
    guard 0 <= axis && axis < dim(A) && abs(k) <= at(shape(A), axis);
  axiom dropShape(A: Array, axis: Int, k: Int) {
    assert shape(drop(A, axis, k)) == replace(shape(A), axis, at(shape(A), axis) - abs(k));
  }
  axiom dropElement(p: Index, A: Array, axis: Int, k: Int) {
    assert psi(p, drop(A, axis, k)) ==
      psi(if 0 <= k then replace(p, axis, at(p, axis) + k) else p, A);
  }
};

// A, and behind it along an axis B.
//
//   cat([[1, 2]], [[3, 4], [5, 6]], 0)  =>  [[1, 2], [3, 4], [5, 6]]
concept Cat = {
  use Dimension;
  use VectorAlgebra;
  function cat(A: Array, B: Array, axis: Int): Array
    guard 0 <= axis && axis < dim(A) && dim(A) == dim(B) &&
      (forall (m < dim(A)) (m == axis || at(shape(A), m) == at(shape(B), m)));
  axiom catShape(A: Array, B: Array, axis: Int) {
    assert shape(cat(A, B, axis)) ==
      replace(shape(A), axis, at(shape(A), axis) + at(shape(B), axis));
  }
  axiom catElement(p: Index, A: Array, B: Array, axis: Int) {
    assert psi(p, cat(A, B, axis)) ==
      (if at(p, axis) < at(shape(A), axis)
        then psi(p, A)
        else psi(replace(p, axis, at(p, axis) - at(shape(A), axis)), B));
  }
};

// The last first along an axis.
//
//   reverse([1, 2, 3], 0)  =>  [3, 2, 1]
concept Reverse = {
  use Dimension;
  use VectorAlgebra;
  function reverse(A: Array, axis: Int): Array guard 0 <= axis && axis < dim(A);
  axiom reverseShape(A: Array, axis: Int) { assert shape(reverse(A, axis)) == shape(A); }
  axiom reverseElement(p: Index, A: Array, axis: Int) {
    assert psi(p, reverse(A, axis)) ==
      psi(replace(p, axis, at(shape(A), axis) - 1 - at(p, axis)), A);
  }
};

// Element i comes from i + o, circularly.
//
//   rotate([1, 2, 3, 4], 0, 1)  =>  [2, 3, 4, 1]
concept Rotate = {
  use Dimension;
  use VectorAlgebra;
  function rotate(A: Array, axis: Int, o: Int): Array
    guard 0 <= axis && axis < dim(A) && 0 < at(shape(A), axis);
  axiom rotateShape(A: Array, axis: Int, o: Int) { assert shape(rotate(A, axis, o)) == shape(A); }
  axiom rotateElement(p: Index, A: Array, axis: Int, o: Int) {
    assert psi(p, rotate(A, axis, o)) ==
      psi(replace(p, axis, (at(p, axis) + o) % at(shape(A), axis)), A);
  }
};

// The axes in reverse order.
//
//   transpose([[1, 2, 3], [4, 5, 6]])  =>  [[1, 4], [2, 5], [3, 6]]
concept Transpose = {
  use Arrays;
  use VectorAlgebra;
  function transpose(A: Array): Array;
  axiom transposeShape(A: Array) { assert shape(transpose(A)) == reverse(shape(A)); }
  axiom transposeElement(p: Index, A: Array) {
    assert psi(p, transpose(A)) == psi(reverse(p), A);
  }
};

// Axis k of A becomes axis perm[k].
//
//   A of shape [2, 3, 5]:  shape(transpose(A, [2, 0, 1]))  =>  [3, 5, 2]
//   A of shape [2, 3, 5]:  psi([0, 1, 4], A)  =>  9
//   A of shape [2, 3, 5]:  psi([1, 4, 0], transpose(A, [2, 0, 1]))  =>  9
concept TransposeBy = {
  use Dimension;
  use VectorAlgebra;
  function transpose(A: Array, perm: Index): Array
    guard len(perm) == dim(A) && (forall (m < len(perm)) occurrences(perm, m) == 1);
  axiom transposeByShape(A: Array, perm: Index) {
    assert shape(transpose(A, perm)) == pick(shape(A), inverse(perm));
  }
  axiom transposeByElement(p: Index, A: Array, perm: Index) {
    assert psi(p, transpose(A, perm)) == psi(pick(p, perm), A);
  }
};

// Where the indices on axes m and n are equal; axis n goes, axis m stays.
//
//   diagonal([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 0, 1)  =>  [1, 5, 9]
concept Diagonal = {
  use Dimension;
  use VectorAlgebra;
  function diagonal(A: Array, m: Int, n: Int): Array
    guard 0 <= m && m < dim(A) && 0 <= n && n < dim(A) && m != n &&
      at(shape(A), m) == at(shape(A), n);
  axiom diagonalShape(A: Array, m: Int, n: Int) {
    assert shape(diagonal(A, m, n)) == remove(shape(A), n);
  }
  axiom diagonalElement(p: Index, A: Array, m: Int, n: Int) {
    assert psi(p, diagonal(A, m, n)) ==
      psi(insert(p, n, at(p, if m < n then m else m - 1)), A);
  }
};

// An axis of length d * q becomes two, of lengths d and q.
//
//   lift([1, 2, 3, 4, 5, 6], 0, 3)  =>  [[1, 2, 3], [4, 5, 6]]
concept Lift = {
  use Dimension;
  use VectorAlgebra;
  function lift(A: Array, axis: Int, q: Int): Array
    guard 0 <= axis && axis < dim(A) && 0 < q && at(shape(A), axis) % q == 0;
  axiom liftShape(A: Array, axis: Int, q: Int) {
    assert shape(lift(A, axis, q)) ==
      insert(replace(shape(A), axis, at(shape(A), axis) / q), axis + 1, q);
  }
  axiom liftElement(p: Index, A: Array, axis: Int, q: Int) {
    assert psi(p, lift(A, axis, q)) ==
      psi(replace(remove(p, axis + 1), axis, at(p, axis) * q + at(p, axis + 1)), A);
  }
};

// An axis and the next become one.
//
//   unlift([[1, 2, 3], [4, 5, 6]], 0)  =>  [1, 2, 3, 4, 5, 6]
concept Unlift = {
  use Dimension;
  use VectorAlgebra;
  function unlift(A: Array, axis: Int): Array guard 0 <= axis && axis + 1 < dim(A);
  axiom unliftShape(A: Array, axis: Int) {
    assert shape(unlift(A, axis)) ==
      replace(remove(shape(A), axis + 1), axis, at(shape(A), axis) * at(shape(A), axis + 1));
  }
  axiom unliftElement(p: Index, A: Array, axis: Int) {
    assert psi(p, unlift(A, axis)) ==
      psi(insert(replace(p, axis, at(p, axis) / at(shape(A), axis + 1)),
                 axis + 1,
                 at(p, axis) % at(shape(A), axis + 1)),
          A);
  }
};

concept Structure = {
  use Ravel;
  use Reshape;
  use Take;
  use Drop;
  use Cat;
  use Reverse;
  use Rotate;
  use Transpose;
  use TransposeBy;
  use Diagonal;
  use Lift;
  use Unlift;
};
