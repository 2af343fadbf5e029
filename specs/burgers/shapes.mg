// The solver of the P3 paper over arrays that have shapes of their own: one program, from which
// the loops over explicit indices come by the two axioms of each operation. No rule is for a
// number of axes.
package specs.burgers.shapes imports moa.library, specs.burgers.paper;

// The operations of Listing 3 on a number and an array: the number is an array of rank 0.
implementation NumbersAndArrays = {
  require type Array;
  require type Number;
  require function array(k: Number): Array;
  require function _+_(a: Array, b: Array): Array;
  require function _-_(a: Array, b: Array): Array;
  require function _*_(a: Array, b: Array): Array;
  require function _/_(a: Array, b: Array): Array;
  function _+_(k: Number, A: Array): Array = array(k) + A;
  function _-_(k: Number, A: Array): Array = array(k) - A;
  function _*_(k: Number, A: Array): Array = array(k) * A;
  function _/_(k: Number, A: Array): Array = array(k) / A;
};

// Listing 5 as it stands.
program Paper = implement Expressions in {
  use Expressions;
  use NumbersAndArrays;
  use Parameters[Float => Number];
  use Constants[Float => Number, Axis => Int, Offset => Int];
  use Solver[Float => Number, Axis => Int, Offset => Int];

  // Three axes for three components. From a length of 2 on no element is its own neighbour, and an
  // axis is cut into three parts: the first, the last, and what is between.
  function substep(u: Array, v: Array, u0: Array, u1: Array, u2: Array): Array
    guard dim(v) == 3 && (forall (axis < 3) 2 <= at(shape(v), axis))
       && shape(u) == shape(v) && shape(u0) == shape(v)
       && shape(u1) == shape(v) && shape(u2) == shape(v);
};

// Equation (8) in any number of dimensions. u holds a component of the velocity for each
// dimension, along axis 0, and h the distance of points along each.
concept Burgers = {
  use Expressions;

  // The velocity along a dimension, in the place of every component.
  function along(u: Array, k: Int): Array guard 0 < dim(u) && 0 <= k && k < at(shape(u), 0);
  axiom alongShape(u: Array, k: Int) { assert shape(along(u, k)) == shape(u); }
  axiom alongElement(p: Index, u: Array, k: Int) {
    assert psi(p, along(u, k)) == (psi(replace(p, 0, k), u): Number);
  }

  // What dimension k adds in a step, convection and diffusion.
  function change(u: Array, k: Int, nu: Number, dt: Number, h: Number): Array
    guard 0 <= k && k + 1 < dim(u) && k < at(shape(u), 0) && 0 < at(shape(u), k + 1);
  axiom changeDefinition(u: Array, k: Int, nu: Number, dt: Number, h: Number) {
    assert change(u, k, nu, dt, h) ==
      array(nu * dt / (h * h)) * (rotate(u, k + 1, 1) + rotate(u, k + 1, -1) - 2 * u)
        - array(dt / (2 * h)) * along(u, k) * (rotate(u, k + 1, 1) - rotate(u, k + 1, -1));
  }

  function advanced(u: Array, h: Array, nu: Number, dt: Number): Array
    guard 1 < dim(u) && at(shape(u), 0) == dim(u) - 1
       && dim(h) == 1 && at(shape(h), 0) == dim(u) - 1;
  axiom advancedDefinition(u: Array, h: Array, nu: Number, dt: Number) {
    assert advanced(u, h, nu, dt) ==
      u + fold _+_ (k < (dim(u) - 1: Int)) change(u, k, nu, dt, psi([k], h));
  }
};

program Equation8 = implement Burgers in {
  use Burgers;
  procedure step(upd u: Array, obs h: Array, obs nu: Number, obs dt: Number)
    guard 1 < dim(u) && at(shape(u), 0) == dim(u) - 1
       && dim(h) == 1 && at(shape(h), 0) == dim(u) - 1
       && (forall (k < dim(u) - 1) 2 <= at(shape(u), k + 1)) {
    u = advanced(u, h, nu, dt);
  };
};
