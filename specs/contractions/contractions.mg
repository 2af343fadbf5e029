// Elements that are folds: products of matrices in several arrangements, reductions along either
// axis, a convolution, and for comparison a chain of operations that are none.
package specs.contractions.contractions imports moa.library;

concept Folds = {
  use Expressions;

  // Of each index b the product of two matrices: sum over k of A[b, i, k] B[b, k, j].
  function products(A: Array, B: Array): Array
    guard dim(A) == 3 && dim(B) == 3 && at(shape(A), 0) == at(shape(B), 0) &&
      at(shape(A), 2) == at(shape(B), 1);
  axiom productsShape(A: Array, B: Array) {
    assert shape(products(A, B)) == join(take(shape(A), 2), drop(shape(B), 2));
  }
  axiom productsElement(p: Index, A: Array, B: Array) {
    assert psi(p, products(A, B)): Number ==
      fold _+_ (k < at(shape(B), 1))
        (psi(join(take(p, 2), [k]), A) * psi([at(p, 0), k, at(p, 2)], B));
  }

  // The sum over k and l of A[i, k, l] B[k, l, j].
  function contracted(A: Array, B: Array): Array
    guard dim(A) == 3 && dim(B) == 3 && at(shape(A), 1) == at(shape(B), 0) &&
      at(shape(A), 2) == at(shape(B), 1);
  axiom contractedShape(A: Array, B: Array) {
    assert shape(contracted(A, B)) == join(take(shape(A), 1), drop(shape(B), 2));
  }
  axiom contractedElement(p: Index, A: Array, B: Array) {
    assert psi(p, contracted(A, B)): Number ==
      fold _+_ (k < at(shape(B), 0)) (fold _+_ (l < at(shape(B), 1))
        (psi([at(p, 0), k, l], A) * psi([k, l, at(p, 1)], B)));
  }

  // The sum over a and b of w[a, b] u[i + a, j + b], where all of these are there.
  function filtered(u: Array, w: Array): Array
    guard dim(u) == 2 && dim(w) == 2 && (forall (m < 2) at(shape(w), m) <= at(shape(u), m));
  axiom filteredShape(u: Array, w: Array) {
    assert shape(filtered(u, w)) ==
      [at(shape(u), 0) - at(shape(w), 0) + 1, at(shape(u), 1) - at(shape(w), 1) + 1];
  }
  axiom filteredElement(p: Index, u: Array, w: Array) {
    assert psi(p, filtered(u, w)): Number ==
      fold _+_ (a < at(shape(w), 0)) (fold _+_ (b < at(shape(w), 1))
        (psi([a, b], w) * psi([at(p, 0) + a, at(p, 1) + b], u)));
  }

  // Squares of the distances between the rows of A and those of B.
  function distances(A: Array, B: Array): Array
    guard dim(A) == 2 && dim(B) == 2 && at(shape(A), 1) == at(shape(B), 1);
  axiom distancesShape(A: Array, B: Array) {
    assert shape(distances(A, B)) == [at(shape(A), 0), at(shape(B), 0)];
  }
  axiom distancesElement(p: Index, A: Array, B: Array) {
    assert psi(p, distances(A, B)): Number ==
      fold _+_ (k < at(shape(A), 1))
        ((psi([at(p, 0), k], A) - psi([at(p, 1), k], B)) *
           (psi([at(p, 0), k], A) - psi([at(p, 1), k], B)));
  }
};

program Contractions = implement Folds in {
  use Folds;

  procedure product(obs A: Array, obs B: Array, out C: Array)
    guard dim(A) == 2 && dim(B) == 2 && at(shape(A), 1) == at(shape(B), 0) { C = matmul(A, B); };
  procedure gram(obs A: Array, out C: Array) guard dim(A) == 2 { C = matmul(A, transpose(A)); };
  procedure batch(obs A: Array, obs B: Array, out C: Array)
    guard dim(A) == 3 && dim(B) == 3 && at(shape(A), 0) == at(shape(B), 0) &&
      at(shape(A), 2) == at(shape(B), 1) { C = products(A, B); };
  procedure contract(obs A: Array, obs B: Array, out C: Array)
    guard dim(A) == 3 && dim(B) == 3 && at(shape(A), 1) == at(shape(B), 0) &&
      at(shape(A), 2) == at(shape(B), 1) { C = contracted(A, B); };
  procedure filter(obs u: Array, obs w: Array, out C: Array)
    guard dim(u) == 2 && dim(w) == 2 && (forall (m < 2) at(shape(w), m) <= at(shape(u), m)) {
    C = filtered(u, w);
  };
  procedure compare(obs A: Array, obs B: Array, out C: Array)
    guard dim(A) == 2 && dim(B) == 2 && at(shape(A), 1) == at(shape(B), 1) {
    C = distances(A, B);
  };
  procedure apply(obs A: Array, obs x: Array, out C: Array)
    guard dim(A) == 2 && dim(x) == 1 && at(shape(A), 1) == at(shape(x), 0) { C = matmul(A, x); };
  procedure columns(obs A: Array, out C: Array) guard dim(A) == 2 { C = sum(A, 0); };
  procedure rows(obs A: Array, out C: Array) guard dim(A) == 2 { C = sum(A, 1); };
  procedure total(obs x: Array, out C: Array) guard dim(x) == 1 { C = sum(x, 0); };
  procedure chain(obs x: Array, obs y: Array, out C: Array)
    guard dim(x) == 1 && dim(y) == 1 && at(shape(x), 0) == at(shape(y), 0) {
    C = x * y + x - y * 3;
  };
};
