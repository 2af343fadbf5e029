// What arrays are made of: integers, vectors of integers, and the two functions that tell an
// array apart, its shape and its elements. Every other operation is defined by these.
// L. Mullin, A Mathematics of Arrays (1988).
package definitions.arrays;

// Integers of 64 bits; `/` and `%` are Euclidean.
//
//   -1 % 3  =>  2        -1 / 3  =>  -1
concept Integers = external Kokkos scalar {
  type Int literals integer;

  function _+_(a: Int, b: Int): Int;
  function _-_(a: Int, b: Int): Int;
  function _*_(a: Int, b: Int): Int;
  function _/_(a: Int, b: Int): Int;
  function _%_(a: Int, b: Int): Int;
  function -_(a: Int): Int;

  function min(a: Int, b: Int): Int;
  function max(a: Int, b: Int): Int;
  function abs(a: Int): Int;

  predicate _<_(a: Int, b: Int);
  predicate _<=_(a: Int, b: Int);
  predicate _>_(a: Int, b: Int);
  predicate _>=_(a: Int, b: Int);
};

// Vectors of integers: indices and shapes. `forall (m < n) e` makes one by components.
//
//   len([4, 7])  =>  2        at([4, 7], 1)  =>  7
concept Vectors = external Kokkos index {
  require type Int;
  type Index literals vector;

  function len(p: Index): Int;
  function at(p: Index, k: Int): Int;
};

// Arrays with elements of sort E: psi is the element at a total index, a component per axis.
//
//   A = [[1, 2, 3], [4, 5, 6]]:  shape(A)  =>  [2, 3]        psi([1, 0], A)  =>  4
concept PsiAndShape = external Kokkos array {
  require type E;
  require type Index;
  type Array literals real;
  type Array literals vector;

  function psi(p: Index, A: Array): E;
  function shape(A: Array): Index;
};

// What every definition of an operation starts from.
concept Arrays = {
  use Integers;
  use Vectors;
  type E literals real;
  use PsiAndShape;
};

// The number of axes.
//
//   dim([[1, 2, 3], [4, 5, 6]])  =>  2
concept Dimension = {
  use Arrays;
  function dim(A: Array): Int;
  axiom dimDefinition(A: Array) { assert dim(A) == len(shape(A)); }
};

// The number of elements.
//
//   size([[1, 2, 3], [4, 5, 6]])  =>  6
concept Size = {
  use Arrays;
  require function product(p: Index): Int;
  function size(A: Array): Int;
  axiom sizeDefinition(A: Array) { assert size(A) == product(shape(A)); }
};
