// Smoothing over neighbours up to a distance of 3, with pads that are whole vectors of four
// elements, however many. Nothing else is known of their width when the rules are applied; that a
// multiple of 4 that is not 0 is at least 4 is left to the solver.
package specs.smooth.lanes
  imports backend.kokkos, arith.equality, moa.dnf, moa.indexwise, of.padding, of.specialize;

implementation Vectors = external Kokkos index {
  require type Offset;
  function _%_(a: Offset, b: Offset): Offset;
};

implementation Base = {
  use Arrays;
  use Vectors;
  require type Offset literals integer;
  require function padding(): Offset;
  function smooth(a: Array): Array guard 1 <= padding() && padding() % 4 == 0 =
    0.25 * rotate(a, 0, -3) + 0.5 * rotate(a, 0, 1) + 0.25 * rotate(a, 0, 3);
  procedure step(upd a: Array) { a = smooth(a); }
};

implementation DNF =
  rewrite
    (rewrite (implement ToIxwiseGenerator[op => smooth, opIx => smoothIx, E => Real] in Base)
     with ToIxwise[op => smooth] 1)
  with DNFRules[E => Real] 100;

implementation AnyLanes = rewrite DNF with OFPad[E => Real] 2;

program Lanes = {
  use AnyLanes;
  use PaddedSchedule[schedule => schedulePadded, element => smoothIx, E => Real];
  use FlatSchedule[element => smoothIx, E => Real];
  use Padding;
  require type Offset literals integer;
  function padding(): Offset = 4;
};
