package declarations;

// What was refused is not held against what calls it, and other bodies are still read.
implementation Refused = {
  type T;
  function f(x: Unknown): T;
  function g(x: T): T = f(x);
  function h(x: T): T = missing(x);
  procedure p(obs x: T);
  procedure p(out x: T);
  procedure q(obs x: T) { call p(x); call gone(x); }
};

// Who requires an operation does not define it.
implementation Required = {
  type T;
  require function f(x: T): T = x;
  require predicate p(x: T) = x == x;
  require procedure q(obs x: T) { }
};

// An external names a file, and something that it provides.
implementation NoFile = external C++ list { type T; };
implementation Bound = external C++ lib.list { type T; function f(x: T): T; };
implementation BoundAgain = external C++ lib.other Bound;
implementation BoundAnew = external C++ lib.other signature(Bound);

// A user's header is a template of what it requires.
implementation Vector = external C++ lib.vector {
  require type E;
  type Vector;
  function first(v: Vector): E;
  function empty(): Vector;
};
implementation TwoVectors = { use Vector[E => Int]; use Vector[E => Real]; };
implementation OneVector = { use Vector[E => Int]; use Vector[E => Int]; };

// Every program is told what it lacks.
implementation Abstract = { use Bound; function g(x: T): T; };
program First = Abstract;
program Second = Abstract;

// Branches of one `if` are all values or all statements.
implementation Branches = {
  type T;
  type U;
  function t(): T;
  function u(): U;
  predicate p();
  procedure sorts() { if p() then t() else u(); }
  procedure mixed() { if p() then t() else skip; }
  procedure unused() { t(); if p() then t() else t(); }
};

// The names in variadic declarations are looked for, whatever their number.
concept Variadic = {
  type T...;
  type R;
  function f(xs: T...): R;
  axiom equal(xs: T...) { assert f(xs...) == nowhere(xs...); }
  axiom fine(xs: T...) { assert f(xs...) == f(xs...); }
};
