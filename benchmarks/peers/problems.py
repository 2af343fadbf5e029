"""Rewriting problems in the REC format, each for a size that is given.

Rules do not overlap and say by themselves what they need, so that systems without an
order of rules have the same normal forms.
"""

import random


def peano(number):
    return "s(" * number + "z" + ")" * number


def items(numbers):
    text = "nil"
    for number in reversed(numbers):
        text = f"cons({peano(number)}, {text})"
    return text


NUMBERS = """
SORTS Num Truth List Tree Expr
CONS
  z : -> Num
  s : Num -> Num
  tt : -> Truth
  ff : -> Truth
  nil : -> List
  cons : Num List -> List
OPNS
  plus : Num Num -> Num
  times : Num Num -> Num
  minus : Num Num -> Num
  less : Num Num -> Truth
  both : Truth Truth -> Truth
VARS
  X Y Z W V : Num
  K L M : List
  T U : Tree
  E F : Expr
  B C : Truth
RULES
  plus(z, Y) -> Y
  plus(s(X), Y) -> s(plus(X, Y))
  times(z, Y) -> z
  times(s(X), Y) -> plus(Y, times(X, Y))
  minus(X, z) -> X
  minus(z, s(Y)) -> z
  minus(s(X), s(Y)) -> minus(X, Y)
  less(X, z) -> ff
  less(z, s(Y)) -> tt
  less(s(X), s(Y)) -> less(X, Y)
  both(tt, B) -> B
  both(ff, B) -> ff
"""


def specification(name, body, term):
    return f"REC-SPEC {name}\n{NUMBERS}{body}\nEVAL\n  {term}\nEND-SPEC\n"


def fib(size):
    return specification("fib", """
OPNS
  fib : Num -> Num
RULES
  fib(z) -> z
  fib(s(z)) -> s(z)
  fib(s(s(X))) -> plus(fib(s(X)), fib(X))
""", f"fib({peano(size)})")


def mul(size):
    return specification("mul", "", f"times({peano(size)}, {peano(size)})")


def tak(size):
    return specification("tak", """
OPNS
  tak : Num Num Num -> Num
  pick : Truth Num Num Num -> Num
RULES
  tak(X, Y, Z) -> pick(less(Y, X), X, Y, Z)
  pick(ff, X, Y, Z) -> Z
  pick(tt, X, Y, Z) -> tak(tak(minus(X, s(z)), Y, Z), tak(minus(Y, s(z)), Z, X), tak(minus(Z, s(z)), X, Y))
""", f"tak({peano(size)}, {peano(size * 2 // 3)}, {peano(size // 3)})")


def sieve(size):
    return specification("sieve", """
OPNS
  upto : Num Num -> List
  range : Truth Num Num -> List
  sift : List -> List
  strike : Num Num List -> List
RULES
  upto(X, Y) -> range(less(Y, X), X, Y)
  range(tt, X, Y) -> nil
  range(ff, X, Y) -> cons(X, upto(s(X), Y))
  sift(nil) -> nil
  sift(cons(X, L)) -> cons(X, sift(strike(X, X, L)))
  strike(X, Y, nil) -> nil
  strike(X, s(z), cons(Z, L)) -> strike(X, X, L)
  strike(X, s(s(Y)), cons(Z, L)) -> cons(Z, strike(X, s(Y), L))
""", f"sift(upto({peano(2)}, {peano(size)}))")


def bubble_sort(size):
    return specification("bubblesort", """
OPNS
  down : Num -> List
  sort : List -> List
  bubble : Num List -> List
  order : Truth Num Num List -> List
  place : List -> List
RULES
  down(z) -> cons(z, nil)
  down(s(X)) -> cons(s(X), down(X))
  sort(nil) -> nil
  sort(cons(X, L)) -> place(bubble(X, sort(L)))
  place(L) -> L
  bubble(X, nil) -> cons(X, nil)
  bubble(X, cons(Y, L)) -> order(less(Y, X), X, Y, L)
  order(tt, X, Y, L) -> cons(Y, bubble(X, L))
  order(ff, X, Y, L) -> cons(X, cons(Y, L))
""", f"sort(down({peano(size)}))")


def conditional_sort(size):
    numbers = list(range(size))
    random.Random(7).shuffle(numbers)
    return specification("conditionalsort", """
OPNS
  sort : List -> List
  insert : Num List -> List
RULES
  sort(nil) -> nil
  sort(cons(X, L)) -> insert(X, sort(L))
  insert(X, nil) -> cons(X, nil)
  insert(X, cons(Y, L)) -> cons(Y, insert(X, L)) if less(Y, X) -><- tt
  insert(X, cons(Y, L)) -> cons(X, cons(Y, L)) if less(Y, X) ->/<- tt
""", f"sort({items(numbers)})")


def merge_sort(size):
    numbers = [(i * 37) % 101 for i in range(size)]
    return specification("mergesort", """
SORTS Pair
CONS
  pair : List List -> Pair
OPNS
  sort : List -> List
  sorted : Pair -> List
  split : List -> Pair
  join : Num Num Pair -> Pair
  merge : List List -> List
  choose : Truth Num List Num List -> List
RULES
  sort(nil) -> nil
  sort(cons(X, nil)) -> cons(X, nil)
  sort(cons(X, cons(Y, L))) -> sorted(split(cons(X, cons(Y, L))))
  sorted(pair(K, L)) -> merge(sort(K), sort(L))
  split(nil) -> pair(nil, nil)
  split(cons(X, nil)) -> pair(cons(X, nil), nil)
  split(cons(X, cons(Y, L))) -> join(X, Y, split(L))
  join(X, Y, pair(K, L)) -> pair(cons(X, K), cons(Y, L))
  merge(nil, L) -> L
  merge(cons(X, K), nil) -> cons(X, K)
  merge(cons(X, K), cons(Y, L)) -> choose(less(Y, X), X, K, Y, L)
  choose(tt, X, K, Y, L) -> cons(Y, merge(cons(X, K), L))
  choose(ff, X, K, Y, L) -> cons(X, merge(K, cons(Y, L)))
""", f"sort({items(numbers)})")


def hanoi(size):
    return specification("hanoi", """
SORTS Peg Moves
CONS
  a : -> Peg
  b : -> Peg
  c : -> Peg
  done : -> Moves
  move : Peg Peg Moves -> Moves
OPNS
  hanoi : Num Peg Peg Peg Moves -> Moves
  count : Moves Num -> Num
  half : Num -> Num
VARS
  P Q R : Peg
  N : Moves
RULES
  hanoi(z, P, Q, R, N) -> N
  hanoi(s(X), P, Q, R, N) -> hanoi(X, P, R, Q, move(P, Q, hanoi(X, R, Q, P, N)))
  count(done, X) -> half(X)
  count(move(P, Q, N), X) -> count(N, s(X))
  half(z) -> z
  half(s(z)) -> z
  half(s(s(X))) -> half(X)
""", f"count(hanoi({peano(size)}, a, b, c, done), z)")


def binary_search(size):
    return specification("binarysearch", """
CONS
  leaf : -> Tree
  node : Tree Num Tree -> Tree
OPNS
  build : Num Num -> Tree
  member : Num Tree -> Truth
  seek : Truth Truth Num Tree Tree -> Truth
  all : Num Tree -> Truth
  power : Num -> Num
RULES
  build(z, Y) -> leaf
  build(s(X), Y) -> node(build(X, Y), plus(Y, power(X)), build(X, plus(Y, power(X))))
  member(X, leaf) -> ff
  member(X, node(T, Y, U)) -> seek(less(X, Y), less(Y, X), X, T, U)
  seek(ff, ff, X, T, U) -> tt
  seek(tt, ff, X, T, U) -> member(X, T)
  seek(ff, tt, X, T, U) -> member(X, U)
  all(z, T) -> tt
  all(s(X), T) -> both(member(s(X), T), all(X, T))
  power(z) -> s(z)
  power(s(X)) -> plus(power(X), power(X))
""", f"all(minus(power({peano(size)}), s(z)), build({peano(size)}, z))")


EXPRESSIONS = """
CONS
  number : Num -> Expr
  add : Expr Expr -> Expr
  sub : Expr Expr -> Expr
  mult : Expr Expr -> Expr
OPNS
  expression : Num -> Expr
  value : Expr -> Num
  modulo : Num -> Num
RULES
  value(number(X)) -> X
  value(add(E, F)) -> modulo(plus(value(E), value(F)))
  value(sub(E, F)) -> minus(value(E), value(F))
  value(mult(E, F)) -> modulo(times(value(E), value(F)))
  modulo(z) -> z
  modulo(s(z)) -> s(z)
  modulo(s(s(z))) -> s(s(z))
  modulo(s(s(s(z)))) -> s(s(s(z)))
  modulo(s(s(s(s(z))))) -> s(s(s(s(z))))
  modulo(s(s(s(s(s(X)))))) -> modulo(X)
  expression(z) -> number(s(s(s(z))))
  expression(s(z)) -> add(number(s(s(z))), expression(z))
  expression(s(s(X))) -> add(mult(expression(s(X)), sub(expression(X), number(s(z)))), expression(X))
"""


def eval_expression(size):
    return specification("evalexpr", EXPRESSIONS, f"value(expression({peano(size)}))")


def eval_tree(size):
    return specification("evaltree", """
CONS
  leaf : Num -> Tree
  node : Tree Tree -> Tree
OPNS
  full : Num Num -> Tree
  sum : Tree -> Num
  mirror : Tree -> Tree
  least : Num Num -> Num
  first : Truth Num Num -> Num
RULES
  full(z, Y) -> leaf(Y)
  full(s(X), Y) -> node(full(X, Y), full(X, s(Y)))
  mirror(leaf(X)) -> leaf(X)
  mirror(node(T, U)) -> node(mirror(U), mirror(T))
  sum(leaf(X)) -> X
  sum(node(T, U)) -> least(sum(T), sum(U))
  least(X, Y) -> first(less(X, Y), X, Y)
  first(tt, X, Y) -> X
  first(ff, X, Y) -> Y
""", f"sum(mirror(mirror(full({peano(size)}, s(z)))))")


# --- arrays: rules that push an index inwards. Names of operations say what they take.

ARRAYS = """
SORTS Num Index Axis Offset Array Element Result Path
CONS
  z : -> Num
  s : Num -> Num
  ix : -> Index
  on : Index -> Index
  off : Index -> Index
  at : Index Axis Offset -> Index
  ax0 : -> Axis
  ax1 : -> Axis
  ax2 : -> Axis
  back : -> Offset
  forth : -> Offset
  top : -> Path
  left : Path -> Path
  right : Path -> Path
  array : Path -> Array
  u : -> Array
  v : -> Array
  u0 : -> Array
  u1 : -> Array
  u2 : -> Array
  nu : -> Element
  half : -> Element
  c0 : -> Element
  c1 : -> Element
  c2 : -> Element
  addE : Element Element -> Element
  subE : Element Element -> Element
  mulE : Element Element -> Element
  add : Array Array -> Array
  sub : Array Array -> Array
  mul : Array Array -> Array
  scale : Element Array -> Array
  rot : Array Axis Offset -> Array
  done : -> Result
OPNS
  psi : Index Array -> Element
  run : Num Index Array -> Element
  second : Element Element -> Element
  sum : Num Path -> Array
  turns : Num Array -> Array
  forget : Element -> Result
  drop : Array -> Result
VARS
  K : Num
  I : Index
  X : Axis
  O : Offset
  A B : Array
  E F : Element
  P : Path
RULES
  psi(I, add(A, B)) -> addE(psi(I, A), psi(I, B))
  psi(I, sub(A, B)) -> subE(psi(I, A), psi(I, B))
  psi(I, mul(A, B)) -> mulE(psi(I, A), psi(I, B))
  psi(I, scale(E, A)) -> mulE(E, psi(I, A))
  psi(I, rot(A, X, O)) -> psi(at(I, X, O), A)
  run(z, I, A) -> psi(I, A)
  run(s(K), I, A) -> second(run(K, on(I), A), run(K, off(I), A))
  second(E, F) -> F
  sum(z, P) -> array(P)
  sum(s(K), P) -> add(sum(K, left(P)), sum(K, right(P)))
  turns(z, A) -> rot(A, ax0, forth)
  turns(s(K), A) -> turns(K, turns(K, A))
  forget(E) -> done
  drop(A) -> done
"""


def arrays(name, *terms):
    """One specification for each term: the second one prepares what the first one needs."""
    return [f"REC-SPEC {name}\n{ARRAYS}\nEVAL\n  {term}\nEND-SPEC\n" for term in terms]


def rotations():
    return [f"rot(v, {axis}, {offset})" for axis in ("ax0", "ax1", "ax2")
            for offset in ("back", "forth")]


def burgers_term():
    turned = rotations()
    total = turned[0]
    for each in turned[1:]:
        total = f"add({total}, {each})"
    differences = [f"mul(sub({turned[2 * i + 1]}, {turned[2 * i]}), u{i})" for i in range(3)]
    advection = f"add(add({differences[0]}, {differences[1]}), {differences[2]})"
    diffusion = f"scale(nu, sub(scale(c0, {total}), scale(c1, u0)))"
    return f"add(u, scale(half, sub({diffusion}, scale(c2, {advection}))))"


def burgers(size):
    return arrays("burgers", f"forget(run({peano(size)}, ix, {burgers_term()}))")


def burgers_once(size):
    return arrays("burgersonce", f"psi(ix, {burgers_term()})")


def balanced(repeats):
    def problem(size):
        build = f"sum({peano(size)}, top)"
        return arrays(f"sum{size}", f"forget(run({peano(repeats)}, ix, {build}))", f"drop({build})")
    return problem


def balanced_once(size):
    return arrays(f"sumonce{size}", f"psi(ix, sum({peano(size)}, top))")


def nested(repeats):
    def problem(size):
        build = f"turns({peano(size)}, v)"
        return arrays(f"turns{size}", f"forget(run({peano(repeats)}, ix, {build}))",
                      f"drop({build})")
    return problem


def nested_once(size):
    return arrays(f"turnsonce{size}", f"psi(ix, turns({peano(size)}, v))")


# --- sets of many rules. Steps go through all of them, by another rule each time.

MANY_STEPS = 10**6


def functions(count):
    """A function for each rule: the program counter goes through the whole set."""
    names = [f"f{i}" for i in range(count)]
    rules = "\n".join(f"  f{i}(s(X)) -> f{(7 * i + 1) % count}(X)" for i in range(count))
    return (f"REC-SPEC functions\nSORTS Num\nCONS\n  z : -> Num\n  s : Num -> Num\nOPNS\n"
            + "\n".join(f"  {name} : Num -> Num" for name in names)
            + f"\nVARS\n  X : Num\nRULES\n{rules}\nEVAL\n  f0({peano(MANY_STEPS)})\nEND-SPEC\n")


def constructors(count):
    """One function with a rule for each constructor, which come in random order."""
    choose = random.Random(count)
    chosen = [choose.randrange(count) for _ in range(MANY_STEPS)]
    term = "".join(f"c{i}(" for i in chosen) + "z" + ")" * MANY_STEPS
    rules = "\n".join(f"  g(c{i}(X)) -> g(X)" for i in range(count))
    return ("REC-SPEC constructors\nSORTS Num\nCONS\n  z : -> Num\n"
            + "\n".join(f"  c{i} : Num -> Num" for i in range(count))
            + f"\nOPNS\n  g : Num -> Num\nVARS\n  X : Num\nRULES\n{rules}\n"
            + f"EVAL\n  g({term})\nEND-SPEC\n")


# Name, generator, size, size of a quick run.
RECURSIVE = [("fib", fib, 27, 15), ("mul", mul, 1500, 60), ("tak", tak, 24, 9),
             ("sieve", sieve, 1500, 50), ("bubble sort", bubble_sort, 240, 20),
             ("conditional sort", conditional_sort, 300, 20),
             ("merge sort", merge_sort, 3000, 40), ("hanoi", hanoi, 19, 6),
             ("binary search", binary_search, 11, 4),
             ("evaluate expression", eval_expression, 15, 6), ("evaluate tree", eval_tree, 18, 5)]
INDEXING = [("Burgers substep", burgers, 16, 3), ("sum of 2^10", balanced(10), 10, 4),
            ("sum of 2^17", balanced(3), 17, 6), ("sum of 2^20", balanced(0), 20, 6),
            ("10^3 rotations", nested(11), 10, 4), ("10^6 rotations", nested(1), 20, 6)]
COMPARED = [("Burgers term", burgers_once, 0), ("sum of 2^6", balanced_once, 6),
            ("64 rotations", nested_once, 6)]
RULE_COUNTS = [(f"{kind.__name__}, {count} rules", kind, count, count)
               for kind in (functions, constructors) for count in (10, 100, 1000, 10000)]
