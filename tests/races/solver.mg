// The paper's solver in tiles of a few rows, so that small arrays have several, by pairs of steps,
// by several rows in a loop, and by teams of threads.
package solver imports specs.burgers.paper;

program P = specs.burgers.paper.3DPadded;

schedule few on step = {
  fuse;
  require pipeline;
  in_place;
  pad;
  refill;
  share;
  bind;
  require tile(most_rows = 5);
};

schedule pairs on step = {
  use few;
  require repeat(times = 2);
  require unroll(most_rows = 2);
};

schedule several_rows on step = {
  fuse;
  in_place;
  pad;
  refill;
  share;
  bind;
  require unroll(most_rows = 2);
};

schedule device on step = {
  drop;
  fuse;
  require pipeline;
  tile;
  refill;
  share;
  require bind(to = teams);
};
