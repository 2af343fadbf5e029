// All operations that expressions may use.
package moa.library
  imports definitions.arrays
        , definitions.boundaries
        , definitions.cells
        , definitions.folds
        , definitions.numbers
        , definitions.pointwise
        , definitions.products
        , definitions.selection
        , definitions.structure
        , definitions.values
        , definitions.vectors;

concept Operations = {
  use Structure;
  use Boundaries;
  use Pointwise;
  use Reductions;
  use Scans;
  use OuterProducts;
  use InnerProducts;
  use Selection;
  use Cells;
  use Values;
};

// The operations on arrays of numbers.
//
//   sum(A * A, 1) for A = [[1, 2], [3, 4]]  =>  [5, 25]
concept Expressions = {
  use Numbers;
  use Operations[E => Number];
};
