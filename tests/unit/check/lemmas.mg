// Conditions that only lemmas decide, two of which state the same under other conditions.
package lemmas imports backend.kokkos;

concept Absolute = {
  type Int literals integer;
  function abs(a: Int): Int;
  predicate _<=_(a: Int, b: Int);
  axiom absolute(a: Int) { assert 0 <= a && a <= 1000 => abs(a) == a; }
};

concept Weights = {
  type Int literals integer;
  function weight(a: Int): Int;
  predicate _<=_(a: Int, b: Int);
  axiom above(a: Int) { assert 1 <= a => 0 <= weight(a); }
  axiom below(a: Int) { assert a <= 0 => 0 <= weight(a); }
  axiom small(a: Int) { assert weight(a) <= 1000; }
};

concept Rules = {
  use Absolute;
  use Weights;
};

program Base = {
  use Integers;
  function weight(a: Int): Int = a % 500;
  function first(n: Int): Int guard 2 <= n = abs(weight(n - 1));
  function second(n: Int, m: Int): Int guard n <= 1 && 1 <= m = abs(weight(n - 1)) + abs(weight(m));
};

program After = rewrite Base with Rules 10;
