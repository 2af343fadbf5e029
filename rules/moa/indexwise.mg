// From whole arrays to one element: the step before psi-reduction.
// P3 paper, Listings 7-9, for any number and sorts of arguments.
package moa.indexwise imports arith.equality;

// `implement ToIxwiseGenerator[op => f, opIx => fIx] in P` gives P the function fIx:
// the element of f(xs...) at a total index.
concept ToIxwiseGenerator = {
  type T...;
  type E;
  type Array;
  type Index;

  predicate inside(ix: Index);
  function op(xs: T...): Array;
  function opIx(xs: T..., ix: Index): E guard inside(ix);
  function psi(ix: Index, array: Array): E;

  axiom toIxwiseGenerator(xs: T..., ix: Index) {
    assert opIx(xs..., ix) == psi(ix, op(xs...));
  }
};

// Calls of the function become calls of a schedule.
concept ToIxwise = FunctionEquality[ f => op
                                   , g => schedule
                                   , R => Array
                                   , functionEqualityRule => toIxwiseRule ];
