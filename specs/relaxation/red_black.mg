// Gauss-Seidel relaxation of laplace(u) = f on a periodic plane, in the order of a chessboard: all
// points of one colour, then all of the other one, which read what the first have become. `f` is
// the right side times dx^2. Where a length is odd, two neighbours across the end of that axis have
// one colour, and there both read what was before the half sweep.
package specs.relaxation.red_black
  imports backend.kokkos, moa.dnf, moa.indexwise, specs.schedules.stencil;

implementation Places = external Kokkos index {
  require type Index;
  require type ScalarIndex;
  function ix0(ix: Index): ScalarIndex;
  function ix1(ix: Index): ScalarIndex;
  function _+_(a: ScalarIndex, b: ScalarIndex): ScalarIndex;
};

// a on the points of one colour, b on the others.
concept Chessboard = {
  use signature(Arrays);
  use signature(Places);
  function on_red(a: Array, b: Array): Array;
  function on_black(a: Array, b: Array): Array;
  axiom onRed(a: Array, b: Array, ix: Index) {
    assert psi(ix, on_red(a, b)) ==
      (if (ix0(ix) + ix1(ix)) % 2 == 0 then psi(ix, a) else psi(ix, b));
  }
  axiom onBlack(a: Array, b: Array, ix: Index) {
    assert psi(ix, on_black(a, b)) ==
      (if (ix0(ix) + ix1(ix)) % 2 == 0 then psi(ix, b) else psi(ix, a));
  }
};

implementation Solver = {
  use Arrays;
  use Places;
  use signature(Chessboard);
  function relaxed(u: Array, f: Array): Array =
    0.25 * (rotate(u, 0, 1) + rotate(u, 0, -1) + rotate(u, 1, 1) + rotate(u, 1, -1) - f);
  function red(u: Array, f: Array): Array = on_red(relaxed(u, f), u);
  function black(u: Array, f: Array): Array = on_black(relaxed(u, f), u);
  procedure step(upd u: Array, obs f: Array) {
    u = red(u, f);
    u = black(u, f);
  }
  // All points at once, from what was before.
  procedure jacobi(upd u: Array, obs f: Array) { u = relaxed(u, f); }
};

// The operations on the chessboard, element by element as their axioms say.
program Base = {
  use (rewrite
        (implement ToIxwiseGenerator[op => on_red, opIx => on_redIx, E => Real] in
         implement ToIxwiseGenerator[op => on_black, opIx => on_blackIx, E => Real] in Solver)
       with Chessboard 10);
  use FlatSchedule[schedule => on_red, element => on_redIx, E => Real];
  use FlatSchedule[schedule => on_black, element => on_blackIx, E => Real];
};

concept Elements = {
  use ToIxwiseGenerator[T => T0, op => red, opIx => redIx, toIxwiseGenerator => redGenerator];
  use ToIxwiseGenerator[T => T1, op => black, opIx => blackIx, toIxwiseGenerator => blackGenerator];
  use ToIxwiseGenerator[T => T2, op => relaxed, opIx => relaxedIx,
                        toIxwiseGenerator => relaxedGenerator];
};
concept Loops = {
  use ToIxwise[T => T0, op => red, schedule => redAll, toIxwiseRule => redRule];
  use ToIxwise[T => T1, op => black, schedule => blackAll, toIxwiseRule => blackRule];
  use ToIxwise[T => T2, op => relaxed, schedule => relaxedAll, toIxwiseRule => relaxedRule];
};
concept Rules = {
  use DNFRules[E => Real];
  use Chessboard;
};

program DNF = {
  use (rewrite
        (rewrite (implement Elements[E => Real] in Base) with Loops 10)
       with Rules 100);
  use FlatSchedule[schedule => redAll, element => redIx, E => Real];
  use FlatSchedule[schedule => blackAll, element => blackIx, E => Real];
  use FlatSchedule[schedule => relaxedAll, element => relaxedIx, E => Real];
};

// Both colours in one pass over memory, black one plane behind red, in place.
schedule by_turns for DNF on step = {
  use planes;
  require in_place;
};
