package fuzz imports backend.kokkos, moa.dnf, moa.indexwise;
program Base = { use Arrays;
  function smooth(a: Array): Array = 0.25 * rotate(a, 0, -1) + 0.5 * a + 0.25 * rotate(a, 0, 1);
  procedure step(upd a: Array) { a = smooth(a); };
};
program DNF = { use (rewrite (rewrite (implement ToIxwiseGenerator[op => smooth, opIx => smoothIx, E => Real] in Base) with ToIxwise[op => smooth] 1) with DNFRules[E => Real] 100);
  use FlatSchedule[element => smoothIx, E => Real]; };
