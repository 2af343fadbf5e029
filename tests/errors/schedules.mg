package schedules;

program P = {
  predicate step() = TRUE();
};
schedule lean = { drop; pad(widest = 2); in_place; };
schedule typo = { fuze; };
schedule bound for P on step = { use lean; pipeline(planes = 4); };
schedule range = { pad(widest = 1000); };
schedule twice = { use lean; pad(widest = 3); };
schedule absent for P on stpe = { fuse; };
schedule narrow for P = { fuse; };
schedule wide = { use narrow; };
schedule here = { use there; };
schedule there = { use here; };
schedule auto = { fuse; };
schedule of_nothing for lean = { fuse; };
