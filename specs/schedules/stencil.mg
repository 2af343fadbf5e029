// Schedules for programs that move fields by their neighbours, whatever the equation is.
package specs.schedules.stencil;

// Passes as they are, with no more memory than they need.
schedule lean = {
  drop;
  pad(widest = 2);
  in_place;
  refill;
  share;
  bind(to = rows);
};

// Without pads: along rows the neighbours are where they are, but for the ends of a row.
schedule peeled = {
  drop;
  fuse;
  in_place;
  share;
  bind(to = rows);
  boundary(as = peel);
};

// Rows side by side in one loop, for what reads many neighbours: those of several rows are loaded
// once.
schedule rows_at_once = {
  use lean;
  unroll;
};

// One pass for all, plane by plane: what waits for its neighbours is a few planes in the cache.
schedule planes = {
  use lean;
  require pipeline(max_planes = 4);
};

// The same in tiles, for planes that a core's cache does not hold.
schedule tiles = {
  use planes;
  require tile;
};

// Two steps in one pass: for what computes little of much.
schedule twice = {
  use lean;
  fuse;
  pipeline;
  require repeat(times = 2);
};

// The same in tiles.
schedule twice_in_tiles = {
  use twice;
  tile;
};

// Three, of which the planes that wait stay in the cache in tiles alone.
schedule thrice_in_tiles = {
  use lean;
  fuse;
  pipeline(max_planes = 16);
  tile;
  require repeat(times = 3);
};
