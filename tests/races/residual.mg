// Rows that are folded where arrays are made, in slabs and in tiles, and rounds that are tried
// together.
package residual imports moa.library;

program Residual = implement Expressions in {
  use Expressions;
  function mean(u: Array): Array guard 0 < dim(u) = array(0.5) * (rotate(u, 0, 1) + rotate(u, 0, -1));
  function largest(u: Array): Number guard 2 <= dim(u) && dim(u) <= 3 = psi([], maximum(ravel(abs(u)), 0));
  procedure solve(upd u: Array, obs f: Array, obs tol: Number, obs most: Int)
    guard 2 <= dim(u) && dim(u) <= 3 && shape(f) == shape(u) && 0 < at(shape(u), 0) &&
      0 < at(shape(u), 1) {
    var r: Number = 2.0 * tol;
    while tol < r bound most {
      var n = mean(mean(u)) * f;
      r = largest(n - u);
      u = n;
    };
    u = array(r) + u;
  };
};

schedule planes on solve = { drop; fuse; pipeline; in_place; share; bind; repeat(times = 2); threads(least = 1); };
schedule tiles on solve = {
  drop; fuse; pipeline; tile(most_rows = 3); pad; in_place; refill; share; bind; threads(least = 1);
};
