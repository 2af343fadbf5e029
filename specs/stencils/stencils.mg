// Steps of solvers and filters on periodic grids, each as whole arrays, for measuring schedules:
//   benchmarks/schedules.py
package specs.stencils.stencils imports backend.kokkos, moa.dnf, moa.indexwise;

// The heat equation on three axes: seven points.
program HeatBase = {
  use Arrays;
  function diffuse(u: Array): Array =
    u + 0.1 * (rotate(u, 0, 1) + rotate(u, 0, -1) + rotate(u, 1, 1) + rotate(u, 1, -1)
               + rotate(u, 2, 1) + rotate(u, 2, -1) - 6.0 * u);
  procedure step(upd u: Array) { u = diffuse(u); }
};
program Heat = {
  use (rewrite
        (rewrite (implement ToIxwiseGenerator[op => diffuse, opIx => diffuseIx, E => Real] in HeatBase)
         with ToIxwise[op => diffuse] 1)
       with DNFRules[E => Real] 100);
  use FlatSchedule[element => diffuseIx, E => Real];
};

// Three times the mean of nine points.
program BlurBase = {
  use Arrays;
  function blur(u: Array): Array =
    0.25 * u + 0.125 * (rotate(u, 0, 1) + rotate(u, 0, -1) + rotate(u, 1, 1) + rotate(u, 1, -1))
    + 0.0625 * (rotate(rotate(u, 0, 1), 1, 1) + rotate(rotate(u, 0, 1), 1, -1)
                + rotate(rotate(u, 0, -1), 1, 1) + rotate(rotate(u, 0, -1), 1, -1));
  procedure step(upd u: Array) { u = blur(u); u = blur(u); u = blur(u); }
};
program Blur = {
  use (rewrite
        (rewrite (implement ToIxwiseGenerator[op => blur, opIx => blurIx, E => Real] in BlurBase)
         with ToIxwise[op => blur] 1)
       with DNFRules[E => Real] 100);
  use FlatSchedule[element => blurIx, E => Real];
};

// Two substances that diffuse and consume one another.
program ReactionBase = {
  use Arrays;
  function react(a: Array, b: Array): Array =
    a + 0.1 * (rotate(a, 0, 1) + rotate(a, 0, -1) + rotate(a, 1, 1) + rotate(a, 1, -1) - 4.0 * a)
    - 0.05 * a * b * b + 0.02 * (1.0 - a);
  procedure step(upd u: Array, upd v: Array) { u = react(u, v); v = react(v, u); }
};
program Reaction = {
  use (rewrite
        (rewrite (implement ToIxwiseGenerator[op => react, opIx => reactIx, E => Real] in ReactionBase)
         with ToIxwise[op => react] 1)
       with DNFRules[E => Real] 100);
  use FlatSchedule[element => reactIx, E => Real];
};

// The wave equation on three axes as two fields, of fourth order in space.
program WavesBase = {
  use Arrays;
  function move(a: Array, b: Array): Array =
    a + 0.05 * (16.0 * (rotate(b, 0, 1) + rotate(b, 0, -1) + rotate(b, 1, 1) + rotate(b, 1, -1)
                        + rotate(b, 2, 1) + rotate(b, 2, -1))
                - (rotate(b, 0, 2) + rotate(b, 0, -2) + rotate(b, 1, 2) + rotate(b, 1, -2)
                   + rotate(b, 2, 2) + rotate(b, 2, -2)) - 90.0 * b);
  procedure step(upd p: Array, upd q: Array) { q = move(q, p); p = move(p, q); }
};
program Waves = {
  use (rewrite
        (rewrite (implement ToIxwiseGenerator[op => move, opIx => moveIx, E => Real] in WavesBase)
         with ToIxwise[op => move] 1)
       with DNFRules[E => Real] 100);
  use FlatSchedule[element => moveIx, E => Real];
};
