package variadics;

signature A = { type T...; function f(x: T): T; };
signature B = { type T...; type R; function f(xs: T..., ys: T...): R; };
implementation C = {
  type R;
  type T...;
  function f(a: R, xs: T...): R = f(a, a, xs...);
};
implementation D = { use C; function g(a: R): R = f(a); };

// A schedule is that of its element: one name, one element.
implementation Loop = external Kokkos schedule {
  type T...;
  require type E;
  require type Array;
  require type Index;
  require function element(xs: T..., ix: Index): E;
  function schedule(xs: T...): Array;
};
implementation TwoLoops = {
  use Loop[element => near];
  use Loop[element => far];
};
implementation SameLoop = { use TwoNames; use Loop[element => near, schedule => nearAll]; };
implementation TwoNames = {
  use Loop[element => near, schedule => nearAll];
  use Loop[element => far, schedule => farAll];
};
