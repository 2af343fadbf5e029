// What the rules say of the operations that the backends provide. No proof reaches these, so
// `rhopsi verify` and `rhopsi test` compute both sides by the reference backend, on many domains.
package backend.models imports backend.kokkos, moa.dnf, of.padding, of.specialize;

satisfaction BackendHasNormalForms = Arrays models DNFRules[E => Real];

implementation OnePadded = {
  use Arrays;
  use Padding;
  function padding(): Offset = 1;
};
implementation TwoPadded = {
  use Arrays;
  use Padding;
  function padding(): Offset = 2;
};
satisfaction BackendPadsByOne = OnePadded models PadRotate[E => Real];
satisfaction BackendPadsByTwo = TwoPadded models PadRotate[E => Real];

// On a domain of that many axes, components say the same as an index.
implementation Lengths = external Kokkos index {
  require type Index;
  require type AxisLength;
  function len(ix: Index): AxisLength;
};
concept OneAxis = {
  use Arrays;
  use Indices1D;
  use Psi1D[E => Real];
  use Lengths;
  axiom oneComponent(ix: Index) { assert len(ix) == 1; }
};
concept TwoAxes = {
  use Arrays;
  use Indices2D;
  use Psi2D[E => Real];
  use Lengths;
  axiom twoComponents(ix: Index) { assert len(ix) == 2; }
};
concept ThreeAxes = {
  use Arrays;
  use Indices3D;
  use Psi3D[E => Real];
  use Lengths;
  axiom threeComponents(ix: Index) { assert len(ix) == 3; }
};
satisfaction BackendPsi1D = OneAxis models OFSpecializePsi1D[E => Real];
satisfaction BackendPsi2D = TwoAxes models OFSpecializePsi2D[E => Real];
satisfaction BackendPsi3D = ThreeAxes models OFSpecializePsi3D[E => Real];

implementation Components1D = {
  use OnePadded;
  use Indices1D;
  use Psi1D[E => Real];
  require type Axis literals integer;
  function axis0(): Axis = 0;
};
implementation Components2D = {
  use OnePadded;
  use Indices2D;
  use Psi2D[E => Real];
  require type Axis literals integer;
  function axis0(): Axis = 0;
  function axis1(): Axis = 1;
};
implementation Components3D = {
  use OnePadded;
  use Indices3D;
  use Psi3D[E => Real];
  require type Axis literals integer;
  function axis0(): Axis = 0;
  function axis1(): Axis = 1;
  function axis2(): Axis = 2;
};
satisfaction BackendRotate1D = Components1D models OFReduceMakeIxRotate1D[E => Real];
satisfaction BackendRotate2D = Components2D models OFReduceMakeIxRotate2D[E => Real];
satisfaction BackendRotate3D = Components3D models OFReduceMakeIxRotate3D[E => Real];
satisfaction BackendModulo1D = Components1D models OFEliminateModuloPadding1D[E => Real];
satisfaction BackendModulo2D = Components2D models OFEliminateModuloPadding2D[E => Real];
satisfaction BackendModulo3D = Components3D models OFEliminateModuloPadding3D[E => Real];
