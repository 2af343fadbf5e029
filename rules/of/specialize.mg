// Indices as components: specialisation to a rank, reduction of rotated indices, and
// elimination of the modulo under padding. P3 paper, Listings 12-16 and 24-26; the
// paper's modulo elimination has no condition, here it has the one that makes it true.
package of.specialize;

// ---------------------------------------------------------------- 1 axis

// `implement SpecializeGenerator1D[op => fIx, op1D => fIx1D] in P`: fIx at an index
// made of one component, which lie inside the domain.
concept SpecializeGenerator1D = {
  type T...;
  type E;
  type Index;
  type ScalarIndex literals integer;
  type AxisLength;
  function shape0(): AxisLength;
  predicate _<=_(a: ScalarIndex, b: ScalarIndex);
  predicate _<_(i: ScalarIndex, s: AxisLength);
  function mkIx(i: ScalarIndex): Index;
  predicate inside(ix: Index);
  function op(xs: T..., ix: Index): E;
  function op1D(xs: T..., i: ScalarIndex): E
    guard  0 <= i && i < shape0();
  axiom specializeRule(xs: T..., i: ScalarIndex) {
    assert op1D(xs..., i) == op(xs..., mkIx(i));
  }
  // What the guard of op says of such an index, op1D says of the components.
  axiom insideMadeIndex(i: ScalarIndex) {
    assert inside(mkIx(i)) <=>
      0 <= i && i < shape0();
  }
};

// Indexing takes components, and components of a made index are what it was made of.
concept OFSpecializePsi1D = {
  type E;
  type Array;
  type Index;
  type ScalarIndex;
  function ix0(ix: Index): ScalarIndex;
  function mkIx(i: ScalarIndex): Index;
  function psi(ix: Index, array: Array): E;
  function psi(i: ScalarIndex, array: Array): E;
  axiom specializePsiRule(ix: Index, array: Array) {
    assert psi(ix, array) == psi(ix0(ix), array);
  }
  axiom reduceMakeIxRule(i: ScalarIndex) {
    var ix = mkIx(i);
    assert ix0(ix) == i;
  }
};

// A rotated index, component by component: (p + o) mod s on its axis.
concept OFReduceMakeIxRotate1D = {
  use signature(OFSpecializePsi1D);
  type Axis;
  type Offset;
  type AxisLength;
  function axis0(): Axis;
  function shape0(): AxisLength;
  function rotateIx(ix: Index, axis: Axis, offset: Offset): Index;
  function _+_(i: ScalarIndex, o: Offset): ScalarIndex;
  function _%_(i: ScalarIndex, s: AxisLength): ScalarIndex;
  axiom reduceMakeIxRotateRule(i: ScalarIndex, o: Offset) {
    var ix = mkIx(i);
    var s0 = shape0();
    assert ix0(rotateIx(ix, axis0(), o)) == (i + o) % s0;
  }
};

// The same for rotations of rotations: a rotated made index is a made index.
concept OFRotateMakeIx1D = {
  use signature(OFReduceMakeIxRotate1D);
  axiom rotateMakeIxRule(i: ScalarIndex, o: Offset) {
    assert rotateIx(mkIx(i), axis0(), o) == mkIx((i + o) % shape0());
  }
};

// Axes written as numbers take the names that the rules above use.
concept NameAxes1D = {
  type Axis literals integer;
  function axis0(): Axis;
  axiom nameAxesRule() {
    assert (0: Axis) == axis0();
  }
};

// With enough padding an access next to the index needs no modulo.
//   psi((i + 1) % shape0(), a)  =>  psi(i + 1, a)   where 1 <= padding(), 0 <= i < shape0()
concept OFEliminateModuloPadding1D = {
  use signature(OFReduceMakeIxRotate1D);
  type ScalarIndex literals integer;
  function padding(): Offset;
  function -_(o: Offset): Offset;
  predicate _<=_(a: Offset, b: Offset);
  predicate _<=_(a: ScalarIndex, b: ScalarIndex);
  predicate _<_(i: ScalarIndex, s: AxisLength);
  axiom eliminateModuloPaddingRule(i: ScalarIndex, a: Array, o: Offset)
      guard -padding() <= o && o <= padding() {
    assert 0 <= i && i < shape0() =>
      psi((i + o) % shape0(), a) == psi(i + o, a);
  }
};

// ---------------------------------------------------------------- 2 axes

// `implement SpecializeGenerator2D[op => fIx, op2D => fIx2D] in P`: fIx at an index
// made of 2 components, which lie inside the domain.
concept SpecializeGenerator2D = {
  type T...;
  type E;
  type Index;
  type ScalarIndex literals integer;
  type AxisLength;
  function shape0(): AxisLength;
  function shape1(): AxisLength;
  predicate _<=_(a: ScalarIndex, b: ScalarIndex);
  predicate _<_(i: ScalarIndex, s: AxisLength);
  function mkIx(i: ScalarIndex, j: ScalarIndex): Index;
  predicate inside(ix: Index);
  function op(xs: T..., ix: Index): E;
  function op2D(xs: T..., i: ScalarIndex, j: ScalarIndex): E
    guard  0 <= i && i < shape0()
           && 0 <= j && j < shape1();
  axiom specializeRule(xs: T..., i: ScalarIndex, j: ScalarIndex) {
    assert op2D(xs..., i, j) == op(xs..., mkIx(i, j));
  }
  // What the guard of op says of such an index, op2D says of the components.
  axiom insideMadeIndex(i: ScalarIndex, j: ScalarIndex) {
    assert inside(mkIx(i, j)) <=>
      0 <= i && i < shape0()
      && 0 <= j && j < shape1();
  }
};

// Indexing takes components, and components of a made index are what it was made of.
concept OFSpecializePsi2D = {
  type E;
  type Array;
  type Index;
  type ScalarIndex;
  function ix0(ix: Index): ScalarIndex;
  function ix1(ix: Index): ScalarIndex;
  function mkIx(i: ScalarIndex, j: ScalarIndex): Index;
  function psi(ix: Index, array: Array): E;
  function psi(i: ScalarIndex, j: ScalarIndex, array: Array): E;
  axiom specializePsiRule(ix: Index, array: Array) {
    assert psi(ix, array) == psi(ix0(ix), ix1(ix), array);
  }
  axiom reduceMakeIxRule(i: ScalarIndex, j: ScalarIndex) {
    var ix = mkIx(i, j);
    assert ix0(ix) == i;
    assert ix1(ix) == j;
  }
};

// A rotated index, component by component: (p + o) mod s on its axis.
concept OFReduceMakeIxRotate2D = {
  use signature(OFSpecializePsi2D);
  type Axis;
  type Offset;
  type AxisLength;
  function axis0(): Axis;
  function axis1(): Axis;
  function shape0(): AxisLength;
  function shape1(): AxisLength;
  function rotateIx(ix: Index, axis: Axis, offset: Offset): Index;
  function _+_(i: ScalarIndex, o: Offset): ScalarIndex;
  function _%_(i: ScalarIndex, s: AxisLength): ScalarIndex;
  axiom reduceMakeIxRotateRule(i: ScalarIndex, j: ScalarIndex, o: Offset) {
    var ix = mkIx(i, j);
    var s0 = shape0();
    var s1 = shape1();
    assert ix0(rotateIx(ix, axis0(), o)) == (i + o) % s0;
    assert ix0(rotateIx(ix, axis1(), o)) == i;
    assert ix1(rotateIx(ix, axis0(), o)) == j;
    assert ix1(rotateIx(ix, axis1(), o)) == (j + o) % s1;
  }
};

// The same for rotations of rotations: a rotated made index is a made index.
concept OFRotateMakeIx2D = {
  use signature(OFReduceMakeIxRotate2D);
  axiom rotateMakeIxRule(i: ScalarIndex, j: ScalarIndex, o: Offset) {
    assert rotateIx(mkIx(i, j), axis0(), o) == mkIx((i + o) % shape0(), j);
    assert rotateIx(mkIx(i, j), axis1(), o) == mkIx(i, (j + o) % shape1());
  }
};

// Axes written as numbers take the names that the rules above use.
concept NameAxes2D = {
  type Axis literals integer;
  function axis0(): Axis;
  function axis1(): Axis;
  axiom nameAxesRule() {
    assert (0: Axis) == axis0();
    assert (1: Axis) == axis1();
  }
};

// With enough padding an access next to the index needs no modulo.
//   psi((i + 1) % shape0(), j, a)  =>  psi(i + 1, j, a)   where 1 <= padding(), 0 <= i < shape0()
concept OFEliminateModuloPadding2D = {
  use signature(OFReduceMakeIxRotate2D);
  type ScalarIndex literals integer;
  function padding(): Offset;
  function -_(o: Offset): Offset;
  predicate _<=_(a: Offset, b: Offset);
  predicate _<=_(a: ScalarIndex, b: ScalarIndex);
  predicate _<_(i: ScalarIndex, s: AxisLength);
  axiom eliminateModuloPaddingRule(i: ScalarIndex, j: ScalarIndex, a: Array, o: Offset)
      guard -padding() <= o && o <= padding() {
    assert 0 <= i && i < shape0() =>
      psi((i + o) % shape0(), j, a) == psi(i + o, j, a);
    assert 0 <= j && j < shape1() =>
      psi(i, (j + o) % shape1(), a) == psi(i, j + o, a);
  }
};

// ---------------------------------------------------------------- 3 axes

// `implement SpecializeGenerator3D[op => fIx, op3D => fIx3D] in P`: fIx at an index
// made of 3 components, which lie inside the domain.
concept SpecializeGenerator3D = {
  type T...;
  type E;
  type Index;
  type ScalarIndex literals integer;
  type AxisLength;
  function shape0(): AxisLength;
  function shape1(): AxisLength;
  function shape2(): AxisLength;
  predicate _<=_(a: ScalarIndex, b: ScalarIndex);
  predicate _<_(i: ScalarIndex, s: AxisLength);
  function mkIx(i: ScalarIndex, j: ScalarIndex, k: ScalarIndex): Index;
  predicate inside(ix: Index);
  function op(xs: T..., ix: Index): E;
  function op3D(xs: T..., i: ScalarIndex, j: ScalarIndex, k: ScalarIndex): E
    guard  0 <= i && i < shape0()
           && 0 <= j && j < shape1()
           && 0 <= k && k < shape2();
  axiom specializeRule(xs: T..., i: ScalarIndex, j: ScalarIndex, k: ScalarIndex) {
    assert op3D(xs..., i, j, k) == op(xs..., mkIx(i, j, k));
  }
  // What the guard of op says of such an index, op3D says of the components.
  axiom insideMadeIndex(i: ScalarIndex, j: ScalarIndex, k: ScalarIndex) {
    assert inside(mkIx(i, j, k)) <=>
      0 <= i && i < shape0()
      && 0 <= j && j < shape1()
      && 0 <= k && k < shape2();
  }
};

// Indexing takes components, and components of a made index are what it was made of.
concept OFSpecializePsi3D = {
  type E;
  type Array;
  type Index;
  type ScalarIndex;
  function ix0(ix: Index): ScalarIndex;
  function ix1(ix: Index): ScalarIndex;
  function ix2(ix: Index): ScalarIndex;
  function mkIx(i: ScalarIndex, j: ScalarIndex, k: ScalarIndex): Index;
  function psi(ix: Index, array: Array): E;
  function psi(i: ScalarIndex, j: ScalarIndex, k: ScalarIndex, array: Array): E;
  axiom specializePsiRule(ix: Index, array: Array) {
    assert psi(ix, array) == psi(ix0(ix), ix1(ix), ix2(ix), array);
  }
  axiom reduceMakeIxRule(i: ScalarIndex, j: ScalarIndex, k: ScalarIndex) {
    var ix = mkIx(i, j, k);
    assert ix0(ix) == i;
    assert ix1(ix) == j;
    assert ix2(ix) == k;
  }
};

// A rotated index, component by component: (p + o) mod s on its axis.
concept OFReduceMakeIxRotate3D = {
  use signature(OFSpecializePsi3D);
  type Axis;
  type Offset;
  type AxisLength;
  function axis0(): Axis;
  function axis1(): Axis;
  function axis2(): Axis;
  function shape0(): AxisLength;
  function shape1(): AxisLength;
  function shape2(): AxisLength;
  function rotateIx(ix: Index, axis: Axis, offset: Offset): Index;
  function _+_(i: ScalarIndex, o: Offset): ScalarIndex;
  function _%_(i: ScalarIndex, s: AxisLength): ScalarIndex;
  axiom reduceMakeIxRotateRule(i: ScalarIndex, j: ScalarIndex, k: ScalarIndex, o: Offset) {
    var ix = mkIx(i, j, k);
    var s0 = shape0();
    var s1 = shape1();
    var s2 = shape2();
    assert ix0(rotateIx(ix, axis0(), o)) == (i + o) % s0;
    assert ix0(rotateIx(ix, axis1(), o)) == i;
    assert ix0(rotateIx(ix, axis2(), o)) == i;
    assert ix1(rotateIx(ix, axis0(), o)) == j;
    assert ix1(rotateIx(ix, axis1(), o)) == (j + o) % s1;
    assert ix1(rotateIx(ix, axis2(), o)) == j;
    assert ix2(rotateIx(ix, axis0(), o)) == k;
    assert ix2(rotateIx(ix, axis1(), o)) == k;
    assert ix2(rotateIx(ix, axis2(), o)) == (k + o) % s2;
  }
};

// The same for rotations of rotations: a rotated made index is a made index.
concept OFRotateMakeIx3D = {
  use signature(OFReduceMakeIxRotate3D);
  axiom rotateMakeIxRule(i: ScalarIndex, j: ScalarIndex, k: ScalarIndex, o: Offset) {
    assert rotateIx(mkIx(i, j, k), axis0(), o) == mkIx((i + o) % shape0(), j, k);
    assert rotateIx(mkIx(i, j, k), axis1(), o) == mkIx(i, (j + o) % shape1(), k);
    assert rotateIx(mkIx(i, j, k), axis2(), o) == mkIx(i, j, (k + o) % shape2());
  }
};

// Axes written as numbers take the names that the rules above use.
concept NameAxes3D = {
  type Axis literals integer;
  function axis0(): Axis;
  function axis1(): Axis;
  function axis2(): Axis;
  axiom nameAxesRule() {
    assert (0: Axis) == axis0();
    assert (1: Axis) == axis1();
    assert (2: Axis) == axis2();
  }
};

// With enough padding an access next to the index needs no modulo.
//   psi((i + 1) % shape0(), j, k, a)  =>  psi(i + 1, j, k, a)   where 1 <= padding(), 0 <= i < shape0()
concept OFEliminateModuloPadding3D = {
  use signature(OFReduceMakeIxRotate3D);
  type ScalarIndex literals integer;
  function padding(): Offset;
  function -_(o: Offset): Offset;
  predicate _<=_(a: Offset, b: Offset);
  predicate _<=_(a: ScalarIndex, b: ScalarIndex);
  predicate _<_(i: ScalarIndex, s: AxisLength);
  axiom eliminateModuloPaddingRule(i: ScalarIndex, j: ScalarIndex, k: ScalarIndex, a: Array, o: Offset)
      guard -padding() <= o && o <= padding() {
    assert 0 <= i && i < shape0() =>
      psi((i + o) % shape0(), j, k, a) == psi(i + o, j, k, a);
    assert 0 <= j && j < shape1() =>
      psi(i, (j + o) % shape1(), k, a) == psi(i, j + o, k, a);
    assert 0 <= k && k < shape2() =>
      psi(i, j, (k + o) % shape2(), a) == psi(i, j, k + o, a);
  }
};
