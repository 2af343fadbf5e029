// Operations whose result depends on values: which elements are taken is said by a vector of
// numbers, or by a slice. The functions of one element have conditions on shapes only: that
// values and places are in range is the condition of the operation on whole arrays, where it
// does not depend on an index.
package definitions.selection imports definitions.arrays, definitions.vectors;

// An element of a vector as an integer, towards zero.
//
//   v = [4, 7]:  entry(v, 1)  =>  7
concept Entries = {
  use Dimension;
  require function convert(a: E): Int;
  function entry(v: Array, k: Int): Int guard dim(v) == 1;
  axiom entryDefinition(v: Array, k: Int) { assert entry(v, k) == convert(psi([k], v)); }
};

// The places along an axis that v names, in its order.
//
//   gather([5, 6, 7], 0, [2, 0, 2])  =>  [7, 5, 7]
concept Gather = {
  use Entries;
  use VectorAlgebra;
  function gather(A: Array, axis: Int, v: Array): Array
    guard 0 <= axis && axis < dim(A) && dim(v) == 1 &&
      (forall (m < at(shape(v), 0)) (0 <= entry(v, m) && entry(v, m) < at(shape(A), axis)));
  axiom gatherShape(A: Array, axis: Int, v: Array) {
    assert shape(gather(A, axis, v)) == replace(shape(A), axis, at(shape(v), 0));
  }
  axiom gatherElement(p: Index, A: Array, axis: Int, v: Array) {
    assert psi(p, gather(A, axis, v)) == psi(replace(p, axis, entry(v, at(p, axis))), A);
  }
};

// Where the elements of v stand from the smallest to the largest, equal ones in their order;
// what is not a number comes last.
//
//   grade_up([30, 10, 20, 10])  =>  [1, 3, 2, 0]
//
// rank_of(v, k) counts the elements that stand before element k.
concept GradeUp = {
  use Dimension;
  require function convert(a: Int): E;
  require predicate _<_(a: E, b: E);
  predicate below(a: E, b: E);
  function rank_of(v: Array, k: Int): Int guard dim(v) == 1;
  function grade_up(v: Array): Array guard dim(v) == 1;
  axiom belowDefinition(a: E, b: E) { assert below(a, b) <=> a < b || (a == a && b != b); }
  axiom rankOfDefinition(v: Array, k: Int) {
    assert rank_of(v, k) == fold _+_ (j < at(shape(v), 0))
      (if below(psi([j], v), psi([k], v)) || (j < k && !below(psi([k], v), psi([j], v)))
        then 1
        else 0);
  }
  axiom gradeUpShape(v: Array) { assert shape(grade_up(v)) == shape(v); }
  axiom gradeUpElement(p: Index, v: Array) {
    assert psi(p, grade_up(v)) ==
      convert(fold _+_ (k < at(shape(v), 0)) (if rank_of(v, k) == at(p, 0) then k else 0));
  }
};

// Vectors of zeros and ones: how many ones stand before place k, and where the one stands
// that i others precede.
//
//   m = [0, 1, 1, 0, 1]:  ones_before(m, 3)  =>  2        place_of_one(m, 2)  =>  4
concept Masks = {
  use Dimension;
  function ones_before(m: Array, k: Int): Int guard dim(m) == 1;
  function place_of_one(m: Array, i: Int): Int guard dim(m) == 1;
  axiom onesBeforeDefinition(m: Array, k: Int) {
    assert ones_before(m, k) == fold _+_ (j < k) (if psi([j], m) != 0 then 1 else 0);
  }
  axiom placeOfOneDefinition(m: Array, i: Int) {
    assert place_of_one(m, i) == fold _+_ (k < at(shape(m), 0))
      (if ones_before(m, k + 1) <= i then 1 else 0);
  }
};

// The places along an axis where m is 1.
//
//   compress([5, 6, 7, 8], 0, [1, 0, 0, 1])  =>  [5, 8]
concept Compress = {
  use Masks;
  use VectorAlgebra;
  function compress(A: Array, axis: Int, m: Array): Array
    guard 0 <= axis && axis < dim(A) && dim(m) == 1 && at(shape(m), 0) == at(shape(A), axis) &&
      (forall (k < at(shape(m), 0)) (psi([k], m) == 0 || psi([k], m) == 1));
  axiom compressShape(A: Array, axis: Int, m: Array) {
    assert shape(compress(A, axis, m)) == replace(shape(A), axis, ones_before(m, at(shape(m), 0)));
  }
  axiom compressElement(p: Index, A: Array, axis: Int, m: Array) {
    assert psi(p, compress(A, axis, m)) == psi(replace(p, axis, place_of_one(m, at(p, axis))), A);
  }
};

// The other way round: what A has along an axis goes where m is 1, and 0 where it is 0.
//
//   expand([5, 8], 0, [1, 0, 0, 1])  =>  [5, 0, 0, 8]
concept Expand = {
  use Masks;
  use VectorAlgebra;
  require function _!=_(a: E, b: E): E;
  // 0 in whatever type the other elements have: false is the narrowest of zeros.
  function zero(): E;
  axiom zeroDefinition() { assert zero() == (0 != 0); }
  function expand(A: Array, axis: Int, m: Array): Array
    guard 0 <= axis && axis < dim(A) && dim(m) == 1 &&
      (forall (k < at(shape(m), 0)) (psi([k], m) == 0 || psi([k], m) == 1)) &&
      ones_before(m, at(shape(m), 0)) == at(shape(A), axis);
  axiom expandShape(A: Array, axis: Int, m: Array) {
    assert shape(expand(A, axis, m)) == replace(shape(A), axis, at(shape(m), 0));
  }
  axiom expandElement(p: Index, A: Array, axis: Int, m: Array) {
    assert psi(p, expand(A, axis, m)) ==
      (if psi([at(p, axis)], m) != 0
        then psi(replace(p, axis, ones_before(m, at(p, axis))), A)
        else zero());
  }
};

// Slices: on each axis the indices start, start + stride, ..., counts of them. step_of is the
// stride, or 1 where it is 0 (and the count is 1 at most), last_of the last index. An empty slice
// has no axes on which its indices have to be inside.
//
//   step_of([2, 0], 1)  =>  1        last_of([1], [3], [2], 0)  =>  5        axes_of([3, 0])  =>  0
concept Slices = {
  use Integers;
  use Vectors;
  require function product(p: Index): Int;
  function step_of(strides: Index, m: Int): Int guard 0 <= m && m < len(strides);
  function last_of(start: Index, counts: Index, strides: Index, m: Int): Int
    guard 0 <= m && m < len(start) && m < len(counts) && m < len(strides);
  function axes_of(counts: Index): Int;
  axiom stepOfDefinition(strides: Index, m: Int) {
    assert step_of(strides, m) == (if at(strides, m) == 0 then 1 else at(strides, m));
  }
  axiom lastOfDefinition(start: Index, counts: Index, strides: Index, m: Int) {
    assert last_of(start, counts, strides, m) ==
      at(start, m) + (at(counts, m) - 1) * at(strides, m);
  }
  axiom axesOfDefinition(counts: Index) {
    assert axes_of(counts) == (if product(counts) == 0 then 0 else len(counts));
  }
};

// A with the elements of X in a slice.
//
//   update([1, 2, 3, 4, 5], [1], [2], [2], [8, 9])  =>  [1, 8, 3, 9, 5]
concept Update = {
  use Dimension;
  use VectorAlgebra;
  use Slices;
  function update(A: Array, start: Index, counts: Index, strides: Index, X: Array): Array
    guard len(start) == dim(A) && len(counts) == dim(A) && len(strides) == dim(A) &&
      (forall (m < dim(A)) (0 <= at(counts, m))) &&
      (forall (m < dim(A)) (at(counts, m) <= 1 || at(strides, m) != 0)) &&
      (forall (m < axes_of(counts)) (0 <= at(start, m) && at(start, m) < at(shape(A), m))) &&
      (forall (m < axes_of(counts))
        (0 <= last_of(start, counts, strides, m) &&
         last_of(start, counts, strides, m) < at(shape(A), m))) &&
      dim(X) == dim(A) && (forall (m < dim(A)) at(shape(X), m) == at(counts, m));
  axiom updateShape(A: Array, start: Index, counts: Index, strides: Index, X: Array) {
    assert shape(update(A, start, counts, strides, X)) == shape(A);
  }
  axiom updateElement(p: Index, A: Array, start: Index, counts: Index, strides: Index, X: Array) {
    assert psi(p, update(A, start, counts, strides, X)) ==
      (if forall (m < len(p))
           ((at(p, m) - at(start, m)) % step_of(strides, m) == 0 &&
            0 <= (at(p, m) - at(start, m)) / step_of(strides, m) &&
            (at(p, m) - at(start, m)) / step_of(strides, m) < at(counts, m))
        then psi(forall (m < len(p)) ((at(p, m) - at(start, m)) / step_of(strides, m)), X)
        else psi(p, A));
  }
};

concept Selection = {
  use Gather;
  use GradeUp;
  use Compress;
  use Expand;
  use Update;
};
