// The elements that expressions compute with.
package definitions.numbers;

// In single expressions numbers promote: they are of the narrowest of bool, int64 and float64 that
// holds what they are computed from. Comparisons, `&&`, `||` and `!` give bool; sqrt, exp and their
// like give float64. In arithmetic a bool counts as 0 or 1; `/` and `%` of integers are Euclidean.
// In programs they are of the run's real type, and truth values are 0 and 1.
//
//   7 / 2  =>  3        7 / 2.0  =>  3.5        1 < 2  =>  true
concept Numbers = external Kokkos scalar {
  require type Int;
  type Number literals real;

  function _+_(a: Number, b: Number): Number;
  function _-_(a: Number, b: Number): Number;
  function _*_(a: Number, b: Number): Number;
  function _/_(a: Number, b: Number): Number;
  function _%_(a: Number, b: Number): Number;
  function -_(a: Number): Number;

  function min(a: Number, b: Number): Number;
  function max(a: Number, b: Number): Number;
  function pow(a: Number, b: Number): Number;

  function abs(a: Number): Number;
  function sqrt(a: Number): Number;
  function exp(a: Number): Number;
  function log(a: Number): Number;
  function sin(a: Number): Number;
  function cos(a: Number): Number;
  function tanh(a: Number): Number;

  function _<_(a: Number, b: Number): Number;
  function _<=_(a: Number, b: Number): Number;
  function _>_(a: Number, b: Number): Number;
  function _>=_(a: Number, b: Number): Number;
  function _==_(a: Number, b: Number): Number;
  function _!=_(a: Number, b: Number): Number;
  function _&&_(a: Number, b: Number): Number;
  function _||_(a: Number, b: Number): Number;
  function !_(a: Number): Number;

  predicate _<_(a: Number, b: Number);
  predicate _<=_(a: Number, b: Number);
  predicate _>_(a: Number, b: Number);
  predicate _>=_(a: Number, b: Number);

  // An integer as a number, and a number as an integer, towards zero.
  function convert(a: Int): Number;
  function convert(a: Number): Int;
};
