package variadics;

signature A = { type T...; function f(x: T): T; };
signature B = { type T...; type R; function f(xs: T..., ys: T...): R; };
implementation C = {
  type R;
  type T...;
  function f(a: R, xs: T...): R = f(a, a, xs...);
};
implementation D = { use C; function g(a: R): R = f(a); };
