// Laws between operations on whole arrays, and between functions of index vectors: for joining
// two operations into one, and for choosing the cheaper of two forms. They are theorems,
// consequences of the definitions, to rewrite with: of what they speak of, only the signatures
// are used, so that no definition is a rule beside them.
package moa.laws
  imports definitions.arrays
        , definitions.boundaries
        , definitions.structure
        , definitions.vectors
        , moa.library;

// Two operations along one axis are one.
//
//   rotate(rotate(A, 0, 2), 0, 5)  =>  rotate(A, 0, 7)
concept SameAxis = {
  use signature(Structure);
  theorem rotateRotate(A: Array, axis: Int, a: Int, b: Int) {
    assert rotate(rotate(A, axis, b), axis, a) == rotate(A, axis, a + b);
  }
  theorem reverseReverse(A: Array, axis: Int) {
    assert reverse(reverse(A, axis), axis) == A;
  }
  theorem takeTake(A: Array, axis: Int, a: Int, b: Int) {
    assert 0 <= a && 0 <= b => take(take(A, axis, b), axis, a) == take(A, axis, min(a, b));
    assert a < 0 && b < 0 => take(take(A, axis, b), axis, a) == take(A, axis, max(a, b));
  }
  theorem dropDrop(A: Array, axis: Int, a: Int, b: Int) {
    assert 0 <= a && 0 <= b => drop(drop(A, axis, b), axis, a) == drop(A, axis, a + b);
    assert a <= 0 && b <= 0 => drop(drop(A, axis, b), axis, a) == drop(A, axis, a + b);
  }
  theorem catCat(A: Array, B: Array, C: Array, axis: Int) {
    assert cat(cat(A, B, axis), C, axis) == cat(A, cat(B, C, axis), axis);
  }
};

// Pads, and what they are made of where they are short.
//
//   pad_edge(pad_edge(A, 0, 1, 2), 0, 3, 4)  =>  pad_edge(A, 0, 4, 6)
concept Pads = {
  use signature(Structure);
  use signature(Boundaries);
  theorem padCircularCat(A: Array, axis: Int, l: Int, r: Int) {
    assert l <= at(shape(A), axis) && r <= at(shape(A), axis) =>
      pad_circular(A, axis, l, r) == cat(cat(take(A, axis, -l), A, axis), take(A, axis, r), axis);
  }
  theorem padReflectCat(A: Array, axis: Int, l: Int, r: Int) {
    assert pad_reflect(A, axis, l, r) ==
      cat(cat(reverse(take(drop(A, axis, 1), axis, l), axis), A, axis),
          reverse(take(drop(A, axis, -1), axis, -r), axis),
          axis);
  }
  theorem padEdgeTwice(A: Array, axis: Int, a: Int, b: Int, l: Int, r: Int) {
    assert pad_edge(pad_edge(A, axis, a, b), axis, l, r) == pad_edge(A, axis, l + a, b + r);
  }
  theorem padConstantTwice(A: Array, axis: Int, a: Int, b: Int, l: Int, r: Int, c: Array) {
    assert pad_constant(pad_constant(A, axis, a, b, c), axis, l, r, c) ==
      pad_constant(A, axis, l + a, b + r, c);
  }
};

// Within a pad is what was padded.
//
//   drop(drop(pad_edge(A, 0, 1, 2), 0, 1), 0, -2)  =>  A
concept InsideOfPad = {
  use signature(Structure);
  function pad(A: Array, axis: Int, l: Int, r: Int): Array;
  theorem insideOfPad(A: Array, axis: Int, l: Int, r: Int) {
    assert drop(drop(pad(A, axis, l, r), axis, l), axis, -r) == A;
    assert drop(drop(pad(A, axis, l, r), axis, -r), axis, l) == A;
  }
};

// Rearrangements of the axes, and of the row of elements, are one; lift and unlift cancel.
//
//   transpose(transpose(A, [1, 2, 0]), [1, 2, 0])  =>  transpose(A, [2, 0, 1])
concept Rearrangements = {
  use signature(Structure);
  theorem transposeTranspose(A: Array) { assert transpose(transpose(A)) == A; }
  theorem transposeByTransposeBy(A: Array, t: Index, u: Index) {
    assert transpose(transpose(A, t), u) == transpose(A, pick(u, t));
  }
  theorem reshapeReshape(A: Array, s: Index, t: Index) {
    assert reshape(reshape(A, s), t) == reshape(A, t);
  }
  theorem reshapeRavel(A: Array, s: Index) { assert reshape(ravel(A), s) == reshape(A, s); }
  theorem ravelReshape(A: Array, s: Index) { assert ravel(reshape(A, s)) == ravel(A); }
  theorem ravelRavel(A: Array) { assert ravel(ravel(A)) == ravel(A); }
  theorem reshapeSame(A: Array, s: Index) { assert s == shape(A) => reshape(A, s) == A; }
  theorem unliftLift(A: Array, axis: Int, n: Int) {
    assert unlift(lift(A, axis, n), axis) == A;
  }
  theorem liftUnlift(A: Array, axis: Int, n: Int) {
    assert n == at(shape(A), axis + 1) => lift(unlift(A, axis), axis, n) == A;
  }
};

// Operations along different axes commute; the one along the smaller axis goes inside.
//
//   rotate(rotate(A, 1, 3), 0, 2)  =>  rotate(rotate(A, 0, 2), 1, 3)
concept DifferentAxes = {
  use signature(Arrays);
  type K;
  type L;
  function f(A: Array, axis: Int, k: K): Array;
  function g(A: Array, axis: Int, l: L): Array;
  theorem commute(A: Array, i: Int, j: Int, k: K, l: L) {
    assert i < j => f(g(A, j, l), i, k) == g(f(A, i, k), j, l);
  }
};

// What moves elements commutes with what acts on each of them: first move, then act.
//
//   rotate(A + B, 0, 1)  =>  rotate(A, 0, 1) + rotate(B, 0, 1)
concept MoveThenAct = {
  use signature(Dimension);
  type K;
  function binop(A: Array, B: Array): Array;
  function move(A: Array, axis: Int, k: K): Array;
  theorem moveBinop(A: Array, B: Array, axis: Int, k: K) {
    assert dim(A) == dim(B) =>
      move(binop(A, B), axis, k) == binop(move(A, axis, k), move(B, axis, k));
    assert dim(B) == 0 => move(binop(A, B), axis, k) == binop(move(A, axis, k), B);
    assert dim(A) == 0 => move(binop(A, B), axis, k) == binop(A, move(B, axis, k));
  }
};

// Functions of index vectors.
//
//   len(join(p, q))  =>  len(p) + len(q)
concept VectorLaws = {
  use signature(VectorAlgebra);
  theorem joinNothing(p: Index) {
    assert join([], p) == p;
    assert join(p, []) == p;
  }
  theorem joinJoin(p: Index, q: Index, r: Index) {
    assert join(join(p, q), r) == join(p, join(q, r));
  }
  theorem lenJoin(p: Index, q: Index) { assert len(join(p, q)) == len(p) + len(q); }
  theorem takeJoin(p: Index, q: Index, k: Int) {
    assert k == len(p) => take(join(p, q), k) == p;
    assert 0 <= k && k <= len(p) => take(join(p, q), k) == take(p, k);
    assert len(p) <= k => take(join(p, q), k) == join(p, take(q, k - len(p)));
  }
  theorem dropJoin(p: Index, q: Index, k: Int) {
    assert k == len(p) => drop(join(p, q), k) == q;
    assert 0 <= k && k <= len(p) => drop(join(p, q), k) == join(drop(p, k), q);
    assert len(p) <= k => drop(join(p, q), k) == drop(q, k - len(p));
  }
  theorem dropDropComponents(p: Index, a: Int, b: Int) {
    assert 0 <= a && 0 <= b => drop(drop(p, b), a) == drop(p, a + b);
  }
  theorem atReplace(p: Index, j: Int, e: Int, m: Int) {
    assert m == j => at(replace(p, j, e), m) == e;
    assert m != j => at(replace(p, j, e), m) == at(p, m);
  }
  theorem productJoin(p: Index, q: Index) {
    assert product(join(p, q)) == product(p) * product(q);
  }
  theorem gammaOfInverse(o: Int, s: Index) {
    assert 0 <= o && o < product(s) && (forall (m < len(s)) 0 < at(s, m)) =>
      gamma(gamma_inverse(o, s), s) == o;
  }
  theorem gammaInverseOfGamma(p: Index, s: Index) {
    assert (forall (m < len(s)) (0 <= at(p, m) && at(p, m) < at(s, m))) =>
      gamma_inverse(gamma(p, s), s) == p;
  }
  theorem moduloInModulo(a: Int, b: Int, n: Int) {
    assert n != 0 => (a % n + b) % n == (a + b) % n;
  }
  theorem moduloOfSmall(a: Int, n: Int) { assert 0 <= a && a < n => a % n == a; }
};

// The laws for the operations of moa.library.
concept Laws = {
  use signature(Expressions);
  use VectorLaws;
  use SameAxis[E => Number];
  use Pads[E => Number];
  use InsideOfPad[pad => pad_circular, insideOfPad => insideOfPadCircular, E => Number];
  use InsideOfPad[pad => pad_edge, insideOfPad => insideOfPadEdge, E => Number];
  use InsideOfPad[pad => pad_reflect, insideOfPad => insideOfPadReflect, E => Number];
  use Rearrangements[E => Number];
  use DifferentAxes[ f => rotate
                   , g => rotate
                   , K => Int
                   , L => Int
                   , commute => rotateCommutes
                   , E => Number ];
  use DifferentAxes[ f => take
                   , g => take
                   , K => Int
                   , L => Int
                   , commute => takeCommutes
                   , E => Number ];
  use DifferentAxes[ f => drop
                   , g => drop
                   , K => Int
                   , L => Int
                   , commute => dropCommutes
                   , E => Number ];
  use DifferentAxes[ f => take
                   , g => drop
                   , K => Int
                   , L => Int
                   , commute => takeDropCommute
                   , E => Number ];
  use DifferentAxes[ f => rotate
                   , g => take
                   , K => Int
                   , L => Int
                   , commute => rotateTakeCommute
                   , E => Number ];
  use DifferentAxes[ f => gather
                   , g => gather
                   , K => Array
                   , L => Array
                   , commute => gatherCommutes
                   , E => Number ];
  use MoveThenAct[binop => _+_, move => rotate, K => Int, moveBinop => rotateAdd, E => Number];
  use MoveThenAct[binop => _-_, move => rotate, K => Int, moveBinop => rotateSub, E => Number];
  use MoveThenAct[binop => _*_, move => rotate, K => Int, moveBinop => rotateMul, E => Number];
  use MoveThenAct[binop => _+_, move => take, K => Int, moveBinop => takeAdd, E => Number];
  use MoveThenAct[binop => _*_, move => take, K => Int, moveBinop => takeMul, E => Number];
  use MoveThenAct[binop => _+_, move => drop, K => Int, moveBinop => dropAdd, E => Number];
  use MoveThenAct[binop => _*_, move => drop, K => Int, moveBinop => dropMul, E => Number];
};
