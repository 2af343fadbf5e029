// A membrane, u_tt = c^2 laplace(u), at rest along its edge: central in time and space. Of the two
// time levels u and v = u(t - dt) the next one is
//   u(t + dt) = 2 u - v + s * laplace(u)   with  s = (c dt / dx)^2,
// which is stable for s <= 1 / dim(u).
package specs.wave.wave imports moa.library, specs.heat.heat;

concept Membrane = {
  use Laplacians;
  function next_level(u: Array, v: Array, s: Array): Array guard 0 < dim(u);
  axiom nextLevel(u: Array, v: Array, s: Array) {
    assert next_level(u, v, s) == 2 * u - v + s * laplace_constant(u, 0);
  }
};

program Wave = implement Membrane in {
  use Membrane;

  procedure step(upd u: Array, upd v: Array, obs s: Number) guard dim(u) == 2 {
    var next = next_level(u, v, everywhere(s));
    v = u;
    u = next;
  };
};
