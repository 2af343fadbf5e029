package signatures;

signature A = {
  type Array;
  type Predicate...;
};
signature B = {
  type Array;
  function f(a: Arary, b: Array): Array;
  function g(a: Array, a: Array): Arrays;
};
concept C = {
  type Array;
  function f(a: Array): Array = a;
};
implementation D = {
  type Array;
  axiom x(a: Array) { assert a == a; }
};
concept E = {
  type Array;
  axiom y(a: Array);
};
