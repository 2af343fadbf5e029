// Conditions about the shapes of expressions, which the laws of shapes decide.
package shapes imports moa.library;

concept Short = {
  use signature(Expressions);
  theorem reverseShort(A: Array, axis: Int) {
    assert at(shape(A): Index, axis) <= 1 => reverse(A, axis) == A;
  }
  theorem transposeOne(A: Array) { assert dim(A) == 1 => transpose(A) == A; }
};

implementation Source = {
  use Expressions;
  procedure first(obs u: Array, out v: Array) guard dim(u) == 1 && 0 < at(shape(u): Index, 0) {
    v = reverse(take(u, 0, 1), 0);
  };
  procedure last(obs u: Array, out v: Array) guard dim(u) == 1 && 0 < at(shape(u): Index, 0) {
    v = reverse(drop(u, 0, at(shape(u): Index, 0) - 1), 0);
  };
  procedure row(obs u: Array, out v: Array) guard dim(u) == 2 { v = transpose(ravel(u)); };
  procedure short(obs u: Array, obs w: Array, out v: Array)
      guard dim(u) == 1 && at(shape(u): Index, 0) <= 1 && dim(w) == 1 {
    v = reverse(u + w, 0);
  };
  procedure twice(obs u: Array, out v: Array)
      guard dim(u) == 1 && at(shape(u): Index, 0) <= 1 {
    v = reverse(2.0 * u, 0);
  };
  procedure product(obs u: Array, obs w: Array, out v: Array) guard dim(u) == 1 && dim(w) == 2 {
    v = transpose(matmul(u, w));
  };
  procedure rows(obs u: Array, obs w: Array, out v: Array)
      guard dim(u) == 2 && dim(w) == 2 && at(shape(u): Index, 0) <= 1 {
    v = reverse(matmul(u, w), 0);
  };
  procedure two(obs u: Array, out v: Array) guard dim(u) == 2 { v = transpose(u); };
};

implementation Rewritten = rewrite Source with Short 20;
program After = implement Expressions in Rewritten;
