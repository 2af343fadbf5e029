// How the paper's solver runs:
//   rhopsi run specs/burgers/paper.mg -p 3DPadded --schedule specs.burgers.recipes.sweep ...
package specs.burgers.recipes imports specs.burgers.paper, specs.schedules.stencil;

// Each half step is one pass.
schedule halves for 3DPadded on step = {
  require fuse;
  use lean;
};

// The same for reals in any order (--reassociate): what neighbours are multiplied with is computed
// once for all three components.
schedule factored_halves for 3DPadded on step = {
  require fuse;
  require factor;
  use lean;
};

// The whole step is one.
schedule sweep for 3DPadded on step = {
  require fuse;
  use planes;
  require in_place;
};

// And tile by tile.
schedule tiled_sweep for 3DPadded on step = {
  require fuse;
  use tiles;
  require in_place;
};
