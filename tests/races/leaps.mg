// Three steps in one pass.
package leaps imports specs.wave.leap;

program P = specs.wave.leap.DNF;

schedule triples on step = {
  require pipeline(max_planes = 24);
  in_place;
  pad;
  refill;
  share;
  bind(to = rows);
  require repeat(times = 3);
};
