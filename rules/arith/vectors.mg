// The algebra of index vectors: lengths, products and orders of what functions of index vectors
// make. From left to right these end, and in one normal form up to the laws of integers, whatever
// the order: `rhopsi analyze rules/arith/vectors.mg -m IndexAlgebra`.
//
//   len(join(reverse(p), insert(q, 0, e)))  =>  len(p) + (len(q) + 1)
package arith.vectors
  imports definitions.arrays
        , definitions.vectors
        , moa.library;

concept IndexAlgebra = {
  use signature(VectorAlgebra);
  theorem joinOfNothing(p: Index) {
    assert join([], p) == p;
    assert join(p, []) == p;
  }
  theorem joinOfJoin(p: Index, q: Index, r: Index) {
    assert join(join(p, q), r) == join(p, join(q, r));
  }
  theorem reverseOfNothing() { assert reverse([]) == []; }
  theorem reverseOfReverse(p: Index) { assert reverse(reverse(p)) == p; }
  theorem reverseOfJoin(p: Index, q: Index) {
    assert reverse(join(p, q)) == join(reverse(q), reverse(p));
  }
  theorem lenOfNothing() { assert len([]) == 0; }
  theorem lenOfJoin(p: Index, q: Index) { assert len(join(p, q)) == len(p) + len(q); }
  theorem lenOfReverse(p: Index) { assert len(reverse(p)) == len(p); }
  theorem lenOfReplace(p: Index, j: Int, e: Int) { assert len(replace(p, j, e)) == len(p); }
  theorem lenOfInsert(p: Index, j: Int, e: Int) { assert len(insert(p, j, e)) == len(p) + 1; }
  theorem lenOfRemove(p: Index, j: Int) { assert len(remove(p, j)) == len(p) - 1; }
  theorem lenOfTake(p: Index, k: Int) { assert len(take(p, k)) == abs(k); }
  theorem lenOfDrop(p: Index, k: Int) { assert len(drop(p, k)) == len(p) - abs(k); }
  theorem lenOfPick(p: Index, t: Index) { assert len(pick(p, t)) == len(t); }
  theorem lenOfInverse(t: Index) { assert len(inverse(t)) == len(t); }
  theorem lenOfGammaInverse(o: Int, s: Index) { assert len(gamma_inverse(o, s)) == len(s); }
  theorem productOfNothing() { assert product([]) == 1; }
  theorem productOfJoin(p: Index, q: Index) {
    assert product(join(p, q)) == product(p) * product(q);
  }
  theorem productOfReverse(p: Index) { assert product(reverse(p)) == product(p); }
  theorem replaceOfReplace(p: Index, j: Int, e: Int, f: Int) {
    assert replace(replace(p, j, e), j, f) == replace(p, j, f);
  }
  theorem removeOfInsert(p: Index, j: Int, e: Int) { assert remove(insert(p, j, e), j) == p; }
  theorem gammaOfGammaInverse(o: Int, s: Index) {
    assert 0 <= o && o < product(s) && (forall (m < len(s)) 0 < at(s, m)) =>
      gamma(gamma_inverse(o, s), s) == o;
  }
};
