// All operations that expressions may use.
package moa.library
  imports definitions.arrays
        , definitions.numbers
        , definitions.vectors
        , definitions.structure
        , definitions.pointwise
        , definitions.folds
        , definitions.products;

concept Expressions = {
  use Numbers;
  use Arrays[E => Number];
  use Dimension[E => Number];
  use Size[E => Number];
  use VectorAlgebra;
  use Structure[E => Number];
  use Pointwise[E => Number];
  use Reductions[E => Number];
  use Scans[E => Number];
  use OuterProducts[E => Number];
  use InnerProducts[E => Number];
};
