// The solver of the P3 paper and its six programs.
//
// Listing 5 stands as it was printed, with two properties that docs/burgers.md
// explains: its diffusion term uses u0 for all three components, and its step advances
// half of dt. burgers.mg beside this file has neither.
package specs.burgers.paper
  imports backend.kokkos, arith.equality, moa.dnf, moa.indexwise, of.padding, of.specialize;

// Listing 5.
implementation Solver = {
  require type Array;
  require type Float;
  require type Axis;
  require type Offset;
  use signature(ArrayAPI);

  procedure step(upd u0: Array, upd u1: Array, upd u2: Array) {
    var v0 = u0;
    var v1 = u1;
    var v2 = u2;

    v0 = substep(v0, u0, u0, u1, u2);
    v1 = substep(v1, u1, u0, u1, u2);
    v2 = substep(v2, u2, u0, u1, u2);
    u0 = substep(u0, v0, u0, u1, u2);
    u1 = substep(u1, v1, u0, u1, u2);
    u2 = substep(u2, v2, u0, u1, u2);
  }

  function substep(u: Array, v: Array, u0: Array, u1: Array, u2: Array): Array =
    u + dt()/(two(): Float) * (nu() * ((one(): Float)/dx()/dx() *
      (rotate(v, zero(), -one(): Offset) +
       rotate(v, zero(), one(): Offset) +
       rotate(v, one(): Axis, -one(): Offset) +
       rotate(v, one(): Axis, one(): Offset) +
       rotate(v, two(): Axis, -one(): Offset) +
       rotate(v, two(): Axis, one(): Offset)) -
      three() * (two(): Float)/dx()/dx() * u0) -
      (one(): Float)/(two(): Float)/dx() *
      ((rotate(v, zero(), one(): Offset) -
        rotate(v, zero(), -one(): Offset)) * u0 +
       (rotate(v, one(): Axis, one(): Offset) -
        rotate(v, one(): Axis, -one(): Offset)) * u1 +
       (rotate(v, two(): Axis, one(): Offset) -
        rotate(v, two(): Axis, -one(): Offset)) * u2));

  /* Float ops */
  require function -_(f: Float): Float;
  require function one(): Float;
  require function two(): Float;
  require function three(): Float;

  /* Axis utils */
  require function zero(): Axis;
  require function one(): Axis;
  require function two(): Axis;

  /* Offset utils */
  require function one(): Offset;
  require function -_(o: Offset): Offset;

  /* Problem-specific parameters */
  require function nu(): Float;
  require function dt(): Float;
  require function dx(): Float;
};

// Listing 3.
signature ArrayAPI = {
  type Array;
  type Float;
  type Axis;
  type Index;
  type Offset;

  /* Scalar-Scalar operations */
  function _+_(lhs: Float, rhs: Float): Float;
  function _-_(lhs: Float, rhs: Float): Float;
  function _*_(lhs: Float, rhs: Float): Float;
  function _/_(lhs: Float, rhs: Float): Float;

  /* Scalar-Array operations */
  function _+_(lhs: Float, rhs: Array): Array;
  function _-_(lhs: Float, rhs: Array): Array;
  function _*_(lhs: Float, rhs: Array): Array;
  function _/_(lhs: Float, rhs: Array): Array;

  /* Array-Array operations */
  function _+_(lhs: Array, rhs: Array): Array;
  function _-_(lhs: Array, rhs: Array): Array;
  function _*_(lhs: Array, rhs: Array): Array;
  function _/_(lhs: Array, rhs: Array): Array;

  /* Rotation and indexing */
  function rotate(array: Array, axis: Axis, offset: Offset): Array;
  function psi(ix: Index, array: Array): Float;
};

implementation Parameters = external Kokkos parameters {
  require type Float;
  function nu(): Float;
  function dt(): Float;
  function dx(): Float;
};

// The constants that the listing names.
implementation Constants = {
  require type Float literals real;
  require type Axis literals integer;
  require type Offset literals integer;
  function one(): Float = 1;
  function two(): Float = 2;
  function three(): Float = 3;
  function zero(): Axis = 0;
  function one(): Axis = 1;
  function two(): Axis = 2;
  function one(): Offset = 1;
};

// Every operation on whole arrays, as it is written.
program Base = {
  use Solver;
  use Arrays[Real => Float];
  use Constants;
  use Parameters;
};

// Listing 6: one element of substep, and a schedule that computes them all.
renaming SubstepNames = [ op => substep, opIx => substepIx, E => Float ];

program MoA = {
  use (rewrite
        (implement ToIxwiseGenerator[SubstepNames] in Base)
       with ToIxwise[op => substep] 1);
  use FlatSchedule[element => substepIx, E => Float];
};

// Listing 10.
program DNF = rewrite MoA with DNFRules[E => Float] 20;

// Each array is padded by one element on both ends of every axis.
implementation PaddedByOne = {
  require type Offset literals integer;
  function padding(): Offset = 1;
};

// Listing 11.
program Padded = {
  use (rewrite { use DNF; use PaddedByOne; } with OFPad[E => Float] 1);
  use PaddedSchedule[schedule => schedulePadded, element => substepIx, E => Float];
  use Padding;
};

// Listing 12 without its last two steps: indices as three components.
implementation Specialized3D =
  rewrite
    (rewrite
      (implement SpecializeGenerator3D[op => substepIx, op3D => substepIx3D, E => Float]
       in { use DNF; use Indices3D; use Psi3D[E => Float]; })
     with OFSpecializePsi3D[E => Float] 10)
  with OFReduceMakeIxRotate3D[E => Float, axis0 => zero, axis1 => one, axis2 => two] 20;

program 3D = {
  use (rewrite Specialized3D
       with FunctionEquality[f => schedule, g => schedule3D, R => Array] 1);
  use Schedule3D[schedule => schedule3D, element => substepIx3D, E => Float];
};

// Listing 12.
program 3DPadded = {
  use (rewrite
        (rewrite { use Specialized3D; use PaddedByOne; }
         with PadSchedule[schedulePadded => schedule3DPadded] 1)
       with OFEliminateModuloPadding3D[E => Float, axis0 => zero, axis1 => one, axis2 => two] 10);
  use PaddedSchedule3D[schedule => schedule3DPadded, element => substepIx3D, E => Float];
  use Padding;
};
