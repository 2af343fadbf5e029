package arith.equality;

// Two functions are equal at all arguments, whatever their number and sorts.
// As a rule: calls of f become calls of g. P3 paper, Listing 9.
concept FunctionEquality = {
  type T...;
  type R;
  function f(xs: T...): R;
  function g(xs: T...): R;
  axiom functionEqualityRule(xs: T...) {
    assert f(xs...) == g(xs...);
  }
};

// A binary operation may be regrouped to the right.
concept Semigroup = {
  type T;
  function bop(a: T, b: T): T;
  axiom associativity(a: T, b: T, c: T) {
    assert bop(bop(a, b), c) == bop(a, bop(b, c));
  }
};
