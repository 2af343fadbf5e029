// Conditions that are facts of their place, or made of such.
package tests.unit.check.facts imports backend.kokkos;

concept Clamping = {
  use signature(Integers);
  function clamp(a: Int, low: Int, high: Int): Int;
  axiom clampInside(a: Int, low: Int, high: Int) {
    assert low <= a && a <= high => clamp(a, low, high) == a;
  }
  function either(a: Int, b: Int): Int;
  axiom eitherFollows(a: Int, b: Int) { assert (0 <= a => 0 <= b) => either(a, b) == a; }
  function level(a: Int): Int;
  axiom levelIs(a: Int) { assert (a < 5 <=> 0 <= a) => level(a) == a; }
};

implementation Base = {
  use Integers;
  function clamp(a: Int, low: Int, high: Int): Int = max(low, min(a, high));
  function either(a: Int, b: Int): Int = a;
  function level(a: Int): Int = a;
  function two(a: Int, n: Int): Int guard 0 <= n && n <= 7 = a + n;
  function assumed(n: Int): Int = two(clamp(n, 0, 7), n);
  function checked(n: Int): Int guard 0 <= n && n <= 7 = clamp(n, 0, 7);
  function known(n: Int): Int = if 0 <= n && n <= 7 then clamp(n, 0, 7) else 0;
  function follows(n: Int): Int = either(n, n);
  function alike(n: Int): Int = if n < 5 && 0 <= n then level(n) else 0;
};

program After = rewrite Base with Clamping 10;
