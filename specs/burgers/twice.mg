package specs.burgers.twice imports specs.burgers.paper, specs.schedules.stencil;
schedule two for 3DPadded on step = {
  require fuse;
  pipeline(max_planes = 16);
  pad(widest = 2); in_place; refill; share; bind(to = rows);
  require repeat(times = 2);
};
schedule three for 3DPadded on step = {
  require fuse;
  pipeline(max_planes = 32);
  pad(widest = 2); in_place; refill; share; bind(to = rows);
  require repeat(times = 3);
};
