// Conway's game of life on a torus, and a moving average with a window along each axis.
package life imports moa.library;

program Life = implement Expressions in {
  use Expressions;

  function neighbours(A: Array): Array = {
    var rows = A + rotate(A, 0, 1) + rotate(A, 0, -1);
    value rows + rotate(rows, 1, 1) + rotate(rows, 1, -1) - A;
  };

  procedure step(upd A: Array) guard dim(A) == 2 && 3 <= at(shape(A), 0) && 3 <= at(shape(A), 1) {
    var n = neighbours(A);
    A = (n == 3) || (A == 1 && n == 2);
  };

  procedure average(upd A: Array, obs w: Int) guard 0 < dim(A) && 1 <= w {
    var total = A;
    for k in 1 .. w {
      total = total + rotate(A, 0, k);
    };
    A = total / array(w);
  };

  procedure outer(obs u: Array, obs v: Array, out M: Array) guard dim(u) == 1 && dim(v) == 1 {
    M = outer_mul(u, v);
  };
};
