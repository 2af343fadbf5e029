// Burgers' equation in three dimensions, u_t + (u . grad) u = nu laplace(u), on a
// periodic box: equation (8) of the P3 paper for each component, forward in time and
// central in space. A step advances all three components by dt.
package specs.burgers.burgers
  imports backend.kokkos, arith.equality, moa.dnf, moa.indexwise, of.padding, of.specialize;

implementation Parameters = external Kokkos parameters {
  require type Real;
  function nu(): Real;
  function dt(): Real;
  function dx(): Real;
  function dy(): Real;
  function dz(): Real;
};

program Base = {
  use Arrays;
  use Parameters;

  // Equation (8) for the component c of the velocity (u, v, w).
  function advance(c: Array, u: Array, v: Array, w: Array): Array =
    c - dt()/(2*dx()) * u * (rotate(c, 0, 1) - rotate(c, 0, -1))
      + nu()*dt()/(dx()*dx()) * (rotate(c, 0, 1) + rotate(c, 0, -1) - 2*c)
      - dt()/(2*dy()) * v * (rotate(c, 1, 1) - rotate(c, 1, -1))
      + nu()*dt()/(dy()*dy()) * (rotate(c, 1, 1) + rotate(c, 1, -1) - 2*c)
      - dt()/(2*dz()) * w * (rotate(c, 2, 1) - rotate(c, 2, -1))
      + nu()*dt()/(dz()*dz()) * (rotate(c, 2, 1) + rotate(c, 2, -1) - 2*c);

  procedure step(upd u: Array, upd v: Array, upd w: Array) {
    var u1 = advance(u, u, v, w);
    var v1 = advance(v, u, v, w);
    var w1 = advance(w, u, v, w);
    u = u1;
    v = v1;
    w = w1;
  }
};

program MoA = {
  use (rewrite
        (implement ToIxwiseGenerator[op => advance, opIx => advanceIx, E => Real] in Base)
       with ToIxwise[op => advance] 1);
  use FlatSchedule[element => advanceIx, E => Real];
};

program DNF = rewrite MoA with DNFRules[E => Real] 100;

implementation PaddedByOne = {
  require type Offset literals integer;
  function padding(): Offset = 1;
};

program Padded = {
  use (rewrite { use DNF; use PaddedByOne; } with OFPad[E => Real] 1);
  use PaddedSchedule[schedule => schedulePadded, element => advanceIx, E => Real];
  use Padding;
};

implementation Specialized3D =
  rewrite
    (rewrite
      (implement SpecializeGenerator3D[op => advanceIx, op3D => advanceIx3D, E => Real]
       in { use (rewrite DNF with NameAxes3D 10); use Axes3D; use Indices3D; use Psi3D[E => Real]; })
     with OFSpecializePsi3D[E => Real] 10)
  with OFReduceMakeIxRotate3D[E => Real] 20;

// The names that the rules use for axes.
implementation Axes3D = {
  require type Axis literals integer;
  function axis0(): Axis = 0;
  function axis1(): Axis = 1;
  function axis2(): Axis = 2;
};

program 3D = {
  use (rewrite Specialized3D
       with FunctionEquality[f => schedule, g => schedule3D, R => Array] 1);
  use Schedule3D[schedule => schedule3D, element => advanceIx3D, E => Real];
};

program 3DPadded = {
  use (rewrite
        (rewrite { use Specialized3D; use PaddedByOne; }
         with PadSchedule[schedulePadded => schedule3DPadded] 1)
       with OFEliminateModuloPadding3D[E => Real] 10);
  use PaddedSchedule3D[schedule => schedule3DPadded, element => advanceIx3D, E => Real];
  use Padding;
};
