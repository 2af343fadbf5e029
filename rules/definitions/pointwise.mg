// Operations that act element by element.
package definitions.pointwise imports definitions.arrays, definitions.vectors;

// A unary operation.
//
//   -[1, 2]  =>  [-1, -2]
concept Unary = {
  use Arrays;
  function unop(a: E): E;
  function unop(A: Array): Array;
  axiom unopShape(A: Array) { assert shape(unop(A)) == shape(A); }
  axiom unopElement(p: Index, A: Array) { assert psi(p, unop(A)) == unop(psi(p, A)); }
};

// A binary operation on arrays of equal shapes; a single number, of rank 0, meets every element
// of the other: take(p, dim(A)) is p, and [] for a number.
//
//   [1, 2] + [3, 4]  =>  [4, 6]        1 + [3, 4]  =>  [4, 5]
concept Binary = {
  use Dimension;
  use VectorAlgebra;
  function binop(a: E, b: E): E;
  function binop(A: Array, B: Array): Array
    guard (dim(A) == 0 || dim(B) == 0 || dim(A) == dim(B)) &&
      (forall (m < min(dim(A), dim(B))) at(shape(A), m) == at(shape(B), m));
  axiom binopShape(A: Array, B: Array) {
    assert shape(binop(A, B)) == (if dim(A) == 0 then shape(B) else shape(A));
  }
  axiom binopElement(p: Index, A: Array, B: Array) {
    assert psi(p, binop(A, B)) == binop(psi(take(p, dim(A)), A), psi(take(p, dim(B)), B));
  }
};

// The element of A where c is not 0, of B where it is; numbers meet every element.
//
//   select([1, 0], [1, 2], 9)  =>  [1, 9]
concept Select = {
  use Dimension;
  use VectorAlgebra;
  function select(c: Array, A: Array, B: Array): Array
    guard (dim(c) == 0 || dim(A) == 0 || dim(c) == dim(A)) &&
      (forall (m < min(dim(c), dim(A))) at(shape(c), m) == at(shape(A), m)) &&
      (dim(c) == 0 || dim(B) == 0 || dim(c) == dim(B)) &&
      (forall (m < min(dim(c), dim(B))) at(shape(c), m) == at(shape(B), m)) &&
      (dim(A) == 0 || dim(B) == 0 || dim(A) == dim(B)) &&
      (forall (m < min(dim(A), dim(B))) at(shape(A), m) == at(shape(B), m));
  axiom selectShape(c: Array, A: Array, B: Array) {
    assert shape(select(c, A, B)) ==
      (if dim(c) != 0 then shape(c) else if dim(A) != 0 then shape(A) else shape(B));
  }
  axiom selectElement(p: Index, c: Array, A: Array, B: Array) {
    assert psi(p, select(c, A, B)) ==
      (if psi(take(p, dim(c)), c) != 0
        then psi(take(p, dim(A)), A)
        else psi(take(p, dim(B)), B));
  }
};

concept Pointwise = {
  use Unary[unop => -_, unopShape => negShape, unopElement => negElement];
  use Unary[unop => abs, unopShape => absShape, unopElement => absElement];
  use Unary[unop => sqrt, unopShape => sqrtShape, unopElement => sqrtElement];
  use Unary[unop => exp, unopShape => expShape, unopElement => expElement];
  use Unary[unop => log, unopShape => logShape, unopElement => logElement];
  use Unary[unop => sin, unopShape => sinShape, unopElement => sinElement];
  use Unary[unop => cos, unopShape => cosShape, unopElement => cosElement];
  use Unary[unop => tanh, unopShape => tanhShape, unopElement => tanhElement];
  use Unary[unop => !_, unopShape => notShape, unopElement => notElement];
  use Binary[binop => _+_, binopShape => addShape, binopElement => addElement];
  use Binary[binop => _-_, binopShape => subShape, binopElement => subElement];
  use Binary[binop => _*_, binopShape => mulShape, binopElement => mulElement];
  use Binary[binop => _/_, binopShape => divShape, binopElement => divElement];
  use Binary[binop => _%_, binopShape => modShape, binopElement => modElement];
  use Binary[binop => min, binopShape => minShape, binopElement => minElement];
  use Binary[binop => max, binopShape => maxShape, binopElement => maxElement];
  use Binary[binop => pow, binopShape => powShape, binopElement => powElement];
  use Binary[binop => _<_, binopShape => lessShape, binopElement => lessElement];
  use Binary[binop => _<=_, binopShape => lessEqualShape, binopElement => lessEqualElement];
  use Binary[binop => _>_, binopShape => greaterShape, binopElement => greaterElement];
  use Binary[binop => _>=_, binopShape => greaterEqualShape, binopElement => greaterEqualElement];
  use Binary[binop => _==_, binopShape => equalShape, binopElement => equalElement];
  use Binary[binop => _!=_, binopShape => notEqualShape, binopElement => notEqualElement];
  use Binary[binop => _&&_, binopShape => andShape, binopElement => andElement];
  use Binary[binop => _||_, binopShape => orShape, binopElement => orElement];
  use Select;
};
