// Indexing moves inwards although the index is partial: psi(q, op(A)) with fewer components
// than op(A) has axes is an array, the cell at q. For an operation along an axis, either the axis
// is one of those that q indexes, and the rule is that of a total index, or it is behind them, and
// the operation acts on the cell, where the axis is nearer to the front.
//
//   psi([1], rotate(A, 0, 1)) for A of shape [3, 4]  =>  psi([2], A)
//   psi([1], rotate(A, 1, 1)) for A of shape [3, 4]  =>  rotate(psi([1], A), 0, 1)
//
// These are theorems, consequences of the definitions, to rewrite with; see moa.laws.
package moa.partial
  imports definitions.boundaries
        , definitions.cells
        , definitions.structure
        , moa.library;

concept EmptyAndJoined = {
  use signature(PartialIndex);
  theorem psiOfNothing(A: Array) { assert psi([], A) == A; }
  theorem psiOfPsi(p: Index, q: Index, A: Array) {
    assert psi(q, psi(p, A)) == psi(join(p, q), A): Array;
  }
};

// Pointwise operations: the operation on the cells.
concept PartialUnary = {
  use signature(PartialIndex);
  function unop(A: Array): Array;
  theorem psiUnop(q: Index, A: Array) { assert psi(q, unop(A)) == unop(psi(q, A)); }
};

concept PartialBinary = {
  use signature(PartialIndex);
  function binop(A: Array, B: Array): Array;
  theorem psiBinop(q: Index, A: Array, B: Array) {
    assert dim(A) == dim(B) => psi(q, binop(A, B)) == binop(psi(q, A), psi(q, B));
    assert dim(A) == 0 => psi(q, binop(A, B)) == binop(A, psi(q, B));
    assert dim(B) == 0 => psi(q, binop(A, B)) == binop(psi(q, A), B);
  }
};

// Operations along an axis behind those that q indexes: sum(A, axis), rotate(A, axis, k), ...
concept BehindIndex = {
  use signature(PartialIndex);
  function op(A: Array, axis: Int): Array;
  theorem psiBehind(q: Index, A: Array, axis: Int) {
    assert len(q) <= axis => psi(q, op(A, axis)) == op(psi(q, A), axis - len(q));
  }
};

concept BehindIndexWith = {
  use signature(PartialIndex);
  type K;
  function op(A: Array, axis: Int, k: K): Array;
  theorem psiBehindWith(q: Index, A: Array, axis: Int, k: K) {
    assert len(q) <= axis => psi(q, op(A, axis, k)) == op(psi(q, A), axis - len(q), k);
  }
};

// Operations along an axis that q indexes.
concept InsideIndex = {
  use signature(PartialIndex);
  use signature(Structure);
  use signature(Boundaries);
  theorem psiTakeInside(q: Index, A: Array, axis: Int, k: Int) {
    assert axis < len(q) && 0 <= k => psi(q, take(A, axis, k)) == psi(q, A): Array;
    assert axis < len(q) && k < 0 => psi(q, take(A, axis, k)) ==
      psi(replace(q, axis, at(q, axis) + at(shape(A), axis) + k), A): Array;
  }
  theorem psiDropInside(q: Index, A: Array, axis: Int, k: Int) {
    assert axis < len(q) && 0 <= k =>
      psi(q, drop(A, axis, k)) == psi(replace(q, axis, at(q, axis) + k), A): Array;
    assert axis < len(q) && k < 0 => psi(q, drop(A, axis, k)) == psi(q, A): Array;
  }
  theorem psiReverseInside(q: Index, A: Array, axis: Int) {
    assert axis < len(q) => psi(q, reverse(A, axis)) ==
      psi(replace(q, axis, at(shape(A), axis) - 1 - at(q, axis)), A): Array;
  }
  theorem psiRotateInside(q: Index, A: Array, axis: Int, o: Int) {
    assert axis < len(q) => psi(q, rotate(A, axis, o)) ==
      psi(replace(q, axis, (at(q, axis) + o) % at(shape(A), axis)), A): Array;
  }
  theorem psiCatInside(q: Index, A: Array, B: Array, axis: Int) {
    assert axis < len(q) => psi(q, cat(A, B, axis)) ==
      (if at(q, axis) < at(shape(A), axis)
        then psi(q, A): Array
        else psi(replace(q, axis, at(q, axis) - at(shape(A), axis)), B): Array);
  }
  theorem psiPadCircularInside(q: Index, A: Array, axis: Int, l: Int, r: Int) {
    assert axis < len(q) => psi(q, pad_circular(A, axis, l, r)) ==
      psi(replace(q, axis, (at(q, axis) - l) % at(shape(A), axis)), A): Array;
  }
};

// cat, the pads, lift and unlift behind q; lift and unlift inside it, and where q ends between
// the two axes that lift makes.
concept StructureAndPartialIndex = {
  use signature(PartialIndex);
  use signature(Structure);
  use signature(Boundaries);
  theorem psiCatBehind(q: Index, A: Array, B: Array, axis: Int) {
    assert len(q) <= axis =>
      psi(q, cat(A, B, axis)) == cat(psi(q, A), psi(q, B), axis - len(q));
  }
  theorem psiPadCircularBehind(q: Index, A: Array, axis: Int, l: Int, r: Int) {
    assert len(q) <= axis =>
      psi(q, pad_circular(A, axis, l, r)) == pad_circular(psi(q, A), axis - len(q), l, r);
  }
  theorem psiPadEdgeBehind(q: Index, A: Array, axis: Int, l: Int, r: Int) {
    assert len(q) <= axis =>
      psi(q, pad_edge(A, axis, l, r)) == pad_edge(psi(q, A), axis - len(q), l, r);
  }
  theorem psiPadReflectBehind(q: Index, A: Array, axis: Int, l: Int, r: Int) {
    assert len(q) <= axis =>
      psi(q, pad_reflect(A, axis, l, r)) == pad_reflect(psi(q, A), axis - len(q), l, r);
  }
  theorem psiPadConstantBehind(q: Index, A: Array, axis: Int, l: Int, r: Int, c: Array) {
    assert len(q) <= axis =>
      psi(q, pad_constant(A, axis, l, r, c)) == pad_constant(psi(q, A), axis - len(q), l, r, c);
  }
  theorem psiLiftBetween(q: Index, A: Array, axis: Int, n: Int) {
    assert len(q) == axis + 1 => psi(q, lift(A, axis, n)) ==
      take(drop(psi(take(q, axis), A), 0, at(q, axis) * n), 0, n);
  }
  theorem psiLiftInside(q: Index, A: Array, axis: Int, n: Int) {
    assert axis + 2 <= len(q) => psi(q, lift(A, axis, n)) ==
      psi(replace(remove(q, axis + 1), axis, at(q, axis) * n + at(q, axis + 1)), A): Array;
  }
  theorem psiUnliftInside(q: Index, A: Array, axis: Int) {
    assert axis < len(q) => psi(q, unlift(A, axis)) ==
      psi(insert(replace(q, axis, at(q, axis) / at(shape(A), axis + 1)),
                 axis + 1,
                 at(q, axis) % at(shape(A), axis + 1)),
          A): Array;
  }
  theorem psiReshape(q: Index, A: Array, s: Index) {
    assert psi(q, reshape(A, s)) ==
      reshape(take(drop(ravel(A), 0, gamma(q, take(s, len(q))) * product(drop(s, len(q)))),
                   0,
                   product(drop(s, len(q)))),
              drop(s, len(q)));
  }
};

// A reduction along an axis before or at the end of q: the cells are combined, at least one.
concept ReductionAndPartialIndex = {
  use signature(PartialIndex);
  function op(A: Array, B: Array): Array;
  function reduce(A: Array, axis: Int): Array;
  theorem psiReduceInside(q: Index, A: Array, axis: Int) {
    assert axis <= len(q) && 0 < at(shape(A), axis) => psi(q, reduce(A, axis)) ==
      fold op (k < at(shape(A), axis)) (psi(insert(q, axis, k), A): Array);
  }
};

concept ScanAndPartialIndex = {
  use signature(PartialIndex);
  function op(A: Array, B: Array): Array;
  function scan(A: Array, axis: Int): Array;
  theorem psiScanInside(q: Index, A: Array, axis: Int) {
    assert axis < len(q) => psi(q, scan(A, axis)) ==
      fold op (k < at(q, axis) + 1) (psi(replace(q, axis, k), A): Array);
  }
};

// Outer products: q indexes A, and then B; inner products: A without its last axis.
concept OuterAndPartialIndex = {
  use signature(PartialIndex);
  function outer(A: Array, B: Array): Array;
  theorem psiOuter(q: Index, A: Array, B: Array) {
    assert len(q) <= dim(A) => psi(q, outer(A, B)) == outer(psi(q, A), B);
    assert dim(A) < len(q) =>
      psi(q, outer(A, B)) == outer(psi(take(q, dim(A)), A), psi(drop(q, dim(A)), B));
  }
};

concept InnerAndPartialIndex = {
  use signature(PartialIndex);
  function inner(A: Array, B: Array): Array;
  theorem psiInner(q: Index, A: Array, B: Array) {
    assert len(q) < dim(A) => psi(q, inner(A, B)) == inner(psi(q, A), B);
  }
};

// The rules above for the operations of moa.library.
concept PartialIndexRules = {
  use signature(Expressions);
  use EmptyAndJoined[E => Number];
  use PartialUnary[unop => -_, psiUnop => psiNeg, E => Number];
  use PartialUnary[unop => abs, psiUnop => psiAbs, E => Number];
  use PartialUnary[unop => sqrt, psiUnop => psiSqrt, E => Number];
  use PartialUnary[unop => exp, psiUnop => psiExp, E => Number];
  use PartialUnary[unop => !_, psiUnop => psiNot, E => Number];
  use PartialBinary[binop => _+_, psiBinop => psiAdd, E => Number];
  use PartialBinary[binop => _-_, psiBinop => psiSub, E => Number];
  use PartialBinary[binop => _*_, psiBinop => psiMul, E => Number];
  use PartialBinary[binop => _/_, psiBinop => psiDiv, E => Number];
  use PartialBinary[binop => min, psiBinop => psiMin, E => Number];
  use PartialBinary[binop => max, psiBinop => psiMax, E => Number];
  use PartialBinary[binop => _<_, psiBinop => psiLess, E => Number];
  use PartialBinary[binop => _==_, psiBinop => psiEqual, E => Number];
  use BehindIndex[op => reverse, psiBehind => psiReverseBehind, E => Number];
  use BehindIndex[op => sum, psiBehind => psiSumBehind, E => Number];
  use BehindIndex[op => product, psiBehind => psiProductBehind, E => Number];
  use BehindIndex[op => minimum, psiBehind => psiMinimumBehind, E => Number];
  use BehindIndex[op => maximum, psiBehind => psiMaximumBehind, E => Number];
  use BehindIndex[op => all, psiBehind => psiAllBehind, E => Number];
  use BehindIndex[op => any, psiBehind => psiAnyBehind, E => Number];
  use BehindIndex[op => cumsum, psiBehind => psiCumsumBehind, E => Number];
  use BehindIndex[op => cumproduct, psiBehind => psiCumproductBehind, E => Number];
  use BehindIndex[op => cumminimum, psiBehind => psiCumminimumBehind, E => Number];
  use BehindIndex[op => cummaximum, psiBehind => psiCummaximumBehind, E => Number];
  use BehindIndex[op => unlift, psiBehind => psiUnliftBehind, E => Number];
  use BehindIndexWith[op => take, psiBehindWith => psiTakeBehind, K => Int, E => Number];
  use BehindIndexWith[op => drop, psiBehindWith => psiDropBehind, K => Int, E => Number];
  use BehindIndexWith[op => rotate, psiBehindWith => psiRotateBehind, K => Int, E => Number];
  use BehindIndexWith[op => lift, psiBehindWith => psiLiftBehind, K => Int, E => Number];
  use BehindIndexWith[op => gather, psiBehindWith => psiGatherBehind, K => Array, E => Number];
  use BehindIndexWith[op => compress, psiBehindWith => psiCompressBehind, K => Array, E => Number];
  use BehindIndexWith[op => expand, psiBehindWith => psiExpandBehind, K => Array, E => Number];
  use InsideIndex[E => Number];
  use StructureAndPartialIndex[E => Number];
  use ReductionAndPartialIndex[ op => _+_
                              , reduce => sum
                              , psiReduceInside => psiSumInside
                              , E => Number ];
  use ReductionAndPartialIndex[ op => min
                              , reduce => minimum
                              , psiReduceInside => psiMinimumInside
                              , E => Number ];
  use ReductionAndPartialIndex[ op => max
                              , reduce => maximum
                              , psiReduceInside => psiMaximumInside
                              , E => Number ];
  use ScanAndPartialIndex[op => _+_, scan => cumsum, psiScanInside => psiCumsumInside, E => Number];
  use OuterAndPartialIndex[outer => outer_mul, psiOuter => psiOuterMul, E => Number];
  use OuterAndPartialIndex[outer => outer_add, psiOuter => psiOuterAdd, E => Number];
  use InnerAndPartialIndex[inner => inner_add_mul, psiInner => psiInnerAddMul, E => Number];
  use InnerAndPartialIndex[inner => matmul, psiInner => psiMatmul, E => Number];
};
