package merging;

implementation One = {
  type T;
  function c(): T;
  function d(): T;
  function f(): T = c();
  procedure p(upd a: T);
};
implementation Two = {
  use signature(One)[[p => q]];
  function f(): T = d();
};
implementation Both = { use One; use Two; };
signature Modes = { use signature(One); procedure p(obs a: T); };
implementation X = external C++ lib.x { type T; };
implementation Y = external C++ lib.y { type T; };
implementation XY = { use X; use Y; };
concept Axiom = { type T; axiom a(x: T, y: T) { assert x == y; } };
concept Axioms = { use Axiom; axiom a(x: T, y: T) { assert y == x; } };
