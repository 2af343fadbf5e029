package squares imports backend.kokkos;

concept Clamping = {
  use signature(Integers);
  function clamp(a: Int, low: Int, high: Int): Int;
  axiom inside(a: Int, low: Int, high: Int) {
    assert low <= a && a <= high => clamp(a, low, high) == a;
  }
};

// A product takes more than the checker's arithmetic; without the guard it is too large.
implementation Base = {
  use Integers;
  function clamp(a: Int, low: Int, high: Int): Int = max(low, min(a, high));
  function square(k: Int): Int guard 0 <= k && k <= 7 = clamp(k * k, 0, 49);
};

implementation After = rewrite Base with Clamping 10;
