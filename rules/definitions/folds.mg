// Operations that combine elements: reductions, scans, outer and inner products.
package definitions.folds imports definitions.arrays, definitions.vectors, definitions.structure;

// The elements along an axis combined from the left; the unit of op where there are none.
//
//   sum([[1, 2, 3], [4, 5, 6]], 1)  =>  [6, 15]
concept Reduction = {
  use Dimension;
  use VectorAlgebra;
  function op(a: E, b: E): E;
  function reduce(A: Array, axis: Int): Array guard 0 <= axis && axis < dim(A);
  axiom reduceShape(A: Array, axis: Int) {
    assert shape(reduce(A, axis)) == remove(shape(A), axis);
  }
  axiom reduceElement(p: Index, A: Array, axis: Int) {
    assert psi(p, reduce(A, axis)) == fold op (k < at(shape(A), axis)) psi(insert(p, axis, k), A);
  }
};

// The same of truth values: a number counts as whether it is not 0.
//
//   all([[1, 2], [3, 0]], 1)  =>  [true, false]
concept Quantifier = {
  use Dimension;
  use VectorAlgebra;
  function op(a: E, b: E): E;
  require function _!=_(a: E, b: E): E;
  function quantify(A: Array, axis: Int): Array guard 0 <= axis && axis < dim(A);
  axiom quantifyShape(A: Array, axis: Int) {
    assert shape(quantify(A, axis)) == remove(shape(A), axis);
  }
  axiom quantifyElement(p: Index, A: Array, axis: Int) {
    assert psi(p, quantify(A, axis)) ==
      fold op (k < at(shape(A), axis)) (psi(insert(p, axis, k), A) != 0);
  }
};

// All the results on the way of a reduction: element i is that of the elements 0 to i.
//
//   cumsum([1, 2, 3], 0)  =>  [1, 3, 6]
concept Scan = {
  use Dimension;
  use VectorAlgebra;
  function op(a: E, b: E): E;
  function scan(A: Array, axis: Int): Array guard 0 <= axis && axis < dim(A);
  axiom scanShape(A: Array, axis: Int) { assert shape(scan(A, axis)) == shape(A); }
  axiom scanElement(p: Index, A: Array, axis: Int) {
    assert psi(p, scan(A, axis)) == fold op (k < at(p, axis) + 1) psi(replace(p, axis, k), A);
  }
};

// Every element of A with every element of B.
//
//   outer_mul([1, 2], [3, 4])  =>  [[3, 4], [6, 8]]
concept OuterProduct = {
  use Dimension;
  use VectorAlgebra;
  function g(a: E, b: E): E;
  function outer(A: Array, B: Array): Array;
  axiom outerShape(A: Array, B: Array) {
    assert shape(outer(A, B)) == join(shape(A), shape(B));
  }
  axiom outerElement(p: Index, A: Array, B: Array) {
    assert psi(p, outer(A, B)) == g(psi(take(p, dim(A)), A), psi(drop(p, dim(A)), B));
  }
};

// The last axis of A meets the first of B: their elements are combined by g, and the results,
// in ascending order, by f.
//
//   inner_add_mul([[1, 2], [3, 4]], [5, 6])  =>  [17, 39]
concept InnerProduct = {
  use Dimension;
  use VectorAlgebra;
  function f(a: E, b: E): E;
  function g(a: E, b: E): E;
  function inner(A: Array, B: Array): Array
    guard 0 < dim(A) && 0 < dim(B) && at(shape(A), dim(A) - 1) == at(shape(B), 0);
  axiom innerShape(A: Array, B: Array) {
    assert shape(inner(A, B)) == join(drop(shape(A), -1), drop(shape(B), 1));
  }
  axiom innerElement(p: Index, A: Array, B: Array) {
    assert psi(p, inner(A, B)) ==
      fold f (k < at(shape(B), 0)) g(psi(join(take(p, dim(A) - 1), [k]), A),
                                     psi(join([k], drop(p, dim(A) - 1)), B));
  }
};

concept Reductions = {
  use Reduction[op => _+_, reduce => sum, reduceShape => sumShape, reduceElement => sumElement];
  use Reduction[ op => _*_
               , reduce => product
               , reduceShape => productShape
               , reduceElement => productElement ];
  use Reduction[ op => min
               , reduce => minimum
               , reduceShape => minimumShape
               , reduceElement => minimumElement ];
  use Reduction[ op => max
               , reduce => maximum
               , reduceShape => maximumShape
               , reduceElement => maximumElement ];
  use Quantifier[ op => _&&_
                , quantify => all
                , quantifyShape => allShape
                , quantifyElement => allElement ];
  use Quantifier[ op => _||_
                , quantify => any
                , quantifyShape => anyShape
                , quantifyElement => anyElement ];
  use VectorProduct;
  use Contractions;
};

concept Scans = {
  use Scan[op => _+_, scan => cumsum, scanShape => cumsumShape, scanElement => cumsumElement];
  use Scan[ op => _*_
          , scan => cumproduct
          , scanShape => cumproductShape
          , scanElement => cumproductElement ];
  use Scan[ op => min
          , scan => cumminimum
          , scanShape => cumminimumShape
          , scanElement => cumminimumElement ];
  use Scan[ op => max
          , scan => cummaximum
          , scanShape => cummaximumShape
          , scanElement => cummaximumElement ];
};

// The product of a vector.
//
//   product([2, 3, 4])  =>  24
concept VectorProduct = {
  use Dimension;
  require function product(A: Array, axis: Int): Array;
  function product(v: Array): Array guard dim(v) == 1;
  axiom vectorProductDefinition(v: Array) { assert product(v) == product(v, 0); }
};

// The sum over a diagonal: of a matrix, and of any two axes.
//
//   trace([[1, 2], [3, 4]])  =>  5        contract([[1, 2], [3, 4]], 0, 1)  =>  5
concept Contractions = {
  use Diagonal;
  require function sum(A: Array, axis: Int): Array;
  function trace(A: Array): Array guard dim(A) == 2 && at(shape(A), 0) == at(shape(A), 1);
  function contract(A: Array, m: Int, n: Int): Array
    guard 0 <= m && m < dim(A) && 0 <= n && n < dim(A) && m != n &&
      at(shape(A), m) == at(shape(A), n);
  axiom traceDefinition(A: Array) { assert trace(A) == sum(diagonal(A, 0, 1), 0); }
  axiom contractDefinition(A: Array, m: Int, n: Int) {
    assert contract(A, m, n) == sum(diagonal(A, m, n), if m < n then m else m - 1);
  }
};
