// Rules to the denotational normal form: indexing moves inwards until only indexing
// and scalar operations are left. P3 paper, Listing 17; Mullin's psi-reduction.
//
//   psi(ix, rotate(a, 0, 1) + b)  =>  psi(rotateIx(ix, 0, 1), a) + psi(ix, b)
package moa.dnf;

// A binary operation on arrays acts element by element; a scalar is extended.
concept GenericBinopRules = {
  type E;
  type Array;
  type Index;

  function binop(lhs: E, rhs: E): E;
  function binop(lhs: E, rhs: Array): Array;
  function binop(lhs: Array, rhs: E): Array;
  function binop(lhs: Array, rhs: Array): Array;
  function psi(ix: Index, array: Array): E;

  axiom binopArrayRule(ix: Index, lhs: Array, rhs: Array) {
    assert psi(ix, binop(lhs, rhs)) == binop(psi(ix, lhs), psi(ix, rhs));
  }
  axiom binopScalarRule(ix: Index, lhs: E, rhs: Array) {
    assert psi(ix, binop(lhs, rhs)) == binop(lhs, psi(ix, rhs));
  }
  axiom binopScalarRightRule(ix: Index, lhs: Array, rhs: E) {
    assert psi(ix, binop(lhs, rhs)) == binop(psi(ix, lhs), rhs);
  }
};

// A unary operation on arrays acts element by element.
concept GenericUnopRules = {
  type E;
  type Array;
  type Index;

  function unop(a: E): E;
  function unop(a: Array): Array;
  function psi(ix: Index, array: Array): E;

  axiom unopArrayRule(ix: Index, a: Array) {
    assert psi(ix, unop(a)) == unop(psi(ix, a));
  }
};

// An element of the array that a condition chose is chosen by that condition.
concept ConditionalRule = {
  type E;
  type Array;
  type Index;
  function psi(ix: Index, array: Array): E;
  axiom conditionalRule(ix: Index, c: Predicate, a: Array, b: Array) {
    assert psi(ix, if c then a else b) == (if c then psi(ix, a) else psi(ix, b));
  }
};

// Element p of rotate(a, axis, o) is the element of a at p with (p[axis] + o) mod s.
concept RotateRule = {
  type E;
  type Array;
  type Index;
  type Axis;
  type Offset;
  function psi(ix: Index, array: Array): E;
  function rotate(array: Array, axis: Axis, offset: Offset): Array;
  function rotateIx(ix: Index, axis: Axis, offset: Offset): Index;
  axiom rotateRule(ix: Index, array: Array, axis: Axis, offset: Offset) {
    assert psi(ix, rotate(array, axis, offset)) == psi(rotateIx(ix, axis, offset), array);
  }
};

concept DNFRules = {
  use GenericBinopRules[ binop => _+_
                       , binopArrayRule => addArrayRule
                       , binopScalarRule => addScalarRule
                       , binopScalarRightRule => addScalarRightRule ];
  use GenericBinopRules[ binop => _-_
                       , binopArrayRule => subArrayRule
                       , binopScalarRule => subScalarRule
                       , binopScalarRightRule => subScalarRightRule ];
  use GenericBinopRules[ binop => _*_
                       , binopArrayRule => mulArrayRule
                       , binopScalarRule => mulScalarRule
                       , binopScalarRightRule => mulScalarRightRule ];
  use GenericBinopRules[ binop => _/_
                       , binopArrayRule => divArrayRule
                       , binopScalarRule => divScalarRule
                       , binopScalarRightRule => divScalarRightRule ];
  use GenericBinopRules[ binop => min
                       , binopArrayRule => minArrayRule
                       , binopScalarRule => minScalarRule
                       , binopScalarRightRule => minScalarRightRule ];
  use GenericBinopRules[ binop => max
                       , binopArrayRule => maxArrayRule
                       , binopScalarRule => maxScalarRule
                       , binopScalarRightRule => maxScalarRightRule ];
  use GenericUnopRules[ unop => -_, unopArrayRule => negArrayRule ];
  use GenericUnopRules[ unop => abs, unopArrayRule => absArrayRule ];
  use GenericUnopRules[ unop => sqrt, unopArrayRule => sqrtArrayRule ];
  use GenericUnopRules[ unop => exp, unopArrayRule => expArrayRule ];
  use GenericUnopRules[ unop => log, unopArrayRule => logArrayRule ];
  use GenericUnopRules[ unop => sin, unopArrayRule => sinArrayRule ];
  use GenericUnopRules[ unop => cos, unopArrayRule => cosArrayRule ];
  use GenericUnopRules[ unop => tanh, unopArrayRule => tanhArrayRule ];
  use ConditionalRule;
  use RotateRule;
};
