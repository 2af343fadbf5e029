// Maxwell's equations on a periodic plane by finite differences in the time domain (Yee 1966), with
// the electric field across the plane. The fields are staggered: with i, j along axis 0, 1
//   ez[i, j] at (i, j),  hx[i, j] at (i, j + 1/2),  hy[i, j] at (i + 1/2, j),
// and h is half of a time step later. c = dt / dx in units where light goes one length in one time;
// it is stable for c <= 1 / sqrt(2).
package specs.fdtd.fdtd imports backend.kokkos, moa.dnf, moa.indexwise, specs.schedules.stencil;

implementation Courant = external Kokkos parameters {
  require type Real;
  function c(): Real;
};

program Base = {
  use Arrays;
  use Courant;
  function along_x(hx: Array, ez: Array): Array = hx - c() * (rotate(ez, 1, 1) - ez);
  function along_y(hy: Array, ez: Array): Array = hy + c() * (rotate(ez, 0, 1) - ez);
  function across(ez: Array, hx: Array, hy: Array): Array =
    ez + c() * (hy - rotate(hy, 0, -1) - (hx - rotate(hx, 1, -1)));
  procedure step(upd ez: Array, upd hx: Array, upd hy: Array) {
    hx = along_x(hx, ez);
    hy = along_y(hy, ez);
    ez = across(ez, hx, hy);
  }
};

// Each function as one of its elements, and its calls as loops over all of them.
concept Elements = {
  use ToIxwiseGenerator[T => T0, op => along_x, opIx => along_xIx, toIxwiseGenerator => along_xGenerator];
  use ToIxwiseGenerator[T => T1, op => along_y, opIx => along_yIx, toIxwiseGenerator => along_yGenerator];
  use ToIxwiseGenerator[T => T2, op => across, opIx => acrossIx, toIxwiseGenerator => acrossGenerator];
};
concept Loops = {
  use ToIxwise[T => T0, op => along_x, schedule => along_xAll, toIxwiseRule => along_xRule];
  use ToIxwise[T => T1, op => along_y, schedule => along_yAll, toIxwiseRule => along_yRule];
  use ToIxwise[T => T2, op => across, schedule => acrossAll, toIxwiseRule => acrossRule];
};

program DNF = {
  use (rewrite
        (rewrite (implement Elements[E => Real] in Base) with Loops 10)
       with DNFRules[E => Real] 100);
  use FlatSchedule[schedule => along_xAll, element => along_xIx, E => Real];
  use FlatSchedule[schedule => along_yAll, element => along_yIx, E => Real];
  use FlatSchedule[schedule => acrossAll, element => acrossIx, E => Real];
};

// The magnetic fields in one pass, and the electric one plane by plane behind it.
schedule leapfrog for DNF on step = {
  require fuse;
  use planes;
  require in_place;
};
