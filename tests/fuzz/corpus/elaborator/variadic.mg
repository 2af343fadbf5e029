package fuzz;
concept V = { type T; type A; function g(xs: T..., a: A): A; function one(): A;
  axiom drop(xs: T..., a: A) { assert g(xs..., a) == a; };
};
implementation J = external C++ j.k { type T; type A; function one(): A; function g(x: T, y: T, a: A): A; };
program P = { use J; function h(x: T): A = g(x, x, one()); };
program Q = rewrite P with V 5;
concept W = { use V[T => A]; use signature(V); require type B; function c(b: B): A; };
