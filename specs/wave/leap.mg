// Two fields on a ring of rings that are changed by turns, each by differences of the other: the
// wave equation in first order.
package specs.wave.leap imports backend.kokkos, moa.dnf, moa.indexwise, specs.schedules.stencil;

program Base = {
  use Arrays;
  function leap(a: Array, b: Array): Array =
    a + 0.5 * (rotate(b, 0, 1) - rotate(b, 1, -1)) + 0.25 * rotate(rotate(b, 0, -2), 1, 1);
  procedure step(upd h: Array, upd e: Array) { h = leap(h, e); e = leap(e, h); }
};

program DNF = {
  use (rewrite
        (rewrite (implement ToIxwiseGenerator[op => leap, opIx => leapIx, E => Real] in Base)
         with ToIxwise[op => leap] 1)
       with DNFRules[E => Real] 100);
  use FlatSchedule[element => leapIx, E => Real];
};

// Neither field reads the other one at its own index alone, so there is nothing to fuse.
schedule turns for DNF on step = {
  use planes;
};
