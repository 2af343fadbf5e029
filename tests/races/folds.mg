// Folds over both axes, which threads share, and along either.
package folds imports moa.library;

program Folds = implement Expressions in {
  use Expressions;
  procedure total(obs A: Array, out C: Array) guard dim(A) == 2 {
    C = sum(sum(abs(A) * A, 1), 0);
  };
  procedure rows(obs A: Array, out C: Array) guard dim(A) == 2 { C = 2 * sum(A, 1); };
  procedure columns(obs A: Array, out C: Array) guard dim(A) == 2 { C = sum(A, 0); };
  procedure largest(obs A: Array, out C: Array)
    guard dim(A) == 2 && 0 < at(shape(A), 0) && 0 < at(shape(A), 1) {
    C = maximum(maximum(A, 1), 0);
  };
};
