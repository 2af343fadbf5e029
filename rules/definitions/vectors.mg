// The algebra of index and shape vectors: the functions that the shape and the element of an
// operation are written with. Components count from 0.
package definitions.vectors imports definitions.arrays;

// Component j becomes e.
//
//   replace([4, 5, 6], 1, 9)  =>  [4, 9, 6]
concept Replace = {
  use Integers;
  use Vectors;
  function replace(p: Index, j: Int, e: Int): Index guard 0 <= j && j < len(p);
  axiom replaceDefinition(p: Index, j: Int, e: Int) {
    assert replace(p, j, e) == forall (m < len(p)) (if m == j then e else at(p, m));
  }
};

// A component e before component j; behind the last for j = len(p).
//
//   insert([4, 5, 6], 1, 9)  =>  [4, 9, 5, 6]
concept Insert = {
  use Integers;
  use Vectors;
  function insert(p: Index, j: Int, e: Int): Index guard 0 <= j && j <= len(p);
  axiom insertDefinition(p: Index, j: Int, e: Int) {
    assert insert(p, j, e) == forall (m < len(p) + 1)
      (if m < j then at(p, m) else if m == j then e else at(p, m - 1));
  }
};

// Without component j.
//
//   remove([4, 5, 6], 1)  =>  [4, 6]
concept Remove = {
  use Integers;
  use Vectors;
  function remove(p: Index, j: Int): Index guard 0 <= j && j < len(p);
  axiom removeDefinition(p: Index, j: Int) {
    assert remove(p, j) == forall (m < len(p) - 1) (if m < j then at(p, m) else at(p, m + 1));
  }
};

// p ++ q.
//
//   join([4, 5], [6])  =>  [4, 5, 6]
concept Join = {
  use Integers;
  use Vectors;
  function join(p: Index, q: Index): Index;
  axiom joinDefinition(p: Index, q: Index) {
    assert join(p, q) == forall (m < len(p) + len(q))
      (if m < len(p) then at(p, m) else at(q, m - len(p)));
  }
};

// The first k components, for k < 0 the last ones.
//
//   take([4, 5, 6], 2)  =>  [4, 5]        take([4, 5, 6], -1)  =>  [6]
concept TakeComponents = {
  use Integers;
  use Vectors;
  function take(p: Index, k: Int): Index guard abs(k) <= len(p);
  axiom takeDefinition(p: Index, k: Int) {
    assert take(p, k) == forall (m < abs(k))
      (if 0 <= k then at(p, m) else at(p, len(p) + k + m));
  }
};

// Without the first k components, for k < 0 without the last ones.
//
//   drop([4, 5, 6], 2)  =>  [6]        drop([4, 5, 6], -1)  =>  [4, 5]
concept DropComponents = {
  use Integers;
  use Vectors;
  function drop(p: Index, k: Int): Index guard abs(k) <= len(p);
  axiom dropDefinition(p: Index, k: Int) {
    assert drop(p, k) == forall (m < len(p) - abs(k))
      (if 0 <= k then at(p, k + m) else at(p, m));
  }
};

// The components from the last to the first.
//
//   reverse([4, 5, 6])  =>  [6, 5, 4]
concept ReverseComponents = {
  use Integers;
  use Vectors;
  function reverse(p: Index): Index;
  axiom reverseDefinition(p: Index) {
    assert reverse(p) == forall (m < len(p)) at(p, len(p) - 1 - m);
  }
};

// Components by their places: p[t].
//
//   pick([4, 5, 6], [2, 0, 1])  =>  [6, 4, 5]
concept Pick = {
  use Integers;
  use Vectors;
  function pick(p: Index, t: Index): Index
    guard forall (m < len(t)) (0 <= at(t, m) && at(t, m) < len(p));
  axiom pickDefinition(p: Index, t: Index) {
    assert pick(p, t) == forall (m < len(t)) at(p, at(t, m));
  }
};

// How often e is a component, and the inverse of a permutation: inverse(t)[t[k]] = k.
//
//   occurrences([2, 0, 2], 2)  =>  2        inverse([2, 0, 1])  =>  [1, 2, 0]
concept Permutations = {
  use Integers;
  use Vectors;
  function occurrences(t: Index, e: Int): Int;
  function inverse(t: Index): Index guard forall (m < len(t)) (occurrences(t, m) == 1);
  axiom occurrencesDefinition(t: Index, e: Int) {
    assert occurrences(t, e) == fold _+_ (k < len(t)) (if at(t, k) == e then 1 else 0);
  }
  axiom inverseDefinition(t: Index) {
    assert inverse(t) == forall (m < len(t))
      (fold _+_ (k < len(t)) (if at(t, k) == m then k else 0));
  }
};

// The product of the components; 1 of none.
//
//   product([2, 3, 4])  =>  24        product([])  =>  1
concept Product = {
  use Integers;
  use Vectors;
  function product(p: Index): Int;
  axiom productDefinition(p: Index) { assert product(p) == fold _*_ (m < len(p)) at(p, m); }
};

// The place of the element at index p in an array of shape s whose elements stand in a row, the
// last index running fastest: Horner's (p[0] * s[1] + p[1]) * s[2] + p[2] multiplied out.
//
//   gamma([1, 0, 2], [2, 3, 4])  =>  14
concept Gamma = {
  use Product;
  use DropComponents;
  function gamma(p: Index, s: Index): Int guard len(p) == len(s);
  axiom gammaDefinition(p: Index, s: Index) {
    assert gamma(p, s) == fold _+_ (m < len(s)) (at(p, m) * product(drop(s, m + 1)));
  }
};

// The index at place o: gamma(gamma_inverse(o, s), s) = o for 0 <= o < product(s); other places
// count modulo product(s).
//
//   gamma_inverse(14, [2, 3, 4])  =>  [1, 0, 2]
concept GammaInverse = {
  use Product;
  use DropComponents;
  function gamma_inverse(o: Int, s: Index): Index;
  axiom gammaInverseDefinition(o: Int, s: Index) {
    assert gamma_inverse(o, s) == forall (m < len(s))
      (o / product(drop(s, m + 1)) % at(s, m));
  }
};

concept VectorAlgebra = {
  use Replace;
  use Insert;
  use Remove;
  use Join;
  use TakeComponents;
  use DropComponents;
  use ReverseComponents;
  use Pick;
  use Permutations;
  use Product;
  use Gamma;
  use GammaInverse;
};
