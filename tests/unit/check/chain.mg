// Derivations with other things between them: new names, joined modules, bodies that are dropped.
package tests.unit.check.chain imports backend.kokkos;

concept Absolute = {
  type Int literals integer;
  function abs(a: Int): Int;
  predicate _<=_(a: Int, b: Int);
  axiom absolute(a: Int) { assert 0 <= a => abs(a) == a; }
};

concept Twice = {
  type Int literals integer;
  function _+_(a: Int, b: Int): Int;
  function _*_(a: Int, b: Int): Int;
  axiom twice(a: Int) { assert a + a == 2 * a; }
};

concept Half = {
  type Int;
  function half(a: Int): Int;
  function _/_(a: Int, b: Int): Int;
  function two(): Int;
  axiom halved(a: Int) { assert half(a) == a / two(); }
};

program Base = {
  use Integers;
  function two(): Int = 2;
  function entry(a: Int): Int guard 1 <= a = abs(a) + abs(a);
  function other(a: Int): Int guard 0 <= a = abs(entry(abs(a) + 1));
};

program Positive = rewrite Base with Absolute 10;
program Doubled = rewrite Positive with Twice 10;
program Halved = rewrite (implement Half in Doubled) with Absolute 10;

// Operations and types have other names in the second derivation.
renaming NewNames = [ Int => Number, entry => start, abs => magnitude, _+_ => sum ];
program Renamed = rewrite Positive[NewNames] with Twice[Int => Number, _+_ => sum] 10;
// Names change places, and one derivation has led to two operations.
program Swapped = rewrite Positive[entry => other, other => entry] with Twice 10;
program Both = {
  use Positive[entry => first, other => one];
  use Positive[entry => second, other => another];
};
program BothDoubled = rewrite Both with Twice 10;

// What was rewritten in two modules.
program Meeting = {
  use (rewrite Positive with Twice 10);
  use Doubled;
};

// The body of `later` comes with another module, after the first derivation.
implementation Open = {
  use Integers;
  function later(a: Int): Int guard 0 <= a;
  function entry(a: Int): Int guard 0 <= a = later(abs(a));
};
implementation Later = {
  use Integers;
  function later(a: Int): Int guard 0 <= a = abs(a) + a;
};
program Completed = rewrite { use (rewrite Open with Absolute 10); use Later; } with Absolute 10;

// More is asked of the caller than when it was rewritten.
program Narrower = {
  use Positive;
  require type Int literals integer;
  require predicate _<=_(a: Int, b: Int);
  function entry(a: Int): Int guard a <= 7;
};
program NarrowerDoubled = rewrite Narrower with Twice 10;

// Another body than the one that was derived.
program Replaced = rewrite {
  use signature(Positive);
  use Integers;
  function two(): Int = 2;
  function entry(a: Int): Int = (a + a) * a;
  function other(a: Int): Int = a;
} with Twice 10;
