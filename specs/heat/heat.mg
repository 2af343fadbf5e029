// The heat equation u_t = k laplace(u) + f in any number of dimensions, forward in time and
// central in space: u(t + dt) = u + r * laplace(u) + dt * f with r = k dt / dx^2, which is stable
// for r <= 1 / (2 dim(u)). What a difference reads beyond the ends of an axis is a pad, and which
// pad that is, on each axis its own, is the boundary condition.
package specs.heat.heat imports moa.library;

// laplace(u) * dx^2: the second differences along all axes.
concept Laplacians = {
  use Expressions;

  // A number as an array of rank 0, which meets every element of another.
  function everywhere(x: Number): Array;
  axiom everywhereDefinition(x: Number) {
    assert everywhere(x) == forall (p < ([]: Index)) x;
  }

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
    assert laplace_circular(u) == fold _+_ (axis < dim(u))
      second_difference(pad_circular(u, axis, 1, 1), axis);
  }

  // Dirichlet: the number c all around.
  function laplace_constant(u: Array, c: Array): Array guard 0 < dim(u);
  axiom laplaceConstant(u: Array, c: Array) {
    assert laplace_constant(u, c) == fold _+_ (axis < dim(u))
      second_difference(pad_constant(u, axis, 1, 1, c), axis);
  }

  // Neumann: no difference across the boundary, which nothing flows through.
  function laplace_edge(u: Array): Array guard 0 < dim(u);
  axiom laplaceEdge(u: Array) {
    assert laplace_edge(u) == fold _+_ (axis < dim(u))
      second_difference(pad_edge(u, axis, 1, 1), axis);
  }

  // The same with neighbours at a distance of h, for pads of any width: each h-th point is a grid
  // of its own.
  function distant_difference(A: Array, axis: Int, h: Int): Array
    guard 0 <= axis && axis < dim(A) && 1 <= h && 2 * h <= at(shape(A), axis);
  axiom distantDifference(A: Array, axis: Int, h: Int) {
    assert distant_difference(A, axis, h) ==
      drop(A, axis, -2 * h) - 2 * drop(drop(A, axis, h), axis, -h) + drop(A, axis, 2 * h);
  }
  function laplace_distant(u: Array, h: Int): Array guard 0 < dim(u) && 1 <= h;
  axiom laplaceDistant(u: Array, h: Int) {
    assert laplace_distant(u, h) == fold _+_ (axis < dim(u))
      distant_difference(pad_edge(u, axis, h, h), axis, h);
  }

  // Mixed: periodic along axis 0; along each other one c before the first, and nothing flows
  // behind the last.
  function laplace_mixed(u: Array, c: Array): Array guard 0 < dim(u);
  axiom laplaceMixed(u: Array, c: Array) {
    assert laplace_mixed(u, c) == fold _+_ (axis < dim(u))
      second_difference(
        if axis == 0
          then pad_circular(u, axis, 1, 1)
          else pad_edge(pad_constant(u, axis, 1, 0, c), axis, 0, 1),
        axis);
  }
};

// One program for every number of dimensions, a procedure for each boundary condition.
program Heat = implement Laplacians in {
  use Laplacians;

  procedure circular(upd u: Array, obs r: Number) guard 0 < dim(u) {
    u = u + everywhere(r) * laplace_circular(u);
  };

  procedure constant(upd u: Array, obs r: Number, obs c: Number) guard 0 < dim(u) {
    u = u + everywhere(r) * laplace_constant(u, everywhere(c));
  };

  procedure edge(upd u: Array, obs r: Number) guard 0 < dim(u) {
    u = u + everywhere(r) * laplace_edge(u);
  };

  procedure distant(upd u: Array, obs r: Number, obs h: Int) guard 0 < dim(u) && 1 <= h {
    u = u + everywhere(r) * laplace_distant(u, h);
  };

  procedure mixed(upd u: Array, obs r: Number, obs c: Number) guard 0 < dim(u) {
    u = u + everywhere(r) * laplace_mixed(u, everywhere(c));
  };

  // A source f, and what is all around swings with the time: sin(t) at t = 0, dt, 2 dt, ...
  procedure driven(upd u: Array, obs f: Array, obs r: Number, obs dt: Number, obs steps: Int)
    guard 0 < dim(u) {
    for n in 0 .. steps {
      var t: Number = convert(n) * dt;
      u = u + everywhere(r) * laplace_constant(u, everywhere(sin(t))) + everywhere(dt) * f;
    };
  };

  // The largest difference of two arrays anywhere.
  function distance(u: Array, v: Array): Number
    = psi([], maximum(ravel(abs(u - v)), 0));

  // Steps until one changes nothing by more than the tolerance, `most` of them at most; how many
  // it took. A difference that is no number is more than any tolerance.
  procedure settle(upd u: Array, obs r: Number, obs c: Number, obs tolerance: Number,
                   obs most: Int, out steps: Int)
    guard 0 < dim(u) && 1 <= most {
    var before = u;
    steps = 1;
    call constant(u, r, c);
    while !(distance(u, before) <= tolerance) bound most - 1 {
      before = u;
      call constant(u, r, c);
      steps = steps + 1;
    };
  };
};
