// The derivation of burgers.mg once for all widths of pads: rules are applied where nothing is
// known of the shapes, of the parameters and of padding() but that it is at least 1, which what is
// derived needs. A program then states the width.
package specs.burgers.pads
  imports backend.kokkos, arith.equality, moa.dnf, moa.indexwise, of.padding, of.specialize
        , specs.burgers.burgers;

implementation SomePads = {
  require type Array;
  require type Offset literals integer;
  require predicate _<=_(a: Offset, b: Offset);
  require function padding(): Offset;
  function advance(c: Array, u: Array, v: Array, w: Array): Array guard 1 <= padding();
};

implementation DNFAnyPads =
  rewrite
    (rewrite
      (implement ToIxwiseGenerator[op => advance, opIx => advanceIx, E => Real]
       in { use Base; use SomePads; })
     with ToIxwise[op => advance] 1)
  with DNFRules[E => Real] 100;

implementation Everywhere = FlatSchedule[element => advanceIx, E => Real];

// By indices.
implementation PaddedAnyPads = rewrite DNFAnyPads with OFPad[E => Real] 2;

// By components: no modulo is left.
implementation 3DAnyPads =
  rewrite
    (rewrite
      (rewrite
        (rewrite
          (implement SpecializeGenerator3D[op => advanceIx, op3D => advanceIx3D, E => Real]
           in { use (rewrite DNFAnyPads with NameAxes3D 10); use Axes3D; use Indices3D;
                use Psi3D[E => Real]; })
         with OFSpecializePsi3D[E => Real] 10)
       with OFReduceMakeIxRotate3D[E => Real] 20)
     with PadSchedule[schedulePadded => schedule3DPadded] 1)
  with OFEliminateModuloPadding3D[E => Real] 10;

implementation Padded3D = {
  use 3DAnyPads;
  use Everywhere;
  use PaddedSchedule3D[schedule => schedule3DPadded, element => advanceIx3D, E => Real];
  use Padding;
};
program Pads1 = { use Padded3D; use PaddedByOne; };
program Pads2 = { use Padded3D; require type Offset; function padding(): Offset = 2; };
program Pads3 = { use Padded3D; require type Offset; function padding(): Offset = 3; };

// No width at all: the least for which every modulo goes away is found.
program FoundPads = {
  use (rewrite
        (rewrite { use Specialized3D; use AutoPadding; }
         with PadSchedule[schedulePadded => schedule3DPadded] 1)
       with OFEliminateModuloPadding3D[E => Real] 10);
  use PaddedSchedule3D[schedule => schedule3DPadded, element => advanceIx3D, E => Real];
  use Padding;
};

program ByIndex = {
  use PaddedAnyPads;
  use Everywhere;
  use PaddedByOne;
  use PaddedSchedule[schedule => schedulePadded, element => advanceIx, E => Real];
  use Padding;
};
