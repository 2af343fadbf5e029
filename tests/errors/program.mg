package program;

implementation Ext = external C++ lib.x {
  type T;
  require type U;
  function c(): T;
  require function g(u: U): T;
};
signature Sig = { type T; function op(a: T): T; };
program P = {
  use Ext;
  use Sig[op => first];
  use Sig[op => second];
  function f(): T = c();
};
program Uses = P;
