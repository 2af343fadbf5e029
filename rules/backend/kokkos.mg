// The operations that every backend of Rhopsi provides, under their own names.
// A program takes what it needs and renames it: `use Reals[Real => Float];`.
// What each path offers is listed in docs/language.md, "Externals".
package backend.kokkos;

// Numbers in the element type of the run (--dtype float or double).
implementation Reals = external Kokkos scalar {
  type Real literals real;

  function _+_(a: Real, b: Real): Real;
  function _-_(a: Real, b: Real): Real;
  function _*_(a: Real, b: Real): Real;
  function _/_(a: Real, b: Real): Real;
  function -_(a: Real): Real;

  function min(a: Real, b: Real): Real;
  function max(a: Real, b: Real): Real;
  function abs(a: Real): Real;
  function sqrt(a: Real): Real;
  function exp(a: Real): Real;
  function log(a: Real): Real;
  function sin(a: Real): Real;
  function cos(a: Real): Real;
  function tanh(a: Real): Real;
  function pow(a: Real, b: Real): Real;
  function select(c: Predicate, a: Real, b: Real): Real;

  predicate _<_(a: Real, b: Real);
  predicate _<=_(a: Real, b: Real);
  predicate _>_(a: Real, b: Real);
  predicate _>=_(a: Real, b: Real);
};

// 64-bit integers; `/` and `%` are Euclidean.
implementation Integers = external Kokkos scalar {
  type Int literals integer;

  function _+_(a: Int, b: Int): Int;
  function _-_(a: Int, b: Int): Int;
  function _*_(a: Int, b: Int): Int;
  function _/_(a: Int, b: Int): Int;
  function _%_(a: Int, b: Int): Int;
  function -_(a: Int): Int;

  function min(a: Int, b: Int): Int;
  function max(a: Int, b: Int): Int;
  function abs(a: Int): Int;
  function select(c: Predicate, a: Int, b: Int): Int;

  predicate _<_(a: Int, b: Int);
  predicate _<=_(a: Int, b: Int);
  predicate _>_(a: Int, b: Int);
  predicate _>=_(a: Int, b: Int);
};

// Indices, axes, offsets and lengths of the domain that a run works on.
implementation Indices = external Kokkos index {
  type Index literals vector;
  type Axis literals integer;
  type Offset literals integer;
  type ScalarIndex literals integer;
  type AxisLength literals integer;

  // Component `axis` becomes (p + offset) mod the length of that axis.
  function rotateIx(ix: Index, axis: Axis, offset: Offset): Index;
  // The same without the modulo: the result may lie in the padding.
  function rotateIxPadded(ix: Index, axis: Axis, offset: Offset): Index;
  // Every component is at least 0 and less than its axis' length.
  predicate inside(ix: Index);

  function -_(o: Offset): Offset;
  function _+_(a: Offset, b: Offset): Offset;
  function _-_(a: Offset, b: Offset): Offset;
  predicate _<=_(a: Offset, b: Offset);

  function _+_(i: ScalarIndex, o: Offset): ScalarIndex;
  function _%_(i: ScalarIndex, s: AxisLength): ScalarIndex;
  predicate _<=_(a: ScalarIndex, b: ScalarIndex);
  predicate _<_(i: ScalarIndex, s: AxisLength);
};

// Making indices from components and taking them apart, and the domain's lengths.
implementation Indices1D = external Kokkos index {
  require type Index;
  require type ScalarIndex;
  require type AxisLength;
  function mkIx(i: ScalarIndex): Index;
  function ix0(ix: Index): ScalarIndex;
  function shape0(): AxisLength;
};

implementation Indices2D = external Kokkos index {
  require type Index;
  require type ScalarIndex;
  require type AxisLength;
  function mkIx(i: ScalarIndex, j: ScalarIndex): Index;
  function ix0(ix: Index): ScalarIndex;
  function ix1(ix: Index): ScalarIndex;
  function shape0(): AxisLength;
  function shape1(): AxisLength;
};

implementation Indices3D = external Kokkos index {
  require type Index;
  require type ScalarIndex;
  require type AxisLength;
  function mkIx(i: ScalarIndex, j: ScalarIndex, k: ScalarIndex): Index;
  function ix0(ix: Index): ScalarIndex;
  function ix1(ix: Index): ScalarIndex;
  function ix2(ix: Index): ScalarIndex;
  function shape0(): AxisLength;
  function shape1(): AxisLength;
  function shape2(): AxisLength;
};

// Arrays over the domain with elements of type E. Operations that return an array
// make a fresh one.
implementation ArrayOperations = external Kokkos array {
  require type E;
  require type Index;
  require type Axis;
  require type Offset;
  type Array;

  function psi(ix: Index, array: Array): E;
  function rotate(array: Array, axis: Axis, offset: Offset): Array;

  function _+_(a: E, b: Array): Array;
  function _-_(a: E, b: Array): Array;
  function _*_(a: E, b: Array): Array;
  function _/_(a: E, b: Array): Array;
  function _+_(a: Array, b: E): Array;
  function _-_(a: Array, b: E): Array;
  function _*_(a: Array, b: E): Array;
  function _/_(a: Array, b: E): Array;
  function _+_(a: Array, b: Array): Array;
  function _-_(a: Array, b: Array): Array;
  function _*_(a: Array, b: Array): Array;
  function _/_(a: Array, b: Array): Array;

  function min(a: Array, b: Array): Array;
  function max(a: Array, b: Array): Array;
  function min(a: E, b: Array): Array;
  function max(a: E, b: Array): Array;
  function min(a: Array, b: E): Array;
  function max(a: Array, b: E): Array;

  function -_(a: Array): Array;
  function abs(a: Array): Array;
  function sqrt(a: Array): Array;
  function exp(a: Array): Array;
  function log(a: Array): Array;
  function sin(a: Array): Array;
  function cos(a: Array): Array;
  function tanh(a: Array): Array;
};

implementation Psi1D = external Kokkos array {
  require type E;
  require type ScalarIndex;
  require type Array;
  function psi(i: ScalarIndex, array: Array): E;
};

implementation Psi2D = external Kokkos array {
  require type E;
  require type ScalarIndex;
  require type Array;
  function psi(i: ScalarIndex, j: ScalarIndex, array: Array): E;
};

implementation Psi3D = external Kokkos array {
  require type E;
  require type ScalarIndex;
  require type Array;
  function psi(i: ScalarIndex, j: ScalarIndex, k: ScalarIndex, array: Array): E;
};

// In place of a width that is stated: the least one for which every rule that needs pads fires.
implementation AutoPadding = external Kokkos padding.auto {
  require type Offset;
  function padding(): Offset;
};

// A program that uses it lets sums and products of reals be computed in another order than the one
// written, and joined; the last digits then differ.
implementation Reassociation = external Kokkos reassociation {
  predicate reassociates();
};

// What an array program starts from: reals, indices and arrays of reals.
implementation Arrays = {
  use Reals;
  use Indices;
  use ArrayOperations[E => Real];
};

// Schedules: element p of schedule(xs...) is element(xs..., p) (or, with components,
// element(xs..., i, j, ...)), for every total index p of the domain.
implementation FlatSchedule = external Kokkos schedule.flat {
  type T...;
  require type E;
  require type Array;
  require type Index;
  require function element(xs: T..., ix: Index): E;
  function schedule(xs: T...): Array;
};

implementation Schedule1D = external Kokkos schedule.nested {
  type T...;
  require type E;
  require type Array;
  require type ScalarIndex;
  require function element(xs: T..., i: ScalarIndex): E;
  function schedule(xs: T...): Array;
};

implementation Schedule2D = external Kokkos schedule.nested {
  type T...;
  require type E;
  require type Array;
  require type ScalarIndex;
  require function element(xs: T..., i: ScalarIndex, j: ScalarIndex): E;
  function schedule(xs: T...): Array;
};

implementation Schedule3D = external Kokkos schedule.nested {
  type T...;
  require type E;
  require type Array;
  require type ScalarIndex;
  require function element(xs: T..., i: ScalarIndex, j: ScalarIndex, k: ScalarIndex): E;
  function schedule(xs: T...): Array;
};

// The same over arrays that hold padding() more elements on both ends of each axis.
// The paddings of the result are stale until refillPadding.
implementation PaddedSchedule = external Kokkos schedule.padded {
  type T...;
  require type E;
  require type Array;
  require type Index;
  require type Offset;
  require function padding(): Offset;
  require function element(xs: T..., ix: Index): E;
  function schedule(xs: T...): Array;
};

implementation PaddedSchedule1D = external Kokkos schedule.padded {
  type T...;
  require type E;
  require type Array;
  require type ScalarIndex;
  require type Offset;
  require function padding(): Offset;
  require function element(xs: T..., i: ScalarIndex): E;
  function schedule(xs: T...): Array;
};

implementation PaddedSchedule2D = external Kokkos schedule.padded {
  type T...;
  require type E;
  require type Array;
  require type ScalarIndex;
  require type Offset;
  require function padding(): Offset;
  require function element(xs: T..., i: ScalarIndex, j: ScalarIndex): E;
  function schedule(xs: T...): Array;
};

implementation PaddedSchedule3D = external Kokkos schedule.padded {
  type T...;
  require type E;
  require type Array;
  require type ScalarIndex;
  require type Offset;
  require function padding(): Offset;
  require function element(xs: T..., i: ScalarIndex, j: ScalarIndex, k: ScalarIndex): E;
  function schedule(xs: T...): Array;
};

// The paddings take the values of the opposite ends, corners included.
implementation Padding = external Kokkos padding {
  require type Array;
  require type Offset;
  require function padding(): Offset;
  procedure refillPadding(upd a: Array);
};
