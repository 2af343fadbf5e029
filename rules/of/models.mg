// What the rules for programs over the domain of a run are true of: arrays that all have the
// domain's shape, indices with a component for each of its axes, and padding that holds the
// opposite ends. Nothing here is for programs; `rhopsi verify` proves the rules from it.
package of.models
  imports arith.equality
        , definitions.arrays
        , definitions.numbers
        , moa.dnf
        , moa.indexwise
        , moa.library
        , of.padding
        , of.specialize;

// ---------------------------------------------------------------- the domain

// An operation between a number and every element of an array.
concept ScalarExtension = {
  use Expressions;
  function op(a: Number, b: Number): Number;
  function binop(a: Number, b: Array): Array;
  function binop(a: Array, b: Number): Array;
  axiom leftShape(a: Number, b: Array) { assert shape(binop(a, b)) == shape(b); }
  axiom leftElement(p: Index, a: Number, b: Array) {
    assert psi(p, binop(a, b)) == op(a, psi(p, b): Number);
  }
  axiom rightShape(a: Array, b: Number) { assert shape(binop(a, b)) == shape(a); }
  axiom rightElement(p: Index, a: Array, b: Number) {
    assert psi(p, binop(a, b)) == op(psi(p, a): Number, b);
  }
};

// Every array has the shape `domain()`; an index is one of its indices or an offset from one.
concept Domain = {
  use Expressions;
  use ScalarExtension[op => _+_, binop => _+_, leftShape => addLeftShape,
                      leftElement => addLeftElement, rightShape => addRightShape,
                      rightElement => addRightElement];
  use ScalarExtension[op => _-_, binop => _-_, leftShape => subLeftShape,
                      leftElement => subLeftElement, rightShape => subRightShape,
                      rightElement => subRightElement];
  use ScalarExtension[op => _*_, binop => _*_, leftShape => mulLeftShape,
                      leftElement => mulLeftElement, rightShape => mulRightShape,
                      rightElement => mulRightElement];
  use ScalarExtension[op => _/_, binop => _/_, leftShape => divLeftShape,
                      leftElement => divLeftElement, rightShape => divRightShape,
                      rightElement => divRightElement];
  use ScalarExtension[op => min, binop => min, leftShape => minLeftShape,
                      leftElement => minLeftElement, rightShape => minRightShape,
                      rightElement => minRightElement];
  use ScalarExtension[op => max, binop => max, leftShape => maxLeftShape,
                      leftElement => maxLeftElement, rightShape => maxRightShape,
                      rightElement => maxRightElement];
  function domain(): Index;
  axiom allOnDomain(a: Array) { assert (shape(a): Index) == domain(); }
  function rotateIx(ix: Index, axis: Int, offset: Int): Index
    guard 0 <= axis && axis < len(ix) && 0 < at(domain(), axis);
  axiom rotateIxDefinition(ix: Index, axis: Int, offset: Int) {
    assert rotateIx(ix, axis, offset) ==
      replace(ix, axis, (at(ix, axis) + offset) % at(domain(), axis));
  }
  predicate inside(ix: Index);
  axiom insideDefinition(ix: Index) {
    assert inside(ix) <=> len(ix) == len(domain()) &&
      (forall (m < len(ix)) (0 <= at(ix, m) && at(ix, m) < at(domain(), m)));
  }
};

// An array with padding() more elements on both ends of each axis, which are those of the opposite
// ends; what is read further out is anything.
concept PaddedDomain = {
  use Domain;
  function padding(): Int;
  function stale(): Number;
  predicate withinPadding(ix: Index);
  axiom withinPaddingDefinition(ix: Index) {
    assert withinPadding(ix) <=> len(ix) == len(domain()) &&
      (forall (m < len(ix))
        (-padding() <= at(ix, m) && at(ix, m) < at(domain(), m) + padding()));
  }
  function padded(ix: Index, a: Array): Number;
  axiom paddedDefinition(ix: Index, a: Array) {
    assert padded(ix, a) ==
      (if withinPadding(ix) then psi(forall (m < len(ix)) (at(ix, m) % at(domain(), m)), a): Number
       else stale());
  }
  function rotateIxPadded(ix: Index, axis: Int, offset: Int): Index
    guard 0 <= axis && axis < len(ix);
  axiom rotateIxPaddedDefinition(ix: Index, axis: Int, offset: Int) {
    assert rotateIxPadded(ix, axis, offset) == replace(ix, axis, at(ix, axis) + offset);
  }
};

satisfaction DomainHasNormalForms = Domain models
  DNFRules[E => Number, Axis => Int, Offset => Int];
satisfaction PaddingHoldsOppositeEnds = PaddedDomain models
  PadRotate[E => Number, Axis => Int, Offset => Int, psi => padded];

// ---------------------------------------------------------------- components

concept Components1D = {
  use PaddedDomain;
  axiom oneComponent(ix: Index) { assert len(ix) == 1; }
  function mkIx(i: Int): Index;
  axiom mkIxDefinition(i: Int) { assert mkIx(i) == [i]; }
  function ix0(ix: Index): Int;
  axiom ix0Definition(ix: Index) { assert ix0(ix) == at(ix, 0); }
  function shape0(): Int;
  axiom shape0Definition() { assert shape0() == at(domain(), 0); }
  function axis0(): Int;
  axiom axis0Definition() { assert axis0() == 0; }
  function psi(i: Int, a: Array): Number;
  axiom psiDefinition(i: Int, a: Array) { assert psi(i, a) == (psi([i], a): Number); }
  function padded(i: Int, a: Array): Number;
  axiom paddedComponentsDefinition(i: Int, a: Array) { assert padded(i, a) == padded([i], a); }
};

concept Components2D = {
  use PaddedDomain;
  axiom twoComponents(ix: Index) { assert len(ix) == 2; }
  function mkIx(i: Int, j: Int): Index;
  axiom mkIxDefinition(i: Int, j: Int) { assert mkIx(i, j) == [i, j]; }
  function ix0(ix: Index): Int;
  function ix1(ix: Index): Int;
  axiom ix0Definition(ix: Index) { assert ix0(ix) == at(ix, 0); }
  axiom ix1Definition(ix: Index) { assert ix1(ix) == at(ix, 1); }
  function shape0(): Int;
  function shape1(): Int;
  axiom shape0Definition() { assert shape0() == at(domain(), 0); }
  axiom shape1Definition() { assert shape1() == at(domain(), 1); }
  function axis0(): Int;
  function axis1(): Int;
  axiom axis0Definition() { assert axis0() == 0; }
  axiom axis1Definition() { assert axis1() == 1; }
  function psi(i: Int, j: Int, a: Array): Number;
  axiom psiDefinition(i: Int, j: Int, a: Array) {
    assert psi(i, j, a) == (psi([i, j], a): Number);
  }
  function padded(i: Int, j: Int, a: Array): Number;
  axiom paddedComponentsDefinition(i: Int, j: Int, a: Array) {
    assert padded(i, j, a) == padded([i, j], a);
  }
};

concept Components3D = {
  use PaddedDomain;
  axiom threeComponents(ix: Index) { assert len(ix) == 3; }
  function mkIx(i: Int, j: Int, k: Int): Index;
  axiom mkIxDefinition(i: Int, j: Int, k: Int) { assert mkIx(i, j, k) == [i, j, k]; }
  function ix0(ix: Index): Int;
  function ix1(ix: Index): Int;
  function ix2(ix: Index): Int;
  axiom ix0Definition(ix: Index) { assert ix0(ix) == at(ix, 0); }
  axiom ix1Definition(ix: Index) { assert ix1(ix) == at(ix, 1); }
  axiom ix2Definition(ix: Index) { assert ix2(ix) == at(ix, 2); }
  function shape0(): Int;
  function shape1(): Int;
  function shape2(): Int;
  axiom shape0Definition() { assert shape0() == at(domain(), 0); }
  axiom shape1Definition() { assert shape1() == at(domain(), 1); }
  axiom shape2Definition() { assert shape2() == at(domain(), 2); }
  function axis0(): Int;
  function axis1(): Int;
  function axis2(): Int;
  axiom axis0Definition() { assert axis0() == 0; }
  axiom axis1Definition() { assert axis1() == 1; }
  axiom axis2Definition() { assert axis2() == 2; }
  function psi(i: Int, j: Int, k: Int, a: Array): Number;
  axiom psiDefinition(i: Int, j: Int, k: Int, a: Array) {
    assert psi(i, j, k, a) == (psi([i, j, k], a): Number);
  }
  function padded(i: Int, j: Int, k: Int, a: Array): Number;
  axiom paddedComponentsDefinition(i: Int, j: Int, k: Int, a: Array) {
    assert padded(i, j, k, a) == padded([i, j, k], a);
  }
};

renaming AsNumbers = [E => Number, ScalarIndex => Int];
renaming AllAsNumbers = [AsNumbers, Axis => Int, Offset => Int, AxisLength => Int];

satisfaction Psi1D = Components1D models OFSpecializePsi1D[AsNumbers];
satisfaction Psi2D = Components2D models OFSpecializePsi2D[AsNumbers];
satisfaction Psi3D = Components3D models OFSpecializePsi3D[AsNumbers];
satisfaction Rotate1D = Components1D models OFReduceMakeIxRotate1D[AllAsNumbers];
satisfaction Rotate2D = Components2D models OFReduceMakeIxRotate2D[AllAsNumbers];
satisfaction Rotate3D = Components3D models OFReduceMakeIxRotate3D[AllAsNumbers];
satisfaction RotateMade1D = Components1D models OFRotateMakeIx1D[AllAsNumbers];
satisfaction RotateMade2D = Components2D models OFRotateMakeIx2D[AllAsNumbers];
satisfaction RotateMade3D = Components3D models OFRotateMakeIx3D[AllAsNumbers];
satisfaction Axes1D = Components1D models NameAxes1D[Axis => Int];
satisfaction Axes2D = Components2D models NameAxes2D[Axis => Int];
satisfaction Axes3D = Components3D models NameAxes3D[Axis => Int];
satisfaction Modulo1D = Components1D models
  OFEliminateModuloPadding1D[AllAsNumbers, psi => padded];
satisfaction Modulo2D = Components2D models
  OFEliminateModuloPadding2D[AllAsNumbers, psi => padded];
satisfaction Modulo3D = Components3D models
  OFEliminateModuloPadding3D[AllAsNumbers, psi => padded];

// An operation at an index, and the same by the components of one inside the domain.
concept Inside1D = {
  use Components1D;
  function op(a: Array, ix: Index): Number;
  function op1D(a: Array, i: Int): Number;
  axiom opDefinition(a: Array, ix: Index) {
    assert op(a, ix) == (if 0 < at(ix, 0) then psi(ix, a): Number else -(psi(ix, a): Number));
  }
  axiom op1DDefinition(a: Array, i: Int) {
    assert op1D(a, i) == (if 0 < i then psi(i, a) else -psi(i, a));
  }
};
concept Inside2D = {
  use Components2D;
  function op(a: Array, ix: Index): Number;
  function op2D(a: Array, i: Int, j: Int): Number;
  axiom opDefinition(a: Array, ix: Index) {
    assert op(a, ix) == (if 0 < at(ix, 1) then psi(ix, a): Number else -(psi(ix, a): Number));
  }
  axiom op2DDefinition(a: Array, i: Int, j: Int) {
    assert op2D(a, i, j) == (if 0 < j then psi(i, j, a) else -psi(i, j, a));
  }
};
concept Inside3D = {
  use Components3D;
  function op(a: Array, ix: Index): Number;
  function op3D(a: Array, i: Int, j: Int, k: Int): Number;
  axiom opDefinition(a: Array, ix: Index) {
    assert op(a, ix) == (if 0 < at(ix, 2) then psi(ix, a): Number else -(psi(ix, a): Number));
  }
  axiom op3DDefinition(a: Array, i: Int, j: Int, k: Int) {
    assert op3D(a, i, j, k) == (if 0 < k then psi(i, j, k, a) else -psi(i, j, k, a));
  }
};
satisfaction Made1D = Inside1D models
  SpecializeGenerator1D[AsNumbers, AxisLength => Int];
satisfaction Made2D = Inside2D models
  SpecializeGenerator2D[AsNumbers, AxisLength => Int];
satisfaction Made3D = Inside3D models
  SpecializeGenerator3D[AsNumbers, AxisLength => Int];

// ---------------------------------------------------------------- whole arrays

// An operation on two arrays, its element at an index, and another one that computes the same.
concept Whole = {
  use Domain;
  function op(a: Array, b: Array): Array guard (shape(a): Index) == shape(b);
  function opIx(a: Array, b: Array, ix: Index): Number;
  function other(a: Array, b: Array): Array guard (shape(a): Index) == shape(b);
  axiom opDefinition(a: Array, b: Array) { assert op(a, b) == a - b; }
  axiom opIxDefinition(a: Array, b: Array, ix: Index) {
    assert opIx(a, b, ix) == (psi(ix, a): Number) - (psi(ix, b): Number);
  }
  axiom otherDefinition(a: Array, b: Array) { assert other(a, b) == -(b - a); }
};
satisfaction WholeHasElements = Whole models ToIxwiseGenerator[E => Number];
satisfaction WholeByAnother = Whole models
  FunctionEquality[R => Array, f => op, g => other];

// ---------------------------------------------------------------- arithmetic

satisfaction IntegersAdd = Integers models Semigroup[T => Int, bop => _+_];
satisfaction IntegersMultiply = Integers models Semigroup[T => Int, bop => _*_];
satisfaction NumbersAdd = Numbers models Semigroup[T => Number, bop => _+_];
satisfaction NumbersMultiply = Numbers models Semigroup[T => Number, bop => _*_];
satisfaction NumbersLeast = Numbers models Semigroup[T => Number, bop => min];
satisfaction NumbersGreatest = Numbers models Semigroup[T => Number, bop => max];
