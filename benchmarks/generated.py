"""Specifications of any size, for measurements: the same text for the same arguments."""

import random

HEAD = """package {name};
implementation Ext = external C++ lib.x {{
  type T; function a(): T; function f(x: T): T; function g(x: T, y: T): T; function _+_(x: T, y: T): T;
}};
"""


def expression(choice, depth, names):
    if depth == 0:
        return choice.choice(names)
    if choice.random() < 0.3:
        return f"f({expression(choice, depth - 1, names)})"
    left, right = (expression(choice, depth - 1, names) for _ in range(2))
    return f"g({left}, {right})" if choice.random() < 0.5 else f"({left} + {right})"


def functions(name, size):
    """One program of many functions, each of which calls one that stands before it."""
    choice = random.Random(1)
    parts, count = [HEAD.format(name=name) + "program P = {\n  use Ext;\n"], 0
    length = len(parts[0])
    while length < size:
        names = ["x", "a()"] + ([f"h{choice.randrange(count)}(x)"] if count else [])
        parts.append(f"  function h{count}(x: T): T = {expression(choice, 6, names)};\n")
        length += len(parts[-1])
        count += 1
    return "".join(parts) + "};\n"


def statements(name, size):
    """One procedure of many statements."""
    choice = random.Random(2)
    parts = [HEAD.format(name=name) +
             "program P = {\n  use Ext;\n  procedure p(upd u: T, obs v: T) {\n"]
    length = len(parts[0])
    while length < size:
        parts.append(f"    u = {expression(choice, 4, ['u', 'v', 'a()'])};\n")
        length += len(parts[-1])
    return "".join(parts) + "  }\n};\n"


def modules(name, size):
    """Many concepts, each of which uses the one before it under other names."""
    parts = [HEAD.format(name=name) + "concept C0 = { type T; function f0(x: T): T; };\n"]
    length, count = len(parts[0]), 1
    while length < size:
        parts.append(
            f"concept C{count} = {{ use C{(count - 1) // 2}[[f0 => f1, f1 => f0]]; type T;\n"
            "  function f0(x: T): T; function f1(x: T): T;\n"
            f"  axiom same{count}(x: T) {{ assert f0(f1(x)) == f1(f0(x)); }}\n}};\n")
        length += len(parts[-1])
        count += 1
    return "".join(parts)


def chain(name, size):
    """One function whose body is one long sum."""
    head = HEAD.format(name=name) + "program P = {\n  use Ext;\n  function s(x: T): T = x"
    summand = " + f(x)"
    return head + summand * max(0, (size - len(head)) // len(summand)) + ";\n};\n"


def rewrites(name, size):
    """Many small programs, each of which is rewritten."""
    parts = [HEAD.format(name=name) +
             "concept Rules = { use signature(Ext);\n"
             "  axiom unfold(x: T) { assert f(x) == g(x, a()); }\n};\n"]
    length, count = len(parts[0]), 0
    while length < size:
        parts.append(f"program B{count} = {{ use Ext; function h(x: T): T = f(f(x + a())); }};\n"
                     f"program P{count} = rewrite B{count} with Rules by innermost 100;\n")
        length += len(parts[-1])
        count += 1
    return "".join(parts)


def overloads(name, size):
    """One concept of many types, each with an overload of one name and an axiom about it."""
    parts = [HEAD.format(name=name) + "concept C = {\n  use signature(Ext);\n"]
    length, count = len(parts[0]), 0
    while length < size:
        parts.append(f"  type T{count}; function o(x: T{count}): T;\n"
                     f"  axiom same{count}(x: T{count}) {{ assert o(x) == a(); }}\n")
        length += len(parts[-1])
        count += 1
    return "".join(parts) + "};\n"


def uses(name, size):
    """One program that uses one module under many names."""
    parts = [HEAD.format(name=name) + "program P = {\n"]
    length, count = len(parts[0]), 0
    while length < size:
        parts.append(f"  use Ext[T => T{count}, f => f{count}, g => g{count}, a => a{count}];\n")
        length += len(parts[-1])
        count += 1
    return "".join(parts) + "};\n"


SHAPES = {"functions": functions, "statements": statements, "modules": modules, "chain": chain,
          "rewrites": rewrites, "overloads": overloads, "uses": uses}


def steps(name, strategy, power):
    """A program whose rewriting by the strategy takes 3 * 2**power - 2 steps."""
    depth = "s(" * power + "z()" + ")" * power
    return (f"package {name};\n"
            "implementation Ext = external C++ lib.x {\n"
            "  type T; function z(): T; function s(x: T): T; function t(x: T): T;\n"
            "  function c(x: T, y: T): T;\n};\n"
            "concept Rules = { use signature(Ext);\n"
            "  axiom branch(x: T) { assert t(s(x)) == c(t(x), t(x)); }\n"
            "  axiom end() { assert t(z()) == z(); }\n"
            "  axiom join() { assert c(z(), z()) == z(); }\n};\n"
            f"program Base = {{ use Ext; function big(): T = t({depth}); }};\n"
            f"program P = rewrite Base with Rules {strategy};\n")


def box_of_27(name):
    """A stencil of three axes that reads all 27 neighbours, by their distance."""
    def read(offsets):
        array = "u"
        for axis, offset in enumerate(offsets):
            array = f"rotate({array}, {axis}, {offset})" if offset else array
        return array

    near = (-1, 0, 1)
    offsets = [(i, j, k) for i in near for j in near for k in near]
    sums = [" + ".join(read(each) for each in offsets if sum(map(abs, each)) == distance)
            for distance in range(4)]
    numbers = "".join(f"  function c{distance}(): Real;\n" for distance in range(4))
    body = " + ".join(f"c{distance}() * ({each})" for distance, each in enumerate(sums))
    return f"""package {name} imports backend.kokkos, moa.dnf, moa.indexwise;
implementation Parameters = external Kokkos parameters {{
  require type Real;
{numbers}}};
program Base = {{
  use Arrays;
  use Parameters;
  function blur(u: Array): Array = {body};
  procedure step(upd u: Array) {{ u = blur(u); }}
}};
program DNF = {{
  use (rewrite
        (rewrite (implement ToIxwiseGenerator[op => blur, opIx => blurIx, E => Real] in Base)
         with ToIxwise[op => blur] 1)
       with DNFRules[E => Real] 100);
  use FlatSchedule[element => blurIx, E => Real];
}};
"""
