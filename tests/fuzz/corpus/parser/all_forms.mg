package a.b imports c, d.e-f;
// every kind of declaration
concept Group = { type G; function _+_(a: G, b: G): G; function zero(): G; function -_(a: G): G;
  axiom associative(a: G, b: G, c: G) { assert (a + b) + c == a + (b + c); };
  axiom inverse(a: G) guard a != zero() { assert a + -a == zero(); };
  theorem other(xs: G..., a: G) { var b = f(xs..., a)[0 : 3]; assert b == {value b;}; };
};
renaming R = [ G => E, _+_ => plus ];
implementation I = external C++ lib.ops { require type E literals integer; procedure p(upd a: E, obs b: E, out c: E); };
signature S = Group[R][[ zero => nil ]];
program P = { use (rewrite (implement Group in I) with Group[G => E] 10); use I;
  function f(a: E): E guard ok(a) && !(0 <= i && i < 3) = if ok(a) then fold _+_ (k < n) at(a, k) else [1, 2.5, x].y;
  procedure q(upd a: E) { for i in 0..n { a = a + i * 2 - -1; }; while a < b { call p(a, b, c); skip; }; };
};
program Q = rewrite P with Group by innermost(repeat(try(all))) 7;
satisfaction M = I with S models Group[G => E];
schedule fast = { pad 2; use slow on f; fuse; pipeline 3; };
/* unended /* nested */ comment */
