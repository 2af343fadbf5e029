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
  // What goes through its rows by turns.
  procedure centre(upd A: Array) guard dim(A) == 2 {
    var m = sum(A, 1);
    var d: Array = forall (p < shape(A)) (psi(p, A) - psi(take(p, 1), m));
    var v = sum(d * d, 1);
    A = forall (p < shape(A)) (psi(p, d) * psi(take(p, 1), v));
  };
};
