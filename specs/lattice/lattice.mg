// The lattice Boltzmann method on a plane, with nine velocities (D2Q9) and one relaxation time
// (Bhatnagar, Gross, Krook 1954; Qian, d'Humieres, Lallemand 1992), on a periodic domain: particles
// go to their neighbours, and where they meet, they relax towards the equilibrium
//   w rho (1 + 3 e.u + 9/2 (e.u)^2 - 3/2 u.u)
// of their density rho and velocity u. The viscosity is (1/omega - 1/2) / 3. Of the fields f0 rests;
// f1 to f4 go along axis 0, axis 1, and back; f5 to f8 along the diagonals:
//   f6 f2 f5
//   f3 f0 f1      axis 0 to the right, axis 1 upwards
//   f7 f4 f8
package specs.lattice.lattice imports backend.kokkos, moa.dnf, moa.indexwise, specs.schedules.stencil;

implementation Relaxation = external Kokkos parameters {
  require type Real;
  function omega(): Real;
};

program Base = {
  use Arrays;
  use Relaxation;

  // What comes from the neighbours at (-a, -b).
  function stream(f: Array, a: Offset, b: Offset): Array = rotate(rotate(f, 0, -a), 1, -b);

  function density(f0: Array, f1: Array, f2: Array, f3: Array, f4: Array, f5: Array, f6: Array,
                   f7: Array, f8: Array): Array =
    f0 + (f1 + f2 + (f3 + f4)) + (f5 + f6 + (f7 + f8));

  // Of what goes to one side and what goes to the other.
  function velocity(a: Array, b: Array, c: Array, d: Array, e: Array, f: Array, rho: Array): Array =
    (a + b + c - (d + e + f)) / rho;

  function still(ux: Array, uy: Array): Array = 1.0 - 1.5 * (ux * ux + uy * uy);

  // `w` is the weight of the velocity, `e` what of u is along it, `s` is still(ux, uy).
  function rest(f: Array, w: Real, rho: Array, s: Array): Array =
    f + omega() * (w * rho * s - f);
  function forth(f: Array, w: Real, rho: Array, s: Array, e: Array): Array =
    f + omega() * (w * rho * (s + 4.5 * (e * e) + 3.0 * e) - f);
  function back(f: Array, w: Real, rho: Array, s: Array, e: Array): Array =
    f + omega() * (w * rho * (s + 4.5 * (e * e) - 3.0 * e) - f);

  procedure step(upd f0: Array, upd f1: Array, upd f2: Array, upd f3: Array, upd f4: Array,
                 upd f5: Array, upd f6: Array, upd f7: Array, upd f8: Array) {
    f1 = stream(f1, 1, 0);
    f2 = stream(f2, 0, 1);
    f3 = stream(f3, -1, 0);
    f4 = stream(f4, 0, -1);
    f5 = stream(f5, 1, 1);
    f6 = stream(f6, -1, 1);
    f7 = stream(f7, -1, -1);
    f8 = stream(f8, 1, -1);
    var rho = density(f0, f1, f2, f3, f4, f5, f6, f7, f8);
    var ux = velocity(f1, f5, f8, f3, f6, f7, rho);
    var uy = velocity(f2, f5, f6, f4, f7, f8, rho);
    var s = still(ux, uy);
    var up = ux + uy;
    var down = ux - uy;
    f0 = rest(f0, 4.0 / 9.0, rho, s);
    f1 = forth(f1, 1.0 / 9.0, rho, s, ux);
    f3 = back(f3, 1.0 / 9.0, rho, s, ux);
    f2 = forth(f2, 1.0 / 9.0, rho, s, uy);
    f4 = back(f4, 1.0 / 9.0, rho, s, uy);
    f5 = forth(f5, 1.0 / 36.0, rho, s, up);
    f7 = back(f7, 1.0 / 36.0, rho, s, up);
    f8 = forth(f8, 1.0 / 36.0, rho, s, down);
    f6 = back(f6, 1.0 / 36.0, rho, s, down);
  }
};

// Each function as one of its elements, and its calls as loops over all of them.
concept Elements = {
  use ToIxwiseGenerator[T => T0, op => stream, opIx => streamIx, toIxwiseGenerator => streamGenerator];
  use ToIxwiseGenerator[T => T1, op => density, opIx => densityIx, toIxwiseGenerator => densityGenerator];
  use ToIxwiseGenerator[T => T2, op => velocity, opIx => velocityIx, toIxwiseGenerator => velocityGenerator];
  use ToIxwiseGenerator[T => T3, op => still, opIx => stillIx, toIxwiseGenerator => stillGenerator];
  use ToIxwiseGenerator[T => T4, op => rest, opIx => restIx, toIxwiseGenerator => restGenerator];
  use ToIxwiseGenerator[T => T5, op => forth, opIx => forthIx, toIxwiseGenerator => forthGenerator];
  use ToIxwiseGenerator[T => T6, op => back, opIx => backIx, toIxwiseGenerator => backGenerator];
};
concept Loops = {
  use ToIxwise[T => T0, op => stream, schedule => streamAll, toIxwiseRule => streamRule];
  use ToIxwise[T => T1, op => density, schedule => densityAll, toIxwiseRule => densityRule];
  use ToIxwise[T => T2, op => velocity, schedule => velocityAll, toIxwiseRule => velocityRule];
  use ToIxwise[T => T3, op => still, schedule => stillAll, toIxwiseRule => stillRule];
  use ToIxwise[T => T4, op => rest, schedule => restAll, toIxwiseRule => restRule];
  use ToIxwise[T => T5, op => forth, schedule => forthAll, toIxwiseRule => forthRule];
  use ToIxwise[T => T6, op => back, schedule => backAll, toIxwiseRule => backRule];
};

program DNF = {
  use (rewrite
        (rewrite (implement Elements[E => Real] in Base) with Loops 10)
       with DNFRules[E => Real] 100);
  use FlatSchedule[schedule => streamAll, element => streamIx, E => Real];
  use FlatSchedule[schedule => densityAll, element => densityIx, E => Real];
  use FlatSchedule[schedule => velocityAll, element => velocityIx, E => Real];
  use FlatSchedule[schedule => stillAll, element => stillIx, E => Real];
  use FlatSchedule[schedule => restAll, element => restIx, E => Real];
  use FlatSchedule[schedule => forthAll, element => forthIx, E => Real];
  use FlatSchedule[schedule => backAll, element => backIx, E => Real];
};

schedule fused for DNF on step = {
  require fuse;
  use lean;
};

// And in one lattice: what was computed goes to its place a plane behind.
schedule in_place for DNF on step = {
  require fuse;
  use planes;
  require in_place;
};
