// Smooths an array of any number of axes, along each of them.
package NAME imports moa.library;

// An operation of your own is what its axioms say: its shape, and its element at an index p.
concept Averages = {
  use Expressions;

  // The mean of an element and the next one along an axis, from the last round to the first.
  function average(A: Array, axis: Int): Array guard 0 <= axis && axis < dim(A);
  axiom averageShape(A: Array, axis: Int) { assert shape(average(A, axis)) == shape(A); }
  axiom averageElement(p: Index, A: Array, axis: Int) {
    assert psi(p, average(A, axis)) ==
      0.5 * (psi(p, A): Number) + 0.5 * psi(p, rotate(A, axis, 1));
  }
};

program Smoothing = implement Averages in {
  use Averages;
  procedure smooth(upd u: Array) guard dim(u) == 2 {
    u = average(average(u, 0), 1);
  }
};
