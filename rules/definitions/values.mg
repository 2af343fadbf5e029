// Numbers of one kind as another: vectors and shapes as arrays, arrays as vectors and integers,
// and elements as real or integer numbers.
package definitions.values imports definitions.arrays, definitions.vectors;

// 0, 1, ..., n - 1.
//
//   iota(3)  =>  [0, 1, 2]
concept Iota = {
  use Arrays;
  require function convert(a: Int): E;
  function iota(n: Int): Array guard 0 <= n;
  axiom iotaShape(n: Int) { assert shape(iota(n)) == [n]; }
  axiom iotaElement(p: Index, n: Int) { assert psi(p, iota(n)) == convert(at(p, 0)); }
};

// An integer as an array of rank 0, and a vector of integers as one of rank 1.
//
//   array(3)  =>  3        array([4, 7])  =>  [4, 7]
concept IntegersAsArrays = {
  use Arrays;
  require function convert(a: Int): E;
  function array(k: Int): Array;
  function array(v: Index): Array;
  axiom arrayOfIntShape(k: Int) { assert shape(array(k)) == []; }
  axiom arrayOfIntElement(p: Index, k: Int) { assert psi(p, array(k)) == convert(k); }
  axiom arrayOfIndexShape(v: Index) { assert shape(array(v)) == [len(v)]; }
  axiom arrayOfIndexElement(p: Index, v: Index) {
    assert psi(p, array(v)) == convert(at(v, at(p, 0)));
  }
};

// A number as an array of rank 0, which meets every element of another array.
//
//   array(2.5)  =>  2.5
concept NumbersAsArrays = {
  use Arrays;
  function array(k: E): Array;
  axiom arrayOfNumberShape(k: E) { assert shape(array(k)) == []; }
  axiom arrayOfNumberElement(p: Index, k: E) { assert psi(p, array(k)) == k; }
};

// The other way round: numbers that are not integers go towards zero.
//
//   integer(3.9)  =>  3        index([4, 7])  =>  [4, 7]
concept ArraysAsIntegers = {
  use Dimension;
  require function convert(a: E): Int;
  function integer(A: Array): Int guard dim(A) == 0;
  function index(v: Array): Index guard dim(v) == 1;
  axiom integerDefinition(A: Array) { assert integer(A) == convert(psi([], A)); }
  axiom indexDefinition(v: Array) {
    assert index(v) == forall (m < at(shape(v), 0)) (convert(psi([m], v)): Int);
  }
};

// Every element as a real number, and as an integer, towards zero.
//
//   real([1, 2])  =>  [1.0, 2.0]        integer([19, -19] / 10.0)  =>  [1, -1]
concept Conversions = {
  use Arrays;
  require function _*_(a: E, b: E): E;
  require function convert(a: E): Int;
  require function convert(a: Int): E;
  function real(A: Array): Array;
  function integer(A: Array): Array;
  axiom realShape(A: Array) { assert shape(real(A)) == shape(A); }
  axiom realElement(p: Index, A: Array) { assert psi(p, real(A)) == psi(p, A) * 1.0; }
  axiom integerShape(A: Array) { assert shape(integer(A)) == shape(A); }
  axiom integerElement(p: Index, A: Array) {
    assert psi(p, integer(A)) == convert(convert(psi(p, A)): Int);
  }
};

// What is known of an array, and gamma and its inverse, as arrays.
//
//   A of shape [2, 3]:  shape(A)  =>  [2, 3]        dim(A)  =>  2        size(A)  =>  6
concept ShapesAsArrays = {
  use Dimension;
  use Size;
  use VectorAlgebra;
  use IntegersAsArrays;
  function shape(A: Array): Array;
  function dim(A: Array): Array;
  function size(A: Array): Array;
  function gamma(p: Index, s: Index): Array
    guard len(p) == len(s) && (forall (m < len(s)) (0 <= at(p, m) && at(p, m) < at(s, m)));
  function gamma_inverse(o: Int, s: Index): Array guard 0 <= o && o < product(s);
  axiom shapeDefinition(A: Array) { assert shape(A) == array(shape(A): Index); }
  axiom dimAsArrayDefinition(A: Array) { assert dim(A) == array(dim(A): Int); }
  axiom sizeAsArrayDefinition(A: Array) { assert size(A) == array(size(A): Int); }
  axiom gammaAsArrayDefinition(p: Index, s: Index) {
    assert gamma(p, s) == array(gamma(p, s): Int);
  }
  axiom gammaInverseAsArrayDefinition(o: Int, s: Index) {
    assert gamma_inverse(o, s) == array(gamma_inverse(o, s): Index);
  }
};

concept Values = {
  use Iota;
  use IntegersAsArrays;
  use NumbersAsArrays;
  use ArraysAsIntegers;
  use Conversions;
  use ShapesAsArrays;
};
