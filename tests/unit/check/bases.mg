// Conditions that follow from a guard or an assertion, about what statements assign.
package tests.unit.check.bases imports backend.kokkos;

concept Rules = {
  use signature(Integers);
  function n(p: Int): Int;
  function h(p: Int): Int;
  axiom small(p: Int) { assert 0 <= p && p <= 9 => n(p) == h(p); }
};

implementation Base = {
  use Integers;
  require function n(p: Int): Int;
  require function h(p: Int): Int;
  procedure moved(upd x: Int, out r: Int) guard 2 <= x && x <= 5 {
    x = x + 3;
    r = n(x);
  };
  procedure asserted(upd x: Int, obs y: Int, out r: Int) {
    r = h(x);
    x = r;
    assert 3 <= y;
    assert y <= 7;
    r = n(y);
  };
};

implementation After = rewrite Base with Rules 10;
