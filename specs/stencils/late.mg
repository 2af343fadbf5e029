// Steps of solvers and filters on periodic grids by which the model that chooses schedules was not made: no
// figure of it was set by a measurement of these. benchmarks/stencils.py measures what is chosen beside
// the same written by hand:
//   benchmarks/stencils.py --only box,acoustic,Gray,advection,Gauss
package specs.stencils.late imports backend.kokkos, moa.dnf, moa.indexwise;

// 27 points: the mean of each three along each axis.
program BoxBase = {
  use Arrays;
  function three(u: Array, axis: Axis): Array = rotate(u, axis, 1) + u + rotate(u, axis, -1);
  function box(u: Array): Array = 0.037037037 * three(three(three(u, 0), 1), 2);
  procedure step(upd u: Array) { u = box(u); }
};
program Box = {
  use (rewrite
        (rewrite (implement ToIxwiseGenerator[op => box, opIx => boxIx, E => Real] in BoxBase)
         with ToIxwise[op => box] 1)
       with DNFRules[E => Real] 100);
  use FlatSchedule[element => boxIx, E => Real];
};

// The acoustic wave equation: eighth order in space, second in time, with a velocity at each point.
program AcousticBase = {
  use Arrays;
  function pair(p: Array, axis: Axis, o: Offset): Array = rotate(p, axis, o) + rotate(p, axis, -o);
  function ring(p: Array, o: Offset): Array = pair(p, 0, o) + pair(p, 1, o) + pair(p, 2, o);
  function laplacian(p: Array): Array =
    1.6 * ring(p, 1) - 0.2 * ring(p, 2) + 0.025396825 * ring(p, 3) - 0.0017857143 * ring(p, 4)
    - 8.5416667 * p;
  function wave(p: Array, before: Array, v: Array): Array = 2.0 * p - before + 0.1 * v * laplacian(p);
  procedure step(upd p: Array, upd q: Array, obs v: Array) {
    var next = wave(p, q, v);
    q = p;
    p = next;
  }
};
program Acoustic = {
  use (rewrite
        (rewrite (implement ToIxwiseGenerator[op => wave, opIx => waveIx, E => Real] in AcousticBase)
         with ToIxwise[op => wave] 1)
       with DNFRules[E => Real] 100);
  use FlatSchedule[element => waveIx, E => Real];
};

// Gray and Scott: two substances, one feeds on the other.
program GrayScottBase = {
  use Arrays;
  function lap(u: Array): Array =
    rotate(u, 0, 1) + rotate(u, 0, -1) + rotate(u, 1, 1) + rotate(u, 1, -1) - 4.0 * u;
  function feed(u: Array, v: Array): Array =
    u + (0.16 * lap(u) - 0.1 * u * v * v + 0.035 * (1.0 - u));
  function grow(u: Array, v: Array): Array =
    v + (0.08 * lap(v) + 0.1 * u * v * v - 0.1 * v);
  procedure step(upd u: Array, upd v: Array) {
    var nu = feed(u, v);
    var nv = grow(u, v);
    u = nu;
    v = nv;
  }
};
concept GrayScottElements = {
  use ToIxwiseGenerator[T => T0, op => feed, opIx => feedIx, toIxwiseGenerator => feedGenerator];
  use ToIxwiseGenerator[T => T1, op => grow, opIx => growIx, toIxwiseGenerator => growGenerator];
};
concept GrayScottLoops = {
  use ToIxwise[T => T0, op => feed, schedule => feedAll, toIxwiseRule => feedRule];
  use ToIxwise[T => T1, op => grow, schedule => growAll, toIxwiseRule => growRule];
};
program GrayScott = {
  use (rewrite (rewrite (implement GrayScottElements[E => Real] in GrayScottBase) with GrayScottLoops 10)
       with DNFRules[E => Real] 100);
  use FlatSchedule[schedule => feedAll, element => feedIx, E => Real];
  use FlatSchedule[schedule => growAll, element => growIx, E => Real];
};

// Advection by a constant wind, with slopes limited by minmod, one axis after the other.
program AdvectionBase = {
  use Arrays;
  function minmod(a: Array, b: Array): Array =
    max(0.0, min(a, b)) + min(0.0, max(a, b));
  function slope(u: Array, axis: Axis): Array =
    minmod(u - rotate(u, axis, -1), rotate(u, axis, 1) - u);
  function flux(u: Array, axis: Axis): Array = u + 0.35 * slope(u, axis);
  function advect(u: Array, axis: Axis): Array =
    u - 0.3 * (flux(u, axis) - rotate(flux(u, axis), axis, -1));
  procedure step(upd u: Array) { u = advect(u, 0); u = advect(u, 1); }
};
program Advection = {
  use (rewrite
        (rewrite (implement ToIxwiseGenerator[op => advect, opIx => advectIx, E => Real] in AdvectionBase)
         with ToIxwise[op => advect] 1)
       with DNFRules[E => Real] 100);
  use FlatSchedule[element => advectIx, E => Real];
};

// A Gaussian of radius 3, along one axis and then along the other.
program GaussBase = {
  use Arrays;
  function line(u: Array, axis: Axis): Array =
    0.3125 * u + 0.234375 * (rotate(u, axis, 1) + rotate(u, axis, -1))
    + 0.09375 * (rotate(u, axis, 2) + rotate(u, axis, -2))
    + 0.015625 * (rotate(u, axis, 3) + rotate(u, axis, -3));
  procedure step(upd u: Array) { u = line(u, 0); u = line(u, 1); }
};
program Gauss = {
  use (rewrite
        (rewrite (implement ToIxwiseGenerator[op => line, opIx => lineIx, E => Real] in GaussBase)
         with ToIxwise[op => line] 1)
       with DNFRules[E => Real] 100);
  use FlatSchedule[element => lineIx, E => Real];
};
