// The heat equation u_t = k laplace(u) + f in any number of dimensions, forward in time and
// central in space: u(t + dt) = u + r * laplace(u) + dt * f with r = k dt / dx^2, which is stable
// for r <= 1 / (2 dim(u)). What a difference reads beyond the ends of an axis is a pad, and which
// pad that is, on each axis its own, is the boundary condition.
package specs.heat.heat imports moa.library;

// laplace(u) * dx^2: the second differences along all axes.
concept Laplacians = {
  use Expressions;

  // A[i - 1] - 2 A[i] + A[i + 1] along an axis, wherever both neighbours are.
  function second_difference(A: Array, axis: Int): Array
    guard 0 <= axis && axis < dim(A) && 2 <= at(shape(A), axis);
  axiom secondDifference(A: Array, axis: Int) {
    assert second_difference(A, axis) ==
      drop(A, axis, -2) - 2 * drop(drop(A, axis, 1), axis, -1) + drop(A, axis, 2);
  }

  // Periodic.
  function laplace_circular(u: Array): Array guard 0 < dim(u);
  axiom laplaceCircular(u: Array) {
    assert laplace_circular(u) == fold _+_ (axis < (dim(u): Int))
      second_difference(pad_circular(u, axis, 1, 1), axis);
  }

  // Dirichlet: the number c all around.
  function laplace_constant(u: Array, c: Array): Array guard 0 < dim(u);
  axiom laplaceConstant(u: Array, c: Array) {
    assert laplace_constant(u, c) == fold _+_ (axis < (dim(u): Int))
      second_difference(pad_constant(u, axis, 1, 1, c), axis);
  }

  // Neumann: no difference across the boundary, which nothing flows through.
  function laplace_edge(u: Array): Array guard 0 < dim(u);
  axiom laplaceEdge(u: Array) {
    assert laplace_edge(u) == fold _+_ (axis < (dim(u): Int))
      second_difference(pad_edge(u, axis, 1, 1), axis);
  }

  // Mixed: periodic along axis 0; along each other one c before the first, and nothing flows
  // behind the last.
  function laplace_mixed(u: Array, c: Array): Array guard 0 < dim(u);
  axiom laplaceMixed(u: Array, c: Array) {
    assert laplace_mixed(u, c) == fold _+_ (axis < (dim(u): Int))
      second_difference(
        if axis == 0
          then pad_circular(u, axis, 1, 1)
          else pad_edge(pad_constant(u, axis, 1, 0, c), axis, 0, 1),
        axis);
  }
};
