// Conditions about variables that are assigned.
package tests.unit.check.assignments imports backend.kokkos;

concept Clamping = {
  use signature(Integers);
  function clamp(a: Int, low: Int, high: Int): Int;
  axiom clampInside(a: Int, low: Int, high: Int) {
    assert low <= a && a <= high => clamp(a, low, high) == a;
  }
};

implementation Base = {
  use Integers;
  function clamp(a: Int, low: Int, high: Int): Int = max(low, min(a, high));
  procedure tested(upd x: Int) { if 0 < x && x < 3 then { x = clamp(x, 0, 3); } else skip; };
  procedure guarded(upd x: Int) guard 0 < x && x < 3 { x = clamp(x, 0, 3); };
  procedure asserted(upd x: Int) { assert 0 < x && x < 3; x = clamp(x, 0, 3); };
  procedure counted(out y: Int) { var x = 2; x = x + 1; y = clamp(x, 3, 3); };
  procedure moved(upd x: Int) guard 0 <= x && x <= 5 { x = x + 5; x = x - 1; x = clamp(x, 4, 9); };
  procedure looped(upd x: Int, obs n: Int) {
    for i in 0 .. n { x = clamp(i, 0, n - 1); };
    while x < 5 bound 10 { x = clamp(x + 1, x, 5); };
  };
  procedure emptied(obs y: Int, upd x: Int) guard 0 <= y && y <= 9 {
    var n = y;
    for i in 0 .. n { x = clamp(i, 0, 9); n = 0; };
    n = y;
    for i in n - y .. n { x = clamp(y, 1, 9); n = 0; };
  };
  procedure apart(upd x: Int) { if x < 3 then { x = 7; x = clamp(x, 7, 7); } else { x = clamp(x, 3, x); }; };
};

program After = rewrite Base with Clamping 10;
