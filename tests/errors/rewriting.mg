package rewriting;

implementation Ext = external C++ lib.x { type T; predicate p(x: T); function f(x: T): T; };
signature Sig = signature(Ext);
concept Variable = { use Sig; axiom v(x: T) { assert x == f(x); } };
concept Right = {
  use Sig;
  axiom r(x: T, y: T) {
    assert f(f(x)) == f(x);
    assert f(x) == f(f(y));
  }
};
concept Condition = { use Sig; axiom c(x: T, y: T) guard p(y) { assert f(x) == x; } };
program P = { use Ext; function g(x: T): T = f(x); };
program Q = rewrite P with Variable 1;
program R = rewrite P with Right 1;
program S = rewrite P with Condition 1;
program U = rewrite P with Sig 1;
program V = rewrite P with Nothing 1;
